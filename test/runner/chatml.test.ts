import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { waitUntil } from '../harness/wait-until.js';
import { runnerFile } from './driver.js';
import { bash, tool } from './prompting.js';

type Line = Readonly<Record<string, unknown>>;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

/** A parent that knows the document of the older runner and nothing of ours. */
class OlderParent implements AsyncDisposable {
  readonly lines: Line[] = [];
  readonly exited: Promise<number | null>;
  readonly #child;
  #rest = '';

  constructor(args: readonly string[], env: Record<string, string> = {}) {
    this.#child = spawn(process.execPath, [runnerFile, ...args], {
      cwd: stage.workspace,
      env: { ...stage.env, ...env },
    });
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (this.#rest + chunk).split('\n');
      this.#rest = parts.pop() ?? '';
      this.lines.push(...parts.map((part) => JSON.parse(part) as Line));
    });
    this.exited = new Promise((resolve) => this.#child.once('close', resolve));
  }

  write(line: object): void {
    this.#child.stdin.write(`${JSON.stringify(line)}\n`);
  }

  of(type: string): Line[] {
    return this.lines.filter((line) => line['type'] === type);
  }

  async seen(type: string, count = 1): Promise<Line> {
    await waitUntil(`${count} ${type}`, () => this.of(type).length >= count);
    return this.of(type)[count - 1] ?? {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.exited;
  }
}

describe('clients of the older runner', () => {
  it('[arg --compat] that know its document alone work in a mode that asks, and may say more than we know', async () => {
    const args = ['--permission-mode', 'default', '--workspace-id', 'w1', '--verbose', '--max-turns', '9'];
    await using parent = new OlderParent(args, { HANDRAISE_COMPAT: 'chatml' });
    await parent.seen('ready');
    expect(parent.of('warning').map(({ message }) => message)).toEqual([
      'The argument "--workspace-id" is unknown and ignored.',
      'The argument "--verbose" is unknown and ignored.',
    ]);
    parent.write({ type: 'interrupt' });
    await parent.seen('interrupted');
    parent.write({
      type: 'message',
      content: `${bash('touch allowed')} [[next]] ${tool('mcp__chatml__get_session_status')} [[next]] [[ask Which? | A | B]] [[next]] [[text Done.]]`,
    });
    const question = await parent.seen('user_question_request');
    parent.write({
      type: 'user_question_response',
      questionRequestId: question['requestId'],
      answers: { 'Which?': 'A' },
    });
    await parent.seen('turn_complete');
    expect(existsSync(join(stage.workspace, 'allowed'))).toBe(true);
    expect(parent.of('tool_end').map(({ success }) => success)).toEqual([true, true, true]);
    expect(['permission_request', 'command_error', 'error'].flatMap((type) => parent.of(type))).toEqual([]);
    parent.write({ type: 'stop' });
    expect(await parent.exited).toBe(0);
    expect(parent.lines.at(-1)).toMatchObject({ type: 'complete' });
  });

  it('find the names that the document leaves out, and may list their servers', async () => {
    const file = join(stage.home, 'list.json');
    const echo = new URL('../fixtures/mcp/stdio-server.js', import.meta.url).pathname;
    await writeFile(
      file,
      JSON.stringify([
        { name: 'mine', type: 'stdio', command: process.execPath, args: [echo, 'mine'], enabled: true },
        { name: 'off', type: 'stdio', command: process.execPath, args: [echo, 'off'], enabled: false },
        { name: 'bare', type: 'stdio', enabled: true },
      ]),
    );
    await using parent = new OlderParent(['--compat', 'chatml', '--mcp-servers-file', file]);
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const notes = Buffer.from('VIOLET').toString('base64');
    parent.write({
      type: 'message',
      content: `${tool('mcp__mine__echo', { text: 'hi' })} [[next]] [[text Done.]]`,
      attachments: [
        { type: 'image', name: 'a.png', mimeType: 'image/png', base64Data: png },
        { name: 'notes.txt', mimeType: 'text/plain', base64Data: notes },
        { type: 'file', name: 'large.bin', path: 'large.bin', mimeType: 'application/octet-stream' },
        { type: 'image', name: 'scan.bmp', mimeType: 'image/bmp', base64Data: png },
      ],
    });
    const result = await parent.seen('result');
    expect(result).toMatchObject({
      success: true,
      text: 'Done.',
      summary: 'Done.',
      stopReason: 'end_turn',
      modelUsage: expect.any(Object),
    });
    const init = await parent.seen('init');
    expect(init).toMatchObject({
      slashCommands: expect.arrayContaining([expect.any(String)]),
      claudeCodeVersion: init['runtimeVersion'],
    });
    // A client that reads all events with one type has objects under this name, and would lose the event.
    expect(init).not.toHaveProperty('commands');
    const servers = init['mcpServers'] as readonly { readonly name: string }[];
    expect(new Set(servers.map(({ name }) => name))).toEqual(new Set(['chatml', 'mine']));
    expect(parent.of('warning').map(({ message }) => message)).toEqual([
      'The MCP server "bare" has no name, command or address, and is left out.',
    ]);
    expect(await parent.seen('tool_end')).toMatchObject({ summary: 'mine: hi' });
    const sent = JSON.stringify(stage.simulator.modelRequests().at(-1));
    expect(sent).toContain('VIOLET');
    for (const path of ['large.bin', 'scan.bmp'])
      expect(sent).toMatch(
        new RegExp(`path=.{2}${path}.{2}[^>]*>.{2}\\(Its contents could not be handed over`),
      );
    expect(parent.of('command_error')).toEqual([]);
  });

  it('close a question in their way, and the agent goes on', async () => {
    await using parent = new OlderParent(['--compat', 'chatml']);
    parent.write({ type: 'message', content: '[[ask Which? | A | B]] [[next]] [[text Done.]]' });
    const { requestId: questionRequestId } = await parent.seen('user_question_request');
    parent.write({ type: 'user_question_response', questionRequestId, answers: { __cancelled: 'true' } });
    expect(await parent.seen('result')).toMatchObject({ success: true, text: 'Done.' });
    expect(parent.of('tool_end')).toMatchObject([
      { success: false, summary: expect.stringContaining('The user closed the question.') },
    ]);
    expect(parent.of('command_error')).toEqual([]);
  });

  it.each([
    [['--compat', 'other'], '--compat: "other" is unknown. Choose chatml.'],
    [['--compat', 'chatml', '--runtime', 'codex'], 'works with the runtime claude only'],
    [['--compat=chatml', '--socket', 'a', '--spool', 'b'], 'leave --socket and --spool out'],
    [['--unknown'], "Unknown option '--unknown'"],
  ])('%j is refused in a sentence', { tags: ['full'] }, async (args, words) => {
    const child = spawn(process.execPath, [runnerFile, ...args], { cwd: stage.workspace, env: stage.env });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(64);
    expect(said).toContain(words);
  });
});
