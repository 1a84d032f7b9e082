import type { LineBasis } from '@tapeline/domain/capital/line-basis.ts';
import type { StoredSplit } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Contribution, Distribution } from '../../entities/capital.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { defineListed, type ListedTable, type ListField } from '../listing/define-lists.ts';
import { listRows } from '../listing/list-documents.ts';
import { type Composed, composeCallList, composeDistributionList } from './compose-notices.ts';
import { HEADERS, type LineTable } from './headers.ts';
import { regenerateNotices } from './notices.ts';

/** A capital call or a distribution: what its lines have in common, and the totals of those that the actor can see. */
interface Header {
  id: string;
  fundId: string;
  /** Null if the actor cannot see the fund. */
  fundTitle: string | null;
  Class: string | null;
  callNumber: string;
  cutOffDate: string;
  currency: string;
  amount: DecimalText;
  /** Those whose lines the actor can see. */
  investors: number;
  /** As people see it; `Several` if the lines differ. */
  status: string;
  /** Lines whose notice is stored. */
  notices: number;
  /** Lines that are issued and whose notice is not made yet. */
  due: number;
  /** Lines whose notice could not be made. */
  problems: number;
  /** Lines that are not issued yet. */
  drafts: number;
  /** Lines that are issued and not closed. */
  issued: number;
  /** Rises with every change of a line. */
  version: number;
}
export interface CallHeader extends Header {
  dueDate: string;
}
export interface DistributionHeader extends Header {
  distributionKind: string;
  principal: DecimalText;
  isRecallable: boolean;
}

/** SQL of the headers with the totals of their visible lines. @param own further totals of the lines `t` */
const headersOf = (lines: LineTable, amount: string, own: readonly string[] = []): string => `(
  select h.id, h.fund_id, f.title as fund_title, h.number as call_number, h.${HEADERS[lines].days.join(', h.')}, h.currency, h.version, l.*,
    case when l.drafts = l.investors then 'Draft' when l.closed = l.investors then 'Closed' when l.issued < l.investors then 'Several'
      when h.${HEADERS[lines].days.at(-1)} > current_date then 'Upcoming' else 'Active' end as status
  from ${HEADERS[lines].table} h left join funds f on f.id = h.fund_id
    cross join lateral (
      select ${[
        `sum(t.${amount}) as amount`,
        'count(*)::int as investors',
        'case when count(distinct t.class) = 1 and count(t.class) = count(*) then min(t.class) end as class',
        'count(t.file_id)::int as notices',
        `count(*) filter (where t.status <> 'Draft' and t.file_id is null and t.file_problem is null)::int as due`,
        'count(t.file_problem)::int as problems',
        `count(*) filter (where t.status = 'Draft')::int as drafts`,
        `count(*) filter (where t.status = 'Active')::int as issued`,
        `count(*) filter (where t.status = 'Closed')::int as closed`,
        ...own,
      ].join(', ')}
      from ${lines} t where t.activity_id = h.id and t.status <> 'Removed') as l
  where h.status <> 'Removed' and l.investors > 0)`;

const FIELDS: readonly ListField[] = [
  ['id', 'Id', 'text', 't.id'],
  ['fund', 'Fund id', 'text', 't.fund_id'],
  ['fundTitle', 'Fund', 'text', 't.fund_title'],
  ['callNumber', 'Number', 'text', 't.call_number'],
  ['cutOffDate', 'Cut-off date', 'date', 't.cut_off_date'],
  ['currency', 'Currency', 'text', 't.currency'],
  ['amount', 'Total', 'decimal', 't.amount', 'currency'],
  ['investors', 'Investors', 'number', 't.investors'],
  ['notices', 'Notices ready', 'number', 't.notices'],
  ['status', 'Status', 'text', 't.status'],
];

const COLUMNS = `t.id, t.fund_id as "fundId", t.fund_title as "fundTitle", t.class as "Class",
  t.call_number as "callNumber", t.cut_off_date::text as "cutOffDate", t.currency, t.amount::text as amount,
  t.investors, t.notices, t.due, t.problems, t.status, t.drafts, t.issued, t.version`;

