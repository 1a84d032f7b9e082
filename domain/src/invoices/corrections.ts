import { ALWAYS } from '../amendments/commitments-by-day.ts';
import { interestSteps } from '../amendments/terms-by-day.ts';
import type { CalendarDate } from '../dates/calendar-day.ts';
import { MAX_TITLE } from '../documents/text.schema.ts';
import { activeTranche } from '../facilities/in-force.ts';
import { type BasisStep, dayCountBefore } from '../interest/accrual.ts';
import {
  absolute,
  add,
  compare,
  type DecimalText,
  decimalOf,
  isNegative,
  isZero,
  max,
  multiply,
  negate,
  round,
  subtract,
  sum,
} from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { type InvoiceFeeBasis, sumOn } from './fee-lines.ts';
import { type Billed, interestOfNote } from './interest-of-note.ts';
import { type CorrectionReason, MAX_CORRECTION_PIECES, MAX_INVOICE_CORRECTIONS } from './labels.ts';
import { type InvoiceLine, type InvoicePiece, isLeftForLater } from './lines.ts';
import { chargedFee, commitmentsSince, feesByDay, isCharged } from './note-fees.ts';

/** What was invoiced as the interest or as a fee of one invoice: on itself, and as corrections on those after it. */
interface Charged {
  readonly invoice: string;
  readonly number: number;
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** The title of a fee; null for interest. */
  readonly fee: string | null;
  /** False if it was withdrawn after others had corrected it. */
  isIssued: boolean;
  amount: DecimalText;
  readonly pieces: InvoicePiece[];
  /** Each is rounded by itself. */
  lines: number;
  /** The commitments of each day that a fee was calculated with; null if the invoice does not say. */
  committed: readonly BasisStep[] | null;
  /** The tranche whose terms a fee was calculated with, null if none was active; undefined if the invoice does not say. */
  tranche: number | null | undefined;
}

function chargedBy({ issued = [] }: Billed, currency: string, kind: 'interest' | 'fees'): Charged[] {
  const found = new Map<string, Charged>();
  const chargedFor = (one: Pick<Charged, 'invoice' | 'number' | 'from' | 'to'>, fee: string | null): Charged => {
    const key = `${one.invoice} ${fee ?? ''}`;
    const { invoice, number, from, to } = one;
    const known = found.get(key) ?? {
      ...{ invoice, number, from, to, fee },
      ...{ isIssued: false, amount: '0', pieces: [], lines: 0, committed: null, tranche: undefined },
    };
    found.set(key, known);
    return known;
  };
  for (const { id, number, from, to, lines, ...invoice } of issued) {
    if (invoice.currency !== currency) continue;
    const own = { invoice: id, number, from, to };
    if (kind === 'interest') chargedFor(own, null);
    for (const line of lines) {
      // What is paid in kind was charged with the interest that it is a part of.
      if (line.kind !== kind || line.rule === 'inKind' || isLeftForLater(line)) continue;
      const fee = kind === 'interest' ? null : line.corrects ? (line.corrects.fee ?? '') : line.title;
      const charged = chargedFor(line.corrects ?? own, fee);
      charged.amount = add(charged.amount, line.amount ?? '0');
      charged.pieces.push(...line.pieces);
      charged.lines += 1;
      if (line.corrects) continue;
      charged.committed ??=
        line.commitments ?? (line.committed === undefined ? null : [{ from: ALWAYS, sum: line.committed }]);
      charged.tranche ??= line.tranche;
    }
  }
  const ids = new Set(issued.map(({ id }) => id));
  for (const charged of found.values()) charged.isIssued = ids.has(charged.invoice);
  return [...found.values()].toSorted(inOrder);
}

const inOrder = (one: Charged, other: Charged): number =>
  one.from < other.from ? -1 : one.from > other.from ? 1 : one.number - other.number;

const negated = (piece: InvoicePiece): InvoicePiece => ({
  ...piece,
  basis: negate(piece.basis),
  amount: round(negate(piece.amount), fractionDigits(piece.amount)),
});

const fractionDigits = (amount: DecimalText): number => (amount.split('.')[1] ?? '').length;

