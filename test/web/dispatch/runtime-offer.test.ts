import { expect, test } from 'vitest';
import { claudeCapabilities } from '../../../src/runtimes/claude/capabilities.js';
import { execCapabilities } from '../../../src/runtimes/exec/capabilities.js';
import { opencodeCapabilities } from '../../../src/runtimes/opencode/capabilities.js';
import { agentOffer, fittedForm, runtimeOffer } from '../../../src/web/dispatch/runtime-offer.js';
import { requestOf } from '../../../src/web/dispatch/work-form.js';
import { usualChoices, type WorkForm } from '../../../src/web/dispatch/work-words.js';

const report = (name: 'claude' | 'opencode' | 'exec' | 'amp', capabilities: object) => ({
  name,
  found: true,
  capabilities: { ...capabilities },
});
const reports = [
  report('claude', { ...claudeCapabilities, containers: true, model: true }),
  report('opencode', { ...opencodeCapabilities, containers: false, model: true }),
  report('exec', { ...execCapabilities, containers: true, model: true }),
  report('amp', { ...execCapabilities, resume: true, containers: true, model: false }),
];
const form: WorkForm = { ...usualChoices, text: 'Build it.', folder: '/home/ada/project' };
const offered = (runtime: string, command = '') => runtimeOffer({ runtime, command }, reports);

test('only what the runtime can do is offered', () => {
  expect(offered('claude')).toEqual({
    freedoms: ['ask', 'edit', 'plan', 'all', 'never'],
    tools: ['full', 'read-only', 'no-bash', 'safe-edit'],
    hasContainers: true,
    model: 'listed',
    hasCommand: false,
    notes: [],
  });
  expect(offered('opencode')).toMatchObject({
    freedoms: ['ask', 'edit', 'all', 'never'],
    tools: ['full', 'read-only', 'no-bash'],
    hasContainers: false,
  });
  expect(offered('amp')).toMatchObject({ freedoms: ['all'], model: 'none', hasCommand: false });
  expect(offered('exec')).toMatchObject({
    freedoms: ['all'],
    tools: ['full'],
    model: 'none',
    hasCommand: true,
    notes: [
      'exec cannot ask before it acts: it does everything at once.',
      'It asks only when its turn has ended.',
      'It remembers nothing from one message to the next.',
    ],
  });
  expect(offered('exec', 'agent --model {model}').model).toBe('typed');
});

test('of a runtime that the worker says nothing about, everything is offered', () => {
  expect(runtimeOffer({ runtime: 'claude', command: '' }, [])).toMatchObject({
    freedoms: ['ask', 'edit', 'plan', 'all', 'never'],
    model: 'typed',
    notes: [],
  });
  const strange = { permissionModes: 7, toolPresets: ['flying'], questions: 'yes' };
  expect(runtimeOffer({ runtime: 'amp', command: '' }, [report('amp', strange)])).toMatchObject({
    freedoms: ['ask', 'edit', 'plan', 'all', 'never'],
    tools: [],
    notes: [],
  });
});

test('what was chosen for one runtime is not sent to another that cannot do it', () => {
  const chosen: WorkForm = {
    ...form,
    freedom: 'plan',
    tools: 'safe-edit',
    model: 'opus',
    container: true,
    command: 'agent {prompt}',
  };
  const sent = (runtime: string) => requestOf(fittedForm({ ...chosen, runtime }, offered(runtime)));
  expect(sent('claude')).toMatchObject({
    permissions: 'approval',
    posture: { permissionMode: 'plan', toolPreset: 'safe-edit', model: 'opus', container: {} },
  });
  expect(sent('opencode')).toEqual({
    text: 'Build it.',
    runtime: 'opencode',
    workspace: { path: '/home/ada/project' },
    permissions: 'approval',
    posture: { permissionMode: 'default', model: 'opus' },
  });
  expect(sent('exec')).toMatchObject({
    permissions: 'autonomous',
    posture: { permissionMode: 'bypassPermissions', command: 'agent {prompt}' },
  });
  expect(sent('exec')).not.toHaveProperty('posture.model');
});

test('where containers are the rule, a runtime that cannot work in one stays with the rule', () => {
  const fitted = fittedForm({ ...form, runtime: 'opencode', container: true }, offered('opencode'));
  expect(requestOf(fitted, { isRule: true })).toHaveProperty('posture.container');
  expect(requestOf(fitted)).not.toHaveProperty('posture.container');
});

test('a command is asked for where the runtime is any program', () => {
  expect(requestOf({ ...form, runtime: 'exec' })).toEqual({
    missing: 'Enter the command to start, such as my-agent --print {prompt}, or choose a skill.',
  });
});

test('of an agent that is there only what its runtime can change is offered, and the mode that it has', () => {
  expect(agentOffer({ runtime: 'claude', mode: 'default' }, reports)).toEqual({
    modes: ['bypassPermissions', 'default', 'acceptEdits', 'plan', 'dontAsk'],
    hasModel: true,
  });
  expect(agentOffer({ runtime: 'opencode', mode: 'default' }, reports).modes).not.toContain('plan');
  expect(agentOffer({ runtime: 'exec', mode: 'bypassPermissions' }, reports)).toEqual({
    modes: ['bypassPermissions'],
    hasModel: false,
  });
  // Nobody has told yet what it can do: the worker refuses what it cannot.
  expect(agentOffer({ runtime: 'claude', mode: undefined }, []).modes).toHaveLength(5);
});
