import { expect, test } from 'vitest';
import { csvText } from './csv-text.ts';

const cell = (text: string): string => csvText([], [[text]]).slice(2, -2);

test.each([
  ['=1+1', "'=1+1"],
  ['+1 bank', "'+1 bank"],
  ['-x', "'-x"],
  ['@SUM(1)', "'@SUM(1)"],
  ['  =1+1', "'  =1+1"],
  ['＝1+1', "'＝1+1"],
  ['\t=1', "'\t=1"],
  ['\nx', '"\'\nx"'],
  ['-1.5', '-1.5'],
  ['- 1', "'- 1"],
  ['a=1', 'a=1'],
  [' a', ' a'],
  ['1=1', '1=1'],
  ['a "b", c', '"a ""b"", c"'],
])('the cell %j is written %j', (text, expected) => {
  expect(cell(text)).toBe(expected);
});
