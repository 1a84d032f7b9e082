import { type NetAmounts, netOf, netTotals } from '@tapeline/domain/capital/netting.ts';
import type { CapitalStatus } from '@tapeline/domain/capital/states.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { refuse } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { requirePermission } from '../permission.ts';
import type { ActivityKind, CapitalLine, LineChange, Termed } from './activity-kind.ts';
import { changeDocuments, removeDocuments } from './capital-changes.ts';
import { type HeaderCommand, seenLines } from './change-headers.ts';
import { seenWhole } from './change-whole.ts';
import { CALLS } from './contributions.ts';
import { DISTRIBUTION_EVENTS } from './distributions.ts';
import { HEADERS, type LineTable } from './headers.ts';
import { settleRequests } from './issue-approval.ts';
import type { SeenParts } from './issue-requests.ts';
import { otherTable, settledOn } from './netted-lines.ts';
import { interestSql } from './transferred-lines.ts';
import { requireWithinLimits } from './within-limits.ts';

/** One of the two, as it settles. */
interface NettedHeader extends HeaderCommand {
  readonly number: string;
  readonly status: CapitalStatus;
}

/** What one investor pays or receives for one commitment. */
export interface NettedLine extends NetAmounts {
  readonly commitmentId: string;
  /** Null if the actor cannot see the investor. */
  readonly investor: string | null;
  readonly isFund: boolean;
  /** The contribution and the distribution; null for an investor in one of the two alone. */
  readonly contributionId: string | null;
  readonly distributionId: string | null;
}

/** A call and a distribution that settle as one net amount for each investor, with the lines that the actor can see. */
export interface Netting {
  readonly call: NettedHeader;
  readonly distribution: NettedHeader;
  readonly fundId: string;
  readonly day: string;
  readonly currency: string;
  /** Who pays most first, and who receives most last. */
  readonly lines: readonly NettedLine[];
  readonly totals: NetAmounts;
}

/** Names a call and a distribution as a person saw them. */
export interface PairCommand {
  readonly call: HeaderCommand;
  readonly distribution: HeaderCommand;
}

/** The call and the distribution of a pair, by the id of either; null if it is netted with nothing that the actor can see. */
async function pairOf(
  session: ReadSession,
  table: LineTable,
  id: string,
): Promise<{ call: string; distribution: string } | null> {
  const [found] = isId(id)
    ? await session.query<{ other: string }>(
        `select netted_with as other from ${table} where activity_id = $1 and status <> 'Removed' and netted_with is not null limit 1`,
        [id],
      )
    : [];
  if (!found) return null;
  return table === 'contributions' ? { call: id, distribution: found.other } : { call: found.other, distribution: id };
}

interface NettedRow extends Omit<NettedLine, keyof NetAmounts> {
  readonly called: DecimalText;
  readonly distributed: DecimalText;
}

const LINES = `
  with called as (select c.id, c.commitment_id, c.investor_lp_id, c.investor_fund_id,
      c.amount + ${interestSql('c.purposes')} as amount
    from contributions c where c.activity_id = $1 and c.status <> 'Removed'),
  distributed as (select d.id, d.commitment_id, d.investor_lp_id, d.investor_fund_id, d.total_distributed as amount
    from distributions d where d.activity_id = $2 and d.status <> 'Removed')
  select commitment_id as "commitmentId", coalesce(l.title, i.title) as investor,
    coalesce(c.investor_fund_id, d.investor_fund_id) is not null as "isFund", c.id as "contributionId", d.id as "distributionId",
    coalesce(c.amount, 0)::text as called, coalesce(d.amount, 0)::text as distributed
  from called c full join distributed d using (commitment_id)
    left join lps l on l.id = coalesce(c.investor_lp_id, d.investor_lp_id)
    left join funds i on i.id = coalesce(c.investor_fund_id, d.investor_fund_id)
  order by coalesce(c.amount, 0) - coalesce(d.amount, 0) desc, investor, commitment_id`;

