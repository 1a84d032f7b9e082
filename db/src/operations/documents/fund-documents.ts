import { can } from '@tapeline/domain/people/actor.ts';
import type { ReadSession } from '../../read-session.ts';

export const FUND_DOCUMENT_KINDS = ['report', 'statement', 'call', 'distribution'] as const;
export type FundDocumentKind = (typeof FUND_DOCUMENT_KINDS)[number];

/** A document of a fund that is a file, or becomes one: a report, a statement or a notice. */
export interface FundDocument {
  id: string;
  kind: FundDocumentKind;
  version: number;
  status: string;
  Class: string | null;
  cutOffDate: string;
  /** Of the document; the main fund if it is about all its members. */
  fund: string;
  /** Whom a statement or a notice is for. */
  investor: string | null;
  /** Whether the figures of a statement are stored, and not only its file. */
  isComputed: boolean;
  /** Null until a worker has made the file. */
  file: { id: string; name: string; size: number; type: string } | null;
  /** Why no file could be made. */
  problem: string | null;
  /** What it is one of: a call, a distribution, or the statements of a day. A report is on its own. */
  event: {
    readonly key: string;
    /** The number of a call or distribution. */
    readonly number: string | null;
    /** All its documents that the actor can see, on whichever page. */
    readonly count: number;
  };
}

/** What the documents belong to: a fund with its main fund, a main fund, investors, or anything that the actor can see. */
export interface DocumentScope {
  readonly fundId?: string | null;
  readonly mainFundId?: string | null;
  /** With the reports of the funds and classes that the investors are in. */
  readonly investorIds?: readonly string[];
  readonly isEverything?: boolean;
}

const SHARED = 'id, version, status, class, cut_off_date, code, file_id, fund_id';
const NOTICE = `${SHARED}, null as main_fund_id, file_problem, investor_lp_id as lp, investor_fund_id as fund,
  false as computed, activity_id as event, call_number as number`;
const KINDS: Readonly<Record<FundDocumentKind, string>> = {
  report: `select 'report' as kind, ${SHARED}, main_fund_id, null as file_problem,
    null as lp, null as fund, false as computed, id as event, null as number from reports, asked
    where status <> 'Removed' and (of_everything or fund_id = of_fund or main_fund_id = of_main_fund or exists (
      select from lp_commitments c join funds f on f.id = c.fund_id
      where c.investor_lp_id = any (of_investors) and c.status in ('Active', 'Closed')
        and (reports.class is null or c.class = reports.class)
        and (f.id = reports.fund_id or f.main_fund_id = reports.main_fund_id)))`,
  statement: `select 'statement' as kind, ${SHARED}, main_fund_id, file_problem,
    investor_lp_id as lp, investor_fund_id as fund, statement is not null as computed,
    coalesce(fund_id, main_fund_id) as event, null as number from capital_accounts, asked
    where status <> 'Removed' and (of_everything or fund_id = of_fund or main_fund_id = of_main_fund or investor_lp_id = any (of_investors))`,
  call: `select 'call' as kind, ${NOTICE} from contributions, asked
    where status <> 'Removed' and (of_everything or fund_id = of_fund or investor_lp_id = any (of_investors)) and file_id is not null`,
  distribution: `select 'distribution' as kind, ${NOTICE} from distributions, asked
    where status <> 'Removed' and (of_everything or fund_id = of_fund or investor_lp_id = any (of_investors)) and file_id is not null`,
};

/** What the actor has to read to see documents of this kind. */
const PERMISSIONS = {
  report: 'funds/read',
  statement: 'funds/read',
  call: 'contributions/read',
  distribution: 'distributions/read',
} as const;

export const fundKindsOf = ({ actor }: Pick<ReadSession, 'actor'>): FundDocumentKind[] =>
  FUND_DOCUMENT_KINDS.filter((kind) => can(actor, PERMISSIONS[kind]));

/** Documents of one kind and date: the notices of a call, the statements of a quarter, or one report. */
export interface DocumentEvent {
  readonly kind: FundDocumentKind;
  readonly cutOffDate: string;
  readonly count: number;
  /** The file, if there is exactly one. */
  readonly fileId: string | null;
}

const ORDER = 'd.cut_off_date desc, d.kind, d.event desc, d.code desc, d.id';

