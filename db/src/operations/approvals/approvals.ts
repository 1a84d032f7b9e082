import type { ApprovalKind } from '@tapeline/domain/approvals/approval-kinds.ts';
import { kindsDecidedBy } from '@tapeline/domain/approvals/approval-permissions.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { totalByCurrency } from '@tapeline/domain/money/totals.ts';
import type { Statement } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import { todayOf } from '../../today.ts';
import { type IssueState, issueStateOf, NEEDS_SECOND_PERSON, nameOf } from '../capital/issue-approval.ts';

/** Whose decision a request waits for, or that it is decided. */
export type ApprovalTab = 'mine' | 'others' | 'decided';

/** Something that waits for a decision, or that was decided. */
export interface Approval {
  readonly kind: ApprovalKind;
  readonly id: string;
  /** The number, code or revision: "9"; the day of what has none: "2026-12-31". */
  readonly number: string;
  /**
   * The document that its page belongs to: the tape of a correction, the transaction of a contract, the investor of a
   * pay-out account; "companies/65f0…" for that of a borrower; the fund of NAVs, or "mainFunds/65f0…"; the certificate of an adjustment.
   */
  readonly parentId: string | null;
  /** The company or the fund; null if the actor cannot see it. */
  readonly party: string | null;
  /** The note or the file. */
  readonly detail: string | null;
  /**
   * By currency; amounts in several currencies are never added up. Of a pay-out account, the next payment to its party, which
   * is due on `due`.
   */
  readonly amounts: Amount[];
  /** Rows of a correction, investors of a call or distribution. */
  readonly count: number | null;
  /** Who asked. */
  readonly by: string | null;
  /** ISO instant: when it was asked. */
  readonly since: string | null;
  readonly due: CalendarDate | null;
  /** The messages of a draw's pending exceptions; the payees of a run who cannot be paid. */
  readonly exceptions: string[];
  /** Whether the tape of a correction is being processed. */
  readonly isProcessing: boolean;
  /** Status of a decided one: "Approved". */
  readonly status: string;
  /** ISO instant, or the day of an issue; null while it waits. */
  readonly decidedAt: string | null;
  /** Null if it is not known. */
  readonly decidedBy: string | null;
  /** Whether somebody else than who prepared it must issue it; null for what is no draft that is issued. */
  readonly secondPerson: IssueState | null;
}

/** Decisions are listed for so many days. Calls and distributions count from the day they were issued. */
export const DECIDED_DAYS = 90;

const NOTE = (table: string) => `(select note.value ->> 'title' from transactions owner
  cross join lateral jsonb_array_elements(owner.notes) as note
  where owner.id = ${table}.transaction_id and note.value ->> 'id' = ${table}.note_id)`;
const RECENT = (column: string) => `${column} >= $2::date - ${DECIDED_DAYS}`;

/** Who chose or confirmed an account, as documents name who changed them. */
const PERSON = (person: string) => `jsonb_build_object('entity', jsonb_build_object('apiName', ${person} ->> 'name'))`;

/** Investors and borrowers with their pay-out accounts; an index knows those with one that waits. */
const PAID = `select id::text as page, id as lp_id, null::object_id as company_id, title, status, payout_accounts from lps
  union all select 'companies/' || id, null, id, name, status, payout_accounts from companies`;
