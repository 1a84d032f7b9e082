import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRows } from '@tapeline/sheets/testing/workbook-file.ts';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface Line {
  column: string | null;
  use: string;
  field: { path: string; label: string } | null;
  rule: { position: number; steps: string; checks: string[]; onUnreadable: string; stored: boolean } | null;
  onLastTape: { filled: number; assets: number; example: string | null } | null;
  first: { name: string; cutOffDate: string } | null;
  last: { id: string; name: string; cutOffDate: string } | null;
}

let manager: ApiClient;
let company: string;
beforeAll(async () => {
  manager = await signedIn('manager@tapeline.test');
  const filter = { 'entity.name': 'Northwind Consumer Loans' };
  [{ id: company }] = (await manager.get('/crud/companies', { filter })).json;
});

const ask = (format?: string, client = manager, id = company) =>
  client.get(`/LTP/dictionary/${id}`, format ? { format } : {});

it('lists the columns of all tapes with what the last tape has', async () => {
  const answer = await ask();
  expect(answer.status, answer.text).toBe(200);
  const { lines, tapes, tapesRead } = answer.json;
  expect(tapesRead).toBe(tapes);
  expect(answer.json.company).toEqual({ id: company, name: 'Northwind Consumer Loans' });
  const lineOf = (column: string): Line => lines.find((line: Line) => line.column === column);
  const balance = lineOf('Principal Balance');
  expect(balance).toMatchObject({
    use: 'field',
    field: { path: 'sums.outstandingSum', label: 'Current balance' },
    rule: { steps: expect.stringMatching(/^Amount of money/), stored: true },
    onLastTape: { example: expect.stringMatching(/^[\d,.]+ USD$/) },
  });
  const { json } = await manager.get('/crud/loanTape', { filter: { id: balance.last!.id } });
  expect(balance.onLastTape?.assets).toBe(json[0].counts.assets);
  const filter = { loanTape: balance.last!.id, 'sums.outstandingSum': { exists: true } };
  const filled = await manager.get('/crud/assets', { filter, limit: 1 });
  expect(String(balance.onLastTape?.filled)).toBe(filled.headers.get('x-docs-count'));
  expect(balance.first!.cutOffDate < balance.last!.cutOffDate).toBe(true);
  expect(lineOf('Loan ID').rule).toMatchObject({
    checks: expect.arrayContaining(['Mandatory']),
    onUnreadable: 'error',
  });
});

it('is a workbook and a CSV file with the same lines', async () => {
  const { lines } = (await ask()).json as { lines: Line[] };
  const workbook = await ask('xlsx');
  expect([workbook.status, workbook.headers.get('content-type')]).toEqual([200, XLSX]);
  expect(decodeURIComponent(workbook.headers.get('content-disposition') ?? '')).toContain(
    'Northwind Consumer Loans-data-dictionary.xlsx',
  );
  const folder = await mkdtemp(join(tmpdir(), 'dictionary-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'file.xlsx'), workbook.bytes);
  const { head, rows } = await readRows(join(folder, 'file.xlsx'), { headerRow: 1 });
  const headers = head.columns.map(({ header }) => header);
  expect(headers).toEqual(expect.arrayContaining(['Column', 'Meaning', 'Assets of the last tape with this field, %']));
  const at = (name: string) => rows.map((row) => row[headers.indexOf(name)] ?? null);
  expect(at('Column')).toEqual(lines.map(({ column }) => column));
  expect(at('Field')).toEqual(lines.map(({ field }) => field?.path ?? null));
  expect(at('Assets with this field')).toEqual(lines.map(({ onLastTape }) => onLastTape?.filled ?? null));
  const shares = lines.map(({ onLastTape }) => onLastTape && onLastTape.filled / onLastTape.assets);
  const written = at('Assets of the last tape with this field, %');
  expect(written.map((share) => share === null)).toEqual(shares.map((share) => share === null));
  const known = shares.flatMap((share, index) => (share === null ? [] : [{ share, written: written[index] }]));
  expect(known.length).toBeGreaterThan(20);
  for (const { share, written: shown } of known) expect(shown).toBeCloseTo(share, 8);
  const csv = await ask('csv');
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(csv.text.split('\n')[0]).toMatch(/^column,use,label,path,kind,steps,checks,validations,onUnreadable,filled/);
  expect(csv.text).toContain('\nPrincipal Balance,Becomes this field,Current balance,sums.outstandingSum,Amount,');
});

it('is only for those who may read the mappings and tapes of the company', async () => {
  const [borrower, otherManager, investor, analyst] = await Promise.all(
    ['borrower@tapeline.test', 'manager2@tapeline.test', 'investor@tapeline.test', 'analyst@tapeline.test'].map(
      signedIn,
    ),
  );
  for (const format of [undefined, 'xlsx', 'csv']) {
    expectRefusal(await ask(format, borrower), 403);
    expectRefusal(await ask(format, investor), 403);
    expectRefusal(await ask(format, otherManager), 404);
    expect((await ask(format, analyst)).status).toBe(200);
  }
  expect(expectRefusal(await ask('pdf'), 400).flags).toEqual({ format: 'must be one of json, xlsx, csv' });
  expectRefusal(await ask(undefined, manager, '0'.repeat(24)), 404);
});
