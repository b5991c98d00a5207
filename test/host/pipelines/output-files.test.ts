import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OutputFiles } from '../../../src/host/pipelines/output-files.js';
import { PipelineId } from '../../../src/protocol/id.js';

const id = 'pip_01k9w0000000000000000000aa';

it('the file of a phase that came from another worker is in this home; any other environment stays', async () => {
  const root = mkdtempSync(join(tmpdir(), 'outputs-'));
  const outputs = new OutputFiles(root);
  const here = async (file: string, pipeline = id) =>
    await outputs.here({ A: '1', PIPELINE_ID: pipeline, PIPELINE_OUTPUT: file });

  expect(existsSync(join(root, id))).toBe(false);
  expect(await here(`/other/home/pipelines/${id}/build-2`)).toEqual({
    A: '1',
    PIPELINE_ID: id,
    PIPELINE_OUTPUT: join(root, id, 'build-2'),
  });
  expect(existsSync(join(root, id))).toBe(true);
  expect(await here(join(root, id, 'build-2'))).toBe(null);
  expect(await here(`/other/home/pipelines/pip_01k9w0000000000000000000bb/build-2`)).toBe(null);
  expect(await here(`/other/${id}/../../etc/passwd-1`)).toBe(null);
  expect(await here(`/other/${id}/no-number-`)).toBe(null);
  expect(await here(`/other/../x/build-1`, '../x')).toBe(null);
  expect(await outputs.here({ PIPELINE_OUTPUT: `/other/${id}/build-1` })).toBe(null);
  expect(await outputs.here({})).toBe(null);
});

it('what a phase left is read as far as it goes, and what is lost is told', async () => {
  const outputs = new OutputFiles(mkdtempSync(join(tmpdir(), 'outputs-')));
  const file = await outputs.prepare(PipelineId.parse(id), { key: 'build', number: 1 });
  const read = () => outputs.read(file, 'Done.');
  expect(read()).toEqual({ outputs: { text: 'Done.' } });
  writeFileSync(file, Buffer.from('a=caf\xe9\n', 'latin1'));
  expect(read()).toEqual({ outputs: { text: 'Done.', a: 'caf\ufffd' } });
  writeFileSync(file, `a=1\nb=${'x'.repeat(300_000)}`);
  expect(read()).toEqual({
    outputs: { text: 'Done.', a: '1', b: expect.stringMatching(/^x{7000}/) },
    lost: expect.stringContaining('larger than 256 KiB'),
  });
  rmSync(file);
  symlinkSync('/etc/passwd', file);
  const none = { outputs: { text: 'Done.' }, lost: expect.stringContaining('no longer a regular file') };
  expect(read()).toEqual(none);
  rmSync(file);
  mkdirSync(file);
  expect(read()).toEqual(none);
});
