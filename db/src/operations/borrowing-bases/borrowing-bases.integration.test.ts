import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { removeTape } from '../tapes/tapes.ts';
import { listBorrowingBaseFigures } from './borrowing-base-figures.ts';
import {
  type BorrowingBaseToSave,
  borrowingBaseVersions,
  getBorrowingBase,
  listBorrowingBases,
  saveBorrowingBase,
} from './borrowing-bases.ts';
import { comparedBases } from './compared-bases.ts';

let database: TestDatabase;
let tenant: TestTenant;
const asSystem = <T>(work: (session: Session) => Promise<T>) => database.store.as(SYSTEM, work);

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await asSystem(makeTenant);
});
afterAll(() => database.close());

/** The borrowing base that the tenant's company already has. */
const firstOf = async (company: number) => {
  const { tapeId } = tenant.companies[company]!;
  const { documents } = await asSystem((session) => listBorrowingBases(session, { filter: { loanTape: tapeId } }));
  return documents[0]!;
};
const again = (
  of: Awaited<ReturnType<typeof firstOf>>,
  inputsHash: string,
  more: Partial<BorrowingBaseToSave> = {},
): BorrowingBaseToSave => ({
  tapeId: of.tapeId,
  generationId: of.generationId,
  contractId: of.contractId,
  currency: 'USD',
  netBB: '3.00',
  firstBB: '4.00',
  result: { inputsHash } as BorrowingBaseResult,
  resultKey: null,
  ...more,
});

test('Calculating again keeps the earlier result as superseded, and only the latest is listed', async () => {
  const first = await firstOf(0);
  const manager = testActor({ type: 'manager', managerId: tenant.managerId });
  const second = await database.store.as(manager, (session) => saveBorrowingBase(session, again(first, 'a')));
  expect(second.id).not.toBe(first.id);
  const earlier = await asSystem((session) => getBorrowingBase(session, first.id));
  expect(earlier).toMatchObject({ status: 'Disabled', supersededBy: second.id, netBB: '1.00' });
  expect(earlier.metadata.changedBy?.entity).toMatchObject({ id: manager.userId });
  const { documents, total } = await asSystem((session) =>
    listBorrowingBases(session, { filter: { loanTape: first.tapeId } }),
  );
  expect([documents.map(({ id }) => id), total]).toEqual([[second.id], 1]);
  const figures = await asSystem((session) => listBorrowingBaseFigures(session, { noteIds: [first.noteId] }));
  expect(figures.map(({ id }) => id)).toEqual([second.id]);
  const all = await asSystem((session) =>
    listBorrowingBases(session, { filter: { loanTape: first.tapeId, status: { in: ['Active', 'Disabled'] } } }),
  );
  expect(all.total).toBe(2);
  const { versions, total: count } = await asSystem((session) => borrowingBaseVersions(session, second));
  expect(versions.map(({ id, netBB, superseded }) => [id, netBB, superseded !== null])).toEqual([
    [second.id, '3.00', false],
    [first.id, '1.00', true],
  ]);
  expect(count).toBe(2);
});

test('Saving a result of the same inputs again changes nothing', async () => {
  const first = await firstOf(1);
  const second = await asSystem((session) => saveBorrowingBase(session, again(first, 'b')));
  const repeated = await asSystem((session) => saveBorrowingBase(session, again(first, 'b')));
  expect(repeated.id).toBe(second.id);
  expect((await asSystem((session) => borrowingBaseVersions(session, first))).total).toBe(2);
});

test('Two calculations at once leave one result Active', async () => {
  const first = await firstOf(1);
  await Promise.all(
    ['c', 'd', 'e'].map((hash) => asSystem((session) => saveBorrowingBase(session, again(first, hash)))),
  );
  const { versions } = await asSystem((session) => borrowingBaseVersions(session, first));
  expect(versions.filter(({ status }) => status === 'Active')).toHaveLength(1);
  expect(versions).toHaveLength(5);
});

test('The database refuses a second Active result, and a superseded one without its successor', async () => {
  const first = await firstOf(0);
  const refused = (set: string) =>
    asSystem((session) =>
      session.query(`update borrowing_bases set ${set} where tape_id = $1 and status = 'Disabled'`, [first.tapeId]),
    );
  await expect(refused(`status = 'Active', superseded_by = null`)).rejects.toThrow('borrowing_bases_latest');
  await expect(refused('superseded_by = null')).rejects.toThrow('borrowing_bases_superseded');
});

test('Removing the tape removes superseded results too', async () => {
  const first = await firstOf(0);
  await asSystem((session) => removeTape(session, { id: first.tapeId }));
  const { total } = await asSystem((session) => borrowingBaseVersions(session, first));
  expect(total).toBe(0);
});

test('Of two compared results, the later cut-off date is the later one, and of one date the later calculation', async () => {
  const first = await firstOf(1);
  const made = await asSystem((session) => saveBorrowingBase(session, again(first, 'c')));
  const next = await asSystem((session) => saveBorrowingBase(session, again(first, 'd')));
  const compared = (ids: readonly [string, string]) =>
    asSystem(async (session) => {
      const { earlier, later } = await comparedBases(session, ids);
      return [earlier.id, later.id];
    });
  for (const ids of [[made.id, next.id] as const, [next.id, made.id] as const]) {
    expect(await compared(ids)).toEqual([made.id, next.id]);
  }
  await database.query(`update borrowing_bases set cut_off_date = cut_off_date + 31 where id = $1`, [made.id]);
  for (const ids of [[made.id, next.id] as const, [next.id, made.id] as const]) {
    expect(await compared(ids)).toEqual([next.id, made.id]);
  }
  await expect(compared([made.id, made.id])).rejects.toMatchObject({ code: 'badRequest' });
});
