import { beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, type ScreenAnswer, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let client: ScreenClient;
let investor: ScreenClient;
let fund: string;
const lps: string[] = [];

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

/** The value shown in an input of the page. */
function shown(answer: ScreenAnswer, name: string): string | undefined {
  const input = answer.text.match(/<input[^>]*>/g)?.find((tag) => tag.includes(`name="${name}"`));
  return input?.match(/ value="([^"]*)"/)?.[1];
}

beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  investor = await screensOf(tenant.emails.investor);
  const own = (await investor.api.get('/crud/LPs')).json as { id: string }[];
  lps.push(own[0]!.id);
  const entity = { name: 'Okavango Life', formalId: 'LP-OKA', nationality: { country: 'US' } };
  lps.push((await created('/crud/LPs', { title: 'Okavango Life', entity })).id);
  fund = (
    await created('/crud/funds', {
      title: 'Quayside Fund',
      type: 'ComingleFund',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: 4000,
      hardCap: 4000,
    })
  ).id;
  for (const [index, sum] of [3000, 1000].entries()) {
    await created('/crud/LPCommitments', {
      fund,
      investor: { id: lps[index], kind: 'LP' },
      closingDate: '2026-01-15',
      maxCommitment: { sum, currency: 'USD' },
    });
  }
});

const call = (changes: Record<string, string> = {}) => ({
  intent: 'review',
  fund,
  callNumber: '7',
  cutOffDate: '2026-03-02',
  dueDate: '2026-03-20',
  amount: '1000.01',
  'callPurposes[0].title': 'Northwind, senior note',
  'callPurposes[0].kind': 'investments',
  'callPurposes[0].amount': '900',
  'callPurposes[1].title': 'First quarter',
  'callPurposes[1].kind': 'managementFee',
  'callPurposes[1].amount': '',
  ...changes,
});

const callsOf = async (api = tenant.manager) =>
  (await api.get('/crud/contributions', { filter: { fund } })).json as {
    id: string;
    status: string;
    amount: { sum: number };
    callPurposes: { amount: number }[];
    metadata: { bundleId: string };
  }[];

