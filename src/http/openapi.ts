import type { RouteConfig } from '@hono/zod-openapi';
import * as z from 'zod';
import { type FailureCode, failureTable } from '../protocol/failure.js';
import { given } from '../protocol/given.js';
import { keysOf } from '../protocol/keys.js';
import type { ApiRoutes } from './api-routes.js';
import { componentSchemas, jsonSchemaOf } from './components.js';

const tags = [
  { name: 'dispatches', description: 'Work given to an agent, with an outcome.' },
  { name: 'schedules', description: 'Work that is given again and again.' },
  { name: 'pipelines', description: 'Work in phases, each after those that it needs.' },
  { name: 'threads', description: 'Conversations with agents, as items and as events.' },
  {
    name: 'terminals',
    description: "Threads in the agents' own terminal programs, and sessions from there.",
  },
  { name: 'observed', description: 'Agents that somebody started by hand, and what they do.' },
  { name: 'prompts', description: 'Questions that wait for a person.' },
  { name: 'rules', description: 'What answers in place of a person, made from answers.' },
  { name: 'push', description: 'Devices that are told when an agent asks.' },
  { name: 'status', description: 'What every agent is doing now.' },
  { name: 'usage', description: 'Tokens, money, processor time and memory.' },
  { name: 'workers', description: 'The processes that own the runs.' },
  { name: 'runtimes', description: 'Kinds of agent.' },
  { name: 'project code', description: "A project's own files that may start programs." },
  { name: 'login', description: 'Signing a browser in.' },
  { name: 'worker', description: 'This worker.' },
];

/**
 * The OpenAPI 3.1 document of these routes. The schemas are zod's own JSON Schemas: the generator that comes
 * with the routes keeps only the first value of a literal with several.
 */
export function openapiDocument(routes: ApiRoutes, version: string) {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of routes.operations) {
    const path = operation.path.replace(/(.)\/$/, '$1');
    paths[path] = { ...paths[path], [operation.method]: operationOf(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Handraise',
      version,
      description:
        'Runs coding agents unattended and makes sure that nobody’s question gets lost. Errors are problem+json (RFC 9457) with a stable `code`. The guide is docs/http-api.md.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1', description: 'The worker that served this document.' }],
    security: [{ token: [] }],
    tags,
    paths,
    components: { schemas: componentSchemas(), securitySchemes },
  };
}

const securitySchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: "The owner's token, a named one, or the secret of a signed-in browser.",
  },
};

function operationOf(route: RouteConfig): object {
  const { operationId, summary, description, tags, security, request } = route;
  const parameters = [
    ...parametersOf('path', request?.params),
    ...parametersOf('query', request?.query),
    ...parametersOf('header', request?.headers),
  ];
  return {
    operationId,
    summary,
    ...given({ description }),
    tags,
    ...(security && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(request?.body && {
      requestBody: { required: request.body.required ?? false, content: contentOf(request.body.content) },
    }),
    responses: { ...responsesOf(route.responses), ...problemsOf(route) },
  };
}

function parametersOf(place: 'path' | 'query' | 'header', fields: unknown): object[] {
  if (!(fields instanceof z.ZodObject)) return [];
  const { properties, required } = ObjectSchema.parse(jsonSchemaOf(fields));
  return Object.entries(fields.shape).map(([name, field]) => ({
    name: place === 'header' ? name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()) : name,
    in: place,
    required: required.includes(name),
    ...(field instanceof z.ZodType && field.description !== undefined && { description: field.description }),
    schema: properties[name],
  }));
}

const ObjectSchema = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

function responsesOf(responses: RouteConfig['responses']): Record<string, object> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { description, content } = ResponseNotes.parse(response);
      return [status, { description, ...(content !== undefined && { content: contentOf(content) }) }];
    }),
  );
}

const ResponseNotes = z.object({ description: z.string(), content: z.unknown().optional() });

function contentOf(content: unknown): Record<string, object> {
  return Object.fromEntries(
    Object.entries(Content.parse(content)).map(([type, { schema }]) => [
      type,
      { schema: jsonSchemaOf(schema) },
    ]),
  );
}

const Content = z.record(z.string(), z.object({ schema: z.instanceof(z.ZodType) }));

/** The refusals of a route, by status: those of its shape and those that it names. */
function problemsOf(route: RouteConfig): Record<string, object> {
  const { params, query, body, headers } = route.request ?? {};
  const isOpen = route.security?.length === 0;
  const codes = new Set<FailureCode>([
    'forbidden_origin',
    ...(isOpen ? [] : (['unauthorized', 'forbidden'] as const)),
    ...(params ? (['not_found'] as const) : []),
    ...(query || body || headers ? (['invalid'] as const) : []),
    ...(body ? (['too_large'] as const) : []),
    ...Codes.parse(route['x-problems'] ?? []),
  ]);
  const sentences = new Map<number, string[]>();
  for (const code of codes) {
    const { status, title } = failureTable[code];
    sentences.set(status, [...(sentences.get(status) ?? []), `\`${code}\`: ${title}.`]);
  }
  const problems = [...sentences].map(([status, each]) => [status, problem(each.join(' '))]);
  return { ...Object.fromEntries(problems), default: problem('Another problem; its `code` says which.') };
}

const Codes = z.array(z.enum(keysOf(failureTable)));

function problem(description: string): object {
  return {
    description,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}
