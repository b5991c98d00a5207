import { join } from 'node:path';
import type { WorkerService } from './worker-service.js';

/**
 * A launchd agent. `AbandonProcessGroup` leaves agents alone when the worker is stopped; a worker that ended as it should stays down
 * until the next login. launchd knows no file of variables, so a shell reads it.
 */
export function launchAgent({ name, command, home, env, envFile }: WorkerService): string {
  const words = ['/bin/sh', '-c', 'set -a; if [ -f "$0" ]; then . "$0"; fi; exec "$@"', envFile, ...command];
  const log = join(home, 'worker.log');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  ${string(name)}
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    ${string(word)}`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${Object.entries(env)
  .map(([key, value]) => `    <key>${xml(key)}</key>\n    ${string(value)}`)
  .join('\n')}
  </dict>
  <key>WorkingDirectory</key>
  ${string(home)}
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardOutPath</key>
  ${string(log)}
  <key>StandardErrorPath</key>
  ${string(log)}
</dict>
</plist>
`;
}

function string(text: string): string {
  return `<string>${xml(text)}</string>`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