const WAITING = `'[{"confirmedBy": null}]'::jsonb`;
const ISO = (instant: string) => `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The payees of a run whose account is not the one that it was prepared for, or not confirmed. */
const HELD_PAYEES = `coalesce((select jsonb_agg(held.payee ->> 'name') from payment_run_lines held where held.run_id = r.id
  and confirmed_account(held.investor_lp_id, held.company_id, r.currency) is distinct from held.fingerprint), '[]')`;

interface Part {
  /** Columns in the order of `COLUMNS`. */
  readonly columns: string;
  readonly from: string;
  readonly waits: string;
  /** Of those that wait: what somebody else must decide. */
  readonly isForOthers: string;
  readonly isDecided: string;
}

const COLUMNS = `kind, id, number, parent_id, party, detail, amounts, count, created_by, since, due, exceptions,
  is_processing, status, decided_at, changed_by, second_person`;

/** What preparations call each kind that has no header. */
const PREPARED = { writeOff: 'writeOffs', navs: 'navs', statements: 'statements' } as const;

const NEEDED = `coalesce(${NEEDS_SECOND_PERSON('l.amount', 'h.currency')}, false)`;
const OWN = 'coalesce(p.prepared_by = $1, false)';

/** The lines of a call or distribution that the actor can see, with their total. */
const header = (kind: 'call' | 'distribution', table: string, lines: string, day: string, amount: string): Part => ({
  columns: `'${kind}', h.id, h.number, null, f.title, null,
    jsonb_build_array(jsonb_build_object('sum', l.amount::text, 'currency', h.currency)), l.investors,
    coalesce(p.prepared, l.created_by), coalesce(p.submitted ->> 'timestamp', l.since), h.${day}, '[]'::jsonb, false, h.status,
    l.issued_on::text, p.issued, case when h.status = 'Draft' and p.document_id is not null then jsonb_build_object('isNeeded',
      ${NEEDED}, 'prepared', p.prepared, 'preparedBy', p.prepared_by, 'submitted', p.submitted, 'returned', p.returned,
      'reason', p.return_reason) end`,
  from: `${table} h left join funds f on f.id = h.fund_id cross join lateral (
    select sum(t.${amount}) as amount, count(*)::int as investors, min(t.metadata ->> 'iat') as since, max(t.issued_on) as issued_on,
      (array_agg(t.metadata -> 'createdBy' order by t.code))[1] as created_by
    from ${lines} t where t.activity_id = h.id and t.status <> 'Removed') as l
    left join preparations p on p.document_id = h.id left join managers m on m.id = h.manager_id`,
  // What needs a second person waits for who prepared it until it is submitted, and then for all others.
  waits: `h.status = 'Draft' and l.investors > 0 and (not ${NEEDED} or ${OWN} or p.submitted is not null)`,
  isForOthers: `(${NEEDED} and ${OWN} and p.submitted is not null)`,
  isDecided: `h.status in ('Active', 'Closed') and l.investors > 0 and ${RECENT('l.issued_on')}`,
});

const SET_OWN = `p.submitted is not null and ${OWN}`;
const SET_NEEDED = `coalesce(${NEEDS_SECOND_PERSON('i.amount', 'i.currency')}, false)`;

/** What is prepared together and has no header. It is listed where it needs a second person; otherwise its page issues it. */
const set = (
  kind: 'writeOff' | 'navs' | 'statements',
  table: string,
  amount: string,
  mainFund: { id: string; join: string } = { id: 'null', join: '' },
): Part => ({
  columns: `'${kind}', p.document_id, l.day::text, coalesce(f.id, 'mainFunds/' || ${mainFund.id}), ${mainFund.join ? 'coalesce(f.title, g.title)' : 'f.title'}, null,
    case when l.amount is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object('sum', l.amount::text, 'currency', l.currency)) end,
    l.count, p.prepared, coalesce(p.submitted, p.prepared) ->> 'timestamp', null::date, '[]'::jsonb, false,
    case when l.drafts > 0 then 'Draft' else 'Active' end, p.issued ->> 'timestamp', p.issued, case when l.drafts > 0 then jsonb_build_object(
      'isNeeded', ${SET_NEEDED}, 'prepared', p.prepared, 'preparedBy', p.prepared_by, 'submitted', p.submitted,
      'returned', p.returned, 'reason', p.return_reason) end`,
  from: `preparations p join managers m on m.id = p.manager_id cross join lateral (
    select count(*)::int as count, count(*) filter (where t.status = 'Draft')::int as drafts, ${amount} as amount,
      min(t.currency) as currency, min(t.cut_off_date) as day, min(t.fund_id) as fund${mainFund.join ? ', min(t.main_fund_id) as main_fund' : ''}
    from ${table} t where t.activity_id = p.document_id and t.status <> 'Removed') as l
    cross join lateral amount_to_issue(p.kind, p.document_id) as i left join funds f on f.id = l.fund ${mainFund.join}`,
  waits: `p.kind = '${PREPARED[kind]}' and m.second_person -> p.kind ->> 'when' in ('always', 'from')
    and p.document_id = any (array(select distinct d.activity_id from ${table} d where d.status = 'Draft'))
    and l.drafts > 0 and ${SET_NEEDED} and (${OWN} or p.submitted is not null)`,
  isForOthers: `(${SET_OWN})`,
  isDecided: `p.kind = '${PREPARED[kind]}' and p.submitted is not null and l.count > 0 and l.drafts = 0
    and ${RECENT(`(p.issued ->> 'timestamp')::timestamptz`)}`,
});

/** Proposed terms, with the fund and the investor that they are of. */
const terms = (kind: 'fundTerms' | 'investorTerms', from: string, detail: string, owner: string): Part => ({
  columns: `'${kind}', p.document_id, '', f.id, f.title, ${detail}, '[]'::jsonb, null::int, p.prepared,
    coalesce(p.submitted, p.prepared) ->> 'timestamp', null::date, '[]'::jsonb, false,
    case when p.issued is null then 'Proposed' else 'Confirmed' end, p.issued ->> 'timestamp', p.issued, null::jsonb`,
  from: `preparations p ${from}`,
  waits: `p.kind = 'terms' and p.submitted is not null and p.issued is null and ${owner} <> 'Removed'`,
  isForOthers: OWN,
  isDecided: `p.kind = 'terms' and p.submitted is not null and ${RECENT(`(p.issued ->> 'timestamp')::timestamptz`)}`,
});

const PARTS: Readonly<Record<ApprovalKind, Part>> = {
  draw: {
    columns: `'draw', d.id, d.code::text, null, c.name, ${NOTE('d')},
      jsonb_path_query_array(d.draws, '$[*].amounts[*]'), null::int, d.metadata -> 'createdBy', d.metadata ->> 'iat', d.due_date,
      jsonb_path_query_array(d.exceptions, '$[*] ? (@.status == "Pending").exception.message'), false, d.status,
      d.decided_at::text, d.metadata -> 'changedBy', null::jsonb`,
    from: 'draws d left join companies c on c.id = d.company_id',
    waits: `d.status in ('Pending', 'In Review')`,
    // Nobody approves a draw that they requested or last changed.
    isForOthers: `coalesce($1 in (d.requested_by, d.terms_changed_by), false)`,
    isDecided: `d.status in ('Approved', 'Rejected') and ${RECENT('d.decided_at')}`,
  },
  correction: {
    columns: `'correction', p.id, p.code::text, p.tape_id, c.name, t.attachment ->> 'name', '[]'::jsonb, cardinality(p.row_numbers),
      p.metadata -> 'createdBy', p.metadata ->> 'iat', null::date, '[]'::jsonb, t.scheduler_status = 'Processing',
      case p.status when 'Proposed' then 'Accepted' else p.status end, p.decided_at::text, case when p.decided_by is not null then jsonb_build_object('entity', jsonb_build_object('apiName', p.decided_by)) end, null::jsonb`,
    from: `correction_proposals p join loan_tapes t on t.id = p.tape_id left join companies c on c.id = p.company_id`,
    // One that was accepted stays Proposed until its rows are processed.
    waits: `p.status = 'Proposed' and (p.decided_at is null or t.scheduler_status <> 'Processing')`,
    isForOthers: 'false',
    isDecided: `${RECENT('p.decided_at')} and (p.status in ('Accepted', 'Declined')
      or (p.status = 'Proposed' and t.scheduler_status = 'Processing'))`,
  },
  call: header('call', 'capital_calls', 'contributions', 'due_date', 'amount'),
  distribution: header('distribution', 'distribution_events', 'distributions', 'cut_off_date', 'total_distributed'),
  writeOff: set('writeOff', 'write_offs', 'sum(t.amount)'),
  navs: set('navs', 'navs', 'sum(t.net)'),
  statements: set('statements', 'capital_accounts', 'null::numeric', {
    id: 'g.id',
    join: 'left join main_funds g on g.id = l.main_fund',
  }),
  fundTerms: terms('fundTerms', 'join funds f on f.id = p.document_id', 'null', 'f.status'),
  investorTerms: terms(
    'investorTerms',
    `join lp_commitments c on c.id = p.document_id join funds f on f.id = c.fund_id
      left join lps l on l.id = c.investor_lp_id left join funds i on i.id = c.investor_fund_id`,
    'coalesce(l.title, i.title)',
    'c.status',
  ),
  contract: {
    columns: `'contract', k.id, k.revision::text, k.transaction_id, c.name, ${NOTE('k')}, '[]'::jsonb, null::int,
      k.metadata -> 'createdBy', k.metadata ->> 'iat', null::date, '[]'::jsonb, false, k.status, k.activated_at::text,
      k.metadata -> 'changedBy', null::jsonb`,
    from: `contracts k join transactions o on o.id = k.transaction_id and o.status not in ('Removed', 'Closed')
      left join companies c on c.id = k.company_id`,
    waits: `k.status = 'Draft'`,
    isForOthers: 'false',
    isDecided: `k.status in ('Active', 'Closed') and ${RECENT('k.activated_at')}`,
  },
  adjustment: {
    columns: `'adjustment', a.id, a.code::text, b.id, c.name, concat_ws(', ', ${NOTE('b')}, t.attachment ->> 'name'),
      jsonb_build_array(jsonb_build_object('sum', a.amount::text, 'currency', a.currency)), null::int, ${PERSON('a.entered_by')},
      ${ISO('a.entered_at')}, null::date, '[]'::jsonb, false, a.status, ${ISO('a.decided_at')}, ${PERSON('a.decided_by')}, null::jsonb`,
    from: `base_adjustments a join loan_tapes t on t.id = a.tape_id left join companies c on c.id = a.company_id
      join borrowing_bases b on b.tape_id = a.tape_id and b.contract_id = a.contract_id and b.status = 'Active'`,
    waits: `a.status = 'Requested'`,
    // A second person approves it.
    isForOthers: `coalesce(a.entered_by ->> 'id' = $1, false)`,
    isDecided: `a.status in ('Approved', 'Declined') and ${RECENT('a.decided_at')}`,
  },
  waiver: {
    columns: `'waiver', w.id, w.code::text, k.id, c.name, concat_ws(', ', k.title, ${NOTE('k')}), '[]'::jsonb, null::int,
      ${PERSON('w.entered_by')}, ${ISO('w.entered_at')}, null::date, '[]'::jsonb, false, w.status, ${ISO('w.decided_at')},
      ${PERSON('w.decided_by')}, null::jsonb`,
    from: `covenant_waivers w join covenants k on k.id = w.covenant_id and k.status <> 'Removed'
      left join companies c on c.id = w.company_id`,
    waits: `w.status = 'Requested'`,
    // A second person approves it.
    isForOthers: `coalesce(w.entered_by ->> 'id' = $1, false)`,
    isDecided: `w.status in ('Approved', 'Declined') and ${RECENT('w.decided_at')}`,
  },
  payoutAccount: {
    columns: `'payoutAccount', a.id, a.currency, a.page, a.title, concat(a.account, ' …', a.ending), coalesce(n.amounts, '[]'), null::int,
      ${PERSON('a.chosen')}, a.since, n.due_date, '[]'::jsonb, false, a.outcome, a.decided_at, ${PERSON('a.decided')}, null::jsonb`,
    from: `(select l.*, one ->> 'id' as id, one ->> 'currency' as currency, one ->> 'account' as account, one ->> 'ending' as ending,
          one -> 'chosenBy' as chosen, one ->> 'chosenAt' as since, one -> 'confirmedBy' = 'null' as is_open, 'Confirmed' as outcome,
          one ->> 'confirmedAt' as decided_at, one -> 'confirmedBy' as decided
        from (${PAID}) as l cross join lateral jsonb_array_elements(l.payout_accounts) as one
        union all
        select coalesce(i.id, 'companies/' || c.id), i.id, c.id, coalesce(i.title, c.name), coalesce(i.status, c.status), ${WAITING}, r.id, r.currency, r.bank ->> 'title',
          right(coalesce(nullif(r.bank ->> 'IBAN', ''), r.bank ->> 'accountNumber'), 4), r.requested_by, ${ISO('r.requested_at')},
          r.status = 'Requested', r.status, ${ISO('r.decided_at')}, r.decided_by
        from account_requests r left join lps i on i.id = r.investor_lp_id left join companies c on c.id = r.company_id
        where r.status in ('Requested', 'Declined')) as a
      -- What is paid to it next, or held for it.
      left join lateral (select jsonb_build_array(jsonb_build_object('sum', o.open::text, 'currency', o.currency)) as amounts, o.due_date
        from obligations o where o.direction = 'out' and o.open > 0 and o.currency = a.currency
          and (o.investor_lp_id = a.lp_id or o.company_id = a.company_id)
        order by o.due_date, o.document_id limit 1) as n on a.is_open`,
    waits: `a.status <> 'Removed' and a.payout_accounts @> ${WAITING} and a.is_open`,
    // A second person confirms the account.
    isForOthers: `coalesce(a.chosen ->> 'id' = $1, false)`,
    isDecided: `a.status <> 'Removed' and not a.is_open and ${RECENT('a.decided_at::timestamptz')}`,
  },
  paymentRun: {
    // Many accounts are named after their fund.
    columns: `'paymentRun', r.id, r.code::text, null, case when strpos(b.title, f.title) > 0 then b.title else coalesce(f.title, b.title) end,
      case when strpos(b.title, f.title) = 0 then b.title end,
      jsonb_build_array(jsonb_build_object('sum', r.total::text, 'currency', r.currency)), r.count, r.prepared,
      r.prepared ->> 'timestamp', r.execute_on, ${HELD_PAYEES}, false, r.status,
      coalesce(r.released, r.withdrawn) ->> 'timestamp', coalesce(r.released, r.withdrawn), null::jsonb`,
    from: 'payment_runs r join bank_accounts b on b.id = r.bank_account_id left join funds f on f.id = b.fund_id',
    waits: `r.status = 'Prepared'`,
    // Nobody releases what they prepared, or releases it twice.
    isForOthers: `coalesce($1 in (r.prepared #>> '{entity,id}', r.first_released #>> '{entity,id}'), false)`,
    isDecided: `r.status in ('Released', 'Withdrawn') and ${RECENT(`(coalesce(r.released, r.withdrawn) ->> 'timestamp')::timestamptz`)}`,
  },
};

