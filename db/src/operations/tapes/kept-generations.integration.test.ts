import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../migrate.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listBorrowingBases, saveBorrowingBase } from '../borrowing-bases/borrowing-bases.ts';
import { FIRST_PLACE, referencesAfter } from '../storage/references.ts';
import {
  beginGeneration,
  forgetGeneration,
  generationUses,
  giveUpReplaced,
  listOrphanGenerations,
  publishGeneration,
} from './generations.ts';
import { visiblePublishedTapes } from './published-tapes.ts';
import { getTape, removeTape } from './tapes.ts';

let database: TestDatabase;
let tenant: TestTenant;
let tapeId = '';
let contractId = '';
/** The replaced generation, and the borrowing base of it. */
let earlier = '';
let base = '';
/** The published generation. */
let current = '';

const asSystem = <T>(work: (session: Session) => Promise<T>) => database.store.as(SYSTEM, work);

async function publish(session: Session): Promise<string> {
  const attempt = await beginGeneration(session, { tapeId });
  const part = (name: string) => `${attempt.objectPrefix}${name}.parquet`;
  await publishGeneration(session, {
    tapeId,
    ...attempt,
    manifest: { assets: [part('assets')], errored: [part('errored')], columns: [], customFields: [] },
    counts: { dataRows: 0, assets: 0, errored: 0, discarded: 0, blankRows: 0 },
    statistics: { assetsStatuses: [], sum: [], outstandingSum: [] },
  });
  await session.query(`update loan_tapes set scheduler_status = 'Completed' where id = $1`, [tapeId]);
  return attempt.generationId;
}

const resultKey = (generationId: string, hash: string) => `lake/${tapeId}/${generationId}/base-${hash}.parquet`;

async function calculate(session: Session, generationId: string, hash: string): Promise<string> {
  const saved = await saveBorrowingBase(session, {
    tapeId,
    generationId,
    contractId,
    currency: 'USD',
    netBB: '1.00',
    firstBB: '2.00',
    result: { inputsHash: hash } as BorrowingBaseResult,
    resultKey: resultKey(generationId, hash),
  });
  return saved.id;
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  tenant = await asSystem(makeTenant);
  tapeId = tenant.companies[0]!.tapeId;
  await asSystem(async (session) => {
    const { documents } = await listBorrowingBases(session, { filter: { loanTape: tapeId } });
    contractId = documents[0]!.contractId;
    earlier = await publish(session);
    base = await calculate(session, earlier, 'a');
    current = await publish(session);
  });
});

/** The use of a generation, and which of its objects the database refers to. */
const storageOf = (generationId: string) =>
  asSystem(async (session) => {
    const keys: string[] = [];
    for (let place: string | null = FIRST_PLACE; place !== null; ) {
      const { references, next }: Awaited<ReturnType<typeof referencesAfter>> = await referencesAfter(
        session,
        place,
        100,
      );
      keys.push(...references.map(({ key }) => key));
      place = next;
    }
    const orphans = await listOrphanGenerations(session, { olderThan: new Date(Date.now() + 1000) });
    return {
      use: (await generationUses(session, [generationId])).get(generationId),
      referred: keys.flatMap((key) => (key.includes(generationId) ? [key.split('/').at(-1)] : [])).sort(),
      isOrphan: orphans.some((orphan) => orphan.generationId === generationId),
    };
  });
const KEPT = { use: 'kept', referred: ['assets.parquet', 'base-a.parquet', 'errored.parquet'], isOrphan: false };
const REPLACED = { use: 'replaced', referred: [], isOrphan: true };

test('a tape counts how often it was published again, also when the replaced attempt is deleted', async () => {
  const restatements = () => asSystem(async (session) => (await getTape(session, tapeId)).restatements);
  const before = await restatements();
  const latest = await asSystem(publish);
  expect(await restatements()).toBe(before + 1);
  await asSystem((session) => forgetGeneration(session, { generationId: current }));
  expect(await restatements()).toBe(before + 1);
  expect(latest).not.toBe(current);
});

