import {
  DISTRIBUTION_ACTION_TYPES,
  type DistributionChange,
  type DistributionCreate,
  type DistributionOptions,
} from '@tapeline/domain/capital/distribution.schema.ts';
import {
  type DistributionTotals,
  distributionTotals,
  type TitledComponent,
} from '@tapeline/domain/capital/distribution-totals.ts';
import { ownOfDistribution } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { WATERFALL_TIERS } from '@tapeline/domain/capital/waterfall-split.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { atItem, type OnRefusal, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { compare, type DecimalText, decimalOf, isZero } from '@tapeline/domain/money/decimal.ts';
import type { Distribution } from '../../entities/capital.ts';
import type { Fund } from '../../entities/funds.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { INVESTORS_OF_PAGE, type InvestorName, withInvestors } from '../funds/funds.ts';
import { listOf } from '../listing/define-lists.ts';
import { totalDocuments } from '../listing/list-figures.ts';
import { viewsOf } from '../listing/views.ts';
import { requirePermission } from '../permission.ts';
import { type ActivityKind, splitsOf, type Termed } from './activity-kind.ts';
import { type HeaderRemoval, removeHeader, type StatusStep, stepHeader } from './change-headers.ts';
import { changeWhole, type WholeChange } from './change-whole.ts';
import { NewHeaders, ofWhole, placeLines, requireFreeNumber, type WholeLine } from './headers.ts';
import { fundInvestments } from './investments.ts';
import { ISSUES_OF_PAGE, type IssueState, issueStatesOfPage, secondPersonWarnings } from './issue-approval.ts';
import { returnParts, type SeenParts, submitParts } from './issue-requests.ts';
import {
  commitmentSql,
  FILES_OF_PAGE,
  filesById,
  payeeWarnings,
  shownStatusSql,
  showsBasis,
  statusOf,
} from './notices.ts';
import {
  amountsAt,
  commitmentsOf,
  lockedFund,
  type OfInvestor,
  ownAmountsAt,
  requireAmounts,
} from './split-over-investors.ts';
import { toldWarnings } from './tell-investors.ts';
import {
  changeLines,
  enterForInvestors,
  enterHeader,
  enterLines,
  removeLines,
  visibleViews,
  type Written,
} from './write-lines.ts';

export const DISTRIBUTIONS = listOf('distributions', {
  ...commitmentSql(shownStatusSql('t.cut_off_date'), 't.activity_id'),
  totalIncome: 't.income',
  totalCg: 't.gains',
  totalDistributed: 't.total_distributed',
  isRecallable: 't.is_recallable',
  LPCurrentHoldingPercentage: 't.holding_percentage',
});

/** One investor's part of a distribution with its totals, in the fund's currency. */
export type DistributionView = Omit<Distribution, 'status'> & {
  /** As people see it: Upcoming until the cut-off date. */
  status: string;
  investor: InvestorName | null;
  file: FileMetadata | null;
  totals: DistributionTotals;
  /** The commitment in force on the cut-off date. */
  committed: DecimalText;
  /** The account that its investor is paid to; null if none is chosen. */
  paidTo: { readonly ending: string; readonly isConfirmed: boolean } | null;
  /** Principal and components with what all investors get, if the notice shows it. */
  fundLines: WholeLine[] | null;
  /** Of a draft. */
  secondPerson: IssueState | null;
  /** Of a dry run. */
  warnings?: string[];
  /** Those of the warnings because of which it cannot be issued. Of a dry run. */
  beyond?: string[];
  /** What the principal and each component come to over all investors. Of a dry run. */
  wholes?: readonly DecimalText[];
};

const POSITIONS_OF_PAGE = `
  select page.id, committed_at(c.closing_date, c.active_commitment, c.deltas, page.cut_off_date)::text as committed
  from page join lp_commitments c on c.id = page.commitment_id`;

/** What the distribution consists of that each line with the totals of the fund belongs to. */
const WHOLES_OF_PAGE = `
  select page.id, h.principal::text, h.components from page join distribution_events h on h.id = page.activity_id
  where coalesce((page.pdf_options ->> 'fundLevel')::boolean, false)`;

