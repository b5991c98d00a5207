// A parent of handraise-runner: it gives one prompt, prints what the agent says, and answers its questions from the
// terminal, or with the first option where there is none.
// Usage: node examples/parent.js "your prompt" [runner options]
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';

const [prompt = 'Say hello.', ...options] = process.argv.slice(2);
const runnerFile = new URL('../bin/handraise-runner.js', import.meta.url).pathname;
const runner = spawn(process.execPath, [runnerFile, ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
const exited = new Promise((resolve) => runner.once('close', resolve));
const terminal = process.stdin.isTTY && createInterface({ input: process.stdin, output: process.stderr });
let succeeded = true;

send({ type: 'message', content: prompt });
for await (const line of createInterface({ input: runner.stdout })) {
  const event = JSON.parse(line);
  if (event.type === 'assistant_text') process.stdout.write(event.content);
  if (event.type === 'auth_error' || event.type === 'error') console.error(event.message);
  if (event.type === 'result') succeeded &&= event.success;
  if (event.type === 'turn_complete') send({ type: 'stop' });
  if (event.type === 'user_question_request') {
    /** @type {Record<string, string>} */
    const answers = {};
    for (const { question, options } of event.questions) answers[question] = await choose(question, options);
    send({ type: 'user_question_response', questionRequestId: event.requestId, answers });
  }
  if (event.type === 'permission_request') {
    const answer = await choose(`${event.tool} ${JSON.stringify(event.input)}`, [
      { label: 'no' },
      { label: 'yes' },
    ]);
    send({ type: 'permission_response', permissionRequestId: event.requestId, approved: answer === 'yes' });
  }
  if (event.type === 'plan_approval_request') {
    const answer = await choose(event.planContent, [{ label: 'no' }, { label: 'yes' }]);
    send({
      type: 'plan_approval_response',
      planApprovalRequestId: event.requestId,
      planApproved: answer === 'yes',
    });
  }
}
process.exitCode = Number(await exited) || (succeeded ? 0 : 1);
if (terminal) terminal.close();

/** @param {object} command */
function send(command) {
  runner.stdin.write(`${JSON.stringify(command)}\n`);
}

/**
 * @param {string} question
 * @param {{ label: string }[]} options
 */
async function choose(question, options) {
  const labels = options.map(({ label }) => label);
  const typed = terminal ? await terminal.question(`${question} (${labels.join(', ')}) `) : '';
  return typed.trim() || (labels[0] ?? 'Decide for yourself.');
}
