import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { bankAccountCreateSchema, paymentCreateSchema } from '@tapeline/domain/cash/cash.schema.ts';
import { compare, sum } from '@tapeline/domain/money/decimal.ts';
import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { asProgram, type Session, type SessionOptions, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listCalendarEvents } from '../calendar/calendar-events.ts';
import { createBankAccount } from '../cash/bank-accounts.ts';
import { defaultInterestOf } from '../cash/default-interest.ts';
import { listObligations } from '../cash/obligations.ts';
import { createPayment } from '../cash/payments.ts';
import { readNotices } from './compose-notices.ts';
import {
  callCapital,
  changeCall,
  changeContributions,
  removeCall,
  returnContributions,
  stepCall,
  submitContributions,
} from './contributions.ts';
import {
  distribute,
  removeDistribution,
  returnDistributions,
  stepDistribution,
  submitDistributions,
} from './distributions.ts';
import { recordNotices } from './due-notices.ts';
import { positionsAt } from './figures.ts';
import { returnToPreparer, submitForIssue } from './issue-requests.ts';
import {
  issueNetted,
  netDrafts,
  nettableWith,
  nettingOf,
  type PairCommand,
  pairOfParts,
  separateDrafts,
  withdrawNetted,
} from './netting.ts';
import { whoIsTold } from './tell-investors.ts';

const TODAY = '2026-10-01';
const DUE = '2026-10-15';
const ADA = newId();

let database: TestDatabase;
let tenant: TestTenant;
/** Commitments of 10,000 and 30,000; the first investor has a call of 2,000.00 behind it. */
let [first, second]: string[] = [];

const as = <Result>(
  work: (session: Session) => Promise<Result>,
  { day = TODAY, ...fields }: Partial<Parameters<typeof testActor>[0]> & { day?: string } = {},
  options: SessionOptions = {},
) =>
  database.store.as(testActor({ type: 'manager', managerId: tenant.managerId, userId: ADA, ...fields }), work, {
    now: new Date(`${day}T09:00:00Z`),
    isKeyed: true,
    ...options,
  });

const amounts = (own: Record<string, number | null>, title: string) =>
  Object.entries(own).map(([id, amount]) => ({
    investor: { id, kind: 'LP' },
    purposes: [{ title, ...(amount === null ? { excused: true } : { amount }) }],
    ...(amount === null ? { excuse: { reason: 'Side letter 4.2' } } : {}),
  }));
const total = (own: Record<string, number | null>) =>
  Object.values(own).reduce<number>((all, one) => all + (one ?? 0), 0);

const call = async (number: string, own: Record<string, number | null>, more: object = {}) => {
  const body = {
    fund: tenant.fundId,
    callNumber: number,
    cutOffDate: TODAY,
    dueDate: DUE,
    amount: { sum: total(own), currency: 'USD' },
    callPurposes: [{ title: 'A note', kind: 'investments', amount: total(own) }],
    amounts: amounts(own, 'A note'),
    status: 'Draft',
    ...more,
  };
  return (await as((session) => callCapital(session, contributionCreateSchema.parse(body))))[0]!.activityId;
};
const distribution = async (number: string, own: Record<string, number>, more: object = {}) => {
  const body = {
    fund: tenant.fundId,
    callNumber: number,
    cutOffDate: DUE,
    distributionKind: 'Interest and Principal',
    principal: { sum: 0, currency: 'USD' },
    components: [{ title: 'Interest', actionType: 'INTEREST', amount: { sum: total(own), currency: 'USD' } }],
    amounts: Object.entries(own).map(([id, amount]) => ({
      investor: { id, kind: 'LP' },
      components: [{ title: 'Interest', actionType: 'INTEREST', amount: { sum: amount, currency: 'USD' } }],
    })),
    callPurposes: [],
    status: 'Draft',
    ...more,
  };
  return (await as((session) => distribute(session, [distributionCreateSchema.parse(body)])))[0]!.activityId;
};
const versionOf = async (table: 'capital_calls' | 'distribution_events', id: string) =>
  (await database.query<{ version: number }>(`select version from ${table} where id = $1`, [id]))[0]!.version;
