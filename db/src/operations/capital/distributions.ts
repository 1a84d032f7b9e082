import type { CapitalLimit } from '@tapeline/domain/capital/capital-limits.ts';
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
import { type LimitedSplit, roundedWithin } from '@tapeline/domain/capital/rounding.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { atItem, checkAll, eachItem, type OnRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/currencies.ts';
import { compare, type DecimalText, isZero } from '@tapeline/domain/money/decimal.ts';
import { Distribution } from '../../entities/capital.ts';
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
import { requireEachWithinLimits, requireWithinLimits } from './ledgers.ts';
import {
  commitmentFields,
  FILES_OF_PAGE,
  filesById,
  payeeWarnings,
  refuseNumber,
  requireFreeNumber,
  shownStatusSql,
  statusOf,
  takenNumbers,
  today,
} from './notices.ts';
import {
  amountsAt,
  Bundles,
  copiedFrom,
  holdingOn,
  type InvestorPart,
  lockedFund,
  type OfInvestor,
  readInvestorParts,
  refuse,
  requireAmounts,
  splitOverInvestors,
} from './split-over-investors.ts';
import { toldWarnings } from './tell-investors.ts';

export const DISTRIBUTIONS = defineListable(
  Distribution,
  'distributions',
  [
    ['callNumber', 'Number', 'text', 't.call_number'],
    ['distributionKind', 'Kind', 'text', 't.distribution_kind'],
    ['principal', 'Principal', 'decimal', 't.principal', 'currency'],
    ['totalIncome', 'Income', 'decimal', 't.income', 'currency'],
    ['totalCg', 'Capital gains', 'decimal', 't.gains', 'currency'],
    ['totalDistributed', 'Distributed', 'decimal', 't.total_distributed', 'currency'],
    ['isRecallable', 'Recallable', 'boolean', 't.is_recallable'],
    ['LPCurrentHoldingPercentage', 'Holding', 'decimal', 't.holding_percentage', null],
  ],
  commitmentFields(shownStatusSql('t.cut_off_date')),
);

export const DISTRIBUTION_CHANGES: ChangeableCapital<Distribution> = {
  listable: DISTRIBUTIONS,
  write: 'distributions/write',
  told: 'distributions',
  editable: ['Draft'],
};

/** One investor's part of a distribution with its totals, in the fund's currency. */
export type DistributionView = Omit<Distribution, 'status'> & {
  /** As people see it: Upcoming until the cut-off date. */
  status: string;
  investor: InvestorName | null;
  file: FileMetadata | null;
  totals: DistributionTotals;
  /** The commitment in force on the cut-off date. */
  committed: DecimalText;
  /** Of a dry run. */
  warnings?: string[];
};

const POSITIONS_OF_PAGE = `
  select page.id, committed_at(c.closing_date, c.active_commitment, c.deltas, page.cut_off_date)::text as committed
  from page join lp_commitments c on c.id = page.commitment_id`;

function viewsOf(
  session: Pick<ReadSession, 'now'>,
  distributions: readonly Distribution[],
  [investors = [], files = [], positions = []]: readonly Row[][],
): DistributionView[] {
  const fileOf = filesById(files);
  const committed = new Map(positions.map((row) => [row.id, String(row.committed)]));
  return withInvestors(distributions, investors).map((distribution) => ({
    ...distribution,
    status: statusOf(session, distribution, distribution.cutOffDate),
    file: fileOf.get(distribution.fileId ?? '') ?? null,
    totals: distributionTotals(distribution.principal, distribution.components),
    committed: committed.get(distribution.id) ?? '0',
  }));
}

const STATEMENTS = [INVESTORS_OF_PAGE, FILES_OF_PAGE, POSITIONS_OF_PAGE];

/** A page of the distributions that the actor can see. */
export async function listDistributions(session: ReadSession, query: unknown = {}): Promise<Page<DistributionView>> {
  const { documents, total, rows } = await listDocuments(session, DISTRIBUTIONS, query, { statements: STATEMENTS });
  return { documents: viewsOf(session, documents, rows), total };
}

