import { add, type DecimalText } from '../money/decimal.ts';
import type { LedgerBasis, LedgerCall, LedgerDistribution } from './capital-figures.ts';

/** A purpose of a call can have interest on top of its amount, which moves with it. */
export interface Amounted {
  readonly amount: DecimalText;
  readonly interest?: DecimalText | undefined;
}

export const withInterest = (interest: DecimalText | undefined, of: (interest: DecimalText) => DecimalText) =>
  interest === undefined ? {} : { interest: of(interest) };

/** The basis of a distribution by the waterfall, with another amount of income outside the success fee. */
export const withOutside = (
  basis: LedgerDistribution['basis'],
  of: (outside: DecimalText, index: number) => DecimalText,
): readonly LedgerBasis[] | null =>
  basis?.map(({ tier, investment, waterfall }, index) => ({
    tier,
    investment,
    ...(waterfall ? { waterfall: { outside: of(waterfall.outside, index) } } : {}),
  })) ?? null;

const addedAmounts = <Item extends Amounted>(held: readonly Item[], part: readonly Item[]): Item[] =>
  held.map((one, index) => ({
    ...one,
    amount: add(one.amount, part[index]!.amount),
    ...withInterest(one.interest, (interest) => add(interest, part[index]!.interest ?? '0')),
  }));

/** A call with a part of it that a transfer moved. */
export const addedCall = (held: LedgerCall, part: LedgerCall): LedgerCall => ({
  ...held,
  purposes: addedAmounts(held.purposes, part.purposes),
});

/** A distribution with a part of it that a transfer moved. */
export const addedDistribution = (held: LedgerDistribution, part: LedgerDistribution): LedgerDistribution => ({
  ...held,
  principal: add(held.principal, part.principal),
  components: addedAmounts(held.components, part.components),
  basis: withOutside(held.basis, (outside, index) => add(outside, part.basis?.[index]?.waterfall?.outside ?? '0')),
});

/** Each document once, with the parts of it that transfers moved to or from its holder. */
export const wholeDocuments = <One extends { readonly id?: string }>(
  lines: readonly One[],
  added: (held: One, part: One) => One,
): One[] => [...Map.groupBy(lines, (line) => line.id ?? line)].map(([, parts]) => parts.reduce(added));