const pairOf = async (callId: string, distributionId: string): Promise<PairCommand> => ({
  call: { id: callId, version: await versionOf('capital_calls', callId) },
  distribution: { id: distributionId, version: await versionOf('distribution_events', distributionId) },
});
const run = async <Result>(
  work: (session: Session, pair: PairCommand) => Promise<Result>,
  ids: readonly [string, string],
  fields: Parameters<typeof as>[1] = {},
  options: SessionOptions = {},
) => {
  const pair = await pairOf(...ids);
  return as((session) => work(session, pair), fields, options);
};
const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was refused';
};
const owed = (activity: string, fields: Parameters<typeof as>[1] = {}) =>
  as(async (session) => {
    const { obligations, sums } = await listObligations(session, { activity });
    const of = (id: string | undefined) => {
      const found = obligations.find(({ party }) => party?.id === id);
      return found ? `${Number(found.amount)} + ${Number(found.netted)}, ${found.state}` : null;
    };
    return { first: of(first), second: of(second), sums: sums[0], obligations };
  }, fields);

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  tenant = await database.store.as(SYSTEM, (session) => makeTenant(session));
  [first, second] = tenant.lpIds;
  await database.query(
    `update lp_commitments set max_commitment = 30000, active_commitment = case when investor_lp_id = $2 then 10000 else 30000 end
     where manager_id = $1`,
    [tenant.managerId, first],
  );
});

/** Call 8 of 500.00 and 300.00, and distribution 4 of 200.00 and 900.00, both of 15 October. */
const draftPair = async (): Promise<readonly [string, string]> =>
  [
    await call('8', { [first!]: 500, [second!]: 300 }),
    await distribution('4', { [first!]: 200, [second!]: 900 }),
  ] as const;
const nettedPair = async () => {
  const ids = await draftPair();
  await run(netDrafts, ids);
  return ids;
};
const issuedPair = async () => {
  const ids = await nettedPair();
  await run(issueNetted, ids);
  return ids;
};

