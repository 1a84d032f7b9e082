import {
  type CapitalFigures,
  capitalFlows,
  type Multiples,
  multiples,
  totalFigures,
} from '@tapeline/domain/capital/capital-figures.ts';
import { type Coverage, coverageOf, type KnownFigures, knownFigures } from '@tapeline/domain/capital/coverage.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { FundFigureQuery } from '@tapeline/domain/funds/fund.schema.ts';
import { compare, type DecimalText, divide, isZero, multiply, round, sum } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { type CurrencyRates, convert } from '@tapeline/domain/money/rates.ts';
import { type DatedFlow, internalRateOfReturn, NO_NAV, type RateOfReturn } from '@tapeline/domain/returns/irr.ts';
import type { Statement } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import { todayOf } from '../../today.ts';
import { currencyRates, ratesByDay } from '../currencies/rates.ts';
import { figureCurrency } from './figure-currency.ts';
import { ledgersOf } from './ledgers.ts';
import { HELD_CALLS, HELD_DISTRIBUTIONS, HELD_NAVS, HELD_WRITE_OFFS } from './transferred-lines.ts';

/** The capital figures of one commitment as of a day, in the currency of its fund. */
export interface Position extends CapitalFigures {
  readonly commitmentId: string;
  readonly fundId: string;
  readonly fundTitle: string;
  readonly Class: string | null;
  readonly investorId: string;
  readonly investorKind: 'fund' | 'LP';
  readonly investorTitle: string;
  readonly currency: string;
  /** The fund is left out of rates of return over several funds. */
  readonly isExcluded: boolean;
}

const ISSUED = `status in ('Active', 'Closed')`;

/** What narrows the figures: each has a place of the statement if it is given. */
type Narrowing = Partial<Record<'fundId' | 'investorId' | 'Class', string | null>>;

/**
 * The figures of every commitment in force on the day ($1) that the actor can see, as `capitalFigures` defines them.
 * Where a fund of the selection invests in another fund of it, the commitment between them is left out, so that nothing
 * counts twice. A net asset value is rolled forward: plus calls due since, less distributions and write-offs since. What
 * has called nothing and has no net asset value is worth zero. Planning it takes far longer than running it, so it is kept, in
 * a text for each way to narrow it.
 */
