import { sum } from '@tapeline/domain/money/decimal.ts';
import { CHANGE_KINDS } from '@tapeline/domain/pools/changes.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../../app/paths.ts';
import { type ApiAnswer, type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { northwindTapes, uploadTape } from '../northwind-tapes.ts';
import { fieldsOf, read, screensOf } from '../screen-client.ts';
import { ownTenant } from '../tenant.ts';

const tenant = ownTenant();
let manager: ApiClient;
/** Three tapes of a borrower, the earliest first. */
let tapes: [string, string, string];

const ask = (name: string, query: Record<string, unknown>, client = manager): Promise<ApiAnswer> =>
  client.get(`/LTP/analytics/${name}`, query as never);

/** Every amount of a key, with all its digits. */
const sums = (answer: ApiAnswer, key: string): string[] =>
  [...answer.text.matchAll(new RegExp(`"${key}":\\{"sum":(-?\\d+(?:\\.\\d+)?)`, 'g'))].map(([, digits]) => digits!);

beforeAll(async () => {
  manager = tenant.manager;
  const northwind = await northwindTapes(manager);
  const row = (id: string, balance: number, more: object = {}) =>
    northwind.loan({
      'Loan ID': id,
      'Borrower ID': id,
      'Original Amount': 1000,
      'Principal Balance': balance,
      ...more,
    });
  const publish = (
    rows: Parameters<typeof northwind.publish>[0],
    cutOffDate: string,
    documents: readonly string[] = [],
  ) => northwind.publish(rows, { cutOffDate, name: `roll-${cutOffDate}.xlsx`, documents });
  const payments = [
    'Loan ID,Paid on,Principal,Interest',
    'R-1,2016-02-15,100.00,9',
    'R-2,2016-02-29,0.25,9',
    'R-2,2016-03-01,50,9',
    'R-9,2016-02-01,7,9',
    'R-1,2016-02-16,unknown,9',
  ].join('\n');
  const file = { name: 'payments.csv', bytes: Buffer.from(payments), type: 'text/csv' };
  tapes = [
    await publish([row('R-1', 900), row('R-2', 700.25), row('R-3', 500)], '2016-01-31'),
    await publish([row('R-1', 800), row('R-2', 700.25), row('R-4', 300)], '2016-02-29', [
      await uploadTape(manager, file),
    ]),
    await publish([row('R-1', 850.5), row('R-4', 0), row('R-5', 10)], '2016-03-31'),
  ];
});

describe('the roll-forward', () => {
  it('explains the change since the tape before, and since any earlier one, and adds up', async () => {
    const answer = await ask('rollForward', { loanTapeId: tapes[1] });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.against.loanTapeId).toBe(tapes[0]);
    const [usd] = answer.json.currencies;
    expect(usd).toMatchObject({ currency: 'USD', opening: { count: 3 }, closing: { count: 3 } });
    expect(usd.changes.map(({ line, before, after }: never) => [line, before, after])).toEqual([
      [usd.changes[0].line, 0, 1],
      ['collected', 1, 1],
      ['left', 1, 0],
      ['unchanged', 1, 1],
    ]);
    const two = await ask('rollForward', { loanTapeId: tapes[2], against: tapes[0] });
    expect(two.json.against.loanTapeId).toBe(tapes[0]);
    for (const one of [answer, two]) {
      const [opening, closing] = [one.json.currencies[0].opening, one.json.currencies[0].closing];
      const changes = one.json.currencies[0].changes.map(({ change }: { change: { sum: number } }) =>
        String(change.sum),
      );
      expect(sum([String(opening.balance.sum), ...changes])).toBe(sum([String(closing.balance.sum)]));
      const [total] = [one.json.total];
      expect(total.opening).toEqual(opening.balance);
      expect([total.closing, total.exchange.sum, total.leftOut]).toEqual([closing.balance, 0, []]);
    }
    expect(sums(answer, 'balance')[0]).toMatch(/^2100\.25/);
  });

  it('lists the assets of each line, in pages', async () => {
    const query = { loanTapeId: tapes[1] };
    const left = await ask('rollForward/assets', { ...query, line: 'left' });
    expect(left.status, left.text).toBe(200);
    expect(left.headers.get('x-docs-count')).toBe('1');
    expect(left.json).toMatchObject([
      { id: 'R-3', line: 'left', after: null, before: { balance: { sum: 500, currency: 'USD' } } },
    ]);
    const followed = await ask('rollForward/assets', { ...query, limit: 1, skip: 1 });
    expect([followed.headers.get('x-docs-count'), followed.json.length]).toEqual(['2', 1]);
    const asset = await manager.get(`/crud/assets/${left.json[0].before.assetId}`);
    expect(asset.json.targetData.assetId).toBe('R-3');
    const refused = expectRefusal(await ask('rollForward/assets', { ...query, line: 'stolen' }), 400);
    expect(refused.flags?.line).toContain('must be one of originated');
    for (const limit of [0, 1001]) expectRefusal(await ask('rollForward/assets', { ...query, limit }), 400);
    expect((await ask('rollForward/assets', { ...query, limit: 1000 })).status).toBe(200);
  });

  it('lists the changes that should not happen, with both values', async () => {
    const query = { loanTapeId: tapes[2] };
    const { json } = await ask('changes', query);
    expect(json.changes.map(({ kind }: { kind: string }) => kind)).toEqual(CHANGE_KINDS);
    const countOf = (kind: string) => json.changes.find((one: { kind: string }) => one.kind === kind).count;
    expect([json.matched, json.changed, countOf('originalPrincipal'), countOf('grew')]).toEqual([2, 1, 0, 1]);
    const listed = await ask('changes/assets', { ...query, kind: 'grew' });
    expect(listed.headers.get('x-docs-count')).toBe('1');
    expect(listed.json).toMatchObject([{ id: 'R-1', was: '800 USD', is: '850.5 USD' }]);
    expectRefusal(await ask('changes/assets', query), 400);
  });

  it('has the same figures as files', async () => {
    const query = { loanTapeId: tapes[1], format: 'csv' };
    const lines = (await ask('rollForward', query)).text.trim().split('\r\n');
    expect(lines[0]).toBe('currency,line,before,after,change');
    expect(lines[1]).toMatch(/^USD,opening,3,,2100\.25/);
    const screens = await screensOf(tenant.emails.manager);
    const file = (part: string, format: string) =>
      screens.get(paths.tapeForwardFile(tapes[1], { against: tapes[0], part, format }));
    for (const part of ['lines', 'assets', 'changes']) {
      const workbook = await file(part, 'xlsx');
      expect([workbook.status, workbook.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('spreadsheetml'),
      ]);
    }
    const assets = (await file('assets', 'csv')).text.trim().split(/\r?\n/);
    expect(assets).toHaveLength(5);
    expect(assets[0]).toContain('assetId,line,rowBefore,rowAfter');
    expect((await file('assets', 'pdf')).status).toBe(400);
  });

  it('is of one borrower, and of tapes that the caller sees', async () => {
    for (const against of [tapes[2], 'f'.repeat(24)]) {
      expectRefusal(await ask('rollForward', { loanTapeId: tapes[1], against }), 400);
    }
    const first = expectRefusal(await ask('rollForward', { loanTapeId: tapes[0] }), 400);
    expect(first.flags).toEqual({ against: 'there is not an earlier tape of the borrower' });
    const stranger = await signedIn('manager@tapeline.test');
    for (const name of ['rollForward', 'rollForward/assets', 'changes', 'changes/assets']) {
      const query = { loanTapeId: tapes[1], ...(name === 'changes/assets' ? { kind: 'grew' } : {}) };
      expectRefusal(await ask(name, query, stranger), 404);
    }
    const screens = await screensOf('manager@tapeline.test');
    expect(
      (await screens.get(paths.tapeForwardFile(tapes[1], { against: tapes[0], part: 'lines', format: 'csv' }))).status,
    ).toBe(404);
  });
});