describe('netting drafts', () => {
  test('shows what each investor pays and receives, and the totals', async () => {
    const ids = await draftPair();
    const netting = await run(netDrafts, ids);
    expect(
      netting.lines.map(({ called, distributed, deemed, pays, receives }) =>
        [called, distributed, deemed, pays, receives].map(Number),
      ),
    ).toEqual([
      [500, 200, 200, 300, 0],
      [300, 900, 300, 0, 600],
    ]);
    expect(Object.values(netting.totals).map(Number)).toEqual([800, 1100, 500, 300, 600]);
    expect(await as((session) => nettingOf(session, 'distributions', ids[1]))).toEqual(
      await as((session) => nettingOf(session, 'contributions', ids[0])),
    );
    // Both can still be changed, and nothing is owed yet.
    expect((await owed(ids[0])).sums).toBeUndefined();
  });

  test('a dry run answers the same and stores nothing', async () => {
    const ids = await draftPair();
    const tried = await run(netDrafts, ids, {}, { rollback: true });
    expect(await as((session) => nettingOf(session, 'contributions', ids[0]))).toBeNull();
    const { lines, totals } = await run(netDrafts, ids);
    expect({ lines: tried.lines, totals: tried.totals }).toEqual({ lines, totals });
  });

  test('takes drafts of one fund, currency and day, each of one pair', async () => {
    const ids = await draftPair();
    const other = await distribution('5', { [first!]: 1, [second!]: 1 }, { cutOffDate: '2026-10-16' });
    const numbers = async (table: 'contributions' | 'distributions', id: string) =>
      (await as((session) => nettableWith(session, table, id))).map(({ number }) => number);
    expect(await numbers('contributions', ids[0])).toEqual(['4']);
    expect(await numbers('distributions', ids[1])).toEqual(['8']);
    expect(await numbers('distributions', other)).toEqual([]);
    expect(await refusal(run(netDrafts, [ids[0], other]))).toMatch('of one fund and currency');
    await run(netDrafts, ids);
    expect(await refusal(run(netDrafts, ids))).toMatch('netted already');
    expect(await numbers('contributions', ids[0])).toEqual([]);
    const issued = await call('9', { [first!]: 1, [second!]: 1 }, { status: 'Active' });
    const third = await distribution('6', { [first!]: 1, [second!]: 1 });
    expect(await refusal(run(netDrafts, [issued, third]))).toMatch('Only drafts can be netted');
  });

  test('needs the permission to write both, and the versions that were seen', async () => {
    const ids = await draftPair();
    for (const permissions of [
      ['contributions/read', 'contributions/write', 'distributions/read'],
      ['distributions/write'],
    ] as const)
      expect(await refusal(run(netDrafts, ids, { permissions: [...permissions] }))).toMatch('permission');
    const pair = await pairOf(...ids);
    await database.query(`update distribution_events set version = version + 1 where id = $1`, [ids[1]]);
    expect(await refusal(as((session) => netDrafts(session, pair)))).toMatch('changed this');
  });

  test('of one day: a changed date is refused, and a changed amount is not', async () => {
    const ids = await nettedPair();
    const lines = await database.query<{ id: string; version: number }>(
      'select id, version from contributions where activity_id = $1',
      [ids[0]],
    );
    const change = (fields: object) =>
      as((session) => changeContributions(session, lines.map((line) => ({ ...line, ...fields })) as never));
    expect(await refusal(change({ dueDate: '2026-10-16' }))).toMatch('netted with Distribution 4 of 15 Oct 2026');
    await change({ callPurposes: [{ title: 'A note', kind: 'investments', amount: '400' }] });
    const netting = await as((session) => nettingOf(session, 'contributions', ids[0]));
    expect(netting!.lines.map(({ called }) => Number(called))).toEqual([400, 400]);
  });

  test('an investor that a change of the draft adds is netted as well', async () => {
    const ids = [
      await call('8', { [first!]: 500, [second!]: null }),
      await distribution('4', { [first!]: 200, [second!]: 900 }),
    ] as const;
    await run(netDrafts, ids);
    const change = {
      id: ids[0],
      version: await versionOf('capital_calls', ids[0]),
      investors: { Class: null },
      terms: {
        callNumber: '8',
        cutOffDate: TODAY,
        dueDate: DUE,
        amount: { sum: '400', currency: 'USD' },
        callPurposes: [{ title: 'A note', kind: 'investments' as const, split: 'commitment' as const, amount: '400' }],
        own: [],
      },
    };
    await as((session) => changeCall(session, change as never));
    const netting = await as((session) => nettingOf(session, 'contributions', ids[0]));
    expect(netting!.lines.map(({ called, deemed }) => [called, deemed].map(Number))).toEqual([
      [100, 100],
      [300, 300],
    ]);
    expect(
      await refusal(
        as(async (session) =>
          changeCall(session, {
            ...change,
            version: (await pairOf(...ids)).call.version,
            status: 'Active',
          } as never),
        ),
      ),
    ).toMatch('both are issued together');
  });

  test('is taken back, also by removing one of the two', async () => {
    const ids = await nettedPair();
    await run(separateDrafts, ids);
    expect(await as((session) => nettingOf(session, 'contributions', ids[0]))).toBeNull();
    await run(netDrafts, ids);
    const { call: command } = await pairOf(...ids);
    await as((session) => removeCall(session, command));
    expect(await database.query('select netted_with from distributions where activity_id = $1', [ids[1]])).toEqual([
      { netted_with: null },
      { netted_with: null },
    ]);
    await as(async (session) =>
      stepDistribution(session, { ...(await pairOf(...ids)).distribution, status: 'Active' }),
    );
    expect((await owed(ids[1])).second).toBe('900 + 0, upcoming');
  });

  test('is in the history of every line', async () => {
    const ids = await nettedPair();
    const rows = await database.query<{ updated_fields: object }>(
      `select h.updated_fields from history h where h.document_id in (select id from contributions where activity_id = $1) and h.updated_fields::text like '%nettedWith%'`,
      [ids[0]],
    );
    expect(rows).toHaveLength(2);
  });
});

