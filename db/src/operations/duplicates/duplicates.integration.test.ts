import type { DuplicateLoan } from '@tapeline/domain/duplicates/duplicate.schema.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DuplicatePair } from '../../entities/duplicates.ts';
import { LoanTape } from '../../entities/tapes.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { historyOf } from '../history/history.ts';
import {
  beginSearch,
  countDuplicates,
  countDuplicatesOf,
  decideDuplicates,
  type FoundSides,
  failSearch,
  getDuplicate,
  keepDuplicates,
  lastSearch,
  listDuplicates,
  MAX_DECIDED,
  managersToSearch,
  managerToSearch,
  neighboursOf,
  reportSearch,
  sumCountedTwice,
  tapesToSearch,
} from './duplicates.ts';

let database: TestDatabase;
let one: Awaited<ReturnType<typeof makeTenant>>;
let two: Awaited<ReturnType<typeof makeTenant>>;
let tapes: { id: string; companyId: string }[];
beforeAll(async () => {
  database = await createTestDatabase();
  [one, two] = await database.store.as(SYSTEM, async (session) => [
    await makeTenant(session),
    await makeTenant(session),
  ]);
  tapes = await database.query(
    `select id, company_id as "companyId" from loan_tapes where manager_id = $1 order by id`,
    [one.managerId],
  );
});
afterAll(() => database?.close());

const manager = (more: { blockedDocuments?: string[] } = {}) =>
  testActor({ type: 'manager', managerId: one.managerId, ...more });
const as = <T>(work: (session: Session) => Promise<T>) => database.store.as(manager(), work);

const LOAN: DuplicateLoan = {
  row: 2,
  assetId: 'A-1',
  obligor: 'San Jacinto Tacos',
  borrowerId: null,
  originalAmount: '27100',
  currency: 'USD',
  financedOn: '2024-12-15',
  ratePercent: '10.78',
  term: '48',
  termUnit: 'months',
  product: null,
  state: null,
  status: null,
  balance: '20640',
  balanceCurrency: 'USD',
};

const pair = (id: string, change: Partial<DuplicateLoan> = {}, certainty: FoundSides['certainty'] = 'likely') =>
  ({
    certainty,
    sides: [
      { tapeId: tapes[0]!.id, companyId: tapes[0]!.companyId, loan: { ...LOAN, assetId: id } },
      {
        tapeId: tapes[1]!.id,
        companyId: tapes[1]!.companyId,
        loan: { ...LOAN, assetId: `B-${id}`, balance: '16512.5', ...change },
      },
    ],
  }) satisfies FoundSides;

const keep = (...pairs: FoundSides[]) =>
  database.store.as(SYSTEM, async (session) => {
    await beginSearch(session, one.managerId);
    await keepDuplicates(session, {
      managerId: one.managerId,
      pairs,
      counts: { tapes: 2, companies: 2, loans: 10, pairCount: pairs.length, notCompared: 0 },
    });
  });
const all = async () => (await as((session) => listDuplicates(session, { sort: { code: 1 } }))).documents;

