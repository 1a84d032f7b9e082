import { cashFlowsOf } from '@tapeline/domain/capital/activity-statement.ts';
import { capitalFigures, returnOf } from '@tapeline/domain/capital/capital-figures.ts';
import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { navCreateSchema } from '@tapeline/domain/capital/nav.schema.ts';
import { closingCreateSchema } from '@tapeline/domain/closings/closing.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { commitmentTransferSchema } from '@tapeline/domain/commitments/transfer.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { compare } from '@tapeline/domain/money/decimal.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LP } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { addEntity } from '../../testing/entities.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { getCallHeader } from '../capital/calls-and-distributions.ts';
import { capitalCourse } from '../capital/capital-course.ts';
import { callCapital, changeCall, changeContributions, listContributions } from '../capital/contributions.ts';
import { listDistributions } from '../capital/distributions.ts';
import { ledgersOf } from '../capital/ledgers.ts';
import { createNavs } from '../capital/navs.ts';
import { createCommitment } from '../commitments/change-commitments.ts';
import { transferCommitment } from '../commitments/transfer-commitment.ts';
import { createFund } from '../funds/change-funds.ts';
import { listCommitments } from '../funds/funds.ts';
import { closeInvestors } from './close-investors.ts';
import { closingsOfFund, getClosing } from './closings.ts';

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

const manager = (changes = {}) => testActor({ type: 'manager', managerId: one.managerId, ...changes });
const trying = <Result>(work: (session: Session) => Promise<Result>, actor: Actor = manager()): Promise<Result> =>
  database.store.as(actor, work, { rollback: true });
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error) => error.flags ?? error.message,
  );

const NAMES = ['Sakura', 'Norrland', 'Cascadia', 'Okavango', 'Brendan', 'Adeyemi', 'Rao', 'Kowhai', 'Wexley', 'Tarn'];
const EARLIER = [8, 15, 12, 10, 6, 5, 2.5, 1.5].map((millions) => millions * 1_000_000);
const FEES = { management: { committed: 1.5 } };
const TERMS = { ratePercent: 8 };

/** A fund of 60 million that closed on 15 December 2026, with the two calls of the worked example. */
async function makeFund(session: Session, terms: object = {}) {
  const title = 'Harbour Credit Fund III';
  const { fund } = await createFund(
    session,
    fundCreateSchema.parse({
      title,
      type: 'SMA',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: 80_000_000,
      hardCap: 100_000_000,
      equalization: TERMS,
      ...terms,
    }),
  );
  const lps = NAMES.map((name) =>
    session.em.create(LP, {
      id: newId(session.now),
      managerId: one.managerId,
      title: name,
      entityId: addEntity(session.em, one.managerId, name),
    }),
  );
  await session.em.flush();
  const investors = lps.map(({ id }) => ({ id, kind: 'LP' as const }));
  for (const [index, maxCommitment] of EARLIER.entries()) {
    const body = { fund: fund.id, investor: investors[index], closingDate: '2026-12-15', maxCommitment, fees: FEES };
    await createCommitment(session, commitmentCreateSchema.parse(body));
  }
  const call = (callNumber: string, cutOffDate: string, dueDate: string, amounts: number[], days: [string, string]) =>
    callCapital(
      session,
      contributionCreateSchema.parse({
        fund: fund.id,
        callNumber,
        cutOffDate,
        dueDate,
        status: 'Active',
        callPurposes: [
          { title: 'Investments', kind: 'investments', amount: amounts[0] },
          { title: 'Management fee', kind: 'managementFee', split: 'terms', from: days[0], until: days[1] },
          { title: 'Fund expenses', kind: 'fundExpenses', amount: amounts[1] },
        ],
      }),
    );
  await call('1', '2027-01-15', '2027-01-29', [9_000_000, 240_000], ['2026-12-15', '2027-03-31']);
  await call('2', '2027-04-01', '2027-04-15', [6_600_000, 90_000], ['2027-04-01', '2027-06-30']);
  return { fund: fund.id, investors };
}

type Made = Awaited<ReturnType<typeof makeFund>>;

