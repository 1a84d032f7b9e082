import { NORTHWIND_MAPPING } from '@tapeline/demonstration/facilities.ts';
import { workbookBytes } from '@tapeline/demonstration/load/workbook.ts';
import type { TapeCell, TapeSheet } from '@tapeline/demonstration/tapes.ts';
import { tapesOf } from '@tapeline/demonstration/tapes.ts';
import { type Caller, putFile } from '../client/caller.ts';
import { ensure } from './steps.ts';
import { until } from './until.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const TAPE_TIMEOUT_MS = 600_000;

/** The count and the sum that a tape must have once it is published. */
export interface Expected {
  tapeId: string;
  cutOffDate: string;
  assets: number;
  /** The sum of the principal balances, with cents. */
  sum: string;
}

interface Tape {
  id: string;
  schedulerStatus: string;
  processStatus: string;
  counts: { assets: number; errored: number } | null;
  failure: string | null;
  progress: { stage: string; rowsRead: number; rowsTransformed: number } | null;
}

/** A manager with one company, both created by the administrator. */
export interface Portfolio {
  admin: Caller;
  /** Headers of a call in which the administrator acts for the manager. */
  headers: { 'x-manager-id': string };
  companyId: string;
}

async function created<T>(admin: Caller, path: string, body: unknown, headers = {}): Promise<T> {
  const answer = await admin.json('POST', path, body, { headers });
  ensure(answer.status < 300, `POST ${path}: ${answer.status} ${answer.text.slice(0, 600)}`);
  return JSON.parse(answer.text) as T;
}

async function read<T>({ admin, headers }: Portfolio, path: string, query: Record<string, unknown>): Promise<T> {
  const words = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  const answer = await admin.call('GET', `${path}?${new URLSearchParams(words)}`, { headers });
  ensure(answer.status === 200, `GET ${path}: ${answer.status} ${answer.text.slice(0, 600)}`);
  return JSON.parse(answer.text) as T;
}

/** Sets up a manager and a company with a mapping, as an administrator does after the installation. */
export async function createPortfolio(admin: Caller): Promise<Portfolio> {
  const entity = (name: string) => ({ name, formalId: name, nationality: { country: 'US' } });
  const manager = await created<{ id: string }>(admin, '/crud/managers', { entity: entity('Rehearsal Capital') });
  const headers = { 'x-manager-id': manager.id };
  const body = { entity: entity('Northwind Consumer Loans') };
  const company = await created<{ id: string }>(admin, '/crud/companies', body, headers);
  await created(admin, '/crud/assetsETLs', { company: company.id, ...NORTHWIND_MAPPING }, headers);
  return { admin, headers, companyId: company.id };
}

/** A tape without errors, and the sum of its balances in cents. */
function makeTape(cutOffDate: string, rows: number): { sheet: TapeSheet; cents: number } {
  const template = tapesOf('northwind')[0];
  if (!template) throw new Error('there is no template');
  let cents = 0;
  const row = (index: number): TapeCell[] => {
    // Differs from loan to loan, with all cents.
    const balance = 100_000 + ((index * 7919) % 9_000_017);
    cents += balance;
    const values: Record<string, TapeCell> = {
      'Loan ID': `R-${index}`,
      'Borrower ID': `B-${index % 997}`,
      Currency: 'USD',
      'Origination Date': '2025-01-15',
      'Maturity Date': '2028-01-15',
      'Term (months)': 36,
      'Original Amount': 95_000.5,
      'Principal Balance': balance / 100,
      'Interest Rate': 0.1149,
      'Days Past Due': 0,
      'Loan Status': 'Current',
    };
    return template.columns.map(({ header }) => values[header] ?? null);
  };
  const all = Array.from({ length: rows }, (_, index) => row(index));
  return { sheet: { ...template, fileName: `${cutOffDate}.xlsx`, rows: all }, cents };
}

const inDollars = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Uploads a tape through the proxy. It is being processed when this returns. */
export async function uploadTape(portfolio: Portfolio, cutOffDate: string, rows: number): Promise<Expected> {
  const { admin, headers, companyId } = portfolio;
  const { sheet, cents } = makeTape(cutOffDate, rows);
  const bytes = await workbookBytes(sheet);
  const [announced] = await created<{ fileMetadata?: { signedUrl: string; key: string } }[]>(
    admin,
    '/files/signedUrls/loanTapes?operation=upload',
    { filesInfo: [{ name: sheet.fileName, size: bytes.byteLength, type: XLSX }] },
    headers,
  );
  ensure(announced?.fileMetadata !== undefined, `the tape may not be uploaded: ${JSON.stringify(announced)}`);
  const { signedUrl, key } = announced.fileMetadata;
  await putFile(signedUrl, admin.target.url, XLSX, bytes);
  const { loanTapes } = await created<{ loanTapes: { id: string }[] }>(
    admin,
    '/files/loanTapeScheduler',
    { cutOffDate, companyId, mainCurrency: 'USD', attachments: [{ key }] },
    headers,
  );
  const tapeId = loanTapes[0]?.id;
  ensure(tapeId !== undefined, 'the tape was not accepted');
  return { tapeId, cutOffDate, assets: rows, sum: inDollars(cents) };
}

async function tapeOf(portfolio: Portfolio, id: string): Promise<Tape> {
  const [tape] = await read<Tape[]>(portfolio, '/crud/loanTape', { filter: { id }, limit: 1 });
  ensure(tape !== undefined, `there is no tape ${id}`);
  return tape;
}

/** Waits until rows of the tape were transformed, and says how many, or until it is too late. */
export function untilInTheMiddle(portfolio: Portfolio, { tapeId, assets }: Expected): Promise<number> {
  return until('the middle of the tape', async () => {
    const { progress, schedulerStatus } = await tapeOf(portfolio, tapeId);
    ensure(schedulerStatus !== 'Completed', 'the tape was published before the outage: use more rows');
    const rows = progress?.rowsTransformed ?? 0;
    return rows > 0 && rows < assets ? rows : null;
  });
}

/** Waits until the tape is published, and checks its exact count and sum. */
export async function checkTape(portfolio: Portfolio, expected: Expected): Promise<void> {
  const { tapeId, assets, sum } = expected;
  const tape = await until(
    'the tape is published',
    async () => {
      const now = await tapeOf(portfolio, tapeId);
      return now.schedulerStatus === 'Completed' ? now : null;
    },
    TAPE_TIMEOUT_MS,
  );
  ensure(tape.failure === null, `the tape failed: ${tape.failure}`);
  ensure(tape.processStatus === 'Completed', `the tape is ${tape.processStatus}`);
  ensure(
    tape.counts?.assets === assets && tape.counts.errored === 0,
    `the tape has ${JSON.stringify(tape.counts)} instead of ${assets} assets`,
  );
  // The wire's numbers have four decimals, which JSON.parse would round.
  const query = new URLSearchParams({ filter: JSON.stringify({ loanTape: tapeId }) });
  const { text } = await portfolio.admin.call('GET', `/crud/assets/statistics?${query}`, {
    headers: portfolio.headers,
  });
  const sums = [...text.slice(text.indexOf('"outstandingSum"')).matchAll(/"sum":(\d+\.\d{4})/g)].map(([, sum]) => sum);
  ensure(sums.length === 1 && sums[0] === `${sum}00`, `the sum of the tape is ${sums.join(' and ')} instead of ${sum}`);
}
