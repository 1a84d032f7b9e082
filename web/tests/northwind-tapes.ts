import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';
import { sheetXml, workbookBytes } from './workbook-bytes.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SHEET = 'Loan Tape';
const UPLOADED_WITHIN_MS = 180_000;

type Cell = string | number | null;

/** Tapes of the demonstration's first company, made by the API for tests and taken away by them. */
export interface NorthwindTapes {
  readonly company: string;
  readonly headers: readonly string[];
  /** A row with what the mapping demands; the rest is blank. */
  loan(values: Record<string, Cell>): Record<string, Cell>;
  /** Hands a workbook to the product; answers the tape's id while it is in work. */
  begin(loans: readonly Record<string, Cell>[], options: { cutOffDate: string; name?: string }): Promise<string>;
  /** The same, published. */
  publish(loans: readonly Record<string, Cell>[], options: { cutOffDate: string; name?: string }): Promise<string>;
  /** The tape as it is out of work. */
  // biome-ignore lint/suspicious/noExplicitAny: a body, checked by the test
  settled(id: string): Promise<any>;
  remove(id: string): Promise<void>;
}

/** A row of the company's tapes with what the mapping demands; the rest is blank. */
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

export async function northwindTapes(manager: ApiClient): Promise<NorthwindTapes> {
  const filter = { 'entity.name': 'Northwind Consumer Loans' };
  const [{ id: company }] = (await manager.get('/crud/companies', { filter })).json;
  const [mapping] = (await manager.get('/crud/assetsETLs', { filter: { company }, sort: { code: -1 }, limit: 1 })).json;
  const headers: string[] = mapping.extractedOriginColsFromLoanTape;
  const tapes: NorthwindTapes = {
    company,
    headers,
    loan: northwindLoan,
    async begin(loans, { cutOffDate, name = 'corrections.xlsx' }) {
      const rows = [headers, ...loans.map((row) => headers.map((header) => row[header] ?? null))];
      const bytes = workbookBytes({ name: SHEET, xml: sheetXml(rows) });
      const announced = await manager.post('/files/signedUrls/loanTapes?operation=upload', {
        filesInfo: [{ name, size: bytes.byteLength, type: XLSX }],
      });
      const { key, signedUrl } = announced.json[0].fileMetadata;
      const sent = await fetch(signedUrl, {
        method: 'PUT',
        headers: { 'content-type': XLSX },
        body: new Uint8Array(bytes),
      });
      expect(sent.status).toBe(200);
      const made = await manager.post('/files/loanTapeScheduler', {
        cutOffDate,
        companyId: company,
        mainCurrency: 'USD',
        attachments: [{ key }],
      });
      expect(made.status, made.text).toBe(201);
      return made.json.loanTapes[0].id;
    },
    async publish(loans, options) {
      const id = await tapes.begin(loans, options);
      expect(await tapes.settled(id)).toMatchObject({ processStatus: 'Completed', failure: null });
      return id;
    },
    async settled(id) {
      for (const deadline = Date.now() + UPLOADED_WITHIN_MS; ; await sleep(100)) {
        const [tape] = (await manager.get('/crud/loanTape', { filter: { id } })).json;
        if (tape?.schedulerStatus === 'Completed') return tape;
        if (Date.now() > deadline) throw new Error(`tape ${id} is in work for too long`);
      }
    },
    async remove(id) {
      const body = { loanTapeId: id, removePublished: true };
      expect((await manager.call('DELETE', '/LTP/assets/deleteProcess', { body })).json).toEqual({ ids: [id] });
    },
  };
  return tapes;
}
