import type { Client } from '../../client/client.js';
import type { RuntimeReport } from '../../protocol/api.js';
import type { UsualContainer } from '../../protocol/container.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { ThreadId } from '../../protocol/id.js';
import { ownTimeZone, scheduleOf } from '../schedules/schedule-request.js';
import { fittedForm, runtimeOffer } from './runtime-offer.js';
import { firstBlank } from './saved-work.js';
import { requestOf } from './work-form.js';
import type { WorkForm } from './work-words.js';

/** What became of the box: queued work, a schedule, or why neither. */
export type SentWork =
  | { readonly threadId: ThreadId }
  | { readonly schedule: string }
  | { readonly failure: string };

/** Gives the work of the box, once now or at its times. */
export async function sendWork(
  client: Pick<Client, 'dispatches' | 'schedules'>,
  form: WorkForm,
  {
    reports,
    usual,
    hasBlanks,
  }: {
    readonly reports: readonly RuntimeReport[];
    readonly usual: UsualContainer | undefined;
    /** Its text was saved, so that what looks like a blank is one. */
    readonly hasBlanks: boolean;
  },
): Promise<SentWork> {
  const blank = hasBlanks ? firstBlank(form.text) : undefined;
  if (blank) return { failure: `Fill in ${blank.words} first.` };
  const fitted = fittedForm(form, runtimeOffer(form, reports));
  const { times } = fitted;
  try {
    if (times) {
      const request = scheduleOf(fitted, times, { timeZone: ownTimeZone(), usual });
      if ('missing' in request) return { failure: request.missing };
      return { schedule: (await client.schedules.create(request)).name };
    }
    const request = requestOf(fitted, usual);
    if ('missing' in request) return { failure: request.missing };
    return { threadId: (await client.dispatches.submit(request)).threadId };
  } catch (error) {
    return { failure: errorSentence(error) };
  }
}
