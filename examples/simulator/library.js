// Tests an orchestration without tokens: whatever speaks to the model is given the simulator's address.
import { startSimulator } from 'handraise/simulator';

const simulator = await startSimulator({
  script: {
    replies: [{ fault: { kind: 'error', status: 529, times: 2 }, blocks: [{ text: 'Third time lucky.' }] }],
  },
});
try {
  process.stdout.write(`${await askUntilAnswered(simulator.url)}\n`);
  const statuses = simulator.requests.map(({ answer }) => answer?.status);
  process.stdout.write(`the model was asked ${statuses.length} times: ${statuses.join(', ')}\n`);
} finally {
  await simulator[Symbol.asyncDispose]();
}

/**
 * @param {string} url
 * @returns {Promise<string>}
 */
async function askUntilAnswered(url) {
  const body = JSON.stringify({ model: 'sim', messages: [{ role: 'user', content: 'Are you there?' }] });
  const response = await fetch(`${url}/v1/messages`, { method: 'POST', body });
  if (!response.ok) return askUntilAnswered(url);
  const { content } = JSON.parse(await response.text());
  return content[0].text;
}
