import { unfitness } from '../../protocol/expected-answer.js';
import { Failure } from '../../protocol/failure.js';
import type { ApprovalDecision, Prompt, QuestionAnswer } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import { choicesFromText } from './choice.js';

type Asked = Pick<Prompt, 'kind'> & { readonly questions: readonly Question[] };

const approve = 'Approve';
const deny = 'Deny';

const yes = new Set(['approve', 'approved', 'yes', 'y', 'ok', 'allow', '1']);

/** Reads plain text as the answer to a prompt; no text is malformed, unless a program expects something else. */
export function answersFromText(asked: Asked, text: string): QuestionAnswer[] {
  const answers = readText(asked, text);
  for (const [index, question] of asked.questions.entries())
    expectFit(question, answers[index]?.answer ?? []);
  return answers;
}

function readText({ kind, questions }: Asked, text: string): QuestionAnswer[] {
  switch (kind) {
    case 'text':
      return questions.map(({ question }) => ({ question, answer: [text] }));
    case 'approval': {
      const decision = yes.has(text.trim().toLowerCase()) ? approve : deny;
      return questions.map(({ question }) => ({ question, answer: [decision] }));
    }
    case 'ask_user_question': {
      const parts = questions.length === 1 ? [text] : partsOf(text, questions.length);
      return questions.map((question, index) => {
        const part = parts?.[index];
        return {
          question: question.question,
          answer: part === undefined ? [text] : choicesFromText(question, part),
        };
      });
    }
    default:
      return kind satisfies never;
  }
}

/** Structured answers in the order of the questions; what does not fit is refused, and nothing is guessed. */
export function checkedAnswers(
  { kind, questions }: Asked,
  answers: readonly QuestionAnswer[],
): QuestionAnswer[] {
  const left = [...answers];
  const checked = questions.map((question) => {
    const index = left.findIndex((answer) => answer.question === question.question);
    const [answer = emptied(question)] = index < 0 ? [] : left.splice(index, 1);
    if (!answer || answer.answer.length === 0) throw invalid(question, 'has no answer');
    if (answer.answer.length > 1 && !question.multiSelect)
      throw invalid(question, 'takes one answer, not several');
    if (kind === 'approval' && !answer.answer.every(isDecision))
      throw invalid(question, `is answered with ${approve} or ${deny}`);
    expectFit(question, answer.answer);
    return answer;
  });
  const [unknown] = left;
  if (unknown) throw invalid(unknown, 'is not a question of this prompt, or it is answered twice');
  return checked;
}

/** What the answers to an approval decide. */
export function decisionOf(answers: readonly QuestionAnswer[]): ApprovalDecision {
  const given = answers.flatMap(({ answer }) => answer);
  return { approved: given.length > 0 && given.every((each) => each === approve) };
}

/** The parts `1) …`, `2) …` of a text, one per question in their order, on lines or on one; null when it is not written so. */
export function partsOf(text: string, count: number): string[] | null {
  const written = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const lines = written.length === 1 ? text.trim().split(/(?<!\s)\s+(?=\d{1,4}\)\s)/) : written;
  const byNumber = new Map<number, string>();
  for (const line of lines) {
    const [, number, rest] = /^\s*(\d+)\)\s*(\S.*)$/.exec(line) ?? [];
    if (number === undefined || rest === undefined || byNumber.has(Number(number))) return null;
    byNumber.set(Number(number), rest);
  }
  const parts = Array.from({ length: count }, (_, index) => byNumber.get(index + 1));
  return byNumber.size === count && parts.every((part) => part !== undefined) ? parts : null;
}

/** The answer to a question that can be left empty, where nobody gave one. */
function emptied({ question, expects }: Question): QuestionAnswer | undefined {
  return expects?.isOptional ? { question, answer: [''] } : undefined;
}

function expectFit(question: Question, answer: readonly string[]): void {
  const why = unfitness(question, answer);
  if (why !== null) throw invalid(question, why);
}

function isDecision(answer: string): boolean {
  return answer === approve || answer === deny;
}

function invalid({ question }: { readonly question: string }, what: string): Failure {
  return new Failure('invalid', `"${question}" ${what}.`);
}
