import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutText, GROWTH, hasOuterSpace, writeText } from './sheet-text.ts';

function written(text: string): string {
  const source = Buffer.from(`<${text}>`);
  const target = new Uint8Array(GROWTH * source.length);
  return Buffer.from(target.subarray(0, writeText(target, 0, source, 1, source.length - 1))).toString();
}
/** Decodes an element's content as Excel does. */
const read = (xml: string): string =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

it.each([
  ['', ''],
  ['a < b > c & "d"', 'a &lt; b &gt; c &amp; "d"'],
  ['two\r\nlines\tand a tab', 'two_x000D_\nlines\tand a tab'],
  ['bell\u0007 and nothing\u0000', 'bell_x0007_ and nothing_x0000_'],
  ['_x000D_', '_x005F_x000D_'],
  ['_x00fE_', '_x005F_x00fE_'],
  ['_x000D', '_x000D'],
  ['_x00G0_ and _X000D_ and _x0000', '_x00G0_ and _X000D_ and _x0000'],
  ['_x0041_x0042_', '_x005F_x0041_x005F_x0042_'],
  ['\uFFFE\uFFFD\uFFFF\uFF41', '_xFFFE_\uFFFD_xFFFF_\uFF41'],
  ['Ünï 🏦', 'Ünï 🏦'],
])('%j is written %j', (text, xml) => expect(written(text)).toBe(xml));

it('every text can be read back, and is valid XML', () => {
  const nasty = fc.constantFrom(
    '_',
    'x',
    '0',
    '0',
    '4',
    'F',
    '&',
    '<',
    '\r',
    '\u0001',
    '\uFFFE',
    '\uFFFF',
    ' ',
    'ü',
    '🏦',
  );
  fc.assert(
    fc.property(fc.array(nasty), (characters) => {
      const text = characters.join('');
      const xml = written(text);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not occur
      expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f<\uFFFE\uFFFF]/);
      expect(read(xml)).toBe(text);
    }),
  );
});

it.each([
  ['', false],
  ['a b', false],
  [' a', true],
  ['a\n', true],
  ['\t', true],
])('%j has leading or trailing space: %s', (text, has) => {
  const bytes = Buffer.from(text);
  expect(hasOuterSpace(bytes, 0, bytes.length)).toBe(has);
});

it('a text is cut to 32,767 characters as Excel counts them, never within a character', () => {
  const cut = (text: string): string => Buffer.from(cutText(Buffer.from(text))).toString();
  expect(cut('a'.repeat(32_767))).toHaveLength(32_767);
  expect(cut('a'.repeat(32_768))).toBe('a'.repeat(32_767));
  expect(cut('ü'.repeat(32_767))).toHaveLength(32_767);
  expect(cut(`${'a'.repeat(32_766)}🏦`)).toBe('a'.repeat(32_766));
  expect(cut(`${'a'.repeat(32_765)}🏦b`)).toBe(`${'a'.repeat(32_765)}🏦`);
});
