import type { WaterfallTrace } from '@tapeline/domain/capital/line-basis.ts';
import { owedBack } from '@tapeline/domain/capital/waterfall-split.ts';
import { add, type DecimalText, isZero, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import type { DistributionShare } from './distribution-shares.tsx';

/** What the tiers of one investor's waterfall pay; its own terms say so, whatever is entered instead. */
export interface InvestorTiersRow extends Pick<DistributionShare, 'commitmentId' | 'investor' | 'isFund'> {
  readonly trace: WaterfallTrace;
  /** With income that does not enter the success fee. */
  readonly proceeds: DecimalText;
  /** To the investor beyond its preferred return. */
  readonly beyond: DecimalText;
  readonly toInvestor: DecimalText;
  readonly toManager: DecimalText;
}

export interface ReviewedTiers {
  readonly rows: readonly InvestorTiersRow[];
  /** As the amounts are, with what is entered for single investors. */
  readonly proceeds: DecimalText;
  readonly toInvestors: DecimalText;
  readonly toManager: DecimalText;
  /** Where more carry is received than is due on the whole fund. */
  readonly owed: readonly {
    readonly investor: string | null;
    readonly received: DecimalText;
    readonly due: DecimalText;
    readonly sum: DecimalText;
  }[];
}

/** The amounts of an investor's lines that are gross proceeds, and its carry. */
function amountsOf({ lines, basis }: DistributionShare): { gross: DecimalText; carry: DecimalText } {
  const of = (isCarry: boolean) =>
    sum(
      lines.filter((_, index) => {
        const tier = basis[index]?.tier;
        return tier !== undefined && (tier === 'carry') === isCarry;
      }),
    );
  return { gross: of(false), carry: of(true) };
}

/** The tiers of a distribution by the waterfall, of each investor whose terms are known. */
export function tiersOf(shares: readonly DistributionShare[]): ReviewedTiers {
  const amounts = shares.map(amountsOf);
  const proceeds = sum(amounts.map(({ gross }) => gross));
  const toManager = sum(amounts.map(({ carry }) => carry));
  return {
    rows: shares.flatMap(({ commitmentId, investor, isFund, basis }) => {
      const trace = basis[0]?.waterfall;
      if (!trace) return [];
      const beyond = sum([trace.catchUpLp, trace.splitLp, trace.outside]);
      return [
        {
          commitmentId,
          investor,
          isFund,
          trace,
          proceeds: add(trace.proceeds, trace.outside),
          beyond,
          toInvestor: sum([trace.returnOfCapital, trace.preferredReturn, beyond]),
          toManager: add(trace.catchUp, trace.splitGp),
        },
      ];
    }),
    proceeds,
    toInvestors: subtract(proceeds, toManager),
    toManager,
    owed: shares.flatMap(({ investor, basis }, index) => {
      const trace = basis[0]?.waterfall;
      const carry = amounts[index]!.carry;
      const owed = trace ? owedBack(trace, carry) : '0';
      return trace && !isZero(owed)
        ? [{ investor, received: add(trace.carryReceived, carry), due: trace.carryDue, sum: owed }]
        : [];
    }),
  };
}
