import type { CapitalLimit } from '@tapeline/domain/capital/capital-limits.ts';
import type { ContributionChange } from '@tapeline/domain/capital/contribution.schema.ts';
import type { DistributionChange } from '@tapeline/domain/capital/distribution.schema.ts';
import { type LimitedSplit, roundedWithin } from '@tapeline/domain/capital/split.ts';
import type { CapitalStatus } from '@tapeline/domain/capital/states.ts';
import { checkAll, eachItem, type OnRefusal, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/currencies.ts';
import { compare, type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';
import { staleRefusal } from '../../database-refusals.ts';
import type { Contribution, Distribution } from '../../entities/capital.ts';
import type { Fund } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import { asProgram, type Session } from '../../store.ts';
import { createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import {
  type ChangeableCapital,
  changeDocuments,
  lockDocuments,
  removeDocuments,
  visibleOf,
} from './capital-changes.ts';
import {
  addHeader,
  changeHeader,
  HEADERS,
  type HeaderKey,
  type LineTable,
  NewHeaders,
  refuseNumber,
  requireFreeNumber,
  takenNumbers,
} from './headers.ts';
import {
  type BeyondLimit,
  beyondLimits,
  refuseBeyond,
  requireEachWithinLimits,
  requireWithinLimits,
} from './ledgers.ts';
import { today } from './notices.ts';
import {
  copiedFrom,
  holdingOn,
  type InvestorPart,
  lockedFund,
  type OfInvestor,
  readInvestorParts,
  SameDays,
  type Scope,
  splitOverInvestors,
} from './split-over-investors.ts';

type CapitalLine = Contribution | Distribution;
type LineChange = ContributionChange | DistributionChange;
type Termed = Omit<HeaderKey, 'fundId'>;

/** How the lines of a new call or distribution are stored. */
interface Entered {
  readonly status?: 'Draft' | 'Active' | undefined;
  readonly timezoneOffset?: number | null | undefined;
}

/** What calls and distributions do not share where they are entered, changed, issued, closed and withdrawn. */
export interface ActivityKind<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View> {
  readonly table: LineTable;
  /** The field with the amount. */
  readonly flag: 'amount' | 'principal';
  readonly changes: ChangeableCapital<Line>;
  /** The limits that a line can break, and its removal. */
  readonly limits: { readonly entered: readonly CapitalLimit[]; readonly removed: readonly CapitalLimit[] };
  /** Whether drafts are within the limits as well, so that a dry run warns of what is beyond. */
  readonly limitsDrafts: boolean;
  /** What is wrong with the terms of a whole call or distribution, and with those of one investor. */
  readonly require: (session: Session, scope: WholeScope, terms: Terms) => Promise<void> | void;
  readonly checksOf: (fund: Fund, terms: Terms) => (() => void)[];
  /** What is wrong with lines as they are to be stored. */
  readonly requireLines: (lines: readonly Line[]) => void;
  /** The amounts that are split, of the terms and of a line, in the same order. */
  readonly linesOf: (terms: Terms) => DecimalText[];
  readonly amountsOf: (line: Line) => DecimalText[];
  /** How it counts towards its limits. */
  readonly split: (terms: Terms) => LimitedSplit;
  /** The columns of a line, besides those of its header and share. */
  readonly columns: (terms: Terms, amounts: readonly DecimalText[]) => Partial<Line>;
  /** The columns that a change of a line names, besides those that all lines have. */
  readonly fieldsOf: (line: Line, item: Item) => Partial<Line>;
  readonly views: (session: Session, lines: readonly Line[]) => Promise<View[]>;
}

export interface WholeScope extends Omit<Scope, 'cutOffDate'> {
  readonly fund: Fund;
}

const columnsOf = <Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  kind: ActivityKind<Line, Terms, Item, View>,
  terms: Terms,
  { amounts, percentage, percentageOf }: Pick<InvestorPart, 'amounts' | 'percentage' | 'percentageOf'>,
) => ({
  cutOffDate: terms.cutOffDate,
  callNumber: terms.callNumber,
  holdingPercentage: percentage,
  holdingClass: percentageOf,
  ...kind.columns(terms, amounts),
});

/** One investor's line, to be stored. */
const newLine = <Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  terms: Terms,
  part: InvestorPart,
  { status = 'Draft', timezoneOffset, activityId }: Entered & { activityId: string },
): Line =>
  session.em.create(kind.changes.listable.entity, {
    id: newId(session.now),
    ...copiedFrom(part.commitment),
    ...columnsOf(kind, terms, part),
    status,
    timezoneOffset: timezoneOffset ?? null,
    activityId,
    metadata: createdMetadata(session),
    issuedOn: status === 'Active' ? today(session) : null,
  } as never) as Line;

/** Which investors would be beyond a limit, in words. */
function beyondOf<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  kind: ActivityKind<Line, Terms, Item, View>,
  terms: Terms,
  parts: readonly InvestorPart[],
  status: Entered['status'],
): BeyondLimit[] {
  if (!kind.limitsDrafts && status !== 'Active') return [];
  const { withDocument } = kind.split(terms);
  return beyondLimits(
    parts.map(({ commitment: { title, currency }, ledger, amounts }) => ({
      title,
      currency,
      ledger: withDocument(ledger, amounts),
    })),
    kind.limits.entered,
  );
}

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
}