const closingOf = ({ fund, investors }: Made, changes: object = {}) =>
  closingCreateSchema.parse({
    fund,
    title: 'Second closing',
    closingDate: '2027-06-30',
    dueDate: '2027-06-30',
    callNumber: '3',
    distributionNumber: '1',
    status: 'Active',
    investors: [
      { investor: investors[8], amount: 16_000_000, fees: FEES },
      { investor: investors[0], amount: 4_000_000 },
    ],
    ...changes,
  });

const fixed = (value: string | null) => Number(value).toFixed(2);

/** Everyone by name: what is paid and received, and what is unfunded after it. */
const shown = ({ figures, investors }: Awaited<ReturnType<typeof closeInvestors>>) =>
  Object.fromEntries(
    figures.positions.map(({ id, net, unfunded, paidPercent }) => [
      investors.get(id)?.investor.title,
      [net, unfunded.before, unfunded.after, paidPercent].map(fixed),
    ]),
  );

describe('a second closing', () => {
  test('charges the entrants, pays the earlier investors, and changes the commitments, to the cent of the example', async () => {
    const found = await trying(async (session) => {
      const made = await makeFund(session);
      const closing = await closeInvestors(session, closingOf(made));
      const filter = { fund: made.fund };
      const commitments = (await listCommitments(session, { filter })).documents;
      const ledgers = await ledgersOf(
        session,
        commitments.map(({ id }) => id),
      );
      return {
        closing,
        commitments,
        ledgers,
        calls: (await listContributions(session, { filter: { fund: made.fund, callNumber: '3' } })).documents,
        payments: (await listDistributions(session, { filter })).documents,
        stored: await closingsOfFund(session, made.fund),
      };
    });
    expect(shown(found.closing)).toEqual({
      Wexley: ['-3403386.44', '0.00', '12683808.22', '20.73'],
      Sakura: ['-305870.94', '5810904.11', '9512856.17', '20.73'],
      Norrland: ['1021829.40', '10895445.21', '11891070.21', '20.73'],
      Cascadia: ['817463.51', '8716356.17', '9512856.17', '20.73'],
      Okavango: ['681219.59', '7263630.14', '7927380.14', '20.73'],
      Brendan: ['408731.75', '4358178.08', '4756428.08', '20.73'],
      Adeyemi: ['340609.78', '3631815.07', '3963690.07', '20.73'],
      Rao: ['170304.91', '1815907.53', '1981845.03', '20.73'],
      Kowhai: ['102182.93', '1089544.52', '1189107.02', '20.73'],
    });
    const { figures } = found.closing;
    expect([figures.difference, figures.isEqualized, figures.commitments.before, figures.commitments.after]).toEqual([
      '0',
      true,
      '60000000',
      '80000000',
    ]);
    // The ledgers say the same as the review, and interest is no called capital.
    for (const { id, investor } of found.commitments) {
      const position = figures.positions.find((own) => own.id === id);
      const ledger = capitalFigures(found.ledgers.get(id)!, '2027-06-30');
      expect([investor?.title, fixed(ledger.unfunded)]).toEqual([investor?.title, fixed(position!.unfunded.after)]);
      expect(compare(ledger.activeCommitment, position!.commitment)).toBe(0);
    }
    expect(
      found.calls.map(({ investor, amount, purposes }) => [investor?.title, fixed(amount), purposes.length]).sort(),
    ).toEqual([
      ['Sakura', '829047.94', 6],
      ['Wexley', '3316191.78', 6],
    ]);
    expect(found.calls.find(({ investor }) => investor?.title === 'Wexley')?.purposes[0]).toEqual({
      title: 'Call 1: Investments',
      kind: 'investments',
      amount: '1800000.00',
      interest: '59967.12',
    });
    expect(found.payments).toHaveLength(8);
    expect(found.payments.find(({ investor }) => investor?.title === 'Norrland')).toMatchObject({
      principal: '995625.00',
      components: [{ title: 'Equalization interest', actionType: 'INTEREST', amount: '26204.40' }],
      pdfOptions: { recallableDistribution: true },
      status: expect.stringMatching(/Active|Upcoming/),
    });
    expect(found.stored.map(({ title, status }) => [title, status])).toEqual([['Second closing', 'Active']]);
  });

  test('counts interest as a flow of the investors who pay and who receive it', async () => {
    const found = await trying(async (session) => {
      const made = await makeFund(session);
      const closing = await closeInvestors(session, closingOf(made));
      const wexley = closing.figures.positions.find(({ isNew }) => isNew)!;
      const ledgers = await ledgersOf(
        session,
        closing.figures.positions.map(({ id }) => id),
      );
      const ledger = ledgers.get(wexley.id)!;
      const nav = { cutOffDate: '2028-06-29', gross: '3676000', net: '3676000' };
      return {
        called: capitalFigures(ledger, '2027-06-30').called,
        net: returnOf([{ ...ledger, navs: [nav] }], '2028-06-29', 'net'),
      };
    });
    // 3,316,191.78 + 87,194.66 paid, and 3,676,000 worth 365 days later: 3,676,000 ÷ 3,403,386.44 − 1.
    expect([fixed(found.called), found.net.rate?.toFixed(6)]).toEqual(['3316191.78', '0.080101']);
  });

  test('is paid with interest in lists of payments, and in the returns of the fund’s course', async () => {
    const found = await trying(async (session) => {
      const made = await makeFund(session);
      const { figures } = await closeInvestors(session, closingOf(made));
      const ids = figures.positions.map(({ id }) => id);
      const commitments = (await listCommitments(session, { filter: { fund: made.fund } })).documents;
      await createNavs(
        session,
        commitments.map(({ investorLPId }) =>
          navCreateSchema.parse({
            fund: made.fund,
            investor: { id: investorLPId, kind: 'LP' },
            cutOffDate: '2028-06-30',
            currency: 'USD',
            gross: 2_500_000,
            net: 2_500_000,
          }),
        ),
      );
      const { points } = await capitalCourse(session, { fundId: made.fund, cutOffDate: '2028-06-30', currency: 'USD' });
      const ledgers = [...(await ledgersOf(session, ids)).values()];
      const wexley = figures.positions.find(({ isNew }) => isNew)!.id;
      return {
        course: points.at(-1)?.netIrr,
        whole: returnOf(ledgers, '2028-06-30', 'net').rate,
        withoutInterest: returnOf(
          ledgers.map((ledger) => ({
            ...ledger,
            calls: ledger.calls.map((call) => ({
              ...call,
              purposes: call.purposes.map(({ interest: _, ...purpose }) => purpose),
            })),
          })),
          '2028-06-30',
          'net',
        ).rate,
        payments: cashFlowsOf((await ledgersOf(session, [wexley])).get(wexley)!, '2027-06-30'),
      };
    });
    const percent = (rate: number | null) => (Number(rate) * 100).toFixed(2);
    expect(found.course?.percent).toBe(percent(found.whole));
    expect(percent(found.withoutInterest)).not.toBe(percent(found.whole));
    expect(found.payments.map(({ amount }) => amount)).toEqual(['-3403386.44']);
  });

  test('charges a new investor without fees of its own the fee of the fund’s terms', async () => {
    const found = await trying(async (session) => {
      const made = await makeFund(session, { feeTerms: [{ from: '2026-01-01', terms: FEES }] });
      const investors = [{ investor: made.investors[8], amount: 16_000_000 }];
      const closing = await closeInvestors(session, closingOf(made, { investors }));
      return closing.figures.lines.filter(({ kind }) => kind === 'managementFee').map(({ entrants }) => entrants);
    });
    // 16,000,000 × 1.5 % for 107 and for 91 days.
    expect(found.map(([own]) => own?.amount)).toEqual(['70356.16', '59835.62']);
  });

  test('a dry run answers what is issued, and changes nothing', async () => {
    const found = await trying(async (session) => {
      const made = await makeFund(session);
      const { fund } = made;
      const tried = await closeInvestors(session, closingOf(made, { dryRun: true, status: 'Draft' }));
      return { tried, fund };
    });
    expect(shown(found.tried).Rao).toEqual(['170304.91', '1815907.53', '1981845.03', '20.73']);
    expect(found.tried.warnings).toContain(
      'The fund has no bank account. Add one to its entity, so that the notice states where to pay',
    );
    await expect(database.store.as(manager(), (session) => getClosing(session, found.tried.id))).rejects.toThrow();
  });

  test('a third closing equalizes with everyone who closed before it', async () => {
    const { closing, first } = await trying(async (session) => {
      const made = await makeFund(session);
      await closeInvestors(session, closingOf(made));
      const third = {
        title: 'Third closing',
        closingDate: '2027-09-30',
        dueDate: '2027-10-15',
        callNumber: '4',
        distributionNumber: '2',
        investors: [{ investor: made.investors[9], amount: 10_000_000, fees: FEES }],
      };
      const closing = await closeInvestors(session, closingOf(made, third));
      return { closing, first: (await closingsOfFund(session, made.fund)).map(({ title }) => title) };
    });
    expect(first).toEqual(['Third closing', 'Second closing']);
    // 9,000,000 × 10 ÷ 90, and the interest for 244 days; the earlier ones have paid 18.42 % of what they committed then.
    expect(closing.figures.lines[0]).toMatchObject({ called: '9000000', days: 244 });
    expect(closing.figures.lines[0]?.entrants[0]).toMatchObject({ amount: '1000000.00', interest: '53479.45' });
    expect([...new Set(closing.figures.positions.map(({ paidPercent }) => paidPercent))]).toEqual(['18.51']);
    expect(closing.figures.isEqualized).toBe(true);
  });

  test('what is returned cannot be called again where the terms or the fund say so', async () => {
    const found = await trying(async (session) => {
      const made = await makeFund(session, { equalization: { ...TERMS, recallable: false } });
      const own = await closeInvestors(session, closingOf(made));
      const declared = await makeFund(session, { nonRecyclable: { declerationDate: '2027-06-01' } });
      return [own, await closeInvestors(session, closingOf(declared))].map((closing) => shown(closing).Rao);
    });
    expect(found).toEqual([
      ['170304.91', '1815907.53', '1815907.53', '20.73'],
      ['170304.91', '1815907.53', '1815907.53', '20.73'],
    ]);
  });

  test('of a fund that has called nothing only changes the commitments', async () => {
    const found = await trying(async (session) => {
      const made = await makeFund(session);
      const early = { closingDate: '2026-12-31', dueDate: '2026-12-31' };
      return closeInvestors(session, closingOf(made, early));
    });
    expect([found.callId, found.distributionId, found.figures.lines, found.figures.commitments.after]).toEqual([
      null,
      null,
      [],
      '80000000',
    ]);
  });
});

