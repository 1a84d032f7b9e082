import { beforeAll, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { draftPair } from './netted-pair.ts';
import { screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let pair: Awaited<ReturnType<typeof draftPair>>;
const PATH = '/crud/contributions/nettings';
const usd = (sum: number) => ({ sum, currency: 'USD' });

beforeAll(async () => {
  const { api } = await screensOf(tenant.emails.investor);
  const [{ id }] = (await api.get('/crud/LPs')).json;
  pair = await draftPair(tenant, 'Restronguet', id);
});

test('a program nets a call and a distribution, issues both, and withdraws both', async () => {
  const { manager, emails } = tenant;
  const named = await pair.parts();
  for (const email of [emails.analyst, emails.investor]) {
    const { api } = await screensOf(email);
    expect((await api.post(PATH, named)).status).toBe(403);
  }
  const some = { ...named, distributions: named.distributions.slice(1) };
  expect((await manager.post(PATH, some)).status).toBe(400);
  expect((await manager.post(PATH, { ...named, contributions: [] })).status).toBe(400);

  const tried = await manager.post(PATH, { ...named, dryRun: true });
  expect(tried.status, tried.text).toBe(200);
  expect(tried.json).toMatchObject({
    call: pair.call,
    distribution: pair.distribution,
    date: '2149-01-31',
    investors: [
      { called: usd(500), distributed: usd(200), deemed: usd(200), pays: usd(300), receives: usd(0) },
      { called: usd(300), distributed: usd(900), deemed: usd(300), pays: usd(0), receives: usd(600) },
    ],
    totals: { called: usd(800), distributed: usd(1100), deemed: usd(500), pays: usd(300), receives: usd(600) },
  });
  expect(await pair.parts()).toEqual(named);
  const stored = await manager.post(PATH, named);
  expect(stored.json).toEqual(tried.json);

  // Half of the pair is not issued.
  const issuing = (await pair.parts()).contributions.map((part) => ({ ...part, status: 'Active' }));
  const half = await manager.call('PUT', '/crud/contributions/bulk', { body: issuing });
  expect([half.status, half.text]).toEqual([400, expect.stringContaining('issued and withdrawn together')]);
  const issued = await manager.post(`${PATH}/issue`, await pair.parts());
  expect(issued.status, issued.text).toBe(200);
  const [line] = (await manager.get('/crud/contributions', { filter: { 'metadata.bundleId': pair.call } } as never))
    .json;
  expect(line).toMatchObject({ nettedWith: pair.distribution, status: 'Upcoming' });

  const owed = (await manager.get('/crud/obligations', { fund: pair.fund } as never)).json;
  const amounts = owed.map(({ kind, amount, netted, open }: Record<string, { sum: number }>) => [
    kind,
    amount!.sum,
    netted!.sum,
    open!.sum,
  ]);
  expect(amounts.toSorted()).toEqual(
    [
      ['contribution', 300, 200, 300],
      ['contribution', 0, 300, 0],
      ['distribution', 0, 200, 0],
      ['distribution', 600, 300, 600],
    ].toSorted(),
  );

  // The investor pays the difference, and sees nobody else's.
  const investor = await screensOf(emails.investor);
  const page = await investor.get(paths.capitalCall(pair.call));
  expect(page.status).toBe(200);
  expect(page.text).toContain('Your net amount');
  expect(page.text).not.toContain('Restronguet Trust');

  const parts = await pair.parts();
  const ids = parts.contributions.map(({ id }) => id);
  const one = await manager.call('DELETE', '/crud/contributions', {
    query: { ids: ids.join(','), reason: 'Wrong' },
  } as never);
  expect(one.status, one.text).toBe(400);
  expect((await manager.post(`${PATH}/reversals`, parts)).status).toBe(400);
  expect((await manager.post(`${PATH}/removals`, parts)).status).toBe(400);
  const removed = await manager.post(`${PATH}/removals`, { ...parts, reason: 'The amounts were wrong.' });
  expect(removed.status, removed.text).toBe(200);
  expect((await manager.get('/crud/obligations', { fund: pair.fund } as never)).json).toEqual([]);
});
