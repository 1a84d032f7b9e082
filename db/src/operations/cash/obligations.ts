import { obligationReference, type ReferencedObligation } from '@tapeline/domain/capital/payment-reference.ts';
import type { DifferenceCreate } from '@tapeline/domain/cash/cash.schema.ts';
import {
  type Age,
  type DifferenceReason,
  type Direction,
  OBLIGATION_KIND_LABELS,
  type ObligationKind,
  type ObligationState,
} from '@tapeline/domain/cash/labels.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { documentSumProblem } from '@tapeline/domain/money/amount.schema.ts';
import { compare, type DecimalText } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { type Actor, can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { requirePermission } from '../permission.ts';
import { type CashParty, partySql } from './parties.ts';

/** What will not be paid, with the reason. */
export interface Difference {
  readonly id: string;
  readonly amount: DecimalText;
  readonly reason: DifferenceReason;
  readonly note: string | null;
  readonly reversedAt: string | null;
  readonly reversalReason: string | null;
}

/** What somebody owes on a day. It is a contribution, a distribution, an approved draw in one currency, or an issued invoice. */
export interface Obligation {
  readonly kind: ObligationKind;
  readonly documentId: string;
  /** `in` is owed to us. */
  readonly direction: Direction;
  readonly fund: { readonly id: string; readonly title: string | null } | null;
  readonly facility: { readonly id: string; readonly title: string | null } | null;
  readonly party: CashParty | null;
  /** The capital call or distribution that it is a part of. */
  readonly activityId: string | null;
  readonly number: string | null;
  /** What whoever pays states. */
  readonly reference: string;
  /** Of a call or distribution that is netted: what is left to pay. */
  readonly amount: DecimalText;
  /** What is settled with the netted call or distribution of that day, and moves no cash. It is on top of the amount. */
  readonly netted: DecimalText;
  readonly currency: string;
  readonly dueDate: CalendarDate;
  readonly allocated: DecimalText;
  readonly difference: DecimalText;
  readonly open: DecimalText;
  /** The funds whose accounts can pay it; null if those of every fund can. */
  readonly fundIds: readonly string[] | null;
  /** The value date of the latest payment. */
  readonly paidOn: CalendarDate | null;
  readonly state: ObligationState;
  readonly daysLate: number;
  readonly differences: readonly Difference[];
}

/** The permission to read what obligations of a kind come from. */
const READ: Readonly<Record<ObligationKind, PermissionKey>> = {
  contribution: 'contributions/read',
  distribution: 'distributions/read',
  draw: 'transactionDraw/read',
  repayment: 'repayments/read',
  invoice: 'repayments/read',
};

export const readableObligations = (actor: Actor): ObligationKind[] =>
  (Object.keys(READ) as ObligationKind[]).filter((kind) => can(actor, READ[kind]));

export interface ObligationQuery {
  readonly kind?: ObligationKind | undefined;
  readonly direction?: Direction | undefined;
  readonly manager?: string | undefined;
  readonly fund?: string | undefined;
  readonly documents?: readonly string[] | undefined;
  /** A call or distribution, or the draw or invoice itself. */
  readonly activity?: string | undefined;
  /** The investor, the fund that invests or the borrower. */
  readonly party?: string | undefined;
  readonly isOpen?: boolean | undefined;
  /** Only what is overdue on this day. */
  readonly overdueOn?: CalendarDate | undefined;
  readonly currency?: string | undefined;
  /** Part of the name of the party, or the number of the call, distribution or draw. A payment reference is in `documents`. */
  readonly search?: string | undefined;
  readonly facility?: string | undefined;
  /** What is open first, the most before the least; otherwise the earliest due first. */
  readonly isOpenFirst?: boolean;
  /** Only what an account of this fund can pay; all for null, which is an account of the manager. */
  readonly accountFund?: string | null | undefined;
  readonly skip?: number;
  readonly limit?: number;
}

interface Row extends Omit<Obligation, 'reference'> {
  readonly referenced: ReferencedObligation | null;
}

/** SQL of what the reference of an obligation `o` is made of, with what it joins; null if the actor cannot see all of it. */
export const REFERENCED = `case when coalesce(f.code, t.code) is not null and coalesce(l.code, i.code, c.code) is not null then
    jsonb_build_object('kind', o.kind, 'number', coalesce(o.number, ''), 'classPlace', (f.class_places ->> o.class)::int,
      'source', jsonb_build_object('title', coalesce(h.issued_title, f.title, t.title), 'code', coalesce(f.code, t.code)),
      'party', jsonb_build_object('kind', case when l.id is not null then 'LP' when i.id is not null then 'fund' else 'company' end,
        'code', coalesce(l.code, i.code, c.code))) end`;
export const REFERENCED_JOINS = `left join lps l on l.id = o.investor_lp_id left join funds i on i.id = o.investor_fund_id
  left join companies c on c.id = o.company_id left join funds f on f.id = o.fund_id
  left join transactions t on t.id = o.transaction_id left join capital_calls h on h.id = o.activity_id`;

const IS_OPEN = 'o.open > 0';
/** What is late is overdue, also if a part of it was paid. @param today the place of the date among the values */
const stateSql = (today: string): string => `case when o.open = 0 then 'paid'
  when o.due_date < ${today}::date then case when o.is_tracked then 'overdue' else 'untracked' end
  when o.allocated > 0 then 'partlyPaid' when o.due_date = ${today}::date then 'due' else 'upcoming' end`;
/** Days since it was due, if it is overdue. */
const daysLateSql = (today: string): string =>
  `case ${stateSql(today)} when 'overdue' then ${today}::date - o.due_date else 0 end`;
/** How late what is open is. */
const ageSql = (today: string): string => `case when ${stateSql(today)} = 'untracked' then 'untracked'
  when ${daysLateSql(today)} = 0 then 'notDue' when ${daysLateSql(today)} <= 30 then 'to30' when ${daysLateSql(today)} <= 60 then 'to60'
  when ${daysLateSql(today)} <= 90 then 'to90' else 'over90' end`;
/** Sums of several obligations in one currency. */
const sumsSql = (today: string): string => {
  const openOf = (state: ObligationState) =>
    `coalesce(sum(o.open) filter (where ${stateSql(today)} = '${state}'), 0)::text`;
  return `sum(o.amount)::text as amount, sum(o.allocated)::text as allocated, sum(o.difference)::text as difference,
    sum(o.open)::text as open, sum(o.netted)::text as netted, ${openOf('overdue')} as overdue, ${openOf('untracked')} as untracked,
    count(*)::int as count, count(*) filter (where ${stateSql(today)} = 'untracked')::int as "untrackedCount"`;
};

const SELECT = `
  select o.state, o."daysLate", o.kind, o.document_id as "documentId", o.direction, o.activity_id as "activityId", o.number, o.amount::text, o.netted::text, o.currency,
    o.due_date::text as "dueDate", o.allocated::text, o.difference::text, o.open::text, o.paid_on::text as "paidOn",
    case when o.fund_id is not null then jsonb_build_object('id', o.fund_id, 'title', f.title) end as fund,
    case when o.transaction_id is not null then jsonb_build_object('id', o.transaction_id, 'title', t.title) end as facility,
    ${partySql('o')} as party, o.fund_ids as "fundIds", ${REFERENCED} as referenced,
    coalesce((select jsonb_agg(jsonb_build_object('id', d.id, 'amount', d.amount::text, 'reason', d.reason, 'note', d.note,
        'reversedAt', d.reversed_at, 'reversalReason', d.reversal_reason) order by d.created_at, d.id)
      from obligation_differences d where d.document_id = o.document_id and d.currency = o.currency), '[]') as differences
  from page o ${REFERENCED_JOINS} order by o.place`;

/** The name of the party. */
const NAMES = `(select title from lps where id = o.investor_lp_id union all select title from funds where id = o.investor_fund_id
  union all select name from companies where id = o.company_id)`;

/** Conditions of a query, and their values. */
function conditionsOf(actor: Actor, query: ObligationQuery): { where: string; values: unknown[] } {
  const values: unknown[] = [readableObligations(actor).filter((kind) => !query.kind || kind === query.kind)];
  const conditions = ['o.kind = any ($1)'];
  const also = (condition: (place: string) => string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  also((place) => `o.direction = ${place}`, query.direction);
  also((place) => `o.manager_id = ${place}`, query.manager);
  also((place) => `o.fund_id = ${place}`, query.fund);
  also((place) => `o.document_id = any (${place})`, query.documents);
  also((place) => `(o.activity_id = ${place} or o.activity_id is null and o.document_id = ${place})`, query.activity);
  also((place) => `o.transaction_id = ${place}`, query.facility);
  also(
    (place) => `(o.number = ${place} or exists (select from ${NAMES} as named (name)
      where strpos(lower(name), lower(${place})) > 0))`,
    query.search?.trim() || undefined,
  );
  also((place) => `${place} in (o.investor_lp_id, o.investor_fund_id, o.company_id)`, query.party);
  also((place) => `o.currency = ${place}`, query.currency);
  also((place) => `account_fits(${place}, o.fund_ids)`, query.accountFund ?? undefined);
  also((place) => `${stateSql(place)} = 'overdue'`, query.overdueOn);
  if (query.isOpen !== undefined) conditions.push(query.isOpen ? IS_OPEN : 'o.open = 0');
  return { where: conditions.join(' and '), values };
}

/** Sums of obligations in one currency. Nothing is added across currencies. */
export interface ObligationSums {
  readonly currency: string;
  readonly count: number;
  readonly amount: DecimalText;
  readonly allocated: DecimalText;
  readonly difference: DecimalText;
  readonly open: DecimalText;
  readonly netted: DecimalText;
  /** Of what is open. */
  readonly overdue: DecimalText;
  /** Of what is open: it was due before an account for it was open, so whether it was paid is unknown. */
  readonly untracked: DecimalText;
  readonly untrackedCount: number;
}

/**
 * The obligations that the actor can see, the earliest due first. The sums are those of all rows of the query, by currency,
 * and `total` is how many rows these are.
 */
export async function listObligations(
  session: ReadSession,
  query: ObligationQuery,
): Promise<{ obligations: Obligation[]; total: number; sums: ObligationSums[] }> {
  const { where, values } = conditionsOf(session.actor, query);
  const today = `$${values.length + 1}`;
  const all = [...values, todayOf(session)];
  const order = `${query.isOpenFirst ? 'o.open desc, ' : ''}o.due_date, o.document_id, o.currency`;
  // Pages show what is overdue and what is owed of some documents, and planning takes ten times as long as reading it.
  const { overdueOn, documents, activity, search } = query;
  const kept = search === undefined && [overdueOn, documents, activity].some((one) => one !== undefined);
  const [sums, rows] = await session.queries<[ObligationSums[], Row[]]>([
    {
      sql: `select o.currency, ${sumsSql(today)} from obligations o where ${where} group by o.currency order by o.currency`,
      values: all,
      kept,
    },
    {
      sql: `with page as materialized (select o.*, ${stateSql(today)} as state, ${daysLateSql(today)} as "daysLate",
         row_number() over (order by ${order}) as place from obligations o
       where ${where} order by ${order} offset $${all.length + 1} limit $${all.length + 2})${SELECT}`,
      values: [...all, query.skip ?? 0, query.limit ?? null],
      kept,
    },
  ]);
  const obligations = rows.map(({ referenced, ...obligation }) => ({
    ...obligation,
    reference: referenced
      ? obligationReference(referenced)
      : `${OBLIGATION_KIND_LABELS[obligation.kind]} ${obligation.number ?? ''}`.trim(),
  }));
  return { obligations, total: sums.reduce((total, { count }) => total + count, 0), sums };
}

/** What is owed by or to the parties of one call, distribution or draw, in one currency. */
export interface OwedActivity extends ObligationSums {
  readonly id: string;
  readonly kind: ObligationKind;
  readonly number: string | null;
  readonly fundId: string | null;
  /** Its fund, or the facility of a draw. */
  readonly sourceTitle: string | null;
  readonly dueDate: CalendarDate;
}

/** What is open in one currency, by how late it is. */
export interface OwedAge {
  readonly age: Age;
  readonly currency: string;
  readonly open: DecimalText;
  readonly count: number;
}

/** What the actor can see of what is owed: by activity, the latest due first, and what is open by age. */
export async function owedBy(
  session: ReadSession,
  query: ObligationQuery,
): Promise<{ activities: OwedActivity[]; ages: OwedAge[] }> {
  const { where, values } = conditionsOf(session.actor, query);
  const today = `$${values.length + 1}`;
  const all = [...values, todayOf(session)];
  const kept = query.search === undefined && query.documents === undefined;
  const [ages, activities] = await session.queries<[OwedAge[], OwedActivity[]]>([
    {
      sql: `select ${ageSql(today)} as age, o.currency, sum(o.open)::text as open, count(*)::int as count
     from obligations o where ${where} and ${IS_OPEN} group by 1, 2 order by 2`,
      values: all,
      kept,
    },
    {
      sql: `select coalesce(o.activity_id, o.document_id) as id, o.kind, o.number, max(o.fund_id) as "fundId", coalesce(max(f.title), max(t.title)) as "sourceTitle", max(o.due_date)::text as "dueDate",
       o.currency, ${sumsSql(today)}
     from obligations o left join funds f on f.id = o.fund_id left join transactions t on t.id = o.transaction_id where ${where}
     group by coalesce(o.activity_id, o.document_id), o.kind, o.number, o.currency order by max(o.due_date) desc, 1`,
      values: all,
      kept,
    },
  ]);
  return { activities, ages };
}

/** One obligation. @throws Refusal notFound */
export async function getObligation(session: ReadSession, id: string, currency: string): Promise<Obligation> {
  const { obligations } = isId(id) ? await listObligations(session, { documents: [id] }) : { obligations: [] };
  const found = obligations.find((one) => one.currency === currency);
  if (!found) throw new Refusal('notFound');
  return found;
}

/** What is closed of an obligation without a payment. */
export interface NewDifference {
  readonly kind: ObligationKind;
  readonly document: string;
  readonly currency: string;
  readonly amount: DecimalText;
  readonly reason: DifferenceReason;
  readonly note?: string | null | undefined;
}

/** Stores differences in the order of their documents. */
export async function insertDifferences(session: Session, differences: readonly NewDifference[]): Promise<void> {
  if (differences.length === 0) return;
  await session.query(
    `insert into obligation_differences (id, obligation_kind, document_id, currency, amount, reason, note)
     select id, kind, document, currency, amount, reason, note
     from jsonb_to_recordset($1::jsonb) as row (id text, kind text, document text, currency text, amount numeric, reason text, note text)
     order by document, currency`,
    [JSON.stringify(differences.map((difference) => ({ id: newId(session.now), ...difference })))],
  );
}

/**
 * Closes what is open of an obligation, or a part of it, although it will not be paid.
 * @throws Refusal forbidden without payments/write; notFound; badRequest for more than is open, and for another currency
 */
export async function closeWithDifference(session: Session, id: string, body: DifferenceCreate): Promise<Obligation> {
  requirePermission(session, 'payments/write');
  const { currency, amount, reason, note } = body;
  const obligation = await getObligation(session, id, currency);
  const problem =
    documentSumProblem(currency, amount) ??
    (compare(amount.sum, obligation.open) > 0
      ? `must be at most the ${writtenAmount({ sum: obligation.open, currency })} that is open`
      : null);
  if (problem) throw new Refusal('badRequest', undefined, { flags: { amount: problem } });
  await insertDifferences(session, [
    { kind: obligation.kind, document: id, currency, amount: amount.sum, reason, note: note || null },
  ]);
  return getObligation(session, id, currency);
}

/** Opens again what was closed with a difference. @throws Refusal forbidden without payments/write; notFound; badRequest if it was already */
export async function reverseDifference(
  session: Session,
  id: string,
  command: { readonly difference: string; readonly reason: string },
): Promise<Obligation> {
  requirePermission(session, 'payments/write');
  const [reversed] = await session.query<{ currency: string }>(
    `update obligation_differences set reversed = change_author(), reversed_at = now(), reversal_reason = $3
     where id = $1 and document_id = $2 returning currency`,
    [command.difference, id, command.reason],
  );
  if (!reversed) throw new Refusal('notFound');
  return getObligation(session, id, reversed.currency);
}
