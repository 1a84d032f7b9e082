import { expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

test('an investor exports its payments of all funds, with texts that no spreadsheet runs', async () => {
  const investor = await screensOf(tenant.emails.investor);
  const [own] = (await investor.api.get('/crud/LPs')).json as { id: string; title: string }[];
  const entity = { name: 'Marsh Pension', formalId: 'LP-MAR', nationality: { country: 'US' } };
  const other = (await created('/crud/LPs', { title: 'Marsh Pension', entity })).id as string;
  for (const [title, currency] of [
    ['=1+1 Fund', 'USD'],
    ['Second Fund', 'EUR'],
  ] as const) {
    const fund = (
      await created('/crud/funds', { title, type: 'SMA', strategy: 'ABL', currency, targetSize: 1, hardCap: 1 })
    ).id;
    for (const id of [own!.id, other]) {
      await created('/crud/LPCommitments', {
        fund,
        investor: { id, kind: 'LP' },
        closingDate: '2026-01-15',
        maxCommitment: { sum: 2000, currency },
      });
    }
    for (const [callNumber, dueDate] of [
      ['1', '2026-02-20'],
      ['2', '2149-01-31'],
    ]) {
      await created('/crud/contributions', {
        fund,
        callNumber,
        cutOffDate: '2026-02-02',
        dueDate,
        amount: { sum: 200.5, currency },
        callPurposes: [{ title: 'Investments', kind: 'investments', amount: 200.5 }],
        status: 'Active',
      });
    }
  }
  const csv = await investor.get(paths.cashFlows('csv'));
  const today = new Date().toISOString().slice(0, 10);
  expect([csv.status, csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    `attachment; filename*=UTF-8''cash-flows-${today}.csv`,
  ]);
  const [head, ...lines] = csv.text.trimEnd().split('\n');
  expect(head).toBe('date,investor,fund,class,type,number,currency,amount');
  const ofFunds = lines.filter((line) => / Fund,/.test(line));
  // Half of each call; what is not due yet is no payment.
  expect(ofFunds.toSorted()).toEqual(
    [`'=1+1 Fund`, 'Second Fund'].map(
      (fund) => `2026-02-20,${own!.title},${fund},,Capital call,1,${fund === 'Second Fund' ? 'EUR' : 'USD'},-100.2500`,
    ),
  );
  expect(csv.text).not.toContain('Marsh Pension');

  const xlsx = await investor.get(paths.cashFlows('xlsx'));
  expect([xlsx.status, xlsx.headers.get('content-type')]).toEqual([
    200,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ]);
  expect(Buffer.from(xlsx.bytes.subarray(0, 4)).toString('latin1')).toBe('PK\u0003\u0004');
});

test('nobody but an investor exports payments, and no other format is served', async () => {
  const manager = await screensOf(tenant.emails.manager);
  const borrower = await screensOf(tenant.emails.borrower);
  const investor = await screensOf(tenant.emails.investor);
  expect([
    (await manager.get(paths.cashFlows('csv'))).status,
    (await borrower.get(paths.cashFlows('csv'))).status,
    (await investor.get('/capital/cash-flows/pdf')).status,
  ]).toEqual([404, 403, 404]);
  expect((await investor.get(paths.capitalCalls())).text).toContain(paths.cashFlows('csv'));
  expect((await manager.get(paths.capitalCalls())).text).not.toContain(paths.cashFlows('csv'));
});
