import type { WireSessionSetup } from './wire.js';

/** How something is chosen in a session: a method and what it takes besides the session. */
export interface Choosing {
  readonly method: 'session/set_config_option' | 'session/set_mode' | 'session/set_model';
  readonly params: Readonly<Record<string, string>>;
}

type Option = NonNullable<NonNullable<WireSessionSetup['configOptions']>[number]>;

/** How this mode is chosen; null where the agent has no such mode, or is in it already. */
export function choosingMode(session: WireSessionSetup, mode: string): Choosing | null {
  const { modes } = session;
  if (modes?.availableModes.some(({ id }) => id === mode))
    return modes.currentModeId === mode ? null : { method: 'session/set_mode', params: { modeId: mode } };
  const option = optionFor(session, 'mode');
  if (!option || option.currentValue === mode || !valuesOf(option).includes(mode)) return null;
  return { method: 'session/set_config_option', params: { configId: option.id, value: mode } };
}

/** How a model is chosen; null where the agent offers no choice of models. */
export function choosingModel(session: WireSessionSetup, model: string): Choosing | null {
  const option = optionFor(session, 'model');
  if (option) return { method: 'session/set_config_option', params: { configId: option.id, value: model } };
  return session.models ? { method: 'session/set_model', params: { modelId: model } } : null;
}

/** The models that the agent offers, as far as it tells. */
export function offeredModels(session: WireSessionSetup): string[] {
  const option = optionFor(session, 'model');
  if (option) return valuesOf(option);
  return (session.models?.availableModels ?? []).map(({ modelId }) => modelId);
}

export function currentModel(session: WireSessionSetup): string {
  const value = optionFor(session, 'model')?.currentValue;
  return typeof value === 'string' ? value : (session.models?.currentModelId ?? '');
}

function optionFor({ configOptions }: WireSessionSetup, category: string): Option | undefined {
  return (configOptions ?? []).find((option) => option.category === category || option.id === category);
}

function valuesOf({ options = [] }: Option): string[] {
  return options.flatMap((each) =>
    'value' in each && typeof each.value === 'string'
      ? [each.value]
      : 'options' in each && Array.isArray(each.options)
        ? each.options.map(({ value }) => String(value))
        : [],
  );
}
