import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stage } from '../../harness/stage.js';
import type { Driver } from '../../runner/driver.js';
import { tool } from '../../runner/prompting.js';
import { first, only, textOf } from '../../runner/stable.js';
import { asking, driveCodex, openCodexStage, shell } from './codex-driver.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openCodexStage();
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const serverFile = new URL('../../fixtures/mcp/stdio-server.js', import.meta.url).pathname;

const isThere = (name: string) => existsSync(join(stage.workspace, name));
const drive = (mode: string, args: string[] = []) =>
  driveCodex(stage, { args: ['--permission-mode', mode, ...args] });
const patch = (name: string, line = 'hello') =>
  shell(`apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${name}\n+${line}\n*** End Patch\nEOF`);

const planning = (text: string) => ({ blocks: [{ text: `<proposed_plan>\n${text}\n</proposed_plan>` }] });

async function approve(runner: Driver, response: object = { approved: true }) {
  const request = await runner.next('permission_request');
  runner.send({ type: 'permission_response', permissionRequestId: request.requestId, ...response });
  return request;
}

describe('an approval', () => {
  it('of a change to a file shows the change', async () => {
    await using runner = drive('default');
    runner.message(`${patch('new.txt')} [[next]] [[text Patched.]]`);
    const request = await approve(runner);
    const path = join(stage.workspace, 'new.txt');
    expect(request).toMatchObject({
      tool: 'Edit',
      input: { file_path: path, changes: [{ path, kind: 'add', diff: 'hello\n' }] },
    });
    const turn = await runner.until('turn_complete');
    expect([isThere('new.txt'), first(turn, 'result').stats.filesWritten]).toEqual([true, 1]);
  });

  it('of more permissions shows which, where the user’s settings let the model ask', {
    tags: ['full'],
  }, async () => {
    await using own = await openCodexStage();
    const settings = join(own.env['CODEX_HOME'] ?? '', 'config.toml');
    const switched = '[features]\nrequest_permissions_tool = true\n';
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('[features]\n', switched));
    await using runner = driveCodex(own, { args: ['--permission-mode', 'default'] });
    const permissions = { network: { enabled: true } };
    const wanted = tool('request_permissions', { reason: 'To fetch.', permissions });
    runner.message(`${wanted} [[next]] [[text Went on.]]`);
    expect(await approve(runner)).toMatchObject({
      tool: 'RequestPermissions',
      input: { permissions },
      reason: 'To fetch.',
    });
    expect(textOf(await runner.until('turn_complete'))).toBe('Went on.');
    expect(own.simulator.toolResults().at(-1)?.text).toContain('"enabled":true');
  });

  it('for the thread widens nothing that outlives it', { tags: ['full'] }, async () => {
    await using runner = drive('default');
    runner.message(`${asking('touch widened')} [[next]] [[text Done.]]`);
    await approve(runner, { approved: true, scope: 'thread' });
    await runner.until('turn_complete');
    expect([isThere('widened'), existsSync(join(stage.home, '.codex', 'rules', 'default.rules'))]).toEqual([
      true,
      false,
    ]);
    await using other = drive('default');
    other.message(`${asking('touch widened')} [[next]] [[text Done.]]`);
    await approve(other, { approved: false });
    await other.until('turn_complete');
  });

  it('for the thread covers exactly what was shown, of a command and of a change', {
    tags: ['full'],
  }, async () => {
    await using runner = drive('default');
    const asked = async (call: string, approved: boolean) => {
      runner.message(`${call} [[next]] [[text Went on.]]`);
      await approve(runner, approved ? { approved, scope: 'thread' } : { approved });
      await runner.until('turn_complete');
    };
    await asked(asking('touch shown'), true);
    await asked(asking('touch shown more'), false);
    await asked(patch('granted.txt'), true);
    await asked(patch('granted.txt', 'other'), false);
    const again = await runner.turn(`${asking('touch shown')} [[next]] [[text Again.]]`);
    expect(only(again, 'permission_request')).toEqual([]);
  });

  it('is not asked for edits in acceptEdits, only inside of the workspace, and still for commands', {
    tags: ['full'],
  }, async () => {
    await using runner = drive('acceptEdits');
    const edited = await runner.turn(`${patch('edited.txt')} [[next]] [[text Edited.]]`);
    expect([only(edited, 'permission_request'), isThere('edited.txt')]).toEqual([[], true]);
    runner.message(`${patch('../outside.txt')} [[next]] [[text Went on.]]`);
    await approve(runner, { approved: false });
    await runner.until('turn_complete');
    expect(existsSync(join(stage.home, 'outside.txt'))).toBe(false);
    runner.message(`${asking('touch commanded')} [[next]] [[text Went on.]]`);
    await approve(runner, { approved: false });
    await runner.until('turn_complete');
  });

  it('is denied unasked in dontAsk, and given unasked once the mode is changed', {
    tags: ['full'],
  }, async () => {
    await using runner = drive('dontAsk');
    const denied = await runner.turn(`${asking('touch unasked')} [[next]] [[text Went on.]]`);
    expect([only(denied, 'permission_request'), isThere('unasked')]).toEqual([[], false]);
    expect(first(denied, 'result').denials).toMatchObject([{ tool: 'Bash' }]);
    runner.send({ type: 'set_permission_mode', permissionMode: 'bypassPermissions' });
    await runner.next('permission_mode_changed');
    await runner.turn(`${shell('touch unasked')} [[next]] [[text Did it.]]`);
    expect(isThere('unasked')).toBe(true);
  });

  it('is asked for the tools of a server and for those of ours that write', async () => {
    const servers = join(stage.home, 'servers.json');
    const command = { command: process.execPath, args: [serverFile] };
    writeFileSync(servers, JSON.stringify({ mcpServers: { demo: command } }));
    await using runner = drive('default', ['--mcp-servers-file', servers]);
    runner.message(`${tool('mcp__demo__echo', { text: 'heliotrope' })} [[next]] [[text Called.]]`);
    expect(await approve(runner)).toMatchObject({ tool: 'mcp__demo__echo', input: { text: 'heliotrope' } });
    const turn = await runner.until('turn_complete');
    expect(only(turn, 'tool_end')).toMatchObject([
      { tool: 'mcp__demo__echo', success: true, summary: expect.stringContaining('heliotrope') },
    ]);

    const read = await runner.turn(`${tool('handraise__get_session_status')} [[next]] [[text Read.]]`);
    expect([only(read, 'permission_request'), first(read, 'tool_end')]).toMatchObject([
      [],
      { tool: 'mcp__handraise__get_session_status', success: true },
    ]);
    const comment = { file: 'a.ts', line: 1, body: 'Why?' };
    runner.message(`${tool('handraise__add_review_comment', comment)} [[next]] [[text Went on.]]`);
    expect(await approve(runner, { approved: false })).toMatchObject({ input: comment });
    expect(only(await runner.until('turn_complete'), 'tool_end')).toMatchObject([{ success: false }]);
  });

  it('of scripts that Codex proposes is a person’s, also where everything else is allowed, and once', {
    tags: ['full'],
  }, async () => {
    const proposal = { setupScripts: [{ name: 'Install', command: 'npm ci' }], reason: 'It uses npm.' };
    const file = join(stage.workspace, '.handraise', 'config.json');
    await using runner = drive('bypassPermissions');
    for (const approved of [false, true]) {
      runner.message(`${tool('handraise__propose_scripts_config', proposal)} [[next]] [[text Done.]]`);
      const request = await runner.next('permission_request');
      expect(request).toMatchObject({
        tool: 'propose_scripts_config',
        onlyPerson: true,
        input: { file_path: '.handraise/config.json' },
      });
      expect(existsSync(file)).toBe(false);
      runner.send({ type: 'permission_response', permissionRequestId: request.requestId, approved });
      expect(first(await runner.until('turn_complete'), 'tool_end').summary).toContain(
        `"saved": ${approved}`,
      );
    }
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ setupScripts: proposal.setupScripts });
  });

  it('of a sub-agent names it, and its tools and its end are told', { tags: ['full'] }, async () => {
    await using runner = drive('default');
    const child =
      '<<tool exec_command {"cmd":"touch below","sandbox_permissions":"require_escalated"}>> <<next>> <<text The child is done.>>';
    runner.message(
      `${tool('multi_agent_v1__spawn_agent', { message: child })} [[next]] [[delay 1500]] [[text The parent is done.]]`,
    );
    const request = await approve(runner);
    expect(request).toMatchObject({ tool: 'Bash', agentId: expect.any(String) });
    const turn = await runner.until('turn_complete');
    const all = runner.events;
    expect(first(all, 'subagent_started')).toMatchObject({
      agentId: request.agentId,
      parentToolUseId: first(all, 'tool_start').id,
    });
    expect(only(all, 'tool_end')).toMatchObject([
      { tool: 'Agent' },
      { tool: 'Bash', agentId: request.agentId },
    ]);
    expect(only(all, 'subagent_stopped')).toMatchObject([{ agentId: request.agentId }]);
    // Codex tells the model once more, in the same turn, that its helper is done.
    expect([textOf(turn), isThere('below')]).toEqual([
      expect.stringMatching(/^(The parent is done\.)+$/),
      true,
    ]);
  });
});

describe('a plan', () => {
  it('that is not approved is made again with the reason, and can be interrupted', {
    tags: ['full'],
  }, async () => {
    stage.simulator.setScript({ replies: [planning('Leap.'), planning('Look, then leap.')] });
    await using runner = drive('plan');
    runner.message('Plan it.');
    const hasty = await runner.next('plan_approval_request');
    runner.send({
      type: 'plan_approval_response',
      planApprovalRequestId: hasty.requestId,
      planApproved: false,
      planApprovalReason: 'Look first.',
    });
    const better = await runner.next('plan_approval_request');
    expect([hasty.planContent, better.planContent]).toEqual(['Leap.\n', 'Look, then leap.\n']);
    expect(JSON.stringify(stage.simulator.modelRequests().at(-1)?.conversation)).toContain('Look first.');
    runner.send({ type: 'interrupt' });
    const turn = await runner.until('turn_complete');
    expect(first(turn, 'result')).toMatchObject({ success: false, errorKind: 'interrupted' });
    stage.simulator.setScript({ replies: [] });
    expect(textOf(await runner.turn('[[text after]]'))).toBe('after');
  });
});
