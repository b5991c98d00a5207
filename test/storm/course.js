/** What of an event tells how a question came and went. @type {Readonly<Record<string, readonly string[]>>} */
const told = {
  user_message: ['uuid'],
  dispatch_started: ['dispatchId'],
  dispatch_ended: ['dispatchId'],
  prompt_asked: ['promptId'],
  prompt_settled: ['promptId'],
  user_question_request: ['requestId', 'toolUseId'],
  permission_request: ['requestId', 'toolUseId'],
  request_withdrawn: ['requestId', 'reason'],
  answer_delivered: ['requestId'],
  command_accepted: ['commandId'],
  command_error: ['commandId', 'error'],
  tool_start: ['id', 'tool'],
  tool_end: ['id', 'cutOff', 'summary'],
  parked: ['toolUseId', 'how'],
  turn_complete: [],
  interrupted: [],
  ready: [],
  run_ended: ['run'],
};
const mostLength = 12_000;

/** The course of a thread in short, for whoever looks into a violation that does not come again. @param {import('./evidence.js').Evidence} thread */
export function courseOf({ number, prompts, events }) {
  const asked = prompts.map(({ id, kind, state, reason, actor, createdAt, deadline }) =>
    [id, kind, state, reason, actor, createdAt, deadline].filter(Boolean).join(' '),
  );
  const happened = events.flatMap((event) => {
    const fields = Object.hasOwn(told, event.type) ? told[event.type] : undefined;
    if (!fields) return [];
    const values = fields.flatMap((name) =>
      event[name] === undefined ? [] : [JSON.stringify(event[name]).slice(0, 60)],
    );
    return [[event.seq, event.type, ...values].join(' ')];
  });
  const course = `thread ${number} in short: ${[...asked, ...happened].join(' | ')}`;
  return course.length > mostLength
    ? `${course.slice(0, mostLength / 4)} […] ${course.slice((-mostLength * 3) / 4)}`
    : course;
}