describe('a proof with payments', () => {
  it('explains each loan by the payments of a document of the tape, and names the others', async () => {
    const query = { loanTapeId: tapes[1] };
    const answer = await ask('paymentProof', query);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.file).toMatchObject({
      name: 'payments.csv',
      columns: { assetId: 'Loan ID', principal: 'Principal', date: 'Paid on', advance: null },
      rows: 3,
      otherPeriod: 1,
      unreadRows: 1,
      unread: [{ row: 6, column: 'principal', cell: 'unknown' }],
    });
    const [usd] = answer.json.currencies;
    // R-1 paid 100.00 of 900.00; R-2 shall have paid 0.25 and has not; R-3 is gone with 500.00, of which nothing was paid.
    expect([usd.loans, usd.proved, usd.opening.sum, usd.principal.sum, usd.unexplained.sum, usd.closing.sum]).toEqual([
      3, 1, 2100.25, 100.25, -499.75, 1500.25,
    ]);
    expect([usd.provedBalance.sum, usd.differences.sum, usd.added]).toEqual([
      900,
      500.25,
      { count: 1, balance: { sum: 300, currency: 'USD' } },
    ]);
    expect(answer.json.unmatched).toEqual([{ currency: null, loans: 1, advance: 0, principal: 7, writtenOff: 0 }]);
    const loans = await ask('paymentProof/loans', query);
    expect(loans.headers.get('x-docs-count')).toBe('2');
    expect(loans.json.map(({ id, difference }: never) => [id, (difference as { sum: number }).sum])).toEqual([
      ['R-3', -500],
      ['R-2', 0.25],
    ]);
  });

  it('is refused with columns that are none, and for other documents, and is unknown without a file', async () => {
    const query = { loanTapeId: tapes[1] };
    const none = expectRefusal(await ask('paymentProof', { ...query, assetId: '' }), 400);
    expect(none.flags?.assetId).toContain('is needed');
    const other = expectRefusal(await ask('paymentProof', { ...query, principal: 'Paid' }), 400);
    expect(other.flags).toEqual({ principal: 'is not a column of the file' });
    expectRefusal(await ask('paymentProof', { ...query, file: 1 }), 400);
    expect((await ask('paymentProof', { loanTapeId: tapes[2] })).json).toMatchObject({ file: null, currencies: [] });
    expect((await ask('paymentProof/loans', { loanTapeId: tapes[2] })).json).toEqual([]);
    expectRefusal(await ask('paymentProof', query, await signedIn('manager@tapeline.test')), 404);
  });

  it('is on the page of the tape, with the file and the columns in the address', async () => {
    const screens = await screensOf(tenant.emails.manager);
    const text = read(await screens.get(paths.tapeForward(tapes[1], { file: 0 })));
    expect(text).toContain('42.9% of the balance proved; 2 loans, 500.25 USD unexplained');
    expect(text).toContain('row 6, principal “unknown”');
    const without = read(await screens.get(`${paths.tapeForward(tapes[1], { file: 0 })}&column.assetId=`));
    expect(without).toContain('It is needed: choose the column with the ids of the loans');
    const workbook = await screens.get(`${paths.tapeForwardFiles(tapes[1])}?part=payments&file=0&format=csv`);
    expect(workbook.text.trim().split(/\r?\n/)).toHaveLength(3);
    expect(read(await screens.get(paths.tapeForward(tapes[2])))).toContain('No payment file');
  });
});

