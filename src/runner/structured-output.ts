import { errorSentence } from '../protocol/error-sentence.js';
import { Failure } from '../protocol/failure.js';

/** Refuses a schema that is none, before an agent starts with it; the validator loads only when there is one. */
export async function checkStructuredOutput(schema: Record<string, unknown> | undefined): Promise<void> {
  if (schema === undefined) return;
  const { $schema: dialect } = schema;
  const { Ajv } =
    typeof dialect === 'string' && dialect.includes('2020-12')
      ? { Ajv: (await import('ajv/dist/2020.js')).Ajv2020 }
      : await import('ajv');
  try {
    new Ajv({ strict: false, validateFormats: false }).compile(schema);
  } catch (error) {
    const why = errorSentence(error);
    throw new Failure('usage', `--structured-output: not a valid JSON Schema (${why}).`);
  }
}
