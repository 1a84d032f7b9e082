import { readFileSync } from 'node:fs';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { beforeAll, expect, test, vi } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, type ScreenAnswer, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

/** Registers of fund administrators, imported without scripts. */
const tenant = ownTenant();
let client: ScreenClient;

const SUM = { sum: 50_000_000, currency: 'EUR' };
const FUND = { type: 'ComingleFund', strategy: 'ABL', targetSize: SUM, hardCap: SUM };
const CLASSES = [{ name: 'Class A' }, { name: 'Class B' }];

beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  const create = async (path: string, body: unknown) => {
    const answer = await tenant.manager.post(path, body);
    expect(answer.status, JSON.stringify(answer.json)).toBe(201);
  };
  for (const [currency, externalCode] of [
    ['EUR', 'MLC-2E'],
    ['USD', 'MLC-2U'],
  ])
    await create('/crud/funds', {
      ...FUND,
      title: `Marsh Lane Credit Fund II ${currency}`,
      currency,
      externalCode,
      classes: CLASSES,
      targetSize: { ...SUM, currency },
      hardCap: { ...SUM, currency },
    });
  for (const [title, externalCode] of [
    ['Tern Pension Fund', 'TPF-01'],
    ['Müller, Frey & Co.', null],
    ['Oak & Ash Family Office', 'OAF-03'],
  ])
    await create('/crud/LPs', {
      title,
      externalCode,
      entity: { name: title, formalId: `R-${title}`, nationality: { country: 'DE' } },
    });
});

