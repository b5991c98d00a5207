import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { jsonSchemas } from '../../src/protocol/index.js';
import { commandSamples } from './command-samples.js';
import { eventSamples } from './event-samples.js';

const schemas = jsonSchemas();
const ajv = new Ajv2020({ validateFormats: false });
const published = new URL('../../docs/schemas/', import.meta.url);

test('every schema is published as it is', () => {
  const files = readdirSync(published).map((file) => [
    file.replace(/\.json$/, ''),
    JSON.parse(readFileSync(new URL(file, published), 'utf8')),
  ]);

  expect(Object.fromEntries(files)).toEqual(JSON.parse(JSON.stringify(schemas)));
});

test.each(Object.entries(schemas))(
  '%s is a valid schema of draft 2020-12 with its own id',
  (name, schema) => {
    expect(schema).toMatchObject({
      $id: `urn:handraise:schema:${name}`,
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    });
    expect(ajv.validateSchema(schema)).toBe(true);
  },
);

test('the schema of events takes every event, and nothing else', () => {
  const accepts = ajv.compile(schemas['event'] ?? false);
  const events = Object.values(eventSamples).map((body) => ({
    ...body,
    timestamp: '2026-01-02T03:04:05.678Z',
  }));

  expect(events.filter((event) => !accepts(event))).toEqual([]);
  expect(
    [{}, { type: 'warning' }, { type: 'dance', timestamp: 'x' }].filter((event) => accepts(event)),
  ).toEqual([]);
});

test('the schema of commands takes every command, and nothing else', () => {
  const accepts = ajv.compile(schemas['command'] ?? false);

  expect(Object.values(commandSamples).filter((command) => !accepts(command))).toEqual([]);
  expect([{}, { type: 'message' }, { type: 'dance' }].filter((command) => accepts(command))).toEqual([]);
});