describe('a netted call and distribution', () => {
  test('are in the calendar with what moves', async () => {
    const onTheDay = async () => {
      const day = '2026-10-15';
      const found = await as((session) => listCalendarEvents(session, { from: day, to: day, limit: 10 }));
      return found.events
        .filter(({ kind }) => kind === 'call' || kind === 'distribution')
        .map(({ kind, part, amounts }) => [kind, part, amounts!.map(({ sum }) => Number(sum))]);
    };
    const ids = await draftPair();
    expect(await onTheDay()).toEqual([
      ['call', null, [800]],
      ['distribution', null, [1100]],
    ]);
    await run(netDrafts, ids);
    await run(issueNetted, ids);
    // 200.00 and 300.00 are settled.
    expect(await onTheDay()).toEqual([
      ['call', 'netted', [300]],
      ['distribution', 'netted', [600]],
    ]);
  });

  test('are issued together, and owe the net amounts', async () => {
    const ids = await nettedPair();
    expect(
      await refusal(as(async (session) => stepCall(session, { ...(await pairOf(...ids)).call, status: 'Active' }))),
    ).toMatch('issued and withdrawn together');
    await run(issueNetted, ids);
    expect(await owed(ids[0])).toMatchObject({ first: '300 + 200, upcoming', second: '0 + 300, paid' });
    expect(await owed(ids[1])).toMatchObject({ first: '0 + 200, paid', second: '600 + 300, upcoming' });
    expect(await refusal(run(issueNetted, ids))).toMatch('issued already');
    expect(await refusal(run(separateDrafts, ids))).toMatch('Withdraw both');
  });

  test('keep the gross amounts in all capital figures', async () => {
    const figures = () =>
      as(
        async (session) =>
          (await positionsAt(session, { cutOffDate: '2026-12-31' })).map(({ called, distributed, unfunded }) => [
            called,
            distributed,
            unfunded,
          ]),
        { day: '2026-12-31' },
      );
    const ids = await draftPair();
    await as(async (session) => stepCall(session, { ...(await pairOf(...ids)).call, status: 'Active' }));
    await as(async (session) =>
      stepDistribution(session, { ...(await pairOf(...ids)).distribution, status: 'Active' }),
    );
    const gross = await figures();
    for (const remove of [removeDistribution, removeCall] as const) {
      const { call: c, distribution: d } = await pairOf(...ids);
      await as((session) => remove(session, { ...(remove === removeCall ? c : d), reason: 'Again, netted' }));
    }
    const netted = [
      await call('8b', { [first!]: 500, [second!]: 300 }),
      await distribution('4b', { [first!]: 200, [second!]: 900 }),
    ] as const;
    await run(netDrafts, netted);
    await run(issueNetted, netted);
    expect(await figures()).toEqual(gross);
  });

  test('what is owed is the same for who cannot see the other one', async () => {
    const ids = await issuedPair();
    const [hidden] = await database.query<{ id: string }>(
      'select id from distributions where activity_id = $1 and investor_lp_id = $2',
      [ids[1], first],
    );
    const blocked = { blockedDocuments: [{ resource: 'distributions', id: hidden!.id }] };
    expect((await owed(ids[0], blocked as never)).first).toBe('300 + 200, upcoming');
    // An investor sees its own net amount, and nobody else's.
    const own = { type: 'LP', lpIds: [first!], permissions: ['contributions/read', 'distributions/read'] } as never;
    expect(await owed(ids[0], own)).toMatchObject({ first: '300 + 200, upcoming', second: null });
    const netting = await as((session) => nettingOf(session, 'contributions', ids[0]), own);
    expect(netting!.lines.map(({ pays }) => Number(pays))).toEqual([300]);
  });

  test('have one notice for each investor in both, of which it is told once', async () => {
    await database.query(
      `update entities set contacts = '[{"name": "Nia Hall", "email": "nia@example.test", "receives": ["distributions"]}]'
       where id = (select entity_id from lps where id = $1)`,
      [first],
    );
    const ids = await issuedPair();
    const make = () =>
      as(async (session) => {
        const made: Record<string, PrintedDocument[]> = { contributions: [], distributions: [] };
        for (const table of ['contributions', 'distributions'] as const) {
          const activity = table === 'contributions' ? ids[0] : ids[1];
          const lines = await session.query<{ id: string }>(
            `select id from ${table} where activity_id = $1 order by commitment_id`,
            [activity],
          );
          const due = await asProgram(session, () =>
            readNotices(
              session,
              lines.map(({ id }) => ({ table, id })),
              async () => null,
            ),
          );
          made[table] = due
            .toSorted((a, b) => lines.findIndex(({ id }) => id === a.id) - lines.findIndex(({ id }) => id === b.id))
            .map((one) => one.compose().printed);
          await asProgram(session, () =>
            recordNotices(
              session,
              due.map((notice) => ({
                notice,
                name: notice.compose().name,
                size: 1,
                checksum: notice.id.padEnd(64, '0'),
              })),
            ),
          );
        }
        return made;
      });
    const { contributions, distributions } = await make();
    expect(contributions).toHaveLength(2);
    expect(contributions).toEqual(distributions);
    expect(contributions!.map(({ title }) => title)).toEqual(Array(2).fill('Capital call and distribution notice'));
    const told = await database.query<{ subject: string }>(
      `select subject from outbox where contact_email = 'nia@example.test' and contact_entity_id = (select entity_id from lps where id = $1)`,
      [first],
    );
    expect(told.map(({ subject }) => subject.replace(/^.*?: /, ''))).toEqual([
      'capital call 8 and distribution 4 of 15 Oct 2026',
    ]);
    const [mail] = await database.query<{ text: string }>(
      `select text from outbox where contact_email = 'nia@example.test' and contact_entity_id = (select entity_id from lps where id = $1)`,
      [first],
    );
    expect(mail?.text).toContain('The notice states no account to pay into');
  });

  test.each([
    ['the day after', '2026-10-16', false],
    ['45 days after', '2026-11-29', false],
    ['46 days after', '2026-11-30', true],
  ])('are past together: issued %s', async (_, day, isPast) => {
    const ids = [
      await call('8', { [first!]: 500, [second!]: 300 }),
      await distribution('4', { [first!]: 200, [second!]: 900 }),
    ] as const;
    await run(netDrafts, ids, { day });
    await run(issueNetted, ids, { day });
    const past = await as(
      (session) =>
        Promise.all(
          (['contributions', 'distributions'] as const).map(async (table, index) => {
            const lines = await session.query<{ id: string }>(`select id from ${table} where activity_id = $1`, [
              ids[index],
            ]);
            const who = await whoIsTold(
              session,
              table,
              lines.map(({ id }) => id),
            );
            return who.isPast;
          }),
        ),
      { day },
    );
    expect(past).toEqual([isPast, isPast]);
  });

  test('payments and default interest are of the net amount', async () => {
    await database.query('update funds set fee_terms = $2::jsonb where id = $1', [
      tenant.fundId,
      JSON.stringify([{ Class: null, from: '2026-01-01', terms: { defaultInterest: { rate: 10, graceDays: 0 } } }]),
    ]);
    const account = await as((session) =>
      createBankAccount(
        session,
        bankAccountCreateSchema.parse({
          title: 'Pay-in account',
          bankName: 'First Tidewater',
          accountNumber: newId(session.now),
          currency: 'USD',
          openingDate: '2026-01-01',
        }),
      ),
    );
    const ids = await issuedPair();
    const [line] = await database.query<{ id: string }>(
      'select id from contributions where activity_id = $1 and investor_lp_id = $2',
      [ids[0], first],
    );
    const late = await as((session) => defaultInterestOf(session, { activity: ids[0] }), { day: '2026-10-25' });
    // 300.00 × 10% × 10 ÷ 365, and nothing of whom the distribution pays.
    expect(late.map(({ total: interest }) => interest)).toEqual(['0.82']);
    const pay = (amount: number) =>
      as(
        (session) =>
          createPayment(
            session,
            paymentCreateSchema.parse({
              bankAccount: account.id,
              direction: 'in',
              amount,
              bookedOn: DUE,
              allocations: [{ kind: 'contribution', document: line!.id, amount }],
            }),
          ),
        { day: DUE },
      );
    expect(await refusal(pay(300.01))).not.toBe('nothing was refused');
    await pay(300);
    expect((await owed(ids[0])).first).toBe('300 + 200, paid');
  });

  test('are withdrawn together, and not one by one', async () => {
    const ids = await issuedPair();
    const { call: c, distribution: d } = await pairOf(...ids);
    expect(await refusal(as((session) => removeCall(session, { ...c, reason: 'Wrong' })))).toMatch(
      'issued with Distribution 4 as one net amount',
    );
    expect(await refusal(as((session) => removeDistribution(session, { ...d, reason: 'Wrong' })))).toMatch(
      'issued with Capital call 8 as one net amount',
    );
    expect(await refusal(run(withdrawNetted, ids))).toMatch('reason');
    const pair = await pairOf(...ids);
    await as((session) => withdrawNetted(session, { ...pair, reason: 'Wrong' }));
    expect([await owed(ids[0]), await owed(ids[1])].map(({ sums }) => sums)).toEqual([undefined, undefined]);
  });

  test('an investor in one of the two alone is gross', async () => {
    const ids = [
      await call('8', { [first!]: 500, [second!]: null }),
      await distribution('4', { [first!]: 200, [second!]: 900 }),
    ] as const;
    await run(netDrafts, ids);
    await run(issueNetted, ids);
    expect((await owed(ids[1])).second).toBe('900 + 0, upcoming');
    const all = (await owed(ids[0])).obligations;
    expect(compare(sum(all.map(({ amount }) => amount)), '300')).toBe(0);
  });

  test('the database refuses half a pair, another day, and a change after the issue', async () => {
    const ids = await issuedPair();
    const raw = (text: string, ...values: unknown[]) =>
      refusal(database.store.as(SYSTEM, (session) => session.query(text, values)));
    expect(await raw('update contributions set netted_with = null where activity_id = $1', ids[0])).toMatch(
      'one net amount',
    );
    expect(
      await raw(`update contributions set status = 'Removed', version = version + 1 where activity_id = $1`, ids[0]),
    ).toMatch('netted');
    const draft = await call('9', { [first!]: 5, [second!]: 5 });
    expect(await raw('update contributions set netted_with = $2 where activity_id = $1', draft, ids[1])).toMatch(
      'netted',
    );
  });

  test('documents of all investors name the pair', async () => {
    const ids = await draftPair();
    const parts = (table: string, id: string) =>
      database.query<{ id: string; version: number }>(`select id, version from ${table} where activity_id = $1`, [id]);
    const contributions = await parts('contributions', ids[0]);
    const distributions = await parts('distributions', ids[1]);
    const named = { contributions, distributions };
    expect(await as((session) => pairOfParts(session, named))).toEqual(await pairOf(...ids));
    expect(
      await refusal(as((session) => pairOfParts(session, { ...named, contributions: contributions.slice(1) }))),
    ).toMatch('documents of all its investors');
    const stale = contributions.map(({ id, version }) => ({ id, version: version + 1 }));
    expect(await refusal(as((session) => pairOfParts(session, { ...named, contributions: stale })))).toMatch(
      'changed this',
    );
  });
});

