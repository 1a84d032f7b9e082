import { Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { compare, type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';
import { asProgram, type Session } from '../../store.ts';
import { requirePermission } from '../permission.ts';
import {
  type ActivityKind,
  beyondOf,
  type CapitalLine,
  columnsOf,
  type LineChange,
  newLine,
  splitsOf,
  type Termed,
  type WholeScope,
  wholeAmounts,
} from './activity-kind.ts';
import { changeDocuments, lockDocuments, removeDocuments } from './capital-changes.ts';
import { type HeaderCommand, seenLines } from './change-headers.ts';
import { divideOverInvestors, refuseUndivided } from './divide-over-investors.ts';
import { changeHeader, HEADERS, type LineTable, requireFreeNumber } from './headers.ts';
import { settleRequests } from './issue-approval.ts';
import { refuseBeyond } from './ledgers.ts';
import { requireNettedDay } from './netted-lines.ts';
import { recordTransfers } from './record-transfers.ts';
import { type InvestorPart, lockedFund } from './split-over-investors.ts';
import { requireWithinLimits } from './within-limits.ts';
import { enterHeader, enterLines, removeLines, type Written } from './write-lines.ts';

/** Whom a changed draft concerns: the investors whom it has, or those of the fund or of a class on its cut-off date. */
export type InvestorChoice = 'same' | { Class: string | null };

/** A draft call or distribution as it is to be, or an issued one that is withdrawn and issued again. */
export interface WholeChange<Terms> extends HeaderCommand {
  readonly terms: Terms;
  readonly investors: InvestorChoice;
  /** Why an issued one is withdrawn. */
  readonly reason?: string | null | undefined;
  /** Active issues it as well. */
  readonly status?: 'Draft' | 'Active' | undefined;
  /** The caller rolls the transaction back. The answer has warnings. */
  readonly dryRun?: boolean | undefined;
}

/**
 * The fund and class of a call or distribution, and the commitments to which its amounts are limited.
 * @throws Refusal notFound
 */
export async function scopeOfHeader(
  session: Session,
  table: LineTable,
  id: string,
  investors: InvestorChoice,
): Promise<{ fund: string; Class: string | null; commitmentIds?: ReadonlySet<string> }> {
  const [found] = await session.query<{ fund: string; Class: string | null; commitments: string[] | null }>(
    `select h.fund_id as fund, h.class as "Class",
       (select array_agg(t.commitment_id::text) from ${table} t where t.activity_id = h.id and t.status <> 'Removed') as commitments
     from ${HEADERS[table].table} h where h.id = $1`,
    [id],
  );
  if (!found?.commitments) throw new Refusal('notFound');
  const { fund, Class, commitments } = found;
  return investors === 'same' ? { fund, Class, commitmentIds: new Set(commitments) } : { fund, Class: investors.Class };
}

/**
 * The lines of a call or distribution as they were seen, with their fund locked.
 * @throws Refusal notFound; badRequest if one changed since, was closed, or cannot be seen
 */
export async function seenWhole(
  session: Session,
  table: LineTable,
  { id, version, investors }: HeaderCommand & { readonly investors: InvestorChoice },
): Promise<{ scope: WholeScope; ids: string[]; isDraft: boolean }> {
  const { noun } = HEADERS[table];
  const { fund: fundId, ...scope } = await scopeOfHeader(session, table, id, investors);
  const fund = await lockedFund(session, fundId, scope.Class);
  const seen = await seenLines(session, table, { id, version });
  const statuses = new Set(seen.map(({ status }) => status));
  if (statuses.size > 1 || statuses.has('Closed')) {
    refuse(`Only a draft, or a ${noun} that was issued and is not closed, can be changed`, {
      status: 'cannot be changed',
    });
  }
  const [all] = await asProgram(session, () =>
    session.query<{ count: number; commitments: number }>(
      `select count(*)::int as count, count(distinct t.commitment_id)::int as commitments
       from ${table} t where t.activity_id = $1 and t.status <> 'Removed'`,
      [id],
    ),
  );
  if (all?.count !== seen.length) {
    refuse(`You cannot see every investor of this ${noun}, so you cannot change it as a whole`, {
      investors: 'are not all visible to you',
    });
  }
  const [closing] = await session.query('select from closings where call_id = $1 or distribution_id = $1', [id]);
  if (closing) {
    refuse(`The amounts of a closing follow from its terms. Issue this ${noun} as it is, or remove it`, {
      id: 'belongs to a closing',
    });
  }
  if (all.commitments < all.count) {
    refuse(`An investor has several parts of this ${noun}. Change each part instead`, {
      investors: 'have several parts',
    });
  }
  return { scope: { ...scope, fund }, ids: seen.map((line) => line.id), isDraft: statuses.has('Draft') };
}

/** @throws Refusal badRequest for a call that asks for default interest, which would be lost with its lines */
async function refuseCharged(session: Session, ids: readonly string[]): Promise<void> {
  const [charged] = await session.query(
    `select from contributions where id = any ($1) and default_interest <> '[]' limit 1`,
    [[...ids]],
  );
  if (!charged) return;
  refuse('This call asks for default interest. Take that out of the draft first, or withdraw the call', {
    id: 'asks for default interest',
  });
}

/** Whether the amounts of the lines add up to these, so that each investor keeps its own. */
const addUpTo = (amounts: readonly DecimalText[], lines: readonly (readonly DecimalText[])[]): boolean =>
  lines.every(({ length }) => length === amounts.length) &&
  amounts.every((amount, index) => compare(amount, sum(lines.map((own) => own[index] ?? '0'))) === 0);

/**
 * Withdraws what was issued, and enters it again as it is to be. Whoever was told of it is told that it is withdrawn.
 * @throws Refusal as `removeHeader`, also without a reason, and as `enterLines`
 */
async function reissue<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  { terms, reason, status, dryRun = false }: WholeChange<Terms>,
  { scope, ids }: { readonly scope: WholeScope; readonly ids: readonly string[] },
): Promise<Written<Line>> {
  const removed = await removeLines(session, kind, { ids, reason, isReplaced: true });
  await kind.require(session, scope, terms);
  const activityId = await enterHeader(session, kind, scope.fund, terms);
  const entered = { activityId, isTried: dryRun, flag: kind.flag, status };
  const written = await enterLines(session, kind, { scope, terms, ...entered });
  // What was returned of the former amounts stays within the new ones.
  const concerned = [...removed, ...written.lines].map(({ commitmentId }) => commitmentId);
  await requireWithinLimits(session, concerned, { flag: kind.flag, limits: kind.limits.removed });
  return written;
}

/**
 * Changes a draft as a whole, and can issue it; what was issued is withdrawn and entered again. Its amounts are divided again.
 * Of a draft, those who keep a line keep its document, others get one, and the lines of those who have none any more are
 * removed.
 * @throws Refusal as `enterLines`; notFound; badRequest if it changed since, was closed, or cannot be seen as a whole,
 *   without a reason for withdrawing it, and for what is netted: another day, and an issue of one of the two
 */
export async function changeWhole<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  change: WholeChange<Terms>,
): Promise<Written<Line>> {
  requirePermission(session, kind.changes.write);
  const { id, terms, investors, dryRun = false } = change;
  const { scope, ids, isDraft } = await seenWhole(session, kind.table, change);
  await refuseCharged(session, ids);
  if (!isDraft) return reissue(session, kind, change, { scope, ids });
  const before = await lockDocuments(session, kind.changes, ids);
  const [first] = before;
  if (!first) throw new Refusal('notFound');
  const { nettedWith } = first;
  await requireNettedDay(session, kind.table, [{ ...terms, nettedWith }]);
  if (nettedWith && change.status === 'Active' && !dryRun) {
    refuse('It is netted, and both are issued together. Save it as a draft, and issue both on its page', {
      status: 'is netted',
    });
  }
  await kind.require(session, scope, terms);
  const { callNumber, cutOffDate } = terms;
  const fundId = scope.fund.id;
  if (callNumber !== first.callNumber) {
    await requireFreeNumber(session, kind.table, { fundId, callNumber, except: [id] });
  }
  // Who does not say what single investors have, and a draft of before that was kept: each keeps its own, if it adds up.
  const isKept =
    (terms.own === undefined || (terms.own.length === 0 && before.every(({ basis }) => basis.length === 0))) &&
    investors === 'same' &&
    cutOffDate === first.cutOffDate &&
    addUpTo(wholeAmounts(kind.linesOf(terms)), before.map(kind.amountsOf));
  const lineOf = new Map(before.map((line) => [line.commitmentId, line]));
  const { parts: divided, problems, ...totals } = await divideOverInvestors(session, kind, scope, terms);
  if (!dryRun) refuseUndivided(problems);
  const parts = divided.map((part): InvestorPart => {
    const own = lineOf.get(part.commitment.id);
    return isKept && own
      ? {
          ...part,
          amounts: kind.amountsOf(own),
          basis: own.basis,
          percentage: own.holdingPercentage ?? null,
          percentageOf: own.holdingClass ?? null,
        }
      : part;
  });
  const beyond = beyondOf(kind, terms, parts, change.status);
  if (!(dryRun && kind.limitsDrafts)) refuseBeyond(beyond, kind.flag);
  // A dry run of what cannot be issued is not issued.
  const status = beyond.length > 0 || problems.length > 0 ? 'Draft' : (change.status ?? 'Draft');
  const partOf = new Map(parts.map((part) => [part.commitment.id, part]));
  const left = before.filter(({ commitmentId }) => !partOf.has(commitmentId));
  if (left.length > 0) await removeDocuments(session, kind.changes, { ids: left.map((line) => line.id) });
  await changeHeader(session, kind.table, id, { ...terms, fundId, splits: splitsOf(kind.linesOf(terms)) });
  const items = before.flatMap(({ id: line, version, commitmentId }) =>
    partOf.has(commitmentId) ? [{ id: line, version, ...(status === 'Active' ? { status } : {}) }] : [],
  );
  const { documents: kept } = await changeDocuments(
    session,
    kind.changes,
    items,
    (line: Line) => columnsOf(kind, terms, partOf.get(line.commitmentId)!) as Partial<Line>,
  );
  const entered = { status, timezoneOffset: first.timezoneOffset ?? null, activityId: id };
  const joined = await asProgram(session, async () => {
    const created = parts.flatMap((part) =>
      lineOf.has(part.commitment.id)
        ? []
        : [Object.assign(newLine(session, kind, terms, part, entered), { nettedWith: nettedWith ?? null })],
    );
    await session.em.flush();
    return created;
  });
  if (status === 'Active') session.announce('noticesDue');
  const lines = [...kept, ...joined];
  await recordTransfers(
    session,
    lines.map(({ commitmentId }) => commitmentId),
  );
  kind.requireLines(lines);
  await settleRequests(session, kind.table, [id]);
  return { lines, beyond, problems, ...totals };
}