describe('a capital call', () => {
  test('is for a fund that is chosen first', async () => {
    const answer = await client.get(paths.newCapitalCall());
    expect(answer.text).toContain('Quayside Fund</a>');
    const chosen = await client.get(paths.newCapitalCall({ fund }));
    expect(shown(chosen, 'callNumber')).toBe('1');
    expect(shown(chosen, 'fund')).toBe(fund);
  });

  test('comes back with what was entered where it is wrong', async () => {
    const wrong = await client.submit(paths.newCapitalCall({ fund }), call({ dueDate: '2026-03-01' }));
    expect(wrong.status).toBe(422);
    expect(read(wrong)).toContain('Due date must not be before the cut-off date');
    expect(shown(wrong, 'callPurposes[0].amount')).toBe('900.00');
    const both = await client.submit(paths.newCapitalCall({ fund }), call({ percentage: '10' }));
    expect([both.status, read(both).includes('Enter either an amount or a percentage')]).toEqual([422, true]);
    const rest = await client.submit(paths.newCapitalCall({ fund }), call({ 'callPurposes[0].amount': '1000.02' }));
    expect(rest.status).toBe(422);
    expect(read(rest)).toContain('The other purposes are 0.01 USD more than 1000.01');
    const sums = await client.submit(paths.newCapitalCall({ fund }), call({ 'callPurposes[1].amount': '100' }));
    expect(sums.status).toBe(422);
    expect(read(sums)).toContain('The purposes add up to 1000, not 1000.01 (difference 0.01)');
    expect(await callsOf()).toEqual([]);
  });

  test('gets another purpose, and keeps the rest of the form', async () => {
    const answer = await client.submit(paths.newCapitalCall({ fund }), call({ listEdit: 'add callPurposes 2' }));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('name="callPurposes[2].title"');
    expect(shown(answer, 'amount')).toBe('1,000.01');
  });

  test('is reviewed without being stored, and then saved as a draft', async () => {
    const review = await client.submit(paths.newCapitalCall({ fund }), call());
    expect(review.status, review.text.slice(0, 500)).toBe(200);
    // 3 to 1: the odd cents go by largest remainder, line by line.
    expect(read(review)).toMatch(/Okavango Life [\w ]*1,000\.00 25\.0000 225\.00 25\.00 250\.00 1,000\.00 750\.00/);
    expect(read(review)).toContain('Rows and columns add up to 1,000.01 USD');
    expect(shown(review, 'callPurposes[0].title')).toBe('Northwind, senior note');
    expect(await callsOf()).toEqual([]);
    const back = await client.submit(paths.newCapitalCall({ fund }), call({ otherIntent: 'change' }));
    expect(shown(back, 'callPurposes[1].title')).toBe('First quarter');
    const saved = await client.submit(paths.newCapitalCall({ fund }), call({ otherIntent: 'draft' }));
    expect(saved.status).toBe(302);
    const drafts = await callsOf();
    expect(drafts.map(({ status, amount }) => [status, amount.sum]).sort()).toEqual([
      ['Draft', 250],
      ['Draft', 750.01],
    ]);
    expect(saved.headers.get('location')).toBe(paths.capitalCall(drafts[0]!.metadata.bundleId));
    // A draft is not for the investor's eyes.
    expect(read(await investor.get(paths.capitalCalls()))).toContain('No capital calls yet');
    expect((await client.get(saved.headers.get('location')!)).text).toContain('Issue');
  });

  test('of a percentage comes to that part of the commitments', async () => {
    const fields = call({ amount: '', percentage: '2.5', callNumber: '8' });
    const review = await client.submit(paths.newCapitalCall({ fund }), { ...fields, 'callPurposes[0].amount': '60' });
    expect(read(review)).toMatch(/Okavango Life [\w ]*1,000\.00 25\.0000 15\.00 10\.00 25\.00/);
  });

  test('beyond what is unfunded names the investors, and cannot be issued', async () => {
    const fields = call({ amount: '4000.04', callNumber: '8' });
    const review = await client.submit(paths.newCapitalCall({ fund }), fields);
    expect(review.status).toBe(200);
    expect(read(review)).toContain('Beyond what is unfunded: Okavango Life by 0.01 USD');
    expect(review.text).not.toContain('value="draft"');
    const refused = await client.submit(paths.newCapitalCall({ fund }), { ...fields, intent: 'issue' });
    expect(refused.status).toBe(422);
    expect(read(refused)).toContain('Okavango Life by 0.01 USD');
    expect(shown(refused, 'amount')).toBe('4,000.04');
  });

  test('is issued, seen by its investor, closed, and removed with a reason', async () => {
    const [one] = await callsOf();
    const page = paths.capitalCall(one!.metadata.bundleId);
    const question = await client.get(paths.capitalCall(one!.metadata.bundleId, { ask: 'issue' }));
    expect(read(question)).toContain('Issue call 7?');
    expect(read(question)).toContain('Who is told');
    const version = shown(question, 'headerVersion')!;
    expect((await client.submit(page, { intent: 'issue', headerVersion: version, confirmed: 'yes' })).status).toBe(302);
    expect((await callsOf()).map(({ status }) => status)).toEqual(['Active', 'Active']);
    const stale = await client.submit(page, { intent: 'close', headerVersion: version, confirmed: 'yes' });
    expect(stale.status).toBe(422);
    expect(read(stale)).toContain('Someone else has changed this');
    const list = read(await investor.get(paths.capitalCalls()));
    expect(list).toContain('750.01');
    expect(list).toContain('20 Mar 2026');
    expect(list).not.toContain('Okavango');
    const seen = await investor.get(page);
    expect(read(seen)).toMatch(/To pay 750\.01/);
    expect(seen.text).not.toContain('Okavango');
    expect(seen.text).not.toContain('value="remove"');
    const forbidden = await investor.submit(page, { intent: 'close', headerVersion: version, confirmed: 'yes' });
    expect(forbidden.status).toBe(403);
    const without = await client.submit(page, {
      intent: 'remove',
      headerVersion: shown(await client.get(page), 'headerVersion')!,
    });
    expect(without.status).toBe(422);
    expect(read(await client.get(paths.capitalCalls()))).toContain('Quayside Fund');
    const remaining = shown(await client.get(page), 'headerVersion')!;
    expect((await client.submit(page, { intent: 'close', headerVersion: remaining, confirmed: 'yes' })).status).toBe(
      302,
    );
    const last = shown(
      await client.get(paths.capitalCall(one!.metadata.bundleId, { ask: 'remove' })),
      'headerVersion',
    )!;
    const removed = await client.submit(page, {
      intent: 'remove',
      headerVersion: last,
      reason: 'Entered for the wrong fund',
    });
    expect(removed.headers.get('location')).toBe(paths.capitalCalls());
    // Its address says what became of it: to the manager with the reason, to the investor without.
    const withdrawn = /Quayside Fund withdrew capital call 7 \(due on 20 Mar 2026\) on .* Do not pay it\./;
    expect(read(await client.get(page))).toMatch(withdrawn);
    expect(read(await client.get(page))).toContain('Entered for the wrong fund');
    const toldInvestor = read(await investor.get(page));
    expect(toldInvestor).toMatch(withdrawn);
    expect(toldInvestor).not.toContain('Entered for the wrong fund');
    expect(await callsOf()).toEqual([]);
  });
});

