import type { CapitalStatus } from '@tapeline/domain/capital/states.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Contribution, Distribution } from '../../entities/capital.ts';
import type { ReadSession } from '../../read-session.ts';
import { type Session, staleRefusal } from '../../store.ts';
import { defineListed, type ListedTable, type ListField, listRows } from '../listing/list-documents.ts';
import { type Composed, composeCallList, composeDistributionList } from './compose-notices.ts';
import { changeContributions, removeContributions } from './contributions.ts';
import { changeDistributions, removeDistributions } from './distributions.ts';
import { BUNDLE, regenerateNotices, shownStatusSql } from './notices.ts';

/** The documents that were entered together: the parts of one capital call, or of one distribution. */
interface Bundle {
  id: string;
  fundId: string;
  /** Null if the actor cannot see the fund. */
  fundTitle: string | null;
  Class: string | null;
  callNumber: string;
  cutOffDate: string;
  currency: string;
  amount: DecimalText;
  /** Those whose parts the actor can see. */
  investors: number;
  /** As people see it; `Several` if the parts differ. */
  status: string;
  /** Parts whose notice is stored. */
  notices: number;
  /** Parts that are issued and whose notice is not made yet. */
  due: number;
  /** Parts whose notice could not be made. */
  problems: number;
  /** Parts that are not issued yet. */
  drafts: number;
  /** Parts that are issued and not closed. */
  issued: number;
  /** Changes with every change of a part. */
  stamp: string;
}
export interface CallBundle extends Bundle {
  dueDate: string;
}
export interface DistributionBundle extends Bundle {
  distributionKind: string;
  principal: DecimalText;
  isRecallable: boolean;
}

type BundleTable = 'contributions' | 'distributions';