/** Names a call or distribution as the person saw it. */
export interface HeaderCommand {
  readonly id: string;
  readonly version: number;
}

interface SeenLine {
  readonly id: string;
  readonly version: number;
  readonly status: CapitalStatus;
}

/** The visible lines of a call or distribution as it was seen. @throws Refusal notFound; badRequest if it changed since */
async function seenLines(session: Session, table: LineTable, { id, version }: HeaderCommand): Promise<SeenLine[]> {
  const lines = await session.query<SeenLine & { ofHeader: number }>(
    `select t.id, t.version, t.status, h.version as "ofHeader" from ${table} t join ${HEADERS[table].table} h on h.id = t.activity_id
     where t.activity_id = $1 and t.status <> 'Removed' order by t.id`,
    [id],
  );
  const [first] = lines;
  if (!first) throw new Refusal('notFound');
  if (first.ofHeader !== version) throw staleRefusal();
  return lines;
}

export interface StatusStep extends HeaderCommand {
  /** Active issues the drafts. Closed closes what was issued. */
  readonly status: 'Active' | 'Closed';
}

/** Issues or closes a call or distribution, all lines or none. @throws Refusal as `changeLines`; if there is nothing to do */
export async function stepHeader<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  { status, ...command }: StatusStep,
): Promise<void> {
  const from = status === 'Active' ? 'Draft' : 'Active';
  const lines = (await seenLines(session, kind.table, command)).filter((line) => line.status === from);
  if (lines.length === 0) {
    throw new Refusal(
      'badRequest',
      status === 'Active' ? 'Nothing here is a draft that can be issued' : 'Nothing here is Active and can be closed',
    );
  }
  await changeLines(session, kind, lines.map(({ id, version }) => ({ id, version, status })) as Item[]);
}

export interface HeaderRemoval extends HeaderCommand {
  readonly reason?: string | null | undefined;
}

/** Removes a call or distribution (soft delete), all lines or none. @throws Refusal as `removeLines` */
export async function removeHeader<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  { reason, ...command }: HeaderRemoval,
): Promise<void> {
  const lines = await seenLines(session, kind.table, command);
  await removeLines(session, kind, { ids: lines.map(({ id }) => id), reason });
}

/** Whom a changed draft concerns: the investors whom it has, or those of the fund or of a class on its cut-off date. */
export type InvestorChoice = 'same' | { Class: string | null };

