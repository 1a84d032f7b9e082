import {
  type CallOptions,
  type ContributionChange,
  type ContributionCreate,
  type DividedPurpose,
  DUE_AFTER_CUT_OFF,
} from '@tapeline/domain/capital/contribution.schema.ts';
import { NOTICE_BUSINESS_DAYS } from '@tapeline/domain/capital/notice-days.ts';
import { ownOfCall } from '@tapeline/domain/capital/own-amounts.schema.ts';
import type { ChargedInterest } from '@tapeline/domain/cash/default-interest.ts';
import { businessDaysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { type OnRefusal, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { requireRule } from '@tapeline/domain/errors/rule.ts';
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
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import type { Contribution } from '../../entities/capital.ts';
import type { Fund } from '../../entities/funds.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { INVESTORS_OF_PAGE, type InvestorName, withInvestors } from '../funds/funds.ts';
import { listOf } from '../listing/define-lists.ts';
import { totalDocuments } from '../listing/list-figures.ts';
import { viewsOf } from '../listing/views.ts';
import { requirePermission } from '../permission.ts';
import type { ActivityKind, Termed } from './activity-kind.ts';
import { changeDocuments, lockDocuments } from './capital-changes.ts';
import { type HeaderCommand, type HeaderRemoval, removeHeader, type StatusStep, stepHeader } from './change-headers.ts';
import { changeWhole, seenWhole, type WholeChange } from './change-whole.ts';
import { ofWhole, placeLines, type WholeLine } from './headers.ts';
import {
  ISSUES_OF_PAGE,
  type IssueState,
  issueStatesOfPage,
  secondPersonWarnings,
  settleRequests,
} from './issue-approval.ts';
import { ofWholes, returnParts, type SeenParts, submitParts } from './issue-requests.ts';
import {
  commitmentSql,
  FILES_OF_PAGE,
  filesById,
  shownStatusSql,
  showsBasis,
  statusOf,
  wireWarnings,
} from './notices.ts';
import {
  amountsAt,
  commitmentsOf,
  investorsOn,
  lockedFund,
  type OfInvestor,
  ownAmountsAt,
  requireAmounts,
  type Scope,
} from './split-over-investors.ts';
import { toldWarnings } from './tell-investors.ts';
import { HELD_DISTRIBUTIONS } from './transferred-lines.ts';
import {
  changeLines,
  enterForInvestors,
  enterHeader,
  enterLines,
  removeLines,
  visibleViews,
  type Written,
} from './write-lines.ts';

export const CONTRIBUTIONS = listOf('contributions', {
  ...commitmentSql(shownStatusSql('t.due_date'), 't.activity_id'),
  amount: 't.amount',
  'amount.currency': 't.currency',
  LPCurrentHoldingPercentage: 't.holding_percentage',
});

/** One investor's part of a call, with what it does to the investor's commitment. Sums are in the fund's currency. */
export type ContributionView = Omit<Contribution, 'status'> & {
  /** As people see it: Upcoming until it is due. */
  status: string;
  investor: InvestorName | null;
  file: FileMetadata | null;
  amount: DecimalText;
  /** The commitment in force on the cut-off date. */
  committed: DecimalText;
  /** Issued to the investor up to and including this call. */
  aggregate: DecimalText;
  /** Percent of the commitment in force on the cut-off date; null if there is none. */
  aggregatePercent: DecimalText | null;
  unfunded: { before: DecimalText; after: DecimalText };
  /** The purposes with what all investors are called for, if the notice shows it. */
  fundLines: WholeLine[] | null;
  /** Of a draft. */
  secondPerson: IssueState | null;
  /** Of a dry run. */
  warnings?: string[];
  /** Those of the warnings because of which the call cannot be issued. */
  beyond?: string[];
  /** What each purpose comes to over all investors. Of a dry run. */
  totals?: readonly DecimalText[];
};

/** What was committed, issued before and paid back on the day of each contribution. */
const POSITIONS_OF_PAGE = `
  select page.id, committed_at(c.closing_date, c.active_commitment, c.deltas, page.cut_off_date)::text as committed,
    ((select coalesce(sum(o.amount), 0) from contributions o where o.commitment_id = page.commitment_id
      and o.status in ('Active', 'Closed') and o.id <> page.id
      and (o.cut_off_date, o.code) < (page.cut_off_date, page.code))
      + (select coalesce(sum(t.amount), 0) from transferred_lines t where t.commitment_id = page.commitment_id
        and t.kind = 'call' and t.cut_off_date <= page.cut_off_date))::text as issued,
    (select coalesce(sum(d.principal), 0)::text from ${HELD_DISTRIBUTIONS} d where d.commitment_id = page.commitment_id
      and d.is_recallable and d.cut_off_date <= page.cut_off_date
      and page.cut_off_date <@ recallable_days(d.paid_on, f.non_recyclable)) as recallable
  from page join lp_commitments c on c.id = page.commitment_id left join funds f on f.id = page.fund_id`;

/** The purposes of the call that each contribution with the totals of the fund is a line of. */
const WHOLES_OF_PAGE = `
  select page.id, h.purposes from page join capital_calls h on h.id = page.activity_id
  where coalesce((page.pdf_options ->> 'fundLevel')::boolean, false)`;

const PERCENT_DIGITS = 8;

function shown(
  contributions: readonly Contribution[],
  [investors = [], files = [], positions = [], wholes = [], issues = []]: readonly Row[][],
  session: ReadSession,
): ContributionView[] {
  const wholeOf = new Map(wholes.map((row) => [row.id, row.purposes as WholeLine[]]));
  const fileOf = filesById(files);
  const issueOf = issueStatesOfPage(session, issues);
  const positionOf = new Map(positions.map((row) => [row.id, row]));
  return withInvestors(contributions, investors).map((contribution) => {
    const position = positionOf.get(contribution.id);
    const [committed, issued, recallable] = ['committed', 'issued', 'recallable'].map((name) =>
      String(position?.[name] ?? '0'),
    ) as [DecimalText, DecimalText, DecimalText];
    const amount = sum(contribution.purposes.map((purpose) => purpose.amount));
    const aggregate = add(issued, amount);
    const before = add(subtract(committed, issued), recallable);
    const whole = wholeOf.get(contribution.id);
    return {
      ...contribution,
      metadata: { ...contribution.metadata, bundleId: contribution.activityId },
      basis: showsBasis(session, contribution) ? contribution.basis : [],
      fundLines: whole ? ofWhole(contribution.purposes, whole) : null,
      secondPerson: issueOf(contribution),
      status: statusOf(session, contribution, contribution.dueDate),
      file: fileOf.get(contribution.fileId ?? '') ?? null,
      amount,
      committed,
      aggregate,
      aggregatePercent: isZero(committed) ? null : divide(multiply(aggregate, '100'), committed, PERCENT_DIGITS),
      unfunded: { before, after: subtract(before, amount) },
    };
  });
}

const VIEWS = viewsOf(
  CONTRIBUTIONS,
  [INVESTORS_OF_PAGE, FILES_OF_PAGE, POSITIONS_OF_PAGE, WHOLES_OF_PAGE, ISSUES_OF_PAGE],
  shown,
);

export const listContributions = VIEWS.list;

/** @throws Refusal notFound */
export async function getContribution(session: ReadSession, id: string): Promise<ContributionView> {
  const [found] = isId(id) ? (await listContributions(session, { filter: { id }, limit: 1 })).documents : [];
  if (!found) throw new Refusal('notFound');
  return found;
}

/** A percentage of the commitments on the cut-off date, to the minor unit. */
async function totalOf(
  session: Session,
  body: Pick<Scope, 'Class' | 'investor' | 'commitmentIds' | 'cutOffDate'> & Pick<ContributionCreate, 'percentage'>,
  fund: Pick<Fund, 'id' | 'currency' | 'title'>,
) {
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

function requirePurposes(purposes: readonly DividedPurpose[], total: DecimalText): void {
  const entered = sum(purposes.map(({ amount }) => amount ?? '0'));
  if (compare(entered, total) === 0) return;
  refuse(`The purposes add up to ${entered}, not ${total} (difference ${subtract(total, entered)})`, {
    callPurposes: `add up to ${entered}, not ${total}`,
  });
}

/** What all lines of a call have in common. */
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
> &
  Pick<Termed, 'own'> & {
    /** Of a closing: each purpose has interest, whose lines follow those of the purposes. */
    readonly hasInterest?: boolean;
  };

const NO_OPTIONS: CallOptions = { fundLevel: false };

/**
 * The amounts of a closing follow from its terms, and those of others have no interest.
 * @throws Refusal badRequest
 */
function requireSameInterest({ purposes }: Contribution, changed: ContributionChange['callPurposes']): void {
  const all = [...purposes, ...(changed ?? [])];
  if (!changed || all.every(({ interest }) => interest === undefined)) return;
  const isSame = (a: DecimalText | undefined, b: DecimalText | undefined): boolean =>
    a === undefined || b === undefined ? a === b : compare(a, b) === 0;
  const isKept = purposes.every(({ amount, interest }, index) => {
    const other = changed[index];
    return isSame(amount, other?.amount) && isSame(interest, other?.interest);
  });
  if (isKept && purposes.length === changed.length) return;
  refuse('The amounts of a closing follow from its terms and cannot be changed', {
    callPurposes: 'follow from the terms of the closing',
  });
}

/** How calls are written: a call counts towards what is committed with all its purposes, drafts as well. */
export const CALLS: ActivityKind<Contribution, CallTerms, ContributionChange, ContributionView> = {
  table: 'contributions',
  flag: 'amount',
  changes: {
    listable: CONTRIBUTIONS,
    write: 'contributions/write',
    told: 'contributions',
    editable: ['Draft'],
    place: (session, changed) => placeLines(session, 'contributions', changed),
  },
  limits: { entered: ['called'], removed: ['returned', 'writtenOff'] },
  limitsDrafts: true,
  async require(session, scope, { amount, percentage, cutOffDate, callPurposes, own }) {
    requireAmounts(scope.fund, {
      ...(amount ? { amount } : {}),
      ...amountsAt('callPurposes', callPurposes),
      ...ownAmountsAt(own),
    });
    if (percentage != null) {
      requirePurposes(callPurposes, await totalOf(session, { ...scope, percentage, cutOffDate }, scope.fund));
    } else if (amount && callPurposes.every((one) => one.amount != null)) requirePurposes(callPurposes, amount.sum);
  },
  checksOf: (fund, { amount, callPurposes }) => [
    () => requireAmounts(fund, { ...(amount ? { amount } : {}), ...amountsAt('callPurposes', callPurposes) }),
    () => amount && requirePurposes(callPurposes, amount.sum),
  ],
  requireLines: () => undefined,
  linesOf: ({ callPurposes, hasInterest }) => [
    ...callPurposes.map(({ title, split, amount, from, until }, index) => ({
      path: `callPurposes.${index}`,
      title,
      rule: split,
      amount: amount ?? null,
      ...(from && until ? { days: { from, until } } : {}),
    })),
    ...(hasInterest ? callPurposes : []).map(({ title }, index) => ({
      path: `callPurposes.${index}.interest`,
      title: `Interest on ${title}`,
      rule: 'entered' as const,
      amount: null,
    })),
  ],
  amountsOf: ({ purposes }) => [
    ...purposes.map(({ amount }) => amount),
    ...purposes.flatMap(({ interest }) => interest ?? []),
  ],
  split: ({ cutOffDate, dueDate, callPurposes }) => ({
    limit: 'called',
    from: cutOffDate,
    counted: [...callPurposes.keys()],
    withDocument: (ledger, amounts) => {
      const purposes = callPurposes.map(({ kind }, index) => ({ kind, amount: amounts[index]! }));
      return { ...ledger, calls: [...ledger.calls, { cutOffDate, dueDate, purposes }] };
    },
  }),
  columns: ({ dueDate, callPurposes, pdfOptions, trailingDescription, hasInterest }, amounts) => ({
    dueDate,
    purposes: callPurposes.map(({ title, kind }, index) => ({
      title,
      kind,
      amount: amounts[index]!,
      ...(hasInterest ? { interest: amounts[callPurposes.length + index]! } : {}),
    })),
    pdfOptions: pdfOptions ?? NO_OPTIONS,
    trailingDescription: trailingDescription || null,
  }),
  fieldsOf(contribution, item) {
    const { cutOffDate = contribution.cutOffDate, dueDate = contribution.dueDate } = item;
    requireRule(DUE_AFTER_CUT_OFF, { cutOffDate, dueDate }, 'The due date is before the cut-off date');
    requireAmounts(contribution, amountsAt('callPurposes', item.callPurposes));
    requireSameInterest(contribution, item.callPurposes);
    return { dueDate: item.dueDate } as Partial<Contribution>;
  },
  views: VIEWS.all,
};

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

/**
 * Calls capital: one contribution for each investor of the fund or class, or for one investor.
 * @param body as `contributionCreateSchema` returns it. With `dryRun`, the caller rolls the transaction back; the answer
 *   has warnings, and calls beyond what is unfunded are among them
 * @throws Refusal forbidden without `contributions/write`; notFound for the fund; badRequest with flags for a draft fund,
 *   an unknown class, a number that is taken, amounts in another currency or with too many decimals, purposes that do
 *   not add up, nobody to call from, and calls beyond what is unfunded (with names and amounts)
 */
export async function callCapital(
  session: Session,
  body: Omit<ContributionCreate, 'amounts'> & Partial<Pick<ContributionCreate, 'amounts'>> & Pick<Termed, 'own'>,
): Promise<ContributionView[]> {
  requirePermission(session, 'contributions/write');
  const { Class, investor, dryRun, status, timezoneOffset } = body;
  const terms = { ...body, own: body.own ?? ownOfCall(body.amounts ?? [], body.callPurposes) };
  const fund = await lockedFund(session, body.fund, Class);
  const scope = { fund, Class, investor };
  await CALLS.require(session, scope, terms);
  const written = await enterLines(session, CALLS, {
    scope,
    terms,
    activityId: await enterHeader(session, CALLS, fund, terms),
    isTried: dryRun,
    flag: body.amount ? 'amount' : 'percentage',
    status,
    timezoneOffset,
  });
  requireTotal(terms, written);
  return shownCall(session, written, dryRun ? { ...body, fundId: fund.id } : null);
}

/** What new and increasing investors pay at a closing: amounts as entered, with interest. @throws Refusal as `callCapital` */
export async function callAtClosing(
  session: Session,
  fund: Fund,
  { isTried, status, ...terms }: Omit<CallTerms, 'hasInterest'> & { isTried: boolean; status: 'Draft' | 'Active' },
): Promise<Written<Contribution>> {
  requirePermission(session, 'contributions/write');
  const whole = { ...terms, hasInterest: true };
  const commitmentIds = commitmentsOf(terms.own);
  const scope = { fund, Class: null, commitmentIds };
  await CALLS.require(session, scope, whole);
  const activityId = await enterHeader(session, CALLS, fund, whole);
  return enterLines(session, CALLS, { scope, terms: whole, activityId, isTried, flag: 'amount', status });
}

/** The purposes of a call with a total add up to it, also those that are known once the call is divided. */
function requireTotal({ amount, callPurposes }: CallTerms, { totals, problems }: Written<Contribution>): void {
  if (!amount || problems.length > 0 || callPurposes.every((one) => one.amount != null)) return;
  requirePurposes(
    callPurposes.map((purpose, index) => ({ ...purpose, amount: purpose.amount ?? totals[index]! })),
    amount.sum,
  );
}

/** A call of one investor, of an amount. */
export type InvestorCall = ContributionCreate & OfInvestor & { amount: NonNullable<ContributionCreate['amount']> };

/** Calls capital of single investors. @throws Refusal as `callCapital`, naming the item; see `enterForInvestors` */
export const callInvestors = (session: Session, bodies: readonly InvestorCall[], onRefusal?: OnRefusal) =>
  enterForInvestors(session, CALLS, bodies, onRefusal);

/** What the actor may see of the lines, the largest first. @param tried what a dry run warns of */
async function shownCall(
  session: Session,
  { lines, beyond: limits, problems, notCalled, totals }: Written<Contribution>,
  tried: Parameters<typeof callWarnings>[1] | null,
): Promise<ContributionView[]> {
  const views = (await visibleViews(session, CALLS, lines)).sort(
    (a, b) => compare(b.amount, a.amount) || (a.investor?.code ?? 0) - (b.investor?.code ?? 0),
  );
  if (!tried) return views;
  const beyond = [
    ...problems.map(({ text }) => text),
    ...limits.flatMap(({ investors }) => investors).map((investor) => `Beyond what is unfunded: ${investor}`),
  ];
  const warnings = [
    ...beyond,
    ...notCalled,
    ...(await callWarnings(session, tried)),
    ...(await secondPersonWarnings(session, lines)),
    ...(await toldWarnings(session, 'contributions', views)),
  ];
  return views.map((view) => ({ ...view, warnings, beyond, totals }));
}

/** Changes contributions, all or none. @throws Refusal as `changeLines` */
export const changeContributions = (session: Session, items: readonly ContributionChange[]) =>
  changeLines(session, CALLS, items);

/** Submits contributions for issue by a second person, all or none. @throws Refusal as `submitParts` */
export const submitContributions = (session: Session, parts: SeenParts) => submitParts(session, CALLS, parts);

/** Returns submitted contributions to who prepared them, all or none. @throws Refusal as `returnParts` */
export const returnContributions = (session: Session, parts: SeenParts, reason: string) =>
  returnParts(session, CALLS, parts, reason);

/** Removes contributions, all or none. @throws Refusal as `removeLines`: also if what they called was returned or written off */
export const removeContributions = (session: Session, command: Parameters<typeof removeLines>[2]) =>
  removeLines(session, CALLS, command);

/** Does something with the whole calls of which these are all parts, as they were read. @throws Refusal as `ofWholes` does */
export const ofWholeCalls = (
  session: Session,
  parts: SeenParts,
  work: (command: HeaderCommand) => Promise<void>,
): Promise<ContributionView[]> => ofWholes(session, CALLS, parts, work);

/**
 * Sets the default interest of all lines of a draft call, as interest of the first purpose of each.
 * @param readCharges what each commitment is charged, once the fund is locked
 * @throws Refusal forbidden without `contributions/write`; notFound; badRequest if it changed since, is no draft, is of a
 *   closing, or an investor is not visible
 */
export async function setChargedInterest(
  session: Session,
  header: HeaderCommand,
  readCharges: () => Promise<(commitmentId: string) => ChargedInterest[]>,
): Promise<void> {
  requirePermission(session, 'contributions/write');
  const seen = await seenWhole(session, 'contributions', { ...header, investors: 'same' });
  if (!seen.isDraft) refuse('Default interest is added to a draft', { status: 'is not a draft' });
  const lines = await lockDocuments(session, CALLS.changes, seen.ids);
  const charged = await readCharges();
  const items = lines.map(({ id, version }) => ({ id, version }));
  await changeDocuments(session, CALLS.changes, items, ({ commitmentId, purposes }) => {
    const defaultInterest = charged(commitmentId);
    const interest = sum(defaultInterest.map(({ amount }) => amount));
    const [first, ...rest] = purposes.map(({ interest: _, ...purpose }) => purpose);
    return {
      defaultInterest,
      purposes:
        first && defaultInterest.length > 0 ? [{ ...first, interest }, ...rest] : [...(first ? [first] : []), ...rest],
    };
  });
  await settleRequests(session, 'contributions', [header.id]);
}

/** Changes a capital call as a whole: a draft, or one that is withdrawn and issued again. @throws Refusal as `changeWhole` */
export async function changeCall(session: Session, change: WholeChange<CallTerms>): Promise<ContributionView[]> {
  const written = await changeWhole(session, CALLS, change);
  requireTotal(change.terms, written);
  const fundId = written.lines[0]?.fundId;
  return shownCall(session, written, change.dryRun && fundId ? { ...change.terms, fundId } : null);
}

/** Issues or closes a capital call, all lines or none. @throws Refusal as `stepHeader` */
export const stepCall = (session: Session, command: StatusStep) => stepHeader(session, CALLS, command);

/** Removes a capital call (soft delete), all lines or none. @throws Refusal as `removeLines` */
export const removeCall = (session: Session, command: HeaderRemoval) => removeHeader(session, CALLS, command);

/** The amounts, by currency, of the visible contributions that match the query's filter. */
export async function totalContributions(
  session: ReadSession,
  query: { filter?: unknown } = {},
): Promise<{ currency: string; count: number; amount: DecimalText }[]> {
  const totals = await totalDocuments(session, CONTRIBUTIONS, query, { amount: 't.amount' });
  return totals.map(({ currency, count, sums }) => ({ currency, count, amount: sums.amount }));
}
