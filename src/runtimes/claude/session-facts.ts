import type { EventBody } from '../../protocol/event.js';
import { given } from '../../protocol/given.js';
import { PermissionMode } from '../../protocol/posture.js';
import type { Limits, RuntimeFact } from '../runtime.js';
import type { WireInit } from './wire.js';

/** Start, end and mode of the session, derived: the SDK says `init` anew for every turn and never says the end. */
export class SessionFacts {
  readonly #limits: Limits;
  #sessionId: string | null = null;
  #mode: PermissionMode;
  /** Whether an agent that waited was taken; undefined where none did. */
  prewarmed: boolean | undefined;

  constructor(limits: Limits, mode: PermissionMode) {
    this.#limits = limits;
    this.#mode = mode;
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  init(init: WireInit): RuntimeFact[] {
    const previous = this.#sessionId;
    if (init.session_id === previous) return this.modeReported(init.permissionMode);
    this.#sessionId = init.session_id;
    return [
      ...(previous === null ? [] : this.#ended(previous, 'replaced')),
      { type: 'session_id_update', sessionId: init.session_id },
      {
        type: 'session_started',
        sessionId: init.session_id,
        cwd: init.cwd,
        ...(previous === null ? given({ prewarmed: this.prewarmed }) : {}),
      },
      ...(previous === null ? [initEvent(init, this.#limits)] : []),
      ...this.modeReported(init.permissionMode),
    ];
  }

  ended(reason: string): RuntimeFact[] {
    return this.#sessionId === null ? [] : this.#ended(this.#sessionId, reason);
  }

  /** The runtime says which mode it is in; it says so after our own commands too, and then it is no news. */
  modeReported(reported: string | undefined): RuntimeFact[] {
    const mode = PermissionMode.safeParse(reported);
    if (!mode.success || mode.data === this.#mode) return [];
    const source = this.#mode === 'plan' ? 'plan' : 'runtime';
    this.#mode = mode.data;
    return [{ type: 'permission_mode_changed', mode: mode.data, source }];
  }

  modeSet(mode: PermissionMode): RuntimeFact {
    this.#mode = mode;
    return { type: 'permission_mode_changed', mode, source: 'command' };
  }

  #ended(sessionId: string, reason: string): RuntimeFact[] {
    return [{ type: 'session_ended', sessionId, reason }];
  }
}

function initEvent(init: WireInit, limits: Limits): EventBody<'init'> {
  return {
    type: 'init',
    sessionId: init.session_id,
    model: init.model,
    // The runtime lists the tool by its old name and calls it by the new one.
    tools: init.tools.map((tool) => (tool === 'Task' ? 'Agent' : tool)),
    mcpServers: init.mcp_servers.map(({ name, status }) => ({ name, status })),
    permissionMode: init.permissionMode,
    budgetConfig: { ...limits },
    ...given({
      runtimeVersion: init.claude_code_version,
      commands: init.slash_commands,
      agents: init.agents,
      skills: init.skills,
      betas: init.betas,
    }),
  };
}
