import { Failure } from '../../protocol/failure.js';
import { WireProviders } from './wire.js';

const mostNamed = 20;

/** A model as OpenCode's server takes it. */
export interface OpencodeModel {
  readonly providerID: string;
  readonly modelID: string;
}

/** The models of the providers that OpenCode knows here. */
export class Models {
  readonly #known: readonly (OpencodeModel & { readonly name: string })[];

  /** `listed` is what the server tells of its providers. */
  constructor(listed: unknown) {
    this.#known = WireProviders.parse(listed).providers.flatMap(({ id, models }) =>
      Object.entries(models).map(([modelID, { name = modelID }]) => ({ providerID: id, modelID, name })),
    );
  }

  /** The model of a name: `provider/model`, or the model alone where one provider has it. */
  find(name: string): OpencodeModel {
    const exact = this.#known.filter((model) => modelName(model) === name);
    const found = exact.length > 0 ? exact : this.#known.filter(({ modelID }) => modelID === name);
    const [only, ...others] = found;
    if (only && others.length === 0) return { providerID: only.providerID, modelID: only.modelID };
    if (only)
      throw new Failure(
        'invalid',
        `Several providers have the model ${name}. Name one: ${found.map(modelName).join(', ')}.`,
      );
    const names = this.#known.map(modelName);
    const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more` : '';
    throw new Failure(
      'invalid',
      `OpenCode knows no model ${name} here. It has: ${names.slice(0, mostNamed).join(', ') || 'none'}${more}.`,
    );
  }

  get list(): { value: string; displayName: string }[] {
    return this.#known.map((model) => ({ value: modelName(model), displayName: model.name }));
  }
}

export function modelName({ providerID, modelID }: OpencodeModel): string {
  return `${providerID}/${modelID}`;
}
