import * as z from 'zod';
import type { AnswersByQuestion, Question } from '../../protocol/question.js';
import type { WireRequest } from './wire.js';

type Elicitation = WireRequest<'mcpServer/elicitation/request'>['params'];

const Field = z.looseObject({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
});
type Field = z.infer<typeof Field>;

const Form = z.looseObject({ properties: z.record(z.string(), Field) });
const Approval = z.looseObject({
  codex_approval_kind: z.literal('mcp_tool_call'),
  tool_params: z.record(z.string(), z.unknown()).optional(),
});

/** The input of a server's tool, when Codex asks whether it may be called; it does so in the form of a question. */
export function toolApproval({ _meta }: Elicitation): Record<string, unknown> | null {
  const approval = Approval.safeParse(_meta);
  return approval.success ? (approval.data.tool_params ?? {}) : null;
}

/** The questions of a server, one for each field of its form; empty when there is none that can be asked. */
export function formQuestions({ message = '', requestedSchema }: Elicitation): Question[] {
  return fieldsOf(requestedSchema).map(([name, field]) => ({
    question: `${message}\n${field.title ?? name}${field.description ? `: ${field.description}` : ''}`,
    header: field.title ?? name,
    multiSelect: false,
    options: optionsOf(field).map((label) => ({ label })),
  }));
}

/** The filled form. */
export function formContent(elicitation: Elicitation, answers: AnswersByQuestion): Record<string, unknown> {
  const questions = formQuestions(elicitation);
  return Object.fromEntries(
    fieldsOf(elicitation.requestedSchema).flatMap(([name, field], index) => {
      const answer = answers[questions[index]?.question ?? ''];
      return answer === undefined ? [] : [[name, valueOf(field, answer)]];
    }),
  );
}

function fieldsOf(schema: unknown): [string, Field][] {
  const form = Form.safeParse(schema);
  return form.success ? Object.entries(form.data.properties) : [];
}

function optionsOf({ type, enum: labels }: Field): string[] {
  return labels ?? (type === 'boolean' ? ['yes', 'no'] : []);
}

function valueOf({ type }: Field, answer: string): unknown {
  if (type === 'boolean') return /^(yes|y|true|1)$/i.test(answer.trim());
  const isNumber = type === 'number' || type === 'integer';
  return isNumber && Number.isFinite(Number(answer)) ? Number(answer) : answer;
}