describe('pairs that a search finds', () => {
  test('are kept with the smaller balance, and found again without a second document', async () => {
    await keep(pair('1'), pair('2', { balanceCurrency: 'EUR' }, 'certain'));
    const [first, second] = await all();
    expect(first).toMatchObject({ status: 'Open', certainty: 'likely', countedTwice: '16512.5', currency: 'USD' });
    expect(second?.countedTwice ?? null).toBe(null);
    const [a, b] = pair('1').sides;
    // The order in which a search names the two loans is not part of the pair.
    await keep({ certainty: 'likely', sides: [b, a] }, pair('2', { balanceCurrency: 'EUR' }, 'certain'));
    expect((await all()).map(({ id, code }) => [id, code])).toEqual([first, second].map((p) => [p!.id, p!.code]));
    expect(await as(countDuplicates)).toEqual({ open: { certain: 1, likely: 1, possible: 0 }, decided: 0 });
  });

  test('keep their decision while the facts stay the same, are open again if one changes, and go if they are not found', async () => {
    await keep(pair('1'), pair('2'));
    const [first, second] = await all();
    await as((session) => decideDuplicates(session, { ids: [first!.id], decision: 'Different', reason: 'Two cars' }));
    await keep(pair('1', { balance: '1' }));
    expect(await all()).toMatchObject([{ id: first!.id, status: 'Different', reason: 'Two cars', countedTwice: '1' }]);
    const gone = await as((session) => session.em.findOneOrFail(DuplicatePair, { id: second!.id }));
    expect(gone.status).toBe('Removed');
    // A decided pair stays although it is not found.
    await keep();
    expect((await all()).map(({ status }) => status)).toEqual(['Different']);
    await keep(pair('1', { ratePercent: '10.79' }), pair('2'));
    const again = await all();
    expect(again.map(({ id, status }) => [id, status])).toEqual([
      [first!.id, 'Open'],
      [second!.id, 'Open'],
    ]);
    expect(again[0]!.decidedBy ?? null).toBe(null);
  });

  test('are in the order of the list, with what they count twice in each currency', async () => {
    const usd = (id: string, balance: string, certainty: FoundSides['certainty']) =>
      pair(id, { balance, row: Number(balance) }, certainty);
    await keep(usd('x', '10', 'likely'), usd('y', '20', 'likely'), usd('z', '5', 'certain'));
    const listed = await as((session) =>
      listDuplicates(session, { filter: { status: 'Open' }, sort: { certainty: 1, countedTwice: -1, code: 1 } }),
    );
    const ids = listed.documents.map(({ id }) => id);
    const at = (id: string, certainty: 'likely' | null = null, tape: string | null = null) =>
      as((session) => neighboursOf(session, { id, certainty, tape }));
    expect(await at(ids[1]!)).toEqual({ previous: ids[0], next: ids[2], position: 2, total: 3 });
    expect(await at(ids[1]!, 'likely')).toEqual({ previous: null, next: ids[2], position: 1, total: 2 });
    expect(await at(ids[0]!, 'likely')).toBeNull();
    expect(await at(ids[2]!, null, tapes[0]!.id)).toMatchObject({ position: 3, next: null });
    expect(await at(ids[2]!, null, '0'.repeat(24))).toBeNull();
    const twice = (certainties: Parameters<typeof sumCountedTwice>[1]) =>
      as((session) => sumCountedTwice(session, certainties));
    expect(await twice(['certain'])).toEqual([{ currency: 'USD', sum: '5' }]);
    expect(await twice(['likely', 'possible'])).toEqual([{ currency: 'USD', sum: '30' }]);
    expect(await twice(['certain', 'likely'])).toEqual([{ currency: 'USD', sum: '35' }]);
    expect(await twice(['possible'])).toEqual([]);
  });

  test('of a loan on three tapes count the two balances that are too many, and not those of three pairs', async () => {
    const at = (tape: number, assetId: string) => ({
      tapeId: tapes[tape]!.id,
      companyId: tapes[tape]!.companyId,
      loan: { ...LOAN, assetId, row: 5, balance: '100' },
    });
    const third = { ...at(1, 'C'), loan: { ...at(1, 'C').loan, row: 6 } };
    const copies = [at(0, 'A'), at(1, 'B'), third] as const;
    const pairs = ([one, other]: readonly [number, number]): FoundSides => ({
      certainty: 'certain',
      sides: [copies[one]!, copies[other]!],
    });
    const edges = [
      [0, 1],
      [2, 0],
      [1, 2],
    ] as const;
    await keep(...edges.map(pairs));
    expect(await as((session) => sumCountedTwice(session, ['certain']))).toEqual([{ currency: 'USD', sum: '200' }]);
  });

  test('of a loan that has left count nothing twice, and stay decided if it returns with the same facts', async () => {
    await keep(pair('L', { leftAfter: '2026-09-30' }));
    const read = async () => (await all()).find(({ loans }) => loans.some(({ assetId }) => assetId === 'L'));
    const left = await read();
    expect([left?.status, left?.countedTwice ?? null]).toEqual(['Open', null]);
    await keep(pair('L'));
    expect(await read()).toMatchObject({ id: left!.id, status: 'Open', countedTwice: '16512.5' });
    await as((session) =>
      decideDuplicates(session, { ids: [left!.id], decision: 'Explained', reason: 'Sold to Castelo' }),
    );
    const decided = await read();
    // It leaves one tape, then both, and comes back.
    for (const found of [[pair('L', { leftAfter: '2026-10-31' })], [], [pair('L')]]) {
      await keep(...found);
      const { status, reason, decidedBy, decidedAt } = (await read())!;
      expect({ status, reason, decidedBy, decidedAt }).toEqual({
        status: 'Explained',
        reason: 'Sold to Castelo',
        decidedBy: decided!.decidedBy,
        decidedAt: decided!.decidedAt,
      });
    }
    await keep(pair('L', { ratePercent: '1' }));
    expect((await read())?.status).toBe('Open');
    await keep();
    expect(await read()).toBeUndefined();
  });

  test('are decided at once or not at all, by the manager alone, with a history', async () => {
    await keep(pair('3'), pair('4'));
    const ids = (await all()).map(({ id }) => id);
    const decision = { decision: 'Explained', reason: 'Refinanced' } as const;
    await expect(
      as((session) => decideDuplicates(session, { ids: [...ids, '0'.repeat(24)], ...decision })),
    ).rejects.toMatchObject({
      code: 'notFound',
    });
    expect((await all()).map(({ status }) => status)).toEqual(['Open', 'Open']);
    for (const actor of [
      testActor({ type: 'company', managerId: one.managerId, companyId: one.companies[0]!.id }),
      testActor({ type: 'manager', managerId: two.managerId }),
    ]) {
      const refused = database.store.as(actor, (session) => decideDuplicates(session, { ids, ...decision }));
      await expect(refused).rejects.toMatchObject({
        code: actor.kind === 'user' && actor.type === 'company' ? 'forbidden' : 'notFound',
      });
    }
    for (const wrong of [[], Array.from({ length: MAX_DECIDED + 1 }, (_, index) => String(index).padStart(24, '0'))]) {
      await expect(as((session) => decideDuplicates(session, { ids: wrong, ...decision }))).rejects.toMatchObject({
        code: 'badRequest',
      });
    }
    await as((session) => decideDuplicates(session, { ids, ...decision }));
    expect(await all()).toMatchObject([
      { status: 'Explained', reason: 'Refinanced' },
      { status: 'Explained', reason: 'Refinanced' },
    ]);
    const history = await as((session) => historyOf(session, [{ resource: 'duplicates', ids: [ids[0]!] }]));
    expect(history.documents[0]?.updatedFields.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['status', 'reason', 'decidedBy', 'decidedAt']),
    );
  });

  test('are hidden with either borrower or tape, and from other managers', async () => {
    await keep(pair('5'));
    const [found] = await all();
    const sees = (actor: ReturnType<typeof testActor>) =>
      database.store.as(actor, async (session) => {
        const { total } = await listDuplicates(session);
        const read = await getDuplicate(session, found!.id).then(
          () => true,
          () => false,
        );
        const { documents } = await historyOf(session, [{ resource: 'duplicates', ids: [found!.id] }]);
        return [total > 0, read, documents.length > 0];
      });
    expect(await sees(manager())).toEqual([true, true, true]);
    for (const blocked of [
      `companies/${tapes[0]!.companyId}`,
      `companies/${tapes[1]!.companyId}`,
      `loanTapes/${tapes[0]!.id}`,
      `loanTapes/${tapes[1]!.id}`,
    ]) {
      expect(await sees(manager({ blockedDocuments: [blocked] })), blocked).toEqual([false, false, false]);
    }
    expect(await sees(testActor({ type: 'manager', managerId: two.managerId }))).toEqual([false, false, false]);
  });

  test('are hidden with each facility of either borrower, also in counts, in decisions and in their history', async () => {
    await keep(pair('5'));
    const [found] = await all();
    const facilities = await database.query<{ id: string; companyId: string }>(
      `select id, company_id as "companyId" from transactions where manager_id = $1`,
      [one.managerId],
    );
    const counted = (blockedDocuments: string[]) =>
      database.store.as(manager({ blockedDocuments }), async (session) => {
        const { open, decided } = await countDuplicates(session);
        const { documents } = await historyOf(session, [{ resource: 'duplicates', ids: [found!.id] }]);
        return [
          (await listDuplicates(session)).total,
          open.certain + open.likely + open.possible + decided,
          await countDuplicatesOf(session, tapes[0]!.id),
          documents.length,
        ];
      });
    expect((await counted([])).map((count) => count > 0)).toEqual([true, true, true, true]);
    for (const { companyId } of [tapes[0]!, tapes[1]!]) {
      const blocked = facilities.filter((facility) => facility.companyId === companyId)[0]!.id;
      expect(await counted([`transactions/${blocked}`])).toEqual([0, 0, 0, 0]);
      const decided = database.store.as(manager({ blockedDocuments: [`transactions/${blocked}`] }), (session) =>
        decideDuplicates(session, { ids: [found!.id], decision: 'Same', reason: '' }),
      );
      await expect(decided).rejects.toMatchObject({ code: 'notFound' });
      expect(
        await database.store.as(manager({ blockedDocuments: [`transactions/${blocked}`] }), lastSearch),
      ).toMatchObject({ loans: null });
    }
  });

  test('hold to their rules in the database', async () => {
    await keep(pair('6'));
    const change = (set: string) => database.query(`update duplicate_pairs set ${set} where status = 'Open'`);
    const by = "decided_by = 'Ann', decided_at = now()";
    await expect(change("status = 'Same'")).rejects.toThrow('duplicate_pairs_decided');
    await expect(change(`status = 'Explained', ${by}`)).rejects.toThrow('duplicate_pairs_explained');
    await expect(change("loans = '[]'")).rejects.toThrow('duplicate_pairs_loans');
    await expect(change(`status = 'Explained', reason = 'Refinanced', ${by}`)).resolves.toBeDefined();
  });
});

