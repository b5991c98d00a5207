import type { Client } from '../../client/client.js';
import { askText } from '../../domain/words/ask-text.js';
import type { Asker } from '../../domain/words/ask-words.js';
import type { Precedent } from '../../protocol/precedent.js';
import type { Prompt } from '../../protocol/prompt.js';
import { coloursOf } from '../terminal/colours.js';
import { isCapable } from '../terminal/key-input.js';
import type { KeyRepeats } from '../terminal/key-repeats.js';
import type { LiveScreen } from '../terminal/live-screen.js';
import { offeredPrecedent, precedentLines } from '../view/precedent-lines.js';
import { type ApprovalAbilities, allAbilities } from './approval-menu.js';
import { askInline } from './ask-inline.js';
import { askPlainly } from './ask-plainly.js';
import type { PersonReply } from './person-reply.js';
import { statement } from './statement.js';

export interface AskOptions {
  readonly client: Client;
  /** Whose agent asks. */
  readonly asker: Asker | undefined;
  readonly screen: LiveScreen;
  readonly signal: AbortSignal;
  readonly repeats: KeyRepeats;
  /** What is asked stands on the screen already. */
  readonly isStated: boolean;
  /** In lines, also where lists can be drawn. */
  readonly isPlain?: boolean;
}

/** Puts a prompt to the person at this terminal: its id, all that is asked, and a list or a line for the answer. */
export async function askPrompt(prompt: Prompt, options: AskOptions): Promise<PersonReply> {
  const { client, asker, screen, signal, repeats, isStated, isPlain = false } = options;
  const isInline = isCapable() && !isPlain;
  const can = prompt.kind === 'approval' ? await abilitiesOf(client, prompt) : allAbilities;
  const printed = isInline ? statement(prompt, asker) : askText(prompt, asker);
  if (!isStated) {
    const { dim, yellow } = coloursOf(process.stderr);
    screen.tell(dim(prompt.id));
    screen.tell(yellow(printed));
  }
  const before = await precedentsOf(client, prompt);
  if (!isStated) for (const line of precedentLines(before, Date.now())) screen.tell(`  before: ${line}`);
  const same = offeredPrecedent(before)?.answer;
  return isInline
    ? askInline(prompt, can, { screen, signal, printed, repeats, ...(same && { same }) })
    : askPlainly(prompt, can, { signal, printed });
}

/** A help and no more: without it the prompt is asked all the same. */
async function precedentsOf(client: Client, { id }: Prompt): Promise<Precedent[]> {
  return await client.prompts.precedents(id).catch(() => []);
}

async function abilitiesOf(client: Client, { threadId }: Prompt): Promise<ApprovalAbilities> {
  const [{ runtime }, runtimes] = await Promise.all([client.threads.get(threadId), client.runtimes()]);
  const can = runtimes.find(({ name }) => name === runtime)?.capabilities ?? {};
  return { editedInput: can['editedInput'] === true, denyWithMessage: can['denyWithMessage'] === true };
}
