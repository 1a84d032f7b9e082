import { SheetScanner } from '../sheet-scanner.ts';

/** A scanner that was fed all rows of a sheet in chunks of this size. */
export function scanRows(
  rows: string,
  chunkBytes: number,
  ...scanner: ConstructorParameters<typeof SheetScanner>
): SheetScanner {
  const xml = Buffer.from(`<worksheet><sheetData>${rows}</sheetData></worksheet>`);
  const scanning = new SheetScanner(...scanner);
  for (let start = 0; start < xml.length; start += chunkBytes) {
    scanning.feed(xml.subarray(start, start + chunkBytes));
  }
  scanning.finish();
  scanning.refuseTruncated();
  return scanning;
}
