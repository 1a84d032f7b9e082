import {
  type CommitmentCreate,
  commitmentCreateSchema,
  commitmentUpdateSchema,
} from '@tapeline/domain/commitments/commitment.schema.ts';
import { commitmentTransferSchema } from '@tapeline/domain/commitments/transfer.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createFund } from '../funds/change-funds.ts';
import { getCommitment, listCommitments } from '../funds/funds.ts';
import { historyOf } from '../history/history.ts';
import { createCommitment, removeCommitment, updateCommitment } from './change-commitments.ts';
import { fundCommitmentsAt, investorCommitmentsAt } from './fund-commitments.ts';
import { planTransfer, transferCommitment } from './transfer-commitment.ts';
import { transfersOfFund } from './transfers.ts';

let database: TestDatabase;
let one: TestTenant;
let two: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  [one, two] = await database.store.as(SYSTEM, async (session) => [
    await makeTenant(session),
    await makeTenant(session),
  ]);
});
afterAll(() => database.close());

const manager = () => testActor({ type: 'manager', managerId: one.managerId });

/** Runs as a user of the first manager, and undoes it. */
const trying = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(manager(), work, { rollback: true });
const flags = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error) => error.flags ?? error.message,
  );

const CLASSES = [
  { name: 'A', uniqueKey: 'a' },
  { name: 'B', uniqueKey: 'b' },
];
const makeFund = async (session: Session, changes = {}): Promise<string> => {
  const terms = { title: 'A fund', type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 500, hardCap: 600 };
  return (await createFund(session, fundCreateSchema.parse({ ...terms, ...changes }))).fund.id;
};
const lp = (index: number): CommitmentCreate['investor'] => ({ id: one.lpIds[index]!, kind: 'LP' });
const commit = (session: Session, fund: string, index: number, changes = {}) =>
  createCommitment(
    session,
    commitmentCreateSchema.parse({
      fund,
      investor: lp(index),
      closingDate: '2025-01-31',
      maxCommitment: 100,
      ...changes,
    }),
  );
const transfer = (session: Session, from: { id: string; version: number }, changes = {}) =>
  transferCommitment(
    session,
    commitmentTransferSchema.parse({
      commitment: from.id,
      version: from.version,
      to: lp(1),
      date: '2025-07-01',
      amount: 40,
      ...changes,
    }),
  );

