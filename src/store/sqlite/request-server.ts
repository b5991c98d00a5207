import type { Failure } from '../../protocol/failure.js';
import { readQuery } from '../sql/read.js';
import { writeBackup } from './backup-file.js';
import type { SqliteConnection } from './connection.js';
import type { Applied, GroupCommit } from './group-commit.js';
import { failureData, type StoreReply, type StoreRequest } from './message.js';
import { errorCode, sqliteFailure } from './sqlite-failure.js';

// A group takes every unit that waits when it begins, and for this long those that arrive while it is written; it
// never waits for a unit that may not come. Groups cut after 2 ms whatever waited were seven times slower than the
// same units in one transaction, on a disk that took 10 ms to sync.
const lingerMs = 2;

// So that a query behind a flood of units has its turn.
const largestGroup = 1000;

// After these nothing that this connection says about the disk can be believed any more.
const fatalErrors = /^SQLITE_(IOERR|CORRUPT|NOTADB)/;

type RequestOf<Kind extends StoreRequest['kind']> = Extract<StoreRequest, { kind: Kind }>;

/** Serves requests in the order in which they came, units that follow each other as one group. */
export class RequestServer {
  readonly #connection: SqliteConnection;
  readonly #group: GroupCommit;
  readonly #file: string;
  readonly #receive: () => readonly StoreRequest[];
  readonly #send: (replies: readonly StoreReply[]) => void;
  readonly #later: (task: () => void) => void;
  #line: readonly StoreRequest[] = [];
  #served = 0;
  #answers: StoreReply[] = [];
  #answersUntil = 0;
  #broken: Failure | null = null;
  #willIndex = false;
  #isClosed = false;

  constructor(options: {
    readonly connection: SqliteConnection;
    readonly group: GroupCommit;
    readonly file: string;
    /** Requests that have come meanwhile. */
    readonly receive: () => readonly StoreRequest[];
    readonly send: (replies: readonly StoreReply[]) => void;
    /** Does something after a while. */
    readonly later: (task: () => void) => void;
  }) {
    this.#connection = options.connection;
    this.#group = options.group;
    this.#file = options.file;
    this.#receive = options.receive;
    this.#send = options.send;
    this.#later = options.later;
  }

  /** Serves these requests and those that come meanwhile. */
  serve(requests: readonly StoreRequest[]): void {
    this.#line = requests;
    this.#served = 0;
    for (let next = this.#next(); next; next = this.#next()) {
      this.#served += 1;
      if (next.kind === 'commit') {
        this.#sendAnswers();
        this.#serveGroup(next);
      } else this.#answer(next);
    }
    this.#sendAnswers();
    this.#indexLater();
  }

  /** The words of everything that is committed meanwhile come into the index together, and nobody waits for it. */
  #indexLater(): void {
    if (this.#willIndex || this.#isClosed || this.#broken || !this.#group.isSearchBehind) return;
    this.#willIndex = true;
    this.#later(() => {
      this.#willIndex = false;
      this.#tryToIndex();
      this.#indexLater();
    });
  }

  /** What cannot be written now, because the disk is full, is tried again later, and when somebody searches. */
  #tryToIndex(): void {
    if (this.#isClosed || this.#broken) return;
    try {
      this.#group.writeSearchTexts();
    } catch (error) {
      this.#failure(error);
    }
  }

  /** Answers that are found at once travel together, because a message costs more than a small query. */
  #answer(request: RequestOf<'query' | 'statistics' | 'compact' | 'backup' | 'close'>): void {
    if (this.#answers.length === 0) this.#answersUntil = performance.now() + lingerMs;
    this.#answers.push(this.#serveAlone(request));
    if (performance.now() >= this.#answersUntil) this.#sendAnswers();
  }

  #sendAnswers(): void {
    if (this.#answers.length > 0) this.#send(this.#answers);
    this.#answers = [];
  }

  #serveGroup(first: RequestOf<'commit'>): void {
    const members = [first];
    const outcomes: Applied[] = [];
    try {
      if (this.#broken) throw this.#broken;
      this.#group.begin();
      outcomes.push(this.#group.apply(first.unit));
      for (const member of this.#followers()) {
        members.push(member);
        outcomes.push(this.#group.apply(member.unit));
      }
      this.#group.commit();
    } catch (error) {
      const failure = failureData(this.#failure(error));
      this.#group.rollback();
      this.#send(members.map(({ id }) => ({ kind: 'failure', id, failure })));
      return;
    }
    this.#send(outcomes.map((outcome, index) => this.#committed(members[index]?.id ?? 0, outcome)));
  }

  /** The units that belong into the group whose first one was just applied. */
  *#followers(): Generator<RequestOf<'commit'>> {
    const until = performance.now() + lingerMs;
    this.#lineUp();
    for (let count = 1; count < largestGroup; count += 1) {
      const next = performance.now() < until ? this.#next() : this.#line[this.#served];
      if (next?.kind !== 'commit') return;
      this.#served += 1;
      yield next;
    }
  }

  #next(): StoreRequest | undefined {
    if (this.#served === this.#line.length) this.#lineUp();
    return this.#line[this.#served];
  }

  /** Puts everything that has come meanwhile at the end of the line. */
  #lineUp(): void {
    const line = this.#line.slice(this.#served);
    for (let arrived = this.#receive(); arrived.length > 0; arrived = this.#receive()) line.push(...arrived);
    this.#line = line;
    this.#served = 0;
  }

  #committed(id: number, outcome: Applied): StoreReply {
    if ('error' in outcome)
      return { kind: 'failure', id, failure: failureData(this.#failure(outcome.error)) };
    return { kind: 'commit', id, ...outcome };
  }

  #serveAlone(request: RequestOf<'query' | 'statistics' | 'compact' | 'backup' | 'close'>): StoreReply {
    const { id } = request;
    try {
      if (this.#broken && request.kind !== 'close') throw this.#broken;
      switch (request.kind) {
        case 'query':
          // Whatever is committed is found.
          if ('search' in request.query.input && request.query.input.search !== undefined)
            this.#group.writeSearchTexts();
          return {
            kind: 'answer',
            id,
            answer: this.#connection.drive(readQuery(this.#connection, request.query)),
          };
        case 'statistics':
          return { kind: 'answer', id, answer: this.#group.statistics };
        case 'compact':
          this.#connection.compact();
          return { kind: 'answer', id, answer: null };
        case 'backup':
          writeBackup(this.#connection, request.file);
          return { kind: 'answer', id, answer: null };
        case 'close':
          this.#tryToIndex();
          this.#isClosed = true;
          this.#connection.close();
          return { kind: 'answer', id, answer: null };
        default:
          return request satisfies never;
      }
    } catch (error) {
      return { kind: 'failure', id, failure: failureData(this.#failure(error)) };
    }
  }

  #failure(error: unknown): Failure {
    const failure = sqliteFailure(error, this.#file);
    if (fatalErrors.test(errorCode(error))) this.#broken = failure;
    return failure;
  }
}