/** The account of each line's investor that distributions in its currency are paid to. */
const PAYOUTS_OF_PAGE = `
  select page.id, one ->> 'ending' as ending, one -> 'confirmedBy' <> 'null' as "isConfirmed"
  from page join lps l on l.id = page.investor_lp_id cross join lateral jsonb_array_elements(l.payout_accounts) as one
  where one ->> 'currency' = page.currency`;

function shown(
  distributions: readonly Distribution[],
  [investors = [], files = [], positions = [], wholes = [], issues = [], payouts = []]: readonly Row[][],
  session: ReadSession,
): DistributionView[] {
  const wholeOf = new Map(wholes.map((row) => [row.id, row as { principal: DecimalText; components: WholeLine[] }]));
  const fileOf = filesById(files);
  const issueOf = issueStatesOfPage(session, issues);
  const paidTo = new Map(payouts.map((row) => [row.id, row as { ending: string; isConfirmed: boolean }]));
  const committed = new Map(positions.map((row) => [row.id, String(row.committed)]));
  return withInvestors(distributions, investors).map((distribution) => {
    const { id, activityId, cutOffDate, principal, components } = distribution;
    const whole = wholeOf.get(id);
    return {
      ...distribution,
      metadata: { ...distribution.metadata, bundleId: activityId },
      secondPerson: issueOf(distribution),
      status: statusOf(session, distribution, cutOffDate),
      file: fileOf.get(distribution.fileId ?? '') ?? null,
      totals: distributionTotals(principal, components),
      committed: committed.get(id) ?? '0',
      basis: showsBasis(session, distribution) ? distribution.basis : [],
      paidTo: paidTo.get(id) ?? null,
      fundLines: whole
        ? [{ title: 'Principal', amount: whole.principal }, ...ofWhole(components, whole.components)]
        : null,
    };
  });
}

const VIEWS = viewsOf(
  DISTRIBUTIONS,
  [INVESTORS_OF_PAGE, FILES_OF_PAGE, POSITIONS_OF_PAGE, WHOLES_OF_PAGE, ISSUES_OF_PAGE, PAYOUTS_OF_PAGE],
  shown,
);

export const listDistributions = VIEWS.list;

/** @throws Refusal notFound */
export async function getDistribution(session: ReadSession, id: string): Promise<DistributionView> {
  const [found] = isId(id) ? (await listDistributions(session, { filter: { id }, limit: 1 })).documents : [];
  if (!found) throw new Refusal('notFound');
  return found;
}

const NO_OPTIONS: DistributionOptions = {
  operationalExpenses: false,
  fundLevel: false,
  capitalGains: false,
  recallableDistribution: false,
};

/** @throws Refusal badRequest for components that the kind of the distribution does not have */
function requireKind(kind: Distribution['distributionKind'], principal: DecimalText, components: number): void {
  if (kind === 'Interest' && !isZero(principal)) {
    refuse('A distribution of interest has no principal', { principal: 'must be 0' });
  }
  if (kind === 'Principal Only' && components > 0) {
    refuse('A distribution of principal only has no components', { components: 'must be empty' });
  }
}

const plain = (components: readonly (TitledDivided & { amount?: { sum: DecimalText } | null | undefined })[]) =>
  components.map(
    ({ title, actionType, amount }): TitledComponent => ({ title, actionType, amount: amount?.sum ?? '0' }),
  );
type TitledDivided = Pick<TitledComponent, 'title' | 'actionType'>;

const amountsOf = (
  body: Pick<DistributionChange, 'principal' | 'callPurposes'> & { components?: Parameters<typeof amountsAt>[1] },
): Parameters<typeof requireAmounts>[1] => ({
  ...(body.principal ? { principal: body.principal } : {}),
  ...amountsAt('components', body.components),
  ...amountsAt('callPurposes', body.callPurposes),
});

/** What all lines of a distribution have in common. */
export type DistributionTerms = Pick<
  DistributionCreate,
  | 'cutOffDate'
  | 'callNumber'
  | 'distributionKind'
  | 'principal'
  | 'principalSplit'
  | 'components'
  | 'callPurposes'
  | 'investment'
  | 'trailingDescription'
  | 'pdfOptions'
> &
  Pick<Termed, 'own'>;

/**
 * An investment is one that issued calls of the fund name. After a transfer of an interest, what each holder paid for it is
 * not known, because the parts of a closing that were transferred do not name it.
 * @throws Refusal badRequest (flag on `investment`)
 */
