import { describe, expect, it } from 'vitest';
import { paths } from '../../app/paths.ts';
import { expectRefusal } from '../api-client.ts';
import { screensOf } from '../screen-client.ts';
import { ownTenant } from '../tenant.ts';

const tenant = ownTenant();

interface Body {
  id: string;
  version: number;
  status: string;
  metadata: unknown;
  notes: { id: string; title: string; contracts: { id: string; status: string; version: number }[] }[];
}

const get = async (id: string): Promise<Body> => {
  const answer = await tenant.manager.get(`/crud/transactions/${id}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const put = (body: Body) => tenant.manager.call('PUT', `/crud/transactions/${body.id}`, { body });
/** The content that must not change in an update without differences. */
const content = ({ version, metadata, ...rest }: Body) => rest;

/** A transaction with every possible field set. */
async function wholeTransaction() {
  const mappings = (await tenant.manager.get('/crud/assetsETLs')).json as { id: string; company: string }[];
  const funds = (await tenant.manager.get('/crud/funds')).json as { id: string }[];
  const { id: assetsETL, company } = mappings[0]!;
  const usd = (sum: number) => ({ sum, currency: 'USD' });
  const limits = {
    amountRange: { currency: 'USD', min: 100_000.5, max: 5_000_000 },
    frequency: { limit: 2, interval: 'Annualy' },
    dueDateLimit: { min: 2, max: 10 },
  };
  const terms = {
    commitments: [{ amount: usd(12_500_000.25), additionalCurrencies: ['EUR'] }],
    interest: { kind: 'variable', baseRate: 'SOFR', spread: 3.25, minimumInterest: 1, numberRange: { min: 2, max: 9 } },
    fees: [
      { rate: 1.5, title: 'Unused', kind: 'Unused', frequency: 'Quarterly', feeType: 'Undrawn Amount' },
      {
        rate: { sum: 2500.75, currency: 'USD' },
        title: 'Agency',
        kind: 'Agency',
        frequency: 'Annually',
        payee: { name: 'Harbour Agency' },
        dateRangeType: { start: 'custom', end: 'maturity' },
        dateRange: { start: '2026-01-15' },
      },
    ],
    warrants: [{ holdingValue: usd(10), acquisitionDate: '2026-02-01', actual: { kind: 'future', percentage: 2.5 } }],
    timeline: {
      approval: '2025-12-01',
      contractSigning: '2026-01-15',
      revolvingStart: '2026-01-15',
      revolvingEnd: '2028-01-15',
      maturity: '2029-01-15',
    },
    drawLimits: {
      draw: limits,
      prefunding: { ...limits, maxPercentage: 20, defaultAmount: usd(1), maxAmount: usd(2) },
      recycling: { maxPercentage: 10, maxCollectionAccount: usd(3) },
    },
  };
  const rule = { title: 'Score', filter: { 'creditScores.origination': { gte: 640 } } };
  const contract = {
    title: 'Terms',
    cutOffDate: '2026-01-31',
    assetsETL,
    status: 'Active',
    values: [{ title: 'Consumers', pool: 'relevant', filter: { term: { gt: 12 } } }],
    scopes: [{ title: 'All', description: 'Every asset' }],
    eligibilityRules: [
      {
        ...rule,
        description: 'At origination',
        startDate: '2026-01-01',
        expirationDate: '2030-01-01',
        exceptions: [{ assetId: 'A-1', reason: 'Waived' }, { filter: { term: 36 } }],
      },
    ],
    performanceRules: [{ ...rule, enabled: false }],
    concentrationRules: [
      {
        title: 'States',
        groupBy: 'address.state',
        topN: 2,
        skipN: 1,
        equator: { operand: 'lte', unit: 'percentage', value: 40.5, of: 'Consumers' },
      },
    ],
    advanceRate: { cases: [{ ...rule, rate: 90.12345678, scope: 'All' }], defaultRate: 80 },
  };
  const created = await tenant.manager.post('/crud/transactions', {
    title: 'Everything',
    type: 'Asset Backed Lending',
    industries: ['Consumer Lending', 'Fintech'],
    company,
    managerMaxCommitments: [usd(1)],
    notes: [
      {
        title: 'Senior',
        operational: true,
        security: ['First lien'],
        priority: { attachmentPoint: 0, detachmentPoint: 80.5 },
        contracts: [contract, { ...contract, title: 'Next', cutOffDate: '2026-12-31', status: 'Draft' }],
        tranches: [
          { sequence: 1, sequenceActivated: true, title: 'One', type: 'ROFR', terms, condition: 'None' },
          { sequence: 2, isDiscretional: true, title: 'Two', type: 'ROFO', terms, description: 'Later' },
        ],
        terms: { interest: { kind: 'fix', value: 9.75 } },
        futureInvestmentRights: { description: 'Pro rata', amount: usd(5) },
        legalAgreements: ['Credit agreement'],
        holdings: [
          { fund: funds[0]!.id, targetPercentage: 60, actualPercentage: 55.5 },
          { holding: 'Others', targetPercentage: 40, actualPercentage: 44.5 },
        ],
        mainCurrency: 'USD',
      },
      { title: 'Mezz', mainCurrency: 'EUR' },
    ],
  });
  expect(created.status, created.text).toBe(201);
  return { body: created.json as Body, company };
}

describe('a transaction that was read', () => {
  it('is accepted as it is, again and again, and nothing of it changes', async () => {
    const { body } = await wholeTransaction();
    const read = await get(body.id);
    expect(content(read)).toEqual(content(body));
    const first = await put(read);
    expect(first.status, first.text).toBe(200);
    expect(content(first.json)).toEqual(content(read));
    const second = await put(await get(body.id));
    expect(second.status, second.text).toBe(200);
    expect(content(second.json)).toEqual(content(read));
    const [listed] = (await tenant.manager.get('/crud/transactions', { filter: { id: body.id } })).json;
    expect((await put(listed)).status).toBe(200);
  });

  it('is closed by its status, on the screen as well, and then changes no more', async () => {
    const { body } = await wholeTransaction();
    const { json: removed } = await tenant.manager.call('PUT', `/crud/transactions/${body.id}`, {
      body: { ...(await get(body.id)), status: 'Removed' },
    });
    expect(removed).toMatchObject({ code: 400, flags: { status: expect.any(String) } });
    const closed = await put({ ...(await get(body.id)), status: 'Closed' });
    expect(closed.status, closed.text).toBe(200);
    expect(closed.json).toMatchObject({ status: 'Closed', notes: [{ contracts: [{ status: 'Closed' }, {}] }, {}] });
    expectRefusal(await put(closed.json), 400, 'The facility is Closed and cannot be changed');
    expectRefusal(await put({ ...closed.json, status: 'Active' }), 400, 'cannot go from Closed to Active');
    expectRefusal(await tenant.manager.call('DELETE', `/crud/transactions/${body.id}`), 400, 'cannot go from Closed');

    const other = (await wholeTransaction()).body;
    const screens = await screensOf(tenant.emails.manager);
    const asked = await screens.submit(paths.transaction(other.id), {
      intent: 'close',
      version: String(other.version),
    });
    expect(asked.headers.get('location')).toBe(paths.transaction(other.id, { view: 'terms', confirm: 'close' }));
    expect((await screens.get(paths.transaction(other.id, { view: 'terms', confirm: 'close' }))).text).toContain(
      'Close this facility?',
    );
    expect((await get(other.id)).status).toBe('Active');
    await screens.submit(paths.transaction(other.id), {
      intent: 'close',
      version: String(other.version),
      confirmed: 'yes',
    });
    expect((await get(other.id)).status).toBe('Closed');
  });

  it('is refused where it was changed meanwhile, and where a contract names an unknown field', async () => {
    const { body } = await wholeTransaction();
    expect((await put(body)).json.version).toBe(body.version);
    expect((await put(Object.assign(structuredClone(body), { title: 'Renamed' }))).status).toBe(200);
    expectRefusal(await put(body), 400);
    const change = async (fields: object) => {
      const read = await get(body.id);
      Object.assign(read.notes[0]!.contracts.find(({ status }) => status === 'Draft')!, fields);
      return read;
    };
    // A draft is stored, and the answer says what is wrong with it.
    const eligibilityRules = [{ title: 'Score', filter: { ficoScore: { gte: 640 } } }];
    const stored = await put(await change({ eligibilityRules }));
    expect(stored.json.warnings).toEqual([
      expect.stringMatching(/^notes\.0\.contracts\.1\.eligibilityRules\.0\.filter.*ficoScore is not a field/),
    ]);
    const now = await change({ status: 'Active' });
    const refused = expectRefusal(await put(now), 400);
    expect(refused.message).toBe(
      'The contract "Next" cannot become Active. Score: ficoScore is not a field that can be filtered by',
    );
    expect(Object.keys(refused.flags)).toEqual(['notes.0.contracts.1.eligibilityRules.0.filter.filter.ficoScore']);
  });
});

describe('utilization is a list of notes', () => {
  const list = (query: object = {}) =>
    tenant.manager.get('/crud/transactions/notes/utilization', query as Record<string, unknown>);

  it('counted, paged, sorted, filtered and grouped by notes and not by their transactions', async () => {
    const { body, company } = await wholeTransaction();
    const filter = { transaction: body.id };
    const all = await list({ filter });
    expect(all.headers.get('x-docs-count')).toBe('2');
    expect(all.json).toMatchObject([
      { noteTitle: 'Senior', mainCurrency: 'USD', commitments: { sum: 12500000.25, currency: 'USD' }, balance: null },
      { noteTitle: 'Mezz', mainCurrency: 'EUR', commitments: null, utilizationPercent: null },
    ]);
    const page = await list({ filter, skip: 1, limit: 1 });
    expect([page.headers.get('x-docs-count'), page.json]).toEqual(['2', all.json.slice(1)]);
    const sorted = await list({ filter, sort: { noteTitle: 1 } });
    expect(sorted.json.map(({ noteTitle }: { noteTitle: string }) => noteTitle)).toEqual(['Mezz', 'Senior']);
    expect((await list({ filter: { ...filter, 'commitments.sum': { gt: 12_500_000 } } })).json).toHaveLength(1);
    expect((await list({ filter: { company, title: 'Everything' } })).json.length).toBeGreaterThanOrEqual(2);
    const groups = await list({ filter, groupBy: { accumulator: '$sum', by: 'mainCurrency' }, preseveDocsIds: true });
    expect(groups.json).toEqual([
      { key: 'EUR', value: 1, count: 1, ids: [body.notes[1]!.id] },
      { key: 'USD', value: 1, count: 1, ids: [body.notes[0]!.id] },
    ]);
    const sums = await list({ filter, groupBy: { accumulator: '$sum', field: 'commitments.sum' } });
    expect(sums.json).toEqual([
      {
        key: null,
        value: 12500000.25,
        count: 2,
        byCurrency: [{ currency: 'USD', value: 12500000.25, count: 1 }],
      },
    ]);
  });

  it('with an error for a field that it does not have', async () => {
    const { flags } = expectRefusal(await list({ sort: { nothing: 1 } }), 400);
    expect(flags).toHaveProperty(['sort.nothing']);
  });
});