function positionsOf(at: string, { fundId = null, investorId = null, Class = null }: Narrowing): Statement {
  const values: string[] = [at];
  const narrowed = (expression: string, value: string | null): string =>
    value === null ? '' : `and ${expression} = $${values.push(value)}`;
  const sql = `
  with selected as (
    select id, title, non_recyclable, exclude_from_irr_calculations as is_excluded from funds
    where ${ISSUED} ${narrowed('id', fundId)}
  ), own as (
    select c.id, c.fund_id, f.title, f.is_excluded, c.class, c.currency, c.investor_kind,
      coalesce(c.investor_lp_id, c.investor_fund_id) as investor_id,
      committed_at(c.closing_date, c.active_commitment, c.deltas, $1::date) as committed,
      f.non_recyclable
    from lp_commitments c join selected f on f.id = c.fund_id
    where c.${ISSUED} and c.closing_date <= $1::date
      ${narrowed('coalesce(c.investor_lp_id, c.investor_fund_id)', investorId)}
      ${narrowed('c.class', Class)}
      and (c.investor_fund_id is null or c.investor_fund_id not in (select id from selected))
  ), calls as (
    select d.commitment_id as id, sum(d.amount) filter (where d.due_date <= $1::date) as called,
      sum(d.amount) filter (where d.cut_off_date <= $1::date) as issued
    from ${HELD_CALLS} d where d.commitment_id in (select id from own) group by 1
  ), payments as (
    select own.id, sum(d.total_distributed) as distributed,
      sum(d.principal) filter (where d.is_recallable and $1::date <@ recallable_days(d.paid_on, own.non_recyclable)) as recallable
    from own join ${HELD_DISTRIBUTIONS} d on d.commitment_id = own.id and d.cut_off_date <= $1::date group by 1
  ), losses as (
    select d.commitment_id as id, sum(d.amount) as written_off
    from ${HELD_WRITE_OFFS} d where d.cut_off_date <= $1::date and d.commitment_id in (select id from own) group by 1
  ), valued as (
    select distinct on (n.commitment_id) n.commitment_id as id, n.cut_off_date as day, n.nav_date, n.gross, n.net
    from ${HELD_NAVS} n where n.cut_off_date <= $1::date and n.commitment_id in (select id from own)
    order by n.commitment_id, n.cut_off_date desc
  ), rolled as (
    select valued.id, valued.day, valued.nav_date, valued.gross, valued.net,
      coalesce((select sum(d.amount) from ${HELD_CALLS} d where d.commitment_id = valued.id
        and d.due_date > valued.day and d.due_date <= $1::date), 0)
      - coalesce((select sum(d.total_distributed) from ${HELD_DISTRIBUTIONS} d where d.commitment_id = valued.id
        and d.cut_off_date > valued.day and d.cut_off_date <= $1::date), 0)
      - coalesce((select sum(d.amount) from ${HELD_WRITE_OFFS} d where d.commitment_id = valued.id
        and d.cut_off_date > valued.day and d.cut_off_date <= $1::date), 0) as moved
    from valued
  )
  select own.id as "commitmentId", own.fund_id as "fundId", own.title as "fundTitle", own.is_excluded as "isExcluded",
    own.class as "Class", own.currency, own.investor_kind as "investorKind", own.investor_id as "investorId",
    coalesce(l.title, i.title, '') as "investorTitle", own.committed::text as "activeCommitment",
    coalesce(calls.called, 0)::text as called, coalesce(payments.recallable, 0)::text as "recallableCapital",
    (own.committed - coalesce(calls.issued, 0) + coalesce(payments.recallable, 0))::text as unfunded,
    coalesce(losses.written_off, 0)::text as "writtenOff",
    (coalesce(calls.called, 0) - coalesce(payments.recallable, 0) - coalesce(losses.written_off, 0))::text as "netCapitalCalled",
    coalesce(payments.distributed, 0)::text as distributed,
    coalesce(rolled.net + rolled.moved, nothing.nav)::text as nav,
    coalesce(rolled.gross + rolled.moved, nothing.nav)::text as "grossNav", case when rolled.net is not null then rolled.nav_date end::text as "navDate"
  from own left join calls on calls.id = own.id left join payments on payments.id = own.id
    left join losses on losses.id = own.id left join rolled on rolled.id = own.id
    cross join lateral (select case when coalesce(calls.called, 0) = 0 then 0 end as nav) nothing
    left join lps l on own.investor_kind = 'LP' and l.id = own.investor_id
    left join funds i on own.investor_kind = 'fund' and i.id = own.investor_id
  order by own.fund_id, own.id`;
  return { sql, values, kept: true };
}

/** The visible commitments that a query selects, with the currency and the day of its figures. */
interface Selection {
  readonly positions: readonly Position[];
  /** As `figureCurrency` chooses it. */
  readonly currency: string;
  readonly at: string;
}

async function select(session: ReadSession, query: FundFigureQuery): Promise<Selection> {
  const { fundId = null, investorId = null } = query;
  const at = query.cutOffDate ?? todayOf(session);
  const managerId = session.actor.kind === 'user' ? session.actor.managerId : null;
  const [[fund], [manager], positions] = await session.queries<
    [{ currency: string }[], { currency: string | null }[], Position[]]
  >([
    { sql: `select currency from funds where id = $1 and status <> 'Removed'`, values: [fundId], kept: true },
    {
      sql: `select e.business ->> 'currency' as currency from managers m join entities e on e.id = m.entity_id where m.id = $1`,
      values: [managerId],
      kept: true,
    },
    positionsOf(at, query),
  ]);
  if (fundId !== null && !fund) throw new Refusal('notFound');
  const currency = figureCurrency(session, {
    asked: query.currency,
    fund: fund?.currency,
    investorId,
    manager: manager?.currency,
    currencies: positions.map((position) => position.currency),
  });
  return { positions, currency, at };
}

/**
 * The figures of every visible commitment as of a day.
 * @throws Refusal notFound for a fund that the actor cannot see
 */
export async function positionsAt(session: ReadSession, query: FundFigureQuery): Promise<readonly Position[]> {
  return (await select(session, query)).positions;
}

const AMOUNTS = [
  'activeCommitment',
  'called',
  'unfunded',
  'recallableCapital',
  'writtenOff',
  'netCapitalCalled',
  'distributed',
] as const;

/** A position in another currency, not rounded yet. */
function positionIn(position: Position, currency: string, { rates }: Pick<CurrencyRates, 'rates'>): Position {
  if (position.currency === currency) return position;
  const known = (amount: DecimalText): DecimalText => convert(amount, position.currency, currency, rates).sum;
  const converted = Object.fromEntries(AMOUNTS.map((name) => [name, known(position[name])])) as Record<
    (typeof AMOUNTS)[number],
    DecimalText
  >;
  return {
    ...position,
    ...converted,
    nav: position.nav === null ? null : known(position.nav),
    grossNav: position.grossNav === null ? null : known(position.grossNav),
    currency,
  };
}

