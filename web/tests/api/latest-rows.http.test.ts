import { expect, it } from 'vitest';
import { expectRefusal, signedIn } from '../api-client.ts';
import { uploadTape } from '../northwind-tapes.ts';
import { ownTenant } from '../tenant.ts';

const tenant = ownTenant();
const PATH = '/LTP/latestRows';
const MONTHS = ['202610', '202611', '202612'];
const LOANS = Array.from({ length: 8 }, (_, at) => `00${at}`);
const ROWS = MONTHS.flatMap((month, step) => LOANS.map((loan, at) => `${loan},${month},${1000 + 10 * at + step}.50`));

const file = (rows: readonly string[], name = 'ledger.csv') =>
  uploadTape(tenant.manager, {
    name,
    bytes: Buffer.from(['Asset,Period,Current Balance', ...rows].join('\n')),
    type: 'text/csv',
  });
const bodyOf = (key: string, more: object = {}) => ({
  attachment: { key },
  idColumn: 'Asset',
  monthColumn: 'Period',
  ...more,
});

it('proposals say by which columns and what would remain, and the call makes a file that is a tape', async () => {
  const key = await file([...ROWS, '007,soon,5', ',202612,5']);
  const [proposal] = (await tenant.manager.post('/LTP/proposals', { attachments: [{ key }] })).json;
  const counts = {
    rows: 26,
    loans: 8,
    later: 0,
    withoutId: 1,
    withoutMonth: 1,
    lostLoans: 0,
    misfits: 0,
    tied: 0,
    behind: 0,
    latestMonth: { text: '202612', date: '2026-12-31' },
  };
  expect(proposal).toMatchObject({
    kind: 'rowPerMonth',
    otherSheet: {
      kind: 'rowPerMonth',
      message: expect.stringContaining('a row for each loan and month'),
      rowPerMonth: { idColumn: 'Asset', monthColumn: 'Period', counts },
    },
  });
  const { idColumn, monthColumn } = proposal.otherSheet.rowPerMonth;
  const made = await tenant.manager.post(PATH, { attachment: { key }, idColumn, monthColumn });
  expect(made.status, made.text).toBe(201);
  expect(made.json).toMatchObject({
    attachment: {
      bucket: 'loanTapes',
      name: 'ledger, latest rows.csv',
      type: 'text/csv',
      checksum: expect.any(String),
    },
    sheetName: 'CSV',
    counts,
    notices: [],
  });
  const [latest] = (await tenant.manager.post('/LTP/proposals', { attachments: [made.json.attachment] })).json;
  expect(latest).toMatchObject({ kind: 'tape', headerRow: 1 });
  expect(latest).not.toHaveProperty('otherSheet');
  const signed = await tenant.manager.post('/files/signedUrls/loanTapes?operation=download', {
    filesInfo: [{ key: made.json.attachment.key }],
  });
  const text = await (await fetch(signed.json[0].fileMetadata.signedUrl)).text();
  expect(text).toBe(
    `Asset,Period,Current Balance\n${LOANS.map((loan, at) => `${loan},202612,${1000 + 10 * at + 2}.50\n`).join('')}`,
  );
});

it('leaves out rows after a date', async () => {
  const made = await tenant.manager.post(PATH, bodyOf(await file(ROWS), { upTo: '2026-11-15' }));
  expect(made.json).toMatchObject({ counts: { loans: 8, later: 8, latestMonth: { date: '2026-11-30' } } });
});

it('refuses columns and sheets that are not of loans and months, and dates before them', async () => {
  const key = await file(ROWS);
  const refused = async (more: object, of = key) => tenant.manager.post(PATH, bodyOf(of, more));
  expectRefusal(await refused({ idColumn: 'Loan' }), 400, /has no column “Loan”/);
  expectRefusal(await refused({ monthColumn: 'constructor' }), 400, /has no column/);
  expectRefusal(await refused({ monthColumn: 'Asset' }), 400, /two columns/);
  expectRefusal(
    await refused({ idColumn: 'Period', monthColumn: 'Current Balance' }),
    400,
    /no month in 24 of 24 rows/,
  );
  expectRefusal(await refused({ upTo: '2020-01-31' }), 400, /The first month is/);
  expectRefusal(await refused({ upTo: 'soon' }), 400);
  expectRefusal(await refused({ idColumn: 'x'.repeat(1001) }), 400);
  expectRefusal(await refused({ target: 'uploads/loanTapes/x' }), 400);
  expectRefusal(await refused({}, await file(LOANS.map((loan) => `${loan},202612,5`))), 400, /one row only/);
  expectRefusal(await refused({}, await file([])), 400);
});

it('is for those who may upload, and for files that they can see', async () => {
  const key = await file(ROWS);
  expectRefusal(await tenant.manager.post(PATH, bodyOf('0'.repeat(24))), 404);
  const other = await signedIn('manager@tapeline.test');
  expectRefusal(await other.post(PATH, bodyOf(key)), 404);
  const borrower = await signedIn(tenant.emails.borrower);
  expect((await borrower.post(PATH, bodyOf(key))).status).toBeGreaterThanOrEqual(403);
  const investor = await signedIn(tenant.emails.investor);
  expectRefusal(await investor.post(PATH, bodyOf(key)), 403);
  const made = await tenant.manager.post(PATH, bodyOf(key));
  expectRefusal(await other.post('/LTP/proposals', { attachments: [{ key: made.json.attachment.key }] }), 404);
});