/**
 * What waits or is decided, of one kind. A statement of each kind is the same for everybody, and planned once on a
 * connection; one of all kinds takes PostgreSQL most of a second to plan, for each role and tab.
 */
const found = (kind: ApprovalKind, isDecided: boolean): string => {
  const part = PARTS[kind];
  return `with ${GIVEN}, found (${COLUMNS}, is_for_others) as (
    select ${part.columns}, ${isDecided ? 'false' : part.isForOthers} from ${part.from} where ${isDecided ? part.isDecided : part.waits})`;
};

/** What is due first comes first, then what waits longest; the latest decision first. In every locale, texts are compared by code point. */
const ORDERS = {
  waiting: 'due nulls last, since collate "C", id collate "C"',
  decided: 'decided_at collate "C" desc, id collate "C"',
} as const;

/** $1 and $2 of every statement, which need not use both. */
const GIVEN = 'given as (select $1::text as actor, $2::date as today)';
const givenOf = (session: ReadSession): unknown[] => [
  session.actor.kind === 'user' ? session.actor.userId : null,
  todayOf(session),
];

const SELECTED = `kind, id, number, parent_id as "parentId", party, detail, amounts, count, created_by as "createdBy", since,
  due::text as due, exceptions, is_processing as "isProcessing", status, decided_at as "decidedAt", changed_by as "changedBy",
  second_person as "secondPerson"`;