/** The newest cut-off date first. */
const ORDER = { order: 't.cut_off_date desc, t.id desc' };

export const CALL_HEADERS: ListedTable = defineListed(
  headersOf('contributions', 'amount'),
  [...FIELDS, ['dueDate', 'Due date', 'date', 't.due_date']],
  ORDER,
);

export const DISTRIBUTION_HEADERS: ListedTable = defineListed(
  headersOf('distributions', 'total_distributed', [
    'min(t.distribution_kind) as distribution_kind',
    'sum(t.principal) as principal',
    'bool_or(t.is_recallable) as is_recallable',
  ]),
  [
    ...FIELDS,
    ['distributionKind', 'Kind', 'text', 't.distribution_kind'],
    ['principal', 'Principal', 'decimal', 't.principal', 'currency'],
    ['isRecallable', 'Recallable', 'boolean', 't.is_recallable'],
  ],
  ORDER,
);

interface HeaderPage<Found> {
  rows: Found[];
  total: number;
}

/** A page of capital calls, each with the total of the lines that the actor can see. */
export const listCallHeaders = (session: ReadSession, query: unknown = {}): Promise<HeaderPage<CallHeader>> =>
  listRows<CallHeader>(session, CALL_HEADERS, `${COLUMNS}, t.due_date::text as "dueDate"`, query);

/** A page of distributions, each with the totals of the lines that the actor can see. */
export const listDistributionHeaders = (
  session: ReadSession,
  query: unknown = {},
): Promise<HeaderPage<DistributionHeader>> =>
  listRows<DistributionHeader>(
    session,
    DISTRIBUTION_HEADERS,
    `${COLUMNS}, t.distribution_kind as "distributionKind", t.principal::text as principal, t.is_recallable as "isRecallable"`,
    query,
  );

const sole = <Found>({ rows: [found] }: HeaderPage<Found>): Found => {
  if (!found) throw new Refusal('notFound');
  return found;
};

/** @throws Refusal notFound */
export const getCallHeader = async (session: ReadSession, id: string): Promise<CallHeader> =>
  sole(await listCallHeaders(session, { filter: { id }, limit: 1 }));

/** @throws Refusal notFound */
export const getDistributionHeader = async (session: ReadSession, id: string): Promise<DistributionHeader> =>
  sole(await listDistributionHeaders(session, { filter: { id }, limit: 1 }));

/** A purpose of a call, or a component of a distribution, with its total over the lines that the actor can see. */
export interface TitledAmount {
  title: string;
  kind: string;
  amount: DecimalText;
}

/** The amounts of a call or distribution in their order. @param column those of each line @param kind their field with the kind */
const amountsOf = (session: ReadSession, id: string, table: string, column: string, kind: string) =>
  session.query<TitledAmount>(
    `select line ->> 'title' as title, line ->> '${kind}' as kind, sum((line ->> 'amount')::numeric)::text as amount
     from ${table} t cross join jsonb_array_elements(t.${column}) with ordinality as lines (line, place)
     where t.activity_id = $1 and t.status <> 'Removed'
     group by place, line ->> 'title', line ->> '${kind}' order by place, title`,
    [id],
  );

/** What a call is for. */
export const purposesOfCall = (session: ReadSession, id: string): Promise<TitledAmount[]> =>
  amountsOf(session, id, 'contributions', 'purposes', 'kind');

/** What a distribution consists of, besides principal. */
export const componentsOfDistribution = (session: ReadSession, id: string): Promise<TitledAmount[]> =>
  amountsOf(session, id, 'distributions', 'components', 'actionType');

/** How the lines of a call or distribution are divided; empty for one that was entered before this was kept. */
export async function splitsOfHeader(session: ReadSession, table: LineTable, id: string): Promise<StoredSplit[]> {
  const [found] = await session.query<{ splits: StoredSplit[] }>(
    `select splits from ${HEADERS[table].table} where id = $1`,
    [id],
  );
  return found?.splits ?? [];
}

/** A line of which a person set amounts. */
export interface OwnLine {
  readonly commitmentId: string;
  readonly basis: readonly LineBasis[];
  /** In the order of the lines. */
  readonly amounts: readonly DecimalText[];
  readonly excuseReason: string | null;
  readonly excuseFileId: string | null;
}

