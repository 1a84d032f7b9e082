import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from './api.server.ts';

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a pattern covers the whole text and bounds the length of every part: no `*`, `+` or `{n,}`. */
const endsByPattern = (pattern: unknown): boolean =>
  typeof pattern === 'string' && /^\^.*\$$/s.test(pattern) && !/[*+]|\{\d+,\}/.test(pattern.replaceAll(/\\./g, ''));

function isBoundedText(schema: Json): boolean {
  return (
    typeof schema.maxLength === 'number' ||
    Array.isArray(schema.enum) ||
    'const' in schema ||
    schema.format === 'date' ||
    endsByPattern(schema.pattern)
  );
}

/** Paths of the unbounded lists and texts in a JSON schema. */
function unbounded(schema: unknown, definitions: Json, path: string, open: ReadonlySet<string> = new Set()): string[] {
  if (!isRecord(schema)) return [];
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace('#/$defs/', '') : null;
  if (name !== null) {
    return open.has(name) ? [] : unbounded(definitions[name], definitions, path, new Set([...open, name]));
  }
  const found: string[] = [];
  // The parts of an `allOf` constrain a text together, so any one of them can set the bound.
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) =>
    Array.isArray(schema[key]) ? (schema[key] as Json[]) : [],
  );
  const all = Array.isArray(schema.allOf) ? (schema.allOf as Json[]) : [];
  if (schema.type === 'string' && ![schema, ...all].some(isBoundedText)) found.push(`${path}: a text without an end`);
  if (
    schema.type === 'array' &&
    typeof schema.maxItems !== 'number' &&
    !(Array.isArray(schema.prefixItems) && !schema.items)
  ) {
    found.push(`${path}: a list without an end`);
  }
  const inside: [string, unknown][] = [
    ...Object.entries(isRecord(schema.properties) ? schema.properties : {}).map(([key, each]): [string, unknown] => [
      `${path}.${key}`,
      each,
    ]),
    [`${path}[]`, schema.items],
    [`${path}{}`, schema.additionalProperties],
    [`${path}{key}`, isRecord(schema.propertyNames) ? { type: 'string', ...schema.propertyNames } : undefined],
    ...parts.filter((part) => !all.includes(part)).map((part): [string, unknown] => [path, part]),
  ];
  return [...found, ...inside.flatMap(([at, each]) => unbounded(each, definitions, at, open))];
}

const bodies = endpoints.flatMap(({ method, path, body }) => (body ? [{ name: `${method} ${path}`, body }] : []));

describe('every list and text that a call takes has an end', () => {
  it.each(bodies)('$name', ({ body }) => {
    const { $defs = {}, ...schema } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Json;
    expect([...new Set(unbounded(schema, $defs as Json, 'body'))]).toEqual([]);
  });

  it('which a list or text without one does not pass', () => {
    const schema = z.object({
      list: z.array(z.string().max(5)),
      text: z.string(),
      both: z.string().regex(/^a+$/).max(9),
    });
    expect(unbounded(z.toJSONSchema(schema), {}, 'body')).toEqual([
      'body.list: a list without an end',
      'body.text: a text without an end',
    ]);
  });
});
