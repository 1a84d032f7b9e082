import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { finishedTape, northwindLoan, northwindTapes, uploadTape } from './northwind-tapes.ts';
import { type ScreenAnswer, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';
import { sheetXml, workbookBytes } from './workbook-bytes.ts';

const tenant = ownTenant();

const linksOf = ({ text }: ScreenAnswer): string[] =>
  [...text.matchAll(/<a [^>]*href="([^"#]+)/g)].map(([, link]) => String(link).replaceAll('&amp;', '&'));

it('leads a borrower from its documents to one of them, and back to all', async () => {
  const borrower = await screensOf(tenant.emails.borrower);
  const { company, headers } = await northwindTapes(tenant.manager);
  const loan: Record<string, string | number | null> = northwindLoan({});
  const rows = [[...headers], headers.map((header) => loan[header] ?? null)];
  // A borrower sees only the files that its own people uploaded.
  const key = await uploadTape(borrower.api, {
    name: 'own.xlsx',
    bytes: workbookBytes({ name: 'Loan Tape', xml: sheetXml(rows) }),
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  });
  const made = await borrower.api.post('/files/loanTapeScheduler', {
    cutOffDate: '2026-10-31',
    companyId: company,
    mainCurrency: 'USD',
    calculateBB: false,
    attachments: [{ key }],
  });
  expect(made.status, made.text).toBe(201);
  await finishedTape(borrower.api, made.json.loanTapes[0].id);
  const list = await borrower.get(paths.facilityDocuments());
  expect(list.status).toBe(200);
  const files = linksOf(list).filter((link) => /^\/documents\/[0-9a-f]{24}$/.test(link));
  expect(files).toHaveLength(1);
  const document = await borrower.get(files[0]!);
  expect(document.status).toBe(200);
  // A borrower has no fund documents.
  expect((await borrower.get(paths.documents())).status).toBe(404);
  expect(linksOf(document)).toContain(paths.facilityDocuments());
  expect(linksOf(document)).not.toContain(paths.documents());
});
