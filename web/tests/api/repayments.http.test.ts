import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../../app/paths.ts';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { addApprovedDraw } from '../approved-draw.ts';
import { fieldsOf, screensOf } from '../screen-client.ts';
import { ownTenant, ownTenantWithoutMappings } from '../tenant.ts';

const tenant = ownTenant();
const other = ownTenantWithoutMappings();
let borrower: ApiClient;
let transaction: string;
let noteId: string;

beforeAll(async () => {
  const drawn = await addApprovedDraw(tenant.emails.manager, { dueDate: '2026-08-03', sum: '10000000' });
  ({ transactionId: transaction, noteId } = drawn);
  borrower = await signedIn(tenant.emails.borrower);
});

const part = (kind: string, sum: number | string, currency = 'USD') => ({ kind, amount: { sum, currency } });
const body = (parts: object[], more: object = {}) => ({
  transaction,
  noteTitle: 'Senior',
  cutOffDate: '2026-09-01',
  repayments: parts,
  ...more,
});
const post = (parts: object[], more: object = {}) => tenant.manager.post('/crud/repayments', body(parts, more));
const put = (changes: unknown) => tenant.manager.call('PUT', '/crud/repayments/bulk', { body: changes });

describe('repayments', () => {
  it('are recorded one by one or as a list, all of them or none', async () => {
    const one = await post([part('principal', '1000000.10'), part('interest', 500)]);
    expect(one.status, one.text).toBe(201);
    expect(one.json).toMatchObject({
      status: 'Active',
      version: 1,
      transaction: { id: transaction, title: 'Northwind warehouse facility' },
      noteTitle: 'Senior',
      valueInUsd: 1_000_500.1,
      amountInMainCurrency: { sum: 1_000_500.1, currency: 'USD' },
      removalReason: null,
    });
    expect(one.text).toContain('"sum":1000000.1');
    const listed = await tenant.manager.post('/crud/repayments', [body([part('fees', 1)]), body([part('fees', 2)])]);
    expect(listed.json).toHaveLength(2);
    const before = Number((await tenant.manager.get('/crud/repayments')).headers.get('x-docs-count'));
    const refused = await tenant.manager.post('/crud/repayments', [
      body([part('fees', 3)]),
      body([part('principal', 9_500_000)]),
    ]);
    expect(expectRefusal(refused, 400).flags).toEqual({
      '1.repayments.0.amount.sum': 'must be at most 8,999,999.90 USD in total',
    });
    expect(Number((await tenant.manager.get('/crud/repayments')).headers.get('x-docs-count'))).toBe(before);
  });

  it('that are sent twice at once are recorded once; with a key, the second answers as the first', async () => {
    const sent = body([part('fees', 77)]);
    const count = async () => Number((await tenant.manager.get('/crud/repayments')).headers.get('x-docs-count'));
    const before = await count();
    const twice = await Promise.all([1, 2].map(() => tenant.manager.post('/crud/repayments', sent)));
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(await count()).toBe(before + 1);

    const keyed = (key: string, given: unknown = sent) =>
      tenant.manager.call('POST', '/crud/repayments', { body: given, headers: { 'Idempotency-Key': key } });
    const [one, two] = await Promise.all([keyed('repayment-77'), keyed('repayment-77')]);
    expect([one.status, two.status], two.text).toEqual([201, 201]);
    expect(two.text).toBe(one.text);
    expect((await keyed('repayment-77')).text).toBe(one.text);
    expect(await count()).toBe(before + 2);
    expect(expectRefusal(await keyed('repayment-77', body([part('fees', 78)])), 400).message).toBe(
      'This Idempotency-Key was sent with another request. Use a new key for each',
    );
    // What was refused did not use the key.
    expect((await keyed('repayment-79', body([part('fees', 0)]))).status).toBe(400);
    expect((await keyed('repayment-79')).status).toBe(201);
    expect((await keyed('with a space')).status).toBe(400);
    expect(await count()).toBe(before + 3);
  });

  it('of a form that is sent twice are recorded once, without JavaScript too; a form opened again records another', async () => {
    const screens = await screensOf(tenant.emails.manager);
    const count = async () => Number((await tenant.manager.get('/crud/repayments')).headers.get('x-docs-count'));
    const address = paths.newRepayment({ note: noteId, date: '2026-09-21' });
    const opened = async (fees: string) => {
      const fields = fieldsOf(await screens.get(address), 'amounts[0].fees');
      expect(fields.formKey).toMatch(/^[0-9a-f]{32}$/);
      return { ...fields, 'amounts[0].fees': fees };
    };
    const before = await count();
    const form = await opened('31');
    const [one, two] = await Promise.all([screens.submit(address, form), screens.submit(address, form)]);
    expect([one.status, two.status], two.text.slice(0, 500)).toEqual([302, 302]);
    expect(two.headers.get('location')).toBe(one.headers.get('location'));
    expect((await screens.submit(address, form)).headers.get('location')).toBe(one.headers.get('location'));
    expect(await count()).toBe(before + 1);
    // Somebody went back and entered something else: that is no repeated request.
    const changed = await screens.submit(address, { ...form, 'amounts[0].fees': '32' });
    const again = await screens.submit(address, await opened('33'));
    const made = [one, changed, again].map(({ headers }) => headers.get('location'));
    expect(made).toEqual(Array(3).fill(expect.stringMatching(/\/repayments\//)));
    expect(new Set(made).size).toBe(3);
    expect(await count()).toBe(before + 3);
    // A refused form did not use its key.
    const wrong = await opened('0');
    expect((await screens.submit(address, wrong)).status).toBe(422);
    expect((await screens.submit(address, { ...wrong, 'amounts[0].fees': '34' })).status).toBe(302);
    expect(await count()).toBe(before + 4);
  });

  it('name what is wrong with their fields', async () => {
    expect(expectRefusal(await post([]), 400).flags).toEqual({ repayments: 'Enter at least one amount' });
    expect(expectRefusal(await post([part('principal', 0)]), 400).flags).toEqual({
      'repayments.0.amount.sum': 'must be above 0',
    });
    expect(expectRefusal(await post([part('fees', 1)], { noteTitle: 'Junior' }), 400).flags).toEqual({
      noteTitle: 'is not a note of this facility',
    });
    expectRefusal(await post([part('fees', 1)], { transaction: '0'.repeat(24) }), 404);
  });

  it('are filtered, sorted, paged and grouped', async () => {
    const created = (await post([part('interest', '77.77')], { cutOffDate: '2026-09-17' })).json;
    const list = (query: object) => tenant.manager.get('/crud/repayments', query as Record<string, unknown>);
    for (const filter of [
      { cutOffDate: '2026-09-17' },
      { 'transaction.title': { like: '%warehouse%' }, valueInUsd: 77.77 },
      { noteTitle: 'Senior', 'repayments.kind': 'interest', 'amountInMainCurrency.sum': { lt: 100 } },
    ]) {
      const found = await list({ filter });
      expect(found.json.map(({ id }: { id: string }) => id)).toEqual([created.id]);
      expect(found.headers.get('x-docs-count')).toBe('1');
    }
    const sorted = (await list({ sort: { valueInUsd: -1 }, limit: 2 })).json;
    expect(sorted[0].valueInUsd).toBeGreaterThanOrEqual(sorted[1].valueInUsd);
    const groups = (
      await list({ filter: { id: created.id }, groupBy: { accumulator: '$sum', field: 'valueInUsd', by: 'noteTitle' } })
    ).json;
    expect(groups).toMatchObject([{ key: 'Senior', value: 77.77, count: 1 }]);
    expect(expectRefusal(await list({ filter: { nothing: 1 } }), 400).flags).toHaveProperty('filter.nothing');
  });

  it('are removed together with a reason, or by their ids', async () => {
    const [one, two, three] = (
      await tenant.manager.post(
        '/crud/repayments',
        [21, 22, 23].map((sum) => body([part('fees', sum)])),
      )
    ).json;
    const stale = await put([
      { id: one.id, version: one.version, status: 'Removed' },
      { id: two.id, version: two.version + 1, status: 'Removed' },
    ]);
    expect(expectRefusal(stale, 400).flags).toHaveProperty('version');
    const removed = await put(
      [one, two].map(({ id, version }) => ({ id, version, status: 'Removed', removalReason: 'Twice' })),
    );
    expect(removed.status, removed.text).toBe(200);
    expect(removed.json).toMatchObject([
      { id: one.id, status: 'Removed', removalReason: 'Twice', version: 2 },
      { id: two.id, status: 'Removed' },
    ]);
    expect(expectRefusal(await put([{ id: one.id, version: 2, status: 'Active' }]), 400).message).toBe(
      'A repayment cannot go from Removed to Active',
    );
    const deleted = await tenant.manager.call('DELETE', '/crud/repayments', { query: { ids: [three.id] } });
    expect([deleted.status, deleted.json]).toEqual([200, { ids: [three.id] }]);
    expect(
      (await tenant.manager.get('/crud/repayments', { filter: { id: { in: [one.id, two.id, three.id] } } })).json,
    ).toEqual([]);
  });

  it('are read by their borrower, written by the lender, and hidden from others', async () => {
    const { id, version } = (await post([part('fees', 11)])).json;
    expect((await borrower.get('/crud/repayments', { filter: { id } })).json).toMatchObject([
      { id, noteTitle: 'Senior' },
    ]);
    expectRefusal(await borrower.post('/crud/repayments', body([part('fees', 1)])), 403);
    expect((await other.manager.get('/crud/repayments', { filter: { id } })).json).toEqual([]);
    const foreign = await other.manager.call('PUT', '/crud/repayments/bulk', {
      body: [{ id, version, status: 'Removed' }],
    });
    expectRefusal(foreign, 404);
  });

  it('reduce the balance and the utilization of their note', async () => {
    const utilization = async () =>
      (await tenant.manager.get('/crud/transactions/notes/utilization', { filter: { noteId } })).json[0];
    const before = await utilization();
    await post([part('principal', 250_000), part('interest', 1)]);
    const after = await utilization();
    expect(before.balance.sum - after.balance.sum).toBeCloseTo(250_000, 2);
    expect(after.undrawn.sum - before.undrawn.sum).toBeCloseTo(250_000, 2);
    expect(after.utilizationPercent).toBeCloseTo((after.balance.sum / 45_000_000) * 100, 4);
  });
});

describe('option lists', () => {
  it('are created, offered without retired values, changed and deleted', async () => {
    const { manager } = tenant;
    const values = ['North', { title: 'South', isRetired: true }];
    const created = await manager.post('/crud/tables', { name: 'Regions', values });
    expect(created.status, created.text).toBe(201);
    expect(created.json.values).toEqual([
      { title: 'North', isRetired: false, date: null, rate: null },
      { title: 'South', isRetired: true, date: null, rate: null },
    ]);
    const options = (await manager.get('/crud/tables/options')).json;
    expect(options.map(({ name }: { name: string }) => name)).toEqual([
      'Base rates',
      'Call purposes',
      'Fee kinds',
      'Industries',
      'Regions',
    ]);
    expect(options.at(-1).values.map(({ title }: { title: string }) => title)).toEqual(['North']);
    const { id } = created.json;
    const updated = await manager.call('PUT', `/crud/tables/${id}`, { body: { ...created.json, values: ['East'] } });
    expect(updated.json).toMatchObject({ version: 2, values: [{ title: 'East' }] });
    expect((await manager.call('DELETE', `/crud/tables/${id}`)).json).toEqual({ ids: [id] });
    expectRefusal(await manager.get(`/crud/tables/${id}`), 404);
    expectRefusal(await borrower.get('/crud/tables'), 403);
  });

  it('keep fixings with all digits of their rates', async () => {
    const { manager } = tenant;
    const [table] = (await manager.get('/crud/tables', { filter: { name: 'Base rates' } })).json;
    const fixing = { title: 'SONIA', isRetired: false, date: '2026-10-30', rate: 3.97120001 };
    const updated = await manager.call('PUT', `/crud/tables/${table.id}`, { body: { ...table, values: [fixing] } });
    expect(updated.json.values).toEqual([fixing]);
    const wrong = { ...table, version: updated.json.version, values: [fixing, { title: 'SOFR', date: '2026-10-30' }] };
    expect(expectRefusal(await manager.call('PUT', `/crud/tables/${table.id}`, { body: wrong }), 400).flags).toEqual({
      'values.1.rate': 'is required',
    });
    expectRefusal(await manager.call('DELETE', `/crud/tables/${table.id}`), 400);
  });
});
