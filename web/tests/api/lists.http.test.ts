import { sum } from '@tapeline/domain/money/decimal.ts';
import { type Decimal, tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, type ApiClient, expectRefusal, signedIn } from '../api-client.ts';

let manager: ApiClient;
let tape: { id: string; counts: { assets: number; errored: number; discarded: number; dataRows: number } };
beforeAll(async () => {
  manager = await signedIn('manager@tapeline.test');
  const [company] = (await manager.get('/crud/companies', { filter: { 'entity.name': 'Northwind Consumer Loans' } }))
    .json;
  [tape] = (await manager.get('/crud/loanTape', { filter: { company: company.id }, sort: { cutOffDate: -1 } })).json;
});

/** Number literals of the outstanding sums exactly as they appear in the response text. */
const outstandingOf = (answer: ApiAnswer): string[] =>
  [...answer.text.matchAll(/"outstandingSum":\{"sum":(-?\d+\.\d{4}),"currency":"USD"\}/g)].map(([, digits]) => digits!);
const totalOf = (answer: ApiAnswer) => Number(answer.headers.get('x-docs-count'));
const sameSum = (a: string, b: string) => expect(sum([a, '0'])).toBe(sum([b, '0']));

describe('a list of assets', () => {
  it('pages through everything once, and its exact sums are those of its groups, its statistics and its tape', async () => {
    const filter = { loanTape: tape.id };
    const ids: string[] = [];
    const sums: string[] = [];
    for (let skip = 0; skip < tape.counts.assets; skip += 1000) {
      const page = await manager.get('/crud/assets', { filter, skip, limit: 1000 });
      expect(totalOf(page)).toBe(tape.counts.assets);
      ids.push(...page.json.map(({ id }: { id: string }) => id));
      sums.push(...outstandingOf(page));
    }
    expect(new Set(ids).size).toBe(tape.counts.assets);
    expect(sums).toHaveLength(tape.counts.assets);

    const field = 'sums.outstandingSum';
    const groups = await manager.get('/crud/assets', {
      filter,
      groupBy: { accumulator: '$sum', field, by: 'address.state' },
      preseveDocsIds: true,
      limit: 1000,
    });
    const values = [...groups.text.matchAll(/\{"key":(?:null|"[^"]*"),"value":(\d+(?:\.\d+)?),/g)].map(
      ([, digits]) => digits!,
    );
    expect(values).toHaveLength(groups.json.length);
    sameSum(sum(values), sum(sums));
    expect(groups.json.flatMap((group: { ids: string[] }) => group.ids).sort()).toEqual([...ids].sort());
    expect([...groups.json].sort((a, b) => b.value - a.value)).toEqual(groups.json);

    const statistics = await manager.get('/crud/assets/statistics', { filter });
    const outstanding = statistics.text.slice(statistics.text.indexOf('"outstandingSum"'));
    sameSum(sum([...outstanding.matchAll(/"sum":(\d+\.\d{4})/g)].map(([, digits]) => digits!)), sum(sums));
    const counted = statistics.json.assetsStatuses.map(({ value }: { value: number }) => value);
    expect(counted.reduce((a: number, b: number) => a + b)).toBe(tape.counts.assets);
    // Assets include their borrowing-base results. Amounts in them are JSON numbers too.
    const [asset] = (await manager.get('/crud/assets', { filter, limit: 1 })).json;
    const { explanation, ...alone } = (await manager.get(`/crud/assets/${asset.id.toUpperCase()}`)).json;
    expect(alone).toEqual(asset);
    expect(explanation).toMatchObject({ currency: 'USD', failedRules: expect.any(Array) });
    expect(asset.borrowingBase.amount).toBeTypeOf('number');
    expect(asset.targetData.interestRate.value).toBeTypeOf('number');
  });

  it('averages by weight as one does by hand, and pages through groups', async () => {
    const filter = { loanTape: tape.id, 'address.state': 'CA', rate: undefined };
    const assets = (await manager.get('/crud/assets', { filter, limit: 1000 })).json.map(
      ({
        targetData,
      }: {
        targetData: { interestRate: { value: number }; sums: { outstandingSum: { sum: number } } };
      }) => ({
        rate: targetData.interestRate.value,
        weight: targetData.sums.outstandingSum.sum,
      }),
    );
    expect(assets.length).toBeGreaterThan(100);
    const weight = assets.reduce((total: number, asset: { weight: number }) => total + asset.weight, 0);
    const byHand =
      assets.reduce((total: number, one: { rate: number; weight: number }) => total + one.rate * one.weight, 0) /
      weight;
    const groupOf = async (groupBy: object) => (await manager.get('/crud/assets', { filter, groupBy })).json;
    const [weighted] = await groupOf({
      accumulator: '$wAvg',
      field: 'interestRate',
      weightedField: 'sums.outstandingSum',
    });
    expect(weighted).toEqual({
      key: null,
      value: expect.closeTo(byHand, 9),
      count: assets.length,
      byCurrency: [{ currency: 'USD', value: weighted.value, count: assets.length }],
    });
    const [plain] = await groupOf({ accumulator: '$avg', field: 'interestRate' });
    expect(plain.value).toBeCloseTo(
      assets.reduce((total: number, one: { rate: number }) => total + one.rate, 0) / assets.length,
      9,
    );

    const groupBy = { accumulator: '$sum', by: 'address.state' };
    const query = { filter: { loanTape: tape.id }, groupBy };
    const all = await manager.get('/crud/assets', { ...query, limit: 1000 });
    const page = await manager.get('/crud/assets', { ...query, skip: 2, limit: 3 });
    expect([totalOf(page), page.json]).toEqual([totalOf(all), all.json.slice(2, 5)]);
    expect(totalOf(all)).toBe(all.json.length);
  });

  it('filters and sorts on any path, with ties in row order, missing values last', async () => {
    const filter = {
      loanTape: tape.id,
      'targetData.assetStatus': { in: ['current', 'pastDue'] },
      'sums.outstandingSum': { gte: '10000.00', lt: 12000 },
      'address.state': { like: 'C%' },
      debtToIncome: { exists: true },
    };
    const page = await manager.get('/crud/assets', { filter, sort: { outstandingSum: -1 }, limit: 1000 });
    expect(page.json.length).toBeGreaterThan(10);
    expect(totalOf(page)).toBe(page.json.length);
    const sums = page.json.map(
      ({ targetData }: { targetData: { sums: { outstandingSum: { sum: number } } } }) =>
        targetData.sums.outstandingSum.sum,
    );
    expect([...sums].sort((a, b) => b - a)).toEqual(sums);
    expect(sums[0]).toBeLessThan(12_000);
    expect(sums.at(-1)).toBeGreaterThanOrEqual(10_000);
    const states = page.json.map(
      ({ targetData }: { targetData: { address: { state: string } } }) => targetData.address.state,
    );
    expect(new Set(states.map((state: string) => state[0]))).toEqual(new Set(['C']));
    const tied = await manager.get('/crud/assets', {
      filter: { loanTape: tape.id },
      sort: { 'dates.chargeOffDate': 1 },
      limit: 1000,
    });
    const dates = tied.json.map(
      ({ targetData }: { targetData: { dates: { chargeOffDate: string | null } } }) => targetData.dates.chargeOffDate,
    );
    const known = dates.filter((date: string | null) => date !== null);
    expect(known.length).toBeGreaterThan(0);
    expect(dates.slice(0, known.length)).toEqual([...known].sort());
  });

  it('comes as an Arrow stream with the same figures, decimals to the last digit', async () => {
    const query = { filter: { loanTape: tape.id }, sort: { 'sums.outstandingSum': -1 }, skip: 5, limit: 200 };
    const json = await manager.get('/crud/assets', query);
    const stream = await manager.call('GET', '/crud/assets', {
      query,
      headers: { accept: 'application/vnd.apache.arrow.stream' },
    });
    expect(stream.headers.get('content-type')).toBe('application/vnd.apache.arrow.stream');
    expect(totalOf(stream)).toBe(totalOf(json));
    const table = tableFromIPC(stream.bytes);
    expect([...table.getChild('id')!]).toEqual(json.json.map(({ id }: { id: string }) => id));
    const column = table.getChild('sums.outstandingSum')!;
    const { scale } = column.type as Decimal;
    const digits = [...column].map((words: Uint32Array) => {
      const scaled = BigInt.asIntN(64, (BigInt(words[1]!) << 32n) | BigInt(words[0]!))
        .toString()
        .padStart(scale + 1, '0');
      return `${scaled.slice(0, -scale)}.${scaled.slice(-scale)}`;
    });
    expect(digits).toEqual(outstandingOf(json));
  });
});

type Named = { id: string; rowNumber: number; sequenceIndex: number };
it('filters and sorts assets by their ids, row numbers and places in the tape', async () => {
  const list = async (filter: object, sort: object = { rowNumber: -1 }): Promise<Named[]> =>
    (await manager.get('/crud/assets', { filter: { loanTapeId: tape.id, ...filter }, sort, limit: 5 })).json;
  const last = await list({});
  expect(last).toHaveLength(5);
  const [highest, second] = last as [Named, Named];
  expect(last.map(({ rowNumber }) => rowNumber)).toEqual(last.map(({ rowNumber }) => rowNumber).sort((a, b) => b - a));
  for (const name of ['id', 'rowNumber', 'sequenceIndex'] as const) {
    expect(await list({ [name]: { in: [second[name], highest[name]] } }, { [name]: 1 })).toEqual([second, highest]);
    expect(await list({}, { [name]: -1 })).toEqual(last);
  }
  expect(await list({ rowNumber: { gt: highest.rowNumber } })).toEqual([]);
});

it('filters and sorts errored rows by their ids and row numbers', async () => {
  const list = async (filter: object, sort: object): Promise<Named[]> =>
    (await manager.get('/crud/assets/errored', { filter: { loanTapeId: tape.id, ...filter }, sort, limit: 5 })).json;
  const last = await list({}, { rowNumber: -1 });
  const [highest, second] = last as [Named, Named];
  expect(highest.rowNumber).toBeGreaterThan(second.rowNumber);
  for (const name of ['id', 'rowNumber'] as const) {
    expect(await list({ [name]: { in: [second[name], highest[name]] } }, { [name]: 1 })).toEqual([second, highest]);
  }
  const file = await manager.call('GET', '/crud/assets/errored', {
    query: { filter: { loanTapeId: tape.id, rowNumber: { gte: second.rowNumber } }, sort: { id: -1 } },
    headers: { accept: 'text/csv' },
  });
  const rows = file.text.trim().split('\n').slice(1);
  expect(rows.map((row) => Number(row.split(',')[1]))).toEqual([highest.rowNumber, second.rowNumber]);
});

it('filters and sorts mappings by their version', async () => {
  const versions = async (query: object): Promise<number[]> =>
    (await manager.get('/crud/assetsETLs', { limit: 100, ...query })).json.map(
      ({ version }: { version: number }) => version,
    );
  const descending = await versions({ sort: { version: -1 } });
  expect(descending).toEqual([...descending].sort((a, b) => b - a));
  expect(new Set(await versions({ filter: { version: 1 } }))).toEqual(new Set([1]));
  expect(await versions({ filter: { version: { lt: 1 } } })).toEqual([]);
});

it('lists errored rows with their reasons, by tape and in either direction', async () => {
  const list = await manager.get('/crud/assets/errored', { filter: { loanTapeId: tape.id }, limit: 1000 });
  expect([totalOf(list), list.json.length]).toEqual([tape.counts.errored, tape.counts.errored]);
  for (const row of list.json) {
    expect(row).toMatchObject({
      loanTapeId: tape.id,
      rowNumber: expect.any(Number),
      error: expect.stringMatching(/: /),
    });
    expect(row.errors[0]).toMatchObject({ rule: expect.any(Number), reason: expect.any(String) });
    expect(Object.keys(row.originData)).toContain('Loan ID');
  }
  const tapesBy = async (query: object) => {
    const rows = (await manager.get('/crud/assets/errored', { limit: 1000, ...query })).json as {
      loanTapeId: string;
    }[];
    return [...new Set(rows.map(({ loanTapeId }) => loanTapeId))];
  };
  const up = await tapesBy({ sort: { loanTapeId: 1 } });
  expect(up.length).toBeGreaterThan(2);
  expect(up).toEqual([...up].sort());
  expect(await tapesBy({ sort: { loanTapeId: -1 } })).toEqual([...up].reverse());
  expect(await tapesBy({ filter: { loanTapeId: { neq: tape.id } }, sort: { loanTapeId: 1 } })).toEqual(
    up.filter((id) => id !== tape.id),
  );
});

describe('a query that cannot be used', () => {
  it.each([
    ['/crud/assets', { filter: '{"nothing":1}' }, 'filter.nothing'],
    ['/crud/assets', { filter: '{"daysPastDue":{"gt":"many"}}' }, 'filter.daysPastDue.gt'],
    ['/crud/assets', { filter: '{' }, 'filter'],
    ['/crud/assets', { limit: 0 }, 'limit'],
    ['/crud/assets', { limit: 1001 }, 'limit'],
    ['/crud/assets', { skip: -1 }, 'skip'],
    ['/crud/assets', { sort: '{"nothing":1}' }, 'sort.nothing'],
    ['/crud/assets', { groupBy: '{"accumulator":"$avg"}' }, 'groupBy.field'],
    ['/crud/assets', { groupBy: '{"accumulator":"$max"}' }, 'groupBy.accumulator'],
    ['/crud/assets', { groupBy: '{"accumulator":"$sum","field":"assetId"}' }, 'groupBy.field'],
    ['/crud/assets/errored', { filter: '{"row":1}' }, 'filter.row'],
    ['/crud/assets/errored', { groupBy: '{"accumulator":"$sum","by":"rowNumber"}' }, 'groupBy.by'],
    [
      '/crud/companies',
      { filter: '{"entity.name; drop table companies":1}' },
      'filter.entity.name; drop table companies',
    ],
    ['/crud/LPCommitments/counts/total', { filter: '{"maxCommitment":{"gte":"a"}}' }, 'filter.maxCommitment.gte'],
  ])('of %s with %o is told what is wrong at %s', async (path, query, flag) => {
    const { flags } = expectRefusal(await manager.get(path, query), 400);
    expect(flags).toHaveProperty([flag]);
  });
});

it('groups documents of the database with exact numbers too', async () => {
  // The class of the first fund.
  const filter = { Class: 'A' };
  const groups = await manager.get('/crud/LPCommitments', {
    filter,
    groupBy: { accumulator: '$sum', field: 'maxCommitment', by: 'currency' },
    preseveDocsIds: true,
  });
  expect(groups.text).toMatch(/^\[\{"key":"USD","value":125000000,"count":3,"ids":\["[0-9a-f]{24}",/);
  expect(groups.json[0].byCurrency).toEqual([{ currency: 'USD', value: 125000000, count: 3 }]);
  const average = await manager.get('/crud/LPCommitments', {
    filter,
    groupBy: { accumulator: '$avg', field: 'maxCommitment' },
  });
  expect(average.text).toMatch(/"value":41666666\.66666\d+,"count":3/);
  const tapes = await manager.get('/crud/loanTape', {
    groupBy: { accumulator: '$sum', field: 'counts.assets', by: 'counts.assets' },
  });
  expect(tapes.json[0].key).toBeTypeOf('number');
});