/** @param values those given, whether for others, and how many at most: all if null */
const waiting = (kind: ApprovalKind, values: readonly unknown[]): Statement => ({
  sql: `${found(kind, false)}
    select count(*) filter (where not is_for_others)::int as mine, count(*) filter (where is_for_others)::int as others,
      count(*) filter (where not is_for_others and due < $2)::int as late,
      count(*) filter (where not is_for_others and due = $2)::int as today,
      count(*) filter (where not is_for_others and due = $2::date + 1)::int as tomorrow,
      (select jsonb_agg(to_jsonb(page)) from (
        select ${SELECTED} from found where is_for_others = $3 order by ${ORDERS.waiting} limit $4) as page) as rows
    from found`,
  values,
  kept: true,
});

/** @param values those given, and how many at most: all if null */
const decided = (kind: ApprovalKind, values: readonly unknown[]): Statement => ({
  sql: `${found(kind, true)}
    select count(*)::int as count, (select jsonb_agg(to_jsonb(page)) from (
      select ${SELECTED} from found order by ${ORDERS.decided} limit $3) as page) as rows
    from found`,
  values,
  kept: true,
});

const byText = (one: string | null, other: string | null): number => {
  if (one === other) return 0;
  // Unknown is last in an ascending order, as in PostgreSQL.
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
};

