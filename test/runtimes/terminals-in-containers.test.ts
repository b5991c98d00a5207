import { expect, test } from 'vitest';
import type { Posture } from '../../src/protocol/posture.js';
import { claudeTerminal } from '../../src/runtimes/claude/terminal.js';
import { codexTerminal } from '../../src/runtimes/codex/terminal.js';
import { opencodeTerminal } from '../../src/runtimes/opencode/terminal.js';

const place = {
  env: { PATH: '/nowhere' },
  sessionId: 'session-1',
  cwd: '/home/me/project',
  posture: { container: { image: 'an-image' } } satisfies Partial<Posture>,
  packageFolder: () => null,
};

test.each([
  {
    name: 'claude',
    terminal: claudeTerminal,
    args: ['--resume', 'session-1', '--permission-mode', 'default'],
  },
  {
    name: 'codex',
    terminal: codexTerminal,
    args: ['--disable', 'daemon_auto_start', 'resume', 'session-1', '--cd', '/workspace'],
  },
  { name: 'opencode', terminal: opencodeTerminal, args: ['--session', 'session-1'] },
])(
  '$name in a container is the program of the image, in the folder that it has there',
  ({ name, terminal, args }) => {
    expect(terminal.command(place)).toEqual({ file: name, args });
  },
);