/** The latest documents with a file, as events, and the number of all documents. */
export async function latestDocumentEvents(
  session: ReadSession,
  { fundId = null, mainFundId = null }: Pick<DocumentScope, 'fundId' | 'mainFundId'>,
  { limit }: { limit: number },
): Promise<{ events: DocumentEvent[]; total: number }> {
  const kinds = fundKindsOf(session).map((kind) => KINDS[kind]);
  if (kinds.length === 0) return { events: [], total: 0 };
  const rows = await session.query<DocumentEvent & { total: number }>(
    `with asked as (select $1::text as of_fund, $2::text as of_main_fund, '{}'::text[] as of_investors, false as of_everything)
     select d.kind, d.cut_off_date::text as "cutOffDate", count(*)::int as count,
       case when count(*) = 1 then min(d.file_id) end as "fileId", (sum(count(*)) over ())::int as total
     from (${kinds.join(' union all ')}) d where d.file_id is not null
     group by d.kind, d.cut_off_date, case when d.kind = 'report' then d.id end
     order by d.cut_off_date desc, d.kind limit $3`,
    [fundId, mainFundId, limit],
  );
  return { events: rows.map(({ total: _, ...event }) => event), total: rows[0]?.total ?? 0 };
}

/** Whether the actor has yet to read the document `d`, which can be read. */
const UNREAD = `(d.file_id is not null and not exists (select from activities a
  where a.user_id = (select actor_user()) and a.document_id = d.id))`;

/** How the documents of a scope are listed. */
interface DocumentPage {
  readonly skip: number;
  readonly limit: number;
  readonly kind?: FundDocumentKind | null;
  /** Those that the actor has not read come first, and are counted. */
  readonly unreadFirst?: boolean;
}

/**
 * A page of the visible documents of a fund and its main fund, of a main fund, of investors or of all, the latest first.
 * The documents of an event follow one another, unless some of them are unread.
 * @returns `total` of the asked kind or of all, `unread` how many of them the actor has not read, `drafts` the reports and
 *   statements that are drafts; `kinds` those of which there is a document
 */
export async function listFundDocuments(
  session: ReadSession,
  { fundId = null, mainFundId = null, investorIds = [], isEverything = false }: DocumentScope,
  page: DocumentPage,
): Promise<{ documents: FundDocument[]; total: number; unread: number; drafts: number; kinds: FundDocumentKind[] }> {
  const kinds = fundKindsOf(session);
  if (kinds.length === 0) return { documents: [], total: 0, unread: 0, drafts: 0, kinds: [] };
  const of = [fundId, mainFundId, [...investorIds], isEverything];
  const asked =
    'with asked as (select $1::text as of_fund, $2::text as of_main_fund, $3::text[] as of_investors, $4::boolean as of_everything)';
  const found = `from (${kinds.map((kind) => KINDS[kind]).join(' union all ')}) d`;
  const unread = page.unreadFirst ? UNREAD : 'false';
  const counted = await session.query<{ kind: FundDocumentKind; total: number; unread: number; drafts: number }>(
    `${asked} select d.kind, count(*)::int as total, count(*) filter (where ${unread})::int as unread,
       count(*) filter (where d.status = 'Draft' and d.kind in ('report', 'statement'))::int as drafts ${found} group by d.kind`,
    of,
  );
  const order = page.unreadFirst ? `d.unread desc, ${ORDER}` : ORDER;
  const documents = await session.query<FundDocument>(
    `${asked} select d.id, d.kind, d.version, d.status, d.class as "Class", d.cut_off_date::text as "cutOffDate",
       coalesce(of_fund.title, of_main.title, '') as fund, coalesce(l.title, i.title) as investor, d.computed as "isComputed", d.file_problem as problem,
       case when f.id is not null then json_build_object('id', f.id, 'name', f.name, 'size', f.size, 'type', f.type) end as file,
       json_build_object('key', d.kind || ' ' || d.event || ' ' || d.cut_off_date, 'number', d.number, 'count', d.of_event) as event
     from (select d.* from (select d.*, ${unread} as unread, (count(*) over (partition by d.kind, d.event, d.cut_off_date))::int as of_event
         ${found} where $5::text is null or d.kind = $5) d
       order by ${order} offset $6 limit $7) d
     left join files f on f.id = d.file_id and f.status = 'Active'
     left join lps l on l.id = d.lp left join funds i on i.id = d.fund
     left join funds of_fund on of_fund.id = d.fund_id left join main_funds of_main on of_main.id = d.main_fund_id
     order by ${order}`,
    [...of, page.kind ?? null, page.skip, page.limit],
  );
  const ofKind = counted.filter(({ kind }) => !page.kind || kind === page.kind);
  const sum = (name: 'total' | 'unread' | 'drafts') => ofKind.reduce((all, one) => all + one[name], 0);
  return {
    documents,
    total: sum('total'),
    unread: sum('unread'),
    drafts: sum('drafts'),
    kinds: kinds.filter((kind) => counted.some((one) => one.kind === kind)),
  };
}
