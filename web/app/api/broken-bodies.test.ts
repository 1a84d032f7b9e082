import { ABSENT, changed, errorsOf } from '@tapeline/domain/documents/testing/limits.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endpoints } from './api.server.ts';
import { exampleOf } from './example-calls.ts';

/** The path of every value inside a body. */
function pathsOf(value: unknown, path: readonly string[] = []): string[] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, entry]) => pathsOf(entry, [...path, name]))
      : [];
  return path.length === 0 ? inner : [path.join('.'), ...inner];
}

const WRONG = [
  ABSENT,
  null,
  '',
  ' ',
  -1,
  0.5,
  1e308,
  '1e5',
  true,
  [],
  [null],
  {},
  { sum: -1 },
  { sum: 1, currency: 'EUR' },
];

const cases = endpoints.flatMap((endpoint) => {
  const { method, path, body: schema } = endpoint;
  const body = exampleOf(endpoint)?.body;
  return body === undefined || !schema ? [] : [{ call: `${method} ${path}`, body, schema, paths: pathsOf(body) }];
});

// A check that meets a value which an earlier check refused must not throw: that would be a server error.
it.each(cases.filter(({ paths }) => paths.length > 0))(
  '$call reports errors in any two fields',
  ({ body, schema, paths }) => {
    const change = fc.record({ path: fc.constantFrom(...paths), value: fc.constantFrom(...WRONG) });
    fc.assert(
      fc.property(change, change, (first, second) => {
        const once = changed(body, first.path, first.value);
        const isInside = second.path.startsWith(`${first.path}.`) || second.path === first.path;
        const twice = isInside ? once : changed(once, second.path, second.value);
        expect(errorsOf(schema, twice)).toBeTypeOf('object');
      }),
      { numRuns: 200 },
    );
  },
);
