import type { CalendarDate } from '../dates/calendar-date.ts';
import { add, type DecimalText, fromScaled, negate, subtract, sum, toScaled } from '../money/decimal.ts';
import {
  type CapitalLedger,
  callAmount,
  capitalFigures,
  isRecallableAt,
  type LedgerCall,
  type LedgerDistribution,
  type LedgerNav,
  type LedgerWriteOff,
  recallableCapitalAt,
  unfundedAt,
} from './capital-figures.ts';
import {
  type Amounted,
  addedCall,
  addedDistribution,
  wholeDocuments,
  withInterest,
  withOutside,
} from './document-parts.ts';

/** A transfer of a share of an interest: of what is committed, and of everything that was called, paid and valued before. */
export interface InterestTransfer {
  readonly id: string;
  readonly date: CalendarDate;
  /** Above 0 and at most 100, with up to 8 decimals. */
  readonly sharePercent: DecimalText;
  readonly price: DecimalText | null;
  /** Decimals of the currency. */
  readonly digits: number;
}

/** What one side of a transfer adds to its ledger: negative for the former holder. */
export interface TransferredPart {
  readonly calls: readonly LedgerCall[];
  readonly distributions: readonly LedgerDistribution[];
  readonly writeOffs: readonly LedgerWriteOff[];
  readonly nav: LedgerNav;
}

const PERCENT_DIGITS = 8;
const WHOLE = 100n * 10n ** BigInt(PERCENT_DIGITS);

/**
 * The share of an amount, rounded to the currency. What is left rounds to the rest of it: of the two, the larger
 * remainder gets the last unit, and of equal remainders the larger share.
 */
function shareOf(amount: DecimalText, { sharePercent, digits }: Pick<InterestTransfer, 'sharePercent' | 'digits'>) {
  const share = toScaled(sharePercent, PERCENT_DIGITS);
  const units = toScaled(amount, digits);
  const size = units < 0n ? -units : units;
  const tie = share * 2n >= WHOLE ? 0n : 1n;
  const part = (2n * size * share + WHOLE - tie) / (2n * WHOLE);
  return fromScaled(units < 0n ? -part : part, digits);
}

/**
 * Shares of amounts one after the other, so that their total is the share of the total: no sum of parts is further from
 * it than one amount is, and what stays within a limit before stays within it on both sides.
 */
function runningShare(terms: InterestTransfer, start: DecimalText = '0'): (amount: DecimalText) => DecimalText {
  let total = start;
  return (amount) => {
    const before = shareOf(total, terms);
    total = add(total, amount);
    return subtract(shareOf(total, terms), before);
  };
}

interface Line {
  readonly id?: string;
  readonly cutOffDate: CalendarDate;
  readonly paidOn?: CalendarDate;
}

/** Each earlier document with what the holder still holds of it on the day of a transfer, by the day it was paid. */
function heldOf<One extends Line>(
  lines: readonly One[],
  date: CalendarDate,
  dayOf: (line: One) => CalendarDate,
  added: (held: One, part: One) => One,
): { line: One; paidOn: CalendarDate }[] {
  const earlier = lines.filter((line) =>
    line.paidOn === undefined ? line.cutOffDate < date : line.cutOffDate <= date,
  );
  return wholeDocuments(earlier, added)
    .map((line) => ({ line, paidOn: line.paidOn ?? dayOf(line) }))
    .sort((a, b) => a.paidOn.localeCompare(b.paidOn) || (a.line.id ?? '').localeCompare(b.line.id ?? ''));
}

/** The ledger as it is on the day of a transfer before what happens on that day. */
const before = (ledger: CapitalLedger, date: CalendarDate): CapitalLedger => {
  const isEarlier = (line: Line) => line.cutOffDate < date || line.paidOn !== undefined;
  return {
    ...ledger,
    calls: ledger.calls.filter(isEarlier),
    distributions: ledger.distributions.filter(isEarlier),
    writeOffs: ledger.writeOffs.filter(isEarlier),
    navs: ledger.navs.filter(({ cutOffDate, transfer }) => cutOffDate < date || transfer !== undefined),
  };
};

const later = (a: CalendarDate, b: CalendarDate): CalendarDate => (a > b ? a : b);

/**
 * What moves from one ledger to the other from the day of a transfer on: the share of every call, distribution and
 * write-off of an earlier cut-off date, and of the value before that day. It is rounded on running totals: calls in the
 * order in which they were paid, distributions with what can be called again first, and write-offs after what can.
 * @param from with the earlier transfers of the same day, as `to`
 * @returns what is committed with it, and what each side adds to its ledger
 */
