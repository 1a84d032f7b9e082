import {
  type CapitalFigures,
  capitalFlows,
  type Multiples,
  multiples,
  totalFigures,
} from '@tapeline/domain/capital/capital-figures.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { FundFigureQuery } from '@tapeline/domain/funds/fund.schema.ts';
import { minorUnitDigits } from '@tapeline/domain/money/currencies.ts';
import { compare, type DecimalText, divide, isZero, multiply, round, sum } from '@tapeline/domain/money/decimal.ts';
import { type CurrencyRates, convert } from '@tapeline/domain/money/rates.ts';
import { type DatedFlow, internalRateOfReturn, NO_NAV } from '@tapeline/domain/returns/irr.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { currencyRates } from '../currencies/rates.ts';
import { ledgersOf } from './ledgers.ts';
import { today } from './notices.ts';

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

/**
 * The figures of every commitment in force on the day ($1) that the actor can see, as `capitalFigures` defines them.
 * Where a fund of the selection invests in another fund of it, the commitment between them is left out, so that nothing
 * counts twice. A net asset value is rolled forward: plus calls due since, less distributions and write-offs since.
 */
const POSITIONS = `
  with selected as (
    select id, title, non_recyclable, exclude_from_irr_calculations as is_excluded from funds
    where ${ISSUED} and ($2::text is null or id = $2)
  ), own as (
    select c.id, c.fund_id, f.title, f.is_excluded, c.class, c.currency, c.investor_kind,
      coalesce(c.investor_lp_id, c.investor_fund_id) as investor_id,
      committed_at(c.closing_date, c.active_commitment, c.deltas, $1::date) as committed,
      (f.non_recyclable ->> 'declerationDate')::date as declared,
      coalesce((f.non_recyclable ->> 'fromBeginning')::boolean, false) as from_beginning
    from lp_commitments c join selected f on f.id = c.fund_id
    where c.${ISSUED} and c.closing_date <= $1::date
      and ($3::text is null or coalesce(c.investor_lp_id, c.investor_fund_id) = $3)
      and ($4::text is null or c.class = $4)
      and (c.investor_fund_id is null or c.investor_fund_id not in (select id from selected))
  ), calls as (
    select d.commitment_id as id, sum(d.amount) filter (where d.due_date <= $1::date) as called,
      sum(d.amount) filter (where d.cut_off_date <= $1::date) as issued
    from contributions d where d.${ISSUED} and d.commitment_id in (select id from own) group by 1
  ), payments as (
    select own.id, sum(d.total_distributed) as distributed,
      sum(d.principal) filter (where d.is_recallable and (own.declared is null
        or (d.cut_off_date < own.declared and not (own.from_beginning and own.declared <= $1::date)))) as recallable
    from own join distributions d on d.commitment_id = own.id and d.${ISSUED} and d.cut_off_date <= $1::date group by 1
  ), losses as (
    select d.commitment_id as id, sum(d.amount) as written_off
    from write_offs d where d.${ISSUED} and d.cut_off_date <= $1::date and d.commitment_id in (select id from own) group by 1
  ), valued as (
    select distinct on (n.commitment_id) n.commitment_id as id, n.cut_off_date as day, n.gross, n.net
    from navs n where n.${ISSUED} and n.cut_off_date <= $1::date and n.commitment_id in (select id from own)
    order by n.commitment_id, n.cut_off_date desc
  ), rolled as (
    select valued.id, valued.day, valued.gross, valued.net,
      coalesce((select sum(d.amount) from contributions d where d.commitment_id = valued.id and d.${ISSUED}
        and d.due_date > valued.day and d.due_date <= $1::date), 0)
      - coalesce((select sum(d.total_distributed) from distributions d where d.commitment_id = valued.id and d.${ISSUED}
        and d.cut_off_date > valued.day and d.cut_off_date <= $1::date), 0)
      - coalesce((select sum(d.amount) from write_offs d where d.commitment_id = valued.id and d.${ISSUED}
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
    (rolled.net + rolled.moved)::text as nav, (rolled.gross + rolled.moved)::text as "grossNav", rolled.day::text as "navDate"
  from own left join calls on calls.id = own.id left join payments on payments.id = own.id
    left join losses on losses.id = own.id left join rolled on rolled.id = own.id
    left join lps l on own.investor_kind = 'LP' and l.id = own.investor_id
    left join funds i on own.investor_kind = 'fund' and i.id = own.investor_id
  order by own.fund_id, own.id`;

