import { beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let client: ScreenClient;
let fund: string;
let investors: string[];

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

interface Row {
  net: { sum: number };
  unfunded: { before: { sum: number }; after: { sum: number } };
  paidPercent: number;
}

interface Line {
  status: string;
  amount: { sum: number };
  dueDate: string;
  principal?: { sum: number };
  metadata: { bundleId: string };
}

const usd = (sum: number) => ({ sum, currency: 'USD' });

/** 1,000 and 3,000 committed, 400 called for loans on 1 January 2026; the third investor closes later with 1,000. */
beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  fund = (
    await created('/crud/funds', {
      title: 'Tamar Fund',
      type: 'ComingleFund',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: 6000,
      hardCap: 6000,
      equalization: { ratePercent: 10, dayCount: 'ACT/365F' },
    })
  ).id;
  const own = (await (await screensOf(tenant.emails.investor)).api.get('/crud/LPs')).json as { id: string }[];
  investors = [own[0]!.id];
  for (const title of ['Lynher Life', 'Tavy Pensions', 'Plym Trust']) {
    const entity = { name: title, formalId: title, nationality: { country: 'US' } };
    investors.push((await created('/crud/LPs', { title, entity })).id);
  }
  for (const [index, maxCommitment] of [1000, 3000].entries()) {
    const investor = { id: investors[index], kind: 'LP' };
    await created('/crud/LPCommitments', { fund, investor, closingDate: '2025-12-15', maxCommitment });
  }
  await created('/crud/contributions', {
    fund,
    cutOffDate: '2025-12-16',
    dueDate: '2026-01-01',
    callNumber: '1',
    amount: usd(400),
    callPurposes: [{ title: 'Loans', kind: 'investments', amount: 400 }],
    status: 'Active',
  });
});

const closing = (changes: object = {}) => ({
  fund,
  title: 'Second closing',
  closingDate: '2027-01-01',
  dueDate: '2027-01-15',
  callNumber: '2',
  distributionNumber: '1',
  investors: [{ investor: { id: investors[2], kind: 'LP' }, amount: 1000 }],
  status: 'Active',
  ...changes,
});
const post = (changes: object) => tenant.manager.post('/crud/closings', closing(changes));
const commitments = async () => (await tenant.manager.get('/crud/LPCommitments', { filter: { fund } })).json;

describe('the later closings of a fund', () => {
  test('refuse what does not follow the closings before, and change nothing', async () => {
    const before = await commitments();
    const flagsOf = async (changes: object) => {
      const { status, json } = await post(changes);
      expect(status).toBe(400);
      return json.flags;
    };
    expect(await flagsOf({ dueDate: '2026-12-31' })).toEqual({ dueDate: 'must not be before the closing date' });
    expect(await flagsOf({ closingDate: '2025-12-14', dueDate: '2025-12-14' })).toEqual({
      closingDate: 'is before the first closing',
    });
    const twice = closing().investors[0];
    expect(await flagsOf({ investors: [twice, twice] })).toEqual({ 'investors.1.investor.id': 'is named twice' });
    expect(await flagsOf({ investors: [{ ...twice, amount: 0 }] })).toEqual({
      'investors.0.amount': expect.any(String),
    });
    expect((await post({ fund: '65f0000000000000000000ff' })).status).toBe(404);
    expect(await commitments()).toEqual(before);
  });

  test('are tried without a trace, and issued with the figures of the trial', async () => {
    const before = await commitments();
    const tried = await post({ dryRun: true });
    expect(tried.status, tried.text).toBe(200);
    expect(await commitments()).toEqual(before);
    expect((await tenant.manager.get('/crud/closings', { fund })).json).toEqual([]);

    const { warnings, ...figures } = tried.json;
    expect(warnings).toEqual([expect.stringMatching(/^The fund has no bank account/)]);
    // 400 x 1,000 / 5,000, with 10 % for 365 days. The earlier investors get it back by what they paid, 100 and 300.
    expect(figures.paidIn).toEqual({ capital: usd(80), interest: usd(8) });
    expect(figures.returned).toEqual({ capital: usd(80), interest: usd(8) });
    expect(figures.difference).toEqual(usd(0));
    expect(figures.isEqualized).toBe(true);
    const rowsOf = ({ investors: rows }: typeof figures) =>
      (rows as Row[]).map(({ net, unfunded, paidPercent }) => [
        net.sum,
        unfunded.before.sum,
        unfunded.after.sum,
        paidPercent,
      ]);
    expect(rowsOf(figures)).toEqual([
      [-88, 0, 920, 8],
      [66, 2700, 2760, 8],
      [22, 900, 920, 8],
    ]);

    const issued = await post({});
    expect(issued.status, issued.text).toBe(201);
    const { id, call, distribution } = issued.json;
    expect(rowsOf(issued.json)).toEqual(rowsOf(figures));
    expect((await tenant.manager.get(`/crud/closings/${id}`)).json).toEqual(issued.json);
    const listed = (await tenant.manager.get('/crud/closings', { fund })).json as { id: string }[];
    expect(listed.map((one) => one.id)).toEqual([id]);

    // What was stored: the commitment, the part of the call with its interest, and what is returned.
    expect(await commitments()).toHaveLength(3);
    const linesOf = async (kind: string) =>
      (await tenant.manager.get(`/crud/${kind}`, { filter: { fund } })).json as Line[];
    const own = (await linesOf('contributions')).filter((line) => line.metadata.bundleId === call);
    expect(own.map((line) => [line.status, line.amount.sum, line.dueDate])).toEqual([['Upcoming', 80, '2027-01-15']]);
    const returned = (await linesOf('distributions'))
      .filter((line) => line.metadata.bundleId === distribution)
      .map((line) => line.principal?.sum);
    expect(returned.sort()).toEqual([20, 60]);

    // Its pages lead to each other.
    const page = await client.get(paths.closing(fund, id));
    expect(read(page)).toContain('Second closing');
    expect(read(page)).toContain('10.00 % a year, simple');
    expect(page.text).toContain(`href="${paths.capitalCall(call)}"`);
    for (const address of [paths.capitalCall(call), paths.distribution(distribution)]) {
      expect((await client.get(address)).text, address).toContain(`href="${paths.closing(fund, id)}"`);
    }
  });

  test('are not before one that is equalized, and not read by investors', async () => {
    const earlier = await post({ closingDate: '2026-12-31', callNumber: '3', distributionNumber: '2' });
    expect(earlier.status).toBe(400);
    expect(earlier.json.flags).toEqual({ closingDate: 'must be on or after 1 Jan 2027, the last closing' });
    const [stored] = (await tenant.manager.get('/crud/closings', { fund })).json as {
      id: string;
      distribution: string;
    }[];
    const investor = await screensOf(tenant.emails.investor);
    expect((await investor.api.get(`/crud/closings/${stored!.id}`)).status).toBe(404);
    expect((await investor.api.post('/crud/closings', closing({ callNumber: '3' }))).status).toBe(403);
    expect((await investor.get(paths.closing(fund, stored!.id))).status).toBe(404);
    // Its own part of the distribution is open to it, without the closing, which names everyone.
    const own = await investor.get(paths.distribution(stored!.distribution));
    expect(own.status).toBe(200);
    expect(own.text).not.toContain(paths.closing(fund, stored!.id));
  });
});
