import type { WorkerService } from './worker-service.js';

/**
 * A systemd user unit. Stopping it ends the worker alone: agents go on, and the next worker finds them (`KillMode=process`). An agent
 * that runs out of memory does not take the worker along (`OOMPolicy=continue`). `handraise down` ends it with 0, and it stays down.
 */
export function systemdUnit({ command, home, env, envFile }: WorkerService): string {
  const variables = Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`);
  return [
    '[Unit]',
    'Description=Handraise worker',
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${command.map((word) => quoted(word.replaceAll('$', '$$$$'))).join(' ')}`,
    `WorkingDirectory=${escaped(home)}`,
    ...variables,
    `EnvironmentFile=-${escaped(envFile)}`,
    'KillMode=process',
    'OOMPolicy=continue',
    'Restart=on-failure',
    'RestartSec=5',
    'TimeoutStopSec=60',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** One word: `%` begins a specifier, `\` and `"` are special between quotes. */
function quoted(text: string): string {
  return `"${escaped(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}
