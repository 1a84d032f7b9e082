import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { type NorthwindTapes, northwindTapes } from './northwind-tapes.ts';
import { ownTenant } from './tenant.ts';
import { withoutAmounts } from './without-amounts.ts';

const tenant = ownTenant();
let tapes: NorthwindTapes;
let versions: { own: string; other: string };
beforeAll(async () => {
  tapes = await northwindTapes(tenant.manager);
  versions = await withoutAmounts(tenant.manager, tapes.company);
});

describe.each([
  { words: 'with JavaScript', javaScript: true, cutOffDate: '2017-01-31' },
  { words: 'without JavaScript', javaScript: false, cutOffDate: '2017-02-28' },
])('a published tape $words', ({ javaScript, cutOffDate }) => {
  it('is processed with another mapping version, after its effect was shown', async () => {
    const { loan } = tapes;
    const id = await tapes.publish(
      [loan({ 'Loan ID': 'R-1' }), loan({ 'Loan ID': 'R-2', 'Principal Balance': 'see note' })],
      { cutOffDate },
    );
    const page = await openPage({ javaScript });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.tape(id));
    await page.getByRole('link', { name: 'use another' }).click();
    await page.getByRole('heading', { level: 1, name: 'Use another mapping version' }).waitFor();
    if (javaScript) await scriptsReady(page);
    await page.getByLabel('Mapping version').selectOption(versions.other);
    await page.getByRole('button', { name: 'Show effect' }).click();
    await page.getByText('1 row becomes assets, 0 assets become errored').waitFor();
    const line = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
    expect(await line('Errored rows').getByRole('cell').allInnerTexts()).toEqual(['Errored rows', '1', '0', '−1']);
    if (javaScript) {
      expect(await accessibilityViolations(page)).toEqual([]);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflowsSideways(page)).toBe(false);
      }
    }
    expect(await tapes.finished(id)).toMatchObject({ counts: { assets: 1, errored: 1 } });
    await page.getByRole('button', { name: /^Process with version/ }).click();
    await page.waitForURL((url) => url.pathname === paths.tape(id));
    expect(await tapes.finished(id)).toMatchObject({ failure: null, counts: { assets: 2, errored: 0 } });
    await page.goto(paths.tape(id, { view: 'history' }));
    await page.getByText(/Republished with mapping v\d+: 2 assets/).waitFor();
  });
});

it('the mapping that was changed for a tape leads to its effect on the tape', async () => {
  const id = await tapes.publish([tapes.loan({ 'Loan ID': 'S-1' })], { cutOffDate: '2017-03-31' });
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.mapping(versions.other, { tape: id, saved: 'yes' }));
  await page.getByRole('link', { name: 'Use it for the tape as well' }).click();
  await page.getByRole('heading', { level: 1, name: 'Use another mapping version' }).waitFor();
  await page.getByRole('button', { name: /^Process with version/ }).waitFor();
});
