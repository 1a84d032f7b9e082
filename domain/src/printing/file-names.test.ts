import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { noticeFileName, safeFileName, uniqueFileNames } from './file-names.ts';

test('names keep letters of any script and lose what file systems refuse', () => {
  expect(safeFileName('CALL-04 Łódź Αθήνα Иван')).toBe('CALL-04 Łódź Αθήνα Иван');
  expect(safeFileName('../../etc/passwd')).toBe('-..-etc-passwd');
  expect(safeFileName('a<b>:"c"|?*\\')).toBe('a-b---c-----');
  expect(safeFileName(' . ')).toBe('document');
  expect(safeFileName('a\u0000\u202egpj')).toBe('agpj');
  expect(safeFileName('COM1')).toBe('COM1-');
  expect(safeFileName('Fund Ltd.')).toBe('Fund Ltd');
});

test('any name is safe, short and the same again', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 400 }), (name) => {
      const safe = safeFileName(name);
      expect(safe).not.toMatch(/[<>:"/\\|?*]|\p{C}|^\.|[. ]$|^$/u);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(181);
      expect(safeFileName(safe)).toBe(safe);
    }),
  );
});

test('equal names are numbered, also if they differ only in case or in what was removed', () => {
  const nameOf = uniqueFileNames();
  expect(['Fund', 'fund', 'Fund ', 'Fund (2)', 'Fund'].map((name) => nameOf(name, 'pdf'))).toEqual([
    'Fund.pdf',
    'fund (2).pdf',
    'Fund (3).pdf',
    'Fund (2) (2).pdf',
    'Fund (4).pdf',
  ]);
  expect(nameOf('Fund', 'xlsx')).toBe('Fund.xlsx');
});

test('a notice is named by its call and investor', () => {
  expect(noticeFileName('CALL', '4', 'Northern Pension')).toBe('CALL-04 Northern Pension');
  expect(noticeFileName('DIST', '2026/3', 'A')).toBe('DIST-2026/3 A');
});
