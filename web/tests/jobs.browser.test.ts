import { recordJobFailure } from '@tapeline/db/operations/jobs/job-failures.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { expect, it } from 'vitest';
import { paths } from '../app/routes/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { northwindTapes } from './northwind-tapes.ts';
import { productStore } from './product-store.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const ADMIN = 'admin@tapeline.test';
const REASON =
  'What follows from the corrected rows could not be done (the contract was removed). Retrying does not help. The corrected rows are published. Calculate the borrowing base again, or send this text to support.';

it('a failed step is listed for administrators with its reason and what to do, and shown on the page of its tape', async () => {
  const tapes = await northwindTapes(tenant.manager);
  const tape = await tapes.publish([tapes.loan({})], { cutOffDate: '2026-09-30' });
  const store = await productStore();
  const [row] = await store.as(systemActor('Test fixture'), (session) =>
    session.query<{ generation: string }>('select generation_id as generation from loan_tapes where id = $1', [tape]),
  );
  const job = WORKFLOW_IDS.rerun(tape, row?.generation ?? '');
  await store.as(systemActor('Test fixture'), (session) =>
    recordJobFailure(session, { activity: 'rerunFollowUp', job, reason: REASON }),
  );
  for (const [widthPx, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    const page = await openPage({ widthPx, colorScheme });
    await signIn(page, ADMIN);
    await page.goto(paths.jobs());
    await page.getByText(REASON, { exact: true }).waitFor();
    await page.getByText(job, { exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);
  }
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.tape(tape));
  await page.getByText(REASON, { exact: true }).waitFor();
});
