import { roundedWithin } from '@tapeline/domain/capital/split.ts';
import { checkAll, eachItem, type OnRefusal } from '@tapeline/domain/errors/refusal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
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
  type Termed,
  type WholeScope,
} from './activity-kind.ts';
import { changeDocuments, removeDocuments, visibleOf } from './capital-changes.ts';
import { addHeader, type LineTable, NewHeaders, refuseNumber, requireFreeNumber, takenNumbers } from './headers.ts';
import { settleRequests } from './issue-approval.ts';
import { type BeyondLimit, refuseBeyond, requireEachWithinLimits, requireWithinLimits } from './ledgers.ts';
import {
  holdingOn,
  type InvestorPart,
  type OfInvestor,
  readInvestorParts,
  SameDays,
  splitOverInvestors,
} from './split-over-investors.ts';

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
): Promise<{ lines: Line[]; beyond: BeyondLimit[] }> {
  const { fund } = scope;
  return asProgram(session, async () => {
    const split = await splitOverInvestors(session, {
      ...scope,
      cutOffDate: terms.cutOffDate,
      lines: kind.linesOf(terms),
    });
    const parts = roundedWithin(split, minorUnitDigits(fund.currency), kind.split(terms));
    const beyond = beyondOf(kind, terms, parts, entered.status);
    if (!(entered.isTried && kind.limitsDrafts)) refuseBeyond(beyond, entered.flag);
    // A dry run beyond a limit is not issued.
    const status = beyond.length > 0 ? 'Draft' : entered.status;
    const lines = parts.map((part) => newLine(session, kind, terms, part, { ...entered, status }));
    await session.em.flush();
    kind.requireLines(lines);
    if (status === 'Active') session.announce('noticesDue');
    return { lines, beyond };
  });
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
  bodies: readonly (Terms & OfInvestor & Entered)[],
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
      let part: Omit<InvestorPart, 'amounts'> | undefined;
      checkAll(
        ...kind.checksOf(fund, body),
        () => isTaken(body) && refuseNumber(kind.table, body.callNumber),
        () => {
          part = partOf(body);
        },
        () => days.require(body),
      );
      return { ...part!, amounts: kind.linesOf(body) };
    },
    onRefusal,
  );
  requireEachWithinLimits(
    parts,
    (ledger, index) => {
      const body = bodies[index]!;
      if (!kind.limitsDrafts && body.status !== 'Active') return ledger;
      return kind.split(body).withDocument(ledger, kind.linesOf(body));
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
  await session.em.flush();
  if (bodies.some(({ status }) => status === 'Active')) session.announce('noticesDue');
  return lines;
}

/**
 * Changes lines, all or none: drafts in all fields, others in status only. Issuing checks the limits.
 * @throws Refusal as `changeDocuments`; badRequest for a number that is taken, and for what is beyond a limit
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
    return {
      cutOffDate,
      callNumber,
      purposes: callPurposes,
      pdfOptions,
      ...own,
      ...(await holdingOn(session, line, cutOffDate)),
      ...(trailingDescription === undefined ? {} : { trailingDescription: trailingDescription || null }),
    } as Partial<Line>;
  });
  kind.requireLines(changed);
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
 * @throws Refusal as `removeDocuments`; badRequest if something else is beyond a limit without them
 */
export async function removeLines<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  command: { ids: readonly string[]; reason?: string | null | undefined },
): Promise<void> {
  const removed = await removeDocuments(session, kind.changes, command);
  await requireWithinLimits(
    session,
    removed.map(({ commitmentId }) => commitmentId),
    { flag: 'ids', limits: kind.limits.removed },
  );
  await settleRequests(
    session,
    kind.table,
    removed.map(({ activityId }) => activityId),
  );
}

/** The lines that the actor can see, as it sees them. */
export const visibleViews = async <Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  lines: readonly Line[],
): Promise<View[]> => kind.views(session, await visibleOf(session, kind.changes.listable, lines));

/** Stores the header of what is entered for all investors of a fund or class. @throws Refusal for a number that is taken */
export async function enterHeader(session: Session, table: LineTable, fund: Fund, terms: Termed): Promise<string> {
  const { id: fundId, managerId, currency } = fund;
  await requireFreeNumber(session, table, { fundId, callNumber: terms.callNumber });
  return addHeader(session, table, { ...terms, fundId, managerId, currency });
}