/** The day of a query: today if it names none. */
const dayOf = (session: Pick<ReadSession, 'now'>, { cutOffDate }: FundFigureQuery): string =>
  cutOffDate ?? today(session);

/**
 * The figures of every visible commitment as of a day.
 * @throws Refusal notFound for a fund that the actor cannot see
 */
export async function positionsAt(session: ReadSession, query: FundFigureQuery): Promise<Position[]> {
  const { fundId, investorId, Class } = query;
  if (fundId) {
    const [fund] = await session.query(`select from funds where id = $1 and status <> 'Removed'`, [fundId]);
    if (!fund) throw new Refusal('notFound');
  }
  return session.query<Position>(POSITIONS, [dayOf(session, query), fundId ?? null, investorId ?? null, Class ?? null]);
}

/**
 * The currency of a figure: the one asked for; otherwise that of the only fund, or else of the manager, or USD.
 */
async function currencyOf(session: Session, query: FundFigureQuery): Promise<string> {
  if (query.currency) return query.currency;
  if (query.fundId) {
    const [fund] = await session.query<{ currency: string }>('select currency from funds where id = $1', [
      query.fundId,
    ]);
    if (fund) return fund.currency;
  }
  const managerId = session.actor.kind === 'user' ? session.actor.managerId : null;
  const [manager] = managerId
    ? await session.query<{ currency: string | null }>(
        `select e.business ->> 'currency' as currency from managers m join entities e on e.id = m.entity_id where m.id = $1`,
        [managerId],
      )
    : [];
  return manager?.currency ?? 'USD';
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
  positions: Position[];
  currency: string;
  ratesDate: string | null;
}

async function convertedPositions(session: Session, query: FundFigureQuery): Promise<Converted> {
  const positions = await positionsAt(session, query);
  const currency = await currencyOf(session, query);
  if (positions.every((position) => position.currency === currency)) return { positions, currency, ratesDate: null };
  const rates = await currencyRates(session, { on: dayOf(session, query) });
  return {
    positions: positions.map((position) => positionIn(position, currency, rates)),
    currency,
    ratesDate: rates.lastUpdate,
  };
}

const rounded = (figures: CapitalFigures, currency: string): CapitalFigures => {
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
}

/** The capital figures of everything that the query selects, as of its day. @throws Refusal notFound */
export async function selectionFigures(session: Session, query: FundFigureQuery): Promise<SelectionFigures> {
  const { positions, currency, ratesDate } = await convertedPositions(session, query);
  const total = totalFigures(positions);
  return {
    ...rounded(total, currency),
    ...multiples(total),
    currency,
    cutOffDate: dayOf(session, query),
    ratesDate,
  };
}