function upload(kind: ImportKind, name: string, content: BlobPart) {
  const form = new FormData();
  for (const [field, value] of Object.entries({ csrf: client.token, intent: 'sheet' })) form.append(field, value);
  const type = name.endsWith('.csv') ? 'text/csv' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  form.append('upload', new Blob([content], { type }), name);
  return client.send(paths.newImport(kind), form);
}
const fixture = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../app/routes/importer/fixtures/${name}`, import.meta.url)));

const toOf = (answer: ScreenAnswer): string => {
  expect(answer.status, answer.text.slice(0, 2000)).toBe(302);
  return answer.headers.get('location') ?? '';
};
const versionOf = ({ text }: ScreenAnswer): string => /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';
const indexOf = (kind: ImportKind, key: string) => IMPORT_COLUMNS[kind].findIndex((column) => column.key === key);

/** The fields of a form with the choices that the page proposes. */
function proposed(page: ScreenAnswer, kind: ImportKind): Record<string, string> {
  return Object.fromEntries(
    IMPORT_COLUMNS[kind].flatMap((_, index) =>
      ['c', 'v', 'b'].flatMap((letter) => {
        const name = `${letter}${index}`;
        const select = new RegExp(`<select[^>]*name="${name}"[\\s\\S]*?</select>`).exec(page.text)?.[0] ?? '';
        const chosen = /<option value="([^"]*)" selected=""/.exec(select)?.[1];
        return chosen ? [[name, chosen] as const] : [];
      }),
    ),
  );
}
const GENERATED = /\b[0-9a-f]{24}\b/;

test('a register in two currencies: the fund depends on the currency, and nothing is rewritten', async () => {
  const kind = 'LPCommitments';
  const columns = toOf(await upload(kind, 'register.xlsx', fixture('register-of-commitments.xlsx')));
  const page = await client.get(columns);
  const field = (letter: string, key: string) => `${letter}${indexOf(kind, key)}`;
  const values = toOf(
    await client.submit(columns, {
      intent: 'map',
      version: versionOf(page),
      ...proposed(page, kind),
      [field('b', 'fundCode')]: 'C',
      [field('v', 'currentDate')]: '2026-09-30',
    }),
  );
  expect(values).toBe(`${columns.replace(/columns$/, 'values')}`);
  const asked = await client.get(values);
  expect(read(asked)).toContain('EUR');
  const fund = indexOf(kind, 'fundCode');
  const half = await client.submit(values, { intent: 'values', version: versionOf(asked), [`t${fund}-0`]: 'MLC-2E' });
  expect(half.status).toBe(422);
  expect(half.text).toContain('value="MLC-2E"');
  const check = toOf(
    await client.submit(values, {
      intent: 'values',
      version: versionOf(asked),
      [`t${fund}-0`]: 'MLC-2E',
      [`t${fund}-1`]: 'Marsh Lane Credit Fund II USD',
    }),
  );
  const checked = await client.get(check);
  const text = read(checked);
  expect(text).toContain('No problems.');
  expect(text).toContain('It adds EUR and USD, so it is not an amount of money.');
  expect(text).toContain('Total Class A');
  expect(text).not.toMatch(GENERATED);
  const record = toOf(
    await client.submit(check, { intent: 'check', version: versionOf(checked), go: 'import', shown: '' }),
  );
  await vi.waitFor(async () => expect(read(await client.get(record))).toContain('Marsh Lane'), {
    timeout: 60_000,
    interval: 250,
  });
  const commitments = (await tenant.manager.get('/crud/LPCommitments?limit=50')).json as {
    activeCommitment: { sum: number; currency: string };
    deltas: { amount: number }[];
    closingDate: string;
  }[];
  const mine = commitments.filter(({ closingDate }) => ['2025-03-31', '2025-06-30'].includes(closingDate));
  const sumOf = (currency: string) =>
    mine
      .filter(({ activeCommitment }) => activeCommitment.currency === currency)
      .map(({ activeCommitment, deltas }) => [
        activeCommitment.sum,
        deltas.reduce((sum, { amount }) => sum + amount, activeCommitment.sum),
      ])
      .reduce(([a = 0, b = 0], [c = 0, d = 0]) => [a + c, b + d], [0, 0]);
  expect(mine).toHaveLength(4);
  expect(sumOf('EUR')).toEqual([5_250_000.25, 5_750_000.25]);
  expect(sumOf('USD')).toEqual([1_750_000, 1_750_000]);
});

test('NAVs by quarter become rows with a preview, and the total that does not agree is named', async () => {
  const columns = toOf(await upload('navs', 'nav.xlsx', fixture('nav-by-quarter.xlsx')));
  const page = await client.get(columns);
  expect(read(page)).toContain('3 columns become 8 rows');
  expect(read(page)).toContain('2026-06-30');
  // Two of the columns, and back to all of them.
  const two = { intent: 'turn', version: versionOf(page), head: 'date' };
  const fewer = await client.submit(columns, [...Object.entries(two), ['letters', 'B'], ['letters', 'C']]);
  expect(read(await client.get(toOf(fewer)))).toContain('2 columns become 5 rows');
  const one = await client.submit(columns, { ...two, version: versionOf(await client.get(columns)), letters: 'B' });
  expect(one.status).toBe(422);
  const kept = await client.submit(columns, { intent: 'keep', version: versionOf(await client.get(columns)) });
  expect(read(await client.get(toOf(kept)))).not.toContain('become 5 rows');
  const all = await client.submit(columns, [
    ...Object.entries({ ...two, version: versionOf(await client.get(columns)) }),
    ...['B', 'C', 'D'].map((letters) => ['letters', letters] as const),
  ]);
  const turned = await client.get(toOf(all));
  const field = (key: string) => `v${indexOf('navs', key)}`;
  const check = toOf(
    await client.submit(columns, {
      intent: 'map',
      version: versionOf(turned),
      ...proposed(turned, 'navs'),
      [field('fundCode')]: 'MLC-2U',
      [field('currency')]: 'USD',
    }),
  );
  const text = read(await client.get(`${check}?show=all`));
  expect(text).toContain('It is 1,250.00 too high: the rows are 5,008,750.45');
  expect(text).toContain('It agrees with 2 rows.');
  expect(text).not.toMatch(GENERATED);
});

test('a likely name is asked for without scripts, remembered for the next file, and asked for again', async () => {
  let isDirect = false;
  const prepare = async () => {
    const to = toOf(await upload('contributions', 'calls.csv', fixture('capital-calls.csv')));
    isDirect = !to.endsWith('/columns');
    if (isDirect) return to;
    const page = await client.get(to);
    const field = (key: string) => `v${indexOf('contributions', key)}`;
    return toOf(
      await client.submit(to, {
        intent: 'map',
        version: versionOf(page),
        ...proposed(page, 'contributions'),
        [field('fundCode')]: 'MLC-2E',
        [field('currency')]: 'EUR',
        [field('fundClassCode')]: 'A',
      }),
    );
  };
  const check = await prepare();
  const page = await client.get(check);
  expect(read(page)).toContain('Names to confirm');
  expect(read(page)).toContain('Müller Frey &amp; Co');
  const code = /name="means-0"[^>]*value="(\d+)"/.exec(page.text)?.[1] ?? '';
  const name = 'LPs Müller Frey & Co';
  const nothing = await client.submit(check, { intent: 'names', count: '1', 'name-0': name, 'means-0': '' });
  expect(nothing.status).toBe(422);
  expect(read(nothing)).toContain('Choose what at least one of the names means');
  toOf(await client.submit(check, { intent: 'names', count: '1', 'name-0': name, 'means-0': code }));
  const after = read(await client.get(check));
  expect(after).not.toContain('Names to confirm');
  expect(after).toContain('as confirmed before');
  // The next file with this name asks nothing.
  const next = await prepare();
  expect(isDirect).toBe(true);
  expect(read(await client.get(next))).not.toContain('Names to confirm');
  toOf(await client.submit(next, { intent: 'forget', forget: name }));
  expect(read(await client.get(next))).toContain('Names to confirm');
});
