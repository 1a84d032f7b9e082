import { tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../app/api/api.server.ts';
import { paths } from '../../app/paths.ts';
import { type ApiAnswer, type ApiClient, expectRefusal, signedIn, signInByCode } from '../api-client.ts';

const ARROW = 'application/vnd.apache.arrow.stream';
let manager: ApiClient;
/** Documents of the first manager: Northwind's latest tape, and one of its assets, its file, and its mapping. */
let northwind: {
  tape: string;
  company: string;
  asset: string;
  transaction: string;
  mapping: string;
  fileKey: string;
  name: string;
};
let alderTape: string;

beforeAll(async () => {
  manager = await signedIn('manager@tapeline.test');
  const companies = (await manager.get('/crud/companies')).json;
  const companyOf = (name: string) =>
    companies.find(({ entity }: { entity: { name: string } }) => entity.name === name).id as string;
  const tapeOf = async (company: string) =>
    (await manager.get('/crud/loanTape', { filter: { company }, sort: { cutOffDate: -1 }, limit: 1 })).json[0];
  const tape = await tapeOf(companyOf('Northwind Consumer Loans'));
  alderTape = (await tapeOf(companyOf('Alder Auto'))).id;
  const [base] = (await manager.get('/crud/borrowingBase', { filter: { loanTape: tape.id } })).json;
  const [asset] = (await manager.get('/crud/assets', { filter: { loanTape: tape.id }, limit: 1 })).json;
  northwind = {
    tape: tape.id,
    company: tape.company,
    asset: asset.id,
    transaction: base.transaction,
    mapping: tape.assetsETL,
    fileKey: tape.metadata.attachment.key,
    name: tape.metadata.attachment.name,
  };
});

describe('the second manager', () => {
  let other: ApiClient;
  beforeAll(async () => {
    other = await signedIn('manager2@tapeline.test');
  });

  it('finds only its own in lists and counts', async () => {
    const names = async (path: string, read: (document: never) => string) =>
      (await other.get(path)).json.map((document: never) => read(document));
    expect(await names('/crud/managers', (one: { entity: { name: string } }) => one.entity.name)).toEqual([
      'Meridian Lending Partners',
    ]);
    expect(await names('/crud/companies', (one: { entity: { name: string } }) => one.entity.name)).toEqual([
      'Fernhill Equipment Finance',
    ]);
    expect(await names('/crud/funds', (one: { title: string }) => one.title)).toEqual(['Meridian Asset Lending II']);
    expect(await names('/crud/LPs', (one: { title: string }) => one.title)).toEqual(['Lakeside Insurance']);
    expect(await names('/crud/users', (one: { email: string }) => one.email.split('@')[0] as string)).toEqual(
      expect.arrayContaining(['borrower2', 'investor2', 'manager2']),
    );
    const users = await names('/crud/users', (one: { email: string }) => one.email);
    expect(users).not.toContain('manager@tapeline.test');
    expect(users).not.toContain('admin@tapeline.test');
    expect((await other.get('/crud/LPCommitments/counts/total')).text).toBe(
      '[{"count":1,"maxCommitment":{"sum":30000000,"currency":"USD"},"activeCommitment":{"sum":30000000,"currency":"USD"}}]',
    );
  });

  it('finds no asset of another tenant: not in a list, a count, a group, a sum, a stream, nor among the errored', async () => {
    for (const filter of [{}, { loanTape: northwind.tape }, { loanTape: { neq: northwind.tape } }]) {
      const list = await other.get('/crud/assets', { filter });
      expect([list.headers.get('x-docs-count'), list.text]).toEqual(['0', '[]']);
      const groups = await other.get('/crud/assets', { filter, groupBy: { accumulator: '$sum' } });
      expect([groups.headers.get('x-docs-count'), groups.text]).toEqual(['0', '[]']);
      expect((await other.get('/crud/assets/statistics', { filter })).json).toEqual({
        assetsStatuses: [],
        sum: [],
        outstandingSum: [],
      });
      const stream = await other.call('GET', '/crud/assets', { query: { filter }, headers: { accept: ARROW } });
      expect([stream.headers.get('x-docs-count'), tableFromIPC(stream.bytes).numRows]).toEqual(['0', 0]);
    }
    for (const filter of [{}, { loanTape: northwind.tape }]) {
      expect((await other.get('/crud/borrowingBase', { filter })).headers.get('x-docs-count')).toBe('0');
    }
    expect((await other.get('/crud/transactions')).headers.get('x-docs-count')).toBe('0');
    for (const filter of [{}, { loanTapeId: northwind.tape }]) {
      expect((await other.get('/crud/assets/errored', { filter })).headers.get('x-docs-count')).toBe('0');
    }
  });

  it('gets 404 for everything of another tenant by its id, reading and writing', async () => {
    for (const path of [
      `/crud/assets/${northwind.asset}`,
      `/crud/companies/${northwind.company}`,
      `/crud/assetsETLs/${northwind.mapping}`,
      `/crud/transactions/${northwind.transaction}`,
      `/crud/loanTape/${northwind.tape}/BBsStatuses`,
      `/LTP/preview/${encodeURIComponent(northwind.fileKey)}/Loan%20Tape`,
    ]) {
      expectRefusal(await other.get(path), 404);
    }
    const body = { loanTapeId: northwind.tape };
    expectRefusal(await other.post('/LTP/calculateBB', body), 404);
    expectRefusal(await other.call('DELETE', '/LTP/assets/deleteProcess', { body }), 404);
    expectRefusal(await other.call('DELETE', '/LTP/assets/errored', { body }), 404);
    const { rules } = (await manager.get(`/crud/assetsETLs/${northwind.mapping}`)).json;
    const mapping = { rules, loanTapeSheetName: 'Loan Tape', primaryCurrency: 'USD' };
    expectRefusal(
      await other.call('PUT', `/crud/assetsETLs/${northwind.mapping}`, { body: { ...mapping, version: 1 } }),
      404,
    );
    expectRefusal(await other.post('/crud/assetsETLs', { ...mapping, company: northwind.company }), 404);
    const upload = {
      cutOffDate: '2026-10-31',
      companyId: northwind.company,
      mainCurrency: 'USD',
      attachments: [{ key: northwind.fileKey }],
    };
    expectRefusal(await other.post('/files/loanTapeScheduler', upload), 404);
    const download = await other.post('/files/signedUrls/loanTapes?operation=download', {
      filesInfo: [{ key: northwind.fileKey }],
    });
    expect(download.json).toEqual([{ error: 'The file does not exist, or its upload is incomplete' }]);
  });

  it('cannot act for another manager', async () => {
    const [first] = (await manager.get('/crud/managers')).json;
    for (const id of [first.id, 'no id'])
      expectRefusal(await other.call('GET', '/auth/me', { headers: { 'x-manager-id': id } }), 403, 'X-Manager-Id');
  });
});

describe('an admin', () => {
  it('who names a manager sees in every list and count what that manager sees', async () => {
    const admin = await signedIn('admin@tapeline.test');
    const [first] = (await manager.get('/crud/managers')).json;
    const headers = { 'x-manager-id': first.id };
    for (const path of [
      '/crud/managers',
      '/crud/companies',
      '/crud/funds',
      '/crud/LPs',
      '/crud/LPCommitments/counts/total',
      '/crud/assetsETLs',
      '/crud/transactions',
    ]) {
      const narrowed = await admin.call('GET', path, { headers });
      expect(narrowed.json, path).toEqual((await manager.get(path)).json);
      expect(narrowed.headers.get('x-docs-count'), path).toBe((await manager.get(path)).headers.get('x-docs-count'));
    }
    const namesOf = (answer: ApiAnswer) =>
      answer.json.map(({ entity }: { entity: { name: string } }) => entity.name) as string[];
    // By its name: other tests have made hundreds of borrowers, which are first in the list.
    const byName = { filter: { 'entity.name': 'Fernhill Equipment Finance' } };
    expect([...new Set(namesOf(await admin.get('/crud/companies', byName)))]).toEqual(['Fernhill Equipment Finance']);
    expect(namesOf(await admin.call('GET', '/crud/companies', { headers, query: byName }))).toEqual([]);
    const [fernhill] = (await admin.get('/crud/companies', byName)).json;
    expectRefusal(await admin.call('GET', `/crud/companies/${fernhill.id}`, { headers }), 404);
  });

  it('who names a manager that does not exist is told so', async () => {
    const admin = await signedIn('admin@tapeline.test');
    for (const id of ['0'.repeat(24), 'no id']) {
      const answer = await admin.call('GET', '/crud/companies', { headers: { 'x-manager-id': id } });
      expectRefusal(answer, 400, 'X-Manager-Id is not the id of a manager');
    }
  });
});

it('shows a borrower its own tapes alone, and keeps what is not its to do from it', async () => {
  const borrower = await signedIn('borrower@tapeline.test');
  const tapes = (await borrower.get('/crud/loanTape')).json as { id: string; company: string }[];
  expect(tapes.map(({ id }) => id)).toContain(northwind.tape);
  expect(new Set(tapes.map(({ company }) => company))).toEqual(new Set([northwind.company]));
  expectRefusal(await borrower.get(`/crud/loanTape/${alderTape}/BBsStatuses`), 404);
  expect((await borrower.get('/crud/assets', { filter: { loanTape: alderTape } })).headers.get('x-docs-count')).toBe(
    '0',
  );
  expect((await borrower.get(`/crud/loanTape/${northwind.tape}/BBsStatuses`)).json).not.toEqual([]);
  for (const path of ['/crud/users', '/crud/funds', '/crud/LPs', '/crud/managers', '/crud/roles']) {
    expectRefusal(await borrower.get(path), 403, 'enough permissions');
  }
  expectRefusal(await borrower.post('/crud/assetsETLs', {}), 403);
  const body = { loanTapeId: northwind.tape };
  expectRefusal(await borrower.call('DELETE', '/LTP/assets/errored', { body }), 403);
  expectRefusal(await borrower.call('DELETE', '/LTP/assets/deleteProcess', { body }), 403, 'only its manager');
  const importer = { filesInfo: [{ name: 'a.csv', size: 1, type: 'text/csv' }] };
  expectRefusal(await borrower.post('/files/signedUrls/importerFiles?operation=upload', importer), 403);
});

it('shows an investor its own commitments and the funds it is in, and no tape at all', async () => {
  const investor = await signedIn('investor@tapeline.test');
  const [first, fund, ...others] = (await investor.get('/crud/funds', { sort: { title: 1 } })).json;
  expect([first.title, fund.title, others]).toEqual(['Harbour Credit Fund II', 'Harbour Private Credit I', []]);
  expect((await investor.get(`/crud/funds/${fund.id}`)).json).toEqual(fund);
  const commitments = await investor.get('/crud/LPCommitments', { sort: { maxCommitment: -1 } });
  expect(commitments.headers.get('x-docs-count')).toBe('2');
  expect(commitments.json[0]).toMatchObject({
    investor: { kind: 'LP', title: 'Calder Valley Pension Scheme' },
    maxCommitment: { sum: 60_000_000, currency: 'USD' },
  });
  expect((await investor.get('/crud/LPs')).headers.get('x-docs-count')).toBe('1');
  for (const path of ['/crud/loanTape', '/crud/assets', '/LTP']) expectRefusal(await investor.get(path), 403);
});

describe('from where a manager’s people work', () => {
  /** Paths of all values named agent, ip, or locale that are not null. */
  function callsIn(value: unknown, path = ''): string[] {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, entry]) =>
      ['agent', 'ip', 'locale'].includes(name) && entry !== null
        ? [`${path}/${name}`]
        : callsIn(entry, `${path}/${name}`),
    );
  }
  /** Every list, and every document that can be read with only an ID of the first manager's. */
  const addresses = () =>
    endpoints
      .filter(({ method, path }) => method === 'GET' && !path.startsWith('/auth/'))
      .map(({ path }) =>
        path
          .replace('/crud/transactions/{id}', `/crud/transactions/${northwind.transaction}`)
          .replace('/crud/assetsETLs/{id}', `/crud/assetsETLs/${northwind.mapping}`),
      )
      .filter((path) => !path.includes('{'));

  it('is shown to managers, and to companies and investors neither by the API nor by a screen', async () => {
    const found = new Map<string, string[]>();
    for (const email of ['manager@tapeline.test', 'borrower@tapeline.test', 'investor@tapeline.test']) {
      const client = await signedIn(email);
      const bodies = await Promise.all(addresses().map(async (path) => ({ [path]: (await client.get(path)).json })));
      found.set(email.split('@')[0]!, callsIn(Object.assign({}, ...bodies)));
    }
    expect(found.get('manager')).toContainEqual(expect.stringMatching(/^\/\/crud\/loanTape\/.*createdBy\/agent$/));
    expect(found.get('borrower')).toEqual([]);
    expect(found.get('investor')).toEqual([]);

    const borrower = await signInByCode('borrower@tapeline.test');
    for (const path of [
      '/monitoring',
      paths.tapes(),
      paths.tape(northwind.tape),
      paths.tape(northwind.tape, { view: 'history' }),
      paths.transaction(northwind.transaction),
      paths.transaction(northwind.transaction, { view: 'draws' }),
      paths.transaction(northwind.transaction, { view: 'documents' }),
    ]) {
      const page = await borrower.get(path);
      expect(page.status, path).toBe(200);
      expect(page.text, path).not.toMatch(/"(agent|ip)\\?"/);
    }
  });
});