const headersSql = `
  select 'call' as side, id, number, status, version, fund_id as "fundId", due_date::text as day, currency from capital_calls where id = $1
  union all select 'distribution', id, number, status, version, fund_id, cut_off_date::text, currency from distribution_events where id = $2`;

type HeaderRow = NettedHeader & { side: 'call' | 'distribution'; fundId: string; day: string; currency: string };

/** How a call and a distribution would settle, or do. Null if the actor cannot see both. */
async function readPair(session: ReadSession, ids: { call: string; distribution: string }): Promise<Netting | null> {
  const values = [ids.call, ids.distribution];
  const headers = await session.query<HeaderRow>(headersSql, values);
  const [call, distribution] = (['call', 'distribution'] as const).map((side) =>
    headers.find((one) => one.side === side),
  );
  if (!call || !distribution) return null;
  const rows = await session.query<NettedRow>(LINES, values);
  const lines = rows.map(
    ({ called, distributed, ...line }): NettedLine => ({ ...line, ...netOf(called, distributed) }),
  );
  const headerOf = ({ id, number, status, version }: HeaderRow): NettedHeader => ({ id, number, status, version });
  return {
    call: headerOf(call),
    distribution: headerOf(distribution),
    fundId: call.fundId,
    day: call.day,
    currency: call.currency,
    lines,
    totals: netTotals(lines),
  };
}

/** How a call or distribution settles with what it is netted with; null if it is not netted, or the actor cannot see both. */
export async function nettingOf(session: ReadSession, table: LineTable, id: string): Promise<Netting | null> {
  if (!can(session.actor, 'contributions/read') || !can(session.actor, 'distributions/read')) return null;
  const pair = await pairOf(session, table, id);
  return pair && readPair(session, pair);
}

/** A draft that another can be netted with. */
export interface Nettable extends HeaderCommand {
  readonly number: string;
}

/** The drafts that a draft call or distribution can be netted with: of its fund, its currency and its day. */
export async function nettableWith(session: ReadSession, table: LineTable, id: string): Promise<Nettable[]> {
  const other = otherTable(table);
  if (!can(session.actor, `${table}/write`) || !can(session.actor, `${other}/write`)) return [];
  return session.query<Nettable>(
    `select o.id, o.version, o.number from ${HEADERS[table].table} h join ${HEADERS[other].table} o
       on (o.fund_id, o.currency, o.${settledOn(other)}) = (h.fund_id, h.currency, h.${settledOn(table)}) and o.status = 'Draft'
     where h.id = $1 and h.status = 'Draft'
       and not exists (select from ${other} t where t.activity_id = o.id and t.netted_with is not null and t.status <> 'Removed')
       and not exists (select from ${table} t where t.activity_id = h.id and t.netted_with is not null and t.status <> 'Removed')
       and not exists (select from closings c where c.call_id in (h.id, o.id) or c.distribution_id in (h.id, o.id))
     order by o.number, o.id limit 50`,
    [id],
  );
}

/** A call or a distribution of a pair. */
interface Side<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View> {
  readonly kind: ActivityKind<Line, Terms, Item, View>;
  readonly command: HeaderCommand;
}

const requirePair = (session: Session): void => {
  requirePermission(session, 'contributions/write');
  requirePermission(session, 'distributions/write');
};

/** Names a pair with its two kinds, in the order in which both are locked and issued. */
const inOrder = async (
  { call, distribution }: PairCommand,
  work: <Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
    side: Side<Line, Terms, Item, View>,
  ) => Promise<void>,
): Promise<void> => {
  await work({ kind: CALLS, command: call });
  await work({ kind: DISTRIBUTION_EVENTS, command: distribution });
};