/** The pieces without those that cancel each other out, the earliest first and what is taken back before what replaces it. */
function netPieces(pieces: readonly InvoicePiece[]): InvoicePiece[] {
  const left = new Map<string, InvoicePiece[]>();
  const keyOf = ({ from, to, days, dayCount, basis, rate, amount }: InvoicePiece) =>
    [from, to, days, dayCount, ...[basis, rate, amount].map((one) => round(one, 9))].join('/');
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

/** Whether more was invoiced than its pieces explain: an earlier correction could not be taken back in full. Fixed amounts have none. */
function hasRest({ amount, lines, ...charged }: Charged): boolean {
  const explained = sum(charged.pieces.map((piece) => piece.amount));
  return (
    charged.pieces.length > 0 && compare(absolute(subtract(amount, explained)), multiply('0.01', String(lines + 1))) > 0
  );
}

/** What was invoiced for a period, or accrues for it now: its pieces, and of a fee the commitments of each day. */
interface Calculated {
  readonly pieces: readonly InvoicePiece[];
  readonly committed?: readonly BasisStep[] | null;
  /** Of a minimum usage: the percentage of the commitments that its pieces are of. */
  readonly minimumUsage?: number | null;
}

/** Why what accrues in a period is another amount now. @param other the reason if neither an amount nor a rate changed */
function reasonsOf(before: Calculated, now: Calculated, other: CorrectionReason): CorrectionReason[] {
  const days = new Set([...before.pieces, ...now.pieces].flatMap(({ from, to }) => [from, to]));
  const on = ({ pieces }: Calculated, day: CalendarDate) => pieces.find(({ from, to }) => from <= day && day < to);
  const reasons = new Set<CorrectionReason>();
  for (const day of days) {
    const [old, current] = [on(before, day), on(now, day)];
    const moved = subtract(current?.basis ?? '0', old?.basis ?? '0');
    const changed =
      before.committed && now.committed ? subtract(sumOn(now.committed, day), sumOn(before.committed, day)) : '0';
    const committed = multiply(changed, multiply(decimalOf(now.minimumUsage ?? 100), '0.01'));
    if (!isZero(committed)) reasons.add('commitments');
    if (!isZero(moved) && compare(moved, committed) !== 0) reasons.add('balance');
    if (old && current && compare(old.rate, current.rate) !== 0) reasons.add('rate');
  }
  return reasons.size > 0 ? [...reasons].sort() : [other];
}

/** What accrues now for the period of an invoice. */
interface Accrued extends Calculated {
  readonly amount: DecimalText;
}
const NOTHING: Accrued = { amount: '0', pieces: [] };

/** What accrues for an invoice now, beside what was invoiced for it. */
interface Change {
  readonly charged: Charged;
  readonly accrued: DecimalText;
  readonly difference: DecimalText;
  readonly pieces: readonly InvoicePiece[];
  readonly why: readonly CorrectionReason[];
}

/**
 * What a new invoice corrects, the earliest first, and by how much. What is taken back is at most what the invoice asks for
 * otherwise. What it cannot take back at all is zero, and never in the place of another correction.
 * @param asked.own what the new invoice asks for otherwise
 * @param asked.most so many corrections
 */
function corrected(
  changes: readonly Change[],
  { own, most }: { own: DecimalText; most: number },
): { change: Change; amount: DecimalText }[] {
  const amounts = new Map<Change, DecimalText>();
  const left: Change[] = [];
  let available = own;
  let pieceCount = 0;
  const hasPlace = (change: Change): boolean =>
    amounts.has(change) ||
    (amounts.size < most && (amounts.size === 0 || pieceCount + change.pieces.length <= MAX_CORRECTION_PIECES));
  const correct = (change: Change, amount: DecimalText): void => {
    if (!amounts.has(change)) pieceCount += change.pieces.length;
    amounts.set(change, add(amounts.get(change) ?? '0', amount));
    available = add(available, amount);
  };
  const takeBack = (change: Change): void => {
    const rest = subtract(change.difference, amounts.get(change) ?? '0');
    if (compare(available, '0') <= 0 || isZero(rest) || !hasPlace(change)) return;
    correct(change, max(rest, negate(available)));
  };
  for (const change of changes) {
    if (isNegative(change.difference)) {
      if (compare(available, '0') > 0 && !hasPlace(change)) break;
      left.push(change);
      takeBack(change);
    } else {
      if (!hasPlace(change)) break;
      correct(change, change.difference);
      // What is owed more makes room for what was left before it.
      for (const earlier of left) takeBack(earlier);
    }
  }
  for (const change of left) if (hasPlace(change)) correct(change, '0');
  return changes.flatMap((change) => {
    const amount = amounts.get(change);
    return amount === undefined ? [] : [{ change, amount }];
  });
}

/**
 * Lines that correct what issued invoices asked for: each is what accrues now for the period of one invoice, less what was
 * invoiced for it, the earliest first. What is taken back is at most what the new invoice asks for otherwise; the rest is left
 * for the next one.
 */
function correctionLines(
  all: readonly Charged[],
  {
    kind,
    currency,
    dayCount,
    own,
    most,
    accruedFor,
  }: {
    readonly kind: 'interest' | 'fees';
    readonly currency: string;
    readonly dayCount: InvoiceLine['dayCount'];
    /** What the new invoice asks for otherwise. */
    readonly own: DecimalText;
    readonly most: number;
    /** Null for what stays as it was invoiced. */
    readonly accruedFor: (charged: Charged) => Accrued | null;
  },
): InvoiceLine[] {
  const digits = minorUnitDigits(currency);
  const changes = all.flatMap((charged): Change[] => {
    const { isIssued } = charged;
    const accrued = isIssued ? accruedFor(charged) : NOTHING;
    if (accrued === null) return [];
    const difference = round(subtract(accrued.amount, charged.amount), digits);
    if (isZero(difference)) return [];
    const before = netPieces(charged.pieces);
    const pieces = netPieces([...before.map(negated), ...accrued.pieces]);
    const rest = hasRest(charged);
    const reasons =
      pieces.length > 0 || !rest
        ? reasonsOf({ ...charged, pieces: before }, accrued, kind === 'fees' ? 'terms' : 'dayCount')
        : [];
    const why = isIssued ? [...reasons, ...(rest ? (['rest'] as const) : [])] : (['withdrawn'] as const);
    return [{ charged, accrued: accrued.amount, difference, pieces, why }];
  });
  return corrected(changes, { own, most }).map(({ change, amount }): InvoiceLine => {
    const { charged, accrued, pieces, why } = change;
    const { invoice, number, from, to, fee } = charged;
    return {
      kind,
      title: `Correction of invoice ${number}${fee === null ? '' : `, ${fee}`}`.slice(0, MAX_TITLE),
      amount: round(amount, digits),
      rule: 'corrected',
      basis: null,
      dayCount: pieces.some(({ days }) => days !== null) || kind === 'interest' ? dayCount : null,
      pieces,
      times: null,
      accrued: { to: accrued, from: round(charged.amount, digits) },
      unknown: null,
      corrects: { invoice, number, from, to, ...(fee === null ? {} : { fee }), why },
    };
  });
}

/** What was invoiced as interest, and what accrues now. Null if that is unknown. */
function accruedInterest(billed: Billed, currency: string) {
  const all = chargedBy(billed, currency, 'interest');
  const until = all
    .map(({ to }) => to)
    .toSorted()
    .at(-1);
  const interest = until === undefined ? null : interestOfNote(billed, currency, until);
  if (!interest || interest.missingFrom !== null) return null;
  const digits = minorUnitDigits(currency);
  const accruedFor = ({ from, to }: Charged): Accrued => ({
    amount: round(subtract(interest.accruedTo(to), interest.accruedTo(from)), digits),
    pieces: interest.piecesOf(from, to),
  });
  return { all, dayCount: interest.dayCount, accruedFor };
}

/**
 * Corrects the interest of issued invoices, because a draw, a repayment, a rate or an amendment was recorded since. So all
 * invoices of a note add up to what accrues in their periods.
 * @param own the interest that the new invoice asks for
 */
export function interestCorrectionLines(billed: Billed, currency: string, own: DecimalText): InvoiceLine[] {
  const found = accruedInterest(billed, currency);
  if (!found) return [];
  const { all, ...accrued } = found;
  return correctionLines(all, { kind: 'interest', currency, own, most: MAX_INVOICE_CORRECTIONS, ...accrued });
}

/** What was invoiced as fees, and what they come to now. */
function accruedFees(billed: Billed, basis: InvoiceFeeBasis) {
  const { note, issued = [] } = billed;
  const fees = feesByDay(billed);
  const tranche = activeTranche(note)?.sequence ?? null;
  // An invoice that does not name its tranche can only be of these terms if no others ever were in force.
  const hasOneSource = note.tranches.length + (note.terms?.fees?.length ? 1 : 0) <= 1;
  const charged = chargedBy(billed, basis.currency, 'fees');
  // What an amendment added for days that are invoiced was not asked for yet.
  const isAdded = ({ steps: [first] }: (typeof fees)[number]) => first?.value === null;
  // A prepayment that was recorded since is charged, whether or not its invoice had one.
  const added = fees.filter((one) => isAdded(one) || one.steps.some(({ value }) => value?.fee.onPrepayment));
  const missing = issued.flatMap(({ id: invoice, number, currency, from, to }): Charged[] => {
    const own = charged.filter((one) => one.invoice === invoice);
    const known = own.find((one) => one.tranche !== undefined);
    if (currency !== basis.currency || !(known ? known.tranche === tranche : note.tranches.length <= 1)) return [];
    const isMissing = ({ title, steps }: (typeof fees)[number]) =>
      isCharged(steps, { from, to }) && own.every(({ fee }) => fee !== title);
    // Fees of one title are one amount.
    return [...new Set(added.filter(isMissing).map(({ title }) => title))].map((title) => ({
      ...{ invoice, number, from, to, fee: title, tranche, isIssued: true },
      ...{ amount: '0', pieces: [], lines: 0, committed: basis.commitments },
    }));
  });
  const accruedFor = ({ fee, committed, from, to, ...one }: Charged): Accrued | null => {
    if (one.tranche === undefined ? !hasOneSource : one.tranche !== tranche) return null;
    const ofTitle = fees.filter(({ title }) => title === fee);
    // Commitments also grow as tranches become active: until they are amended, a period keeps those that it was invoiced with.
    const commitments = committed && commitmentsSince(committed, basis.commitments);
    const lines = ofTitle.flatMap(({ steps }) =>
      chargedFee(steps, { period: { from, to }, basis: { ...basis, commitments } }),
    );
    if (ofTitle.length === 0 || lines.some(({ unknown }) => unknown !== null)) return null;
    return {
      amount: sum(lines.map(({ amount }) => amount ?? '0')),
      pieces: lines.flatMap(({ pieces }) => pieces),
      committed: commitments,
      minimumUsage: ofTitle.at(-1)?.steps.at(-1)?.value?.fee.minimumUsage ?? null,
    };
  };
  return {
    all: [...charged, ...missing].toSorted(inOrder),
    dayCount: dayCountBefore(interestSteps(billed), '9999-12-31'),
    accruedFor,
  };
}

/**
 * Corrects the fees of issued invoices, because a draw, a repayment, the rate of a fee or an amendment was recorded since. A
 * fee that the terms no longer have, one that an invoice did not ask for, and one of another tranche stay as they were
 * invoiced.
 * @param asked.own the fees that the new invoice asks for
 * @param asked.most so many corrections
 */
export function feeCorrectionLines(
  billed: Billed,
  basis: InvoiceFeeBasis,
  { own, most }: { own: DecimalText; most: number },
): InvoiceLine[] {
  const { all, ...accrued } = accruedFees(billed, basis);
  return correctionLines(all, { kind: 'fees', currency: basis.currency, own, most, ...accrued });
}

/** The interest or a fee of an issued invoice: what was asked for it in all, and what it comes to now. */
export interface InvoicedAmount {
  readonly invoice: string;
  readonly number: number;
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** The title of a fee; null for interest. */
  readonly fee: string | null;
  readonly invoiced: DecimalText;
  readonly accrued: DecimalText;
}

/** What issued invoices asked for, beside what it comes to now. What is unknown now is left out. */
export function invoicedAmounts(billed: Billed, basis: InvoiceFeeBasis): InvoicedAmount[] {
  const { currency } = basis;
  const digits = minorUnitDigits(currency);
  const interest = accruedInterest(billed, currency);
  return [...(interest ? [interest] : []), accruedFees(billed, basis)].flatMap(({ all, accruedFor }) =>
    all.flatMap((charged): InvoicedAmount[] => {
      const accrued = charged.isIssued ? accruedFor(charged) : null;
      if (!accrued) return [];
      const { invoice, number, from, to, fee, amount } = charged;
      return [
        { invoice, number, from, to, fee, invoiced: round(amount, digits), accrued: round(accrued.amount, digits) },
      ];
    }),
  );
}
