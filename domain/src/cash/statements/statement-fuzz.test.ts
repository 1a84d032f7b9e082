import { expect, test } from 'vitest';
import { isRefusal } from '../../errors/refusal.ts';
import { add, compare, isDecimal, sum } from '../../money/decimal.ts';
import { type CsvReading, readStatements } from './read-statements.ts';
import { AMERICAN, GERMAN, sample } from './testing/samples.ts';

const FILES = 2_000;
const SAMPLES: readonly (readonly [string, CsvReading?])[] = [
  ['camt053-02.xml'],
  ['camt053-08.xml'],
  ['camt054-08.xml'],
  ['german.mt940'],
  ['swift.mt940'],
  ['habits.mt940'],
  ['habits-camt053.xml'],
  ['two-accounts.bai2'],
  ['charges.mt940'],
  ['charges-camt053-02.xml'],
  ['charges-camt053-08.xml'],
  ['charges-camt054-08.xml'],
  ['charges.bai2'],
  ['german.csv', GERMAN],
  ['american.csv', AMERICAN],
];

/** Mulberry32: the same numbers in each run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What breaks parsers: signs of the formats, and bytes that are no text. */
const PIECES = [
  '<',
  '>',
  '&',
  '"',
  "'",
  ':',
  ',',
  '.',
  '-',
  '/',
  '\n',
  '0',
  '9',
  'C',
  'D',
  'R',
  '\u0000',
  '\u00ff',
  ']]>',
  '<!--',
  ':61:',
  '88,',
  '999999999999',
  '2026-02-30',
];

function mutated(bytes: Uint8Array, number: (below: number) => number): Uint8Array {
  let changed = [...bytes];
  for (let count = 1 + number(4); count > 0; count -= 1) {
    const at = number(changed.length + 1);
    const length = number(40);
    const piece = [...(PIECES[number(PIECES.length)] ?? '')].map((sign) => sign.charCodeAt(0));
    switch (number(6)) {
      case 0:
        changed[at] = number(256);
        break;
      case 1:
        changed.splice(at, length);
        break;
      case 2:
        changed.splice(at, 0, ...piece);
        break;
      case 3:
        changed.splice(at, 1, ...piece);
        break;
      case 4:
        changed.splice(number(changed.length + 1), 0, ...changed.slice(at, at + length));
        break;
      default:
        changed = number(8) === 0 ? changed.slice(0, at) : changed;
    }
    if (changed.length === 0) changed = [0];
  }
  return Uint8Array.from(changed, (byte) => byte ?? 0);
}

test(`${FILES} damaged files are refused, or read with balances that hold`, () => {
  let [refused, read] = [0, 0];
  for (let seed = 1; seed <= FILES; seed += 1) {
    const number = numbersFrom(seed);
    const [name, csv] = SAMPLES[seed % SAMPLES.length]!;
    const file = mutated(sample(name), number);
    try {
      for (const { opening, closing, lines } of readStatements(file, csv)) {
        const amounts = lines.map(({ amount }) => amount);
        expect(amounts.filter((amount) => !isDecimal(amount))).toEqual([]);
        expect(new Set(lines.map(({ reference }) => reference)).size).toBe(lines.length);
        if (opening && closing) expect(compare(add(opening.amount, sum(amounts)), closing.amount)).toBe(0);
      }
      read += 1;
    } catch (error) {
      if (!isRefusal(error)) throw new Error(`seed ${seed}, ${name}`, { cause: error });
      expect(error.reasons.file?.code).toBe('statementFile');
      refused += 1;
    }
  }
  // Changes of names and texts leave statements.
  expect(refused).toBeGreaterThan(FILES / 2);
  expect(read).toBeGreaterThan(FILES / 8);
}, 60_000);
