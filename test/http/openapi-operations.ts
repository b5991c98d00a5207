import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** One operation of the API, with every field that a request may have, the nested ones too. */
export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** As `path.id`, `query.limit`, `header.Idempotency-Key`, `body.posture.model`. */
  readonly fields: readonly string[];
}

const Schema = z.looseObject({
  $ref: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
});

const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).default([]),
  requestBody: z
    .looseObject({ content: z.looseObject({ 'application/json': z.looseObject({ schema: z.unknown() }) }) })
    .optional(),
});

const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

/** Every operation of docs/openapi.json. */
export function openapiOperations(): ApiOperation[] {
  const file = new URL('../../docs/openapi.json', import.meta.url);
  const { paths, components } = Document.parse(JSON.parse(readFileSync(file, 'utf8')));
  const fieldsOf = (given: unknown, place: string): string[] => {
    const schema = Schema.safeParse(given).data;
    if (!schema) return [];
    if (schema.$ref !== undefined)
      return fieldsOf(components.schemas[schema.$ref.split('/').at(-1) ?? ''], place);
    return [
      ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
        `${place}.${name}`,
        ...fieldsOf(inner, `${place}.${name}`),
      ]),
      ...fieldsOf(schema.items, place),
      ...fieldsOf(schema.additionalProperties, `${place}.*`),
      ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((each = []) =>
        each.flatMap((inner) => fieldsOf(inner, place)),
      ),
    ];
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters, requestBody }]) => {
      const body = fieldsOf(requestBody?.content['application/json'].schema, 'body');
      // A field that only holds others is decided about by them.
      const leaves = [...new Set(body)].filter((name) => !body.some((other) => other.startsWith(`${name}.`)));
      return {
        id: operationId,
        method,
        path,
        fields: [...parameters.map((each) => `${each.in}.${each.name}`), ...leaves],
      };
    }),
  );
}