describe('the objects of a replaced generation', () => {
  test('are kept for a borrowing base of it, also for one that a later calculation superseded', async () => {
    expect(await storageOf(earlier)).toEqual(KEPT);
    await asSystem((session) => calculate(session, current, 'b'));
    expect(await storageOf(earlier)).toEqual(KEPT);
    await asSystem((session) => forgetGeneration(session, { generationId: earlier }));
    expect(await storageOf(earlier)).toEqual(KEPT);
    expect(await storageOf(current)).toEqual({
      ...KEPT,
      referred: ['assets.parquet', 'base-b.parquet', 'errored.parquet'],
    });
  });

  test('are not kept without one', async () => {
    const latest = await asSystem(publish);
    expect(await storageOf(current)).toEqual(REPLACED);
    expect(await storageOf(latest)).toMatchObject({ use: 'kept', isOrphan: false });
    await asSystem((session) => forgetGeneration(session, { generationId: current }));
    expect(await storageOf(current)).toEqual({ ...REPLACED, use: undefined, isOrphan: false });
  });

  test('are not kept once the borrowing base is removed', async () => {
    await asSystem(({ query }) => query(`update borrowing_bases set status = 'Removed' where id = $1`, [base]));
    expect(await storageOf(earlier)).toEqual(REPLACED);
  });

  test('are not kept once the tape is removed', async () => {
    await asSystem((session) => removeTape(session, { id: tapeId }));
    expect(await storageOf(earlier)).toEqual(REPLACED);
    expect(await storageOf(current)).toEqual(REPLACED);
  });

  test('are not kept after a restore without them', async () => {
    await asSystem(giveUpReplaced);
    expect(await storageOf(earlier)).toEqual(REPLACED);
    expect(await storageOf(current)).toMatchObject({ use: 'kept' });
  });
});

describe('a tape opened with a borrowing base', () => {
  const openAs = async (actor: UserActor | typeof SYSTEM, borrowingBase?: string) => {
    const [found] = await database.store.as(actor, (session) =>
      visiblePublishedTapes(session, { tapeIds: [tapeId], ...(borrowingBase ? { borrowingBase } : {}) }),
    );
    return (
      found && {
        generation: found.manifest.assets[0]?.split('/')[2],
        isEarlier: found.isEarlier,
        base: found.borrowingBase?.id ?? null,
        resultKey: found.borrowingBase?.resultKey ?? null,
      }
    );
  };
  const open = (borrowingBase?: string) => openAs(SYSTEM, borrowingBase);
  const now = () => ({ generation: current, isEarlier: false, base: null, resultKey: null });
  const then = () => ({ generation: earlier, isEarlier: true, base, resultKey: resultKey(earlier, 'a') });

  test('has the assets that it was calculated from, and its results; the current ones without it', async () => {
    expect(await open()).toEqual(now());
    expect(await open(base)).toEqual(then());
    const latest = await asSystem((session) => calculate(session, current, 'b'));
    expect(await open()).toEqual({ ...now(), base: latest, resultKey: resultKey(current, 'b') });
    expect(await open(base)).toEqual(then());
    // Other tapes, and lists of all, are as they are without it.
    const all = await asSystem((session) => visiblePublishedTapes(session, { borrowingBase: base }));
    expect(all.filter(({ isEarlier }) => isEarlier).map(({ tape }) => tape.id)).toEqual([tapeId]);
    expect(all.length).toBeGreaterThan(1);
  });

  test('that was superseded on the current assets, has its own results', async () => {
    const superseded = await asSystem((session) => calculate(session, current, 'b'));
    await asSystem((session) => calculate(session, current, 'c'));
    expect(await open(superseded)).toEqual({ ...now(), base: superseded, resultKey: resultKey(current, 'b') });
  });

  test('has the current assets where it was removed, is of another tape, or has no results by asset', async () => {
    const [other] = await asSystem(
      async (session) =>
        (await listBorrowingBases(session, { filter: { loanTape: tenant.companies[1]!.tapeId } })).documents,
    );
    for (const id of [other!.id, 'f'.repeat(24), 'not an id']) expect(await open(id)).toEqual(now());
    await asSystem(({ query }) => query('update borrowing_bases set result_key = null where id = $1', [base]));
    expect(await open(base)).toEqual(now());
    await asSystem(({ query }) =>
      query(`update borrowing_bases set result_key = 'k', status = 'Removed' where id = $1`, [base]),
    );
    expect(await open(base)).toEqual(now());
  });

  test('has the current assets where the earlier ones are gone', async () => {
    await asSystem(giveUpReplaced);
    expect(await open(base)).toEqual(now());
    await asSystem((session) => forgetGeneration(session, { generationId: earlier }));
    expect(await open(base)).toEqual(now());
  });

  test('is no way around what the user cannot see', async () => {
    const manager = testActor({ type: 'manager', managerId: tenant.managerId });
    const borrower = testActor({
      type: 'company',
      managerId: tenant.managerId,
      companyId: tenant.companies[0]!.id,
      userId: tenant.companies[0]!.userId,
    });
    expect(await openAs(manager, base)).toEqual(then());
    expect(await openAs(borrower, base)).toEqual(then());
    // Who cannot see the borrowing base is shown the tape as it is now.
    expect(await openAs({ ...manager, blockedDocuments: [`borrowingBases/${base}`] }, base)).toEqual(now());
    const neighbour = { ...borrower, companyId: tenant.companies[1]!.id, userId: tenant.companies[1]!.userId };
    expect(await openAs(neighbour, base)).toBeUndefined();
    const stranger = testActor({ type: 'manager', managerId: (await asSystem(makeTenant)).managerId });
    expect(await openAs(stranger, base)).toBeUndefined();
  });
});

