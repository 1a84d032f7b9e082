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
  expect(head).toBe('date,investor,fund,class,type,number,currency,reference,amount,netted,paid,paidOn,open');
  const ofFunds = lines.filter((line) => / Fund,/.test(line));
  const references = ofFunds.map((line) => line.split(',')[7]);
  expect(new Set(references).size).toBe(2);
  for (const reference of references) expect(reference).toMatch(/^[A-Z]+[0-9A-Z-]+$/);
  // Half of each call; what is not due yet is no payment.
  const withoutReference = ofFunds.map((line) => line.split(',').toSpliced(7, 1).join(','));
  expect(withoutReference.toSorted()).toEqual(
    [`'=1+1 Fund`, 'Second Fund'].map(
      (fund) =>
        `2026-02-20,${own!.title},${fund},,Capital call,1,${fund === 'Second Fund' ? 'EUR' : 'USD'},-100.2500,0.0000,0.0000,,100.2500`,
    ),
  );
  expect(csv.text).not.toContain('Marsh Pension');

  const xlsx = await investor.get(paths.cashFlows('xlsx'));
  expect([xlsx.status, xlsx.headers.get('content-type')]).toEqual([
    200,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ]);
  expect(Buffer.from(xlsx.bytes.subarray(0, 4)).toString('latin1')).toBe('PK\u0003\u0004');

  const manager = await screensOf(tenant.emails.manager);
  const linesOf = async (of?: { fund?: string; investor?: string }) =>
    (await manager.get(paths.cashFlows('csv', of))).text.trimEnd().split('\n').slice(1);
  const [all, ofOther] = [await linesOf(), await linesOf({ investor: other })];
  expect(all.filter((line) => / Fund,/.test(line))).toHaveLength(4);
  expect(ofOther.map((line) => line.split(',')[1])).toEqual(['Marsh Pension', 'Marsh Pension']);
});

test('a manager exports the shares of a call and of a distribution, and the commitments of a fund', async () => {
  const manager = await screensOf(tenant.emails.manager);
  const investor = await screensOf(tenant.emails.investor);
  const [own] = (await investor.api.get('/crud/LPs')).json as { id: string; title: string }[];
  const currency = 'USD';
  const fund = (
    await created('/crud/funds', {
      title: 'Register Fund',
      type: 'SMA',
      strategy: 'ABL',
      currency,
      targetSize: 1,
      hardCap: 1,
    })
  ).id;
  await created('/crud/LPCommitments', {
    fund,
    investor: { id: own!.id, kind: 'LP' },
    closingDate: '2026-01-15',
    maxCommitment: { sum: 2000, currency },
  });
  const [call] = await created('/crud/contributions', {
    fund,
    callNumber: '1',
    cutOffDate: '2026-02-02',
    dueDate: '2026-02-20',
    amount: { sum: 200.5, currency },
    callPurposes: [
      { title: 'Investments', kind: 'investments', amount: 150 },
      { title: 'Fund expenses', kind: 'fundExpenses', amount: 50.5 },
    ],
    status: 'Active',
  });
  const [distribution] = await created('/crud/distributions', {
    fund,
    callNumber: '1',
    cutOffDate: '2026-03-02',
    distributionKind: 'Interest and Principal',
    principal: { sum: 100, currency },
    components: [
      { title: 'Interest', actionType: 'INTEREST', amount: { sum: 10, currency } },
      { title: 'Tax', actionType: 'INTEREST TAX', amount: { sum: 1.5, currency } },
    ],
    status: 'Active',
  });
  const tableOf = async (path: string) => {
    const file = await manager.get(path);
    expect([file.status, file.headers.get('content-type')], path).toEqual([200, 'text/csv; charset=utf-8']);
    const [head = '', ...lines] = file.text.trimEnd().split('\n');
    return lines.map((line) => Object.fromEntries(head.split(',').map((name, at) => [name, line.split(',')[at]])));
  };
  const shares = paths.sharesFile(call.metadata.bundleId, 'csv');
  expect(await tableOf(shares)).toMatchObject([
    {
      investor: own!.title,
      'purpose 1: Investments': '150.0000',
      'purpose 2: Fund expenses': '50.5000',
      amount: '200.5000',
      unfundedBefore: '2000.0000',
      unfundedAfter: '1799.5000',
      dueDate: '2026-02-20',
      share: '100.00000000',
      reference: expect.stringMatching(/^RF/),
    },
  ]);
  expect(await tableOf(paths.sharesFile(distribution.metadata.bundleId, 'csv'))).toMatchObject([
    { principal: '100.0000', 'component 1: Interest': '10.0000', distributed: '108.5000' },
  ]);
  const register = paths.commitmentsRegister(fund, 'csv', { date: '2026-02-10' });
  expect(await tableOf(register)).toMatchObject([
    { committed: '2000.0000', called: '0.0000', notDue: '200.5000', unfunded: '1799.5000', nav: expect.anything() },
  ]);
  for (const path of [shares, register]) {
    const workbook = await manager.get(path.replace('/csv', '/xlsx'));
    expect(Buffer.from(workbook.bytes.subarray(0, 4)).toString('latin1')).toBe('PK\u0003\u0004');
    expect((await investor.get(path)).status).toBe(404);
    expect((await (await screensOf(tenant.emails.borrower)).get(path)).status).toBeGreaterThanOrEqual(403);
    expect((await manager.get(path.replace('/csv', '/pdf'))).status).toBe(404);
  }
});

test('whoever may not read payments exports none, and no other format is served', async () => {
  const manager = await screensOf(tenant.emails.manager);
  const borrower = await screensOf(tenant.emails.borrower);
  const investor = await screensOf(tenant.emails.investor);
  expect([
    (await manager.get(paths.cashFlows('csv'))).status,
    (await borrower.get(paths.cashFlows('csv'))).status,
    (await investor.get('/capital/cash-flows/pdf')).status,
  ]).toEqual([200, 403, 404]);
  expect((await investor.get(paths.capitalCalls())).text).toContain(paths.cashFlows('csv'));
  expect((await manager.get(paths.capitalCalls())).text).not.toContain(paths.cashFlows('csv'));
});
