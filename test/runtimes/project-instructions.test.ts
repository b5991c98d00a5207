import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importsIn, ProjectInstructions } from '../../src/runtimes/project-instructions.js';

const names = { files: [['A.md', 'B.md']], folders: ['rules'], imports: true };

function project(): string {
  const root = mkdtempSync(join(tmpdir(), 'instructions-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const top = join(root, 'top');
  mkdirSync(join(top, '.git'), { recursive: true });
  mkdirSync(join(top, 'rules'));
  return top;
}

test.each([
  ['See @docs/a.md.', ['docs/a.md']],
  ['@a.md\n@./b.md @../c.md', ['a.md', './b.md', '../c.md']],
  ['mail me@example.org, ask @ada', []],
  ['not `@a.md`, nor\n```\n@b.md\n```\nbut @c.md', ['c.md']],
  ['@~/secret.md', []],
  ['@/etc/passwd', ['/etc/passwd']],
])('%j imports %j', (text, imports) => {
  expect(importsIn(text)).toEqual(imports);
});

describe('instructions of a project', () => {
  test('of a hostile shape are left out with the reason', () => {
    const top = project();
    const odd: Record<string, () => void> = {
      'it is not a regular file': () => void execFileSync('mkfifo', [join(top, 'A.md')]),
      'it lies outside of the project': () => symlinkSync('/etc/passwd', join(top, 'A.md')),
      'it is larger than': () => writeFileSync(join(top, 'A.md'), 'x'.repeat(129 * 1024)),
      'it is not valid UTF-8': () => writeFileSync(join(top, 'A.md'), Buffer.from([0xff])),
    };
    for (const [why, make] of Object.entries(odd)) {
      make();
      const instructions = new ProjectInstructions(top, names);
      expect([instructions.forWork(), instructions.problems]).toEqual([
        undefined,
        [expect.stringContaining(why)],
      ]);
      rmSync(join(top, 'A.md'));
    }
  });

  test('that import each other without end are told once each', () => {
    const top = project();
    writeFileSync(join(top, 'A.md'), 'one @b.md');
    writeFileSync(join(top, 'b.md'), 'two @A.md @/etc/passwd');
    const instructions = new ProjectInstructions(top, names);
    expect(instructions.forWork()).toBe(
      'Instructions of the project, from A.md:\n\none @b.md\n\n' +
        'Instructions of the project, from b.md:\n\ntwo @A.md @/etc/passwd',
    );
    expect(instructions.problems).toEqual([expect.stringContaining('outside')]);
  });

  test('are bounded as a whole, in bytes and in files', () => {
    const top = project();
    for (let n = 0; n < 120; n++) writeFileSync(join(top, 'rules', `${n}.md`), 'x'.repeat(4 * 1024));
    const instructions = new ProjectInstructions(top, names);
    expect(Buffer.byteLength(instructions.forWork() ?? '')).toBeLessThan(300 * 1024);
    expect(instructions.problems.length).toBeGreaterThan(0);
  });

  test('below the folder of the work are told with the first file there, and nothing outside of it', () => {
    const top = project();
    mkdirSync(join(top, 'work/below'), { recursive: true });
    writeFileSync(join(top, 'A.md'), 'top');
    writeFileSync(join(top, 'work/below/B.md'), 'below');
    const instructions = new ProjectInstructions(join(top, 'work'), names);
    expect(instructions.forWork()).toContain('top');
    expect(instructions.forFile('below/x.ts')).toContain('below');
    expect(instructions.forFile(join(top, 'work/below/y.ts'))).toBeUndefined();
    expect(instructions.forFile('/etc/passwd')).toBeUndefined();
    expect(instructions.forFile('../other/x.ts')).toBeUndefined();
  });
});
