import { commitmentSteps, mixedWith } from '../amendments/commitments-by-day.ts';
import { type AmendedNote, interestSteps } from '../amendments/terms-by-day.ts';
import {
  decimalToFraction,
  type Fraction,
  fraction,
  fractionToDecimal,
  multiplyFractions,
} from '../borrowing-base/exact.ts';
import { activeTranche, commitmentsInForce, termsInForce, timelineInForce } from '../facilities/in-force.ts';
import type { NoteLedger } from '../facilities/ledger.ts';
import { type BasisStep, dayCountBefore, exactTotal, movementsOf } from '../interest/accrual.ts';
import { add, compare, type DecimalText, isZero, min, negate, round, subtract, sum } from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { feeCorrectionLines, interestCorrectionLines } from './corrections.ts';
import { type InvoiceFeeBasis, nextBoundary, type Period } from './fee-lines.ts';
import { type Billed, interestOfNote, joinPieces } from './interest-of-note.ts';
import { MAX_INVOICE_CORRECTIONS } from './labels.ts';
import type { InvoiceLine } from './lines.ts';
import { chargedFee, feesByDay } from './note-fees.ts';

/** The balance in a currency after each day on which it changed, the earliest first. */
function balanceSteps(ledger: NoteLedger, currency: string): BasisStep[] {
  const movements = (movementsOf(ledger).balance.get(currency) ?? []).toSorted((a, b) =>
    a.date < b.date ? -1 : a.date > b.date ? 1 : 0,
  );
  const steps: { from: string; sum: DecimalText }[] = [];
  for (const { date, sum } of movements) {
    const last = steps.at(-1);
    if (last?.from === date) last.sum = add(last.sum, sum);
    else steps.push({ from: date, sum: add(last?.sum ?? '0', sum) });
  }
  return steps;
}

/** The principal in a currency that was repaid before it was due, by day. */
function prepaidSteps({ repayments }: NoteLedger, currency: string): BasisStep[] {
  const steps = new Map<string, DecimalText>();
  for (const { cutOffDate, isScheduled, repayments: parts } of repayments) {
    if (isScheduled) continue;
    for (const { kind, amount } of parts) {
      if (kind !== 'principal' || amount.currency !== currency) continue;
      steps.set(cutOffDate, add(steps.get(cutOffDate) ?? '0', amount.sum));
    }
  }
  return [...steps].map(([from, sum]) => ({ from, sum })).sort((a, b) => (a.from < b.from ? -1 : 1));
}

/** What fees are charged on: the commitments and the balance of each day. */
export function feeBasisOf(
  { ledger, ...amended }: AmendedNote & Pick<Billed, 'ledger'>,
  currency: string,
): InvoiceFeeBasis {
  return {
    currency,
    commitments: commitmentSteps(amended, currency),
    balance: ledger.isRecorded ? balanceSteps(ledger, currency) : null,
    mixedWith: mixedWith({ ledger, ...amended }, currency),
    prepaid: prepaidSteps(ledger, currency),
  };
}

/** The interest of a period: accrued to its end less accrued to its beginning, so that periods add up to the whole. */
function interestLine(billed: Billed, currency: string, { from, to }: Period): InvoiceLine | null {
  const interest = interestSteps(billed);
  const isAccrued = interest.some(
    (step, index) => step.value !== null && (step.from ?? from) < to && (interest[index + 1]?.from ?? to) > from,
  );
  if (!isAccrued) return null;
  const dayCount = dayCountBefore(interest, to);
  const line = {
    kind: 'interest',
    title: 'Interest',
    amount: null,
    rule: 'accrued',
    basis: null,
    dayCount,
    pieces: [],
    times: null,
    accrued: null,
    unknown: null,
  } as const satisfies InvoiceLine;
  if (!billed.ledger.isRecorded) return { ...line, unknown: { why: 'noBalance', of: null } };
  const interestTo = interestOfNote(billed, currency, to);
  if (!interestTo) return null;
  if (interestTo.missingFrom !== null) return { ...line, unknown: { why: 'noFixing', of: interestTo.missingFrom } };
  const accrued = { to: interestTo.accruedTo(to), from: interestTo.accruedTo(from) };
  const pieces = interestTo.piecesOf(from, to);
  const amount = round(subtract(accrued.to, accrued.from), minorUnitDigits(currency));
  if (isZero(amount) && pieces.length === 0) return null;
  return { ...line, amount, pieces, accrued };
}