/** Figures in one currency, and the day of the rates that they were converted at; null if nothing was converted. */
interface Converted {
  readonly positions: readonly Position[];
  readonly currency: string;
  readonly ratesDate: string | null;
}

async function converted(session: ReadSession, { positions, currency, at }: Selection): Promise<Converted> {
  if (positions.every((position) => position.currency === currency)) return { positions, currency, ratesDate: null };
  const rates = await currencyRates(session, { on: at });
  return {
    positions: positions.map((position) => positionIn(position, currency, rates)),
    currency,
    ratesDate: rates.lastUpdate,
  };
}

const convertedPositions = async (session: ReadSession, query: FundFigureQuery): Promise<Converted> =>
  converted(session, await select(session, query));

const rounded = <Figures extends CapitalFigures>(figures: Figures, currency: string): Figures => {
  const digits = minorUnitDigits(currency);
  return {
    ...figures,
    ...(Object.fromEntries(AMOUNTS.map((name) => [name, round(figures[name], digits)])) as Pick<
      CapitalFigures,
      (typeof AMOUNTS)[number]
    >),
    nav: figures.nav === null ? null : round(figures.nav, digits),
    grossNav: figures.grossNav === null ? null : round(figures.grossNav, digits),
  };
};

/** Capital figures of a selection of funds, investors and classes. */
export interface SelectionFigures extends CapitalFigures, Multiples {
  currency: string;
  cutOffDate: string;
  /** The day of the rates; null if nothing was converted. */
  ratesDate: string | null;
  /** Which funds or investors have a net asset value. */
  coverage: Coverage;
}

/**
 * The exact capital figures of everything that the query selects, as of its day: without the net asset value of one, that
 * of all is null.
 * @throws Refusal notFound
 */
export async function selectionFigures(session: ReadSession, query: FundFigureQuery): Promise<SelectionFigures> {
  const selection = await select(session, query);
  const { positions, currency, ratesDate } = await converted(session, selection);
  const total = totalFigures(positions);
  const { coverage } = coverageOf(positions);
  return { ...rounded(total, currency), ...multiples(total), currency, cutOffDate: selection.at, ratesDate, coverage };
}

/**
 * The capital figures and the returns of what the query selects, as screens show them: the net asset value, multiples and
 * returns are those of the parts that have a value, which the coverage names.
 * @throws Refusal notFound
 */
export async function selectionPerformance(
  session: ReadSession,
  query: FundFigureQuery,
): Promise<{ figures: SelectionFigures; returns: ReturnFigures }> {
  const selection = await select(session, query);
  const { positions, currency, ratesDate } = await converted(session, selection);
  const figures = rounded(knownFigures(positions), currency);
  const { known } = coverageOf(selection.positions);
  return {
    figures: { ...figures, currency, cutOffDate: selection.at, ratesDate },
    returns: await returnsOf(session, query, {
      ...selection,
      positions: known.length === 0 ? selection.positions : known,
    }),
  };
}

/** The figures of each fund, in one currency, as screens show them. */
export async function figuresByFund(
  session: ReadSession,
  query: FundFigureQuery,
): Promise<{ id: string; title: string; currency: string; figures: KnownFigures }[]> {
  const { positions, currency } = await convertedPositions(session, query);
  return [...Map.groupBy(positions, ({ fundId }) => fundId)]
    .map(([id, own]) => ({ id, title: own[0]!.fundTitle, currency, figures: rounded(knownFigures(own), currency) }))
    .sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
}

/** A fund or an investor with its share of all. */
export interface Ranked {
  id: string;
  title: string;
  currency: string;
  amount: DecimalText;
  /** Percent of the total. */
  percentage: DecimalText;
}

const PERCENT_DIGITS = 8;

function ranked(groups: readonly { id: string; title: string; amount: DecimalText }[], currency: string): Ranked[] {
  const whole = sum(groups.map(({ amount }) => amount));
  return groups
    .filter(({ amount }) => !isZero(amount))
    .map((group) => ({
      ...group,
      currency,
      amount: round(group.amount, minorUnitDigits(currency)),
      percentage: isZero(whole) ? '0' : divide(multiply(group.amount, '100'), whole, PERCENT_DIGITS),
    }))
    .sort((a, b) => compare(b.amount, a.amount) || (a.title < b.title ? -1 : 1));
}

