import { describe, expect, test } from 'vitest';
import { mappingRuleSchema } from './rule.schema.ts';
import type { SerializationInput } from './serialization.schema.ts';
import { addStatusWords, knowsStatus, readStatusSteps, type StatusWord } from './status-words.ts';

const STATUS: SerializationInput = { type: 'assetStatus' };
const switchOf = (cases: readonly [string | string[], string][]): SerializationInput => ({
  type: 'switchCase',
  // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract; a case is never awaited
  cases: cases.map(([equals, status]) => ({ equals, then: status })),
  default: { previous: true },
});
const read = (...serializations: SerializationInput[]) =>
  readStatusSteps(
    mappingRuleSchema.parse({ originCol: 'Status', targetCol: 'assetStatus', serializations }).serializations,
  );
const SOLD: StatusWord = { word: 'Sold', status: 'chargedOff' };

describe('words that mean a status', () => {
  test('become cases of the switch there is, behind its own', () => {
    const steps = read({ type: 'trim' }, switchOf([['Good', 'current']]), STATUS)!;
    expect(addStatusWords(steps, [SOLD])).toEqual([
      { type: 'trim' },
      switchOf([
        ['Good', 'current'],
        ['Sold', 'chargedOff'],
      ]),
      STATUS,
    ]);
  });

  test('become a switch of their own where there is none', () =>
    expect(addStatusWords(read({ type: 'omit', values: ['-'] }, STATUS)!, [SOLD])).toEqual([
      { type: 'omit', values: ['-'] },
      switchOf([['Sold', 'chargedOff']]),
      STATUS,
    ]));

  test('are passed over where they have a case, are left out or are statuses already, however they are spaced', () => {
    const steps = read({ type: 'omit', values: ['none'] }, switchOf([[['Good', 'Very good'], 'current']]), STATUS)!;
    for (const word of ['good', 'VERY  GOOD', ' None', 'Charged off', '1-30 DPD']) {
      expect([word, knowsStatus(steps, word)]).toEqual([word, true]);
    }
    expect(knowsStatus(steps, 'Sold')).toBe(false);
    expect(addStatusWords(steps, [{ word: 'good', status: 'paid' }])).toBeNull();
  });

  test('are not added where the switch would grow beyond what it takes', () => {
    const words = (count: number) =>
      Array.from({ length: count }, (_, at): StatusWord => ({ ...SOLD, word: `w${at}` }));
    expect(addStatusWords(read(STATUS)!, words(150))).not.toBeNull();
    expect(addStatusWords(read(STATUS)!, words(151))).toBeNull();
  });

  test('are nothing to steps that end otherwise, or make other words of the cell first', () => {
    expect(read({ type: 'upper' }, STATUS)).toBeNull();
    expect(read({ type: 'text' })).toBeNull();
    expect(read(switchOf([['Good', 'current']]))).toBeNull();
  });
});
