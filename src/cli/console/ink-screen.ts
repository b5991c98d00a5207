import { Box, render, Text } from 'ink';
import { createElement, type ReactNode, useLayoutEffect, useSyncExternalStore } from 'react';
import type { ConsoleFrame, ConsoleStore } from './console-store.js';

/** The console on a terminal, until it is unmounted. Ink gets the lines in sight and no others: drawing costs by the line. */
export function mountScreen(
  store: ConsoleStore,
  { stdout, stdin }: { readonly stdout: NodeJS.WriteStream; readonly stdin: NodeJS.ReadStream },
): { readonly unmount: () => void } {
  let committed: ConsoleFrame | undefined;
  const told = (frame: ConsoleFrame) => {
    committed = frame;
  };
  const ink = render(createElement(Screen, { store, onCommit: told }), {
    stdout: endless(stdout),
    stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
    // What is on the screen counts as seen, so it counts when it is written and not before.
    onRender: () => {
      const frame = committed;
      if (frame) setImmediate(() => store.drawn(frame));
    },
  });
  return { unmount: () => ink.unmount() };
}

function Screen({
  store,
  onCommit,
}: {
  readonly store: ConsoleStore;
  readonly onCommit: (frame: ConsoleFrame) => void;
}): ReactNode {
  const frame = useSyncExternalStore(store.subscribe, () => store.frame);
  useLayoutEffect(() => onCommit(frame));
  return createElement(
    Box,
    { flexDirection: 'column' },
    frame.lines.map((line, row) =>
      createElement(Text, { key: row, wrap: 'truncate-end' }, line === '' ? ' ' : line),
    ),
  );
}

/** Where Ink believes that its lines fill the screen, it clears the person's scrollback; ours never do. */
function endless(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  return Object.create(stdout, { rows: { value: Number.POSITIVE_INFINITY } });
}