/** SQL of the bundles of a table. @param own what bundles of this table have besides */
const bundlesOf = (table: string, amount: string, shownFrom: string, own: string): string => `(
  select ${BUNDLE} as id, min(t.fund_id) as fund_id, min(f.title) as fund_title,
    case when count(distinct t.class) = 1 and count(t.class) = count(*) then min(t.class) end as class,
    min(t.call_number) as call_number, min(t.cut_off_date) as cut_off_date, min(t.currency) as currency,
    sum(${amount}) as amount, count(*)::int as investors, count(t.file_id)::int as notices,
    count(*) filter (where t.status <> 'Draft' and t.file_id is null and t.file_problem is null)::int as due,
    count(t.file_problem)::int as problems,
    case when count(distinct ${shownStatusSql(shownFrom)}) = 1 then min(${shownStatusSql(shownFrom)}) else 'Several' end as status,
    count(*) filter (where t.status = 'Draft')::int as drafts, count(*) filter (where t.status = 'Active')::int as issued,
    count(*) || '-' || sum(t.version) as stamp, ${own}
  from ${table} t left join funds f on f.id = t.fund_id where t.status <> 'Removed' group by 1)`;

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
  t.investors, t.notices, t.due, t.problems, t.status, t.drafts, t.issued, t.stamp`;

/** The newest cut-off date first. */
const ORDER = { order: 't.cut_off_date desc, t.id desc' };

export const CALL_BUNDLES: ListedTable = defineListed(
  bundlesOf('contributions', 't.amount', 't.due_date', 'min(t.due_date) as due_date'),
  [...FIELDS, ['dueDate', 'Due date', 'date', 't.due_date']],
  ORDER,
);

export const DISTRIBUTION_BUNDLES: ListedTable = defineListed(
  bundlesOf(
    'distributions',
    't.total_distributed',
    't.cut_off_date',
    'min(t.distribution_kind) as distribution_kind, sum(t.principal) as principal, bool_or(t.is_recallable) as is_recallable',
  ),
  [
    ...FIELDS,
    ['distributionKind', 'Kind', 'text', 't.distribution_kind'],
    ['principal', 'Principal', 'decimal', 't.principal', 'currency'],
    ['isRecallable', 'Recallable', 'boolean', 't.is_recallable'],
  ],
  ORDER,
);

interface BundlePage<Found> {
  rows: Found[];
  total: number;
}

/** A page of capital calls, each with the total of the parts that the actor can see. */
export const listCallBundles = (session: ReadSession, query: unknown = {}): Promise<BundlePage<CallBundle>> =>
  listRows<CallBundle>(session, CALL_BUNDLES, `${COLUMNS}, t.due_date::text as "dueDate"`, query);

/** A page of distributions, each with the totals of the parts that the actor can see. */
export const listDistributionBundles = (
  session: ReadSession,
  query: unknown = {},
): Promise<BundlePage<DistributionBundle>> =>
  listRows<DistributionBundle>(
    session,
    DISTRIBUTION_BUNDLES,
    `${COLUMNS}, t.distribution_kind as "distributionKind", t.principal::text as principal, t.is_recallable as "isRecallable"`,
    query,
  );

const sole = <Found>({ rows: [found] }: BundlePage<Found>): Found => {
  if (!found) throw new Refusal('notFound');
  return found;
};

/** @throws Refusal notFound */
export const getCallBundle = async (session: ReadSession, id: string): Promise<CallBundle> =>
  sole(await listCallBundles(session, { filter: { id }, limit: 1 }));

/** @throws Refusal notFound */
export const getDistributionBundle = async (session: ReadSession, id: string): Promise<DistributionBundle> =>
  sole(await listDistributionBundles(session, { filter: { id }, limit: 1 }));

/** A line of a call, or of a distribution, with its total over the parts that the actor can see. */
export interface BundleLine {
  title: string;
  kind: string;
  amount: DecimalText;
}

/** The lines of a bundle in their order. @param column the lines of each part @param kind their field with the kind */
const linesOf = (session: ReadSession, id: string, table: string, column: string, kind: string) =>
  session.query<BundleLine>(
    `select line ->> 'title' as title, line ->> '${kind}' as kind, sum((line ->> 'amount')::numeric)::text as amount
     from ${table} t cross join jsonb_array_elements(t.${column}) with ordinality as lines (line, place)
     where ${BUNDLE} = $1 and t.status <> 'Removed'
     group by place, line ->> 'title', line ->> '${kind}' order by place, title`,
    [id],
  );

/** What a call is for. */
export const purposesOfCall = (session: ReadSession, id: string): Promise<BundleLine[]> =>
  linesOf(session, id, 'contributions', 'purposes', 'kind');

/** What a distribution consists of, besides principal. */
export const componentsOfDistribution = (session: ReadSession, id: string): Promise<BundleLine[]> =>
  linesOf(session, id, 'distributions', 'components', 'actionType');

/** A stored notice. */
export interface NoticeFile {
  readonly id: string;
  readonly bucket: string;
  readonly key: string;
  readonly name: string;
}

/** The stored notices of a bundle that the actor can see. @throws Refusal notFound if there are none */
export async function noticesOfBundle(session: ReadSession, bundleId: string): Promise<NoticeFile[]> {
  const tables = (['contributions', 'distributions'] as const).filter((table) => can(session.actor, `${table}/read`));
  const parts = tables.map(
    (table) =>
      `select t.file_id from ${table} t where ${BUNDLE} = $1 and t.status <> 'Removed' and t.file_id is not null`,
  );
  const files =
    parts.length === 0
      ? []
      : await session.query<NoticeFile>(
          `select id, bucket, key, name from files where status = 'Active' and id in (${parts.join(' union all ')})
           order by name, id`,
          [bundleId],
        );
  if (files.length > 0) return files;
  throw new Refusal('notFound', 'No notice is stored yet. Notices are made after the issue');
}

/** The ids of the visible parts of a bundle that fit a condition. */
export const partIds = async (
  session: ReadSession,
  table: BundleTable,
  id: string,
  condition = 'true',
): Promise<string[]> =>
  (
    await session.query<{ id: string }>(
      `select t.id from ${table} t where ${BUNDLE} = $1 and t.status <> 'Removed' and ${condition} order by t.code`,
      [id],
    )
  ).map((part) => part.id);

/** Has notices made that could not be made before. @throws Refusal as `regenerateNotices` */
export async function retryNotices(session: Session, table: BundleTable, id: string): Promise<void> {
  await regenerateNotices(session, table, await partIds(session, table, id, 't.file_problem is not null'));
}

/**
 * A call or distribution with the shares of all its investors, to be printed. It names the investors to each other, so
 * it is for managers only.
 * @throws Refusal notFound, also for an investor; badRequest if the parts do not have the same lines
 */
export async function listOfBundle(session: Session, id: string): Promise<Composed> {
  const { actor } = session;
  if (actor.kind === 'user' && actor.lpIds.length > 0) throw new Refusal('notFound');
  for (const table of ['contributions', 'distributions'] as const) {
    const ids = can(actor, `${table}/read`) ? await partIds(session, table, id) : [];
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

/** The filter of a list of contributions or distributions that finds the parts of a bundle. */
export const partsOfBundle = (id: string) => ({ $or: [{ 'metadata.bundleId': id }, { id }] });

export interface BundleCommand {
  id: string;
  /** Of the bundle that the person saw. */
  stamp: string;
}

interface Part {
  id: string;
  version: number;
  status: CapitalStatus;
}

/** The parts of a bundle as they were seen. @throws Refusal notFound; badRequest if one changed since */
export async function seenParts(
  session: Session,
  table: 'contributions' | 'distributions',
  { id, stamp }: BundleCommand,
): Promise<Part[]> {
  const parts = await session.query<Part>(
    `select t.id, t.version, t.status from ${table} t where ${BUNDLE} = $1 and t.status <> 'Removed' order by t.id`,
    [id],
  );
  if (parts.length === 0) throw new Refusal('notFound');
  const versions = parts.reduce((total, { version }) => total + Number(version), 0);
  if (`${parts.length}-${versions}` !== stamp) throw staleRefusal();
  return parts;
}

/** The parts that a step changes. @throws Refusal badRequest if there are none */
function steppedParts(parts: readonly Part[], to: 'Active' | 'Closed') {
  const from = to === 'Active' ? 'Draft' : 'Active';
  const items = parts.flatMap(({ id, version, status }) => (status === from ? [{ id, version, status: to }] : []));
  if (items.length === 0) {
    throw new Refusal(
      'badRequest',
      to === 'Active' ? 'Nothing here is a draft that can be issued' : 'Nothing here is Active and can be closed',
    );
  }
  return items;
}

interface StatusStep extends BundleCommand {
  /** Active issues the drafts. Closed closes what was issued. */
  status: 'Active' | 'Closed';
}

/** Issues or closes a capital call, all parts or none. @throws Refusal as `changeContributions` */
export async function stepCall(session: Session, command: StatusStep): Promise<void> {
  await changeContributions(session, steppedParts(await seenParts(session, 'contributions', command), command.status));
}

/** Issues or closes a distribution, all parts or none. @throws Refusal as `changeDistributions` */
export async function stepDistribution(session: Session, command: StatusStep): Promise<void> {
  await changeDistributions(session, steppedParts(await seenParts(session, 'distributions', command), command.status));
}

interface BundleRemoval extends BundleCommand {
  reason?: string | null | undefined;
}

/** Removes a capital call (soft delete), all parts or none. @throws Refusal as `removeContributions` */
export async function removeCall(session: Session, { reason, ...command }: BundleRemoval): Promise<void> {
  const parts = await seenParts(session, 'contributions', command);
  await removeContributions(session, { ids: parts.map(({ id }) => id), reason });
}

/** Removes a distribution (soft delete), all parts or none. @throws Refusal as `removeDistributions` */
export async function removeDistribution(session: Session, { reason, ...command }: BundleRemoval): Promise<void> {
  const parts = await seenParts(session, 'distributions', command);
  await removeDistributions(session, { ids: parts.map(({ id }) => id), reason });
}

/** The number that follows the latest one of the fund, if that ends in a number; "1" for the first. */
async function nextNumber(session: ReadSession, table: 'contributions' | 'distributions', fundId: string) {
  const [latest] = await session.query<{ number: string }>(
    `select call_number as number from ${table} where fund_id = $1 and status <> 'Removed'
     order by cut_off_date desc, code desc limit 1`,
    [fundId],
  );
  if (!latest) return '1';
  const digits = /\d{1,9}$/.exec(latest.number)?.[0];
  if (digits === undefined) return '';
  const next = String(Number(digits) + 1).padStart(digits.length, '0');
  return latest.number.slice(0, -digits.length) + next;
}

/** A free number to suggest; empty if the latest has no number at its end. */
export const nextCallNumber = (session: ReadSession, fundId: string) => nextNumber(session, 'contributions', fundId);
export const nextDistributionNumber = (session: ReadSession, fundId: string) =>
  nextNumber(session, 'distributions', fundId);
