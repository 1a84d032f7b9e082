import { utilizedCommitments } from '../amendments/commitments-by-day.ts';
import { type AmendedNote, interestSteps } from '../amendments/terms-by-day.ts';
import {
  addFractions,
  decimalToFraction,
  type Fraction,
  fraction,
  fractionToDecimal,
  multiplyFractions,
  reduceFraction,
} from '../borrowing-base/exact.ts';
import type { TestedCovenants } from '../covenants/tested-days.ts';
import type { CalendarDate } from '../dates/calendar-day.ts';
import type { NoteLedger } from '../facilities/ledger.ts';
import { countPart, type Fixings, HUNDREDTH, type InterestSegment, noteInterest } from '../interest/accrual.ts';
import type { DayCount } from '../interest/day-count.ts';
import { add, compare, type DecimalText } from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import type { InvoicePiece, IssuedInvoice } from './lines.ts';

/** What a note's invoices are calculated from. */
export interface Billed extends AmendedNote {
  readonly ledger: NoteLedger;
  readonly fixings: Fixings;
  /** Of the covenants that pricing grids name. */
  readonly tests?: TestedCovenants;
  /** The invoices of the note that are issued, of which the interest may have changed since. */
  readonly issued?: readonly IssuedInvoice[];
}

/** The interest of a note in one currency, to any day until the one that it was calculated for. */
export interface InterestOfNote {
  readonly dayCount: DayCount;
  /** The first day whose fixing is missing. Nothing is known then. */
  readonly missingFrom: CalendarDate | null;
  /** What has accrued to a day, rounded once. */
  readonly accruedTo: (day: CalendarDate) => DecimalText;
  /** What accrues between two days, by balance and rate. */
  readonly piecesOf: (from: CalendarDate, to: CalendarDate) => InvoicePiece[];
}

// biome-ignore-start lint/complexity/useMathMinMax: days are texts
const earlier = (one: CalendarDate, other: CalendarDate): CalendarDate => (one < other ? one : other);
const later = (one: CalendarDate, other: CalendarDate): CalendarDate => (one > other ? one : other);
// biome-ignore-end lint/complexity/useMathMinMax: days are texts

/** Null without interest terms, and if the note never had a balance in the currency. */
export function interestOfNote(
  { ledger, fixings, tests, ...amended }: Billed,
  currency: string,
  until: CalendarDate,
): InterestOfNote | null {
  const interest = interestSteps(amended);
  if (interest.length === 0) return null;
  const commitments = utilizedCommitments({ ledger, ...amended });
  const found = noteInterest(ledger, { interest, fixings, asOf: until, commitments, tests }).find(
    (one) => one.currency === currency,
  );
  if (!found) return null;
  const { segments, dayCount, missingFrom } = found;
  const digits = minorUnitDigits(currency);
  const partOf = (segment: InterestSegment, from: CalendarDate, to: CalendarDate) => {
    const { days, fraction: part } = countPart(segment.dayCount ?? dayCount, found.from ?? from, from, to);
    const yearly = multiplyFractions(
      multiplyFractions(decimalToFraction(segment.balance), decimalToFraction(segment.rate)),
      HUNDREDTH,
    );
    return { days, exact: multiplyFractions(yearly, part) };
  };
  const before: Fraction[] = [];
  let total = fraction(0n);
  for (const segment of segments) {
    before.push(total);
    total = reduceFraction(addFractions(total, partOf(segment, segment.from, segment.to).exact));
  }
  return {
    dayCount,
    missingFrom,
    accruedTo: (day) => {
      const index = segments.findLastIndex(({ from }) => from < day);
      const segment = segments[index];
      if (!segment) return fractionToDecimal(fraction(0n), digits);
      const part = partOf(segment, segment.from, earlier(segment.to, day)).exact;
      return fractionToDecimal(addFractions(before[index]!, part), digits);
    },
    piecesOf: (from, to) =>
      joinPieces(
        segments.flatMap((segment): InvoicePiece[] => {
          const [begin, end] = [later(segment.from, from), earlier(segment.to, to)];
          if (begin >= end) return [];
          const { days, exact } = partOf(segment, begin, end);
          return [
            {
              from: begin,
              to: end,
              days,
              basis: segment.balance,
              rate: segment.rate,
              amount: fractionToDecimal(exact, digits + 4),
              ...(segment.dayCount ? { dayCount: segment.dayCount } : {}),
              ...(segment.tier ? { tier: segment.tier } : {}),
              ...(segment.tested === undefined ? {} : { tested: segment.tested }),
              ...(segment.defaultMargin ? { defaultMargin: segment.defaultMargin } : {}),
              ...(segment.inKind ? { inKind: segment.inKind } : {}),
            },
          ];
        }),
      ),
  };
}

/** Pieces of the same balance and rate are one: a fixing that repeats the last one changes nothing. */
export function joinPieces(pieces: readonly InvoicePiece[]): InvoicePiece[] {
  const joined: InvoicePiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (
      last &&
      last.to === piece.from &&
      compare(last.basis, piece.basis) === 0 &&
      compare(last.rate, piece.rate) === 0 &&
      last.dayCount === piece.dayCount &&
      last.tier === piece.tier &&
      last.tested === piece.tested &&
      last.defaultMargin === piece.defaultMargin &&
      last.inKind === piece.inKind
    ) {
      joined[joined.length - 1] = {
        ...last,
        to: piece.to,
        days: (last.days ?? 0) + (piece.days ?? 0),
        amount: add(last.amount, piece.amount),
      };
    } else joined.push(piece);
  }
  return joined;
}