async function requireInvestment(
  session: Session,
  fund: Fund,
  { investment, cutOffDate }: DistributionTerms,
): Promise<void> {
  if (!investment) return;
  const [transferred] = await asProgram(session, () =>
    session.query<{ day: string | null }>(
      'select min(date)::text as day from transfers where fund_id = $1 and share_percent is not null and date <= $2',
      [fund.id, cutOffDate],
    ),
  );
  if (transferred?.day) {
    refuse(
      `An interest in ${fund.title} was transferred on ${formatCalendarDate(transferred.day)}, so proceeds cannot be split by investment. Choose the whole fund, and enter the amounts of investors whose terms are by facility`,
      { investment: 'is not possible after a transfer of an interest' },
    );
  }
  const known = await asProgram(session, () => fundInvestments(session, fund.id));
  if (known.some(({ title }) => title === investment)) return;
  refuse(`No call of ${fund.title} was issued for ${investment}. Choose the title of a purpose of its calls`, {
    investment: 'is not an investment that the fund has called capital for',
  });
}

/** The income that a tax is a part of: the type without its last word. */
const taxedBy = (tax: TitledComponent['actionType']): string => tax.replace(/ TAX$/, '');

/** @throws Refusal badRequest if fees and taxes are more than what an investor gets */
function requireNotShort(distributions: readonly Pick<Distribution, 'principal' | 'components'>[]): void {
  const isShort = distributions.some(({ principal, components }) =>
    distributionTotals(principal, components).totalDistributed.startsWith('-'),
  );
  if (!isShort) return;
  refuse('The fees and taxes are more than what is distributed', {
    components: 'leave less than nothing to distribute',
  });
}

/** How distributions are written: an issued one counts towards what was called with its principal. */
export const DISTRIBUTION_EVENTS: ActivityKind<Distribution, DistributionTerms, DistributionChange, DistributionView> =
  {
    table: 'distributions',
    flag: 'principal',
    changes: {
      listable: DISTRIBUTIONS,
      write: 'distributions/write',
      told: 'distributions',
      editable: ['Draft'],
      place: (session, changed) => placeLines(session, 'distributions', changed),
    },
    limits: { entered: ['returned', 'writtenOff'], removed: ['called'] },
    limitsDrafts: false,
    require: async (session, { fund }, terms) => {
      await requireInvestment(session, fund, terms);
      requireAmounts(fund, { ...amountsOf(terms), ...ownAmountsAt(terms.own) });
      requireKind(terms.distributionKind, terms.principal.sum, terms.components.length);
    },
    checksOf: (fund, terms) => [
      () => requireAmounts(fund, amountsOf(terms)),
      () => requireNotShort([{ principal: terms.principal.sum, components: plain(terms.components) }]),
    ],
    requireLines: requireNotShort,
    linesOf: ({ principal, principalSplit, investment, components, callPurposes }) => [
      {
        path: 'principal',
        title: 'Principal',
        rule: principalSplit,
        amount: principal.sum,
        ...(principalSplit === 'waterfall' ? { tier: 'principal' as const } : {}),
        ...(investment ? { investment } : {}),
      },
      ...components.map(({ title, actionType, split, amount, rate }, index) => ({
        path: `components.${index}`,
        title,
        rule: split,
        amount: amount?.sum ?? null,
        ...(split === 'waterfall' ? { tier: WATERFALL_TIERS[actionType as keyof typeof WATERFALL_TIERS] } : {}),
        ...(split === 'terms'
          ? {
              ratePercent: decimalOf(rate ?? 0),
              // The lines follow the principal.
              taxed: components.flatMap((one, place) => (one.actionType === taxedBy(actionType) ? [place + 1] : [])),
            }
          : {}),
      })),
      ...callPurposes.map(({ title, amount }, index) => ({
        path: `callPurposes.${index}`,
        title,
        rule: 'commitment' as const,
        amount,
      })),
    ],
    amountsOf: ({ principal, components, purposes }) => [
      principal,
      ...[...components, ...purposes].map(({ amount }) => amount),
    ],
    split: ({ cutOffDate, components, pdfOptions }) => ({
      limit: 'returned',
      from: cutOffDate,
      counted: [0],
      withDocument: (ledger, [principal = '0', ...rest]) => {
        const own = plain(components).map((component, index) => ({ ...component, amount: rest[index]! }));
        const recallable = pdfOptions?.recallableDistribution ?? false;
        return {
          ...ledger,
          distributions: [...ledger.distributions, { cutOffDate, principal, components: own, recallable }],
        };
      },
    }),
    columns(terms, [principal = '0', ...rest]) {
      const components = plain(terms.components);
      return {
        distributionKind: terms.distributionKind,
        principal,
        components: components.map((component, index) => ({ ...component, amount: rest[index]! })),
        purposes: terms.callPurposes.map((purpose, index) => ({
          ...purpose,
          amount: rest[components.length + index]!,
        })),
        pdfOptions: terms.pdfOptions ?? NO_OPTIONS,
        trailingDescription: terms.trailingDescription || null,
      };
    },
    fieldsOf(distribution, item) {
      requireAmounts(distribution, amountsOf(item));
      const components = item.components ? plain(item.components) : distribution.components;
      const { distributionKind, principal } = item;
      requireKind(
        distributionKind ?? distribution.distributionKind,
        principal?.sum ?? distribution.principal,
        components.length,
      );
      return {
        distributionKind,
        principal: principal?.sum,
        ...(item.components ? { components } : {}),
      } as Partial<Distribution>;
    },
    views: VIEWS.all,
  };