describe('pairs of one book', () => {
  test('of two loans with one id, or without an id, are pairs of their own', async () => {
    const [a, b] = pair('1').sides;
    const twin = { ...a, loan: { ...a.loan, row: 9 } };
    const nameless = (row: number) => ({ ...a, loan: { ...a.loan, assetId: null, row } });
    const sides = [a, twin, nameless(4), nameless(5)];
    await keep(...sides.map((side) => ({ certainty: 'likely' as const, sides: [side, b] as const })));
    const found = await all();
    expect(found.filter(({ status }) => status === 'Open')).toHaveLength(4);
    expect(new Set(found.map(({ pairKey }) => pairKey)).size).toBe(found.length);
  });

  test('go with either tape, unless they are decided', async () => {
    await keep(pair('7'), pair('8'));
    const open = (await all()).filter(({ status }) => status === 'Open');
    expect(open).toHaveLength(2);
    await as((session) => decideDuplicates(session, { ids: [open[0]!.id], decision: 'Same', reason: '' }));
    const set = (status: string) =>
      database.query('update loan_tapes set status = $2 where id = $1', [tapes[1]!.id, status]);
    await set('Removed');
    const left = await all();
    await set('Active');
    expect(left.filter(({ id }) => open.some((one) => one.id === id))).toMatchObject([
      { id: open[0]!.id, status: 'Same' },
    ]);
  });

  test('wait for a decision while they are stored, and the decision stays', async () => {
    await keep(pair('9'));
    const [found] = (await all()).filter(({ status }) => status === 'Open');
    const stored: Promise<void>[] = [];
    const decided = await as(async (session) => {
      const pairs = await decideDuplicates(session, { ids: [found!.id], decision: 'Same', reason: '' });
      stored.push(keep(pair('9')));
      // The search waits for the decision.
      await vi.waitFor(async () => {
        const waiting = await database.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(waiting).toHaveLength(1);
      });
      return pairs;
    });
    await Promise.all(stored);
    expect(decided).toHaveLength(1);
    expect((await all()).find(({ id }) => id === found!.id)).toMatchObject({ status: 'Same' });
    expect(await as(lastSearch)).toMatchObject({ failure: null, progressPercent: 100 });
  });
});

