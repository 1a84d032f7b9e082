import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { Page, Request } from 'playwright-core';
import { it } from 'vitest';
import { paths } from '../app/paths.ts';
import { openPage, signIn } from './browser.ts';
import { whileWorkersHalt } from './halted-workers.ts';
import { northwindTapes } from './northwind-tapes.ts';
import { ownTenant } from './tenant.ts';
import { untilSignalled } from './workflows.ts';

const tenant = ownTenant();
const { manager: MANAGER } = tenant.emails;

it('a tape in progress is cancelled on its page, and the list says that nothing was kept', async () => {
  const tapes = await northwindTapes(tenant.manager);
  const loans = Array.from({ length: 40_000 }, (_, at) => tapes.loan({ 'Loan ID': `W-${at}` }));
  const page = await openPage();
  await signIn(page, MANAGER);
  const id = await tapes.begin(loans, { cutOffDate: '2016-03-31', name: 'cancelled.xlsx' });
  await whileWorkersHalt(async () => {
    await page.goto(paths.tape(id));
    await cancel(page);
    // The signal has reached Temporal, where it waits for the workers.
    await untilSignalled(WORKFLOW_IDS.tape(id), 'cancel');
  });
  await page.getByText('cancelled.xlsx was removed. No data was kept').waitFor();
});

async function cancel(page: Page): Promise<void> {
  const ask = page.getByRole('button', { name: 'Cancel', exact: true });
  const confirm = page.getByRole('button', { name: 'Cancel tape' });
  // Before hydration, the page asks for confirmation inline. After it, in a dialog.
  await ask.click();
  const isConfirmed = (request: Request) => request.method() === 'POST' && request.postData()?.includes('yes') === true;
  await Promise.all([page.waitForRequest(isConfirmed), confirm.click()]);
}
