import type { CapitalLimit } from '@tapeline/domain/capital/capital-limits.ts';
import type {
  CallOptions,
  CallPurpose,
  ContributionChange,
  ContributionCreate,
} from '@tapeline/domain/capital/contribution.schema.ts';
import { type LimitedSplit, roundedWithin } from '@tapeline/domain/capital/rounding.ts';
import { businessDaysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { checkAll, eachItem, type OnRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/currencies.ts';
import {
  add,
  compare,
  type DecimalText,
  divide,
  isZero,
  multiply,
  subtract,
  sum,
} from '@tapeline/domain/money/decimal.ts';
import { Contribution } from '../../entities/capital.ts';
import type { Fund } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { INVESTORS_OF_PAGE, type InvestorName, withInvestors } from '../funds/funds.ts';
import {
  defineListable,
  listDocuments,
  type Page,
  readForDocuments,
  totalDocuments,
} from '../listing/list-documents.ts';
import { createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import {
  type ChangeableCapital,
  changeDocuments,
  type NewParts,
  removeDocuments,
  visibleOf,
} from './capital-changes.ts';
import { withFundLines } from './fund-lines.ts';
import {
  type BeyondLimit,
  beyondLimits,
  refuseBeyond,
  requireEachWithinLimits,
  requireWithinLimits,
} from './ledgers.ts';
import {
  commitmentFields,
  FILES_OF_PAGE,
  filesById,
  refuseNumber,
  requireFreeNumber,
  shownStatusSql,
  statusOf,
  takenNumbers,
  today,
  wireWarnings,
} from './notices.ts';
import {
  amountsAt,
  Bundles,
  copiedFrom,
  holdingOn,
  type InvestorPart,
  investorsOn,
  lockedFund,
  type OfInvestor,
  readInvestorParts,
  refuse,
  requireAmounts,
  type Scope,
  splitOverInvestors,
} from './split-over-investors.ts';
import { toldWarnings } from './tell-investors.ts';

export const CONTRIBUTIONS = defineListable(
  Contribution,
  'contributions',
  [
    ['dueDate', 'Due date', 'date', 't.due_date'],
    ['callNumber', 'Call number', 'text', 't.call_number'],
    ['amount', 'Amount', 'decimal', 't.amount', 'currency'],
    ['amount.currency', 'Currency of the amount', 'text', 't.currency'],
    ['LPCurrentHoldingPercentage', 'Holding', 'decimal', 't.holding_percentage', null],
  ],
  commitmentFields(shownStatusSql('t.due_date')),
);

export const CONTRIBUTION_CHANGES: ChangeableCapital<Contribution> = {
  listable: CONTRIBUTIONS,
  write: 'contributions/write',
  told: 'contributions',
  editable: ['Draft'],
};

/** One investor's part of a call, with what it does to the investor's commitment. Sums are in the fund's currency. */
export type ContributionView = Omit<Contribution, 'status'> & {
  /** As people see it: Upcoming until it is due. */
  status: string;
  investor: InvestorName | null;
  file: FileMetadata | null;
  amount: DecimalText;
  /** Issued to the investor up to and including this call. */
  aggregate: DecimalText;
  /** Percent of the commitment in force on the cut-off date; null if there is none. */
  aggregatePercent: DecimalText | null;
  unfunded: { before: DecimalText; after: DecimalText };
  /** Of a dry run. */
  warnings?: string[];
};

/** What was committed, issued before and paid back on the day of each contribution. */
const POSITIONS_OF_PAGE = `
  select page.id, committed_at(c.closing_date, c.active_commitment, c.deltas, page.cut_off_date)::text as committed,
    (select coalesce(sum(o.amount), 0)::text from contributions o where o.commitment_id = page.commitment_id
      and o.status in ('Active', 'Closed') and o.id <> page.id
      and (o.cut_off_date, o.code) < (page.cut_off_date, page.code)) as issued,
    (select coalesce(sum(d.principal), 0)::text from distributions d where d.commitment_id = page.commitment_id
      and d.status in ('Active', 'Closed') and d.is_recallable
      and page.cut_off_date <@ recallable_days(d.cut_off_date, f.non_recyclable)) as recallable
  from page join lp_commitments c on c.id = page.commitment_id left join funds f on f.id = page.fund_id`;

const PERCENT_DIGITS = 8;

function viewsOf(
  session: Pick<ReadSession, 'now'>,
  contributions: readonly Contribution[],
  [investors = [], files = [], positions = []]: readonly Row[][],
): ContributionView[] {
  const fileOf = filesById(files);
  const positionOf = new Map(positions.map((row) => [row.id, row]));
  return withInvestors(contributions, investors).map((contribution) => {
    const position = positionOf.get(contribution.id);
    const [committed, issued, recallable] = ['committed', 'issued', 'recallable'].map((name) =>
      String(position?.[name] ?? '0'),
    ) as [DecimalText, DecimalText, DecimalText];
    const amount = sum(contribution.purposes.map((purpose) => purpose.amount));
    const aggregate = add(issued, amount);
    const before = add(subtract(committed, issued), recallable);
    return {
      ...contribution,
      status: statusOf(session, contribution, contribution.dueDate),
      file: fileOf.get(contribution.fileId ?? '') ?? null,
      amount,
      aggregate,
      aggregatePercent: isZero(committed) ? null : divide(multiply(aggregate, '100'), committed, PERCENT_DIGITS),
      unfunded: { before, after: subtract(before, amount) },
    };
  });
}

const STATEMENTS = [INVESTORS_OF_PAGE, FILES_OF_PAGE, POSITIONS_OF_PAGE];

/** A page of the contributions that the actor can see. */
export async function listContributions(session: ReadSession, query: unknown = {}): Promise<Page<ContributionView>> {
  const { documents, total, rows } = await listDocuments(session, CONTRIBUTIONS, query, { statements: STATEMENTS });
  return { documents: viewsOf(session, documents, rows), total };
}

/** The contributions that the actor can see, in their order. */
async function viewContributions(
  session: ReadSession,
  contributions: readonly Contribution[],
): Promise<ContributionView[]> {
  return viewsOf(session, contributions, await readForDocuments(session, CONTRIBUTIONS, contributions, STATEMENTS));
}

/** @throws Refusal notFound */
export async function getContribution(session: ReadSession, id: string): Promise<ContributionView> {
  const [found] = isId(id) ? (await listContributions(session, { filter: { id }, limit: 1 })).documents : [];
  if (!found) throw new Refusal('notFound');
  return found;
}

/** Business days within which investors expect to have the money ready. */
const NOTICE_BUSINESS_DAYS = 10;

/** A percentage of the commitments on the cut-off date, to the minor unit. */
async function totalOf(
  session: Session,
  body: Pick<Scope, 'Class' | 'investor' | 'commitmentIds' | 'cutOffDate'> &
    Pick<ContributionCreate, 'amount' | 'percentage'>,
  fund: Pick<Fund, 'id' | 'currency' | 'title'>,
) {
  if (body.amount) return body.amount.sum;
  const own = await asProgram(session, () => investorsOn(session, { ...body, fund }));
  const committed = sum(own.map(({ weight }) => weight));
  return divide(multiply(committed, String(body.percentage)), '100', minorUnitDigits(fund.currency));
}

type CallTotal = Pick<ContributionCreate, 'fund' | 'Class' | 'investor' | 'cutOffDate' | 'percentage'> &
  Pick<Scope, 'commitmentIds'>;

/** What a call of a percentage comes to. @throws Refusal as `callCapital` */
export async function callTotal(session: Session, body: CallTotal): Promise<DecimalText> {
  requirePermission(session, 'contributions/write');
  return totalOf(session, body, await lockedFund(session, body.fund, body.Class));
}

function requirePurposes(purposes: readonly CallPurpose[], total: DecimalText): void {
  const entered = sum(purposes.map(({ amount }) => amount));
  if (compare(entered, total) === 0) return;
  refuse(`The purposes add up to ${entered}, not ${total} (difference ${subtract(total, entered)})`, {
    callPurposes: `add up to ${entered}, not ${total}`,
  });
}

/** What all parts of a call have in common. */
export type CallTerms = Pick<
  ContributionCreate,
  | 'cutOffDate'
  | 'dueDate'
  | 'callNumber'
  | 'amount'
  | 'percentage'
  | 'callPurposes'
  | 'trailingDescription'
  | 'pdfOptions'
>;

/** @throws Refusal badRequest for amounts that the fund's currency does not have, and purposes that do not add up */
export async function requireCallAmounts(
  session: Session,
  scope: Omit<Scope, 'cutOffDate'> & { fund: Fund },
  { amount, percentage, cutOffDate, callPurposes }: CallTerms,
): Promise<void> {
  requireAmounts(scope.fund, { ...(amount ? { amount } : {}), ...amountsAt('callPurposes', callPurposes) });
  requirePurposes(callPurposes, await totalOf(session, { ...scope, amount, percentage, cutOffDate }, scope.fund));
}

/** The only limit that a call can break. */
export const BY_CALLS: readonly CapitalLimit[] = ['called'];

/** How a call counts towards what is committed: with all its purposes. */
export const splitOfCall = ({ cutOffDate, dueDate, callPurposes }: CallTerms): LimitedSplit => ({
  limit: 'called',
  counted: [...callPurposes.keys()],
  withDocument: (ledger, amounts) => {
    const purposes = amounts.map((amount, place) => ({ kind: callPurposes[place]!.kind, amount }));
    return { ...ledger, calls: [...ledger.calls, { cutOffDate, dueDate, purposes }] };
  },
});

/** Who would be called for more than is unfunded, in words. */
export const overcalledBy = (terms: CallTerms, parts: readonly InvestorPart[]): BeyondLimit[] =>
  beyondLimits(
    parts.map(({ commitment: { title, currency }, ledger, amounts }) => ({
      title,
      currency,
      ledger: splitOfCall(terms).withDocument(ledger, amounts),
    })),
    BY_CALLS,
  );

/** The columns of one part of a call. */
export const callColumns = (
  { cutOffDate, dueDate, callNumber, callPurposes, pdfOptions, trailingDescription }: CallTerms,
  { amounts, percentage, percentageOf }: Pick<InvestorPart, 'amounts' | 'percentage' | 'percentageOf'>,
) => ({
  cutOffDate,
  dueDate,
  callNumber,
  purposes: callPurposes.map((purpose, place) => ({ ...purpose, amount: amounts[place]! })),
  holdingPercentage: percentage,
  holdingClass: percentageOf,
  pdfOptions: pdfOptions ?? NO_OPTIONS,
  fundLines: pdfOptions?.fundLevel ? callPurposes.map(({ title, amount }) => ({ title, amount })) : null,
  trailingDescription: trailingDescription || null,
});

const NO_OPTIONS: CallOptions = { fundLevel: false };

/** What a person should know of a call before it is issued, also of a stored draft. Warnings never block. */
export async function callWarnings(
  session: Session,
  { fundId, cutOffDate, dueDate }: Pick<CallTerms, 'cutOffDate' | 'dueDate'> & { fundId: string },
): Promise<string[]> {
  const days = businessDaysBetween(cutOffDate, dueDate);
  return [
    ...(days < NOTICE_BUSINESS_DAYS
      ? [`The due date is ${days} business days after the cut-off date, fewer than ${NOTICE_BUSINESS_DAYS}`]
      : []),
    ...(await wireWarnings(session, fundId)),
  ];
}

/** The views of a dry run, with its warnings. */
export async function withCallWarnings(
  session: Session,
  views: readonly ContributionView[],
  {
    fundId,
    cutOffDate,
    dueDate,
    beyond,
  }: Pick<CallTerms, 'cutOffDate' | 'dueDate'> & { fundId: string; beyond: readonly BeyondLimit[] },
): Promise<ContributionView[]> {
  const warnings = [
    ...beyond.flatMap(({ investors }) => investors).map((investor) => `Beyond what is unfunded: ${investor}`),
    ...(await callWarnings(session, { fundId, cutOffDate, dueDate })),
    ...(await toldWarnings(session, 'contributions', views)),
  ];
  return views.map((view) => ({ ...view, warnings }));
}

/**
 * Calls capital: one contribution for each investor of the fund or class, or for one investor.
 * @param body as `contributionCreateSchema` returns it. With `dryRun`, the caller rolls the transaction back; the answer
 *   has warnings, and calls beyond what is unfunded are among them
 * @throws Refusal forbidden without `contributions/write`; notFound for the fund; badRequest with flags for a draft fund,
 *   an unknown class, a number that is taken, amounts in another currency or with too many decimals, purposes that do
 *   not add up, nobody to call from, and calls beyond what is unfunded (with names and amounts)
 */
export async function callCapital(session: Session, body: ContributionCreate): Promise<ContributionView[]> {
  requirePermission(session, 'contributions/write');
  const fund = await lockedFund(session, body.fund, body.Class);
  const { callNumber } = body;
  const scope = { fund, Class: body.Class, investor: body.investor };
  await requireCallAmounts(session, scope, body);
  await requireFreeNumber(session, 'contributions', { fundId: fund.id, callNumber });
  const metadata = createdMetadata(session, { bundleId: newId(session.now) });
  const { created, beyond } = await asProgram(session, async () => {
    const lines = body.callPurposes.map(({ amount }) => amount);
    const split = await splitOverInvestors(session, { ...scope, cutOffDate: body.cutOffDate, lines });
    const parts = roundedWithin(split, minorUnitDigits(fund.currency), splitOfCall(body));
    const beyond = overcalledBy(body, parts);
    if (!body.dryRun) refuseBeyond(beyond, body.amount ? 'amount' : 'percentage');
    // A dry run beyond what is unfunded is not issued.
    const status = body.dryRun && beyond.length > 0 ? 'Draft' : (body.status ?? 'Draft');
    const created = parts.map((part) =>
      newContribution(session, body, part, { status, timezoneOffset: body.timezoneOffset ?? null, metadata }),
    );
    await session.em.flush();
    return { created, beyond };
  });
  if (body.status === 'Active') session.announce('noticesDue');
  const views = await visibleContributions(session, created);
  return body.dryRun ? withCallWarnings(session, views, { ...body, fundId: fund.id, beyond }) : views;
}

/** One investor's part of a call, to be stored. */
export const newContribution = (session: Session, terms: CallTerms, part: InvestorPart, made: NewParts): Contribution =>
  session.em.create(Contribution, {
    id: newId(session.now),
    ...copiedFrom(part.commitment),
    ...callColumns(terms, part),
    ...made,
    issuedOn: made.status === 'Active' ? today(session) : null,
  });

/** A call of one investor, of an amount. */
export type InvestorCall = ContributionCreate & OfInvestor & { amount: NonNullable<ContributionCreate['amount']> };

/**
 * Calls capital of single investors: one contribution for each body. Those of one fund and number are one call. With
 * `onRefusal`, those that are refused are left out.
 * @returns a contribution for each body; null for one that was left out
 * @throws Refusal as `callCapital`, naming the item
 */
export async function callInvestors(
  session: Session,
  bodies: readonly InvestorCall[],
  onRefusal?: OnRefusal,
): Promise<(Contribution | null)[]> {
  requirePermission(session, 'contributions/write');
  const { fundOf, partOf } = await readInvestorParts(session, bodies);
  const isTaken = await takenNumbers(session, 'contributions', bodies);
  const bundles = new Bundles();
  const parts = eachItem(
    bodies,
    (body) => {
      const fund = fundOf(body);
      let part: Omit<InvestorPart, 'amounts'> | undefined;
      let bundleId = '';
      checkAll(
        () => requireAmounts(fund, { amount: body.amount, ...amountsAt('callPurposes', body.callPurposes) }),
        () => requirePurposes(body.callPurposes, body.amount.sum),
        () => isTaken(body) && refuseNumber('contributions', body.callNumber),
        () => {
          part = partOf(body);
        },
        () => {
          bundleId = bundles.idOf(session, body);
        },
      );
      return { ...part!, bundleId, amounts: body.callPurposes.map(({ amount }) => amount) };
    },
    onRefusal,
  );
  const callAt = (place: number) => {
    const { cutOffDate, dueDate, callPurposes } = bodies[place]!;
    return { cutOffDate, dueDate, purposes: callPurposes };
  };
  requireEachWithinLimits(
    parts,
    (ledger, place) => ({ ...ledger, calls: [...ledger.calls, callAt(place)] }),
    { flag: 'amount', limits: BY_CALLS },
    onRefusal,
  );
  const created = parts.map((part, place) => {
    const body = bodies[place]!;
    return (
      part &&
      newContribution(session, body, part, {
        status: body.status ?? 'Draft',
        timezoneOffset: body.timezoneOffset ?? null,
        metadata: createdMetadata(session, { bundleId: part.bundleId }),
      })
    );
  });
  await session.em.flush();
  if (bodies.some(({ status }) => status === 'Active')) session.announce('noticesDue');
  return created;
}

/** What the actor may see of the documents that it created, by the investors' titles. */
export async function visibleContributions(
  session: Session,
  created: readonly Contribution[],
): Promise<ContributionView[]> {
  const views = await viewContributions(session, await visibleOf(session, CONTRIBUTIONS, created));
  return views.sort((a, b) => compare(b.amount, a.amount) || (a.investor?.code ?? 0) - (b.investor?.code ?? 0));
}

/**
 * Changes contributions, all or none: drafts in all fields, others in status only. Issuing checks what is unfunded.
 * @throws Refusal as `changeDocuments`, and as `callCapital`
 */
export async function changeContributions(
  session: Session,
  items: readonly ContributionChange[],
): Promise<ContributionView[]> {
  const { documents, changed } = await changeDocuments(
    session,
    CONTRIBUTION_CHANGES,
    items,
    async (contribution, item) => {
      const { cutOffDate = contribution.cutOffDate, dueDate = contribution.dueDate } = item;
      if (dueDate < cutOffDate)
        refuse('The due date is before the cut-off date', { dueDate: 'must not be before the cut-off date' });
      requireAmounts(contribution, amountsAt('callPurposes', item.callPurposes));
      if (item.callNumber && item.callNumber !== contribution.callNumber) {
        const { fundId } = contribution;
        await requireFreeNumber(session, 'contributions', {
          fundId,
          callNumber: item.callNumber,
          except: contribution.metadata.bundleId,
        });
      }
      return {
        cutOffDate: item.cutOffDate,
        dueDate: item.dueDate,
        callNumber: item.callNumber,
        ...(await holdingOn(session, contribution, item.cutOffDate)),
        purposes: item.callPurposes,
        pdfOptions: item.pdfOptions,
        ...(item.trailingDescription === undefined ? {} : { trailingDescription: item.trailingDescription || null }),
      } as Partial<Contribution>;
    },
  );
  await requireWithinLimits(
    session,
    changed.map(({ commitmentId }) => commitmentId),
    { flag: 'status', limits: BY_CALLS },
  );
  return withFundLines(session, 'contributions', await viewContributions(session, documents));
}

/**
 * Removes contributions (soft delete), all or none.
 * @throws Refusal as `removeDocuments`; badRequest if what they called was returned or written off
 */
export async function removeContributions(
  session: Session,
  command: { ids: readonly string[]; reason?: string | null | undefined },
): Promise<void> {
  const removed = await removeDocuments(session, CONTRIBUTION_CHANGES, command);
  await requireWithinLimits(
    session,
    removed.map(({ commitmentId }) => commitmentId),
    { flag: 'ids', limits: ['returned', 'writtenOff'] },
  );
}

/** The amounts, by currency, of the visible contributions that match the query's filter. */
export async function totalContributions(
  session: ReadSession,
  query: { filter?: unknown } = {},
): Promise<{ currency: string; count: number; amount: DecimalText }[]> {
  const totals = await totalDocuments(session, CONTRIBUTIONS, query, { amount: 't.amount' });
  return totals.map(({ currency, count, sums }) => ({ currency, count, amount: sums.amount }));
}
