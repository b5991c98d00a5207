import { once } from 'node:events';
import type { Client } from '../../client/client.js';
import { ExitCode } from '../../protocol/exit-code.js';
import { coloursOf } from '../terminal/colours.js';
import { KeyInput } from '../terminal/key-input.js';
import { showsUnicode } from './ascii.js';
import type { ConsoleState, ScreenSize } from './console-state.js';
import { ConsoleStore } from './console-store.js';

const enterScreen = '\u001B[?1049h\u001B[H';
const clearScreen = '\u001B[2J\u001B[H';
const leaveScreen = '\u001B[?1049l';

export interface ConsoleOptions {
  readonly client: Client;
  readonly views: ConsoleState['views'];
  readonly isAscii: boolean;
  readonly isMouseOn: boolean;
}

/** The terminal console, until the person leaves it. */
export async function openConsole({ client, views, isAscii, isMouseOn }: ConsoleOptions): Promise<void> {
  const { mountScreen } = await loadedInk();
  const { stdout, stdin } = process;
  const closing = new AbortController();
  const quit = () => closing.abort();
  let screen: { readonly unmount: () => void } | undefined;
  let isLent = false;

  const show = () => {
    stdout.write(enterScreen);
    process.once('exit', leave);
    screen = mountScreen(store, { stdout, stdin });
    input.open();
  };
  const hide = () => {
    input.close();
    screen?.unmount();
    process.off('exit', leave);
    leave();
  };
  using store = new ConsoleStore({
    client,
    views,
    size: sizeOf(stdout),
    paint: { colours: coloursOf(stdout), isUnicode: !isAscii && showsUnicode(process.env) },
    folder: process.cwd(),
    now: Date.now,
    quit,
    isMouseOn,
    useMouse: (isOn) => input.useMouse(isOn),
    lend: async (use) => {
      isLent = true;
      hide();
      try {
        return await use();
      } finally {
        isLent = false;
        show();
        store.tell({ kind: 'resized', size: sizeOf(stdout) });
        store.tell({ kind: 'returned', at: Date.now() });
      }
    },
  });
  using input = new KeyInput(
    (key) => (key === 'end' ? quit() : store.press(key)),
    (press) => store.click(press),
  );
  input.useMouse(isMouseOn);
  const resized = () => {
    if (!isLent) stdout.write(clearScreen);
    store.tell({ kind: 'resized', size: sizeOf(stdout) });
  };
  // A process that a signal ends runs nothing at its exit, and the terminal would keep the mouse, the screen and raw mode.
  const ended = (signal: NodeJS.Signals) => {
    const isFromKeys = signal === 'SIGINT' || signal === 'SIGQUIT';
    // An editor or an agent's own program decides what its keys mean; the terminal sends them to every process in front.
    if (isFromKeys && isLent) return;
    process.exitCode = isFromKeys ? ExitCode.interrupted : ExitCode.terminated;
    quit();
  };
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;
  // Before Ink hears of it, so that what it draws then fits.
  stdout.prependListener('resize', resized);
  for (const signal of signals) process.on(signal, ended);
  store.begin();
  show();
  try {
    await once(closing.signal, 'abort');
  } finally {
    stdout.off('resize', resized);
    for (const signal of signals) process.off(signal, ended);
    if (!isLent) hide();
  }
}

/** Ink draws nothing where CI is set, and looks for a debugger where DEV is; both are read when it is loaded. */
async function loadedInk(): Promise<typeof import('./ink-screen.js')> {
  const names = ['CI', 'CONTINUOUS_INTEGRATION', 'DEV'] as const;
  const before = names.map((name) => process.env[name]);
  for (const name of names) delete process.env[name];
  try {
    return await import('./ink-screen.js');
  } finally {
    for (const [index, name] of names.entries()) {
      const value = before[index];
      if (value !== undefined) process.env[name] = value;
    }
  }
}

/** A terminal that does not know its size says 0. */
function sizeOf({ columns, rows }: NodeJS.WriteStream): ScreenSize {
  return { columns: columns || 80, rows: rows || 24 };
}

function leave(): void {
  process.stdout.write(leaveScreen);
}