describe('a distribution', () => {
  const form = (changes: Record<string, string> = {}) => ({
    intent: 'review',
    fund,
    callNumber: 'D1',
    cutOffDate: '2026-06-30',
    distributionKind: 'Interest and Principal',
    principal: '100',
    recallableDistribution: 'on',
    'components[0].title': 'Interest of the quarter',
    'components[0].actionType': 'INTEREST',
    'components[0].amount': '40.02',
    'components[1].title': 'Administrator',
    'components[1].actionType': 'INTEREST FEES',
    'components[1].amount': '4',
    'components[2].title': 'Withholding tax',
    'components[2].actionType': 'INTEREST TAX',
    'components[2].amount': '6',
    ...changes,
  });
  beforeAll(async () => {
    // What is returned and written off was called before.
    await created('/crud/contributions', {
      fund,
      callNumber: '90',
      cutOffDate: '2026-02-02',
      dueDate: '2026-02-20',
      amount: { sum: 400, currency: 'USD' },
      callPurposes: [{ title: 'Investments', kind: 'investments', amount: 400 }],
      status: 'Active',
    });
  });
  const distributionsOf = async () =>
    (await tenant.manager.get('/crud/distributions', { filter: { fund } })).json as {
      status: string;
      totalDistributed: { sum: number };
      pdfOptions: { recallableDistribution: boolean };
      metadata: { bundleId: string };
    }[];

  test('follows the rules of its kind', async () => {
    const address = paths.newDistribution({ fund });
    const interest = await client.submit(address, form({ distributionKind: 'Interest' }));
    expect([interest.status, read(interest).includes('A distribution of interest has no principal')]).toEqual([
      422,
      true,
    ]);
    const only = await client.submit(address, form({ distributionKind: 'Principal Only' }));
    expect([only.status, read(only).includes('A distribution of principal only has no components')]).toEqual([
      422,
      true,
    ]);
    const short = await client.submit(address, form({ principal: '', 'components[1].amount': '41' }));
    expect([short.status, read(short).includes('The fees and taxes are more than what is distributed')]).toEqual([
      422,
      true,
    ]);
    expect(shown(short, 'components[1].amount')).toBe('41.00');
    const beyond = await client.submit(address, form({ principal: '400.04' }));
    expect([
      beyond.status,
      read(beyond).includes('Okavango Life by 0.01 USD on 30 Jun 2026 (called 100.00, returned 100.01)'),
    ]).toEqual([422, true]);
    expect(await distributionsOf()).toEqual([]);
  });

  test('is reviewed line by line, issued, and seen by its investor', async () => {
    const address = paths.newDistribution({ fund });
    const review = await client.submit(address, form());
    expect(review.status, review.text.slice(0, 500)).toBe(200);
    expect(read(review)).toMatch(/Net profit interest less fees 36\.02/);
    expect(read(review)).toMatch(/Distributed principal \+ net profit \+ net capital gains − total tax 130\.02/);
    expect(read(review)).toContain('can be called again');
    expect(await distributionsOf()).toEqual([]);
    const saved = await client.submit(address, form({ intent: 'issue' }));
    expect(saved.status).toBe(302);
    const stored = await distributionsOf();
    expect(stored.map(({ status, totalDistributed }) => [status, totalDistributed.sum]).sort()).toEqual([
      ['Active', 32.5],
      ['Active', 97.52],
    ]);
    expect(stored[0]?.pdfOptions.recallableDistribution).toBe(true);
    const page = await client.get(saved.headers.get('location')!);
    expect(read(page)).toMatch(/Net profit interest less fees 36\.02/);
    const own = read(await investor.get(paths.distributions()));
    expect(own).toContain('97.52');
    expect(own).not.toContain('Okavango');
    expect(read(await client.get(paths.fund(fund, { view: 'activity' })))).toContain('130.02');
  });
});

