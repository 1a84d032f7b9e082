import type { CalendarDate } from '../dates/calendar-day.ts';
import {
  absolute,
  add,
  compare,
  type DecimalText,
  isZero,
  max,
  multiply,
  negate,
  round,
  subtract,
  sum,
} from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { type Billed, interestOfNote } from './interest-of-note.ts';
import { type CorrectionReason, MAX_CORRECTED_INVOICES, MAX_CORRECTION_PIECES } from './labels.ts';
import type { InvoiceLine, InvoicePiece } from './lines.ts';

/** What was invoiced as the interest of one invoice: by itself, and by the corrections of those after it. */
interface Charged {
  readonly invoice: string;
  readonly number: number;
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** False if it was withdrawn after others had corrected it. */
  isIssued: boolean;
  amount: DecimalText;
  readonly pieces: InvoicePiece[];
  /** Each is rounded by itself. */
  lines: number;
}

function chargedBy({ issued = [] }: Billed, currency: string): Charged[] {
  const found = new Map<string, Charged>();
  const chargedFor = (one: Pick<Charged, 'invoice' | 'number' | 'from' | 'to'>): Charged => {
    const known = found.get(one.invoice) ?? { ...one, isIssued: false, amount: '0', pieces: [], lines: 0 };
    found.set(one.invoice, known);
    return known;
  };
  for (const { id, number, from, to, lines, ...invoice } of issued) {
    if (invoice.currency !== currency) continue;
    const own = chargedFor({ invoice: id, number, from, to });
    own.isIssued = true;
    for (const line of lines) {
      if (line.kind !== 'interest') continue;
      const charged = line.corrects ? chargedFor(line.corrects) : own;
      charged.amount = add(charged.amount, line.amount ?? '0');
      charged.pieces.push(...line.pieces);
      charged.lines += 1;
    }
  }
  return [...found.values()].toSorted((one, other) =>
    one.from < other.from ? -1 : one.from > other.from ? 1 : one.number - other.number,
  );
}

const negated = (piece: InvoicePiece): InvoicePiece => ({
  ...piece,
  basis: negate(piece.basis),
  amount: round(negate(piece.amount), fractionDigits(piece.amount)),
});

const fractionDigits = (amount: DecimalText): number => (amount.split('.')[1] ?? '').length;

/** The pieces without those that cancel each other out, the earliest first and what is taken back before what replaces it. */
function netPieces(pieces: readonly InvoicePiece[]): InvoicePiece[] {
  const left = new Map<string, InvoicePiece[]>();
  const keyOf = ({ from, to, days, basis, rate, amount }: InvoicePiece) =>
    [from, to, days, ...[basis, rate, amount].map((one) => round(one, 9))].join('/');
  for (const piece of pieces) {
    const opposite = left.get(keyOf(negated(piece)));
    if (opposite && opposite.length > 0) opposite.pop();
    else left.set(keyOf(piece), [...(left.get(keyOf(piece)) ?? []), piece]);
  }
  return [...left.values()]
    .flat()
    .toSorted((one, other) =>
      one.from < other.from ? -1 : one.from > other.from ? 1 : compare(one.basis, other.basis),
    );
}

/** Whether more was invoiced than its pieces explain: an earlier correction could not be taken back in full. */
function hasRest({ amount, lines, ...charged }: Charged): boolean {
  const explained = sum(charged.pieces.map((piece) => piece.amount));
  return compare(absolute(subtract(amount, explained)), multiply('0.01', String(lines + 1))) > 0;
}

/** Why the interest of a period is another one now. */
function reasonsOf(before: readonly InvoicePiece[], now: readonly InvoicePiece[]): CorrectionReason[] {
  const days = new Set([...before, ...now].flatMap(({ from, to }) => [from, to]));
  const on = (pieces: readonly InvoicePiece[], day: CalendarDate) =>
    pieces.find(({ from, to }) => from <= day && day < to);
  const reasons = new Set<CorrectionReason>();
  for (const day of days) {
    const [old, current] = [on(before, day), on(now, day)];
    if (compare(old?.basis ?? '0', current?.basis ?? '0') !== 0) reasons.add('balance');
    if (old && current && compare(old.rate, current.rate) !== 0) reasons.add('rate');
  }
  return reasons.size > 0 ? [...reasons].sort() : ['dayCount'];
}

/** The interest of an invoice as it accrues now, beside what was invoiced for it; null if it is the same. */
interface Change {
  readonly charged: Charged;
  readonly accrued: DecimalText;
  readonly difference: DecimalText;
  readonly pieces: readonly InvoicePiece[];
  readonly why: readonly CorrectionReason[];
}

/**
 * Lines that correct the interest of issued invoices, because a draw, a repayment or a rate was recorded since: each is what
 * accrues now for the period of one invoice, less what was invoiced for it, the earliest first. What is taken back is at most
 * the interest that the new invoice asks for otherwise; the rest is left for the next one. So all invoices of a note add
 * up to what accrues in their periods.
 * @param own the interest that the new invoice asks for
 */
export function correctionLines(billed: Billed, currency: string, own: DecimalText): InvoiceLine[] {
  const all = chargedBy(billed, currency);
  const until = all
    .map(({ to }) => to)
    .toSorted()
    .at(-1);
  const interest = until === undefined ? null : interestOfNote(billed, currency, until);
  if (!interest || interest.missingFrom !== null) return [];
  const digits = minorUnitDigits(currency);

  const changes: Change[] = [];
  let pieceCount = 0;
  for (const charged of all) {
    const { from, to, isIssued } = charged;
    const accrued = isIssued ? round(subtract(interest.accruedTo(to), interest.accruedTo(from)), digits) : '0';
    const difference = round(subtract(accrued, charged.amount), digits);
    if (isZero(difference)) continue;
    const before = netPieces(charged.pieces);
    const now = isIssued ? interest.piecesOf(from, to) : [];
    const pieces = netPieces([...before.map(negated), ...now]);
    pieceCount += pieces.length;
    if (changes.length === MAX_CORRECTED_INVOICES || (changes.length > 0 && pieceCount > MAX_CORRECTION_PIECES)) break;
    changes.push({
      charged,
      accrued,
      difference,
      pieces,
      why: isIssued
        ? [...(pieces.length > 0 ? reasonsOf(before, now) : []), ...(hasRest(charged) ? (['rest'] as const) : [])]
        : ['withdrawn'],
    });
  }

  let available = max('0', add(own, sum(changes.map(({ difference }) => max('0', difference)))));
  return changes.flatMap(({ charged, accrued, difference, pieces, why }): InvoiceLine[] => {
    const amount = round(max(difference, negate(available)), digits);
    if (isZero(amount)) return [];
    if (compare(amount, '0') < 0) available = add(available, amount);
    const { invoice, number, from, to } = charged;
    return [
      {
        kind: 'interest',
        title: `Correction of invoice ${number}`,
        amount,
        rule: 'corrected',
        basis: null,
        dayCount: interest.dayCount,
        pieces,
        times: null,
        accrued: { to: accrued, from: round(charged.amount, digits) },
        unknown: null,
        corrects: { invoice, number, from, to, why },
      },
    ];
  });
}
