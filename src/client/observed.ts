import type * as z from 'zod';
import { ObservedList, type ObservedReport, ObservedSession } from '../protocol/observed.js';
import type { ApiConnection } from './connection.js';

/** Agents that somebody started by hand. */
export class ObservedClient {
  readonly #connection: ApiConnection;

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  async list(): Promise<ObservedSession[]> {
    return (await this.#connection.call(ObservedList, '/observed')).sessions;
  }

  /** Says what an agent does; to be said again before 20 seconds are over. */
  report(id: string, report: z.input<typeof ObservedReport>): Promise<ObservedSession> {
    return this.#connection.call(ObservedSession, `/observed/${id}`, { method: 'PUT', body: report });
  }

  async forget(id: string): Promise<void> {
    await this.#connection.open(`/observed/${id}`, { method: 'DELETE' });
  }
}
