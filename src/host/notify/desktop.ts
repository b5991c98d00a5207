import { exitWords } from '../../domain/words/exit-words.js';
import { type Child, spawnGroup } from '../../process/children/child.js';
import { endProcess } from '../../process/children/kill-ladder.js';
import { SpawnError } from '../../process/children/spawn-error.js';
import type { DeliveryResult } from './delivery.js';
import type { Notification } from './notification.js';

/** The screen of whoever started the worker. */
export interface Desktop {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

// Enough to find the screen and the session's bus.
const kept = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
];

/** Shows a notification by the system's own program, which gets its words as arguments and never through a shell. */
export async function showOnDesktop(
  notification: Notification,
  { platform, env, signal }: Desktop & { readonly signal: AbortSignal },
): Promise<DeliveryResult> {
  const { file, args } = platform === 'darwin' ? osascript(notification) : notifySend(notification);
  let child: Child;
  try {
    child = spawnGroup({
      file,
      args,
      cwd: '/',
      env: Object.fromEntries(kept.map((name) => [name, env[name]])),
      stdio: { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
    });
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    return { sent: false, why: error.message, final: true };
  }
  // Without a session bus notify-send waits for one.
  const stop = () => void endProcess({ target: child, graceMs: { sigterm: 500 } });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const exit = await child.exited;
  signal.removeEventListener('abort', stop);
  if (exit.exitCode === 0) return { sent: true };
  return { sent: false, why: `${file} ended ${exitWords({ ...exit, oom: false })}` };
}

interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
}

/** Its body is markup in which a backslash begins an escape; its title is plain. */
function notifySend({ title, text, link }: Notification): Invocation {
  const body = [text, link]
    .filter((part) => part !== '')
    .join('\n')
    .replaceAll('\\', '\\\\')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return { file: 'notify-send', args: ['--app-name=Handraise', '--', title, body] };
}

/** The script is fixed and takes the words as its arguments; the title comes first, and never begins with a dash. */
function osascript({ title, text, link }: Notification): Invocation {
  const script = [
    'on run argv',
    'display notification (item 2 of argv) with title (item 1 of argv)',
    'end run',
  ];
  const body = [text, link].filter((part) => part !== '').join('\n');
  return { file: 'osascript', args: [...script.flatMap((line) => ['-e', line]), title, body] };
}
