import { expect, test } from 'vitest';
import {
  containerArguments,
  insidePath,
  outsidePath,
  whyNoMount,
} from '../../../src/domain/container/container-arguments.js';
import { limitsNotKept } from '../../../src/domain/container/container-limits.js';

test('no network, no rights, no values in the list of arguments that are secret', () => {
  const args = containerArguments({
    container: { image: 'agent', memory: '1g', cpus: 2 },
    name: 'handraise-1',
    labels: { 'handraise.run': '1.2' },
    mounts: [
      { from: '/home/ada/shop', to: '/workspace', isReadOnly: false },
      { from: '/home/ada/shop/.git', to: '/workspace/.git', isReadOnly: true },
    ],
    env: { HOME: '/home/agent' },
    secretEnv: ['ANTHROPIC_API_KEY'],
    user: { uid: 1000, gid: 1000 },
    workdir: '/workspace',
    kind: 'pipe' as const,
    command: ['claude', '--resume', 'x'],
  });
  const line = args.join(' ');
  for (const words of [
    '--network none',
    '--cap-drop ALL --security-opt no-new-privileges',
    '--pull never',
    '--memory 1g --memory-swap 1g --cpus 2',
    '--user 1000:1000',
    '--label handraise.run=1.2',
    '--volume /home/ada/shop:/workspace --volume /home/ada/shop/.git:/workspace/.git:ro',
    '--env HOME=/home/agent --env ANTHROPIC_API_KEY --workdir',
    '4010 pipe claude --resume x',
  ])
    expect(line).toContain(words);
  expect(line).not.toMatch(/--tty|--privileged|--userns/);
});

test('paths are told as each side sees them', () => {
  expect(insidePath('/home/ada/shop', '/home/ada/shop/src')).toBe('/workspace/src');
  expect(insidePath('/home/ada/shop', '/home/ada/shopping')).toBe('/workspace');
  expect(outsidePath('/home/ada/shop', '/workspace/src/a.ts')).toBe('/home/ada/shop/src/a.ts');
  expect(outsidePath('/home/ada/shop', '/workspaces/a.ts')).toBe('/workspaces/a.ts');
  expect(whyNoMount('/a:b')).toContain('colon');
});

const asked = { image: 'agent', memory: '512m', cpus: 2 };
const bytes = 512 * 2 ** 20;
const engine = { memory: bytes, nanoCpus: 2e9, pidsLimit: 4096 };
const nothing = { memory: 0, nanoCpus: 0, pidsLimit: 0 };
test.each([
  [
    'as the kernel has them',
    { kernel: { memoryBytes: bytes, cpus: 2, processes: 4096 }, engine: nothing },
    [],
  ],
  [
    'left out',
    { kernel: { memoryBytes: null, cpus: null, processes: null }, engine },
    ['memory limit of 512m', 'limit of 2 processors', 'limit of 4096 processes'],
  ],
  [
    'wider',
    { kernel: { memoryBytes: 2 * bytes, cpus: 4, processes: 32_768 }, engine },
    ['memory limit of 512m', 'limit of 2 processors', 'limit of 4096 processes'],
  ],
  ['only that of processes left out', { engine: { ...engine, pidsLimit: 0 } }, ['limit of 4096 processes']],
  ['as the engine says', { engine }, []],
  [
    'not even asked of the engine',
    { engine: nothing },
    ['memory limit of 512m', 'limit of 2 processors', 'limit of 4096 processes'],
  ],
])('limits are read back: %s', (_name, now, missing) => {
  expect(limitsNotKept(asked, now)).toEqual(
    missing.map((limit) => expect.stringContaining(`The ${limit} is not in force`)),
  );
});
