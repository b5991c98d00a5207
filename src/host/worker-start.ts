import type { UsualContainer } from '../protocol/container.js';
import type { ProxyUsers } from '../protocol/proxy-users.js';
import type { HostSettings } from './host-settings.js';
import type { Failpoint } from './runs/failpoint.js';

/** What the host of a home is opened with. */
export interface HostOptions {
  readonly home: string;
  readonly settings: HostSettings;
  /** The environment of this process; agents get it scrubbed. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly failpoint?: (name: Failpoint) => void;
}

/** What a worker is started with. */
export interface WorkerStart extends HostOptions {
  readonly settings: HostSettings & {
    readonly port: number;
    readonly allowedHosts: readonly string[];
    readonly proxyUsers?: ProxyUsers | undefined;
    /** For how long answers of the web console can be undone. */
    readonly undoSeconds?: number;
    /** The container that is offered for new work. */
    readonly usualContainer?: UsualContainer;
  };
  readonly bind?: string;
  /** Takes another port when the one of the settings is in use. */
  readonly anyPort?: boolean;
  /** Ends by itself once nothing is left to do. */
  readonly exitWhenIdle?: boolean;
}

/** A worker in this process, with its API; closing it ends neither runners nor agents. */
export interface RunningWorker extends AsyncDisposable {
  readonly url: string;
  readonly home: string;
  readonly pid: number;
  /** A link that signs a browser in, once. */
  loginLink(): string;
  /** Settles when it was asked to end, or has nothing left to do. */
  readonly done: Promise<void>;
}
