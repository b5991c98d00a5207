import { expectationWords } from '../protocol/expected-answer.js';
import { given } from '../protocol/given.js';
import type { AnswersByQuestion, Question } from '../protocol/question.js';
import {
  expectedIn,
  type FieldValue,
  fieldOptions,
  fieldValue,
  formFields,
  isOmitted,
} from './form-field.js';
import type { RuntimeHost, Unanswered } from './runtime.js';

// How long a server waits is told nowhere; this is what the SDK of MCP waits.
const usualPatienceMs = 60_000;

/** The tool name under which a person approves that a page was opened. */
const openUrl = 'OpenUrl';

/** What an MCP server asks of a person while a call of one of its tools runs. */
export interface Elicitation {
  readonly server: string;
  readonly message: string;
  /** What is asked: the fields of a form, or to open a page. */
  readonly wants:
    | { readonly mode: 'form'; readonly schema: unknown }
    | { readonly mode: 'url'; readonly url: string };
  /** The call of the server's tool, as far as it is known. */
  readonly toolUseId: string;
  /** The server's tool, as far as it is known, by the agent's name for it. */
  readonly tool?: string | undefined;
  readonly agentId?: string | undefined;
}

/** What the server is told. A person who refuses, a person who closes the question and nobody at all are three things. */
export type ElicitationReply =
  | { readonly action: 'accept'; readonly content?: Record<string, FieldValue> }
  | { readonly action: 'decline' }
  /** `unanswered`: nobody has closed it either, and why. */
  | { readonly action: 'cancel'; readonly unanswered?: string };

/** The name under which a server finds why nobody answered; MCP has one word for that and for a closed question. */
export const unansweredKey = 'handraise/unanswered';

/** Asks a person what a server asks. */
export async function askForServer(
  host: Pick<RuntimeHost, 'ask' | 'now'>,
  elicitation: Elicitation,
  signal: AbortSignal,
): Promise<ElicitationReply> {
  const { wants } = elicitation;
  return wants.mode === 'form'
    ? await askForm(host, elicitation, { schema: wants.schema, signal })
    : await askUrl(host, elicitation, { url: wants.url, signal });
}

async function askForm(
  host: Pick<RuntimeHost, 'ask' | 'now'>,
  elicitation: Elicitation,
  { schema, signal }: { readonly schema: unknown; readonly signal: AbortSignal },
): Promise<ElicitationReply> {
  const form = { ...elicitation, schema };
  const questions = formQuestions(form).map((each) => ({ ...each, ...given({ tool: elicitation.tool }) }));
  const reply = await host.ask('question', { questions, ...waiting(host, elicitation) }, signal);
  if (!reply.answered) return cancelled(reply);
  return reply.declined || isRefusal(form, reply.answers)
    ? { action: 'decline' }
    : { action: 'accept', content: formContent(form, reply.answers) };
}

async function askUrl(
  host: Pick<RuntimeHost, 'ask' | 'now'>,
  elicitation: Elicitation,
  { url, signal }: { readonly url: string; readonly signal: AbortSignal },
): Promise<ElicitationReply> {
  const { server, message } = elicitation;
  const page = URL.canParse(url) ? new URL(url) : null;
  if (!page || !['http:', 'https:'].includes(page.protocol))
    return cancelled({ why: 'Only the address of a web page can be shown to a person.' });
  const input = { server, host: page.host, url, message };
  const reply = await host.ask(
    'permission',
    {
      tool: openUrl,
      input,
      server,
      ...given({ serverTool: elicitation.tool }),
      ...waiting(host, elicitation),
    },
    signal,
  );
  if (!reply.answered) return cancelled(reply);
  return reply.approved ? { action: 'accept' } : { action: 'decline' };
}

function waiting(host: Pick<RuntimeHost, 'now'>, { toolUseId, agentId }: Elicitation) {
  const waitsUntil = new Date(host.now() + usualPatienceMs).toISOString();
  return { toolUseId, waitsUntil, ...given({ agentId }) };
}

function cancelled({ why, byPerson }: Pick<Unanswered, 'why' | 'byPerson'>): ElicitationReply {
  return byPerson ? { action: 'cancel' } : { action: 'cancel', unanswered: why };
}

interface ServerForm extends Pick<Elicitation, 'server' | 'message'> {
  readonly schema: unknown;
}

const goOn = { label: 'Continue' };
const refuse = { label: 'Decline' };

/** The questions of a form, one for each field; a form without fields asks only whether to go on. */
export function formQuestions({ server, message, schema }: ServerForm): Question[] {
  const fields = formFields(schema);
  if (fields.length === 0)
    return [
      { question: message, multiSelect: false, options: [goOn, refuse], expects: { type: 'choice' }, server },
    ];
  const texts = new Set<string>();
  return fields.map(({ name, field, isRequired }) => {
    const { title, description } = field;
    const what = `${title ?? name}${description ? `: ${description}` : ''}`;
    const plain = fields.length === 1 && !description ? message : `${message}\n${what}`;
    // Answers are told by the words of their questions, so no two may have the same.
    const question = texts.has(plain) ? `${plain} (${name})` : plain;
    texts.add(question);
    const expects = expectedIn(field, isRequired);
    const context = expectationWords(expects);
    return {
      question,
      header: title ?? name,
      multiSelect: field.type === 'array',
      ...(context === '' ? {} : { context }),
      options: fieldOptions(field),
      expects,
      server,
    };
  });
}

/** The filled form. */
export function formContent(form: ServerForm, answers: AnswersByQuestion): Record<string, FieldValue> {
  const questions = formQuestions(form);
  return Object.fromEntries(
    formFields(form.schema).flatMap(({ name, field, isRequired }, index) => {
      const answer = answers[questions[index]?.question ?? ''];
      if (answer === undefined || isOmitted(answer, isRequired)) return [];
      const value = fieldValue(field, answer);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function isRefusal({ schema, message }: ServerForm, answers: AnswersByQuestion): boolean {
  return formFields(schema).length === 0 && answers[message] === refuse.label;
}
