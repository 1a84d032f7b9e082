import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { expect, test } from 'vitest';
import { inspectSheetFile } from './inspect-sheet.ts';
import { readRows, writeFile, writeWorkbook } from './testing/workbook-file.ts';

const ROUNDS = 1_000;

/** A seeded stream of integers below a bound. */
function integers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

const SNIPPETS = [
  '<',
  '>',
  '"',
  '</row>',
  '<row r="',
  '<c r="A1"',
  '<![CDATA[',
  '<!--',
  '</v>',
  '&#x',
  '\0',
  '99999999999',
  't="s"',
  '/>',
];

test('no mutation of a workbook crashes or hangs the reader: it reads it or refuses it', async () => {
  const next = integers(2026);
  const cell = (reference: string, inner: string, attributes = '') => `<c r="${reference}"${attributes}>${inner}</c>`;
  const sources = [
    // stored, so that mutations reach the XML itself; checksums are not, hence the second form below
    readFileSync(fileURLToPath(new URL('fixtures/libreoffice-loans.xlsx', import.meta.url))),
    readFileSync(
      await writeWorkbook({
        strings: ['<si><t>Loan</t></si>', '<si><t>Value</t></si>', '<si><r><t>a</t></r></si>'],
        rows: `<row r="1">${cell('A1', '<v>0</v>', ' t="s"')}${cell('B1', '<v>1</v>', ' t="s"')}</row><row r="2">${cell('A2', '<v>2</v>', ' t="s"')}${cell('B2', '<v>5.25</v>')}</row>`,
        level: 0,
      }),
    ),
  ];
  const sheet =
    '<?xml version="1.0"?><worksheet><cols><col min="1"/></cols><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Loan</t></is></c><c r="B1" t="str"><v>Value</v></c></row><row r="2" spans="1:2"><c r="A2" s="0" t="n"><v>1.5</v></c><c r="B2"><f>A2*2</f><v>3</v></c></row><row r="3"><c r="A3" t="b"><v>1</v></c><c r="B3" t="e"><v>#N/A</v></c></row></sheetData></worksheet>';
  const outcomes = { read: 0, refused: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    let path: string;
    if (round % 2 === 0) {
      const bytes = Buffer.from(sources[(round >> 1) % sources.length]!);
      for (let change = 0; change <= next(4); change += 1) {
        bytes[next(bytes.length)] = next(256);
      }
      path = writeFile('.xlsx', next(10) === 0 ? bytes.subarray(0, next(bytes.length)) : bytes);
    } else {
      let mutated = sheet;
      for (let change = 0; change <= next(3); change += 1) {
        const at = next(mutated.length);
        const snippet = SNIPPETS[next(SNIPPETS.length)]!;
        mutated = mutated.slice(0, at) + snippet + mutated.slice(at + next(12));
      }
      path = await writeWorkbook({ sheet: mutated });
    }
    for (const attempt of [() => readRows(path), () => inspectSheetFile(path)]) {
      try {
        await attempt();
        outcomes.read += 1;
      } catch (error) {
        if (!(error instanceof Refusal)) {
          throw new Error(`round ${round}: ${String(error)}`, { cause: error });
        }
        outcomes.refused += 1;
      }
    }
  }
  expect(outcomes.read).toBeGreaterThan(100);
  expect(outcomes.refused).toBeGreaterThan(500);
  expect(process.memoryUsage().rss).toBeLessThan(1.5 * 2 ** 30);
}, 120_000);
