import type { Random } from '@tapeline/demonstration/random.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
interface Schema {
  readonly $ref?: string;
  readonly type?: string | string[];
  readonly enum?: Json[];
  readonly const?: Json;
  readonly anyOf?: Schema[];
  readonly oneOf?: Schema[];
  readonly allOf?: Schema[];
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema | boolean;
  readonly minItems?: number;
  readonly format?: string;
  readonly pattern?: string;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
}
interface Operation {
  readonly parameters?: Parameter[];
  readonly requestBody?: { content?: { 'application/json'?: { schema?: Schema } } };
}
export interface OpenApi {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components?: { schemas?: Record<string, Schema> };
}

export interface MutatedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** IDs to use in requests: `readable` for calls that cannot change anything, `writable` for all others. */
export interface KnownIds {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
}

/** Excluded because they end the session that the requests use, or rename the user whom other tests share. */
const LEFT_OUT = new Set(['/auth/signOut', '/auth/refreshAccessToken', '/auth/signIn', '/auth/confirmUserDetails']);
const MADE_UP = ['0'.repeat(24), 'f'.repeat(24), '6'.repeat(24)];
const DEEPEST = 6;

const long = (length: number): string => 'a'.repeat(length);
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** Texts that are known to break parsers, databases, spreadsheets, regular expressions, and file systems. */
const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00',
  "' OR 1=1 --",
  '"; DROP TABLE users; --',
  '$1',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=cmd|calc!A1',
  '(a+)+$',
  '([a-z]*)*',
  '-0',
  '1e999999',
  'NaN',
  '9'.repeat(400),
  '\u202eabc',
  long(40_000),
  '2026-02-30',
  '0000-00-00',
  '9999-12-31T23:59:60Z',
];
const NUMBERS = [-1, 0, 1.5, -0, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e308, 0.1 + 0.2, 1e-9];
/** Written into the body unchanged. */
const RAW_NUMBERS = ['1e400', '-1e999', `0.${'1'.repeat(300)}`, '9'.repeat(300), '1E+5000000', '01', '.5', '0x10'];

const oneOf = <T>(random: Random, values: readonly T[]): T => values[random.whole(0, values.length - 1)]!;

/** A request that the OpenAPI document allows, with parts of it made invalid. */
export function mutatedRequest(document: OpenApi, random: Random, ids: KnownIds): MutatedRequest {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    LEFT_OUT.has(path) ? [] : Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const { path, method: name, operation } = oneOf(random, operations);
  const method = random.chance(0.03)
    ? oneOf(random, ['PATCH', 'OPTIONS', 'HEAD', 'DELETE', 'PUT'])
    : name.toUpperCase();
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  const known = isRead ? ids.readable : ids.writable;
  const id = (): string => (known.length > 0 && random.chance(0.7) ? oneOf(random, known) : oneOf(random, MADE_UP));
  const address = path.replaceAll(/\{(\w+)\}/g, () =>
    encodeURIComponent(toWellFormed(random.chance(0.6) ? id() : oneOf(random, TEXTS)).slice(0, 2_000)),
  );
  const query = queryOf(operation, random, id);
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const body = schema === undefined || isRead ? undefined : bodyOf(document, schema, random, id);
  return { method, path: `${address}${query}`, headers: headersOf(random, body !== undefined), body };
}

const toWellFormed = (text: string): string => text.toWellFormed();

function queryOf(operation: Operation, random: Random, id: () => string): string {
  const search = new URLSearchParams();
  for (const { name, in: place } of operation.parameters ?? []) {
    if (place !== 'query' || random.chance(0.5)) continue;
    const times = random.chance(0.1) ? random.whole(2, 300) : 1;
    for (let time = 0; time < times; time += 1) search.append(name, queryValue(name, random, id));
  }
  if (random.chance(0.1)) search.append(oneOf(random, ['__proto__', 'x[0]', 'filter[a]', long(3_000)]), '1');
  // URLSearchParams cannot encode a lone surrogate, so append its bytes.
  return search.size === 0 ? '' : `?${search}${random.chance(0.05) ? '&filter=%ED%A0%80' : ''}`;
}

function queryValue(name: string, random: Random, id: () => string): string {
  if (name === 'filter') {
    const operator = oneOf(random, ['eq', 'in', 'nin', 'like', 'regex', 'gt', 'exists', 'neq', 'wrong']);
    const field = oneOf(random, [
      'id',
      'status',
      'title',
      'cutOffDate',
      'assetId',
      'sums.sum',
      'loanTapeId',
      '__proto__',
    ]);
    const value = random.chance(0.3) ? id() : oneOf<unknown>(random, [...TEXTS, ...NUMBERS, null, [], {}, [[]]]);
    if (random.chance(0.1)) return deep(5_000);
    return JSON.stringify({ [field]: random.chance(0.2) ? value : { [operator]: value } });
  }
  if (name === 'sort')
    return JSON.stringify({ [oneOf(random, ['id', 'x', '__proto__', ''])]: oneOf(random, [1, -1, 0, 'a']) });
  if (name === 'skip' || name === 'limit') return String(oneOf(random, [...NUMBERS, 'x', '']));
  return random.chance(0.4) ? id() : oneOf(random, TEXTS).toWellFormed();
}