describe('a second person', () => {
  test('is asked once for both, and issues both', async () => {
    const rule = { when: 'always', amount: null };
    await database.query('update managers set second_person = $2::jsonb where id = $1', [
      tenant.managerId,
      JSON.stringify({ calls: rule, distributions: rule }),
    ]);
    const ids = await nettedPair();
    const { call: command } = await pairOf(...ids);
    await as((session) => submitForIssue(session, 'contributions', command));
    const submitted = await database.query<{ submitted: object | null }>(
      'select submitted from preparations where document_id = any ($1)',
      [[...ids]],
    );
    expect(submitted.map((row) => row.submitted !== null)).toEqual([true, true]);
    expect(await refusal(run(issueNetted, ids))).toMatch('somebody else must issue it');
    const ben = { userId: newId() };
    const again = await pairOf(...ids);
    await as((session) => returnToPreparer(session, 'distributions', { ...again.distribution, reason: 'Wait' }), ben);
    const returned = await database.query<{ reason: string | null }>(
      'select return_reason as reason from preparations where document_id = any ($1)',
      [[...ids]],
    );
    expect(returned).toEqual([{ reason: 'Wait' }, { reason: 'Wait' }]);
    await run(issueNetted, ids, ben);
    expect((await owed(ids[0])).first).toBe('300 + 200, upcoming');
  });

  const requireFor = (rules: object) =>
    database.query('update managers set second_person = $2::jsonb where id = $1', [
      tenant.managerId,
      JSON.stringify(rules),
    ]);
  const ALWAYS = { when: 'always', amount: null };
  const BEN = newId();
  /** Who prepared each of the two, whether it waits, and how many are asked about it. */
  const asked = async (ids: readonly string[]) =>
    Promise.all(
      ids.map(async (id) => {
        const [row] = await database.query<{ by: string; waits: boolean }>(
          'select prepared_by as by, submitted is not null as waits from preparations where document_id = $1',
          [id],
        );
        return `${row!.by === ADA ? 'Ada' : row!.by === BEN ? 'Ben' : row!.by}${row!.waits ? ', submitted' : ''}`;
      }),
    );
  const partsOf = (table: string, id: string) =>
    database.query<{ id: string; version: number }>(`select id, version from ${table} where activity_id = $1`, [id]);

  test('who nets the drafts of another, or takes that back, does not become who prepared them', async () => {
    await requireFor({ calls: ALWAYS, distributions: ALWAYS });
    const ids = await draftPair();
    await as(async (session) => submitForIssue(session, 'contributions', (await pairOf(...ids)).call));
    expect(await asked(ids)).toEqual(['Ada, submitted', 'Ada']);
    await run(netDrafts, ids, { userId: BEN });
    // What is issued together is another one now.
    expect(await asked(ids)).toEqual(['Ada', 'Ada']);
    expect(await refusal(run(issueNetted, ids))).toMatch('somebody else must issue it');
    await run(separateDrafts, ids, { userId: BEN });
    expect(await asked(ids)).toEqual(['Ada', 'Ada']);
    const own = (await pairOf(...ids)).call;
    expect(await refusal(as((session) => stepCall(session, { ...own, status: 'Active' })))).toMatch(
      'somebody else must issue it',
    );
    await as((session) => stepCall(session, { ...own, status: 'Active' }), { userId: BEN });
  });

  test('a change of an amount makes who changes it the one who prepared that draft', async () => {
    await requireFor({ calls: ALWAYS });
    const ids = await nettedPair();
    const lines = await partsOf('contributions', ids[0]);
    const callPurposes = [{ title: 'A note', kind: 'investments', amount: '400' }];
    await as((session) => changeContributions(session, lines.map((line) => ({ ...line, callPurposes })) as never), {
      userId: BEN,
    });
    expect(await asked(ids)).toEqual(['Ben', 'Ada']);
  });

  test('who removes one of the two ends the submission of the other one, and did not prepare it', async () => {
    await requireFor({ calls: ALWAYS, distributions: ALWAYS });
    const ids = await nettedPair();
    await as(async (session) => submitForIssue(session, 'contributions', (await pairOf(...ids)).call));
    const { call: command } = await pairOf(...ids);
    await as((session) => removeCall(session, command), { userId: BEN });
    expect((await asked(ids))[1]).toBe('Ada');
    const again = await pairOf(...ids);
    expect(
      await refusal(as((session) => stepDistribution(session, { ...again.distribution, status: 'Active' }))),
    ).toMatch('somebody else must issue it');
    await as((session) => submitForIssue(session, 'distributions', again.distribution));
    expect((await asked(ids))[1]).toBe('Ada, submitted');
  });

  test('is asked and answered for both by calls that name the documents of one', async () => {
    await requireFor({ calls: ALWAYS, distributions: ALWAYS });
    const ids = await nettedPair();
    const contributions = await partsOf('contributions', ids[0]);
    const distributions = await partsOf('distributions', ids[1]);
    await as((session) => submitContributions(session, contributions));
    expect(await asked(ids)).toEqual(['Ada, submitted', 'Ada, submitted']);
    expect(await refusal(as((session) => submitDistributions(session, distributions)))).toMatch('waits for a second');
    await as((session) => returnDistributions(session, distributions, 'Wait'), { userId: BEN });
    expect(await asked(ids)).toEqual(['Ada', 'Ada']);
    expect(
      await refusal(as((session) => returnContributions(session, contributions, 'Wait'), { userId: BEN })),
    ).toMatch('does not wait for you');
  });

  test('is asked for both if one alone needs it, from either', async () => {
    const ids = await nettedPair();
    const contributions = await partsOf('contributions', ids[0]);
    expect(await refusal(as((session) => submitContributions(session, contributions)))).toMatch(
      'You can issue it yourself',
    );
    await requireFor({ distributions: ALWAYS });
    await as((session) => submitContributions(session, contributions));
    expect(await asked(ids)).toEqual(['Ada', 'Ada, submitted']);
    const stale = contributions.map(({ id, version }) => ({ id, version: version + 1 }));
    expect(await refusal(as((session) => returnContributions(session, stale, 'Wait'), { userId: BEN }))).toMatch(
      'changed',
    );
    await as((session) => returnContributions(session, contributions, 'Wait'), { userId: BEN });
    expect(await asked(ids)).toEqual(['Ada', 'Ada']);
  });
});
