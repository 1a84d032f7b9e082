import { makeTapeWorkbook } from './workbook.ts';

// Generates the workbooks that the other benches read; otherwise each would generate its own on first use.
for (const rows of [100_000, 500_000, 1_000_000]) {
  process.stdout.write(`${await makeTapeWorkbook(rows)}\n`);
}