/** The part of the interest of a period that is added to the principal instead of being paid; null if there is none. */
function inKindLine(interest: InvoiceLine | null, currency: string): InvoiceLine | null {
  if (!interest?.amount || compare(interest.amount, '0') <= 0) return null;
  const digits = minorUnitDigits(currency);
  const parts = interest.pieces.flatMap(({ inKind, ...piece }) =>
    inKind ? [{ piece, inKind, exact: partOf(piece.amount, inKind, piece.rate) }] : [],
  );
  const isAll =
    parts.length === interest.pieces.length && parts.every(({ piece, inKind }) => compare(inKind, piece.rate) === 0);
  const rounded = fractionToDecimal(exactTotal(parts.map(({ exact }) => exact)), digits);
  const amount = isAll ? interest.amount : min(rounded, interest.amount);
  if (isZero(amount)) return null;
  return {
    ...interest,
    title: 'Interest paid in kind',
    amount: round(negate(amount), digits),
    rule: 'inKind',
    accrued: null,
    pieces: joinPieces(
      parts.map(({ piece: { from, to, days, basis, dayCount }, inKind, exact }) => ({
        ...{ from, to, days, basis, rate: inKind },
        amount: round(negate(fractionToDecimal(exact, digits + 4)), digits + 4),
        ...(dayCount ? { dayCount } : {}),
      })),
    ),
  };
}

/** So much of an amount at a rate as another rate is of it. */
const partOf = (amount: DecimalText, part: DecimalText, rate: DecimalText): Fraction => {
  const whole = decimalToFraction(rate);
  return multiplyFractions(
    multiplyFractions(decimalToFraction(amount), decimalToFraction(part)),
    fraction(whole.denominator, whole.numerator),
  );
};

/** The interest of a period, and what of it is paid in kind; none where nothing accrues. */
export function interestLines(billed: Billed, currency: string, period: Period): InvoiceLine[] {
  const interest = interestLine(billed, currency, period);
  return [interest, inKindLine(interest, currency)].filter((line) => line !== null);
}

/** A scheduled repayment, as a person entered it. */
export const principalLine = (amount: DecimalText): InvoiceLine => ({
  kind: 'principal',
  title: 'Principal',
  amount,
  rule: 'entered',
  basis: null,
  dayCount: null,
  pieces: [],
  times: null,
  accrued: null,
  unknown: null,
});

/**
 * What a note owes for a period in one currency, by the terms of each day: the interest, what of it is paid in kind, and
 * corrections of the interest of issued invoices, then each fee and corrections of the fees of issued invoices. What is nothing is left out, and what is
 * unknown says why.
 */
export function accruedLines(billed: Billed, currency: string, period: Period): InvoiceLine[] {
  const basis = feeBasisOf(billed, currency);
  const own = interestLines(billed, currency, period);
  const tranche = activeTranche(billed.note)?.sequence ?? null;
  const charged = feesByDay(billed).flatMap(({ steps }) =>
    chargedFee(steps, { period, basis }).map((line): InvoiceLine => ({ ...line, tranche })),
  );
  // What is unknown may be less than what would be taken back.
  const ofInterest = own.some(({ unknown }) => unknown)
    ? []
    : interestCorrectionLines(billed, currency, sum(own.map(({ amount }) => amount ?? '0')));
  const ofFees = charged.some(({ unknown }) => unknown !== null)
    ? []
    : feeCorrectionLines(billed, basis, {
        own: sum(charged.map(({ amount }) => amount ?? '0')),
        most: MAX_INVOICE_CORRECTIONS - ofInterest.length,
      });
  return [...own, ...ofInterest, ...charged, ...ofFees];
}

/** The currencies that a note can owe in: of its commitments, its balance and its fixed fees. */
export function billedCurrencies({ note, ledger }: Pick<Billed, 'note' | 'ledger'>): string[] {
  const main = commitmentsInForce(note);
  return [
    ...new Set([
      ...(main ? [main.currency] : []),
      ...movementsOf(ledger).balance.keys(),
      ...(main?.commitments ?? []).map((one) => one.currency),
      ...(termsInForce(note).fees ?? []).flatMap(({ rate }) =>
        typeof rate === 'object' && rate.currency ? [rate.currency] : [],
      ),
    ]),
  ];
}

/**
 * The period that the next invoice is for: from the end of the last one to the end of a month, or of a quarter if no fee of
 * the terms is charged each month. The first one begins with the contract, if a fee runs from then on, or else with the first
 * balance. Null if nothing is known to accrue.
 */
export function nextPeriod(
  billed: Pick<Billed, 'note' | 'ledger'>,
  currency: string,
  lastTo: string | null,
): Period | null {
  const { note, ledger } = billed;
  const fees = termsInForce(note).fees ?? [];
  const firstBalance = balanceSteps(ledger, currency).find(({ sum }) => compare(sum, '0') > 0)?.from;
  const signing = fees.length > 0 ? timelineInForce(note)?.contractSigning : undefined;
  const [from] = lastTo ? [lastTo] : [firstBalance, signing].filter((day) => day !== undefined).sort();
  if (!from) return null;
  const isMonthly = fees.some(({ frequency }) => frequency === 'Monthly');
  return { from, to: nextBoundary(from, isMonthly ? 1 : 3) };
}
