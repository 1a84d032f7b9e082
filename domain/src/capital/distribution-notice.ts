import { activeCommitmentAt } from '../commitments/active-commitment.ts';
import type { CalendarDate } from '../dates/calendar-date.ts';
import { add, type DecimalText, sum } from '../money/decimal.ts';
import { type CapitalLedger, recallableCapitalAt, unfundedAt } from './capital-figures.ts';
import type { DISTRIBUTION_KINDS } from './distribution.schema.ts';
import { type DistributionComponent, type DistributionTotals, distributionTotals } from './distribution-totals.ts';
import type { Change, HoldingOf, ListedInvestor, NoticeFacts, NoticeInvestor } from './notice-parts.ts';

export interface DistributionOptions {
  /** Lists each expense instead of their total. */
  readonly operationalExpenses: boolean;
  /** Adds the totals of the fund. */
  readonly fundLevel: boolean;
  /** Lists each capital gain, its fees and its taxes instead of the net gain. */
  readonly capitalGains: boolean;
  /** The principal can be called again. */
  readonly recallableDistribution: boolean;
  /** Rate of VAT in percent that the fees include. */
  readonly vat: DecimalText | null;
}

/** What all notices of one distribution have in common. */
export interface DistributionFacts extends NoticeFacts {
  readonly distributionKind: (typeof DISTRIBUTION_KINDS)[number];
  readonly pdfOptions: DistributionOptions;
}

export type TitledComponent = DistributionComponent & { readonly title: string };

/** Principal and components: of one investor, or of the whole fund. */
export interface DistributionLines {
  readonly principal: DecimalText;
  readonly components: readonly TitledComponent[];
}

/** What a distribution changes for one investor. */
export interface DistributionPosition {
  readonly commitment: DecimalText;
  readonly distributed: Change;
  readonly recallable: Change;
  readonly unfunded: Change;
}

/** One investor's part of a distribution. */
export interface DistributionShare extends DistributionLines {
  readonly investor: NoticeInvestor;
  /** The class of the commitment; null if the fund has none. */
  readonly className: string | null;
  /** Share in percent, at the cut-off date: of the fund, or of the class if only the class is paid. */
  readonly holdingPercent: DecimalText | null;
  readonly holdingOf: HoldingOf;
  readonly position: DistributionPosition;
}

/** A distribution's notice to one investor. Nothing in it names another investor. */
export interface DistributionNotice extends DistributionFacts, DistributionShare {
  readonly totals: DistributionTotals;
  /** The lines of the whole fund; null unless `pdfOptions.fundLevel` is set. */
  readonly fundLines: DistributionLines | null;
}

/** A distribution with the share of each investor. For managers only. */
export interface DistributionSummary extends DistributionFacts, DistributionLines {
  readonly totals: DistributionTotals;
  readonly investors: readonly (ListedInvestor & {
    readonly principal: DecimalText;
    readonly totals: DistributionTotals;
  })[];
}

/**
 * What a distribution changes for one investor.
 * @param ledger the investor's documents without this distribution and without later ones
 */
export function distributionPosition(
  ledger: CapitalLedger,
  cutOffDate: CalendarDate,
  { principal, components }: { principal: DecimalText; components: readonly DistributionComponent[] },
  recallable: boolean,
): DistributionPosition {
  const distributed = sum(
    ledger.distributions
      .filter((earlier) => earlier.cutOffDate <= cutOffDate)
      .map((earlier) => distributionTotals(earlier.principal, earlier.components).totalDistributed),
  );
  const including: CapitalLedger = {
    ...ledger,
    distributions: [...ledger.distributions, { cutOffDate, principal, components, recallable }],
  };
  return {
    commitment: activeCommitmentAt(ledger.commitment, cutOffDate),
    distributed: {
      before: distributed,
      after: add(distributed, distributionTotals(principal, components).totalDistributed),
    },
    recallable: {
      before: recallableCapitalAt(ledger, cutOffDate),
      after: recallableCapitalAt(including, cutOffDate),
    },
    unfunded: { before: unfundedAt(ledger, cutOffDate), after: unfundedAt(including, cutOffDate) },
  };
}

/**
 * Principal and components, added up over the investors of a distribution.
 * @throws RangeError if the shares do not have the same components
 */
export function lineTotals(shares: readonly DistributionLines[]): DistributionLines {
  const [first] = shares;
  return {
    principal: sum(shares.map(({ principal }) => principal)),
    components: (first?.components ?? []).map(({ title, actionType }, place) => ({
      title,
      actionType,
      amount: sum(
        shares.map(({ components }) => {
          const component = components[place];
          const isSame = component?.title === title && component.actionType === actionType;
          if (components.length !== first?.components.length || !isSame) {
            throw new RangeError('All investors of a distribution have the same components');
          }
          return component.amount;
        }),
      ),
    })),
  };
}

/**
 * The notice of a distribution to one investor.
 * @param fundLines the lines of the whole distribution (`lineTotals`), shown only with `pdfOptions.fundLevel`
 */
export function distributionNotice(
  distribution: DistributionFacts,
  share: DistributionShare,
  fundLines: DistributionLines,
): DistributionNotice {
  const { fundLevel } = distribution.pdfOptions;
  if (fundLevel && fundLines.components.length !== share.components.length) {
    throw new RangeError('The fund has the same components as the investor');
  }
  return {
    ...distribution,
    ...share,
    totals: distributionTotals(share.principal, share.components),
    fundLines: fundLevel ? fundLines : null,
  };
}

/** A distribution with the share of each investor, in the order of the shares. */
export function distributionSummary(
  distribution: DistributionFacts,
  shares: readonly DistributionShare[],
): DistributionSummary {
  const lines = lineTotals(shares);
  return {
    ...distribution,
    ...lines,
    totals: distributionTotals(lines.principal, lines.components),
    investors: shares.map((share) => ({
      code: share.investor.code,
      formalName: share.investor.formalName,
      commitment: share.position.commitment,
      className: share.className,
      holdingPercent: share.holdingPercent,
      holdingOf: share.holdingOf,
      principal: share.principal,
      totals: distributionTotals(share.principal, share.components),
    })),
  };
}