/** The funds by the capital that was called for them, the largest first. */
export async function topDeployedFunds(session: ReadSession, query: FundFigureQuery): Promise<Ranked[]> {
  const { positions, currency } = await convertedPositions(session, query);
  const groups = [...Map.groupBy(positions, ({ fundId }) => fundId)].map(([id, own]) => ({
    id,
    title: own[0]!.fundTitle,
    amount: sum(own.map(({ called }) => called)),
  }));
  return ranked(groups, currency);
}

/** The investors by their commitments, the largest first. */
export async function topFundInvestors(session: ReadSession, query: FundFigureQuery): Promise<Ranked[]> {
  const { positions, currency } = await convertedPositions(session, query);
  const groups = [...Map.groupBy(positions, ({ investorId }) => investorId)].map(([id, own]) => ({
    id,
    title: own[0]!.investorTitle,
    amount: sum(own.map(({ activeCommitment }) => activeCommitment)),
  }));
  return ranked(groups, currency);
}

export interface ReturnFigures {
  gross: RateOfReturn;
  net: RateOfReturn;
  cutOffDate: string;
  /** The net asset value at the end; null if it is unknown. */
  navSum: DecimalText | null;
  /** Which funds or investors have a net asset value. */
  coverage: Coverage;
  currency: string;
  /** The net flows, by day, with the net asset value as the last. */
  items: DatedFlow[];
}

/**
 * The gross and net internal rates of return of what the query selects. Over several currencies, each flow converts at
 * the rates of its own day. Funds with `excludeFromIRRCalculations` count only when they are asked for alone.
 * @throws Refusal notFound
 */
export const selectionReturns = async (session: ReadSession, query: FundFigureQuery): Promise<ReturnFigures> =>
  returnsOf(session, query, await select(session, query));

async function returnsOf(
  session: ReadSession,
  { fundId }: FundFigureQuery,
  { positions: all, currency, at }: Selection,
): Promise<ReturnFigures> {
  const positions = fundId ? all : all.filter(({ isExcluded }) => !isExcluded);
  const ledgers = await ledgersOf(
    session,
    positions.map(({ commitmentId }) => commitmentId),
  );
  const flows: Record<'gross' | 'net', (DatedFlow & { in: string })[]> = { gross: [], net: [] };
  for (const side of ['gross', 'net'] as const) {
    for (const position of positions) {
      const ledger = ledgers.get(position.commitmentId);
      if (!ledger) continue;
      for (const flow of capitalFlows(ledger, at, side)) flows[side].push({ ...flow, in: position.currency });
      const nav = side === 'net' ? position.nav : position.grossNav;
      if (nav !== null) flows[side].push({ when: at, amount: nav, in: position.currency });
    }
  }
  const foreign = [...flows.gross, ...flows.net].filter((flow) => flow.in !== currency);
  const tables = await ratesByDay(session, {
    days: [...new Set(foreign.map(({ when }) => when))],
    currencies: [...new Set([currency, ...foreign.map((flow) => flow.in)])],
  });
  const inCurrency = (flow: DatedFlow & { in: string }): DatedFlow => ({
    when: flow.when,
    amount:
      flow.in === currency ? flow.amount : convert(flow.amount, flow.in, currency, tables.get(flow.when)!.rates).sum,
  });
  const { nav } = totalFigures(positions);
  const inOne = { gross: flows.gross.map(inCurrency), net: flows.net.map(inCurrency) };
  const { coverage } = coverageOf(positions);
  const result = { cutOffDate: at, currency, items: byDay(inOne.net, minorUnitDigits(currency)), coverage };
  if (nav === null) {
    const unknown = { rate: null, reason: NO_NAV };
    return { ...result, gross: unknown, net: unknown, navSum: null };
  }
  const valued = positions.map((position) =>
    inCurrency({ when: at, amount: position.nav ?? '0', in: position.currency }),
  );
  return {
    ...result,
    gross: internalRateOfReturn(inOne.gross),
    net: internalRateOfReturn(inOne.net),
    navSum: round(sum(valued.map(({ amount }) => amount)), minorUnitDigits(currency)),
  };
}

/** Flows of one day and direction added up, in the order of the days. */
function byDay(flows: readonly DatedFlow[], digits: number): DatedFlow[] {
  const groups = Map.groupBy(flows, ({ when, amount }) => `${when} ${amount.startsWith('-') ? 0 : 1}`);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => ({ when: own[0]!.when, amount: round(sum(own.map(({ amount }) => amount)), digits) }))
    .filter(({ amount }) => !isZero(amount));
}
