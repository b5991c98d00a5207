import { field, list, string } from './request/json.js';

/** The smallest value that a JSON Schema allows, as far as agents use schemas. */
export function schemaInstance(schema: unknown): unknown {
  const options = list(schema, 'enum');
  // An agent that asks itself who speaks next would talk on for ever if the answer were "model".
  if (options.length > 0) return options.includes('user') ? 'user' : options[0];
  // Gemini writes the names of types in capitals.
  switch (string(schema, 'type').toLowerCase()) {
    case 'object':
      return Object.fromEntries(
        list(schema, 'required').map((name) => [
          String(name),
          schemaInstance(field(field(schema, 'properties'), String(name))),
        ]),
      );
    case 'array':
      return [];
    case 'string':
      return 'simulated';
    case 'integer':
    case 'number':
      return field(schema, 'minimum') ?? 1;
    case 'boolean':
      return false;
    default:
      return null;
  }
}