/** The figures of each fund, in one currency. */
export async function figuresByFund(
  session: Session,
  query: FundFigureQuery,
): Promise<{ id: string; title: string; currency: string; figures: CapitalFigures }[]> {
  const { positions, currency } = await convertedPositions(session, query);
  return [...Map.groupBy(positions, ({ fundId }) => fundId)]
    .map(([id, own]) => ({ id, title: own[0]!.fundTitle, currency, figures: rounded(totalFigures(own), currency) }))
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
export async function topDeployedFunds(session: Session, query: FundFigureQuery): Promise<Ranked[]> {
  const { positions, currency } = await convertedPositions(session, query);
  const groups = [...Map.groupBy(positions, ({ fundId }) => fundId)].map(([id, own]) => ({
    id,
    title: own[0]!.fundTitle,
    amount: sum(own.map(({ called }) => called)),
  }));
  return ranked(groups, currency);
}

/** The investors by their commitments, the largest first. */
export async function topFundInvestors(session: Session, query: FundFigureQuery): Promise<Ranked[]> {
  const { positions, currency } = await convertedPositions(session, query);
  const groups = [...Map.groupBy(positions, ({ investorId }) => investorId)].map(([id, own]) => ({
    id,
    title: own[0]!.investorTitle,
    amount: sum(own.map(({ activeCommitment }) => activeCommitment)),
  }));
  return ranked(groups, currency);
}

/** Internal rates of return, as fractions; null with the reason. */
export interface ReturnFigures {
  gross: number | null;
  net: number | null;
  reason: string | null;
  cutOffDate: string;
  /** The net asset value at the end; null if it is unknown. */
  navSum: DecimalText | null;
  currency: string;
  /** The net flows, by day, with the net asset value as the last. */
  items: DatedFlow[];
}

/**
 * The gross and net internal rates of return of what the query selects. Over several currencies, each flow converts at
 * the rates of its own day. Funds with `excludeFromIRRCalculations` count only when they are asked for alone.
 * @throws Refusal notFound
 */
export async function selectionReturns(session: Session, query: FundFigureQuery): Promise<ReturnFigures> {
  const at = dayOf(session, query);
  const all = await positionsAt(session, query);
  const positions = query.fundId ? all : all.filter(({ isExcluded }) => !isExcluded);
  const currency = await currencyOf(session, query);
  const ledgers = await ledgersOf(
    session,
    positions.map(({ commitmentId }) => commitmentId),
  );
  const flows = { gross: [] as (DatedFlow & { in: string })[], net: [] as (DatedFlow & { in: string })[] };
  for (const side of ['gross', 'net'] as const) {
    for (const position of positions) {
      const ledger = ledgers.get(position.commitmentId);
      if (!ledger) continue;
      for (const flow of capitalFlows(ledger, at, side)) flows[side].push({ ...flow, in: position.currency });
      const nav = side === 'net' ? position.nav : position.grossNav;
      if (nav !== null) flows[side].push({ when: at, amount: nav, in: position.currency });
    }
  }
  const days = new Set([...flows.gross, ...flows.net].filter((flow) => flow.in !== currency).map(({ when }) => when));
  const tables = await ratesOnDays(session, days);
  const inCurrency = (flow: DatedFlow & { in: string }): DatedFlow => ({
    when: flow.when,
    amount:
      flow.in === currency ? flow.amount : convert(flow.amount, flow.in, currency, tables.get(flow.when)!.rates).sum,
  });
  const { nav } = totalFigures(positions);
  const converted = { gross: flows.gross.map(inCurrency), net: flows.net.map(inCurrency) };
  const result = { cutOffDate: at, currency, items: byDay(converted.net, minorUnitDigits(currency)) };
  if (nav === null) return { ...result, gross: null, net: null, reason: NO_NAV, navSum: null };
  const gross = internalRateOfReturn(converted.gross);
  const net = internalRateOfReturn(converted.net);
  const valued = positions.map((position) =>
    inCurrency({ when: at, amount: position.nav ?? '0', in: position.currency }),
  );
  return {
    ...result,
    gross: gross.rate,
    net: net.rate,
    reason: net.reason ?? gross.reason ?? null,
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

/** The rates in force on each day. */
async function ratesOnDays(session: Session, days: ReadonlySet<string>): Promise<Map<string, CurrencyRates>> {
  const tables = new Map<string, CurrencyRates>();
  for (const day of [...days].sort()) tables.set(day, await currencyRates(session, { on: day }));
  return tables;
}