/** Sets what the lines of a draft are netted with. */
async function setNetting<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  { kind, command }: Side<Line, Terms, Item, View>,
  nettedWith: string | null,
): Promise<void> {
  const lines = await seenLines(session, kind.table, command);
  if (lines.some(({ status }) => status !== 'Draft')) {
    refuse(
      nettedWith
        ? 'Only drafts can be netted, because investors are told one amount. Withdraw what was issued, and enter it again'
        : 'It was issued with one net amount for each investor. Withdraw both, and enter them again',
      { status: 'is not Draft' },
    );
  }
  const items = lines.map(({ id, version }) => ({ id, version }));
  await changeDocuments(session, kind.changes, items, () => ({ nettedWith }) as Partial<Line>);
  await settleRequests(session, kind.table, [command.id]);
}

/**
 * Marks a draft call and a draft distribution as netted: each investor pays or receives the difference, and has one notice.
 * @throws Refusal forbidden without the permission to write both; notFound; badRequest if one changed since, is no draft, is
 *   netted already, is of a closing, or has an investor that the actor cannot see, and for another fund, currency or day
 */
export async function netDrafts(session: Session, pair: PairCommand): Promise<Netting> {
  requirePair(session);
  for (const [table, command] of [
    ['contributions', pair.call],
    ['distributions', pair.distribution],
  ] as const) {
    const { noun } = HEADERS[table];
    await seenWhole(session, table, { ...command, investors: 'same' });
    if (await pairOf(session, table, command.id)) {
      refuse(`This ${noun} is netted already. Settle it separately first`, { [noun]: 'is netted already' });
    }
  }
  const [terms] = await session.query<{ isSame: boolean }>(
    `select (c.fund_id, c.currency, c.due_date) = (d.fund_id, d.currency, d.cut_off_date) as "isSame"
     from capital_calls c, distribution_events d where c.id = $1 and d.id = $2`,
    [pair.call.id, pair.distribution.id],
  );
  if (!terms?.isSame) {
    refuse(
      'A call and a distribution are netted if they are of one fund and currency, and the call is due on the date of the distribution',
      {
        distribution: 'is of another fund, currency or date',
      },
    );
  }
  await inOrder(pair, (side) =>
    setNetting(session, side, side.kind.table === 'contributions' ? pair.distribution.id : pair.call.id),
  );
  return (await readPair(session, { call: pair.call.id, distribution: pair.distribution.id }))!;
}

/** The pair that is named, as it was seen. @throws Refusal badRequest if the two are not netted with one another */
async function requireNetted(session: Session, { call, distribution }: PairCommand): Promise<void> {
  requirePair(session);
  const found = await pairOf(session, 'contributions', call.id);
  if (found?.distribution === distribution.id) return;
  refuse('This call and this distribution are not netted with one another. Reload the page', {
    call: 'is not netted with it',
  });
}

/** Settles the drafts of a pair separately again. @throws Refusal as `netDrafts`; badRequest for what was issued */
export async function separateDrafts(session: Session, pair: PairCommand): Promise<void> {
  await requireNetted(session, pair);
  await inOrder(pair, (side) => setNetting(session, side, null));
}

/** Lines of both, as they are seen. */
async function linesOfPair(session: Session, { call, distribution }: PairCommand) {
  return {
    called: await seenLines(session, 'contributions', call),
    distributed: await seenLines(session, 'distributions', distribution),
  };
}

const commitmentsOf = (lines: readonly { commitmentId: string }[]): string[] =>
  lines.map(({ commitmentId }) => commitmentId);

/**
 * Issues a call and a distribution that are netted, all lines of both or none. The limits hold with both.
 * @throws Refusal forbidden without the permission to write both; notFound; badRequest if one changed since or was issued, and
 *   for what is beyond a limit
 */
