import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { diceOf } from './fuzz/mutate.ts';
import { inspectSheetFile } from './inspect-sheet.ts';
import { SheetError } from './sheet-error.ts';
import { readRows, writeFile } from './testing/workbook-file.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}.xlsx`, import.meta.url));

describe('encrypted workbooks', () => {
  // One workbook, encrypted by two independent programs: as Excel does since 2010, and as Excel 2007 did.
  test.each(['msoffcrypto', 'officecrypto'])(
    "with Excel's default password are read like any other, from %s",
    async (writer) => {
      const plain = await readRows(fixture('openpyxl-loans'));
      const { head, rows } = await readRows(fixture(`${writer}-default-password`));
      expect(head).toEqual(plain.head);
      expect(rows).toEqual(plain.rows);
      expect((await inspectSheetFile(fixture(`${writer}-default-password`))).rows.length).toBeGreaterThan(0);
    },
  );

  test.each(['msoffcrypto', 'officecrypto'])('with another password are rejected, from %s', async (writer) => {
    await expect(readRows(fixture(`${writer}-own-password`))).rejects.toThrow(
      /protected by a password.*remove the password/,
    );
  });

  test.each(['msoffcrypto', 'officecrypto'])(
    'that are damaged are rejected or read unchanged, from %s',
    async (writer) => {
      const bytes = readFileSync(fixture(`${writer}-default-password`));
      const plain = await readRows(fixture('openpyxl-loans'));
      const dice = diceOf(7);
      for (let file = 0; file < 12; file += 1) {
        const changed = file % 4 === 0 ? Buffer.from(bytes.subarray(0, dice(bytes.length))) : Buffer.from(bytes);
        // mostly the tables of offsets
        for (let change = 0; change < 3 && changed.length > 0; change += 1) {
          const at = dice(3) === 0 ? dice(changed.length) : dice(Math.min(changed.length, 2048));
          changed[at] = [0, 1, 0xfe, 0xff, dice(256)][dice(5)]!;
        }
        try {
          expect((await readRows(writeFile('.xlsx', changed))).rows).toEqual(plain.rows);
        } catch (error) {
          if (!(error instanceof SheetError)) throw error;
        }
      }
    },
  );
});