/** Compares two requests of a tab like `ORDERS`. */
const inOrderOf =
  (tab: ApprovalTab) =>
  (one: Row, other: Row): number =>
    (tab === 'decided'
      ? byText(other.decidedAt, one.decidedAt)
      : byText(one.due, other.due) || byText(one.since, other.since)) || byText(one.id, other.id);

type Row = Omit<Approval, 'by' | 'decidedBy' | 'secondPerson'> & {
  createdBy: ChangedBy | null;
  changedBy: ChangedBy | null;
  secondPerson: Parameters<typeof issueStateOf>[1] | null;
};

const approvalOf = (session: ReadSession, { createdBy, changedBy, secondPerson, ...row }: Row): Approval => ({
  ...row,
  amounts: totalByCurrency(row.amounts),
  exceptions: [...new Set(row.exceptions)],
  by: nameOf(createdBy),
  decidedBy: row.decidedAt === null ? null : nameOf(changedBy),
  secondPerson: secondPerson && issueStateOf(session, secondPerson),
});

const kindsOf = ({ actor }: ReadSession): ApprovalKind[] => (actor.kind === 'user' ? kindsDecidedBy(actor) : []);

/** How many requests wait for the actor's decision. */
export async function countApprovals(session: ReadSession): Promise<number> {
  const kinds = kindsOf(session);
  if (kinds.length === 0) return 0;
  const counted = await session.queries<{ count: number }[][]>(
    kinds.map((kind) => ({
      sql: `with ${GIVEN} select count(*)::int as count from ${PARTS[kind].from}
        where ${PARTS[kind].waits} and not ${PARTS[kind].isForOthers}`,
      values: givenOf(session),
      kept: true,
    })),
  );
  return counted.reduce((sum, [found]) => sum + (found?.count ?? 0), 0);
}