export async function issueNetted(session: Session, pair: PairCommand): Promise<void> {
  await requireNetted(session, pair);
  const { called, distributed } = await linesOfPair(session, pair);
  if ([...called, ...distributed].some(({ status }) => status !== 'Draft')) {
    refuse('It was issued already', { status: 'is not Draft' });
  }
  const issued = (lines: typeof called) => lines.map(({ id, version }) => ({ id, version, status: 'Active' as const }));
  const calls = await changeDocuments(session, CALLS.changes, issued(called), () => ({}));
  const payments = await changeDocuments(session, DISTRIBUTION_EVENTS.changes, issued(distributed), () => ({}));
  DISTRIBUTION_EVENTS.requireLines(payments.changed);
  const concerned = commitmentsOf([...calls.changed, ...payments.changed]);
  const limits = [...CALLS.limits.entered, ...DISTRIBUTION_EVENTS.limits.entered];
  await requireWithinLimits(session, concerned, { flag: 'status', limits });
  await settleRequests(session, 'contributions', [pair.call.id]);
  await settleRequests(session, 'distributions', [pair.distribution.id]);
}

/**
 * Withdraws a call and a distribution that are netted, all lines of both or none. What was paid of the net amounts is a credit.
 * @throws Refusal forbidden without the permission to write both; notFound; badRequest if one changed since, without a reason
 *   for what was issued, for what a payment run pays, and if something else is beyond a limit without them
 */
export async function withdrawNetted(
  session: Session,
  { reason, ...pair }: PairCommand & { readonly reason?: string | null | undefined },
): Promise<void> {
  await requireNetted(session, pair);
  const { called, distributed } = await linesOfPair(session, pair);
  const command = (lines: typeof called) => ({ ids: lines.map(({ id }) => id), reason });
  const payments = await removeDocuments(session, DISTRIBUTION_EVENTS.changes, command(distributed));
  const calls = await removeDocuments(session, CALLS.changes, command(called));
  const limits = [...CALLS.limits.removed, ...DISTRIBUTION_EVENTS.limits.removed];
  await requireWithinLimits(session, commitmentsOf([...calls, ...payments]), { flag: 'status', limits });
  await settleRequests(session, 'contributions', [pair.call.id]);
  await settleRequests(session, 'distributions', [pair.distribution.id]);
}

/** A call and a distribution by the documents of all their investors, as they were read. */
export interface PairParts {
  readonly contributions: SeenParts;
  readonly distributions: SeenParts;
}

/** The whole of which these are all parts. @throws Refusal notFound; badRequest if one changed since, or not all are named */
async function wholeOf(session: Session, table: LineTable, parts: SeenParts): Promise<HeaderCommand> {
  const rows = await session.query<{ id: string; activity: string; version: number; ofHeader: number }>(
    `select t.id, t.activity_id as activity, t.version, h.version as "ofHeader" from ${table} t
       join ${HEADERS[table].table} h on h.id = t.activity_id
     where t.status <> 'Removed' and t.activity_id in (select activity_id from ${table} where id = any ($1) and status <> 'Removed')`,
    [parts.map(({ id }) => id)],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const [first] = rows;
  const { noun } = HEADERS[table];
  if (!first || parts.some(({ id }) => !stored.has(id))) {
    refuse(`Name documents of a ${noun} that you can see`, { [table]: 'are not documents that you can see' });
  }
  if (rows.length !== parts.length || new Set(rows.map(({ activity }) => activity)).size > 1) {
    refuse(`A ${noun} is netted as a whole. Name the documents of all its investors`, {
      [table]: 'must name all parts of one',
    });
  }
  if (parts.some(({ id, version }) => stored.get(id)!.version !== version)) {
    refuse('Someone else has changed this. Reload it and make your change again', { [table]: 'are not the latest' });
  }
  return { id: first.activity, version: first.ofHeader };
}

/** The pair that documents are all parts of. @throws Refusal as `wholeOf` */
export const pairOfParts = async (
  session: Session,
  { contributions, distributions }: PairParts,
): Promise<PairCommand> => ({
  call: await wholeOf(session, 'contributions', contributions),
  distribution: await wholeOf(session, 'distributions', distributions),
});

/** How a named pair settles. */
export const netted = async (session: Session, { call, distribution }: PairCommand): Promise<Netting> =>
  (await readPair(session, { call: call.id, distribution: distribution.id }))!;
