import { PushDevice, PushReport, type PushRequest } from '../protocol/push.js';
import type { ApiConnection } from './connection.js';

/** Devices that are told when an agent asks. */
export class PushClient {
  readonly #connection: ApiConnection;

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  report(): Promise<PushReport> {
    return this.#connection.call(PushReport, '/push');
  }

  add(request: PushRequest): Promise<PushDevice> {
    return this.#connection.call(PushDevice, '/push', { method: 'POST', body: request });
  }

  remove(id: string): Promise<PushDevice> {
    return this.#connection.call(PushDevice, `/push/${id}`, { method: 'DELETE' });
  }
}
