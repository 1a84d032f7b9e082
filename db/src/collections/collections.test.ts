import { DOCUMENT_FIELDS, describeField, type FieldOfList } from '@tapeline/domain/collections/collection.ts';
import { EVERY_COLLECTION } from '@tapeline/domain/collections/collections.ts';
import { expect, it } from 'vitest';
import { ENTITIES } from '../entities/index.ts';
import { STORED, tableOf } from './collections.ts';
import type { StoredCollection } from './stored-collection.ts';

const stored = (name: keyof typeof STORED): StoredCollection => STORED[name];

it('every collection has a table of its own', () => {
  const tables = EVERY_COLLECTION.map(([name]) => tableOf(stored(name)));
  expect(new Set(tables).size).toBe(tables.length);
  expect(ENTITIES.map(({ meta }) => meta.tableName)).toEqual(expect.arrayContaining(tables));
});

it('every collection that the search finds says how', () => {
  for (const [name, { search }] of EVERY_COLLECTION) {
    expect([name, stored(name).found !== undefined]).toEqual([name, search !== undefined]);
  }
});

it('every list says the currency of each of its amounts, in one place', () => {
  let amounts = 0;
  for (const [name, { fields }] of EVERY_COLLECTION) {
    expect([name, fields !== undefined && stored(name).fields !== undefined]).toEqual([name, false]);
    const all: Readonly<Record<string, FieldOfList>> = { ...DOCUMENT_FIELDS, ...(fields ?? stored(name).fields) };
    for (const [path, field] of Object.entries(all)) {
      const described = describeField(path, field);
      if (described.type !== 'decimal' || described.currencyPath === null) continue;
      amounts += 1;
      expect(Object.keys(all)).toContain(described.currencyPath);
    }
  }
  expect(amounts).toBeGreaterThan(10);
});