export interface ApprovalQuery {
  readonly tab: ApprovalTab;
  /** All kinds if null. */
  readonly kind: ApprovalKind | null;
}

export interface ApprovalPage {
  readonly approvals: Approval[];
  /** Of each kind that the actor decides, with any of this tab. */
  readonly counts: Partial<Record<ApprovalKind, number>>;
  /** Of all kinds, by tab; decided ones are not counted. */
  readonly tabs: { readonly mine: number; readonly others: number };
  /** Of the asked kind. */
  readonly total: number;
  /** Of those that wait for the actor: due before or on the day of the call, and on the next day. */
  readonly due: { readonly late: number; readonly today: number; readonly tomorrow: number };
}

/** A page of the requests of a tab that the actor can see and decide, with the number of each kind. */
export async function listApprovals(
  session: ReadSession,
  { tab, kind, skip, limit }: ApprovalQuery & { skip: number; limit: number },
): Promise<ApprovalPage> {
  const kinds = kindsOf(session);
  const empty = { approvals: [], counts: {}, tabs: { mine: 0, others: 0 }, total: 0 };
  if (kinds.length === 0) return { ...empty, due: { late: 0, today: 0, tomorrow: 0 } };
  const given = givenOf(session);
  const isShown = (one: ApprovalKind) => kind === null || one === kind;
  /** No page has more of a kind than it has of all. */
  const most = (one: ApprovalKind, isAsked: boolean) => (isAsked && isShown(one) ? skip + limit : 0);
  const isDecided = tab === 'decided';
  const [waits, decisions] = await Promise.all([
    session.queries<[Waiting][]>(kinds.map((one) => waiting(one, [...given, tab === 'others', most(one, !isDecided)]))),
    isDecided ? session.queries<[Decided][]>(kinds.map((one) => decided(one, [...given, most(one, true)]))) : [],
  ]);
  const sumOf = (key: 'mine' | 'others' | 'late' | 'today' | 'tomorrow') =>
    waits.reduce((sum, [one]) => sum + one[key], 0);
  const counted = kinds.map((one, index): [ApprovalKind, number] => [
    one,
    isDecided ? decisions[index]![0].count : waits[index]![0][tab],
  ]);
  const rows = (isDecided ? decisions : waits).flatMap(([one]) => one.rows ?? []).sort(inOrderOf(tab));
  return {
    approvals: rows.slice(skip, skip + limit).map((row) => approvalOf(session, row)),
    counts: Object.fromEntries(counted.filter(([, count]) => count > 0)),
    tabs: { mine: sumOf('mine'), others: sumOf('others') },
    total: counted.reduce((sum, [one, count]) => sum + (isShown(one) ? count : 0), 0),
    due: { late: sumOf('late'), today: sumOf('today'), tomorrow: sumOf('tomorrow') },
  };
}

