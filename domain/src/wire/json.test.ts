import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../errors/refusal.ts';
import { isDecimal } from '../money/decimal.ts';
import { exactNumber, MAX_JSON_VALUES, MAX_NAMES, parseWire, requireBounded, stringifyWire } from './json.ts';

test('an amount is written as a number literal with every digit', () => {
  expect(stringifyWire({ value: exactNumber('0.10') })).toBe(`{"value":0.10}`);
  expect(stringifyWire({ total: { sum: '12345678901234567.10', currency: 'USD' }, note: { sum: '5' } })).toBe(
    '{"total":{"sum":12345678901234567.10,"currency":"USD"},"note":{"sum":"5"}}',
  );
});
/** The same by the language's own means. */
const stringifyPlainly = (value: unknown): string =>
  JSON.stringify(value, function (this: unknown, key, entry) {
    const isSum = key === 'sum' && isDecimal(entry) && 'currency' in (this as object);
    return isSum ? exactNumber(entry as string) : entry;
  });

test('writes amounts alike wherever they are, and texts that look like them as texts', () => {
  const sum = fc.oneof(
    fc.stringMatching(/^-?[0-9]{1,20}(\.[0-9]{1,10})?$/),
    fc.constantFrom('', '.', '1.', '-', '00.10', '-007'),
    fc.double(),
    fc.string(),
  );
  const text = fc.constantFrom(
    '"sum":"1","currency":',
    '{"sum":"1","currency":"USD"}',
    String.raw`\","sum":"1","currency":"`,
    ',',
    '{',
    String.raw`\"`,
  );
  const currency = fc.oneof(fc.constantFrom('USD', 'EUR'), text);
  const amount = fc.oneof(
    fc.record({ sum, currency }),
    fc.record({ currency, sum }),
    fc.record({ sum }),
    fc.record({ sum, note: text, currency }),
    fc.record({ value: text, sum, currency }),
  );
  const names = fc.constantFrom('a', 'sum', 'currency', 'x","sum', '{"sum":"1","currency":');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 3 }, amount, text, sum, fc.array(tie('tree')), fc.dictionary(names, tie('tree'))),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      expect(stringifyWire(value)).toBe(stringifyPlainly(value));
    }),
    { numRuns: 3_000 },
  );
});

test('a literal too long for a double comes in as text, others as numbers', () => {
  expect(parseWire('{"sum":12345678901234567.10,"n":1.5}')).toEqual({ sum: '12345678901234567.10', n: 1.5 });
});

/** The same with the language's own means, which is several times as slow. */
function parsePlainly(text: string): unknown {
  type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, (_, value, { source = '' }) =>
    typeof value === 'number' && source.length > 15 && String(value) !== source && isDecimal(source) ? source : value,
  );
}

const outcomeOf = (parse: () => unknown): unknown => {
  try {
    return { value: parse() };
  } catch (error) {
    return (error as Error).name;
  }
};

test('reads any JSON as the language itself does, except for long numbers', () => {
  const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,24})?([eE][+-]?[0-9]{1,2})?$/);
  const text = fc.json().chain((json) => {
    const indexes = [...json.matchAll(/\d+/g)].map(({ index }) => index);
    return indexes.length === 0
      ? fc.constant(json)
      : fc
          .tuple(fc.constantFrom(...indexes), digits)
          .map(([at, number]) => json.slice(0, at) + number + json.slice(at));
  });
  const broken = fc
    .array(
      fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '\\', '-', '.', 'e', '0', '12345678901234567890', ' ', 'true'),
    )
    .map((parts) => parts.join(''));
  const cases = fc.oneof(
    text,
    digits,
    broken,
    digits.map((number) => `{"a":[${number}, "${number}"]}`),
  );
  fc.assert(
    fc.property(cases, (json) => {
      expect(outcomeOf(() => parseWire(json))).toEqual(outcomeOf(() => parsePlainly(json)));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  '{12345678901234567890:1}',
  '[00012345678901234567890]',
  '[12345678901234567890.]',
  '["12345678901234567890]',
])('rejects %s as the language does', (text) => expect(() => parseWire(text)).toThrow(SyntaxError));

describe('values that are not allowed', () => {
  const refusal = (text: string) => {
    try {
      parseWire(text);
    } catch (error) {
      if (isRefusal(error)) return error;
    }
    return null;
  };

  test('nested beyond 100 levels', () => {
    expect(refusal('['.repeat(100) + ']'.repeat(100))).toBeNull();
    expect(refusal('['.repeat(101) + ']'.repeat(101))?.code).toBe('badRequest');
    expect(refusal('{"a":'.repeat(2_000_000))?.code).toBe('badRequest');
    expect(refusal(JSON.stringify(`${'['.repeat(500)}"${'{'.repeat(500)}`))).toBeNull();
  });

  test('a text with U+0000 or half of a surrogate pair, whose path is named', () => {
    const refused = refusal('{"notes":[{"title":"fine"},{"title":"a\\u0000b"}]}');
    expect(refused?.issues?.[0]?.path).toEqual(['notes', 1, 'title']);
    expect(refusal('["\\uD83D"]')?.issues?.[0]?.path).toEqual([0]);
    expect(refusal('{"a":{"\\ud800":1}}')?.flags).toEqual({ 'a.\ufffd': expect.any(String) });
    for (const fine of ['["\\uD83D\\uDE00"]', '["\\\\u0000"]', '["\\u0001"]']) expect(refusal(fine)).toBeNull();
  });
});

describe('a body of many values', () => {
  const fields = (count: number) => `{${Array.from({ length: count }, (_, at) => `"f,{[${at}":[1,2]`).join()}}`;
  test('may have 5,000 fields in an object, and not one more', () => {
    expect(() => requireBounded(fields(MAX_NAMES))).not.toThrow();
    expect(() => requireBounded(fields(MAX_NAMES + 1))).toThrow('at most 5,000 fields');
  });

  test('may have 250,000 values, and not one more', () => {
    const values = (count: number) => `{"list":[${Array.from({ length: count }, () => '"a,b"').join()}]}`;
    expect(() => requireBounded(values(MAX_JSON_VALUES))).not.toThrow();
    expect(() => requireBounded(values(MAX_JSON_VALUES + 1))).toThrow('at most 250,000 values');
  });

  test('counts the fields of each object alone, whatever is inside', () => {
    const nested = `[${Array.from({ length: 40 }, () => fields(1_000)).join()}]`;
    expect(() => requireBounded(nested)).not.toThrow();
  });
});
