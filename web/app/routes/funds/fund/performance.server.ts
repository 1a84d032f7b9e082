import { type FundFees, fundFees, type InvestorFees } from '@tapeline/db/operations/capital/fees.ts';
import { fundPerformance } from '@tapeline/db/operations/capital/performance.ts';
import { feeTermsOfInvestors } from '@tapeline/db/operations/funds/fee-terms.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { PerformancePoint } from '@tapeline/domain/capital/performance.ts';
import { addDays, calendarDateOf, isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { shownReturn } from '@tapeline/domain/returns/shown-return.ts';
import { skipOf } from '../../../components/page/skip.ts';
import { ROWS_PER_TAB } from './tabs.ts';

interface Of {
  readonly fund: {
    readonly id: string;
    readonly currency: string;
    readonly classes: readonly { readonly name: string; readonly uniqueKey: string }[];
  };
  readonly date: string;
}

/** The last quarter that ended by a day, with its last day included. */
function latestQuarter(date: string): { from: string; until: string } {
  const [year = 0, month = 1] = date.split('-').map(Number);
  const quarter = Math.floor((month - 1) / 3);
  const text = (day: Date) => calendarDateOf(day);
  return {
    from: text(new Date(Date.UTC(year, (quarter - 1) * 3, 1))),
    until: text(new Date(Date.UTC(year, quarter * 3, 0))),
  };
}

/** The fees of the period in the address, or what is wrong with the period. */
export async function readTermFees(session: Session, { fund, date }: Of, params: URLSearchParams) {
  const [from, until] = [params.get('from') ?? '', params.get('until') ?? ''];
  const isAsked = from !== '' || until !== '';
  const period = isAsked ? { from, until } : latestQuarter(date);
  if (!(isCalendarDate(period.from) && isCalendarDate(period.until))) {
    return { period, problem: 'Enter the first and the last day', fees: null };
  }
  const to = addDays(period.until, 1);
  try {
    const query = { fundId: fund.id, currency: fund.currency, from: period.from, to, at: date };
    return { period, problem: null, fees: shownFees(await fundFees(session, query), fund, params) };
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'badRequest') throw error;
    return { period, problem: error.message, fees: null };
  }
}

/** A page of whose terms hold for each investor on the day. */
export async function readInvestorTerms(session: Session, { fund, date }: Of, params: URLSearchParams) {
  const all = await feeTermsOfInvestors(session, { fundId: fund.id, at: date });
  const skip = skipOf(params);
  return {
    rows: all.slice(skip, skip + ROWS_PER_TAB),
    count: all.length,
    /** Investors whose terms the calculation of success fees does not follow. */
    calculatedOtherwise: all
      .filter(({ terms }) => terms.success?.rate && (terms.success.perTransaction || terms.success.simple))
      .map(({ title }) => title),
  };
}

function shownFees({ investors, ...fees }: FundFees, { classes }: Of['fund'], params: URLSearchParams) {
  const skip = skipOf(params);
  const asked = params.get('investor');
  const chosen = investors.find(({ commitmentId }) => commitmentId === asked) ?? null;
  return {
    ...fees,
    count: investors.length,
    withSuccess: investors.filter(({ success }) => success !== null).length,
    rows: investors.slice(skip, skip + ROWS_PER_TAB).map(({ management, success, Class, ...one }) => ({
      ...one,
      className: classNameOf(classes, Class),
      amount: management.amount,
      cappedAt: management.cappedAt,
      unknown: management.lines.find(({ amount }) => amount === null)?.explanation ?? null,
      paid: success?.paid.tiers.gp ?? null,
      hasSuccess: success !== null,
      accrued: success?.accrued?.tiers.gp ?? null,
      reason: success?.reason ?? null,
    })),
    // The only investor needs no choice.
    chosen: (chosen ?? (investors.length === 1 ? investors[0] : null)) as InvestorFees | null,
    /** Whether the address asks how the fees come about, of one investor or of all. */
    isExplained: chosen !== null || params.has('waterfall') || investors.length === 1,
    /** Whether only what was paid out is drawn, without the NAV. */
    isPaidOnly: params.get('waterfall') === 'paid',
  };
}

/** A point with its rates as people see them. */
const shownFrom =
  (first: string | undefined) =>
  ({ net, gross, ...point }: PerformancePoint) => ({
    ...point,
    netIrr: shownReturn(net, first, point.date),
    grossIrr: shownReturn(gross, first, point.date),
  });

export type ShownPoint = ReturnType<ReturnType<typeof shownFrom>>;

/** What all investors together were charged in the latest quarter; null if too much is asked for an overview. */
export async function readLatestFees(session: Session, { fund, date }: Of) {
  const { from, until } = latestQuarter(date);
  const to = addDays(until, 1);
  try {
    const fees = await fundFees(session, { fundId: fund.id, currency: fund.currency, from, to, at: date });
    const { known, called, paid } = fees.total;
    return {
      from,
      until,
      management: known.management,
      called,
      paid: paid.gp,
      accrued: known.accrued?.gp ?? null,
      withSuccess: fees.investors.some(({ success }) => success !== null),
    };
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'badRequest') throw error;
    return null;
  }
}

/** The tab Performance: returns with their course and flows. */
export async function readPerformance(session: Session, of: Of, { actor }: { readonly actor: UserActor }) {
  const found = await fundPerformance(session, { fundId: of.fund.id, at: of.date });
  // A flow is the calls or the distributions of a day. The figures are the fund's own.
  const mayReadFlows = can(actor, 'contributions/read') && can(actor, 'distributions/read');
  const shown = shownFrom(found?.flows[0]?.when);
  return {
    performance: found && {
      flows: mayReadFlows ? found.flows : null,
      now: shown(found.now),
      course: found.course.map(shown),
    },
  };
}