export function transferInterest(
  from: CapitalLedger,
  to: CapitalLedger,
  transfer: InterestTransfer,
): { commitment: DecimalText; given: TransferredPart; received: TransferredPart } {
  const { id, date, price } = transfer;
  const held = before(from, date);
  const ofCalls = runningShare(transfer);
  const ofInterest = runningShare(transfer);
  const calls = heldOf(held.calls, date, ({ dueDate }) => dueDate, addedCall).map(
    ({ line, paidOn }): LedgerCall => ({
      ...line,
      cutOffDate: date,
      dueDate: later(date, paidOn),
      paidOn,
      transfer: id,
      purposes: line.purposes.map((purpose) => ({
        ...purpose,
        amount: ofCalls(purpose.amount),
        ...withInterest(purpose.interest, ofInterest),
      })),
    }),
  );
  const isRecallable = (line: LedgerDistribution) => isRecallableAt(held, line, date);
  const ofPrincipal = runningShare(transfer);
  const ofComponents = new Map<string, (amount: DecimalText) => DecimalText>();
  const componentShare = (actionType: string, amount: DecimalText) => {
    const share = ofComponents.get(actionType) ?? runningShare(transfer);
    ofComponents.set(actionType, share);
    return share(amount);
  };
  const ofOutside = runningShare(transfer);
  /** The lines of a distribution have the same income outside the success fee. */
  const basisShare = (basis: LedgerDistribution['basis']) => {
    const outside = basis?.find(({ waterfall }) => waterfall)?.waterfall?.outside;
    const part = outside === undefined ? '0' : ofOutside(outside);
    return withOutside(basis, () => part);
  };
  const distributions = heldOf(held.distributions, date, ({ cutOffDate }) => cutOffDate, addedDistribution)
    .sort((a, b) => Number(isRecallable(b.line)) - Number(isRecallable(a.line)))
    .map(
      ({ line, paidOn }): LedgerDistribution => ({
        ...line,
        cutOffDate: date,
        paidOn,
        transfer: id,
        principal: ofPrincipal(line.principal),
        components: line.components.map((one) => ({ ...one, amount: componentShare(one.actionType, one.amount) })),
        basis: basisShare(line.basis),
      }),
    );
  const ofLosses = runningShare(transfer, recallableCapitalAt(held, date));
  const writeOffs = heldOf(
    held.writeOffs,
    date,
    ({ cutOffDate }) => cutOffDate,
    (one, part) => ({ ...one, amount: add(one.amount, part.amount) }),
  ).map(
    ({ line, paidOn }): LedgerWriteOff => ({
      ...line,
      cutOffDate: date,
      paidOn,
      transfer: id,
      amount: ofLosses(line.amount),
    }),
  );
  const recallable = sum(distributions.filter(isRecallable).map(({ principal }) => principal));
  const unfunded = shareOf(unfundedAt(held, date), transfer);
  const commitment = add(subtract(sum(calls.map(callAmount)), recallable), unfunded);

  const value = capitalFigures(held, date);
  const moved = (amount: DecimalText | null) => (amount === null ? null : shareOf(amount, transfer));
  const [net, gross] = [moved(value.nav), moved(value.grossNav)];
  const { navDate } = value;
  const sides = { net, gross, price, navDate };
  const given = { id, ...negated(sides) };
  return {
    commitment,
    given: {
      calls: calls.map((call) => ({ ...call, purposes: negatedAll(call.purposes) })),
      distributions: distributions.map((one) => ({
        ...one,
        principal: negate(one.principal),
        components: negatedAll(one.components),
        basis: withOutside(one.basis, negate),
      })),
      writeOffs: negatedAll(writeOffs),
      nav: navAfter(from, date, given),
    },
    received: { calls, distributions, writeOffs, nav: navAfter(to, date, { id, ...sides }) },
  };
}

const negatedAll = <Item extends Amounted>(items: readonly Item[]): Item[] =>
  items.map((item) => ({ ...item, amount: negate(item.amount), ...withInterest(item.interest, negate) }));

const negated = <Side extends Record<'net' | 'gross' | 'price', DecimalText | null>>(side: Side): Side => {
  const of = (amount: DecimalText | null) => (amount === null ? null : negate(amount));
  return { ...side, net: of(side.net), gross: of(side.gross), price: of(side.price) };
};

/** The value of what a side holds at the end of the day of a transfer. */
function navAfter(ledger: CapitalLedger, date: CalendarDate, transfer: NonNullable<LedgerNav['transfer']>): LedgerNav {
  const { nav, grossNav, navDate } = capitalFigures(ledger, date);
  const after = (value: DecimalText | null, moved: DecimalText | null) =>
    value === null || moved === null ? null : add(value, moved);
  const dates = [navDate, transfer.navDate].filter((day) => day !== null).sort();
  return {
    cutOffDate: date,
    net: after(nav, transfer.net),
    gross: after(grossNav, transfer.gross),
    transfer: { ...transfer, navDate: dates[0] ?? null },
  };
}

/** The ledger with one side of a transfer. A NAV that is recorded for the same day counts after it. */
export const withTransferred = (ledger: CapitalLedger, part: TransferredPart): CapitalLedger => ({
  ...ledger,
  calls: [...ledger.calls, ...part.calls],
  distributions: [...ledger.distributions, ...part.distributions],
  writeOffs: [...ledger.writeOffs, ...part.writeOffs],
  navs: [
    ...ledger.navs.filter(({ transfer }) => transfer !== undefined),
    part.nav,
    ...ledger.navs.filter(({ transfer }) => transfer === undefined),
  ],
});