function headersOf(random: Random, hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = hasBody ? { 'content-type': 'application/json' } : {};
  if (random.chance(0.05))
    headers['content-type'] = oneOf(random, [
      'text/plain',
      'multipart/form-data',
      '',
      'application/json; charset=utf-16',
    ]);
  if (random.chance(0.05))
    headers.accept = oneOf(random, ['text/csv', 'application/vnd.apache.parquet', 'x/y;q=a', long(5_000)]);
  if (random.chance(0.05)) headers['x-manager-id'] = oneOf(random, [...MADE_UP, 'x', long(1_000)]);
  if (random.chance(0.05)) headers['x-lp-id'] = oneOf(random, [...MADE_UP, 'x']);
  if (random.chance(0.03)) headers.traceparent = oneOf(random, ['x', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`]);
  if (random.chance(0.03)) headers['accept-encoding'] = oneOf(random, ['gzip;q=x', 'identity;q=0', '*']);
  return headers;
}

function bodyOf(document: OpenApi, schema: Schema, random: Random, id: () => string): string {
  const value = example(document, schema, random, id, 0);
  const changes = random.whole(0, 3);
  let changed = value;
  for (let change = 0; change < changes; change += 1) changed = mutated(changed, random);
  let text = JSON.stringify(changed) ?? 'null';
  if (random.chance(0.08)) text = text.replace(/\d+/, () => oneOf(random, RAW_NUMBERS));
  if (random.chance(0.04)) text = text.slice(0, random.whole(0, text.length));
  if (random.chance(0.02)) text = `${text}${text}`;
  if (random.chance(0.02)) text = deep(100_000);
  if (random.chance(0.02)) text = `{"__proto__":{"admin":true},${text.slice(1)}`;
  if (random.chance(0.01)) text = `\ufeff${text}`;
  return text;
}

/**
 * A value that follows the schema, but often violates its bounds: minimum lengths are respected, other limits are
 * ignored.
 */
function example(document: OpenApi, schema: Schema, random: Random, id: () => string, depth: number): Json {
  if (schema.$ref) {
    const found = document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''];
    return found && depth < DEEPEST ? example(document, found, random, id, depth + 1) : null;
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return oneOf(random, schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices?.length) return example(document, oneOf(random, choices), random, id, depth + 1);
  if (schema.allOf?.length) {
    const parts = schema.allOf.map((part) => example(document, part, random, id, depth + 1));
    return Object.assign({}, ...parts.filter((part) => typeof part === 'object')) as Json;
  }
  const type = Array.isArray(schema.type) ? oneOf(random, schema.type) : schema.type;
  switch (type) {
    case 'object': {
      const entries = Object.entries(schema.properties ?? {}).filter(() => random.chance(0.9));
      return depth > DEEPEST
        ? {}
        : Object.fromEntries(entries.map(([key, value]) => [key, example(document, value, random, id, depth + 1)]));
    }
    case 'array': {
      const { items } = schema;
      if (typeof items !== 'object' || depth > DEEPEST) return [];
      const length = Math.max(schema.minItems ?? 0, random.whole(0, 3));
      return Array.from({ length }, () => example(document, items, random, id, depth + 1));
    }
    case 'number':
    case 'integer':
      return oneOf(random, [...NUMBERS, 1, 10, 100]);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      if (schema.pattern?.includes('24')) return id();
      if (schema.format === 'email') return oneOf(random, ['nobody@attack.test', 'a@b', 'x']);
      if (schema.format?.startsWith('date')) return oneOf(random, ['2026-10-31', '2026-02-30', 'x']);
      return oneOf(random, ['USD', 'text', '2026-10-31', id(), ...TEXTS]);
  }
}

/** The value with one part of it changed. */
function mutated(value: Json, random: Random): Json {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.85)) {
    const place = random.whole(0, value.length - 1);
    return value.map((entry, index) => (index === place ? mutated(entry, random) : entry));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const keys = Object.keys(value);
    if (keys.length > 0 && random.chance(0.85)) {
      const key = oneOf(random, keys);
      if (random.chance(0.15)) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
      return { ...value, [key]: mutated(value[key]!, random) };
    }
    return { ...value, [oneOf(random, TEXTS)]: oneOf(random, TEXTS) };
  }
  return oneOf<Json>(random, [
    ...TEXTS,
    ...NUMBERS,
    null,
    true,
    [],
    {},
    [null],
    Array.from({ length: 2_000 }, () => 'x'),
    { $ne: null },
  ]);
}
