import { commitmentCreateSchema, commitmentUpdateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fundCreateSchema, fundUpdateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { mainFundCreateSchema, mainFundUpdateSchema } from '@tapeline/domain/funds/main-fund.schema.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import {
  createCommitment,
  removeCommitment,
  updateCommitment,
  updateCommitments,
} from '../commitments/change-commitments.ts';
import { createFund, giveFundEntity, removeFund, updateFund } from './change-funds.ts';
import { getCommitment, listFundGroups, listFundInvestors } from './funds.ts';
import {
  createMainFund,
  getMainFund,
  removeMainFund,
  removeMember,
  replaceMembers,
  updateMainFund,
} from './main-funds.ts';

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

/** Runs as a user of the first manager, and undoes it. */
const trying = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(
    testActor({ type: 'manager', managerId: one.managerId }),
    async (session) => {
      const result = await work(session);
      await session.query('set constraints all immediate');
      return result;
    },
    { rollback: true },
  );

const terms = {
  title: 'Harbour Income Fund',
  type: 'ComingleFund',
  strategy: 'ABL',
  currency: 'USD',
  targetSize: 100,
  hardCap: 150,
};
const fund = (changes = {}) => fundCreateSchema.parse({ ...terms, ...changes });
const change = (version: number, changes = {}) => {
  const { currency, ...kept } = terms;
  return fundUpdateSchema.parse({ ...kept, version, ...changes });
};
const flags = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing was refused',
    (error) => error.flags ?? error.message,
  );

