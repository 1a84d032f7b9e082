import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, expectRefusal } from '../api-client.ts';
import { ownTenant } from '../tenant.ts';
import { createTwoNotes } from '../two-notes.ts';

const tenant = ownTenant();
let manager: ApiClient;
let tape = '';
let transaction = '';
let bases: Record<string, string> = {};
beforeAll(async () => {
  manager = tenant.manager;
  ({ tape, transaction, bases } = await createTwoNotes(manager));
});

const list = (query: Record<string, unknown> = {}) =>
  manager.get('/crud/assets', { filter: { loanTape: tape }, sort: { row: 1 }, ...query });
const asset = async (row: number) => (await list()).json.find((one: { rowNumber: number }) => one.rowNumber === row).id;

describe('results of several notes on one tape', () => {
  it('are of the first note, or of the one that is asked for, and say so', async () => {
    const rates = async (query: object) =>
      (await list({ ...query })).json.map(({ borrowingBase }: never) => borrowingBase);
    const first = await rates({});
    expect(first[0]).toMatchObject({
      id: bases.Senior,
      rate: 100,
      note: { title: 'Senior' },
      transaction: { id: transaction, title: 'Two notes' },
      contract: { revision: 1, cutOffDate: '2017-01-01' },
    });
    expect(first.map(({ status }: { status: string }) => status)).toEqual([
      'eligible',
      'eligible',
      'inEligible',
      'eligible',
    ]);
    const chosen = await rates({ borrowingBase: bases.Mezzanine });
    expect(chosen[2]).toMatchObject({
      id: bases.Mezzanine,
      rate: 50,
      note: { title: 'Mezzanine' },
      status: 'eligible',
    });
  });

  it('are named by the header of lists, groups, statistics and files', async () => {
    const filter = { loanTape: tape };
    const query = { filter, borrowingBase: bases.Senior };
    const calls = [
      await manager.get('/crud/assets', query),
      await manager.get('/crud/assets', { ...query, groupBy: { accumulator: '$sum' } }),
      await manager.get('/crud/assets/statistics', query),
      await manager.call('GET', '/crud/assets', { query, headers: { accept: 'text/csv' } }),
    ];
    for (const { headers, status, text } of calls) {
      expect(status, text).toBe(200);
      expect(JSON.parse(headers.get('x-borrowing-bases') ?? 'null')).toMatchObject([
        { loanTape: tape, id: bases.Senior, note: { title: 'Senior' }, contract: { revision: 1 } },
      ]);
    }
    const [head = '', first = ''] = (calls[3]?.text ?? '').split(/\r?\n/);
    expect(head).toContain('borrowingBase.note,borrowingBase.contract');
    expect(first).toContain('"Two notes, Senior",v1 from 2017-01-01');
    const filtered = await manager.get('/crud/assets/statistics', {
      filter: { ...filter, 'borrowingBase.status': 'inEligible' },
      borrowingBase: bases.Senior,
    });
    expect(filtered.json.assetsStatuses).toMatchObject([{ value: 1 }]);
  });

  it('are refused for a borrowing base that is not of these tapes', async () => {
    for (const path of ['/crud/assets', '/crud/assets/statistics']) {
      const refused = await manager.get(path, { filter: { loanTape: tape }, borrowingBase: 'f'.repeat(24) });
      expect(expectRefusal(refused, 400).flags).toHaveProperty('borrowingBase');
    }
    expectRefusal(await list({ borrowingBase: 'f'.repeat(23) }), 400);
  });
});

describe('an asset explains its result', () => {
  it('by failed rules with its values', async () => {
    const { json } = await manager.get(`/crud/assets/${await asset(4)}`, { borrowingBase: bases.Senior });
    expect(json.explanation).toMatchObject({
      currency: 'USD',
      outOfScope: null,
      failedRules: [
        {
          stage: 'eligibility',
          rule: 0,
          title: 'FICO is at least 640',
          sentence: 'Origination credit score is at least 640: is 612',
        },
      ],
      concentration: [],
      advance: null,
    });
    const other = await manager.get(`/crud/assets/${await asset(4)}`, { borrowingBase: bases.Mezzanine });
    expect(other.json).toMatchObject({ borrowingBase: { id: bases.Mezzanine }, explanation: { failedRules: [] } });
  });

  it('by its cuts, the case that set its rate, and the amount advanced', async () => {
    const { json, text } = await manager.get(`/crud/assets/${await asset(3)}`, { borrowingBase: bases.Senior });
    // California has 2,000 financed against a limit of 1,000, so half of the 700 is kept. That is within 40 % of 1,700.
    expect(json.explanation).toMatchObject({
      failedRules: [],
      concentration: [
        {
          rule: 0,
          title: 'Financed in any one state at most 1,000',
          groupBy: { path: 'address.state', label: 'State' },
          group: 'CA',
          excess: 350,
          removed: 350,
        },
      ],
      advance: { rate: 100, case: 'Grade A', condition: 'Grade is A', remaining: 350, advanced: 350 },
    });
    expect(text).toContain('"removed":350.000000000000');
  });
});

it('a limit on another field publishes its excess beside the amount removed', async () => {
  const [{ excessBreachDistribution, netBB, overlap }] = (
    await manager.get('/crud/borrowingBase', { filter: { id: bases.Senior } })
  ).json;
  expect(netBB).toEqual({ sum: 1000, currency: 'USD' });
  expect(overlap).toBe('sequential');
  expect(excessBreachDistribution[0]).toMatchObject({
    accumulatorField: 'sums.sum',
    distance: 1000,
    excess: { sum: { sum: 600, currency: 'USD' } },
    removed: { sum: { sum: 600, currency: 'USD' } },
    groups: [
      { key: 'CA', measure: 2000, limit: 1000, distance: 1000, excess: { sum: { sum: 600 } } },
      { key: 'NY', measure: 1000, distance: null, excess: { sum: { sum: 0 } } },
    ],
  });
});

it('a note that is not calculated is Pending with its failure, and Failed on the page', async () => {
  const [without] = (await manager.get(`/crud/loanTape/${tape}/BBsStatuses`)).json.filter(
    ({ contractId }: { contractId: string | null }) => contractId === null,
  );
  expect(without).toMatchObject({ status: 'Pending', failure: 'No Active contract applies at this cut-off date' });
});
