import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { getCallBundle, stepCall } from './bundles.ts';
import { callCapital, changeContributions } from './contributions.ts';
import { recordNotice, recordNoticeProblem } from './due-notices.ts';
import { regenerateNotices } from './notices.ts';

let database: TestDatabase;
let one: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  one = await database.store.as(SYSTEM, (session) => makeTenant(session));
});
afterAll(() => database.close());

const asManager = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(testActor({ type: 'manager', managerId: one.managerId }), work);
const asProgram = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(SYSTEM, work);

const issueCall = (callNumber: string) =>
  asManager((session) =>
    callCapital(
      session,
      contributionCreateSchema.parse({
        fund: one.fundId,
        callNumber,
        cutOffDate: '2026-05-01',
        dueDate: '2026-05-20',
        amount: { sum: 2, currency: 'USD' },
        callPurposes: [{ title: 'A note', kind: 'investments', amount: 2 }],
        status: 'Active',
      }),
    ),
  );
const stored = { size: 1, checksum: 'a'.repeat(64) };

test('a call can be closed with the version of its issue, whatever becomes of its notices meanwhile', async () => {
  const [first, second] = await issueCall('Version');
  const history = () => database.query(`select id from history where document_id = $1`, [first!.id]);
  const changes = await history();
  await asProgram((session) => recordNotice(session, { table: 'contributions', id: first!.id, name: 'A' }, stored));
  await asProgram((session) => recordNoticeProblem(session, { table: 'contributions', id: second!.id }, 'No NAV'));
  await asManager((session) => regenerateNotices(session, 'contributions', [first!.id, second!.id]));
  await asProgram((session) => recordNotice(session, { table: 'contributions', id: first!.id, name: 'A' }, stored));
  expect(await history()).toEqual(changes);
  const [closed] = await asManager((session) =>
    changeContributions(session, [{ id: first!.id, version: first!.version, status: 'Closed' }]),
  );
  expect(closed).toMatchObject({ status: 'Closed', file: { checksum: stored.checksum } });
});

test('a call can be closed on the page that was opened before its notices were made', async () => {
  const [first] = await issueCall('Stamp');
  const id = first!.metadata.bundleId!;
  const { stamp } = await asManager((session) => getCallBundle(session, id));
  await asProgram((session) => recordNotice(session, { table: 'contributions', id: first!.id, name: 'A' }, stored));
  await asManager((session) => stepCall(session, { id, stamp, status: 'Closed' }));
  expect(await asManager((session) => getCallBundle(session, id))).toMatchObject({ status: 'Closed', notices: 1 });
});