async function viewDistributions(
  session: ReadSession,
  distributions: readonly Distribution[],
): Promise<DistributionView[]> {
  return viewsOf(session, distributions, await readForDocuments(session, DISTRIBUTIONS, distributions, STATEMENTS));
}

/** @throws Refusal notFound */
export async function getDistribution(session: ReadSession, id: string): Promise<DistributionView> {
  const [found] = isId(id) ? (await listDistributions(session, { filter: { id }, limit: 1 })).documents : [];
  if (!found) throw new Refusal('notFound');
  return found;
}

/** The limits that a distribution can break. */
export const BY_DISTRIBUTIONS: readonly CapitalLimit[] = ['returned', 'writtenOff'];

const NO_OPTIONS: DistributionOptions = {
  operationalExpenses: false,
  fundLevel: false,
  capitalGains: false,
  recallableDistribution: false,
};

/** @throws Refusal badRequest for components that the kind of the distribution does not have */
export function requireKind(kind: Distribution['distributionKind'], principal: DecimalText, components: number): void {
  if (kind === 'Interest' && !isZero(principal)) {
    refuse('A distribution of interest has no principal', { principal: 'must be 0' });
  }
  if (kind === 'Principal Only' && components > 0) {
    refuse('A distribution of principal only has no components', { components: 'must be empty' });
  }
}

const plain = (components: DistributionCreate['components']): TitledComponent[] =>
  components.map(({ title, actionType, amount }) => ({ title, actionType, amount: amount.sum }));

export const amountsOf = (
  body: Pick<DistributionChange, 'principal' | 'components' | 'callPurposes'>,
): Parameters<typeof requireAmounts>[1] => ({
  ...(body.principal ? { principal: body.principal } : {}),
  ...amountsAt('components', body.components),
  ...amountsAt('callPurposes', body.callPurposes),
});

/**
 * Distributes: one distribution for each investor of the fund or class, or for one investor. Those of one list with the
 * same fund and number belong together.
 * @param bodies as `distributionCreateSchema` returns them. With `dryRun`, the caller rolls the transaction back
 * @throws Refusal forbidden without `distributions/write`; notFound for a fund; badRequest with flags, naming the item
 */
export async function distribute(session: Session, bodies: readonly DistributionCreate[]): Promise<DistributionView[]> {
  requirePermission(session, 'distributions/write');
  if (new Set(bodies.map(({ dryRun }) => dryRun)).size > 1) {
    refuse('Either all distributions of a list are a dry run, or none', { dryRun: 'must be the same for all' });
  }
  const bundles = new Map<string, string>();
  const created: Distribution[] = [];
  for (const [place, body] of bodies.entries()) {
    try {
      const key = `${body.fund} ${body.callNumber}`;
      const bundleId = bundles.get(key) ?? newId(session.now);
      created.push(...(await distributeOne(session, body, bundleId)));
      bundles.set(key, bundleId);
    } catch (error) {
      throw bodies.length > 1 ? atItem(error, place) : error;
    }
  }
  await requireWithinLimits(
    session,
    created.map(({ commitmentId }) => commitmentId),
    { flag: 'principal', limits: BY_DISTRIBUTIONS },
  );
  if (bodies.some(({ status }) => status === 'Active')) session.announce('noticesDue');
  return visibleDistributions(session, created, { isTrial: bodies[0]?.dryRun ?? false });
}

/** What the actor may see of the documents, the largest commitment first. @param isTrial adds warnings */
export async function visibleDistributions(
  session: Session,
  documents: readonly Distribution[],
  { isTrial }: { isTrial: boolean },
): Promise<DistributionView[]> {
  const views = await viewDistributions(session, await visibleOf(session, DISTRIBUTIONS, documents));
  views.sort((a, b) => compare(b.committed, a.committed) || (a.investor?.code ?? 0) - (b.investor?.code ?? 0));
  if (!isTrial) return views;
  const warnings = [...(await payeeWarnings(session, views)), ...(await toldWarnings(session, 'distributions', views))];
  return views.map((view) => ({ ...view, warnings }));
}

