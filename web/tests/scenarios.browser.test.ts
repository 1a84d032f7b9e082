import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';
import { createTwoNotes } from './two-notes.ts';

const MANAGER = 'manager@tapeline.test';
const tenant = ownTenant();
let base: string;
beforeAll(async () => {
  base = (await createTwoNotes(tenant.manager)).bases.Senior ?? '';
});

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('what if, $words', ({ javaScript }) => {
  it('is composed from the borrowing base, and shown beside it', async () => {
    const title = javaScript ? 'Lower rate' : 'Lower rate, typed';
    const page = await openPage({ javaScript });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.borrowingBase(base));
    await page.getByRole('link', { name: 'What if', exact: true }).first().click();
    await page.getByRole('heading', { name: 'What if', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'New scenario' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill(title);
    await page.getByLabel('Rate of').selectOption({ label: 'Grade A (100%)' });
    await page.getByRole('textbox', { name: 'Advance rate' }).fill('90');
    await page.getByRole('button', { name: 'Create scenario' }).click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await page.getByText('Advance rate of Grade A: 100% → 90%').first().waitFor();
    await page.getByRole('link', { name: 'Show beside the certificate' }).click();
    const lines = page.getByRole('table', { name: 'The certificate and its scenarios, line by line' });
    await lines.getByRole('row', { name: /^Net borrowing base/ }).waitFor();
    expect(await lines.getByRole('link', { name: title, exact: true }).count()).toBe(1);
    const loan = page
      .getByRole('table', { name: `Loans that change under ${title}` })
      .getByRole('link')
      .first();
    expect(await loan.getAttribute('href')).toContain('asset=');
  });
});

describe('what if', () => {
  it.each([
    { widthPx: 1440, colorScheme: 'dark' },
    { widthPx: 1280, colorScheme: 'light' },
    { widthPx: 390, colorScheme: 'light' },
  ] as const)('is without accessibility problem or sideways scroll at $widthPx px in $colorScheme', async (look) => {
    const [scenario] = (await (await signedIn(MANAGER)).get('/crud/scenarios', { filter: { title: 'Recession' } }))
      .json;
    const page = await openPage(look);
    await signIn(page, MANAGER);
    for (const [address, shown] of [
      [paths.whatIf(scenario.borrowingBase), 'Loans that change under Tighter terms'],
      [paths.scenario(scenario.id), 'Changes'],
      [paths.scenarioChange(scenario.id), 'Advance rate'],
    ] as const) {
      await page.goto(address);
      await page.getByRole('heading', { name: shown }).first().waitFor();
      expect(await accessibilityViolations(page), address).toEqual([]);
      expect(await overflowsSideways(page), address).toBe(false);
    }
  });
});
