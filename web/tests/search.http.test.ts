import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { SearchGroup } from '../app/components/shell/search-groups.ts';
import { paths } from '../app/paths.ts';
import { northwindTapes } from './northwind-tapes.ts';
import { type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const RESULTS = '/search/results';

const assetsFound = async (client: ScreenClient, text: string): Promise<SearchGroup['results']> => {
  const answer = await client.get(`${RESULTS}?${new URLSearchParams({ q: text })}`);
  expect(answer.status, answer.text).toBe(200);
  const { groups }: { groups: SearchGroup[] } = JSON.parse(answer.text);
  return groups.find(({ label }) => label === 'Assets')?.results ?? [];
};

it('an asset leads to the latest tape that has it, and is not found once its last tape is removed', async () => {
  const tapes = await northwindTapes(tenant.manager);
  const mark = `S-${randomUUID().slice(0, 8)}`;
  const [both, old] = [`${mark}-1`, `${mark}-2`];
  const loansOf = (...ids: string[]) => ids.map((id) => tapes.loan({ 'Loan ID': id }));
  const earlier = await tapes.publish(loansOf(both, old), { cutOffDate: '2019-01-31' });
  const later = await tapes.publish(loansOf(both), { cutOffDate: '2019-02-28' });
  const client = await screensOf(tenant.emails.manager);
  await expect.poll(async () => (await assetsFound(client, mark)).map(({ title }) => title)).toEqual([both, old]);

  const tapeOf = async (asset: string): Promise<string | null> => {
    const answer = await client.get(paths.assetOfCompany(tapes.company, asset));
    expect(answer.status, answer.text).toBe(302);
    const to = new URL(answer.headers.get('location') ?? '', 'http://localhost');
    expect(JSON.parse(to.searchParams.get('filter') ?? '')).toEqual({ assetId: { eq: asset } });
    return to.pathname;
  };
  expect(await tapeOf(both)).toBe(paths.tape(later));
  expect(await tapeOf(old)).toBe(paths.tape(earlier));
  const outsider = await screensOf('manager@tapeline.test');
  for (const [who, asset] of [
    [client, 'no such asset'],
    [outsider, both],
  ] as const)
    expect((await who.get(paths.assetOfCompany(tapes.company, asset))).status).toBe(404);
  expect(await assetsFound(outsider, mark)).toEqual([]);

  await tapes.remove(earlier);
  expect((await assetsFound(client, mark)).map(({ title }) => title)).toEqual([both]);
  expect((await client.get(paths.assetOfCompany(tapes.company, old))).status).toBe(404);
  await tapes.remove(later);
  expect(await assetsFound(client, mark)).toEqual([]);
}, 600_000);

it('a user searches at most 240 times a minute', async () => {
  const client = await screensOf(tenant.emails.analyst);
  const most = 2 * 241;
  const statuses: number[] = [];
  // All of these in one minute, or in two if a new one begins meanwhile.
  while (statuses.length < most && !statuses.includes(429)) {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => client.get(`${RESULTS}?${new URLSearchParams({ q: 'zzzz' })}`)),
    );
    statuses.push(...answers.map(({ status }) => status));
    const refused = answers.find(({ status }) => status === 429);
    if (refused) expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(240);
  expect(statuses).toContain(429);
  const others = await screensOf(tenant.emails.manager);
  expect((await others.get(`${RESULTS}?q=zzzz`)).status).toBe(200);
}, 240_000);
