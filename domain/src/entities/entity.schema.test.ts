import { describe, expect, test } from 'vitest';
import { isRoutingNumber } from './bank.schema.ts';
import { COUNTRIES, countryName } from './countries.ts';
import { entityCreateSchema, entityReferenceSchema } from './entity.schema.ts';
import { INDUSTRIES } from './industries.ts';
import { ENTITY, ENTITY_LIMITS } from './testing/entity-limits.ts';

const BUSINESS = { type: 'LLC', formalName: 'Northwind Loans LLC' };

/** The paths of the entity's errors. */
const problems = (changes: Record<string, unknown>): string[] => {
  const result = entityCreateSchema.safeParse({ ...ENTITY, ...changes });
  return result.success ? [] : result.error.issues.map(({ path }) => path.join('.'));
};

describe('an entity enforces the limits of the specification', () => {
  test.each(ENTITY_LIMITS)('%s', (path, within, beyond) => {
    expect(problems(within)).toEqual([]);
    expect(problems(beyond)).toEqual([path]);
  });

  test('amounts keep their digits', () => {
    const parsed = entityCreateSchema.parse({ ...ENTITY, business: { ...BUSINESS, raised: '12345678901234567.89' } });
    expect(parsed.business?.raised).toBe('12345678901234567.89');
  });
});

describe('a party refers to its entity', () => {
  const id = 'a'.repeat(24);

  test('by its id, in either case', () => {
    expect(entityReferenceSchema.parse(id.toUpperCase())).toEqual({ kind: 'known', id, fields: {} });
  });

  test('as a call returned it', () => {
    const reference = entityReferenceSchema.parse({ id, name: 'Northwind', version: 3 });
    expect(reference).toEqual({ kind: 'known', id, fields: { name: 'Northwind', version: 3 } });
  });

  test('as a new one, whose problems keep their paths', () => {
    expect(entityReferenceSchema.parse(ENTITY)).toMatchObject({ kind: 'new', entity: ENTITY });
    const { error } = entityReferenceSchema.safeParse({ ...ENTITY, name: 'x', nationality: {} });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['name', 'nationality.country']);
  });

  test('but not in any other way', () => {
    for (const wrong of ['a'.repeat(23), 7, null, { id: 'x' }]) {
      expect(entityReferenceSchema.safeParse(wrong).success).toBe(false);
    }
  });
});

describe('the numbers of a bank account', () => {
  test('are stored without the spaces and hyphens of their groups', () => {
    const bank = { title: 'Main', accountNumber: '12 34', address: '1 High Street', type: 'Business' };
    const numbers = { IBAN: 'gb29 nwbk 6016 1331 9268 19', swiftCode: 'nwbk gb 2l', abaOrRouting: '0210-0002-1' };
    const { banks } = entityCreateSchema.parse({ ...ENTITY, banks: [{ ...bank, ...numbers }] });
    expect(banks).toEqual([
      { ...bank, IBAN: 'GB29NWBK60161331926819', swiftCode: 'NWBKGB2L', abaOrRouting: '021000021' },
    ]);
  });

  test.each([
    ['021000021', true],
    ['011401533', true],
    ['021000012', false],
    ['000000000', false],
    ['02100002', false],
    ['0210000210', false],
    ['02100002x', false],
  ])('the routing number %s passes the check: %s', (digits, isValid) => {
    expect(isRoutingNumber(digits)).toBe(isValid);
  });
});

test('countries have a name and a two-letter code, and unknown codes are shown as they are', () => {
  expect(COUNTRIES.length).toBeGreaterThan(240);
  expect([...new Set(COUNTRIES.map(({ code, name }) => /^[A-Z]{2}$/.test(code) && name.length > 1))]).toEqual([true]);
  expect(countryName('gb')).toBe('United Kingdom');
  expect(countryName('Ruritania')).toBe('Ruritania');
});

test('there are about 140 industries, in order and each once', () => {
  expect(INDUSTRIES.length).toBeGreaterThan(135);
  expect(INDUSTRIES.length).toBeLessThan(165);
  expect([...new Set(INDUSTRIES)].sort((a, b) => a.localeCompare(b, 'en'))).toEqual([...INDUSTRIES]);
});
