import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compiledModule } from './compiled-code.ts';
import { scanRows } from './testing/scan-rows.ts';
import { columnLetters } from './workbook-parts.ts';

test.each(['row-scanner', 'batch-packer'] as const)('the compiled %s matches its source', (name) => {
  const [digest] = WebAssembly.Module.customSections(compiledModule(name), 'source-sha256');
  const source = readFileSync(new URL(`../scanner/${name}.ts`, import.meta.url));
  expect(Buffer.from(digest!).toString('hex'), 'run `pnpm --filter @tapeline/sheets scanner`').toBe(
    createHash('sha256').update(source).digest('hex'),
  );
});

const WIDTH = 30;

/** All cells that a scanner puts into columns, fed in chunks of this size. */
function scan(rows: string, chunkBytes: number) {
  const scanner = scanRows(
    rows,
    chunkBytes,
    Array.from({ length: WIDTH }, (_, column) => column),
    64,
    {
      tagOfStyle: Uint8Array.of(1, 4, 1),
      sharedCount: 1000,
      hasBlankShared: true,
      isBlankShared: (code) => code === 0,
      epoch: 1900,
      headerRow: 0,
    },
  );
  const { rowCount, rowNumbers, tags, values } = scanner.target;
  const texts = Array.from({ length: scanner.inline.count }, (_, index) => scanner.inline.text(index));
  return [rowCount, [...rowNumbers.subarray(0, rowCount)], [...tags], [...values], texts];
}

const cellArbitrary = fc.record({
  column: fc.integer({ min: 0, max: WIDTH - 1 }),
  style: fc.constantFrom('', ' s="1"', ' s="2"'),
  content: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => ['', `<v>${value}</v>`]),
    fc.double({ min: 1e-9, max: 1e9, noNaN: true }).map((value) => ['', `<v>${value.toPrecision(17)}</v>`]),
    fc.integer({ min: -1e9, max: 1e9 }).map((cents) => [' t="n"', `<v>${cents / 100}</v>`]),
    fc.integer({ min: 0, max: 999 }).map((code) => [' t="s"', `<v>${code}</v>`]),
    fc.boolean().map((value) => [' t="b"', `<v>${value ? 1 : 0}</v>`]),
    fc.integer({ min: 0, max: 99 }).map((value) => ['', `<f>A1*${value}&gt;2</f><v>${value}</v>`]),
    fc
      .constantFrom('text', ' kept ', 'a_b', 'a_x0041_', '', 'naïve', 'a &amp; b', ']', 'two\nlines')
      .chain((value) =>
        fc.constantFrom<string[]>(
          [' t="inlineStr"', `<is><t>${value}</t></is>`],
          [' t="inlineStr"', `<is><t xml:space="preserve">${value}</t></is>`],
          [' t="str"', `<v>${value}</v>`],
          [' t="str"', `<f>A1</f><v>${value}</v>`],
        ),
      ),
    fc.constant(['', '']),
  ),
});

test('property: the compiled scanner and the careful reader agree on all cells, however the chunks are cut', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.record({
          number: fc.oneof(fc.integer({ min: 1, max: 1200 }), fc.integer({ min: 1, max: 1_048_576 })),
          cells: fc.uniqueArray(cellArbitrary, { selector: ({ column }) => column, maxLength: WIDTH }),
        }),
        { selector: ({ number }) => number, maxLength: 12 },
      ),
      fc.integer({ min: 1, max: 900 }),
      (rows, chunkBytes) => {
        rows.sort((one, other) => one.number - other.number);
        const usual = rows.map(({ number, cells }) => {
          const inner = cells.map(({ column, style, content: [type, value] }) =>
            value === ''
              ? `<c r="${columnLetters(column)}${number}"${style}/>`
              : `<c r="${columnLetters(column)}${number}"${style}${type}>${value}</c>`,
          );
          return `<row r="${number}" spans="1:${WIDTH}">${inner.join('')}</row>`;
        });
        const unusual = rows.map(({ number, cells }) => {
          const inner = cells.map(
            ({ column, style, content: [type, value] }) =>
              `<x:c ${type}${style} r='${columnLetters(column)}${number}' >${value!.replaceAll('<', '<x:').replaceAll('<x:/', '</x:')}</x:c>\n`,
          );
          return `<x:row  r = "${number}">${inner.join('')}</x:row>`;
        });
        expect(scan(usual.join(''), chunkBytes)).toEqual(scan(unusual.join(''), 1 << 20));
      },
    ),
    { numRuns: 150 },
  );
});
