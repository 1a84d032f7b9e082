import { expect, vi } from 'vitest';
import type { ApiClient } from './api-client.ts';
import { sheetXml, workbookBytes } from './workbook-bytes.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SHEET = 'Loan Tape';
const UPLOADED_WITHIN_MS = 600_000;

type Cell = string | number | null;

interface TapeOptions {
  cutOffDate: string;
  name?: string;
  /** Whether the borrowing base is calculated as well. */
  calculateBB?: boolean;
  /** Keys of other documents that are kept with the tape. */
  documents?: readonly string[];
}

/** Tapes of the manager's company Northwind Consumer Loans, created through the API. */
export interface NorthwindTapes {
  readonly company: string;
  readonly headers: readonly string[];
  /** A row with the values that the mapping requires. All other cells are blank. */
  loan(values: Record<string, Cell>): Record<string, Cell>;
  /** Uploads a workbook and returns the tape's ID while the tape is still being processed. */
  begin(loans: readonly Record<string, Cell>[], options: TapeOptions): Promise<string>;
  /** Like `begin`, but waits until the tape is published. */
  publish(loans: readonly Record<string, Cell>[], options: TapeOptions): Promise<string>;
  /** Waits until the tape has been processed, and returns it. */
  // biome-ignore lint/suspicious/noExplicitAny: a response body, checked by the test
  finished(id: string): Promise<any>;
  remove(id: string): Promise<void>;
}

/** A row of the company's tapes with the values that the mapping requires. All other cells are blank. */
export const northwindLoan = (values: Record<string, Cell>): Record<string, Cell> => ({
  'Loan ID': 'T-1',
  'Borrower ID': 'B-1',
  Currency: 'USD',
  'Origination Date': 43000,
  'Maturity Date': 45000,
  'Term (months)': 36,
  'Original Amount': 1000.1,
  'Principal Balance': 500.05,
  'Interest Rate': 0.1149,
  'Days Past Due': 0,
  'Loan Status': 'Current',
  ...values,
});

/** Waits until the tape's job has ended, and returns the tape. */
// biome-ignore lint/suspicious/noExplicitAny: a response body, checked by the test
export function finishedTape(client: ApiClient, id: string): Promise<any> {
  return vi.waitFor(
    async () => {
      const [tape] = (await client.get('/crud/loanTape', { filter: { id } })).json;
      expect(tape).toMatchObject({ schedulerStatus: 'Completed' });
      return tape;
    },
    { timeout: UPLOADED_WITHIN_MS, interval: 100 },
  );
}

/** Uploads a file that is no tape yet, and returns its key, which starts with its id. */
export async function uploadTape(
  client: ApiClient,
  { name, bytes, type }: { name: string; bytes: Buffer; type: string },
): Promise<string> {
  const announced = await client.post('/files/signedUrls/loanTapes?operation=upload', {
    filesInfo: [{ name, size: bytes.byteLength, type }],
  });
  const { key, signedUrl } = announced.json[0].fileMetadata;
  const sent = await fetch(signedUrl, {
    method: 'PUT',
    headers: { 'content-type': type },
    body: new Uint8Array(bytes),
  });
  expect(sent.status).toBe(200);
  return key;
}

export async function northwindTapes(manager: ApiClient): Promise<NorthwindTapes> {
  const filter = { 'entity.name': 'Northwind Consumer Loans' };
  const [{ id: company }] = (await manager.get('/crud/companies', { filter })).json;
  const [mapping] = (await manager.get('/crud/assetsETLs', { filter: { company }, sort: { code: -1 }, limit: 1 })).json;
  const headers: string[] = mapping.extractedOriginColsFromLoanTape;
  const tapes: NorthwindTapes = {
    company,
    headers,
    loan: northwindLoan,
    async begin(loans, { cutOffDate, name = 'corrections.xlsx', calculateBB = false, documents = [] }) {
      const rows = [headers, ...loans.map((row) => headers.map((header) => row[header] ?? null))];
      const bytes = workbookBytes({ name: SHEET, xml: sheetXml(rows) });
      const key = await uploadTape(manager, { name, bytes, type: XLSX });
      const made = await manager.post('/files/loanTapeScheduler', {
        cutOffDate,
        companyId: company,
        mainCurrency: 'USD',
        calculateBB,
        attachments: [{ key }],
        otherAttachments: documents.map((document) => ({ key: document })),
        again: true,
      });
      expect(made.status, made.text).toBe(201);
      return made.json.loanTapes[0].id;
    },
    async publish(loans, options) {
      const id = await tapes.begin(loans, options);
      expect(await tapes.finished(id)).toMatchObject({ processStatus: 'Completed', failure: null });
      return id;
    },
    finished: (id) => finishedTape(manager, id),
    async remove(id) {
      const body = { loanTapeId: id, removePublished: true };
      expect((await manager.call('DELETE', '/LTP/assets/deleteProcess', { body })).json).toEqual({ ids: [id] });
    },
  };
  return tapes;
}
