// A program that gives an agent work through a running worker, prints what it says, and answers its questions.
// Usage: handraise up -d && node examples/client.js "your prompt"
import { factOf } from 'handraise/client';
import { homeClient } from 'handraise/client/node';

// It gives the owner's token to nobody but the worker of the home, whoever else may have its port.
const client = homeClient();

const text = process.argv[2] ?? 'Say hello.';
const dispatch = await client.dispatches.submit({ text, workspace: { path: process.cwd() } });
console.error(`${dispatch.id} in ${dispatch.threadId}`);

for await (const event of client.events(dispatch.threadId)) {
  const fact = factOf(event);
  if (fact?.type === 'assistant_text') process.stdout.write(`${fact.content}\n`);
  if (fact?.type === 'prompt_asked') {
    const { kind, questions } = fact.item.metadata.prompt;
    const answer = kind === 'approval' ? 'deny' : (questions[0]?.options[0]?.label ?? 'Decide for yourself.');
    console.error(`${fact.item.content[0]?.text}\n→ ${answer}`);
    await client.prompts.answer(fact.promptId, { text: answer });
  }
  if (fact?.type === 'dispatch_ended') {
    console.error(`${fact.outcome.result}, ${fact.outcome.costUsd ?? 'unknown'} USD`);
    process.exitCode = fact.outcome.exitCode;
    break;
  }
}
