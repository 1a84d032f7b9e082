import { absolute, compare, isZero, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ApiClient, signedIn } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';

const MANAGER = 'manager@tapeline.test';

/** The id of the demonstration's latest borrowing base. */
async function latestBase(client: ApiClient): Promise<string> {
  const [base] = (await client.get('/crud/borrowingBase', { sort: { cutOffDate: -1 }, limit: 1 })).json;
  return base.id;
}

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('why availability changed, $words', ({ javaScript }) => {
  it('is one click from the borrowing base, and a cause opens its loans', async () => {
    const id = await latestBase(await signedIn(MANAGER));
    const page = await openPage({ javaScript });
    await signIn(page, MANAGER);
    await page.goto(paths.borrowingBase(id));
    await page.getByRole('link', { name: 'Why did it change?' }).first().click();
    await page.getByRole('heading', { name: 'Why did availability change?', level: 1 }).waitFor();
    const lines = page.getByRole('table', { name: 'Lines of both certificates, and what each cause changes' });
    await lines.getByRole('row', { name: /^Availability at cut-off/ }).waitFor();
    await lines.getByRole('link', { name: /^Other amount/ }).click();
    await page.getByRole('table', { name: 'Loans behind the cause: Other amount' }).waitFor();
    expect(await lines.locator('[aria-current="true"]').allTextContents()).toEqual([
      expect.stringMatching(/^Other amount/),
    ]);
    // Each loan leads to its page among the assets.
    const loan = page.getByRole('table', { name: 'Loans behind the cause: Other amount' }).getByRole('link').first();
    expect(await loan.getAttribute('href')).toContain('asset=');
  });
});

describe('why availability changed', () => {
  it.each([
    { widthPx: 1440, colorScheme: 'dark' },
    { widthPx: 1280, colorScheme: 'light' },
    { widthPx: 390, colorScheme: 'light' },
  ] as const)('is without accessibility problem or sideways scroll at $widthPx px in $colorScheme', async (look) => {
    const id = await latestBase(await signedIn(MANAGER));
    const page = await openPage(look);
    await signIn(page, MANAGER);
    await page.goto(paths.baseComparison(id, { cause: 'status' }));
    await page.getByRole('table', { name: 'Loans behind the cause: Other status' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);
  });
});

interface Result {
  assetId: string;
  status: string | null;
  amount: string | null;
}

/** What a borrowing base says of each loan, from the export of its assets. */
async function resultsOf(client: ApiClient, base: { id: string; loanTapeId: string }): Promise<Map<string, Result>> {
  const query = { filter: { loanTape: base.loanTapeId }, borrowingBase: base.id };
  const { text } = await client.call('GET', '/crud/assets', { query, headers: { accept: 'text/csv' } });
  const [head = '', ...rows] = text.trim().split(/\r?\n/);
  const columns = head.split(',');
  const cell = (row: string[], name: string) => row[columns.indexOf(name)] || null;
  return new Map(
    rows.map((line) => {
      const row = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, value = '']) => value);
      const assetId = cell(row, 'assetId') ?? '';
      return [
        assetId,
        { assetId, status: cell(row, 'borrowingBase.status'), amount: cell(row, 'borrowingBase.amount') },
      ];
    }),
  );
}

it('of the demonstration, is what the stored results of both tapes say, counted without the comparison', async () => {
  const client = await signedIn(MANAGER);
  const id = await latestBase(client);
  const { json } = await client.get(`/crud/borrowingBase/${id}/comparison`);
  const resultsById = async (side: { id: string; loanTapeId: string }) => resultsOf(client, side);
  const [was, is] = [await resultsById(json.earlier), await resultsById(json.later)];
  expect([was.size, is.size]).toEqual([4984, 4984]);
  const isIn = (result: Result | undefined) => result?.status === 'eligible' || result?.status === 'performing';
  const amountOf = (result: Result | undefined) => result?.amount ?? '0';
  const eligible = json.lines.find(({ step }: { step: string }) => step === 'eligibleOrPerforming');
  const effect = (cause: string): string =>
    String(eligible.effects.find((one: { cause: string }) => one.cause === cause).effect.sum);
  // The contract is the same on both dates, so a new loan has its own status from the start, and any other its earlier one.
  const both = [...is.values()].filter(({ assetId }) => was.has(assetId));
  const gone = [...was.values()].filter(({ assetId }) => !is.has(assetId));
  const changed = both.filter((one) => isIn(one) !== isIn(was.get(one.assetId)));
  const expected = {
    amount: both
      .filter(({ assetId }) => isIn(was.get(assetId)))
      .map((one) => subtract(amountOf(one), amountOf(was.get(one.assetId)))),
    status: changed.map((one) => (isIn(one) ? amountOf(one) : subtract('0', amountOf(one)))),
    onlyInOne: [
      ...gone.filter(isIn).map((one) => subtract('0', amountOf(one))),
      ...[...is.values()].filter((one) => !was.has(one.assetId) && isIn(one)).map(amountOf),
    ],
  };
  for (const [cause, amounts] of Object.entries(expected)) {
    expect(amounts.length).toBeGreaterThan(0);
    // Both sums are exact; the line is rounded to the cent in each step.
    expect(compare(absolute(subtract(sum(amounts), effect(cause))), '0.011')).toBe(-1);
  }
  const listed: { id: string; isOwn: boolean; effect: { sum: number } }[] = [];
  for (const skip of [0, 1000]) {
    const query = { cause: 'status', limit: 1000, skip };
    listed.push(...(await client.get(`/crud/borrowingBase/${id}/comparison/assets`, query)).json);
  }
  // A paid loan leaves the pool without an effect.
  const withBalance = changed.filter((one) => !isZero(amountOf(one))).map(({ assetId }) => assetId);
  expect(
    listed
      .filter(({ isOwn, effect: { sum: of } }) => isOwn && of !== 0)
      .map((one) => one.id)
      .sort(),
  ).toEqual(withBalance.sort());
});
