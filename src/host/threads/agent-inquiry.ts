import * as z from 'zod';
import { accountIn, commandsIn, modelsIn, serversIn } from '../../domain/run/agent-report.js';
import type { AgentAccount, AgentCommand, AgentModel, AgentServer } from '../../protocol/agent-report.js';
import type { CommandType } from '../../protocol/command.js';
import { Failure } from '../../protocol/failure.js';
import type { RunId, ThreadId } from '../../protocol/id.js';
import type { StoredEvent } from '../../store/stored-event.js';
import { agentReply } from '../runs/agent-reply.js';
import type { AttachedRunners } from '../runs/attached-runners.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';
import type { ThreadChanges } from './thread-changes.js';

// An agent that has just been started opens its session first.
const patienceMs = 60_000;
const mostKept = 200;

export interface AgentInquiryParts {
  readonly changes: ThreadChanges;
  readonly runners: AttachedRunners;
  readonly runtimes: RuntimeCatalog;
  readonly newUuid: () => string;
}

interface Question<Reply> {
  readonly command: CommandType;
  readonly about: string;
  /** Whether the answer stays true for as long as the agent lives. */
  readonly stays: boolean;
  readonly type: string;
  readonly read: (event: unknown) => Reply;
}

const models: Question<AgentModel[]> = {
  command: 'get_supported_models',
  about: 'its models',
  stays: true,
  type: 'supported_models',
  read: (event) => modelsIn(z.object({ models: z.array(z.unknown()) }).parse(event).models),
};
const commands: Question<AgentCommand[]> = {
  command: 'get_supported_commands',
  about: 'its commands',
  stays: true,
  type: 'supported_commands',
  read: (event) => commandsIn(z.object({ commands: z.array(z.unknown()) }).parse(event).commands),
};
const servers: Question<AgentServer[]> = {
  command: 'get_mcp_status',
  about: 'its MCP servers',
  stays: false,
  type: 'mcp_status',
  read: (event) => serversIn(z.object({ servers: z.array(z.unknown()) }).parse(event).servers),
};
const account: Question<AgentAccount> = {
  command: 'get_account_info',
  about: 'its account',
  stays: true,
  type: 'account_info',
  read: (event) => accountIn(z.object({ info: z.record(z.string(), z.unknown()) }).parse(event).info),
};

/** Asks the running agent of a thread about itself. Each answer is an event of the thread, so that nothing is asked twice without need. */
export class AgentInquiry {
  readonly #parts: AgentInquiryParts;
  readonly #known = new Map<string, Promise<StoredEvent>>();

  constructor(parts: AgentInquiryParts) {
    this.#parts = parts;
  }

  models = async (id: ThreadId) => await this.#ask(id, models);
  commands = async (id: ThreadId) => await this.#ask(id, commands);
  servers = async (id: ThreadId) => await this.#ask(id, servers);
  account = async (id: ThreadId) => await this.#ask(id, account);

  async #ask<Reply>(id: ThreadId, question: Question<Reply>): Promise<Reply> {
    const { changes, runtimes } = this.#parts;
    const { thread, run } = await changes.state(id);
    const { command, about, stays, read } = question;
    if (!runtimes.obeys(thread.runtime, command))
      throw new Failure('unsupported_by_runtime', `The runtime ${thread.runtime} cannot tell ${about}.`);
    if (!run)
      throw new Failure('conflict', `The agent of ${id} is not running. Send it a message, then ask again.`);
    const key = `${run.run.id} ${command}`;
    const asked = this.#known.get(key) ?? this.#reply(id, run.run.id, question);
    this.#keep(key, asked);
    try {
      const { json } = await asked;
      if (!stays) this.#known.delete(key);
      return read(JSON.parse(json));
    } catch (error) {
      this.#known.delete(key);
      throw error;
    }
  }

  async #reply(
    threadId: ThreadId,
    runId: RunId,
    { command: type, about, type: answer }: Question<unknown>,
  ): Promise<StoredEvent> {
    return await agentReply(this.#parts, {
      threadId,
      runId,
      command: { type, commandId: `ask-${this.#parts.newUuid()}` },
      done: `told ${about}`,
      patienceMs,
      refusal: 'unavailable',
      read: (event) => (event.type === answer ? event : undefined),
    });
  }

  #keep(key: string, asked: Promise<StoredEvent>): void {
    this.#known.set(key, asked);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKept && oldest !== undefined) this.#known.delete(oldest);
  }
}