describe('a transfer', () => {
  test('changes both commitments on the same day, with one link, and keeps the total', async () => {
    await trying(async (session) => {
      const fund = await makeFund(session);
      const from = await commit(session, fund, 0);
      await commit(session, fund, 1, { maxCommitment: 120, activeCommitment: 100 });
      const made = await transfer(session, from);
      const link = made.from.deltas[0]?.transfer;
      expect(link).toMatch(/^[0-9a-f]{24}$/);
      expect(made.from.deltas).toEqual([
        { date: '2025-07-01', amount: '-40', title: 'Transfer to Investor two', transfer: link },
      ]);
      expect(made.to.deltas).toEqual([
        { date: '2025-07-01', amount: '40', title: 'Transfer from Investor one', transfer: link },
      ]);
      expect([made.from.maxCommitment, made.to.maxCommitment]).toEqual(['100', '140']);
      const on = async (day: string) => {
        const { commitments, committed } = await fundCommitmentsAt(session, fund, day);
        return [committed, ...commitments.map(({ active, percentage }) => `${active} ${percentage}`)];
      };
      expect(await on('2025-06-30')).toEqual(['200', '100 50', '100 50']);
      expect(await on('2025-07-01')).toEqual(['200', '140 70', '60 30']);
      const { documents } = await historyOf(session, [{ resource: 'LPCommitments', ids: [made.from.id, made.to.id] }], {
        limit: 10,
      });
      const updated = documents.filter(({ operation }) => operation === 'Update');
      expect(updated.map(({ documentId }) => documentId).sort()).toEqual([made.from.id, made.to.id].sort());
    });
  });

  test('names the other investor only to who can see its commitment, also after an edit', async () => {
    const made = await database.store.as(manager(), async (session) => {
      const fund = await makeFund(session);
      const from = await commit(session, fund, 0);
      await commit(session, fund, 1);
      return transfer(session, from);
    });
    const titlesFor = (actor: Parameters<typeof testActor>[0], id: string) =>
      database.store.read(testActor({ managerId: one.managerId, ...actor }), async (session) => {
        const { documents } = await listCommitments(session, { filter: { id } });
        return documents.flatMap(({ deltas }) => deltas.map(({ title }) => title));
      });
    const [given, received] = [made.from.id, made.to.id];
    const asManager = { type: 'manager' } as const;
    const check = async () => {
      expect(await titlesFor(asManager, received)).toEqual(['Transfer from Investor one']);
      expect(await titlesFor(asManager, given)).toEqual(['Transfer to Investor two']);
      const hidden = ['Transfer from another investor'];
      expect(await titlesFor({ ...asManager, blockedDocuments: [`LPCommitments/${given}`] }, received)).toEqual(hidden);
      expect(await titlesFor({ type: 'LP', lpIds: [one.lpIds[1]!] }, received)).toEqual(hidden);
      expect(await titlesFor({ type: 'LP', lpIds: [one.lpIds[0]!] }, given)).toEqual(['Transfer to another investor']);
    };
    // The transfer itself is hidden with either holder.
    const seen = (blockedDocuments: string[]) =>
      database.store.read(testActor({ ...asManager, managerId: one.managerId, blockedDocuments }), (session) =>
        transfersOfFund(session, made.from.fundId),
      );
    expect((await seen([])).map(({ amount }) => amount)).toHaveLength(1);
    for (const blocked of [
      ...one.lpIds.slice(0, 2).map((id) => `LPs/${id}`),
      `LPCommitments/${given}`,
      `LPCommitments/${received}`,
    ]) {
      expect(await seen([blocked]), blocked).toEqual([]);
    }
    await check();
    await database.store.as(manager(), async (session) => {
      const { deltas, version, closingDate, maxCommitment, activeCommitment, fees } = await getCommitment(
        session,
        received,
      );
      const terms = { closingDate, maxCommitment, activeCommitment, fees };
      const body = commitmentUpdateSchema.parse({ version, deltas, ...terms });
      expect((await updateCommitment(session, { id: received, body })).deltas[0]?.title).toContain('Investor one');
    });
    await check();
  });

  test('gives an investor without a commitment one from that day on, with the same fees and class', async () => {
    await trying(async (session) => {
      const fund = await makeFund(session, { classes: CLASSES });
      const from = await commit(session, fund, 0, { Class: 'a', fees: { management: { committed: 1.5 } } });
      const inB = await commit(session, fund, 1, { Class: 'b' });
      const made = await transfer(session, from);
      expect(made.to).toMatchObject({
        Class: 'a',
        status: 'Active',
        closingDate: '2025-07-01',
        maxCommitment: '40',
        activeCommitment: '0',
        fees: { management: { committed: 1.5 } },
        investor: { title: 'Investor two' },
      });
      expect((await getCommitment(session, inB.id)).deltas).toEqual([]);
      const ofTwo = await investorCommitmentsAt(session, one.lpIds[1]!, '2025-07-01');
      expect(ofTwo.filter(({ fundId }) => fundId === fund).map(({ Class, active }) => [Class, active])).toEqual([
        ['a', '40'],
        ['b', '100'],
      ]);
    });
  });

  test('is at most what is unfunded, on that day and every later one', async () => {
    const attempt = (amount: number, deltas: object[] = []) =>
      flags(
        trying(async (session) =>
          transfer(session, await commit(session, await makeFund(session), 0, { deltas }), { amount }),
        ),
      );
    expect(await attempt(100)).toBeNull();
    expect(await attempt(100.01)).toEqual({ amount: 'must be at most 100.00, what is unfunded from that day on' });
    const later = [{ date: '2025-12-31', amount: -30 }];
    expect(await attempt(70, later)).toBeNull();
    expect(await attempt(70.01, later)).toEqual({ amount: 'must be at most 70.00, what is unfunded from that day on' });
  });

  test('is on or after the closing date of both commitments', async () => {
    const attempt = (date: string, closing = '2025-01-31') =>
      flags(
        trying(async (session) => {
          const fund = await makeFund(session);
          const from = await commit(session, fund, 0);
          await commit(session, fund, 1, { closingDate: closing });
          return transfer(session, from, { date });
        }),
      );
    expect(await attempt('2025-01-31')).toBeNull();
    expect(await attempt('2025-01-30')).toEqual({
      date: 'must be on or after 31 Jan 2025, the closing date of the transferor',
    });
    expect(await attempt('2025-03-31', '2025-03-31')).toBeNull();
    expect(await attempt('2025-03-30', '2025-03-31')).toEqual({
      date: 'must be on or after 31 Mar 2025, the closing date of the recipient',
    });
  });

  test('goes to another investor of the manager, or to a fund that this one does not feed', async () => {
    const attempt = (to: object) =>
      flags(trying(async (session) => transfer(session, await commit(session, await makeFund(session), 0), { to })));
    expect(await attempt(lp(1))).toBeNull();
    expect(await attempt({ id: one.fundId, kind: 'fund' })).toBeNull();
    expect(await attempt(lp(0))).toEqual({ 'to.id': 'is the investor that transfers' });
    expect(await attempt({ id: two.lpIds[0]!, kind: 'LP' })).toEqual({
      'to.id': 'is not an investor of this manager',
    });
    const itself = trying(async (session) => {
      const fund = await makeFund(session);
      return transfer(session, await commit(session, fund, 0), { to: { id: fund, kind: 'fund' } });
    });
    expect(await flags(itself)).toEqual({ 'to.id': 'is the fund itself' });
  });

  test('stays within its class', async () => {
    const attempt = (Class: string) =>
      flags(
        trying(async (session) => {
          const fund = await makeFund(session, { classes: CLASSES });
          return transfer(session, await commit(session, fund, 0, { Class: 'a' }), { Class });
        }),
      );
    expect(await attempt('a')).toBeNull();
    expect(await attempt('b')).toEqual({ Class: 'must be the class of the commitment' });
  });

  test('needs commitments in force, the current version, and a fund that is not removed', async () => {
    const attempt = (prepare: (session: Session, fund: string) => Promise<unknown>, changes = {}, status = 'Active') =>
      flags(
        trying(async (session) => {
          const fund = await makeFund(session);
          const from = await commit(session, fund, 0, { status });
          await prepare(session, fund);
          return transfer(session, from, changes);
        }),
      );
    const nothing = async () => undefined;
    expect(await attempt(nothing)).toBeNull();
    expect(await attempt(nothing, {}, 'Draft')).toEqual({ commitment: 'must be Active' });
    expect(await attempt((session, fund) => commit(session, fund, 1, { status: 'Draft' }))).toEqual({
      'to.id': 'has a commitment that is Draft',
    });
    expect(await attempt(nothing, { version: 7 })).toHaveProperty('version');
    const removed = async (session: Session, fund: string) => {
      await session.query(`update funds set status = 'Removed' where id = $1`, [fund]);
      session.em.clear();
    };
    expect(await attempt(removed)).toBe('Not found');
  });

  test('needs the permission, and is of the own manager', async () => {
    const made = await database.store.as(manager(), async (session) =>
      commit(session, await makeFund(session, { title: 'Of the first manager' }), 0),
    );
    const as = (actor: ReturnType<typeof testActor>) =>
      flags(database.store.as(actor, (session) => transfer(session, made), { rollback: true }));
    expect(await as(manager())).toBeNull();
    expect(await as({ ...manager(), permissions: ['LPs/commitments/read'] } as never)).toMatch(
      /not have enough permissions/,
    );
    expect(await as(testActor({ type: 'manager', managerId: two.managerId }))).toBe('Not found');
  });

  test('entered twice at the same time is recorded once', async () => {
    const made = await database.store.as(manager(), async (session) =>
      commit(session, await makeFund(session, { title: 'Transferred twice' }), 0),
    );
    const enter = () => database.store.as(manager(), (session) => transfer(session, made, { amount: 60 }));
    const results = await Promise.allSettled([enter(), enter(), enter()]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const stored = await database.store.as(manager(), (session) => getCommitment(session, made.id));
    expect(stored.deltas).toHaveLength(1);
  });

  test('is planned with what it changes, and undone', async () => {
    const fund = await database.store.as(manager(), (session) => makeFund(session));
    const from = await database.store.as(manager(), (session) => commit(session, fund, 0));
    const plan = await trying((session) =>
      planTransfer(
        session,
        commitmentTransferSchema.parse({
          commitment: from.id,
          version: from.version,
          to: lp(1),
          date: '2025-07-01',
          amount: 40,
        }),
      ),
    );
    expect(plan).toMatchObject({
      unfunded: '100',
      isNew: true,
      from: { title: 'Investor one', before: '100', after: '60' },
      to: { title: 'Investor two', before: '0', after: '40', maxAfter: '40' },
      fund: { before: { activeCommitment: '100' }, after: { activeCommitment: '100' } },
    });
    const left = await trying((session) => fundCommitmentsAt(session, fund, '2025-07-01'));
    expect(left.commitments).toHaveLength(1);
  });
});

describe('after a transfer', () => {
  test('neither side is edited alone, and a commitment is removed once all is transferred back', async () => {
    await trying(async (session) => {
      const fund = await makeFund(session);
      const { from, to } = await transfer(session, await commit(session, fund, 0));
      const update = (deltas: object[]) =>
        updateCommitment(session, {
          id: from.id,
          body: commitmentUpdateSchema.parse({
            version: from.version,
            closingDate: from.closingDate,
            maxCommitment: 100,
            activeCommitment: 100,
            deltas,
          }),
        });
      const [given] = from.deltas;
      expect(await flags(update([]))).toEqual({ deltas: 'must keep the transfers' });
      expect(await flags(update([{ ...given, amount: '-41' }]))).toEqual({
        'deltas.0': 'is part of a transfer and cannot change',
      });
      const kept = await update([{ ...given, title: 'Sold' }]);
      expect(kept.deltas).toEqual([{ ...given, title: 'Sold' }]);
      await expect(
        removeCommitment(session, { id: from.id, isDeleteAll: false, deleteAllContent: false }),
      ).rejects.toThrow(/Transfer it back/);
      await transfer(session, to, { to: lp(0) });
      expect(await removeCommitment(session, { id: from.id, isDeleteAll: false, deleteAllContent: false })).toEqual({
        ids: [from.id],
      });
    });
  });

  test('a new commitment cannot claim to be part of one', async () => {
    const deltas = [{ date: '2025-07-01', amount: -1, transfer: 'c'.repeat(24) }];
    const work = trying(async (session) => commit(session, await makeFund(session), 0, { deltas }));
    expect(await flags(work)).toEqual({ 'deltas.0': 'is not a transfer of this commitment' });
  });
});