describe('a closing is refused', () => {
  const refused = (changes: object, terms: object = {}, actor: Actor = manager()) =>
    refusal(
      trying(async (session) => closeInvestors(session, closingOf(await makeFund(session, terms), changes)), actor),
    );

  test('without terms, before the first closing, or with an investor twice', async () => {
    expect(await refused({}, { equalization: null })).toEqual({ fund: 'has no equalization terms' });
    expect(await refused({ closingDate: '2026-12-14', dueDate: '2027-06-30' })).toEqual({
      closingDate: 'is before the first closing',
    });
    const twice = await refusal(
      trying(async (session) => {
        const made = await makeFund(session);
        const again = [0, 0].map((index) => ({ investor: made.investors[index], amount: 1 }));
        return closeInvestors(session, closingOf(made, { investors: again }));
      }),
    );
    expect(twice).toEqual({ 'investors.1.investor.id': 'is named twice' });
  });

  test('after a transfer of an interest, whose holders have paid other shares than their commitments', async () => {
    const closedWithTransferOn = (date: string) =>
      refusal(
        trying(async (session) => {
          const made = await makeFund(session);
          const { documents } = await listCommitments(session, { filter: { fund: made.fund } });
          const from = documents.find(({ investor }) => investor?.title === 'Norrland');
          await transferCommitment(
            session,
            commitmentTransferSchema.parse({
              commitment: from!.id,
              version: from!.version,
              to: made.investors[9],
              date,
              sharePercent: 50,
            }),
          );
          await closeInvestors(session, closingOf(made));
        }),
      );
    expect(await closedWithTransferOn('2027-06-30')).toEqual({ closingDate: 'is after a transfer of an interest' });
    expect(await closedWithTransferOn('2027-07-01')).toBeNull();
  });

  test('before a later one, and by who lacks a permission', async () => {
    const early = await refusal(
      trying(async (session) => {
        const made = await makeFund(session);
        await closeInvestors(session, closingOf(made));
        const again = { closingDate: '2027-06-29', callNumber: '4', distributionNumber: '2' };
        const investors = [{ investor: made.investors[9], amount: 10 }];
        return closeInvestors(session, closingOf(made, { ...again, investors }));
      }),
    );
    expect(early).toEqual({ closingDate: 'must be on or after 30 Jun 2027, the last closing' });
    const open = await refusal(
      trying(async (session) => {
        const made = await makeFund(session);
        await closeInvestors(session, closingOf(made, { status: 'Draft' }));
        const again = { closingDate: '2027-07-30', dueDate: '2027-07-30', callNumber: '4', distributionNumber: '2' };
        return closeInvestors(
          session,
          closingOf(made, { ...again, investors: [{ investor: made.investors[9], amount: 10 }] }),
        );
      }),
    );
    expect(open).toEqual({ fund: 'has notices of a closing that are not issued' });
    const closing = (fund: string) =>
      closingOf(
        { fund, investors: one.lpIds.map((id) => ({ id, kind: 'LP' })) as never },
        { investors: [{ investor: { id: one.lpIds[0], kind: 'LP' }, amount: 1 }] },
      );
    for (const permissions of [
      ['funds/read', 'contributions/write', 'distributions/write'],
      ['LPs/commitments/write', 'contributions/write'],
    ]) {
      const actor = manager({ permissions });
      await expect(trying((session) => closeInvestors(session, closing(one.fundId)), actor)).rejects.toThrow(
        /permission/,
      );
    }
    const stranger = testActor({ type: 'manager', managerId: two.managerId });
    await expect(trying((session) => closeInvestors(session, closing(one.fundId)), stranger)).rejects.toThrow(/not/i);
  });

  test('and its notices keep their amounts', async () => {
    const found = await trying(async (session) => {
      const made = await makeFund(session);
      const closing = await closeInvestors(session, closingOf(made, { status: 'Draft' }));
      const header = await getCallHeader(session, closing.callId!);
      const terms = { cutOffDate: '2027-06-30', dueDate: '2027-06-30', callNumber: '3', callPurposes: [] };
      const whole = await refusal(
        changeCall(session, { id: closing.callId!, version: header.version, investors: 'same', terms: terms as never }),
      );
      const [line] = (await listContributions(session, { filter: { fund: made.fund, callNumber: '3' } })).documents;
      const { id, version, purposes } = line!;
      const [first, ...others] = purposes;
      const one = await refusal(
        changeContributions(session, [{ id, version, callPurposes: [{ ...first!, interest: '1' }, ...others] }]),
      );
      await changeContributions(session, [{ id, version, callPurposes: purposes, status: 'Active' }]);
      return { whole, one };
    });
    expect(found).toEqual({
      whole: { id: 'belongs to a closing' },
      one: { '0.callPurposes': 'follow from the terms of the closing' },
    });
  });
});

test('who cannot see an investor of a closing does not see its figures', async () => {
  const found = await trying(async (session) => {
    const made = await makeFund(session);
    await closeInvestors(session, closingOf(made));
    const read = () => closingsOfFund(session, made.fund).then(({ length }) => length);
    const before = await read();
    await session.query(`select set_config('tapeline.blocked', $1, true)`, [`LPs/${made.investors[3]!.id}`]);
    const third = {
      callNumber: '4',
      distributionNumber: '2',
      investors: [{ investor: made.investors[9], amount: 10 }],
    };
    const refused = await refusal(closeInvestors(session, closingOf(made, third)));
    return { before, after: await read(), refused };
  });
  expect(found).toEqual({ before: 1, after: 0, refused: { fund: 'has investors who are not visible to you' } });
});