describe('the reporting score', () => {
  it('has the points of each month, and is unknown for the first one', async () => {
    const answer = await ask('reportingScore', { loanTapeId: tapes[2] });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('x-docs-count')).toBe('3');
    const [latest, , first] = answer.json;
    expect([latest.loanTapeId, latest.against, first.against]).toEqual([tapes[2], tapes[1], null]);
    expect(first.total).toBeNull();
    // Uploaded ten years late, R-2 is gone with 700.25 of 1,800.25, and R-1 of two grew.
    expect(latest.parts.map(({ part, points }: { part: string; points: number }) => [part, points])).toEqual([
      ['errors', 20],
      ['restatements', 20],
      ['lateness', 0],
      ['unexplained', 0],
      ['changes', 0],
    ]);
    expect([latest.total, latest.parts[3].value, latest.parts[4].value]).toEqual([40, 0.388974, 0.5]);
    const csv = (await ask('reportingScore', { loanTapeId: tapes[2], format: 'csv' })).text.trim().split('\r\n');
    expect(csv).toHaveLength(1 + 3 * 5);
    expectRefusal(await ask('reportingScore', { loanTapeId: tapes[2] }, await signedIn('manager@tapeline.test')), 404);
  });

  it('is on the page of the borrower, for those who read assets', async () => {
    const company = (await manager.get('/crud/companies')).json.find(
      ({ entity }: { entity: { name: string } }) => entity.name === 'Northwind Consumer Loans',
    );
    const screens = await screensOf(tenant.emails.manager);
    const text = read(await screens.get(paths.company(company.id, { view: 'reporting' })));
    expect(text).toContain('Reporting score');
    expect(text).toMatch(/31 Mar 2016 40\.0 20\.0/);
    expect(text).toMatch(/31 Jan 2016 n\/a/);
  });
});

