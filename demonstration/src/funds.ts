import { Fund, LPCommitment } from '@tapeline/db/entities/funds.ts';
import { LP } from '@tapeline/db/entities/people.ts';
import { ServiceProvider } from '@tapeline/db/entities/service-providers.ts';
import { type Position, positionsAt } from '@tapeline/db/operations/capital/figures.ts';
import { createNavs } from '@tapeline/db/operations/capital/navs.ts';
import { createCapitalAccounts } from '@tapeline/db/operations/capital/statements.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { navCreateSchema } from '@tapeline/domain/capital/nav.schema.ts';
import { daysBetween, fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { add, divide, multiply, round, subtract } from '@tapeline/domain/money/decimal.ts';
import { asManager } from './acting.ts';
import { type Call, makeCalls } from './calls.ts';
import { fillIn, type Names, readData } from './data.ts';
import { FIRST_FUND } from './names.ts';
import { quarterEnds } from './quarter-ends.ts';

interface FundLife {
  readonly fund: string;
  readonly calls: readonly Call[];
  /** How many of the latest quarters have net asset values. */
  readonly quarters: number;
  /** What the investments earn a year, in percent of what is called. */
  readonly yieldPercent: string;
}

/**
 * The funds of the demonstration's first manager, with the commitments of its investors over three years, and the main
 * fund of those in US dollars. Requires its organizations and its first fund.
 */
export async function seedFunds(session: Session, managerId: string): Promise<void> {
  const { em } = session;
  const first = await em.findOneOrFail(Fund, { managerId, title: FIRST_FUND });
  const names: Record<string, string> = { [FIRST_FUND]: first.id };
  for (const { title, id } of await em.find(LP, { managerId })) names[title] = id;
  for (const { type, id } of await em.find(ServiceProvider, { managerId })) names[type] ??= id;
  await makeCalls(session, readData<Call[]>('funds'), names, '10:20');
}

/** What is left of the capital called, and what it has earned at the fund's yield: on average for half of its time. */
function assetValue(position: Position, yieldPercent: string, days: number): { gross: string; net: string } {
  const left = subtract(subtract(position.called, position.distributed), position.writtenOff);
  const earned = divide(multiply(multiply(position.called, yieldPercent), String(days)), '73000', 4);
  const net = round(add(left, earned), 2);
  return { net, gross: round(multiply(net, '1.018'), 2) };
}

const LIFE_TIME = '11:05';

/** Net asset values of each quarter, and statements at the end of each year and of the latest two quarters. */
async function valueFund(session: Session, fund: Fund, life: FundLife): Promise<void> {
  const today = todayOf(session);
  const ends = quarterEnds(today, life.quarters);
  const first = fillIn(life.calls[0]?.on ?? today, {}, session.now);
  const after = (end: string, days: number, work: (session: Session) => Promise<void>) => {
    const day = fromEpochDay(Math.min(toEpochDay(end) + days, toEpochDay(today)));
    return asManager(session, `${day}T${LIFE_TIME}:00.000Z`, work);
  };
  for (const end of ends) {
    await after(end, 18, async (acting) => {
      const positions = await positionsAt(acting, { fundId: fund.id, cutOffDate: end });
      await createNavs(
        acting,
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
  for (const end of ends.filter((day, index) => day.endsWith('-12-31') || index >= ends.length - 2)) {
    await after(end, 25, async (acting) => {
      const positions = await positionsAt(acting, { fundId: fund.id, cutOffDate: end });
      const investors = new Map(positions.map(({ investorId, investorKind }) => [investorId, investorKind]));
      await createCapitalAccounts(
        acting,
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
  for (const life of readData<FundLife[]>('fund-lives')) {
    const fund = await session.em.findOneOrFail(Fund, { managerId, title: life.fund });
    const investors = await session.em.find(LP, { managerId });
    const commitments = await session.em.find(LPCommitment, { fundId: fund.id });
    const names: Names = {
      ...Object.fromEntries(investors.map(({ title, id }) => [title, id])),
      ...Object.fromEntries(
        commitments.map(({ id, investorLPId }) => [
          `fund, ${investors.find((investor) => investor.id === investorLPId)?.title}`,
          id,
        ]),
      ),
      fund: fund.id,
    };
    await makeCalls(session, life.calls, names, LIFE_TIME);
    await valueFund(session, fund, life);
  }
}