/**
 * Distributes: one distribution for each investor of the fund or class, or for one investor. Those of one list with the
 * same fund, number and day belong together.
 * @param bodies as `distributionCreateSchema` returns them. With `dryRun`, the caller rolls the transaction back
 * @throws Refusal forbidden without `distributions/write`; notFound for a fund; badRequest with flags, naming the item
 */
export async function distribute(
  session: Session,
  bodies: readonly (Omit<DistributionCreate, 'amounts'> &
    Partial<Pick<DistributionCreate, 'amounts'>> &
    Pick<Termed, 'own'>)[],
): Promise<DistributionView[]> {
  requirePermission(session, 'distributions/write');
  if (new Set(bodies.map(({ dryRun }) => dryRun)).size > 1) {
    refuse('Either all distributions of a list are a dry run, or none', { dryRun: 'must be the same for all' });
  }
  const headers = new NewHeaders('distributions');
  const written: Written<Distribution>[] = [];
  for (const [index, body] of bodies.entries()) {
    try {
      const { Class, investor, status, timezoneOffset, callNumber } = body;
      const fund = await lockedFund(session, body.fund, Class);
      const { id: fundId, managerId, currency } = fund;
      const scope = { fund, Class, investor };
      const terms = { ...body, own: body.own ?? ownOfDistribution(body.amounts ?? [], body.components) };
      await DISTRIBUTION_EVENTS.require(session, scope, terms);
      const except = written.flatMap(({ lines }) => lines.map(({ activityId }) => activityId));
      await requireFreeNumber(session, 'distributions', { fundId, callNumber, except });
      const splits = splitsOf(DISTRIBUTION_EVENTS.linesOf(terms));
      const one = await enterLines(session, DISTRIBUTION_EVENTS, {
        scope,
        terms,
        activityId: await headers.idOf(session, { ...terms, fundId, managerId, currency, splits }),
        isTried: body.dryRun,
        flag: 'principal',
        status,
        timezoneOffset,
      });
      written.push(one);
    } catch (error) {
      throw bodies.length > 1 ? atItem(error, index) : error;
    }
  }
  return shownDistribution(session, written, { isTried: bodies[0]?.dryRun ?? false });
}

/** What earlier investors get back at a closing: amounts as entered. @throws Refusal as `distribute` */
export async function distributeAtClosing(
  session: Session,
  fund: Fund,
  { isTried, status, ...terms }: DistributionTerms & { isTried: boolean; status: 'Draft' | 'Active' },
): Promise<Written<Distribution>> {
  requirePermission(session, 'distributions/write');
  const scope = { fund, Class: null, commitmentIds: commitmentsOf(terms.own) };
  await DISTRIBUTION_EVENTS.require(session, scope, terms);
  const activityId = await enterHeader(session, DISTRIBUTION_EVENTS, fund, terms);
  return enterLines(session, DISTRIBUTION_EVENTS, { scope, terms, activityId, isTried, flag: 'principal', status });
}

