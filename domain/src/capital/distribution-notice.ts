import { activeCommitmentAt } from '../commitments/active-commitment.ts';
import type { CalendarDate } from '../dates/calendar-date.ts';
import { add, type DecimalText, sum } from '../money/decimal.ts';
import { type CapitalLedger, recallableCapitalAt, unfundedAt } from './capital-figures.ts';
import type { DISTRIBUTION_KINDS } from './distribution.schema.ts';
import { type DistributionComponent, distributionTotals, type TitledComponent } from './distribution-totals.ts';
import type { Change, NoticeFacts, NoticeShare } from './notice-parts.ts';

export interface NoticeOptions {
  /** Lists each expense instead of their total. */
  readonly operationalExpenses: boolean;
  /** Adds the totals of the fund. */
  readonly fundLevel: boolean;
  /** Adds where each amount comes from. */
  readonly basis?: boolean | undefined;
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
  readonly pdfOptions: NoticeOptions;
}

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
export interface DistributionShare extends DistributionLines, NoticeShare {
  readonly position: DistributionPosition;
  /** The end of the account that it is paid to; null if none is confirmed. */
  readonly paidTo: string | null;
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
    components: (first?.components ?? []).map(({ title, actionType }, index) => ({
      title,
      actionType,
      amount: sum(
        shares.map(({ components }) => {
          const component = components[index];
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