describe('loans that left', () => {
  const DEPARTURES = '/LTP/analytics/rollForward/departures';
  const say = (loanTapeId: string, assetIds: string[], kind = 'sold', client = manager) =>
    client.post(DEPARTURES, { loanTapeId, kind, assetIds, reason: 'Bill of sale of 14 March' });
  /** The lines of what left, in USD. */
  const leftOf = async (loanTapeId: string, against: string) => {
    const { json } = await ask('rollForward', { loanTapeId, against });
    const lines = json.currencies[0].changes as { line: string; before: number; change: { sum: number } }[];
    return lines
      .filter(({ line }) => ['left', 'sold', 'repurchased', 'paid', 'substituted'].includes(line))
      .map(({ line, before, change }) => [line, before, change.sum]);
  };

  it('are unexplained until a person says what happened, in each roll-forward over that time', async () => {
    expect(await leftOf(tapes[2], tapes[1])).toEqual([['left', 1, -700.25]]);
    const said = await say(tapes[2], ['R-2']);
    expect(said.status, said.text).toBe(201);
    expect(said.json).toMatchObject({ loanTapeId: tapes[2], kind: 'sold', assetIds: ['R-2'], document: null });
    const earlier = await say(tapes[1], ['R-3'], 'repurchased');
    expect(earlier.status, earlier.text).toBe(201);
    expect(await leftOf(tapes[2], tapes[1])).toEqual([['sold', 1, -700.25]]);
    expect(await leftOf(tapes[1], tapes[0])).toEqual([['repurchased', 1, -500]]);
    expect(await leftOf(tapes[2], tapes[0])).toEqual([
      ['sold', 1, -700.25],
      ['repurchased', 1, -500],
    ]);
    const listed = await ask('rollForward/assets', { loanTapeId: tapes[2], line: 'sold' });
    expect(listed.json).toMatchObject([{ id: 'R-2', line: 'sold', after: null }]);
    // The latest statement counts.
    const paid = await say(tapes[2], ['R-2'], 'paid');
    expect(await leftOf(tapes[2], tapes[1])).toEqual([['paid', 1, -700.25]]);
    expect((await ask('rollForward/departures', { loanTapeId: tapes[2] })).json).toHaveLength(2);
    for (const { json } of [said, earlier, paid]) {
      expect((await manager.call('DELETE', `${DEPARTURES}/${json.id}`)).status).toBe(200);
    }
    expect(await leftOf(tapes[2], tapes[1])).toEqual([['left', 1, -700.25]]);
    expect((await ask('rollForward/departures', { loanTapeId: tapes[2] })).json).toEqual([]);
  });

  it('are checked: nobody says so of a loan that is still there, of one before, or without the right', async () => {
    const refused = expectRefusal(await say(tapes[2], ['R-1', 'R-3', 'R-2']), 400);
    expect(refused.flags).toEqual({ assetIds: 'did not leave since the previous tape: R-1, R-3' });
    expectRefusal(await say(tapes[2], []), 400);
    expectRefusal(await say(tapes[0], ['R-1']), 400);
    expectRefusal(await say(tapes[2], ['R-2'], 'sold', await signedIn(tenant.emails.borrower)), 403);
    expectRefusal(await say(tapes[2], ['R-2'], 'sold', await signedIn('manager@tapeline.test')), 404);
    expect(await leftOf(tapes[2], tapes[1])).toEqual([['left', 1, -700.25]]);
  });

  it('have a form, without scripts', async () => {
    const screens = await screensOf(tenant.emails.manager);
    const list = await screens.get(paths.tapeForward(tapes[2], { against: tapes[1], line: 'left' }));
    const address = paths.tapeDepartures(tapes[2]);
    expect(list.text).toContain(`href="${address}"`);
    const page = await screens.get(address);
    expect(read(page)).toContain('1 loan unexplained');
    const fields = fieldsOf(page, 'reason');
    expect(fields.ids).toBe('R-2');
    const wrong = await screens.submit(address, { ...fields, kind: 'sold', reason: 'A reason', ids: 'R-1\nR-2' });
    expect(wrong.status).toBe(422);
    expect(read(wrong)).toContain('did not leave since the previous tape: R-1');
    const saved = await screens.submit(address, { ...fields, kind: 'substituted', reason: 'Replaced by R-5' });
    expect(saved.status, read(saved).slice(0, 1000)).toBe(302);
    const after = await screens.get(address);
    expect(read(after)).toContain('all of them are explained');
    expect(read(after)).toContain('Replaced by R-5');
    const taken = await screens.submit(address, { ...fieldsOf(after, 'departure') });
    expect(taken.status).toBe(302);
    expect(read(await screens.get(address))).toContain('1 loan unexplained');
    const borrowers = await screensOf(tenant.emails.borrower);
    expect((await borrowers.get(address)).status).toBe(403);
    const ofBorrower = await borrowers.get(paths.tapeForward(tapes[2], { against: tapes[1], line: 'left' }));
    expect(ofBorrower.text).not.toContain(address);
  });
});
