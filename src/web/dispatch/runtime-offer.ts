import * as z from 'zod';
import type { RuntimeReport } from '../../protocol/api.js';
import { keysOf } from '../../protocol/keys.js';
import { PermissionMode, ToolPreset } from '../../protocol/posture.js';
import { type Freedom, freedoms } from './work-form.js';
import type { WorkForm } from './work-words.js';

/** What the box for new work offers for a runtime. */
export interface RuntimeOffer {
  readonly freedoms: readonly Freedom[];
  readonly tools: readonly ToolPreset[];
  readonly hasContainers: boolean;
  /** Whether a model can be chosen, and whether its agents can list theirs. */
  readonly model: 'listed' | 'typed' | 'none';
  readonly hasCommand: boolean;
  /** What it cannot do that whoever gives it work should know. */
  readonly notes: readonly string[];
}

// A worker of another version may say less, or more: what it does not say is offered, and refused there if it cannot be.
const Said = z.object({
  permissionModes: z.array(z.string()).catch(PermissionMode.options),
  toolPresets: z.array(z.string()).catch(['full']),
  commands: z.array(z.string()).catch([]),
  questions: z.boolean().catch(true),
  approvals: z.boolean().catch(true),
  resume: z.boolean().catch(true),
  containers: z.boolean().catch(true),
  model: z.boolean().catch(true),
});

/** What can be chosen for a runtime, by what the worker says that it can do. */
export function runtimeOffer(
  { runtime, command }: Pick<WorkForm, 'runtime' | 'command'>,
  reports: readonly RuntimeReport[],
): RuntimeOffer {
  const said = Said.parse(reports.find(({ name }) => name === runtime)?.capabilities ?? {});
  const able = keysOf(freedoms).filter((key) => said.permissionModes.includes(freedoms[key].permissionMode));
  const hasCommand = runtime === 'exec';
  const canChoose = hasCommand ? command.includes('{model}') : said.model;
  const isListed = said.commands.includes('get_supported_models');
  return {
    freedoms: able.length === 0 ? keysOf(freedoms) : able,
    tools: ToolPreset.options.filter((preset) => said.toolPresets.includes(preset)),
    hasContainers: said.containers,
    model: canChoose ? (isListed ? 'listed' : 'typed') : 'none',
    hasCommand,
    notes: [
      ...(said.approvals ? [] : [`${runtime} cannot ask before it acts: it does everything at once.`]),
      ...(said.questions ? [] : ['It asks only when its turn has ended.']),
      ...(said.resume ? [] : ['It remembers nothing from one message to the next.']),
    ],
  };
}

/** What can be changed of an agent that is there, and the modes it can be put into; the one it has is always among them. */
export function agentOffer(
  { runtime, mode }: { readonly runtime: string; readonly mode: PermissionMode | undefined },
  reports: readonly RuntimeReport[],
): { readonly modes: readonly PermissionMode[]; readonly hasModel: boolean } {
  const report = reports.find(({ name }) => name === runtime);
  const said = Said.parse(report?.capabilities ?? {});
  const can = (command: string) => !report || said.commands.includes(command);
  return {
    modes: PermissionMode.options.filter(
      (each) => each === mode || (can('set_permission_mode') && said.permissionModes.includes(each)),
    ),
    hasModel: can('set_model'),
  };
}

/** The form with nothing in it that its runtime cannot do; what was chosen for another runtime is left in the form itself. */
export function fittedForm(form: WorkForm, offer: RuntimeOffer): WorkForm {
  const [firstFreedom = form.freedom] = offer.freedoms;
  return {
    ...form,
    freedom: offer.freedoms.includes(form.freedom) ? form.freedom : firstFreedom,
    tools: offer.tools.includes(form.tools) ? form.tools : 'full',
    model: offer.model === 'none' ? '' : form.model,
    command: offer.hasCommand ? form.command : '',
    // Where containers are the rule, it stays with the rule, and the worker says why it cannot be.
    container: form.container === true && !offer.hasContainers ? undefined : form.container,
  };
}

/** Tool presets as a person chooses them. */
export const presetWords = {
  full: 'all of its tools',
  'read-only': 'reads only',
  'no-bash': 'no commands',
  'safe-edit': 'reads and edits, no commands',
} as const satisfies Record<ToolPreset, string>;