describe('the migration to kept generations', () => {
  const again = async () => {
    await database.query(`delete from mikro_orm_migrations where name = '133-kept-generations'`);
    expect((await migrate(database.environment.databaseAdminUrl)).ran).toEqual(['133-kept-generations']);
  };
  const replacedDaysAgo = (days: number) =>
    database.query(`update tape_generations set published_at = now() - $2::float8 * interval '1 day' where id = $1`, [
      current,
      days,
    ]);
  const before = () =>
    database.query(
      `update tape_generations set manifest = manifest - 'mapping', published_at = '2020-01-01' where id = $1`,
      [earlier],
    );

  test('gives up what may have been deleted already, and records the mapping version', async () => {
    await before();
    await replacedDaysAgo(12.9);
    await again();
    expect(await storageOf(earlier)).toEqual(KEPT);
    const [{ mapping } = {}] = await database.query<{ mapping: object }>(
      `select manifest -> 'mapping' as mapping from tape_generations where id = $1`,
      [earlier],
    );
    expect(mapping).toEqual({ id: expect.stringMatching(/^[0-9a-f]{24}$/), version: 1 });

    await replacedDaysAgo(13.1);
    await again();
    expect(await storageOf(earlier)).toEqual(REPLACED);
    expect(await storageOf(current)).toMatchObject({ use: 'kept' });
  });

  test('forgets results that a later calculation has overwritten, and leaves the history alone', async () => {
    const first = await asSystem((session) => calculate(session, current, 'b'));
    const second = await asSystem((session) => calculate(session, current, 'c'));
    const keys = async () =>
      Object.fromEntries(
        (
          await database.query<{ id: string; result_key: string | null }>(
            'select id, result_key from borrowing_bases where id = any ($1)',
            [[base, first, second]],
          )
        ).map(({ id, result_key }) => [id, result_key]),
      );
    await database.query('update borrowing_bases set result_key = $2 where id = $1', [first, resultKey(current, 'c')]);
    const history = () =>
      database.query('select count(*)::int as lines from history where document_id = any ($1)', [
        [base, first, second],
      ]);
    const lines = await history();
    await again();
    expect(await keys()).toEqual({
      [base]: resultKey(earlier, 'a'),
      [first]: null,
      [second]: resultKey(current, 'c'),
    });
    expect(await history()).toEqual(lines);
    // The history records what comes after.
    await database.query(`update borrowing_bases set net_bb = 5 where id = $1`, [second]);
    expect(await history()).not.toEqual(lines);
  });
});
