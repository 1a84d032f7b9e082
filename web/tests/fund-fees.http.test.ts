import { beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, type ScreenAnswer, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let client: ScreenClient;
let investor: ScreenClient;
let fund: string;
let lps: string[];

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

const entered = (answer: ScreenAnswer, name: string): string | undefined =>
  answer.text
    .match(/<input[^>]*>/g)
    ?.find((tag) => tag.includes(`name="${name}"`))
    ?.match(/ value="([^"]*)"/)?.[1];

const usd = (sum: number) => ({ sum, currency: 'USD' });

beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  investor = await screensOf(tenant.emails.investor);
  const own = (await investor.api.get('/crud/LPs')).json as { id: string }[];
  const entity = { name: 'Tamar Life', formalId: 'LP-TAM', nationality: { country: 'US' } };
  lps = [own[0]!.id, (await created('/crud/LPs', { title: 'Tamar Life', entity })).id];
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 4000, hardCap: 4000 };
  fund = (await created('/crud/funds', { title: 'Tamar Fund', ...terms })).id;
  for (const [index, sum] of [3000, 1000].entries()) {
    await created('/crud/LPCommitments', {
      fund,
      investor: { id: lps[index], kind: 'LP' },
      closingDate: '2024-01-15',
      maxCommitment: usd(sum),
      fees: { management: { committed: 2 - index }, success: { rate: 20, hurdle: 8, catchUp: 100 } },
    });
  }
  await created('/crud/contributions', {
    fund,
    callNumber: '1',
    cutOffDate: '2024-02-01',
    dueDate: '2024-03-01',
    amount: usd(1000),
    callPurposes: [{ title: 'Investments', kind: 'investments', amount: 1000 }],
    status: 'Active',
  });
  await created(
    '/crud/navs',
    [1050, 350].map((net, index) => ({
      fund,
      investor: { id: lps[index], kind: 'LP' },
      cutOffDate: '2025-03-31',
      status: 'Active',
      net,
      gross: net,
      currency: 'USD',
    })),
  );
});

const period = { view: 'terms', date: '2025-03-31', from: '2025-02-01', until: '2025-03-31' } as const;

describe('the performance of a fund', () => {
  test('shows multiples, rates of return and the flows behind them', async () => {
    const text = read(await client.get(paths.fund(fund, { view: 'performance', date: '2025-03-31' })));
    expect(text).toMatch(/TVPI 1\.40 ×/);
    // 1,000 becomes 1,400 in 395 days.
    expect(text).toMatch(/Net IRR 36\.47 %/);
    expect(text).toMatch(/1 Mar 2024 Capital call, on its due date −1,000\.00 −1,000\.00/);
    expect(text).toMatch(/31 Mar 2025 NAV 1,400\.00 1,400\.00/);
  });

  test('shows the fees of a period by investor, with their days and documents', async () => {
    const all = await client.get(paths.fund(fund, period));
    // 59 days of 2% on 3,000, and of 1% on 1,000.
    expect(read(all)).toMatch(/Management fee 11\.32 USD/);
    expect(read(all)).toMatch(/Tamar Life 1\.62/);
    expect(read(all)).toMatch(/2 commitments 11\.32/);
    const to =
      all.text
        .match(/href="([^"]*investor=[^"]*)"/)?.[1]
        ?.replaceAll('&amp;', '&')
        .split('#')[0] ?? '';
    const one = read(await client.get(to));
    expect(one).toContain('a year for 59 days, from 1 Feb 2025 to 31 Mar 2025');
    expect(one).toContain('from the closing on 15 Jan 2024');
    expect(one).toContain('8% a year, compounded, on unreturned capital and unpaid return');
    // Full catch-up: 20% of the profit of 300, or of 100.
    expect(one).toMatch(/Total To investors [\d,.]+ To the manager (60|20)\.00/);
  });

  test('says what is wrong with a period', async () => {
    const reversed = await client.get(paths.fund(fund, { ...period, until: '2025-01-30' }));
    expect(read(reversed)).toContain('The period must end after it begins');
    expect(entered(reversed, 'until')).toBe('2025-01-30');
    const open = await client.get(paths.fund(fund, { ...period, until: 'soon' }));
    expect(read(open)).toContain('Enter the first and the last day');
  });

  test('shows an investor its own fees only', async () => {
    const text = read(await investor.get(paths.fund(fund, period)));
    expect(text).toMatch(/Management fee 9\.70 USD/);
    expect(text).not.toContain('Tamar Life');
    expect(text).not.toContain('Call the management fee');
  });
});

describe('a capital call', () => {
  const form = {
    intent: 'review',
    callNumber: '9',
    amount: '200',
    'callPurposes[0].title': 'A note',
    'callPurposes[0].kind': 'investments',
    'callPurposes[0].amount': '',
    feeFrom: '2025-02-01',
    feeUntil: '2025-03-31',
    otherIntent: 'propose',
  };

  test('is offered the fee of a period by each investor’s terms, keeps what was entered, and shows what each owes', async () => {
    const opened = await client.get(paths.newCapitalCall({ fund, feeFrom: '2025-02-01', feeUntil: '2025-03-31' }));
    expect(entered(opened, 'feeFrom')).toBe('2025-02-01');
    const { amount: _, ...without } = { ...form, fund, 'callPurposes[0].amount': '200' };
    const answer = await client.submit(paths.newCapitalCall({ fund }), without);
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(entered(answer, 'callPurposes[1].title')).toBe('Management fee, 1 Feb 2025 to 31 Mar 2025');
    expect(entered(answer, 'callPurposes[1].from')).toBe('2025-02-01');
    expect(entered(answer, 'callPurposes[0].title')).toBe('A note');
    expect(read(answer)).toContain('Added the management fee for 1 Feb 2025 to 31 Mar 2025');
    const review = await client.submit(paths.newCapitalCall({ fund }), {
      ...without,
      otherIntent: 'review',
      cutOffDate: '2025-04-01',
      dueDate: '2025-05-01',
      'callPurposes[1].title': 'Fee',
      'callPurposes[1].kind': 'managementFee',
      'callPurposes[1].split': 'terms',
      'callPurposes[1].from': '2025-02-01',
      'callPurposes[1].until': '2025-03-31',
    });
    expect(review.status, read(review).slice(0, 2_000)).toBe(200);
    // 11.32 split by commitments of 3,000 and 1,000 would be 8.49 and 2.83.
    expect(read(review)).toMatch(/75\.0000 150\.00 9\.70 159\.70/);
    expect(read(review)).toMatch(/Tamar Life [\w ]*1,000\.00 25\.0000 50\.00 1\.62 51\.62/);
    // A purpose that waits for its amount takes the place of a new one.
    const filled = await client.submit(paths.newCapitalCall({ fund }), {
      ...form,
      fund,
      'callPurposes[0].kind': 'managementFee',
    });
    expect(entered(filled, 'callPurposes[0].until')).toBe('2025-03-31');
    expect(filled.text).not.toContain('callPurposes[1].amount');
  });

  test('says what is wrong with the days of a fee', async () => {
    const reversed = await client.submit(paths.newCapitalCall({ fund }), { ...form, fund, feeUntil: '2025-01-30' });
    expect([reversed.status, read(reversed).includes('must not be before the first day')]).toEqual([422, true]);
    const empty = await client.submit(paths.newCapitalCall({ fund }), { ...form, fund, feeFrom: '' });
    expect(empty.status).toBe(422);
    expect(entered(empty, 'amount')).toBe('200.00');
  });
});
