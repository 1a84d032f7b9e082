import { z } from 'zod';
import { type CalendarDate, calendarDateSchema } from '../dates/calendar-date.ts';
import { versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { textSchema } from '../documents/text.schema.ts';
import type { InputRule } from '../errors/rule.ts';
import { classKeySchema } from '../funds/fund.schema.ts';
import { decimalSchema, notNegativeSchema, positiveSchema } from '../money/amount.schema.ts';
import { compare, type DecimalText, isNegative, isZero, negate, round, sum } from '../money/decimal.ts';
import { activeCommitmentAt, type CommitmentTerms } from './active-commitment.ts';
import { investorReferenceSchema } from './investor.schema.ts';

/** Decimals of a share in percent: those of a holding percentage. */
const SHARE_DIGITS = 8;

/** The share of an interest, in percent: above 0 and at most 100. */
export const sharePercentSchema = decimalSchema.refine(
  (share) =>
    compare(share, '0') > 0 && compare(share, '100') <= 0 && compare(share, round(share, SHARE_DIGITS, 'down')) === 0,
  { message: `must be above 0 and at most 100, with up to ${SHARE_DIGITS} decimals` },
);

interface Extent {
  readonly amount?: DecimalText | null | undefined;
  readonly sharePercent?: DecimalText | null | undefined;
  readonly price?: DecimalText | null | undefined;
}

/** What is transferred is either unfunded commitment or a share of the interest. */
export const ONE_EXTENT: InputRule<Extent> = [
  ({ amount, sharePercent }) => (amount == null) !== (sharePercent == null),
  { path: ['sharePercent'], message: 'Enter either a share of the interest or an amount that is unfunded' },
];
/** Only an interest has a purchase price. */
export const PRICE_OF_INTEREST: InputRule<Extent> = [
  ({ sharePercent, price }) => price == null || sharePercent != null,
  { path: ['price'], message: 'Only a share of the interest has a purchase price' },
];

/** What is transferred, and when. */
export const transferShape = {
  to: investorReferenceSchema,
  date: calendarDateSchema,
  /** Of unfunded commitment. */
  amount: positiveSchema.nullish(),
  sharePercent: sharePercentSchema.nullish(),
  /** What the new holder pays for the interest, in the currency of the fund. */
  price: notNegativeSchema.nullish(),
};

/**
 * A transfer from one investor of a fund to another, in the currency of the fund: of unfunded commitment, or of a share of
 * the interest with everything that was called, paid and valued before its date.
 */
export const commitmentTransferSchema = z
  .object({
    /** The commitment that is transferred from, at the version that was read. */
    commitment: idSchema,
    version: versionSchema,
    /** The class of both commitments; it can only repeat that of the first. */
    Class: classKeySchema.nullish(),
    ...transferShape,
    document: textSchema(1, 1000)
      .nullish()
      .meta({ description: 'The key or id of an uploaded file in capitalAccounts' }),
  })
  .refine(...ONE_EXTENT)
  .refine(...PRICE_OF_INTEREST);

export type CommitmentTransfer = z.output<typeof commitmentTransferSchema>;

/** A change of a commitment, with the transfer that it is part of. */
interface LinkedDelta {
  readonly date: CalendarDate;
  readonly amount: DecimalText;
  readonly title?: string | null | undefined;
  readonly transfer?: string | null | undefined;
}

const MAX_TITLE = 150;

/**
 * The title of one side of a transfer.
 * @param amount negative for the transferor
 * @param investor the name of the other side, if the reader can see it
 */
export const transferTitle = (amount: DecimalText, investor = 'another investor'): string =>
  `Transfer ${isNegative(amount) ? 'to' : 'from'} ${investor}`.slice(0, MAX_TITLE).trimEnd();

/**
 * The title that is stored for a change. That of a transfer never names the other investor, since whoever reads one
 * commitment need not see the other; another title that a user gave it is kept.
 */
export const storedTitle = ({ amount, title, transfer }: Omit<LinkedDelta, 'date'>): string | null =>
  transfer && /^Transfer (from|to) /.test(title ?? '') ? transferTitle(amount) : (title ?? null);

/** A change as it is shown. @param investor the name of the other side of a transfer, if the reader can see it */
export const shownDelta = <Delta extends LinkedDelta>(delta: Delta, investor: string | undefined): Delta =>
  delta.transfer && delta.title === transferTitle(delta.amount)
    ? { ...delta, title: transferTitle(delta.amount, investor) }
    : delta;

/** The two changes of a transfer: the same amount, day and link. */
export function transferDeltas(transfer: { id: string; date: CalendarDate; amount: DecimalText }): {
  given: LinkedDelta;
  received: LinkedDelta;
} {
  const { id, date, amount } = transfer;
  const given = negate(amount);
  return {
    given: { date, amount: given, title: transferTitle(given), transfer: id },
    received: { date, amount, title: transferTitle(amount), transfer: id },
  };
}

/** The highest commitment in force on any day. */
const highestCommitment = (terms: CommitmentTerms): DecimalText =>
  [terms.closingDate, ...terms.deltas.map(({ date }) => date)]
    .map((date) => activeCommitmentAt(terms, date))
    .reduce((highest, one) => (compare(one, highest) > 0 ? one : highest));

/**
 * What an edit of the changes does to transfers, by position; -1 for one that is missing. A transfer has a counterpart
 * in another commitment, so that neither side changes alone.
 */
export function transferProblems(
  stored: readonly LinkedDelta[],
  edited: readonly LinkedDelta[],
): ReadonlyMap<number, string> {
  const problems = new Map<number, string>();
  const known = new Map(stored.flatMap((delta) => (delta.transfer ? [[delta.transfer, delta] as const] : [])));
  const kept = new Set<string>();
  for (const [index, delta] of edited.entries()) {
    if (!delta.transfer) continue;
    const before = known.get(delta.transfer);
    if (!before) problems.set(index, 'is not a transfer of this commitment');
    else if (kept.has(delta.transfer)) problems.set(index, 'repeats a transfer');
    else if (before.date !== delta.date || compare(before.amount, delta.amount) !== 0) {
      problems.set(index, 'is part of a transfer and cannot change');
    }
    kept.add(delta.transfer);
  }
  if ([...known.keys()].some((id) => !kept.has(id))) problems.set(-1, 'must keep the transfers');
  return problems;
}

/** Whether what the commitment gave and received in transfers adds up to nothing. */
export const isTransferredBack = (deltas: readonly LinkedDelta[]): boolean =>
  isZero(sum(deltas.filter(({ transfer }) => transfer).map(({ amount }) => amount)));

/** The commitment with one more change. */
export const withDelta = <Terms extends CommitmentTerms>(terms: Terms, delta: LinkedDelta) => ({
  ...terms,
  deltas: [...terms.deltas, delta],
});

/** The maximum that leaves room for the commitment on every day. */
export function maximumFor(terms: CommitmentTerms, maxCommitment: DecimalText): DecimalText {
  const highest = highestCommitment(terms);
  return compare(highest, maxCommitment) > 0 ? highest : maxCommitment;
}
