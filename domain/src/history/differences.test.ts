import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differencesOf, isSame, pathOf } from './differences.ts';

const differences = (old: unknown, now: unknown, field = 'banks') =>
  Array.from(differencesOf([{ field, old, new: now }]), (one) => ({
    field: pathOf(one.steps),
    old: one.old,
    new: one.new,
  }));

describe('a change, field by field', () => {
  it('names the part of a list entry that differs', () => {
    const bank = { title: 'Main', IBAN: 'DE1', branch: null };
    expect(differences([bank], [{ ...bank, IBAN: 'DE2' }])).toEqual([
      { field: 'banks[0].IBAN', old: 'DE1', new: 'DE2' },
    ]);
  });

  it('matches entries by what identifies them, wherever they moved', () => {
    const [one, two] = [
      { id: 'a', title: 'Senior', rate: 1 },
      { id: 'b', title: 'Mezzanine', rate: 2 },
    ];
    expect(differences([one, two], [{ ...two, rate: 3 }, one], 'notes')).toEqual([
      { field: 'notes[0].rate', old: 2, new: 3 },
    ]);
    expect(differences([one, two], [two], 'notes')).toEqual([{ field: 'notes[0]', old: one, new: null }]);
    expect(differences([one], [one, two], 'notes')).toEqual([{ field: 'notes[1]', old: null, new: two }]);
  });

  it('matches entries without keys by place, between the equal ends', () => {
    const entry = (value: number) => ({ value });
    expect(differences([1, 2, 3].map(entry), [1, 3].map(entry), 'values')).toEqual([
      { field: 'values[1]', old: { value: 2 }, new: null },
    ]);
  });

  it('lists the texts that a list gained and lost, and an order that changed', () => {
    expect(differences(['a', 'b'], ['b', 'c'], 'domains')).toEqual([
      { field: 'domains[0]', old: 'a', new: null },
      { field: 'domains[1]', old: null, new: 'c' },
    ]);
    expect(differences(['a', 'b'], ['b', 'a'], 'domains')).toEqual([
      { field: 'domains', old: ['a', 'b'], new: ['b', 'a'] },
    ]);
  });

  it('keeps amounts, files and values that appear or disappear whole', () => {
    const amount = (sum: string) => ({ sum, currency: 'USD' });
    expect(differences({ limit: amount('1') }, { limit: amount('2') }, 'terms')).toEqual([
      { field: 'terms.limit', old: amount('1'), new: amount('2') },
    ]);
    expect(differences(null, { a: { b: 1 } }, 'business')).toEqual([
      { field: 'business', old: null, new: { a: { b: 1 } } },
    ]);
    expect(differences(null, ['a'], 'domains')).toEqual([{ field: 'domains', old: null, new: ['a'] }]);
    expect(differences([], ['a'], 'domains')).toEqual([{ field: 'domains[0]', old: null, new: 'a' }]);
    expect(differences([{ a: 1 }], [], 'values')).toEqual([{ field: 'values[0]', old: { a: 1 }, new: null }]);
  });

  it('reads JSON that is stored as text', () => {
    expect(differences('{"a":1}', '{"a":2}', 'body')).toEqual([{ field: 'body.a', old: 1, new: 2 }]);
  });
});

it('any two documents differ exactly if a difference is found', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), fc.boolean(), (one, other, equal) => {
      const old = { value: one };
      const now = { value: equal ? structuredClone(one) : other };
      expect(differences(old, now, 'field').length > 0).toBe(!isSame(old, now));
    }),
  );
});
