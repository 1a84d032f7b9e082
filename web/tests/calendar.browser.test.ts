import { monthAfter, monthOf } from '@tapeline/domain/dates/calendar-month.ts';
import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

const MONTH = monthOf(new Date().toISOString());
const NEXT = monthAfter(MONTH, 1);
const monthText = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

it.each([true, false])('the dates of a fund lead to it, and to a file (JavaScript: %s)', async (javaScript) => {
  const title = javaScript ? 'Alder Calendar Fund' : 'Birch Calendar Fund';
  const { json: fund } = await tenant.manager.post('/crud/funds', {
    title,
    type: 'SMA',
    strategy: 'ABL',
    currency: 'USD',
    targetSize: { sum: 1, currency: 'USD' },
    hardCap: { sum: 1, currency: 'USD' },
    timeline: ['First closing', 'Second closing', 'Third closing', 'Final closing'].map((stage) => ({
      title: `${stage} of ${title}`,
      planned: `${NEXT}-15`,
    })),
  });
  const page = await openPage({ javaScript });
  await signIn(page, tenant.emails.manager);
  const month = (name: string) => page.getByRole('heading', { level: 2, name, exact: true }).waitFor();

  await page.goto(paths.calendar({ kind: 'fund' }));
  await month(monthText.format(new Date(`${MONTH}-01`)));
  await page.getByRole('link', { name: monthText.format(new Date(`${NEXT}-01`)), exact: true }).click();
  await month(monthText.format(new Date(`${NEXT}-01`)));
  const table = page.getByRole('table', { name: 'Events of the month' });
  await table.getByText(/^\d+ more$/).click();
  await page.getByRole('link', { name: `Final closing of ${title}`, exact: true }).waitFor();
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download .ics', exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`tapeline-${NEXT}.ics`);

  await page.getByRole('link', { name: `Final closing of ${title}`, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/funds/${fund.id}`);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(paths.calendar({ month: NEXT, kind: 'fund' }));
  await page.getByRole('link', { name: `First closing of ${title}`, exact: true }).waitFor();
  expect([await table.isVisible(), await overflowsSideways(page)]).toEqual([false, false]);
});