const OWN_AMOUNTS = {
  contributions: {
    amounts: `(select coalesce(jsonb_agg(line -> 'amount' order by place), '[]') from jsonb_array_elements(t.purposes) with ordinality as lines (line, place))`,
    excuse: 't.excuse_reason as "excuseReason", t.excuse_file_id as "excuseFileId"',
  },
  distributions: {
    amounts: `jsonb_build_array(t.principal::text) || (select coalesce(jsonb_agg(line -> 'amount' order by place), '[]') from jsonb_array_elements(t.components) with ordinality as lines (line, place))`,
    excuse: 'null as "excuseReason", null as "excuseFileId"',
  },
} as const;

/** The visible lines of a call or distribution with amounts or rates of their own. */
export const ownLinesOfHeader = (session: ReadSession, table: LineTable, id: string): Promise<OwnLine[]> =>
  session.query<OwnLine>(
    `select t.commitment_id as "commitmentId", t.basis, ${OWN_AMOUNTS[table].amounts} as amounts, ${OWN_AMOUNTS[table].excuse}
     from ${table} t where t.activity_id = $1 and t.status <> 'Removed'
       and jsonb_path_exists(t.basis, '$[*] ? (exists (@.set) || exists (@.ratePercent))')
     order by t.code`,
    [id],
  );

export interface NoticeFile {
  readonly id: string;
  readonly bucket: string;
  readonly key: string;
  readonly name: string;
}

/** The stored notices of a call or distribution that the actor can see. @throws Refusal notFound if there are none */
export async function noticesOfHeader(session: ReadSession, id: string): Promise<NoticeFile[]> {
  const tables = (['contributions', 'distributions'] as const).filter((table) => can(session.actor, `${table}/read`));
  const queries = tables.map(
    (table) =>
      `select t.file_id from ${table} t where t.activity_id = $1 and t.status <> 'Removed' and t.file_id is not null`,
  );
  const files =
    queries.length === 0
      ? []
      : await session.query<NoticeFile>(
          `select id, bucket, key, name from files where status = 'Active' and id in (${queries.join(' union all ')})
           order by name, id`,
          [id],
        );
  if (files.length > 0) return files;
  throw new Refusal('notFound', 'No notice is stored yet. Notices are made after the issue');
}

/** The ids of the visible lines of a call or distribution that fit a condition. */
export const lineIds = async (
  session: ReadSession,
  table: LineTable,
  id: string,
  condition = 'true',
): Promise<string[]> =>
  (
    await session.query<{ id: string }>(
      `select t.id from ${table} t where t.activity_id = $1 and t.status <> 'Removed' and ${condition} order by t.code`,
      [id],
    )
  ).map((line) => line.id);

/** Has notices made that could not be made before. @throws Refusal as `regenerateNotices` */
export async function retryNotices(session: Session, table: LineTable, id: string): Promise<void> {
  await regenerateNotices(session, table, await lineIds(session, table, id, 't.file_problem is not null'));
}

/**
 * A call or distribution with the shares of all its investors, to be printed. It names the investors to each other, so
 * it is for managers only.
 * @throws Refusal notFound, also for an investor; badRequest if the lines do not have the same amounts
 */
export async function listOfInvestors(session: Session, id: string): Promise<Composed> {
  const { actor } = session;
  if (actor.kind === 'user' && actor.lpIds.length > 0) throw new Refusal('notFound');
  for (const table of ['contributions', 'distributions'] as const) {
    const ids = can(actor, `${table}/read`) ? await lineIds(session, table, id) : [];
    if (ids.length === 0) continue;
    const where = { id: { $in: ids } };
    try {
      return table === 'contributions'
        ? await composeCallList(session, await session.em.find(Contribution, where))
        : await composeDistributionList(session, await session.em.find(Distribution, where));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new Refusal('badRequest', 'The investors have different lines, so that there is no list of them', {
        cause: error,
      });
    }
  }
  throw new Refusal('notFound');
}

/** The filter of a list of contributions or distributions that finds the lines of a header. */
export const linesOfHeader = (id: string) => ({ 'metadata.bundleId': id });