/** Distributes to single investors. @throws Refusal as `distribute`, naming the item; see `enterForInvestors` */
export const distributeToInvestors = (
  session: Session,
  bodies: readonly (DistributionCreate & OfInvestor)[],
  onRefusal?: OnRefusal,
) => enterForInvestors(session, DISTRIBUTION_EVENTS, bodies, onRefusal);

/** What the actor may see of the lines, the largest commitment first. @param isTried adds the warnings of a dry run */
async function shownDistribution(
  session: Session,
  written: readonly Written<Distribution>[],
  { isTried }: { isTried: boolean },
): Promise<DistributionView[]> {
  const lines = written.flatMap((one) => one.lines);
  const views = (await visibleViews(session, DISTRIBUTION_EVENTS, lines)).sort(
    (a, b) => compare(b.committed, a.committed) || (a.investor?.code ?? 0) - (b.investor?.code ?? 0),
  );
  if (!isTried) return views;
  const beyond = written.flatMap(({ problems }) => problems.map(({ text }) => text));
  const warnings = [
    ...beyond,
    ...(await payeeWarnings(session, views)),
    ...(await secondPersonWarnings(session, lines)),
    ...(await toldWarnings(session, 'distributions', views)),
  ];
  const wholes = written[0]?.totals ?? [];
  return views.map((view) => ({ ...view, warnings, beyond, wholes }));
}

/** Changes distributions, all or none. @throws Refusal as `changeLines`, and as `distribute` */
export const changeDistributions = (session: Session, items: readonly DistributionChange[]) =>
  changeLines(session, DISTRIBUTION_EVENTS, items);

/** Submits distributions for issue by a second person, all or none. @throws Refusal as `submitParts` */
export const submitDistributions = (session: Session, parts: SeenParts) =>
  submitParts(session, DISTRIBUTION_EVENTS, parts);

/** Returns submitted distributions to who prepared them, all or none. @throws Refusal as `returnParts` */
export const returnDistributions = (session: Session, parts: SeenParts, reason: string) =>
  returnParts(session, DISTRIBUTION_EVENTS, parts, reason);

/** Removes distributions, all or none. @throws Refusal as `removeLines`: also if recallable principal was called again */
export const removeDistributions = (session: Session, command: Parameters<typeof removeLines>[2]) =>
  removeLines(session, DISTRIBUTION_EVENTS, command);

/** Changes a distribution as a whole: a draft, or one that is withdrawn and issued again. @throws Refusal as `changeWhole` */
export async function changeDistribution(
  session: Session,
  change: WholeChange<DistributionTerms>,
): Promise<DistributionView[]> {
  const written = await changeWhole(session, DISTRIBUTION_EVENTS, change);
  return shownDistribution(session, [written], { isTried: change.dryRun ?? false });
}

/** Issues or closes a distribution, all lines or none. @throws Refusal as `stepHeader` */
export const stepDistribution = (session: Session, command: StatusStep) =>
  stepHeader(session, DISTRIBUTION_EVENTS, command);

/** Removes a distribution (soft delete), all lines or none. @throws Refusal as `removeLines` */
export const removeDistribution = (session: Session, command: HeaderRemoval) =>
  removeHeader(session, DISTRIBUTION_EVENTS, command);

/** The amounts of distributions in one currency. */
export interface DistributionTotal extends DistributionTotals {
  currency: string;
  count: number;
  principal: DecimalText;
}

const sumOf = (type: string): string => `sum_of_lines(t.components, 'actionType', array['${type}'])`;

/** The totals, by currency, of the visible distributions that match the query's filter. */
export async function totalDistributions(
  session: ReadSession,
  query: { filter?: unknown } = {},
): Promise<DistributionTotal[]> {
  const totals = await totalDocuments(session, DISTRIBUTIONS, query, {
    principal: 't.principal',
    ...(Object.fromEntries(DISTRIBUTION_ACTION_TYPES.map((type) => [type, sumOf(type)])) as Record<
      (typeof DISTRIBUTION_ACTION_TYPES)[number],
      string
    >),
  });
  return totals.map(({ currency, count, sums: { principal, ...byType } }) => ({
    currency,
    count,
    principal,
    ...distributionTotals(
      principal,
      DISTRIBUTION_ACTION_TYPES.map((actionType) => ({ actionType, amount: byType[actionType] })),
    ),
  }));
}
