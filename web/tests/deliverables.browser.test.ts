import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const PERIOD = '2026-08-31';

it('the screens of deliverables fit and are accessible wide and on a phone', {
  timeout: 240_000,
}, async () => {
  const [facility] = (await tenant.manager.get('/crud/transactions', { limit: 1 })).json;
  const owed = {
    ...{ company: facility.company, title: 'Quarterly financial statements', kind: 'financialStatements' },
    ...{ frequency: 'once', firstPeriodEnd: PERIOD, daysAfter: 10, clause: '5.1(d)', calendar: 'newYork' },
    description: 'All three statements, with a comparison to the budget.',
  };
  const { id } = (await tenant.manager.post('/crud/deliverables', owed)).json;
  const screens = [
    paths.deliverables(),
    paths.deliverable(id, { period: PERIOD }),
    paths.newDeliverable({ company: facility.company }),
    paths.editDeliverable(id),
    ...(['send', 'waive', 'remind'] as const).map((step) => paths.deliverableStep(id, step, { period: PERIOD })),
    paths.company(facility.company, { view: 'deliverables' }),
  ];
  const problems: string[] = [];
  for (const [colorScheme, widthPx] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    const page = await openPage({ colorScheme, widthPx });
    await signIn(page, tenant.emails.manager);
    for (const screen of screens) {
      const say = (problem: string) => problems.push(`${screen}, ${colorScheme}, ${widthPx}: ${problem}`);
      await page.goto(screen);
      for (const problem of await accessibilityViolations(page)) say(problem);
      if (await overflowsSideways(page)) say('scrolls sideways');
    }
    const say = (problem: string) => problems.push(`Home, ${colorScheme}, ${widthPx}: ${problem}`);
    const own = await openPage({ colorScheme, widthPx, javaScript: false });
    await signIn(own, tenant.emails.borrower);
    await own.goto(paths.home());
    await own.getByRole('heading', { name: 'To deliver' }).waitFor();
    for (const problem of await accessibilityViolations(own)) say(problem);
    if (await overflowsSideways(own)) say('scrolls sideways');
  }
  expect(problems).toEqual([]);
});
