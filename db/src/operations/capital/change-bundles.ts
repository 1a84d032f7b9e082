import type { CapitalLimit } from '@tapeline/domain/capital/capital-limits.ts';
import { type LimitedSplit, roundedWithin } from '@tapeline/domain/capital/rounding.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/currencies.ts';
import { compare, type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';
import type { Contribution, Distribution } from '../../entities/capital.ts';
import type { Fund } from '../../entities/funds.ts';
import { asProgram, type Session } from '../../store.ts';
import { createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { type BundleCommand, seenParts } from './bundles.ts';
import {
  type ChangeableCapital,
  changeDocuments,
  lockDocuments,
  type NewParts,
  removeDocuments,
} from './capital-changes.ts';
import {
  BY_CALLS,
  type CallTerms,
  CONTRIBUTION_CHANGES,
  type ContributionView,
  callColumns,
  newContribution,
  overcalledBy,
  requireCallAmounts,
  splitOfCall,
  visibleContributions,
  withCallWarnings,
} from './contributions.ts';
import {
  amountsOf,
  BY_DISTRIBUTIONS,
  DISTRIBUTION_CHANGES,
  type DistributionTerms,
  type DistributionView,
  distributionColumns,
  linesOf,
  newDistribution,
  requireKind,
  requireNotShort,
  splitOfDistribution,
  visibleDistributions,
} from './distributions.ts';
import { type BeyondLimit, refuseBeyond, requireWithinLimits } from './ledgers.ts';
import { BUNDLE, requireFreeNumber } from './notices.ts';
import { type InvestorPart, lockedFund, refuse, requireAmounts, splitOverInvestors } from './split-over-investors.ts';

/** Whom a changed draft concerns: the investors whom it has, or those of the fund or of a class on its cut-off date. */
export type InvestorChoice = 'same' | { Class: string | null };

/** A draft call or distribution as it is to be. */
export interface BundleChange<Terms> extends BundleCommand {
  readonly terms: Terms;
  readonly investors: InvestorChoice;
  /** Active issues it as well. */
  readonly status?: 'Draft' | 'Active' | undefined;
  /** The caller rolls the transaction back. The answer has warnings, and nothing is refused for being beyond what is unfunded. */
  readonly dryRun?: boolean | undefined;
}

type Noticed = Contribution | Distribution;

/** What changing calls and changing distributions do not share. */
interface BundleKind<Document extends Noticed, Terms> {
  readonly table: 'contributions' | 'distributions';
  readonly noun: 'call' | 'distribution';
  /** The field with its amount. */
  readonly flag: 'amount' | 'principal';
  readonly changes: ChangeableCapital<Document>;
  readonly check: (session: Session, scope: PartScope, terms: Terms) => Promise<void> | void;
  /** The amounts that are split, of the terms and of a part, in the same order. */
  readonly linesOf: (terms: Terms) => DecimalText[];
  readonly amountsOf: (part: Document) => DecimalText[];
  /** The limits that such a document can break. */
  readonly limits: readonly CapitalLimit[];
  /** Who would be called for more than is unfunded, in words. */
  readonly beyond: (terms: Terms, parts: readonly InvestorPart[]) => BeyondLimit[];
  readonly split: (terms: Terms) => LimitedSplit;
  readonly columns: (terms: Terms, part: InvestorPart) => Partial<Document>;
  readonly create: (session: Session, terms: Terms, part: InvestorPart, made: NewParts) => Document;
}

interface PartScope {
  readonly fund: Fund;
  readonly Class: string | null;
  readonly commitmentIds?: ReadonlySet<string>;
}

/**
 * The fund and class of a call or distribution, and the commitments to which its amounts are limited.
 * @throws Refusal notFound
 */
export async function scopeOfBundle(
  session: Session,
  table: 'contributions' | 'distributions',
  id: string,
  investors: InvestorChoice,
): Promise<{ fund: string; Class: string | null; commitmentIds?: ReadonlySet<string> }> {
  const [found] = await session.query<{ fund: string; Class: string | null; commitments: string[] }>(
    `select min(t.fund_id) as fund, array_agg(t.commitment_id::text) as commitments,
       case when count(distinct t.class) = 1 and count(t.class) = count(*) then min(t.class) end as "Class"
     from ${table} t where ${BUNDLE} = $1 and t.status <> 'Removed' having count(*) > 0`,
    [id],
  );
  if (!found) throw new Refusal('notFound');
  const { fund, Class, commitments } = found;
  return investors === 'same' ? { fund, Class, commitmentIds: new Set(commitments) } : { fund, Class: investors.Class };
}

/**
 * The parts of a draft as they were seen, with their fund locked.
 * @throws Refusal notFound; badRequest if one changed since, was issued, or cannot be seen
 */
async function draftParts<Document extends Noticed, Terms>(
  session: Session,
  { table, noun, changes }: BundleKind<Document, Terms>,
  { id, stamp, investors }: BundleChange<Terms>,
): Promise<{ scope: PartScope; parts: Document[] }> {
  const { fund: fundId, ...scope } = await scopeOfBundle(session, table, id, investors);
  const fund = await lockedFund(session, fundId, scope.Class);
  const seen = await seenParts(session, table, { id, stamp });
  if (seen.some(({ status }) => status !== 'Draft')) {
    refuse(`Only a draft can be changed. Remove the ${noun} with a reason, and enter it again`, {
      status: 'is not Draft',
    });
  }
  const [all] = await asProgram(session, () =>
    session.query<{ count: number }>(
      `select count(*)::int as count from ${table} t where ${BUNDLE} = $1 and t.status <> 'Removed'`,
      [id],
    ),
  );
  if (all?.count !== seen.length) {
    refuse(`You cannot see every investor of this ${noun}, so you cannot change it as a whole`, {
      investors: 'are not all visible to you',
    });
  }
  const parts = await lockDocuments(
    session,
    changes,
    seen.map((part) => part.id),
  );
  if (new Set(parts.map(({ commitmentId }) => commitmentId)).size < parts.length) {
    refuse(`An investor has several parts of this ${noun}. Change each part instead`, {
      investors: 'have several parts',
    });
  }
  return { scope: { ...scope, fund }, parts };
}

/** Whether the lines of the parts add up to these, so that each investor keeps its own. */
const addUpTo = (lines: readonly DecimalText[], parts: readonly (readonly DecimalText[])[]): boolean =>
  parts.every(({ length }) => length === lines.length) &&
  lines.every((line, place) => compare(line, sum(parts.map((amounts) => amounts[place] ?? '0'))) === 0);

/**
 * Changes a draft as a whole. Its amounts are split again if they, the date or the investors change: those who keep a
 * part keep its document, others get one, and the parts of those who have none any more are removed.
 */
async function changeBundle<Document extends Noticed, Terms extends { cutOffDate: string; callNumber: string }>(
  session: Session,
  kind: BundleKind<Document, Terms>,
  change: BundleChange<Terms>,
): Promise<{ documents: Document[]; beyond: BeyondLimit[] }> {
  requirePermission(session, kind.changes.write);
  const { terms, investors, dryRun = false } = change;
  const { scope, parts: before } = await draftParts(session, kind, change);
  const [first] = before;
  if (!first) throw new Refusal('notFound');
  await kind.check(session, scope, terms);
  if (terms.callNumber !== first.callNumber) {
    await requireFreeNumber(session, kind.table, {
      fundId: scope.fund.id,
      callNumber: terms.callNumber,
      except: change.id,
    });
  }
  const lines = kind.linesOf(terms);
  const isKept =
    investors === 'same' && terms.cutOffDate === first.cutOffDate && addUpTo(lines, before.map(kind.amountsOf));
  const documentOf = new Map(before.map((document) => [document.commitmentId, document]));
  const split = await asProgram(session, () =>
    splitOverInvestors(session, { ...scope, cutOffDate: terms.cutOffDate, lines }),
  );
  const parts = roundedWithin(split, minorUnitDigits(scope.fund.currency), kind.split(terms)).map(
    (part): InvestorPart => {
      const own = documentOf.get(part.commitment.id);
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
  const beyond = kind.beyond(terms, parts);
  if (!dryRun) refuseBeyond(beyond, kind.flag);
  // A dry run beyond what is unfunded is not issued.
  const status = dryRun && beyond.length > 0 ? 'Draft' : (change.status ?? 'Draft');

  const partOf = new Map(parts.map((part) => [part.commitment.id, part]));
  const left = before.filter(({ commitmentId }) => !partOf.has(commitmentId));
  if (left.length > 0) await removeDocuments(session, kind.changes, { ids: left.map(({ id }) => id) });
  const items = before.flatMap(({ id, version, commitmentId }) =>
    partOf.has(commitmentId) ? [{ id, version, ...(status === 'Active' ? { status } : {}) }] : [],
  );
  const { documents: kept } = await changeDocuments(session, kind.changes, items, (document) => {
    const part = partOf.get(document.commitmentId);
    return part ? kind.columns(terms, part) : {};
  });
  const made: NewParts = {
    status,
    timezoneOffset: first.timezoneOffset ?? null,
    metadata: createdMetadata(session, { bundleId: change.id }),
  };
  const joined = await asProgram(session, async () => {
    const created = parts.flatMap((part) =>
      documentOf.has(part.commitment.id) ? [] : [kind.create(session, terms, part, made)],
    );
    await session.em.flush();
    return created;
  });
  if (status === 'Active') session.announce('noticesDue');
  const documents = [...kept, ...joined];
  await requireWithinLimits(
    session,
    documents.map(({ commitmentId }) => commitmentId),
    { flag: kind.flag, limits: kind.limits },
  );
  return { documents, beyond };
}

/**
 * Changes a draft capital call as a whole, and can issue it.
 * @param change its stamp is of the call as the person saw it
 * @throws Refusal as `callCapital`; notFound; badRequest if it changed since, was issued, or cannot be seen as a whole
 */
export async function changeCall(session: Session, change: BundleChange<CallTerms>): Promise<ContributionView[]> {
  const { terms } = change;
  const { documents, beyond } = await changeBundle(
    session,
    {
      table: 'contributions',
      noun: 'call',
      flag: 'amount',
      changes: CONTRIBUTION_CHANGES,
      check: requireCallAmounts,
      linesOf: ({ callPurposes }) => callPurposes.map(({ amount }) => amount),
      amountsOf: ({ purposes }) => purposes.map(({ amount }) => amount),
      limits: BY_CALLS,
      beyond: overcalledBy,
      split: splitOfCall,
      columns: callColumns,
      create: newContribution,
    },
    change,
  );
  const views = await visibleContributions(session, documents);
  const fundId = documents[0]?.fundId;
  return change.dryRun && fundId ? withCallWarnings(session, views, { ...terms, fundId, beyond }) : views;
}

/**
 * Changes a draft distribution as a whole, and can issue it.
 * @param change its stamp is of the distribution as the person saw it
 * @throws Refusal as `distribute`; notFound; badRequest if it changed since, was issued, or cannot be seen as a whole
 */
export async function changeDistribution(
  session: Session,
  change: BundleChange<DistributionTerms>,
): Promise<DistributionView[]> {
  const { documents } = await changeBundle(
    session,
    {
      table: 'distributions',
      noun: 'distribution',
      flag: 'principal',
      changes: DISTRIBUTION_CHANGES,
      check: (_, { fund }, terms) => {
        requireAmounts(fund, amountsOf(terms));
        requireKind(terms.distributionKind, terms.principal.sum, terms.components.length);
      },
      linesOf,
      amountsOf: ({ principal, components, purposes }) => [
        principal,
        ...[...components, ...purposes].map(({ amount }) => amount),
      ],
      limits: BY_DISTRIBUTIONS,
      beyond: () => [],
      split: splitOfDistribution,
      columns: distributionColumns,
      create: newDistribution,
    },
    change,
  );
  requireNotShort(documents);
  return visibleDistributions(session, documents, { isTrial: change.dryRun ?? false });
}
