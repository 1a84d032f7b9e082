import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSharedTexts, type SharedColumn, type SharedTexts } from './shared-texts.ts';

const indexOf = (column: SharedColumn, text: string): number => {
  const bytes = Buffer.from(`(${text})`);
  return column.indexOf(bytes, 1, bytes.length - 1);
};
const textsOf = (texts: SharedTexts): string[] => [...texts.texts()].map((bytes) => Buffer.from(bytes).toString());

it('a text has one index, whichever column it is in', () => {
  const texts = createSharedTexts();
  const [first, second] = [texts.column(), texts.column()];
  expect(['USD', 'EUR', 'USD', 'Ü'].map((text) => indexOf(first, text))).toEqual([0, 1, 0, 2]);
  expect(['EUR', 'GBP', 'USD'].map((text) => indexOf(second, text))).toEqual([1, 3, 0]);
  expect(textsOf(texts)).toEqual(['USD', 'EUR', 'Ü', 'GBP']);
});

it('every index leads to its text, and no two texts share one', () => {
  const kinds = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), { maxLength: 200 });
  fc.assert(
    fc.property(kinds, (all) => {
      const texts = createSharedTexts(64, 400);
      const column = texts.column();
      const indexes = all.map((text) => indexOf(column, text));
      const kept = textsOf(texts);
      expect(new Set(kept).size).toBe(kept.length);
      indexes.forEach((place, index) => {
        if (place >= 0) expect(kept[place]).toBe(all[index]);
      });
    }),
  );
});

it("texts beyond the table's limit are written inline, and those in it stay in it", () => {
  const few = createSharedTexts(2, 1000).column();
  expect(['a', 'b', 'c', 'a', 'b'].map((text) => indexOf(few, text))).toEqual([0, 1, -1, 0, 1]);
  const small = createSharedTexts(1000, 5).column();
  expect(['abc', 'def', 'de', 'abc'].map((text) => indexOf(small, text))).toEqual([0, -1, 1, 0]);
});

it('empty texts and long texts are written inline', () => {
  const column = createSharedTexts().column();
  expect(['', 'x'.repeat(256), 'x'.repeat(255)].map((text) => indexOf(column, text))).toEqual([-1, -1, 0]);
});

it('a column of names stops using the table, and another column continues', () => {
  const texts = createSharedTexts();
  const [names, kinds] = [texts.column(), texts.column()];
  const indexes = Array.from({ length: 10_000 }, (_, index) => indexOf(names, `name ${index}`));
  expect(indexes[0]).toBe(0);
  expect(indexOf(names, 'name 0')).toBe(-1);
  expect(textsOf(texts).length).toBeLessThan(5000);
  expect(indexOf(kinds, 'name 0')).toBe(0);
  const repeated = Array.from({ length: 30_000 }, (_, index) => indexOf(kinds, `kind ${index % 3000}`));
  expect(repeated).not.toContain(-1);
});
