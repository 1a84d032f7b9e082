import { newId } from '@tapeline/db/ids.ts';
import { recordJobFailure } from '@tapeline/db/operations/jobs/job-failures.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
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

it('what a restore holds is listed for administrators, who release and drop it', async () => {
  const store = await productStore();
  const asProgram = <Result>(
    work: (query: (sql: string, values: unknown[]) => Promise<Result[]>) => Promise<unknown>,
  ) => store.as(systemActor('Test fixture'), (session) => work(session.query as never));
  const subjects: [string, string] = [
    'Call 7 of Harbour Credit Fund II is due on 30 Nov 2026',
    'The tape of Alder Auto for 31 Oct 2026 is late',
  ];
  const ids = subjects.map(() => newId());
  // The hold has ended, so that emails of other tests are sent.
  await asProgram(async (query) => {
    const hold = newId();
    await query(
      `insert into holds (id, kind, backup_at, started_at, ended_at) values ($1, 'email', now(), now(), now())`,
      [hold],
    );
    for (const [index, id] of ids.entries()) {
      await query(
        `insert into outbox (id, user_id, key, kind, resource, document_id, subject, text, page, page_title, created_at, not_before,
           next_attempt_at, status, hold_id)
         select $1::text, id, $1, 'tapeLate', 'companies', $1, $3, 'It was due.', '/monitoring/tapes', 'Open', now(), '2100-01-01', '2100-01-01', 'Held', $4
         from users where email = $2`,
        [id, tenant.emails.manager, subjects[index], hold],
      );
    }
  });
  for (const [widthPx, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    const page = await openPage({ widthPx, colorScheme });
    await signIn(page, ADMIN);
    await page.goto(paths.held());
    for (const subject of subjects) await page.getByText(subject, { exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/held-${widthPx}.png`, fullPage: true });
  }
  const statuses = () =>
    asProgram((query) => query('select status from outbox where id = any ($1) order by id', [ids]));
  // What is missing is said by the action.
  const page = await openPage({ expectedErrors: [/422/] });
  await signIn(page, ADMIN);
  await page.goto(paths.held());
  await page.getByRole('button', { name: 'Drop selected' }).click();
  await page.getByText('Choose at least one').first().waitFor();
  await page.getByLabel(subjects[0]).check();
  await page.getByRole('button', { name: 'Release selected' }).click();
  await page.getByText(subjects[0], { exact: true }).waitFor({ state: 'detached' });
  await page.getByLabel(subjects[1]).check();
  await page.getByRole('button', { name: 'Drop selected' }).click();
  await page.getByText(subjects[1], { exact: true }).waitFor({ state: 'detached' });
  expect(await statuses()).toEqual([{ status: 'Queued' }, { status: 'Skipped' }]);
  // All at once: only after a question that says how many, and what happens.
  await asProgram((query) => query(`update outbox set status = 'Held' where id = any ($1)`, [ids]));
  await page.goto(paths.held());
  await page.getByText('Decide about all 2 items').click();
  await page.getByRole('button', { name: 'Drop all' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText('Drop all 2 items?').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await statuses()).toEqual([{ status: 'Held' }, { status: 'Held' }]);
  // Without JavaScript the page itself asks. What was held since then is not dropped with the rest.
  const plain = await openPage({ javaScript: false, expectedErrors: [/422/] });
  await signIn(plain, ADMIN);
  await plain.goto(paths.held());
  await plain.getByText('Decide about all 2 items').click();
  await plain.getByRole('button', { name: 'Release all' }).click();
  await plain.getByText('Release all 2 items?').waitFor();
  await asProgram((query) => query(`update outbox set status = 'Skipped' where id = $1`, [ids[0]]));
  await plain.getByRole('button', { name: 'Release all' }).first().click();
  await plain.getByText('You were asked about 2 items. Now it would be 1.').waitFor();
  expect(await statuses()).toEqual([{ status: 'Skipped' }, { status: 'Held' }]);
  await page.goto(paths.held());
  await page.getByText('Decide about all 1 item').click();
  await page.getByRole('button', { name: 'Drop all' }).click();
  await question.getByRole('button', { name: 'Drop all' }).click();
  await page.getByText('Nothing is held').waitFor();
  expect(await statuses()).toEqual([{ status: 'Skipped' }, { status: 'Skipped' }]);
  await asProgram((query) => query('delete from outbox where id = any ($1)', [ids]));
  const other = await openPage({ expectedErrors: [/403 \(Forbidden\)/] });
  await signIn(other, tenant.emails.manager);
  expect((await other.goto(paths.held()))?.status()).toBe(403);
});