/** What was decided of one kind: how many, and the latest. */
interface Decided {
  readonly count: number;
  readonly rows: Row[] | null;
}

/** What waits of one kind: how many for whom, how many of the actor's are due when, and the first of the asked tab. */
interface Waiting {
  readonly mine: number;
  readonly others: number;
  readonly late: number;
  readonly today: number;
  readonly tomorrow: number;
  readonly rows: Row[] | null;
}

type Key = Pick<Approval, 'kind' | 'id'>;

/** A request with its index in the list, from 0, and its neighbours. */
export interface PlacedApproval {
  readonly approval: Approval;
  readonly index: number;
  readonly total: number;
  readonly previous: Key | null;
  readonly next: Key | null;
}

/**
 * A request of a tab with its neighbours, in the order of `listApprovals`.
 * @param key the first of the list if null
 * @returns null if the tab has no such request that the actor can see and decide
 */
export async function placeApproval(
  session: ReadSession,
  { tab, kind }: ApprovalQuery,
  key: Key | null,
): Promise<PlacedApproval | null> {
  const kinds = kindsOf(session).filter((one) => kind === null || one === kind);
  if (kinds.length === 0) return null;
  const given = givenOf(session);
  const isDecided = tab === 'decided';
  const listed = await session.queries<[Waiting | Decided][]>(
    kinds.map((one) => (isDecided ? decided(one, [...given, null]) : waiting(one, [...given, tab === 'others', null]))),
  );
  const rows = listed.flatMap(([one]) => one.rows ?? []).sort(inOrderOf(tab));
  const index = key === null ? 0 : rows.findIndex((one) => one.kind === key.kind && one.id === key.id);
  const row = rows[index];
  if (!row) return null;
  const keyAt = (at: number): Key | null => {
    const one = rows[at];
    return one ? { kind: one.kind, id: one.id } : null;
  };
  return {
    approval: approvalOf(session, row),
    index,
    total: rows.length,
    previous: keyAt(index - 1),
    next: keyAt(index + 1),
  };
}

/** A request in whichever tab it is; null if the actor cannot see and decide it. */
export async function findApproval(
  session: ReadSession,
  key: Key,
): Promise<(PlacedApproval & { tab: ApprovalTab }) | null> {
  for (const tab of ['mine', 'others', 'decided'] as const) {
    const placed = await placeApproval(session, { tab, kind: null }, key);
    if (placed) return { ...placed, tab };
  }
  return null;
}
