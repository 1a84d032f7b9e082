import { describe, expect, it } from 'vitest';
import { endpoints } from './api.server.ts';
import { openApiDocument } from './openapi.ts';
import { SPECIFIED_BODIES, SPECIFIED_FIELDS } from './testing/specified-fields.ts';

type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const document = openApiDocument(endpoints, '1.0.0');
const components = (document.components as { schemas: Json }).schemas;
const paths = document.paths as Record<string, Record<string, Json>>;

function operationOf(call: string): Json {
  const [method = '', path = ''] = call.split(' ');
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${call} is not a call of the API`);
  return operation;
}

/** Every schema that a value may have to match: references resolved, alternatives and list items in their place. */
function alternatives(schema: unknown): Json[] {
  if (!isRecord(schema)) return [];
  if (typeof schema.$ref === 'string') return alternatives(components[schema.$ref.split('/').at(-1) ?? '']);
  const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((key) =>
    Array.isArray(schema[key]) ? (schema[key] as unknown[]) : [],
  );
  return [schema, ...[...inner, schema.items].flatMap(alternatives)];
}

/** Whether a schema has a field. A list or an alternative has the fields of its items or parts. */
function hasField(schema: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  return alternatives(schema).some(
    ({ properties }) => isRecord(properties) && name in properties && hasField(properties[name], rest),
  );
}

const contentOf = (part: unknown): unknown =>
  (part as { content?: { 'application/json'?: { schema?: unknown } } }).content?.['application/json']?.schema;

const missingOf = (schema: unknown, fields: string): string[] =>
  fields
    .trim()
    .split(/\s+/)
    .filter((field) => !hasField(schema, field.split('.')));

describe('every field of the specification is in the API', () => {
  it.each(Object.entries(SPECIFIED_FIELDS))('%s', (_, { call, fields }) => {
    const responses = operationOf(call).responses as Record<string, unknown>;
    expect(missingOf(contentOf(responses['200'] ?? responses['201']), fields)).toEqual([]);
  });

  it.each(Object.entries(SPECIFIED_BODIES))('in the body of %s', (call, fields) => {
    expect(missingOf(contentOf(operationOf(call).requestBody), fields)).toEqual([]);
  });

  it('and a field that is not is reported', () => {
    const responses = operationOf('GET /crud/users').responses as Record<string, unknown>;
    expect(missingOf(contentOf(responses['200']), 'email token metadata.secret')).toEqual(['token', 'metadata.secret']);
  });
});
