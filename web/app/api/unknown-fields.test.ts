import { ABSENT, changed, errorsOf } from '@tapeline/domain/documents/testing/limits.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from './api.server.ts';
import { exampleOf } from './example-calls.ts';
import { unknownFields } from './unknown-fields.ts';

/** The path of every field inside a body; of a list, only its first item. */
function fieldsOf(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Array.isArray(value) ? Object.entries(value).slice(0, 1) : Object.entries(value);
  return inside.flatMap(([name, entry]) => [
    ...(Array.isArray(value) ? [] : [[...path, name].join('.')]),
    ...fieldsOf(entry, [...path, name]),
  ]);
}

/** The objects inside a body, the body itself included. */
const objectsOf = (body: unknown): string[] => [
  ...new Set(fieldsOf(body).map((path) => path.split('.').slice(0, -1).join('.'))),
];

const examples = endpoints.flatMap((endpoint) => {
  const body = exampleOf(endpoint)?.body;
  return body === undefined || !endpoint.body
    ? []
    : [
        {
          call: `${endpoint.method} ${endpoint.path}`,
          body,
          schema: endpoint.body,
          schemas: endpoint.method === 'PUT' ? [endpoint.body, endpoint.response] : [endpoint.body],
        },
      ];
});

/** What is wrong is not that the field is missing, but that others say that it must be there. */
const OF_OTHER_FIELDS = new Set([
  'Enter an amount or a percentage',
  'Choose a fund or a main fund',
  'Enter either a share of the interest or an amount that is unfunded',
  'Enter the reason for the rejection',
  'Contract cutOffDate cannot be null',
  'Rule 1 ("Loan ID" to assetId): assetId must be checked as Mandatory',
]);

describe('the example of a call', () => {
  it.each(examples)(
    '$call has no unknown field, and one in any of its objects is found',
    ({ body, schema, schemas }) => {
      expect(unknownFields(schemas, body)).toEqual([]);
      const open: string[] = [];
      for (const path of objectsOf(body)) {
        const spoiled = changed(body, path === '' ? 'neverAField' : `${path}.neverAField`, 1);
        const found = unknownFields(schemas, spoiled).map((each) => each.join('.'));
        const isRefused = Object.values(errorsOf(schema, spoiled)).some((message) => message.includes('neverAField'));
        if (!isRefused && found.length === 0) open.push(path);
      }
      // Rates by currency, cells by column and conditions by field have names of their own.
      expect(open.filter((path) => !/exchangeRates|originData|filter$|filter\.|(^|\.)assoc$/.test(path))).toEqual([]);
    },
  );

  it.each(examples)('$call says of each required field that it is required', ({ body, schema }) => {
    const others = fieldsOf(body).flatMap((path) => {
      const errors = errorsOf(schema, changed(body, path, ABSENT));
      const message = errors[path];
      return message === undefined || /is required$/.test(message) ? [] : [message];
    });
    expect(others.filter((message) => !OF_OTHER_FIELDS.has(message))).toEqual([]);
  });
});

describe('unknown fields', () => {
  const body = z.object({
    title: z.string(),
    fund: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
    lines: z.array(z.object({ sum: z.number() })).default([]),
    rates: z.record(z.string(), z.number()).optional(),
  });
  const read = body.extend({ id: z.string(), lines: z.array(z.object({ sum: z.number(), share: z.number() })) });

  it('are found at any depth', () => {
    const given = {
      titel: '',
      fund: { id: '1', name: '' },
      lines: [{ sum: 1 }, { sum: 1, sums: 2 }],
      rates: { EUR: 1 },
    };
    expect(unknownFields([body], given)).toEqual([['titel'], ['fund', 'name'], ['lines', '1', 'sums']]);
  });

  it('of the document as it is read are known to an update', () => {
    const given = { id: '1', title: '', lines: [{ sum: 1, share: 0.5, part: 1 }] };
    expect(unknownFields([body], given)).toEqual([['id'], ['lines', '0', 'share'], ['lines', '0', 'part']]);
    expect(unknownFields([body, read], given)).toEqual([['lines', '0', 'part']]);
  });

  it('are named up to a number', () => {
    const many = Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`field${at}`, at]));
    expect(unknownFields([body], many)).toHaveLength(20);
  });
});

it('are found in schemas that contain themselves', () => {
  const tree: z.ZodType = z.object({ name: z.string(), children: z.lazy(() => z.array(tree)).optional() });
  const leaf = { name: 'leaf', colour: 'green' };
  expect(unknownFields([tree], { name: 'a', children: [{ name: 'b', children: [leaf, leaf] }] })).toEqual([
    ['children', '0', 'children', '0', 'colour'],
    ['children', '0', 'children', '1', 'colour'],
  ]);
});