/** What all parts of a distribution have in common. */
export type DistributionTerms = Pick<
  DistributionCreate,
  | 'cutOffDate'
  | 'callNumber'
  | 'distributionKind'
  | 'principal'
  | 'components'
  | 'callPurposes'
  | 'trailingDescription'
  | 'pdfOptions'
>;

/** The amounts that a distribution splits: principal, components, purposes. */
export const linesOf = ({ principal, components, callPurposes }: DistributionTerms): DecimalText[] => [
  principal.sum,
  ...components.map(({ amount }) => amount.sum),
  ...callPurposes.map(({ amount }) => amount),
];

/** How a distribution counts towards what was called: with its principal. */
export const splitOfDistribution = ({ cutOffDate, components, pdfOptions }: DistributionTerms): LimitedSplit => ({
  limit: 'returned',
  counted: [0],
  withDocument: (ledger, [principal = '0', ...rest]) => {
    const own = plain(components).map((component, place) => ({ ...component, amount: rest[place]! }));
    const recallable = pdfOptions?.recallableDistribution ?? false;
    return {
      ...ledger,
      distributions: [...ledger.distributions, { cutOffDate, principal, components: own, recallable }],
    };
  },
});

/** The columns of one part of a distribution. @param part its amounts in the order of `linesOf` */
export const distributionColumns = (
  terms: DistributionTerms,
  {
    amounts: [principal = '0', ...rest],
    percentage,
    percentageOf,
  }: Pick<InvestorPart, 'amounts' | 'percentage' | 'percentageOf'>,
) => {
  const components = plain(terms.components);
  const pdfOptions = terms.pdfOptions ?? NO_OPTIONS;
  return {
    cutOffDate: terms.cutOffDate,
    callNumber: terms.callNumber,
    distributionKind: terms.distributionKind,
    principal,
    components: components.map((component, place) => ({ ...component, amount: rest[place]! })),
    purposes: terms.callPurposes.map((purpose, place) => ({ ...purpose, amount: rest[components.length + place]! })),
    holdingPercentage: percentage,
    holdingClass: percentageOf,
    pdfOptions,
    fundLines: pdfOptions.fundLevel
      ? [
          { title: 'Principal', amount: terms.principal.sum },
          ...components.map(({ title, amount }) => ({ title, amount })),
        ]
      : null,
    trailingDescription: terms.trailingDescription || null,
  };
};

/** One investor's part of a distribution, to be stored. */
export const newDistribution = (
  session: Session,
  terms: DistributionTerms,
  part: InvestorPart,
  made: NewParts,
): Distribution =>
  session.em.create(Distribution, {
    id: newId(session.now),
    ...copiedFrom(part.commitment),
    ...distributionColumns(terms, part),
    ...made,
    issuedOn: made.status === 'Active' ? today(session) : null,
  });

/** @throws Refusal badRequest if fees and taxes are more than what an investor gets */
export function requireNotShort(distributions: readonly Pick<Distribution, 'principal' | 'components'>[]): void {
  const isShort = distributions.some(({ principal, components }) =>
    distributionTotals(principal, components).totalDistributed.startsWith('-'),
  );
  if (!isShort) return;
  refuse('The fees and taxes are more than what is distributed', {
    components: 'leave less than nothing to distribute',
  });
}

async function distributeOne(session: Session, body: DistributionCreate, bundleId: string): Promise<Distribution[]> {
  const fund = await lockedFund(session, body.fund, body.Class);
  requireAmounts(fund, amountsOf(body));
  await requireFreeNumber(session, 'distributions', {
    fundId: fund.id,
    callNumber: body.callNumber,
    except: bundleId,
  });
  const made: NewParts = {
    status: body.status ?? 'Draft',
    timezoneOffset: body.timezoneOffset ?? null,
    metadata: createdMetadata(session, { bundleId }),
  };
  const created = await asProgram(session, async () => {
    const split = await splitOverInvestors(session, { ...body, fund, lines: linesOf(body) });
    const parts = roundedWithin(split, minorUnitDigits(fund.currency), splitOfDistribution(body));
    const documents = parts.map((part) => newDistribution(session, body, part, made));
    await session.em.flush();
    return documents;
  });
  requireNotShort(created);
  return created;
}

