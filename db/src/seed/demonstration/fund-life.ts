import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { navCreateSchema } from '@tapeline/domain/capital/nav.schema.ts';
import { writeOffCreateSchema } from '@tapeline/domain/capital/write-off.schema.ts';
import { daysBetween, fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { add, divide, multiply, round, subtract } from '@tapeline/domain/money/decimal.ts';
import { Fund } from '../../entities/funds.ts';
import { User } from '../../entities/people.ts';
import { callCapital } from '../../operations/capital/contributions.ts';
import { distribute } from '../../operations/capital/distributions.ts';
import { type Position, positionsAt } from '../../operations/capital/figures.ts';
import { createNavs } from '../../operations/capital/navs.ts';
import { createCapitalAccounts } from '../../operations/capital/statements.ts';
import { createWriteOffs } from '../../operations/capital/write-offs.ts';
import type { Session } from '../../store.ts';
import { asManager } from './changes.ts';
import { CREDIT_FUND, EUROPEAN_FUND } from './funds.ts';
import { FIRST_FUND, UPLOADER_EMAIL } from './portfolio.ts';
import { quarterEnds } from './quarter-ends.ts';

/** Amounts in thousands of the fund's currency. */
interface PlannedCall {
  /** Days before the seeding of the cut-off date; negative for a day after it. */
  readonly daysAgo: number;
  readonly investments: number;
  readonly managementFee?: number;
  readonly fundExpenses?: number;
  readonly isDraft?: boolean;
}

interface PlannedDistribution {
  readonly daysAgo: number;
  readonly principal?: number;
  readonly isRecallable?: boolean;
  readonly interest?: number;
  readonly fees?: number;
  readonly tax?: number;
  readonly gains?: number;
  readonly gainsTax?: number;
  readonly isDraft?: boolean;
}

interface FundLife {
  readonly title: string;
  readonly calls: readonly PlannedCall[];
  readonly distributions: readonly PlannedDistribution[];
  readonly writeOffs: readonly { readonly daysAgo: number; readonly amount: number }[];
  /** How many of the latest quarters have net asset values. */
  readonly quarters: number;
  /** What the investments earn a year, in percent of what is called. */
  readonly yieldPercent: string;
}

const LIVES: readonly FundLife[] = [
  {
    title: CREDIT_FUND,
    calls: [
      { daysAgo: 1060, investments: 5_400, managementFee: 350, fundExpenses: 250 },
      { daysAgo: 985, investments: 8_700, managementFee: 300 },
      { daysAgo: 880, investments: 7_600, managementFee: 300, fundExpenses: 100 },
      { daysAgo: 745, investments: 9_700, managementFee: 300 },
      { daysAgo: 560, investments: 11_600, managementFee: 300, fundExpenses: 100 },
      { daysAgo: 370, investments: 7_700, managementFee: 300 },
      { daysAgo: 190, investments: 5_700, managementFee: 300 },
      { daysAgo: 70, investments: 4_600, managementFee: 300, fundExpenses: 100 },
      { daysAgo: 2, investments: 2_900, managementFee: 300 },
      { daysAgo: -20, investments: 700, isDraft: true },
    ],
    distributions: [
      { daysAgo: 700, interest: 620, fees: 45, tax: 18 },
      { daysAgo: 520, principal: 2_000, isRecallable: true, interest: 940, fees: 60, tax: 27 },
      { daysAgo: 335, principal: 3_000, interest: 1_230, fees: 75, tax: 36, gains: 410, gainsTax: 52 },
      { daysAgo: 160, principal: 4_000, isRecallable: true, interest: 1_480, fees: 82, tax: 44 },
      { daysAgo: 55, interest: 1_120, fees: 64, tax: 31 },
      { daysAgo: -25, principal: 1_500, interest: 1_190, fees: 66, tax: 34, isDraft: true },
    ],
    writeOffs: [{ daysAgo: 270, amount: 600 }],
    quarters: 11,
    yieldPercent: '9.2',
  },
  {
    title: EUROPEAN_FUND,
    calls: [
      { daysAgo: 590, investments: 4_150, managementFee: 150, fundExpenses: 200 },
      { daysAgo: 410, investments: 5_850, managementFee: 150 },
      { daysAgo: 230, investments: 4_900, managementFee: 100 },
      { daysAgo: 60, investments: 2_900, managementFee: 100 },
    ],
    distributions: [
      { daysAgo: 300, interest: 310, fees: 25, tax: 12 },
      { daysAgo: 100, principal: 1_000, isRecallable: true, interest: 420, fees: 28, tax: 15 },
    ],
    writeOffs: [],
    quarters: 4,
    yieldPercent: '7.4',
  },
  {
    title: FIRST_FUND,
    calls: [
      { daysAgo: 210, investments: 28_000, managementFee: 900, fundExpenses: 400 },
      { daysAgo: 95, investments: 21_500, managementFee: 450 },
      { daysAgo: 5, investments: 9_600, managementFee: 400 },
    ],
    distributions: [{ daysAgo: 45, interest: 780, fees: 40, tax: 21 }],
    writeOffs: [],
    quarters: 2,
    yieldPercent: '8.8',
  },
];

/** Days between the cut-off date and the due date of a call. */
const NOTICE_DAYS = 16;

const money = (thousands: number, currency: string) => ({ sum: thousands * 1000, currency });

function callBody(fund: Fund, call: PlannedCall, callNumber: string, cutOffDate: string) {
  const { investments, managementFee = 0, fundExpenses = 0 } = call;
  const purposes = [
    { title: 'Investments', kind: 'investments', amount: investments * 1000 },
    { title: 'Management fee', kind: 'managementFee', amount: managementFee * 1000 },
    { title: 'Fund expenses', kind: 'fundExpenses', amount: fundExpenses * 1000 },
  ].filter(({ amount }) => amount > 0);
  return contributionCreateSchema.parse({
    fund: fund.id,
    cutOffDate,
    dueDate: fromEpochDay(toEpochDay(cutOffDate) + NOTICE_DAYS),
    callNumber,
    amount: money(investments + managementFee + fundExpenses, fund.currency),
    callPurposes: purposes,
    status: call.isDraft ? 'Draft' : 'Active',
  });
}

function distributionBody(fund: Fund, planned: PlannedDistribution, callNumber: string, cutOffDate: string) {
  const { principal = 0, interest = 0, fees = 0, tax = 0, gains = 0, gainsTax = 0 } = planned;
  const components = [
    { title: 'Loan interest', actionType: 'INTEREST', amount: interest },
    { title: 'Servicing and administration', actionType: 'INTEREST FEES', amount: fees },
    { title: 'Withholding tax', actionType: 'INTEREST TAX', amount: tax },
    { title: 'Sale of warrants', actionType: 'CG', amount: gains },
    { title: 'Tax on the sale', actionType: 'CG TAX', amount: gainsTax },
  ].filter(({ amount }) => amount > 0);
  return distributionCreateSchema.parse({
    fund: fund.id,
    cutOffDate,
    callNumber,
    distributionKind: principal === 0 ? 'Interest' : 'Interest and Principal',
    principal: money(principal, fund.currency),
    components: components.map((component) => ({ ...component, amount: money(component.amount, fund.currency) })),
    pdfOptions: { recallableDistribution: planned.isRecallable ?? false, capitalGains: gains > 0 },
    status: planned.isDraft ? 'Draft' : 'Active',
  });
}

/** What is left of the capital called, and what it has earned at the fund's yield: on average for half of its time. */
function assetValue(position: Position, yieldPercent: string, days: number): { gross: string; net: string } {
  const left = subtract(subtract(position.called, position.distributed), position.writtenOff);
  const earned = divide(multiply(multiply(position.called, yieldPercent), String(days)), '73000', 4);
  const net = round(add(left, earned), 2);
  return { net, gross: round(multiply(net, '1.018'), 2) };
}

/** Everything that happens to a fund, by day. */
async function liveFund(session: Session, acting: { managerId: string; user: User }, life: FundLife): Promise<void> {
  const { managerId } = acting;
  const fund = await session.em.findOneOrFail(Fund, { managerId, title: life.title });
  const today = toEpochDay(session.now.toISOString().slice(0, 10));
  const day = (daysAgo: number) => fromEpochDay(today - daysAgo);
  const on = (date: string, work: (session: Session) => Promise<unknown>) => {
    const at = date > fromEpochDay(today) ? fromEpochDay(today) : date;
    return asManager(session, { ...acting, at: `${at}T11:05:00.000Z` }, work);
  };
  const numberOf = (place: number) => String(place + 1);
  const events: [date: string, work: (session: Session) => Promise<unknown>][] = [
    ...life.calls.map((call, place): (typeof events)[number] => [
      day(call.daysAgo),
      (acted) => callCapital(acted, callBody(fund, call, numberOf(place), day(call.daysAgo))),
    ]),
    ...life.distributions.map((planned, place): (typeof events)[number] => [
      day(planned.daysAgo),
      (acted) => distribute(acted, [distributionBody(fund, planned, numberOf(place), day(planned.daysAgo))]),
    ]),
    ...life.writeOffs.map(({ daysAgo, amount }): (typeof events)[number] => [
      day(daysAgo),
      (acted) =>
        createWriteOffs(acted, [
          writeOffCreateSchema.parse({ fund: fund.id, cutOffDate: day(daysAgo), amount: money(amount, fund.currency) }),
        ]),
    ]),
  ];
  for (const [date, work] of events.sort(([a], [b]) => (a < b ? -1 : 1))) await on(date, work);
  const first = day(Math.max(...life.calls.map(({ daysAgo }) => daysAgo)));
  const ends = quarterEnds(day(0), life.quarters);
  for (const end of ends) {
    await on(fromEpochDay(toEpochDay(end) + 18), async (acted) => {
      const positions = await positionsAt(acted, { fundId: fund.id, cutOffDate: end });
      await createNavs(
        acted,
        positions.map((position) =>
          navCreateSchema.parse({
            fund: fund.id,
            investor: { id: position.investorId, kind: position.investorKind },
            Class: position.Class,
            cutOffDate: end,
            currency: fund.currency,
            ...assetValue(position, life.yieldPercent, daysBetween(first, end)),
          }),
        ),
      );
    });
  }
  // At the end of each year, and of the latest two quarters.
  for (const end of ends.filter((day, place) => day.endsWith('-12-31') || place >= ends.length - 2)) {
    await on(fromEpochDay(toEpochDay(end) + 25), async (acted) => {
      const positions = await positionsAt(acted, { fundId: fund.id, cutOffDate: end });
      const investors = new Map(positions.map(({ investorId, investorKind }) => [investorId, investorKind]));
      await createCapitalAccounts(
        acted,
        [...investors].map(([id, kind]) => ({
          fund: fund.id,
          investor: { id, kind },
          cutOffDate: end,
          status: 'Active' as const,
        })),
      );
    });
  }
}

/**
 * Three years of calls, distributions, net asset values and statements of the funds of the demonstration's first
 * manager. Requires its funds with their commitments.
 */
export async function seedFundLife(session: Session, managerId: string): Promise<void> {
  const user = await session.em.findOneOrFail(User, { email: UPLOADER_EMAIL });
  for (const life of LIVES) await liveFund(session, { managerId, user }, life);
}