describe('a NAV', () => {
  test('of the fund is split over its investors, corrected, and stored', async () => {
    const address = paths.newNav({ fund });
    const opened = await client.get(address);
    const form = { fund, cutOffDate: '2026-06-30', status: 'Draft' };
    const commitments = [0, 1].map((index) => shown(opened, `rows[${index}].commitment`)!);
    const split = await client.submit(address, {
      ...form,
      intent: 'create',
      otherIntent: 'split',
      gross: '1000.02',
      net: '900',
    });
    expect(split.status, split.text.slice(0, 500)).toBe(200);
    expect([0, 1].map((index) => shown(split, `rows[${index}].gross`))).toEqual(['750.02', '250.00']);
    const half = await client.submit(address, {
      ...form,
      intent: 'create',
      'rows[0].commitment': commitments[0]!,
      'rows[0].gross': '750.02',
      'rows[0].net': '',
    });
    expect(half.status).toBe(422);
    expect(shown(half, 'rows[0].gross')).toBe('750.02');
    const saved = await client.submit(address, {
      ...form,
      intent: 'create',
      'rows[0].commitment': commitments[0]!,
      'rows[0].gross': '750.02',
      'rows[0].net': '-1',
      'rows[1].commitment': commitments[1]!,
      'rows[1].gross': '',
      'rows[1].net': '',
    });
    expect(saved.headers.get('location')).toBe(paths.fund(fund, { view: 'navs' }));
    const { json } = await tenant.manager.get('/crud/navs', { filter: { fund } });
    expect(json.map(({ status, gross, net }: Record<string, unknown>) => [status, gross, net])).toEqual([
      ['Draft', 750.02, -1],
    ]);

    const tab = paths.fund(fund, { view: 'navs' });
    const drafts = await client.get(tab);
    expect(read(drafts)).toContain('Draft NAVs');
    const steps = { cutOffDate: json[0].cutOffDate, version: shown(drafts, 'version')! };
    expect((await investor.submit(tab, { intent: 'issueNavs', ...steps })).status).toBe(403);
    const stale = { ...steps, version: String(Number(steps.version) + 1) };
    for (const intent of ['issueNavs', 'discardNavs']) {
      expect((await client.submit(tab, { intent, confirmed: 'yes', ...stale })).status).toBe(422);
    }
    expect((await client.submit(tab, { intent: 'issueNavs', confirmed: 'yes', ...steps })).status).toBe(302);
    const issued = (await tenant.manager.get('/crud/navs', { filter: { fund } })).json;
    expect(issued.map(({ status }: { status: string }) => status)).toEqual(['Active']);
    expect(read(await client.get(tab))).not.toContain('Draft NAVs');
    expect((await client.submit(tab, { intent: 'discardNavs', confirmed: 'yes', ...steps })).status).toBe(404);
  });
});

