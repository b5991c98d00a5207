import { actorWords } from '../../domain/words/actor-words.js';
import { age, duration } from '../../domain/words/age.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { settlementWords, undoWords } from '../../domain/words/settlement-words.js';
import { deadlineWords } from '../../domain/words/silence-words.js';
import { waitingWords } from '../../domain/words/status-words.js';
import { isOpenPrompt } from '../../live/overview.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { fit } from '../terminal/fit.js';
import { wrappedRows } from '../terminal/wrap.js';
import type { ConsoleWorld } from './console-state.js';
import { chipOf, projectName } from './home-view.js';
import type { Look } from './look.js';

/** Who asks, in which thread, since when, and until when. */
export function promptHead(
  prompt: Prompt,
  {
    thread,
    world,
    look,
  }: { readonly thread: Thread | undefined; readonly world: ConsoleWorld; readonly look: Look },
): string[] {
  const { columns, colours } = look;
  const facts = [
    plainLine(thread?.title ?? '', { maxLength: 200 }),
    thread ? projectName(thread.workspace) : '',
    `asked ${age(prompt.createdAt, world.now)} ago`,
    thread && isOpenPrompt(prompt) ? waitingWords(thread.status) : '',
    isOpenPrompt(prompt) ? deadlineWords(prompt, world.now) : '',
  ].filter((fact) => fact !== '');
  const chip = thread
    ? chipOf({ thread, prompt, group: 'Needs you' }, colours)
    : { symbol: '?', word: 'Question', paint: colours.yellow };
  const words = `${chip.symbol} ${chip.word}`;
  const rest = fit(facts.join(' · '), Math.max(1, columns - words.length - 4));
  return [` ${chip.paint(words)}   ${rest}`, colours.dim(fit(` ${prompt.id}`, columns)), ''];
}

/** How a prompt was settled, by whom, and how far the answer has come. */
export function settlementLines(prompt: Prompt, world: ConsoleWorld, { columns, colours }: Look): string[] {
  const { actor, secretFrom } = prompt;
  const by = actor === undefined ? '' : ` · by ${actorWords(actor)}`;
  const isOther = actor !== undefined && world.actor !== undefined && actor !== world.actor;
  const undo = undoWords(prompt, world.now);
  const rows = wrappedRows(
    `${settlementWords(prompt)}${secretFrom === undefined ? by : ''}${undo === '' ? '' : `, ${undo}`}`,
    Math.max(1, columns - 2),
  );
  return [
    '',
    ...(isOther
      ? [colours.yellow(fit(` This was answered by ${actorWords(actor)} meanwhile.`, columns))]
      : []),
    ...rows.map((row) => colours.green(` ${row}`)),
    ...receipts(prompt).map((line) => colours.dim(fit(` ${line}`, columns))),
    fit(` Enter: next that needs you${undo === '' ? '' : ' · z: undo'} · Esc: back`, columns),
  ];
}

function receipts({ acceptedAt, deliveredAt, consumedAt, state }: Prompt): string[] {
  if (acceptedAt === undefined) return [];
  const later = (at: string) => duration(Date.parse(at) - Date.parse(acceptedAt));
  const delivered =
    deliveredAt === undefined
      ? state === 'pending'
        ? '… waiting until the agent can be reached'
        : ''
      : `✓ delivered +${later(deliveredAt)}`;
  const consumed = consumedAt === undefined ? '' : `✓ consumed +${later(consumedAt)}`;
  return [['✓ accepted', delivered, consumed].filter((part) => part !== '').join('  ')];
}
