import { type Kysely, type Migration, sql } from 'kysely';

interface Tables {
  runs: { id: string; facts: string | null };
}

interface Fields {
  readonly [name: string]: unknown;
}

/**
 * The time that a try has taken and the place where a prompt was asked get columns. What is known of a run was a record
 * of sixteen optional fields; it becomes a session, a call that waits, a file that was left, and the work.
 */
export const runStates: Migration = {
  async up(db: Kysely<Tables>) {
    await sql.raw('alter table attempts add column active_ms integer not null default 0').execute(db);
    await sql.raw('alter table prompts add column asked_seq integer').execute(db);
    const runs = await db.selectFrom('runs').select(['id', 'facts']).where('facts', 'is not', null).execute();
    for (const { id, facts } of runs) {
      const known: Fields = JSON.parse(facts ?? '{}');
      await db
        .updateTable('runs')
        .set({ facts: JSON.stringify(factsFrom(known)) })
        .where('id', '=', id)
        .execute();
    }
  },
};

function factsFrom(known: Fields): Fields {
  const {
    sessionId,
    sessionLost,
    parked,
    takesUp,
    tookUp,
    declines,
    leftQuestion,
    badQuestion,
    work,
    startsAfresh,
    held,
    sent,
    ...same
  } = known;
  return {
    ...same,
    session:
      sessionId === undefined
        ? { state: 'none' }
        : { state: sessionLost === true ? 'lost' : 'open', id: sessionId },
    waitingCall: waitingCall({ parked, takesUp, tookUp, declines }),
    leftFile: leftFile({ leftQuestion, badQuestion }),
    work: work === undefined ? null : { id: work, isKnown: startsAfresh !== true },
    sent: messages(sent),
    unsent: messages(held),
  };
}

function waitingCall({ parked, takesUp, tookUp, declines }: Fields): Fields {
  if (typeof parked === 'object' && parked !== null) return { state: 'parked', ...parked };
  if (takesUp !== undefined) return { state: 'taking_up', toolUseId: takesUp, hasAsked: tookUp === true };
  return declines === undefined ? { state: 'none' } : { state: 'declining', toolUseId: declines };
}

function leftFile({ leftQuestion, badQuestion }: Fields): Fields {
  if (leftQuestion === true) return { state: 'question' };
  return badQuestion === undefined ? { state: 'none' } : { state: 'unreadable', error: badQuestion };
}

function messages(list: unknown): Fields[] {
  if (!Array.isArray(list)) return [];
  return list.map(({ isRemark, ...message }: Fields) => ({
    ...message,
    ...(isRemark === true ? { isFollowUp: true } : {}),
  }));
}
