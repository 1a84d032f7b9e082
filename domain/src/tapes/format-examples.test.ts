import { expect, test } from 'vitest';
import { choiceExamples } from './format-examples.ts';

const of = (...given: Parameters<typeof choiceExamples>) => Object.fromEntries(choiceExamples(...given));

test('the value that the orders read differently is the example', () => {
  expect(of('order', ['31.12.2024', '03.04.24'])).toEqual({
    dayFirst: '03.04.24 is 3 Apr 2024',
    monthFirst: '03.04.24 is 4 Mar 2024',
    yearFirst: '03.04.24 is 24 Apr 2003',
    yearMonth: '03.04.24 is not read',
    monthYear: '03.04.24 is not read',
  });
  expect(of('order', ['250107'], 1930).yearFirst).toBe('250107 is 7 Jan 2025');
});

test('a figure that both signs read shows what each makes of it', () => {
  expect(of('decimal', ['5,25', '12.000 €'])).toEqual({ point: '12.000 € is 12', comma: '12.000 € is 12000' });
  expect(of('negative', ['100', '(500,00)'])).toEqual({
    brackets: '(500,00) is -500',
    trailing: '(500,00) is not read',
  });
});

test('a share shows what it is in percent', () => {
  expect(of('scale', ['5%', '0.0575'])).toEqual({ zeroTo100: '0.0575 is 0.0575%', zeroTo1: '0.0575 is 5.75%' });
});

test('values that no choice reads, and other options, have no examples', () => {
  expect(of('order', ['abc', ''])).toEqual({});
  expect(of('negative', ['100'])).toEqual({});
  expect(of('unit', ['100'])).toEqual({});
});