test('a search says how far it is, and how it failed or ended', async () => {
  const asSystem = (work: (session: Session) => Promise<unknown>) => database.store.as(SYSTEM, work);
  await asSystem((session) => beginSearch(session, one.managerId));
  await asSystem((session) => reportSearch(session, one.managerId, 0.456));
  expect(await as(lastSearch)).toMatchObject({ progressPercent: 45, failure: null, endedAt: null });
  await asSystem((session) => failSearch(session, one.managerId, 'The disk is full'));
  expect(await as(lastSearch)).toMatchObject({ failure: 'The disk is full', endedAt: expect.any(Date) });
  await keep();
  expect(await as(lastSearch)).toMatchObject({ progressPercent: 100, failure: null, loans: 10, companies: 2 });
  // Its counts are of the whole book.
  const blocked = manager({ blockedDocuments: [`companies/${tapes[0]!.companyId}`] });
  expect(await database.store.as(blocked, lastSearch)).toMatchObject({
    progressPercent: 100,
    loans: null,
    tapes: null,
  });
});

test('the latest tape of each borrower and mapping is searched', async () => {
  const searched = () => database.store.as(SYSTEM, (session) => tapesToSearch(session, one.managerId));
  const published = await searched();
  const of = (await as((session) => session.em.find(LoanTape, { generationId: { $ne: null } }))).map(({ id }) => id);
  expect(published.map(({ id }) => id).sort()).toEqual(of.sort());
  expect(await database.store.as(SYSTEM, managersToSearch)).toContain(one.managerId);
  const managerOf = (id: string) => database.store.as(SYSTEM, (session) => managerToSearch(session, id));
  expect(await managerOf(of[0]!)).toBe(one.managerId);
  await database.query(`update loan_tapes set status = 'Removed' where id = $1`, [of[0]]);
  expect([await managerOf(of[0]!), await managerOf('0'.repeat(24))]).toEqual([null, null]);
  expect((await searched()).map(({ id }) => id)).toEqual(of.slice(1));
});

