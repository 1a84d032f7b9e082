import { changedBasis } from '@tapeline/domain/capital/line-basis.ts';
import type { Excuse } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { checkAll, eachItem, type OnRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { Fund } from '../../entities/funds.ts';
import { asProgram, type Session } from '../../store.ts';
import { requirePermission } from '../permission.ts';
import {
  type ActivityKind,
  beyondOf,
  type CapitalLine,
  type Entered,
  type LineChange,
  newLine,
  splitsOf,
  type Termed,
  type WholeScope,
  wholeAmounts,
} from './activity-kind.ts';
import { changeDocuments, lockDocuments, removeDocuments, visibleOf } from './capital-changes.ts';
import { type DividedOver, divideOverInvestors, refuseUndivided } from './divide-over-investors.ts';
import { addHeader, NewHeaders, refuseNumber, requireFreeNumber, takenNumbers } from './headers.ts';
import { settleRequests } from './issue-approval.ts';
import { type BeyondLimit, refuseBeyond, requireEachWithinLimits } from './ledgers.ts';
import { refuseIssuedNetted, requireNettedDay, separateLeft } from './netted-lines.ts';
import { recordTransfers } from './record-transfers.ts';
import { holdingOn, type InvestorPart, type OfInvestor, readInvestorParts, SameDays } from './split-over-investors.ts';
import { requireWithinLimits } from './within-limits.ts';

/**
 * Enters a call or distribution: one line for each investor of the fund or class, or for one investor. Its amounts are
 * split once, and limits are those of the ledgers that were read for it.
 * @param entered.isTried whether the caller rolls the transaction back
 * @returns who is beyond a limit; what is not refused is a draft
 * @throws Refusal badRequest for what is beyond a limit, at `entered.flag`, and if nobody has a commitment
 */
export async function enterLines<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  {
    scope,
    terms,
    ...entered
  }: Entered & {
    scope: WholeScope;
    terms: Terms;
    activityId: string;
    isTried: boolean;
    flag: string;
  },
): Promise<Written<Line>> {
  const { parts, problems, ...divided } = await divideOverInvestors(session, kind, scope, terms);
  if (!entered.isTried) refuseUndivided(problems);
  return asProgram(session, async () => {
    const beyond = beyondOf(kind, terms, parts, entered.status);
    if (!(entered.isTried && kind.limitsDrafts)) refuseBeyond(beyond, entered.flag);
    // A dry run of what cannot be issued is not issued.
    const status = beyond.length > 0 || problems.length > 0 ? 'Draft' : entered.status;
    const lines = parts.map((part) => newLine(session, kind, terms, part, { ...entered, status }));
    await recordTransfers(
      session,
      lines.map(({ commitmentId }) => commitmentId),
    );
    kind.requireLines(lines);
    if (status === 'Active') session.announce('noticesDue');
    return { lines, beyond, problems, ...divided };
  });
}

/** What was written, or tried. */
export interface Written<Line> extends Omit<DividedOver, 'parts'> {
  readonly lines: Line[];
  readonly beyond: readonly BeyondLimit[];
}

/**
 * Enters lines of single investors, one for each body. Those of one fund and number with the same days are one call or
 * distribution. With `onRefusal`, those that are refused are left out.
 * @returns a line for each body; null for one that was left out
 * @throws Refusal forbidden; badRequest, naming the item
 */
export async function enterForInvestors<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  bodies: readonly (Terms & OfInvestor & Entered & { excuse?: Excuse | null | undefined })[],
  onRefusal?: OnRefusal,
): Promise<(Line | null)[]> {
  requirePermission(session, kind.changes.write);
  const { fundOf, partOf } = await readInvestorParts(session, bodies);
  const isTaken = await takenNumbers(session, kind.table, bodies);
  const days = new SameDays();
  const parts = eachItem(
    bodies,
    (body): InvestorPart => {
      const fund = fundOf(body);
      let part: ReturnType<typeof partOf> | undefined;
      checkAll(
        ...kind.checksOf(fund, body),
        () => isTaken(body) && refuseNumber(kind.table, body.callNumber),
        () => {
          part = partOf(body);
        },
        () => days.require(body),
      );
      const amounts = wholeAmounts(kind.linesOf(body));
      return { ...part!, amounts, basis: amounts.map(() => ({ rule: 'entered' })), excuse: body.excuse ?? null };
    },
    onRefusal,
  );
  requireEachWithinLimits(
    parts,
    (ledger, index) => {
      const body = bodies[index]!;
      if (!kind.limitsDrafts && body.status !== 'Active') return ledger;
      return kind.split(body).withDocument(ledger, wholeAmounts(kind.linesOf(body)));
    },
    { flag: kind.flag, limits: kind.limits.entered },
    onRefusal,
  );
  const headers = new NewHeaders(kind.table);
  const lines: (Line | null)[] = [];
  for (const [index, part] of parts.entries()) {
    const body = bodies[index]!;
    const { status, timezoneOffset } = body;
    const activityId = part && (await headers.idOf(session, { ...part.commitment, ...body }));
    lines.push(part && activityId ? newLine(session, kind, body, part, { status, timezoneOffset, activityId }) : null);
  }
  await recordTransfers(
    session,
    lines.flatMap((line) => line?.commitmentId ?? []),
  );
  if (bodies.some(({ status }) => status === 'Active')) session.announce('noticesDue');
  return lines;
}

