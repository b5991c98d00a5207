// The first minute with Handraise: a real Claude Code process reads, asks, waits for an answer, and writes.
// Without ANTHROPIC_API_KEY a scripted model stands in for the real one, so it costs nothing.
import { openModel } from './demo/model.js';
import { Person } from './demo/person.js';
import { startRunner } from './demo/runner-process.js';
import { Storyteller } from './demo/storyteller.js';
import { makeWorkspace } from './demo/workspace.js';

const teller = new Storyteller(process.stdout);
const person = new Person(process.stdin, process.stdout);
const workspace = await makeWorkspace();
const model = await openModel(workspace);
teller.open({ workspace, model });

const runner = startRunner({ cwd: workspace.path, env: model.env });
let interrupted = false;
const interrupt = () => {
  interrupted = true;
  runner.end();
};
process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
person.onInterrupt(interrupt);

let succeeded = false;
try {
  runner.send({ type: 'message', content: model.task });
  for await (const event of runner.events) {
    teller.tell(event);
    if (event.type === 'user_question_request') await answerQuestions(event);
    if (event.type === 'permission_request') await decide(event);
    if (event.type === 'result') {
      succeeded = event.success;
      runner.send({ type: 'stop' });
    }
  }
} finally {
  const exit = await runner.exited;
  person.leave();
  await model.close();
  succeeded &&= exit.code === 0;
  if (interrupted) teller.interrupted();
  else await teller.close({ succeeded, workspace, model, stderr: exit.stderr });
}
process.exitCode = interrupted ? 130 : succeeded ? 0 : 1;

/** @param {import('handraise/protocol').Event<'user_question_request'>} request */
async function answerQuestions({ requestId, questions }) {
  /** @type {Record<string, string>} */
  const answers = {};
  for (const { question, options } of questions) {
    const labels = options.map(({ label }) => label);
    teller.choices(labels);
    const { choice, byHand } = await person.choose(labels);
    if (interrupted) return;
    answers[question] = choice;
    teller.answered(choice, byHand);
  }
  runner.send({ type: 'user_question_response', questionRequestId: requestId, answers });
}

/** @param {import('handraise/protocol').Event<'permission_request'>} request */
async function decide({ requestId }) {
  const labels = ['Allow', 'Deny'];
  teller.choices(labels);
  const { choice, byHand } = await person.choose(labels);
  if (interrupted) return;
  teller.answered(choice, byHand);
  const approved = choice === 'Allow';
  const words = labels.includes(choice) ? {} : { message: choice };
  runner.send({ type: 'permission_response', permissionRequestId: requestId, approved, ...words });
}
