import { ColumnTarget } from './column-target.ts';
import { SheetScanner } from './sheet-scanner.ts';
import { SHEET_END, SHEET_START } from './workbook-parts.ts';

let isPrimed = false;

/**
 * Shows the scanner every form of cell once, on a sheet of a few rows (under a millisecond). The engine compiles the
 * scan loop within the first megabyte of a real sheet; a form it has not met by then throws that code away, and a
 * fresh process spent half of its first read in such falls.
 */
export function primeScanner(): void {
  if (isPrimed) {
    return;
  }
  isPrimed = true;
  const forms = (r: number): string =>
    [
      `<c r="A${r}" t="s"><v>1</v></c><c r="B${r}" s="1" t="s"><v>12</v></c><c r="C${r}" s="0"/><c r="D${r}"><v>5</v></c>`,
      `<c r="E${r}" s="1"><v>45000</v></c><c r="F${r}"><v>-1234.5</v></c><c r="G${r}" t="n"><v>0.25</v></c><c r="H${r}"><v>-0.5</v></c>`,
      `<c r="I${r}"><v>1234567890.12</v></c><c r="J${r}"><v>0.10000000000000001</v></c><c r="K${r}"><v>12345678.123456789</v></c>`,
      `<c r="L${r}"><v>1.2345E-2</v></c><c r="M${r}"><v>5.0000000000000003E-2</v></c><c r="N${r}" t="b"><v>1</v></c>`,
      `<c r="O${r}"><f>A1*2</f><v>3</v></c><c r="P${r}"><f t="shared" si="0"/><v>4.5</v></c><c r="Q${r}" t="str"><v>x</v></c>`,
      `<c r="R${r}" t="inlineStr"><is><t>x &amp; y</t></is></c><c r="S${r}" t="e"><v>#N/A</v></c><c r="AA${r}"><v>7</v></c>`,
      `<c r="AB${r}" s="12" t="n"><v>8</v></c><c r="AAA${r}" t="s"><v>2</v></c><c r="AAB${r}"><v>1E+20</v></c><c><v>2</v></c>`,
    ].join('');
  const rows = [1, 12, 123, 1234, 12_345, 123_456, 1_000_000].map(
    (r) => `<row r="${r}" spans="1:9">${forms(r)}</row>\n<row r="${r + 4}"/><row r="${r + 5}"><c r="A${r + 5}" t="s"><v>3</v></c></row>`,
  );
  const xml = Buffer.from(SHEET_START + rows.join('') + SHEET_END);
  for (let round = 0; round < 2; round += 1) {
    // wanted and unwanted columns, rows above the header, chunks that end within a row, a batch that fills up
    const columns = Array.from({ length: 27 }, (_, column) => column);
    const scanner = new SheetScanner(new ColumnTarget(columns, 12), {
      tagOfStyle: new Uint8Array(20).fill(1),
      sharedCount: 20,
      isBlankShared: (code) => code === 3,
      epoch: 1900,
      headerRow: 1,
    });
    for (let start = 0; start < xml.length; start += 3_000) {
      scanner.feed(xml.subarray(start, start + 3_000));
      while (scanner.isPaused) {
        scanner.openBatch(new ColumnTarget(columns, 12));
        scanner.resume();
      }
    }
    scanner.finish();
  }
}