/**
 * Distributes to single investors: one distribution for each body. Those of one fund and number belong together. With
 * `onRefusal`, those that are refused are left out.
 * @returns a distribution for each body; null for one that was left out
 * @throws Refusal as `distribute`, naming the item
 */
export async function distributeToInvestors(
  session: Session,
  bodies: readonly (DistributionCreate & OfInvestor)[],
  onRefusal?: OnRefusal,
): Promise<(Distribution | null)[]> {
  requirePermission(session, 'distributions/write');
  const { fundOf, partOf } = await readInvestorParts(session, bodies);
  const isTaken = await takenNumbers(session, 'distributions', bodies);
  const bundles = new Bundles();
  const parts = eachItem(
    bodies,
    (body) => {
      const fund = fundOf(body);
      let part: Omit<InvestorPart, 'amounts'> | undefined;
      let bundleId = '';
      checkAll(
        () => requireAmounts(fund, amountsOf(body)),
        () => requireNotShort([{ principal: body.principal.sum, components: plain(body.components) }]),
        () => isTaken(body) && refuseNumber('distributions', body.callNumber),
        () => {
          part = partOf(body);
        },
        () => {
          bundleId = bundles.idOf(session, body);
        },
      );
      return { ...part!, bundleId, amounts: linesOf(body) };
    },
    onRefusal,
  );
  requireEachWithinLimits(
    parts,
    (ledger, place) => {
      const body = bodies[place]!;
      return body.status === 'Active' ? splitOfDistribution(body).withDocument(ledger, linesOf(body)) : ledger;
    },
    { flag: 'principal', limits: BY_DISTRIBUTIONS },
    onRefusal,
  );
  const created = parts.map((part, place) => {
    const body = bodies[place]!;
    return (
      part &&
      newDistribution(session, body, part, {
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

/**
 * Changes distributions, all or none: drafts in all fields, others in status only.
 * @throws Refusal as `changeDocuments`, and as `distribute`
 */
export async function changeDistributions(
  session: Session,
  items: readonly DistributionChange[],
): Promise<DistributionView[]> {
  const { documents, changed } = await changeDocuments(
    session,
    DISTRIBUTION_CHANGES,
    items,
    async (distribution, item) => {
      requireAmounts(distribution, amountsOf(item));
      const components = item.components ? plain(item.components) : distribution.components;
      requireKind(
        item.distributionKind ?? distribution.distributionKind,
        item.principal?.sum ?? distribution.principal,
        components.length,
      );
      if (item.callNumber && item.callNumber !== distribution.callNumber) {
        await requireFreeNumber(session, 'distributions', {
          fundId: distribution.fundId,
          callNumber: item.callNumber,
          except: distribution.metadata.bundleId,
        });
      }
      return {
        cutOffDate: item.cutOffDate,
        callNumber: item.callNumber,
        distributionKind: item.distributionKind,
        principal: item.principal?.sum,
        ...(item.components ? { components } : {}),
        purposes: item.callPurposes,
        pdfOptions: item.pdfOptions,
        ...(await holdingOn(session, distribution, item.cutOffDate)),
        ...(item.trailingDescription === undefined ? {} : { trailingDescription: item.trailingDescription || null }),
      } as Partial<Distribution>;
    },
  );
  requireNotShort(changed);
  await requireWithinLimits(
    session,
    changed.map(({ commitmentId }) => commitmentId),
    { flag: 'status', limits: BY_DISTRIBUTIONS },
  );
  return withFundLines(session, 'distributions', await viewDistributions(session, documents));
}

/**
 * Removes distributions (soft delete), all or none.
 * @throws Refusal as `removeDocuments`; badRequest if recallable principal of them was called again
 */
export async function removeDistributions(
  session: Session,
  command: { ids: readonly string[]; reason?: string | null | undefined },
): Promise<void> {
  const removed = await removeDocuments(session, DISTRIBUTION_CHANGES, command);
  await requireWithinLimits(
    session,
    removed.map(({ commitmentId }) => commitmentId),
    { flag: 'ids', limits: ['called'] },
  );
}

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