/** A published tape of another day. */
const copyTape = (from: string, id: string, day: string) =>
  database.query(
    `with tape as (
       insert into loan_tapes (id, metadata, manager_id, company_id, cut_off_date, scheduler_status, main_currency, exchange_rates,
         attachment, mapping_id, mapping_version, asset_prefix, generation_id, counts, published_at)
       select $2::text, metadata, manager_id, company_id, $3::date, scheduler_status, main_currency, exchange_rates,
         attachment, mapping_id, mapping_version, left($2::text, 16), $2::text, counts, published_at from loan_tapes where id = $1)
     insert into tape_generations (id, manager_id, company_id, tape_id, fencing_token, status, manifest, created_at, published_at)
     select $2::text, manager_id, company_id, $2::text, 1, status, manifest, created_at, published_at from tape_generations where tape_id = $1`,
    [from, id, day],
  );

test('of the months before, the last tape of each is searched for loans that have left', async () => {
  const third = await database.store.as(SYSTEM, (session) => makeTenant(session));
  const [tape] = await database.query<{ id: string; companyId: string }>(
    `select id, company_id as "companyId" from loan_tapes where manager_id = $1 and generation_id is not null`,
    [third.managerId],
  );
  const days = ['2026-07-30', '2026-07-31', '2026-08-31', '2026-09-15', '2026-09-30', '2026-10-15', '2026-10-31'];
  for (const [index, day] of days.entries()) await copyTape(tape!.id, `${index}${'d'.repeat(23)}`, day);
  await database.query(`update loan_tapes set status = 'Removed' where id = $1`, [tape!.id]);
  const found = await database.store.as(SYSTEM, (session) => tapesToSearch(session, third.managerId));
  const ofCompany = found.filter(({ companyId }) => companyId === tape!.companyId);
  expect(ofCompany.map(({ cutOffDate, isEarlier }) => `${cutOffDate} ${isEarlier}`).sort()).toEqual([
    '2026-07-31 true',
    '2026-08-31 true',
    '2026-09-30 true',
    '2026-10-15 true',
    '2026-10-31 false',
  ]);
});