/** A draft call or distribution as it is to be. */
export interface DraftChange<Terms> extends HeaderCommand {
  readonly terms: Terms;
  readonly investors: InvestorChoice;
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
 * The lines of a draft as they were seen, with their fund locked.
 * @throws Refusal notFound; badRequest if one changed since, was issued, or cannot be seen
 */
async function draftLines<Line extends CapitalLine>(
  session: Session,
  { table, changes }: { readonly table: LineTable; readonly changes: ChangeableCapital<Line> },
  { id, version, investors }: Omit<DraftChange<unknown>, 'terms'>,
): Promise<{ scope: WholeScope; lines: Line[] }> {
  const { noun } = HEADERS[table];
  const { fund: fundId, ...scope } = await scopeOfHeader(session, table, id, investors);
  const fund = await lockedFund(session, fundId, scope.Class);
  const seen = await seenLines(session, table, { id, version });
  if (seen.some(({ status }) => status !== 'Draft')) {
    refuse(`Only a draft can be changed. Remove the ${noun} with a reason, and enter it again`, {
      status: 'is not Draft',
    });
  }
  const [all] = await asProgram(session, () =>
    session.query<{ count: number }>(
      `select count(*)::int as count from ${table} t where t.activity_id = $1 and t.status <> 'Removed'`,
      [id],
    ),
  );
  if (all?.count !== seen.length) {
    refuse(`You cannot see every investor of this ${noun}, so you cannot change it as a whole`, {
      investors: 'are not all visible to you',
    });
  }
  const lines = await lockDocuments(
    session,
    changes,
    seen.map((line) => line.id),
  );
  if (new Set(lines.map(({ commitmentId }) => commitmentId)).size < lines.length) {
    refuse(`An investor has several parts of this ${noun}. Change each part instead`, {
      investors: 'have several parts',
    });
  }
  return { scope: { ...scope, fund }, lines };
}

/** Whether the amounts of the lines add up to these, so that each investor keeps its own. */
const addUpTo = (amounts: readonly DecimalText[], lines: readonly (readonly DecimalText[])[]): boolean =>
  lines.every(({ length }) => length === amounts.length) &&
  amounts.every((amount, index) => compare(amount, sum(lines.map((own) => own[index] ?? '0'))) === 0);

/**
 * Changes a draft as a whole, and can issue it. Its amounts are split again if they, the date or the investors change:
 * those who keep a line keep its document, others get one, and the lines of those who have none any more are removed.
 * @throws Refusal as `enterLines`; notFound; badRequest if it changed since, was issued, or cannot be seen as a whole
 */
export async function changeDraft<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  change: DraftChange<Terms>,
): Promise<{ lines: Line[]; beyond: BeyondLimit[] }> {
  requirePermission(session, kind.changes.write);
  const { id, terms, investors, dryRun = false } = change;
  const { scope, lines: before } = await draftLines(session, kind, change);
  const [first] = before;
  if (!first) throw new Refusal('notFound');
  await kind.require(session, scope, terms);
  const { callNumber, cutOffDate } = terms;
  const fundId = scope.fund.id;
  if (callNumber !== first.callNumber) {
    await requireFreeNumber(session, kind.table, { fundId, callNumber, except: [id] });
  }
  const amounts = kind.linesOf(terms);
  const isKept =
    investors === 'same' && cutOffDate === first.cutOffDate && addUpTo(amounts, before.map(kind.amountsOf));
  const lineOf = new Map(before.map((line) => [line.commitmentId, line]));
  const split = await asProgram(session, () => splitOverInvestors(session, { ...scope, cutOffDate, lines: amounts }));
  const parts = roundedWithin(split, minorUnitDigits(scope.fund.currency), kind.split(terms)).map(
    (part): InvestorPart => {
      const own = lineOf.get(part.commitment.id);
      return isKept && own
        ? {
            ...part,
            amounts: kind.amountsOf(own),
            percentage: own.holdingPercentage ?? null,
            percentageOf: own.holdingClass ?? null,
          }
        : part;
    },
  );
  const beyond = beyondOf(kind, terms, parts, change.status);
  if (!(dryRun && kind.limitsDrafts)) refuseBeyond(beyond, kind.flag);
  // A dry run beyond a limit is not issued.
  const status = beyond.length > 0 ? 'Draft' : (change.status ?? 'Draft');
  const partOf = new Map(parts.map((part) => [part.commitment.id, part]));
  const left = before.filter(({ commitmentId }) => !partOf.has(commitmentId));
  if (left.length > 0) await removeDocuments(session, kind.changes, { ids: left.map((line) => line.id) });
  await changeHeader(session, kind.table, id, { ...terms, fundId });
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
      lineOf.has(part.commitment.id) ? [] : [newLine(session, kind, terms, part, entered)],
    );
    await session.em.flush();
    return created;
  });
  if (status === 'Active') session.announce('noticesDue');
  const lines = [...kept, ...joined];
  kind.requireLines(lines);
  return { lines, beyond };
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