/**
 * Changes lines, all or none: drafts in all fields, others in status only. Issuing checks the limits.
 * @throws Refusal as `changeDocuments`; badRequest for a number that is taken, for another day than what it is netted with, and
 *   for what is beyond a limit
 */
export async function changeLines<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  items: readonly Item[],
): Promise<View[]> {
  /** The numbers that are free for the lines of a header: most lists change those of one call. */
  const free = new Set<string>();
  const { documents, changed } = await changeDocuments(session, kind.changes, items, async (line: Line, item) => {
    const { cutOffDate, callNumber, callPurposes, pdfOptions, trailingDescription } = item;
    const own = kind.fieldsOf(line, item);
    const numbered = `${line.activityId} ${callNumber}`;
    if (callNumber && callNumber !== line.callNumber && !free.has(numbered)) {
      await requireFreeNumber(session, kind.table, { fundId: line.fundId, callNumber, except: [line.activityId] });
      free.add(numbered);
    }
    const changes = { ...(callPurposes ? { purposes: callPurposes } : {}), ...own };
    return {
      cutOffDate,
      callNumber,
      pdfOptions,
      ...changes,
      basis: changedBasis(line.basis, kind.amountsOf(line), kind.amountsOf({ ...line, ...definedOf(changes) })),
      ...(await holdingOn(session, line, cutOffDate)),
      ...(trailingDescription === undefined ? {} : { trailingDescription: trailingDescription || null }),
    } as Partial<Line>;
  });
  kind.requireLines(changed);
  await requireNettedDay(session, kind.table, changed);
  await requireWithinLimits(
    session,
    changed.map(({ commitmentId }) => commitmentId),
    { flag: 'status', limits: kind.limits.entered },
  );
  await settleRequests(
    session,
    kind.table,
    changed.map(({ activityId }) => activityId),
  );
  return kind.views(session, documents);
}

/**
 * Removes lines (soft delete), all or none.
 * @returns the removed lines
 * @param command.isReplaced whether the caller enters them again, and checks the limits then
 * @throws Refusal as `removeDocuments`; badRequest if something else is beyond a limit without them, and for what was issued
 *   with a net amount
 */
export async function removeLines<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  {
    isReplaced = false,
    ...command
  }: { ids: readonly string[]; reason?: string | null | undefined; isReplaced?: boolean | undefined },
): Promise<Line[]> {
  await refuseIssuedNetted(session, kind.table, await lockDocuments(session, kind.changes, command.ids));
  const removed = await removeDocuments(session, kind.changes, command);
  if (!isReplaced) {
    await requireWithinLimits(
      session,
      removed.map(({ commitmentId }) => commitmentId),
      { flag: 'ids', limits: kind.limits.removed },
    );
  }
  const activities = removed.map(({ activityId }) => activityId);
  await separateLeft(session, kind.table, activities);
  await settleRequests(session, kind.table, activities);
  return removed;
}

/** The lines that the actor can see, as it sees them. */
export const visibleViews = async <Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  lines: readonly Line[],
): Promise<View[]> => kind.views(session, await visibleOf(session, kind.changes.listable, lines));

/** Stores the header of what is entered for all investors of a fund or class. @throws Refusal for a number that is taken */
export async function enterHeader<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  fund: Fund,
  terms: Terms,
): Promise<string> {
  const { id: fundId, managerId, currency } = fund;
  await requireFreeNumber(session, kind.table, { fundId, callNumber: terms.callNumber });
  return addHeader(session, kind.table, {
    ...terms,
    fundId,
    managerId,
    currency,
    splits: splitsOf(kind.linesOf(terms)),
  });
}

const definedOf = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