test('each mapping of a borrower has its own latest tape, until another mapping replaces it', async () => {
  const fourth = await database.store.as(SYSTEM, (session) => makeTenant(session));
  const [tape] = await database.query<{ id: string; companyId: string; mappingId: string }>(
    `select id, company_id as "companyId", mapping_id as "mappingId" from loan_tapes
     where manager_id = $1 and generation_id is not null`,
    [fourth.managerId],
  );
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'mappings' and is_generated = 'NEVER'
       and column_name not in ('id', 'family_id', 'mapping_version', 'code')`,
  );
  const names = columns.map(({ name }) => name).join(', ');
  const copyMapping = (id: string, family: string, version: number) =>
    database.query(
      `insert into mappings (id, family_id, mapping_version, ${names}) select $2, $3, $4, ${names} from mappings where id = $1`,
      [tape!.mappingId, id, family, version],
    );
  // Facility A has two versions of one mapping, and facility B a mapping of its own.
  const [a1, a2, b, next] = ['a1', 'a2', 'b1', 'c1'].map((name) => name.padEnd(24, '0')) as [
    string,
    string,
    string,
    string,
  ];
  await copyMapping(a1, a1, 1);
  await copyMapping(a2, a1, 2);
  await copyMapping(b, b, 1);
  await copyMapping(next, next, 1);
  let count = 0;
  const publish = async (mapping: string, day: string) => {
    count += 1;
    const id = `${count}${'e'.repeat(23)}`;
    await copyTape(tape!.id, id, day);
    await database.query('update loan_tapes set mapping_id = $2 where id = $1', [id, mapping]);
    return id;
  };
  await publish(a1, '2026-08-31');
  const old = await publish(b, '2026-07-31');
  await publish(a1, '2026-09-30');
  await publish(b, '2026-09-30');
  await publish(a2, '2026-10-31');
  await database.query(`update loan_tapes set status = 'Removed' where id = $1`, [tape!.id]);
  const searched = async () => {
    const found = await database.store.as(SYSTEM, (session) => tapesToSearch(session, fourth.managerId));
    const ids = found.filter(({ companyId }) => companyId === tape!.companyId).map(({ id }) => id);
    const rows = await database.query<{ id: string; mapping: string }>(
      'select t.id, m.family_id as mapping from loan_tapes t join mappings m on m.id = t.mapping_id where t.id = any ($1)',
      [ids],
    );
    const nameOf = new Map(rows.map(({ id, mapping }) => [id, mapping.slice(0, 1)]));
    return found
      .filter(({ id }) => nameOf.has(id))
      .map(({ id, cutOffDate, isEarlier }) => `${nameOf.get(id)} ${cutOffDate}${isEarlier ? ' earlier' : ''}`)
      .sort();
  };
  expect(await searched()).toEqual([
    'a 2026-08-31 earlier',
    'a 2026-09-30 earlier',
    'a 2026-10-31',
    'b 2026-07-31 earlier',
    'b 2026-09-30',
  ]);
  const managerOf = (id: string) => database.store.as(SYSTEM, (session) => managerToSearch(session, id));
  expect(await managerOf(old)).toBe(fourth.managerId);
  await publish(b, '2026-10-31');
  // The tapes of a mapping that another one replaced are earlier ones. One that is too old starts no search.
  await publish(next, '2026-11-30');
  expect(await searched()).toEqual([
    'a 2026-08-31 earlier',
    'a 2026-09-30 earlier',
    'a 2026-10-31 earlier',
    'b 2026-09-30 earlier',
    'b 2026-10-31 earlier',
    'c 2026-11-30',
  ]);
  expect(await managerOf(old)).toBeNull();
});
