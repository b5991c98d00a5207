import type { Client } from '../../client/client.js';
import { type Asker, askText } from '../../domain/words/ask-words.js';
import type { Prompt } from '../../protocol/prompt.js';
import { coloursOf } from '../terminal/colours.js';
import { isCapable } from '../terminal/key-input.js';
import type { KeyRepeats } from '../terminal/key-repeats.js';
import type { LiveScreen } from '../terminal/live-screen.js';
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
  return isInline
    ? askInline(prompt, can, { screen, signal, printed, repeats })
    : askPlainly(prompt, can, { signal, printed });
}

async function abilitiesOf(client: Client, { threadId }: Prompt): Promise<ApprovalAbilities> {
  const [{ runtime }, runtimes] = await Promise.all([client.threads.get(threadId), client.runtimes()]);
  const can = runtimes.find(({ name }) => name === runtime)?.capabilities ?? {};
  return { editedInput: can['editedInput'] === true, denyWithMessage: can['denyWithMessage'] === true };
}
