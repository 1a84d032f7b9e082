import { capitalAccountStatement } from '@tapeline/domain/capital/capital-account-statement.ts';
import { sampleFund } from '@tapeline/domain/capital/testing/sample-notices.ts';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { capitalAccountWorkbook } from './capital-account-workbook.ts';
import { type ArchivedDocument, documentArchive } from './document-archive.ts';

const { call, investors } = sampleFund(4);
const statement = capitalAccountStatement(
  {
    letterhead: call.letterhead,
    fund: call.fund,
    investor: investors[3]!.investor,
    issueDate: '2026-10-28',
    cutOffDate: '2026-09-30',
    holdingPercent: '24.19354839',
    holdingOf: 'class',
  },
  [investors[3]!.ledger],
);

test('a statement as a workbook has the figures of the statement as numbers', async () => {
  const bytes = await capitalAccountWorkbook(statement);
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(bytes as unknown as ArrayBuffer);
  const rows = new Map<string, unknown[]>();
  workbook.getWorksheet('Capital account')!.eachRow((row) => {
    const [, label, ...values] = row.values as unknown[];
    rows.set(String(label).trim(), values);
  });
  const { quarter, yearToDate, sinceInception } = statement.periods;
  const of = (name: 'opening' | 'contributions' | 'unrealizedChange' | 'closing') =>
    [quarter, yearToDate, sinceInception].map(({ lines }) => Number(lines![name]));
  expect(rows.get('Opening balance')).toEqual(of('opening'));
  expect(rows.get('Contributions')).toEqual(of('contributions'));
  expect(rows.get('Change in unrealized value')).toEqual(of('unrealizedChange'));
  expect(rows.get('Closing balance')).toEqual(of('closing'));
  expect(rows.get('Investor')).toEqual(['Αιγαίον Επενδυτική Α.Ε.']);
  expect(rows.get('TVPI')).toEqual([Number(statement.tvpi)]);
  expect(rows.get('As of')).toEqual([new Date('2026-09-30T00:00:00Z')]);
  expect((await capitalAccountWorkbook(statement)).equals(bytes)).toBe(true);
});

test('a statement without a net asset value says n/a and why', async () => {
  const bytes = await capitalAccountWorkbook(
    capitalAccountStatement({ ...statement, cutOffDate: '2025-06-20' }, [investors[3]!.ledger]),
  );
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(bytes as unknown as ArrayBuffer);
  const texts: unknown[] = [];
  workbook.getWorksheet('Capital account')!.eachRow((row) => texts.push(...(row.values as unknown[])));
  expect(texts).toContain('n/a');
  expect(texts).toContain('Less than 12 months since the first cash flow');
});

const documents = (count: number): ArchivedDocument[] =>
  Array.from({ length: count }, (_, index) => ({
    name: index % 2 === 0 ? 'CALL-04 Northern Pension' : `CALL-04 ../Łódź ${index}`,
    extension: 'pdf' as const,
    content: [Buffer.from(`document ${index}`)],
  }));

const archived = async (content: Parameters<typeof documentArchive>[0]): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of documentArchive(content)) chunks.push(chunk);
  return Buffer.concat(chunks);
};

test('an archive has safe and unique names, and the same bytes each time', async () => {
  const bytes = await archived(documents(4));
  for (const name of ['CALL-04 Northern Pension.pdf', 'CALL-04 ..-Łódź 1.pdf', 'CALL-04 Northern Pension (2).pdf']) {
    expect(bytes.includes(name), name).toBe(true);
  }
  expect(bytes.includes('../')).toBe(false);
  expect((await archived(documents(4))).equals(bytes)).toBe(true);
});

test('an archive asks for a document only when the one before is written', async () => {
  let made = 0;
  async function* counted() {
    for (let index = 0; index < 50; index += 1) {
      made += 1;
      yield { name: 'x', extension: 'pdf' as const, content: [Buffer.alloc(300_000, index)] };
    }
  }
  const archive = documentArchive(counted());
  for (let taken = 0; taken < 3; taken += 1) await archive.next();
  expect(made).toBeLessThanOrEqual(2);
  await archive.return();
});