test('a NAV of a day to come is asked once, with what was entered; the API answers a warning', async () => {
  const address = paths.newNav({ fund });
  const commitment = shown(await client.get(address), 'rows[0].commitment')!;
  const form = {
    intent: 'create',
    fund,
    cutOffDate: '2150-06-30',
    status: 'Draft',
    'rows[0].commitment': commitment,
    'rows[0].gross': '123.45',
    'rows[0].net': '120',
  };
  const navs = async () =>
    (await tenant.manager.get('/crud/navs', { filter: { fund, cutOffDate: '2150-06-30' } })).json;
  const question = 'The NAV of 30 Jun 2150 is in the future.';
  const asked = await client.submit(address, form);
  expect(asked.status).toBe(422);
  expect(read(asked)).toContain(`Is this right? Nothing has been saved yet. ${question} Save anyway`);
  expect([shown(asked, 'rows[0].gross'), shown(asked, 'cutOffDate')]).toEqual(['123.45', '2150-06-30']);
  expect(await navs()).toEqual([]);
  const confirmedWarnings = JSON.stringify([question]);
  expect(asked.text).toContain(confirmedWarnings.replaceAll('"', '&quot;'));
  // A confirmation of something else confirms nothing.
  expect((await client.submit(address, { ...form, confirmedWarnings: '["Another"]' })).status).toBe(422);
  expect((await client.submit(address, { ...form, confirmedWarnings })).status).toBe(302);
  expect(await navs()).toHaveLength(1);

  const body = {
    fund,
    investor: { id: lps[1], kind: 'LP' },
    cutOffDate: '2150-06-30',
    gross: 1,
    net: 1,
    currency: 'USD',
  };
  const answer = await tenant.manager.post('/crud/navs', [body]);
  expect([answer.status, answer.json[0].warnings], answer.text).toEqual([201, [question]]);
  const today = await tenant.manager.post('/crud/navs', [{ ...body, cutOffDate: '2026-07-01' }]);
  expect([today.status, 'warnings' in today.json[0]]).toEqual([201, false]);
});

test('a commitment above the hard cap is asked once on the form, and answered with a warning', async () => {
  const entity = { name: 'Zambezi Life', formalId: 'LP-ZAM', nationality: { country: 'US' } };
  const { id } = await created('/crud/LPs', { title: 'Zambezi Life', entity });
  const form = {
    intent: 'create',
    lp: id,
    closingDate: '2026-02-01',
    status: 'Draft',
    maxCommitment: '1',
    activeCommitment: '',
  };
  const asked = await client.submit(paths.newCommitment(fund), form);
  expect(asked.status, read(asked).slice(0, 500)).toBe(422);
  expect(read(asked)).toContain(
    'The commitments to Quayside Fund, drafts included, are above its hard cap of 4,000.00 USD.',
  );
  const body = {
    fund,
    investor: { id, kind: 'LP' },
    closingDate: '2026-02-01',
    maxCommitment: { sum: 1, currency: 'USD' },
  };
  const answer = await created('/crud/LPCommitments', { ...body, status: 'Draft' });
  expect(answer.warnings).toEqual([
    'The commitments to Quayside Fund, drafts included, are above its hard cap of 4,000.00 USD.',
  ]);
});

test('a write-off is split over the investors, and listed on the page of the fund', async () => {
  const address = paths.newWriteOff({ fund });
  const form = { intent: 'create', fund, cutOffDate: '2026-06-30', status: 'Active' };
  const wrong = await client.submit(address, { ...form, amount: '0' });
  expect([wrong.status, read(wrong).includes('Amount must be above 0')]).toEqual([422, true]);
  const tooExact = await client.submit(address, { ...form, amount: '10.001' });
  expect(tooExact.status).toBe(422);
  expect(shown(tooExact, 'amount')).toBe('10.001');
  const saved = await client.submit(address, { ...form, amount: '10' });
  expect(saved.status).toBe(302);
  const page = read(await client.get(saved.headers.get('location')!));
  expect(page).toMatch(/Okavango Life [^.]* 2\.50/);
  expect(page).toContain('7.50');
});
