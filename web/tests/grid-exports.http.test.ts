import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

it('the selected rows of a grid are exported with texts that no spreadsheet runs', async () => {
  const mark = randomUUID().slice(0, 8);
  const titles = [`=1+1 ${mark}`, `+1 ${mark}`, `-1 ${mark}`, `@SUM(1) ${mark}`, `plain = ${mark}`];
  const ids: string[] = [];
  for (const title of titles) {
    const created = await tenant.manager.post('/crud/funds', {
      title,
      type: 'SMA',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: 100,
      hardCap: 200,
    });
    expect(created.status, created.text).toBe(201);
    ids.push(created.json.id);
  }
  const client = await screensOf(tenant.emails.manager);
  const addressOf = (format: string, chosen: readonly string[]) => {
    const search = new URLSearchParams(chosen.map((id) => ['id', id]));
    search.set('columns', 'title');
    search.set('format', format);
    return `${paths.gridExport('funds')}?${search}`;
  };
  const csv = await client.get(addressOf('csv', ids));
  expect([csv.status, csv.headers.get('content-disposition')]).toEqual([200, expect.stringContaining('funds.csv')]);
  const lines = csv.text.trimEnd().split('\n').slice(1);
  expect(lines.sort()).toEqual(titles.map((title) => (/^[=+@-]/.test(title) ? `'${title}` : title)).sort());

  for (const [chosen, status] of [
    [[], 400],
    [['../../etc/passwd'], 400],
    [Array.from({ length: 401 }, (_, at) => at.toString(16).padStart(24, '0')), 400],
  ] as const)
    expect((await client.get(addressOf('csv', chosen))).status).toBe(status);
  const outsider = await screensOf('manager@tapeline.test');
  const seen = await outsider.get(addressOf('csv', ids));
  expect(seen.text).not.toContain(mark);
});