describe('a fund', () => {
  test('is created with its parties, classes and timeline', async () => {
    const found = await trying(async (session) => {
      const main = await createMainFund(
        session,
        mainFundCreateSchema.parse({ ...terms, title: 'Harbour', classMembers: [] }),
      );
      const partner = { name: 'Harbour GP', formalId: 'GP-1', nationality: { country: 'US' } };
      return createFund(
        session,
        fund({
          classes: [{ name: 'A' }, { name: 'B', uniqueKey: 'class-b' }],
          GPs: [partner],
          managementCompany: { ...partner, name: 'Harbour Management' },
          mainFund: main.id,
          timeline: [{ planned: '2026-03-31', title: 'First closing' }],
          nonRecyclable: { declerationDate: '2030-01-01' },
          excludeFromIRRCalculations: true,
        }),
      );
    });
    expect(found.fund.GPs.map(({ name }) => name)).toEqual(['Harbour GP']);
    expect(found.fund.managementCompany?.name).toBe('Harbour Management');
    expect(found.fund.classes).toEqual([
      { name: 'A', uniqueKey: expect.stringMatching(/^[0-9a-f]{24}$/) },
      { name: 'B', uniqueKey: 'class-b' },
    ]);
    expect(found.fund).toMatchObject({
      timeline: [{ planned: '2026-03-31', title: 'First closing', activated: false }],
      nonRecyclable: { declerationDate: '2030-01-01', fromBeginning: false },
      excludeFromIrrCalculations: true,
    });
  });

  test('refers only to what its manager has, in its currency', async () => {
    const refused = (changes: object) => flags(trying((session) => createFund(session, fund(changes))));
    expect(await refused({ serviceProviders: [one.fundId] })).toEqual({
      'serviceProviders.0': 'is not a service provider of this manager',
    });
    expect(await refused({ mainFund: two.fundId })).toEqual({ mainFund: 'is not a main fund of this manager' });
    const inEuro = trying(async (session) => {
      const main = await createMainFund(session, mainFundCreateSchema.parse({ ...terms, currency: 'EUR' }));
      return createFund(session, fund({ mainFund: main.id }));
    });
    expect(await flags(inEuro)).toEqual({ mainFund: 'must be in USD, the currency of the fund' });
  });

  test('keeps its currency, and a class that has commitments', async () => {
    const work = (changes: object) =>
      trying(async (session) => {
        const { fund: made } = await createFund(
          session,
          fund({
            classes: [
              { name: 'A', uniqueKey: 'a' },
              { name: 'B', uniqueKey: 'b' },
            ],
          }),
        );
        await createCommitment(session, commitment({ fund: made.id, Class: 'a' }));
        return updateFund(session, { id: made.id, body: change(made.version, changes) });
      });
    expect((await work({ classes: [{ name: 'First', uniqueKey: 'a' }] })).fund.classes).toEqual([
      { name: 'First', uniqueKey: 'a' },
    ]);
    expect(await flags(work({ classes: [{ name: 'B', uniqueKey: 'b' }] }))).toEqual({ classes: 'must keep A' });
    expect(
      await flags(work({ classes: [{ name: 'A', uniqueKey: 'a' }], hardCap: { sum: 1, currency: 'EUR' } })),
    ).toEqual({
      hardCap: 'must be in USD, the currency of the fund',
    });
  });

  test('does not gain classes once investors have committed without one', async () => {
    const work = trying((session) =>
      updateFund(session, { id: one.fundId, body: change(1, { classes: [{ name: 'A' }] }) }),
    );
    expect(await flags(work)).toEqual({ classes: 'cannot be added: the fund has commitments' });
  });

  test('without an entity is given one of its manager, once', async () => {
    const give = (entityOf: TestTenant, times = 1) =>
      trying(async (session) => {
        const created = await createFund(session, fund());
        const { id, entityId: before } = created.fund;
        const [lp] = await database.query<{ entity: string }>('select entity_id as entity from lps where id = $1', [
          entityOf.lpIds[0],
        ]);
        for (let time = 0; time < times; time++) await giveFundEntity(session, { id, entityId: lp!.entity });
        const [stored] = await session.query<{ entity: string; version: number }>(
          'select entity_id as entity, version from funds where id = $1',
          [id],
        );
        return { before: before ?? null, isGiven: stored?.entity === lp!.entity, version: stored?.version };
      });
    expect(await give(one)).toEqual({ before: null, isGiven: true, version: 2 });
    expect(await flags(give(one, 2))).toBe(`${terms.title} already has an entity. Edit that one.`);
    await expect(give(two)).rejects.toMatchObject({ code: 'notFound' });
    const reader = testActor({ type: 'manager', managerId: one.managerId, permissions: ['funds/read'] });
    await expect(
      database.store.as(reader, (session) => giveFundEntity(session, { id: one.fundId, entityId: one.fundId })),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('is not changed by a stale version', async () => {
    const work = trying((session) => updateFund(session, { id: one.fundId, body: change(7) }));
    expect(await flags(work)).toMatchObject({ version: expect.any(String) });
  });

  test('is removed only if nobody has committed to it and it invests nowhere', async () => {
    await expect(trying((session) => removeFund(session, one.fundId))).rejects.toThrow(/2 commitments to it/);
    await expect(trying((session) => removeFund(session, two.fundId))).rejects.toMatchObject({ code: 'notFound' });
    await trying(async (session) => {
      const { fund: empty } = await createFund(session, fund());
      await removeFund(session, empty.id);
      await expect(removeFund(session, empty.id)).rejects.toMatchObject({ code: 'notFound' });
    });
  });
});

describe('a main fund', () => {
  test('groups funds of its manager and currency, each in one main fund only', async () => {
    const grouped = await trying(async (session) => {
      const { fund: usd } = await createFund(session, fund());
      const { fund: eur } = await createFund(session, fund({ currency: 'EUR' }));
      const main = await createMainFund(session, mainFundCreateSchema.parse({ ...terms, classMembers: [usd.id] }));
      const other = await createMainFund(session, mainFundCreateSchema.parse(terms));
      const set = (...funds: string[]) => flags(replaceMembers(session, { id: other.id, funds }));
      return {
        members: main.members.length,
        euro: await set(eur.id),
        taken: await set(usd.id),
        foreign: await set(two.fundId),
      };
    });
    expect(grouped).toEqual({
      members: 1,
      euro: { 'classMembers.0': 'is in EUR, and the main fund in USD' },
      taken: { 'classMembers.0': 'is already in another main fund' },
      foreign: { 'classMembers.0': 'is not a fund of this manager' },
    });
  });

  test('releases its members, and is removed once it has none', async () => {
    await trying(async (session) => {
      const { fund: member } = await createFund(session, fund());
      const main = await createMainFund(session, mainFundCreateSchema.parse({ ...terms, classMembers: [member.id] }));
      await expect(removeMainFund(session, main.id)).rejects.toThrow(
        'This main fund has 1 fund. Take them out of it first',
      );
      expect((await removeMember(session, { id: main.id, fundId: member.id })).members).toEqual([]);
      await expect(removeMember(session, { id: main.id, fundId: member.id })).rejects.toMatchObject({
        code: 'notFound',
      });
      await removeMainFund(session, main.id);
      await expect(getMainFund(session, main.id)).rejects.toMatchObject({ code: 'notFound' });
    });
  });

  test('keeps its currency, and is not changed by a stale version', async () => {
    await trying(async (session) => {
      const main = await createMainFund(session, mainFundCreateSchema.parse(terms));
      const { currency, ...kept } = terms;
      const update = (changes: object) =>
        updateMainFund(session, { id: main.id, body: mainFundUpdateSchema.parse({ ...kept, ...changes }) });
      expect(await flags(update({ version: 1, targetSize: { sum: 1, currency: 'GBP' } }))).toHaveProperty('targetSize');
      expect(await flags(update({ version: 2 }))).toHaveProperty('version');
      expect((await update({ version: 1, title: 'Renamed' })).title).toBe('Renamed');
    });
  });
});

const commitment = (changes: object) =>
  commitmentCreateSchema.parse({
    fund: one.fundId,
    investor: { id: one.lpIds[0], kind: 'LP' },
    closingDate: '2026-01-31',
    maxCommitment: 100,
    ...changes,
  });

describe('a commitment', () => {
  /** A fund without commitments, and an attempt to commit to it. */
  const committing = (changes: object, fundChanges = {}) =>
    trying(async (session) => {
      const { fund: made } = await createFund(session, fund(fundChanges));
      return createCommitment(session, commitment({ fund: made.id, ...changes }));
    });

  test('is active in full unless stated otherwise, and takes its changes', async () => {
    const made = await committing({ deltas: [{ date: '2026-06-30', amount: -40, title: 'Transfer' }] });
    expect(made).toMatchObject({
      status: 'Active',
      currency: 'USD',
      maxCommitment: '100',
      activeCommitment: '100',
      deltas: [{ date: '2026-06-30', amount: '-40', title: 'Transfer' }],
      investor: { title: 'Investor one' },
    });
  });

  test('stays between zero and its maximum on every day', async () => {
    const deltas = (...amounts: number[]) => ({
      activeCommitment: 60,
      deltas: amounts.map((amount, month) => ({ date: `2026-0${month + 2}-01`, amount })),
    });
    await committing(deltas(40, -100));
    expect(await flags(committing(deltas(40.01)))).toEqual({
      'deltas.0': 'leaves a commitment of 100.01, above the maximum of 100',
    });
    expect(await flags(committing(deltas(40, -100.01)))).toEqual({
      'deltas.1': 'leaves a commitment of -0.01, below zero',
    });
  });

  test('names a class if the fund has any, and none otherwise', async () => {
    const classes = [{ name: 'A', uniqueKey: 'a' }];
    expect((await committing({ Class: 'a' }, { classes })).Class).toBe('a');
    expect(await flags(committing({}, { classes }))).toEqual({ Class: 'is required' });
    expect(await flags(committing({ Class: 'b' }, { classes }))).toEqual({
      Class: 'is not the key of a class of the fund',
    });
    expect(await flags(committing({ Class: 'a' }))).toEqual({ Class: 'must be empty: the fund has no classes' });
  });

  test('is one per fund, class and investor, also when two are entered at once', async () => {
    const again = trying((session) => createCommitment(session, commitment({})));
    expect(await flags(again)).toEqual({ 'investor.id': 'already has a commitment to this fund and class' });
    const made = await database.store.as(testActor({ type: 'manager', managerId: one.managerId }), (session) =>
      createFund(session, fund({ title: 'Entered twice' })),
    );
    const enter = () =>
      database.store.as(testActor({ type: 'manager', managerId: one.managerId }), (session) =>
        createCommitment(session, commitment({ fund: made.fund.id })),
      );
    const results = await Promise.allSettled([enter(), enter(), enter()]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is in the currency of the fund, of an investor of its manager', async () => {
    expect(await flags(committing({ maxCommitment: { sum: 1, currency: 'EUR' } }))).toEqual({
      maxCommitment: 'must be in USD, the currency of the fund',
    });
    expect(await flags(committing({ investor: { id: two.lpIds[0], kind: 'LP' } }))).toEqual({
      'investor.id': 'is not an investor of this manager',
    });
    expect(await flags(trying((session) => createCommitment(session, commitment({ fund: two.fundId }))))).toBe(
      'Not found',
    );
  });

  test('of a fund in another never leads back to the same fund', async () => {
    await trying(async (session) => {
      const [{ fund: feeder }, { fund: master }, { fund: top }] = [
        await createFund(session, fund({ title: 'Feeder' })),
        await createFund(session, fund({ title: 'Master' })),
        await createFund(session, fund({ title: 'Top' })),
      ];
      const invest = (from: string, into: string) =>
        createCommitment(session, commitment({ fund: into, investor: { id: from, kind: 'fund' } }));
      await invest(feeder.id, master.id);
      await invest(master.id, top.id);
      const investors = await listFundInvestors(session);
      expect(investors.find(({ id }) => id === feeder.id)?.funds).toEqual([master.id]);
      expect(await flags(invest(top.id, feeder.id))).toEqual({ 'investor.id': 'receives money from this fund' });
      expect(await flags(invest(top.id, top.id))).toEqual({ 'investor.id': 'is the fund itself' });
      expect((await listFundInvestors(session)).map(({ kind, title }) => `${kind} ${title}`)).toEqual(
        expect.arrayContaining(['LP Investor one', 'fund Feeder', 'fund Master']),
      );
    });
  });

  test('changes by its version, alone or with others, all or none', async () => {
    await trying(async (session) => {
      const { fund: made } = await createFund(session, fund());
      const of = (index: number) => ({ fund: made.id, investor: { id: one.lpIds[index], kind: 'LP' } });
      const [first, second] = [
        await createCommitment(session, commitment({ ...of(0), status: 'Draft' })),
        await createCommitment(session, commitment(of(1))),
      ];
      const body = commitmentUpdateSchema.parse({
        version: first.version,
        status: 'Active',
        closingDate: '2026-02-28',
        maxCommitment: 200,
        activeCommitment: 150,
      });
      expect(await updateCommitment(session, { id: first.id, body })).toMatchObject({
        status: 'Active',
        maxCommitment: '200',
        activeCommitment: '150',
      });
      const stale = updateCommitments(session, [
        { id: second.id, version: second.version, status: 'Closed' },
        { id: first.id, version: first.version, status: 'Closed' },
      ]);
      expect(await flags(stale)).toMatchObject({ '1.version': expect.any(String) });
    });
  });

  test('is removed alone, or with those of the investor in the other classes', async () => {
    await trying(async (session) => {
      const classes = ['a', 'b', 'c'].map((uniqueKey) => ({ name: uniqueKey, uniqueKey }));
      const { fund: made } = await createFund(session, fund({ classes }));
      const ids: string[] = [];
      for (const { uniqueKey } of classes) {
        ids.push((await createCommitment(session, commitment({ fund: made.id, Class: uniqueKey }))).id);
      }
      const [a = '', b = '', c = ''] = ids;
      expect(await removeCommitment(session, { id: a, isDeleteAll: false, deleteAllContent: false })).toEqual({
        ids: [a],
      });
      await expect(getCommitment(session, a)).rejects.toMatchObject({ code: 'notFound' });
      expect(
        (await removeCommitment(session, { id: b, isDeleteAll: true, deleteAllContent: false })).ids.sort(),
      ).toEqual([b, c].sort());
      // The investor can commit again.
      await createCommitment(session, commitment({ fund: made.id, Class: 'a' }));
    });
  });
});

test('funds are listed by main fund, those without one last', async () => {
  const groups = await trying(async (session) => {
    await createFund(session, fund({ title: 'On its own' }));
    return listFundGroups(session);
  });
  expect(groups.map(({ title }) => title)).toEqual(['A main fund', 'Funds without a main fund']);
  expect(groups[0]?.funds.map(({ title }) => title)).toEqual(['A fund']);
});

test('the database keeps currencies, classes and changes as the operations do', async () => {
  const refused = (sql: string, values: unknown[]) =>
    expect(trying(({ query }) => query(sql, values))).rejects.toThrow(/violates|is not one of/);
  await refused(`update funds set currency = 'EUR' where id = $1`, [one.fundId]);
  await refused(
    `update funds set classes = '[{"name":"A","uniqueKey":"a"},{"name":"B","uniqueKey":"a"}]' where id = $1`,
    [one.fundId],
  );
  await refused(`update funds set gp_ids = array[$2] where id = $1`, [one.fundId, one.fundId]);
  const deltas = (amount: string) => JSON.stringify([{ date: '2026-02-01', amount }]);
  const update = 'update lp_commitments set deltas = $2::jsonb where fund_id = $1';
  // Of 10, 2 are called.
  await trying(({ query }) => query(update, [one.fundId, deltas('-8')]));
  await refused(update, [one.fundId, deltas('-10.01')]);
  await refused(update, [one.fundId, deltas('0.01')]);
});
