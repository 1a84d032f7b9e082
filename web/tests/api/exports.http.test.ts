import { sum } from '@tapeline/domain/money/decimal.ts';
import { tableFromIPC } from 'apache-arrow';
import { beforeAll, expect, inject, it } from 'vitest';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';

const TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
};

let manager: ApiClient;
let tape: { id: string; counts: { assets: number; errored: number } };
beforeAll(async () => {
  manager = await signedIn('manager@tapeline.test');
  const [company] = (await manager.get('/crud/companies', { filter: { 'entity.name': 'Northwind Consumer Loans' } }))
    .json;
  [tape] = (await manager.get('/crud/loanTape', { filter: { company: company.id }, sort: { cutOffDate: -1 } })).json;
});

const get = (path: string, accept: string, query: Record<string, unknown>) =>
  manager.call('GET', path, { query, headers: { accept } });
const linesOf = (text: string) => text.trimEnd().split('\n');

it('every format holds the whole list, not its first page, and says how many there are', async () => {
  const filter = { loanTape: tape.id };
  expect(tape.counts.assets).toBeGreaterThan(1000);
  for (const [format, type] of Object.entries(TYPES)) {
    const file = await get('/crud/assets', type, { filter });
    expect([format, file.status, file.headers.get('content-type')?.split(';')[0]]).toEqual([format, 200, type]);
    expect(Number(file.headers.get('x-docs-count'))).toBe(tape.counts.assets);
    expect(file.headers.get('content-disposition')).toContain(`assets.${format}`);
    const start = Buffer.from(file.bytes.subarray(0, 4)).toString('latin1');
    if (format === 'xlsx') expect(start).toBe('PK\u0003\u0004');
    if (format === 'parquet')
      expect([start, Buffer.from(file.bytes.subarray(-4)).toString()]).toEqual(['PAR1', 'PAR1']);
    if (format === 'csv') expect(linesOf(file.text)).toHaveLength(tape.counts.assets + 1);
    if (format === 'arrow') expect(tableFromIPC(file.bytes).numRows).toBe(tape.counts.assets);
  }
});

it('a filter, an order and a page count for a file as for the list, to the last digit', async () => {
  const filter = { loanTape: tape.id, 'address.state': 'CA' };
  const query = { filter, sort: { 'sums.outstandingSum': -1, assetId: 1 } };
  const list = await manager.get('/crud/assets', { ...query, limit: 1000 });
  const [head = '', ...rows] = linesOf((await get('/crud/assets', TYPES.csv, query)).text);
  expect(rows).toHaveLength(Number(list.headers.get('x-docs-count')));
  const [id, outstanding] = ['id', 'sums.outstandingSum'].map((name) => head.split(',').indexOf(name));
  const cells = rows.map((row) => row.split(','));
  expect(cells.slice(0, 1000).map((row) => row[id!])).toEqual(list.json.map((one: { id: string }) => one.id));
  const sums = [...list.text.matchAll(/"outstandingSum":\{"sum":(-?\d+\.\d{4})/g)].map(([, digits]) => digits!);
  expect(sum(cells.slice(0, 1000).map((row) => row[outstanding!]!))).toBe(sum(sums));
  const part = await get('/crud/assets', TYPES.csv, { ...query, skip: 3, limit: 7 });
  expect(linesOf(part.text).slice(1)).toEqual(rows.slice(3, 10));
  expect(part.headers.get('x-docs-count')).toBe(String(rows.length));
});

it('errored rows come as files too, and by groups of their tapes', async () => {
  const filter = { loanTapeId: tape.id };
  const file = await get('/crud/assets/errored', TYPES.csv, { filter });
  const [head = ''] = linesOf(file.text);
  expect(head).toMatch(/^loanTape,row,errors,origin\.Loan ID,/);
  expect(file.headers.get('x-docs-count')).toBe(String(tape.counts.errored));
  const list = await manager.get('/crud/assets/errored', { filter, limit: 1000 });
  const groupBy = { accumulator: '$sum', by: 'loanTapeId' };
  const groups = await manager.get('/crud/assets/errored', { filter, groupBy, preseveDocsIds: true });
  const ids = list.json.map((row: { id: string }) => row.id);
  expect(groups.json).toEqual([{ key: tape.id, value: ids.length, count: ids.length, ids }]);
  const [all, ...others] = (await manager.get('/crud/assets/errored', { groupBy: { accumulator: '$sum' } })).json;
  expect([all.key, others]).toEqual([null, []]);
  expect(all.count).toBeGreaterThan(ids.length);
  expect(all.ids).toBeUndefined();
});

it('what is wrong with the query is an error as ever, and nobody exports what is out of sight', async () => {
  expectRefusal(await get('/crud/assets', TYPES.csv, { filter: { nonsense: 1 } }), 400);
  const stranger = await signedIn('borrower@tapeline.test');
  const out = await stranger.call('GET', '/crud/assets', {
    query: { filter: { company: { exists: true } } },
    headers: { accept: TYPES.csv },
  });
  const mine = await stranger.get('/crud/assets', { limit: 1 });
  expect(linesOf(out.text)).toHaveLength(Number(mine.headers.get('x-docs-count')) + 1);
});

it('a client that goes while it reads leaves the server well', async () => {
  const stop = new AbortController();
  const answer = await fetch(new URL('/crud/assets', inject('productUrl')), {
    headers: { accept: TYPES.csv, authorization: `Bearer ${manager.accessToken}` },
    signal: stop.signal,
  });
  await answer.body!.getReader().read();
  stop.abort();
  expect((await manager.get('/crud/assets', { limit: 1 })).status).toBe(200);
});
