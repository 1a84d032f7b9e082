import { PERMISSION_KEYS } from '@tapeline/domain/people/actor.ts';
import { expect, test } from 'vitest';
import { areaLabel, areasOf } from './areas.ts';

test('every permission of the product is in exactly one named area', () => {
  const groups = areasOf(PERMISSION_KEYS.map((key) => ({ key })));
  const keys = groups.flatMap(({ areas }) => areas.flatMap(({ read, write }) => [read, write]));
  expect(keys.flatMap((permission) => permission?.key ?? []).toSorted()).toEqual([...PERMISSION_KEYS].toSorted());
  expect(groups.map(({ group }) => group)).toEqual(['Lending', 'Funds', 'Communication and administration']);
});

test("an installation's own permission has an area of its own", () => {
  const groups = areasOf([{ key: 'funds/read' }, { key: 'reports/monthly/read' }]);
  expect(groups).toMatchObject([
    { group: 'Funds', areas: [{ label: 'Funds', write: null }] },
    { group: "This installation's own", areas: [{ label: 'reports/monthly', read: { key: 'reports/monthly/read' } }] },
  ]);
  expect(areaLabel('assets/ETL/write')).toBe('Mappings');
});
