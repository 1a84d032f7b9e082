import {
  addFractions,
  decimalToFraction,
  type Fraction,
  floorDivide,
  fraction,
  fractionToDecimal,
  multiplyFractions,
} from '../borrowing-base/exact.ts';
import type { DRAW_TYPES } from '../draws/draw.schema.ts';
import type { Amount } from '../money/amount.schema.ts';
import { compare, type DecimalText, fromScaled, isZero, min, round, subtract } from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { type ExchangeRates, exchangeFactor } from '../money/rates.ts';
import { totalByCurrency } from '../money/totals.ts';
import type { REPAYMENT_KINDS } from '../repayments/repayment.schema.ts';
import { commitmentTermsInForce } from './in-force.ts';
import type { NoteWithoutContracts } from './transaction.schema.ts';

export type DrawType = (typeof DRAW_TYPES)[number];
export type RepaymentKind = (typeof REPAYMENT_KINDS)[number];

/** A draw. Once approved, it counts from its due date, the day of the transfer. */
export interface LedgerDraw {
  readonly dueDate: string;
  readonly draws: readonly { readonly type: DrawType; readonly amounts: readonly Amount[] }[];
}

/** An active repayment. It counts from its cut-off date. */
export interface LedgerRepayment {
  readonly cutOffDate: string;
  /** Whether its principal was due: it pays an invoice, or a person said so. No prepayment fee is charged on it. */
  readonly isScheduled?: boolean;
  readonly repayments: readonly { readonly kind: RepaymentKind; readonly amount: Amount }[];
}

/** What was drawn on a note and repaid. */
export interface NoteLedger {
  /** Whether a draw or repayment was ever recorded, in any status. If not, the balance is unknown, not zero. */
  readonly isRecorded: boolean;
  /** Approved draws. */
  readonly draws: readonly LedgerDraw[];
  /** Requests that are not decided: Pending and In Review. */
  readonly requests: readonly LedgerDraw[];
  readonly repayments: readonly LedgerRepayment[];
}

export const EMPTY_LEDGER: NoteLedger = { isRecorded: false, draws: [], requests: [], repayments: [] };

/** The draw types that change the balance. Recycling draws spend collections. */
const FUNDED_TYPES = ['Regular', 'Prefunding'] as const satisfies readonly DrawType[];
type FundedType = (typeof FUNDED_TYPES)[number];

interface Drawn {
  readonly date: string;
  readonly type: DrawType;
  readonly amount: Amount;
}

/** Whether draws of the type change the balance. */
export const isFunded = (type: DrawType): type is FundedType => (FUNDED_TYPES as readonly DrawType[]).includes(type);
const isDue = (date: string, until: string | undefined): boolean => until === undefined || date <= until;

const amountsOf = (draws: readonly LedgerDraw[]): Drawn[] =>
  draws.flatMap((draw) =>
    draw.draws.flatMap(({ type, amounts }) => amounts.map((amount) => ({ date: draw.dueDate, type, amount }))),
  );

const drawnUntil = ({ draws }: NoteLedger, until: string | undefined): Drawn[] =>
  amountsOf(draws.filter(({ dueDate }) => isDue(dueDate, until)));

const fundedTotal = (drawn: readonly Drawn[]): Amount[] =>
  sortedByCurrency(totalByCurrency(drawn.flatMap(({ type, amount }) => (isFunded(type) ? [amount] : []))));

function principalUntil({ repayments }: NoteLedger, until: string | undefined): Amount[] {
  return repayments
    .filter(({ cutOffDate }) => isDue(cutOffDate, until))
    .flatMap((repayment) => repayment.repayments.flatMap(({ kind, amount }) => (kind === 'principal' ? [amount] : [])));
}

const negated = ({ sum, currency }: Amount): Amount => ({ sum: subtract('0', sum), currency });

/**
 * The note's balance per currency, ordered by currency: approved regular and prefunding draws less principal repaid. A
 * currency that was repaid in full stays listed with zero.
 * @param until the last day that counts; all draws and repayments if omitted
 * @returns null if nothing was ever recorded
 */
export function balancesOf(ledger: NoteLedger, { until }: { until?: string } = {}): Amount[] | null {
  if (!ledger.isRecorded) return null;
  const drawn = drawnUntil(ledger, until).flatMap(({ type, amount }) => (isFunded(type) ? [amount] : []));
  return sortedByCurrency(totalByCurrency([...drawn, ...principalUntil(ledger, until).map(negated)]));
}

/** What is drawn on a note on one day, and what will be, by currency. Recycling draws are in none of these figures. */
export interface NotePosition {
  /** Approved draws whose due date has come, less principal repaid. Null if nothing was ever recorded. */
  readonly balance: readonly Amount[] | null;
  /** Approved, not yet due. */
  readonly approved: readonly Amount[];
  /** Requested and not decided, whatever their due date. */
  readonly requested: readonly Amount[];
}

/** The note's position on a day. Draws due on the day, and repayments of the day, count in the balance. */
export function notePosition(ledger: NoteLedger, day: string): NotePosition {
  return {
    balance: balancesOf(ledger, { until: day }),
    approved: fundedTotal(amountsOf(ledger.draws.filter(({ dueDate }) => !isDue(dueDate, day)))),
    requested: fundedTotal(amountsOf(ledger.requests)),
  };
}

/**
 * What may still be drawn: the available base (the net borrowing base without reserves) or the commitments, whichever is less, less the balance and less
 * approved draws that are not yet due. Availability at cut-off (of a certificate) leaves `approved` out; availability
 * today has it. Negative in a deficit.
 * @param figures all in one currency. Null is unknown, and makes availability unknown, except for `commitments`: a note
 *   without them is limited by its borrowing base alone
 */
export function availabilityOf(figures: {
  base: Amount | null;
  commitments: Amount | null;
  balance: Amount | null;
  approved?: Amount | null;
}): Amount | null {
  const { base, commitments, balance, approved } = figures;
  if (!base || !balance || approved === null) return null;
  const { currency } = base;
  const limit = commitments ? min(base.sum, commitments.sum) : base.sum;
  const left = subtract(subtract(limit, balance.sum), approved?.sum ?? '0');
  return { sum: round(left, minorUnitDigits(currency)), currency };
}

/** What was drawn by type and currency, before repayments. */
export function drawnByType(ledger: NoteLedger, { until }: { until?: string } = {}): Record<DrawType, Amount[]> {
  const drawn = drawnUntil(ledger, until);
  const ofType = (wanted: DrawType) =>
    sortedByCurrency(totalByCurrency(drawn.flatMap(({ type, amount }) => (type === wanted ? [amount] : []))));
  return { Regular: ofType('Regular'), Prefunding: ofType('Prefunding'), Recycling: ofType('Recycling') };
}

/**
 * What is outstanding by draw type and currency. Principal repays the earliest draws in its currency first, regular
 * before prefunding on one day. The two funded types add up to `balancesOf`: principal beyond all draws makes Regular
 * negative. Recycling draws are not repaid, so what was drawn is reported.
 */
export function outstandingByType(ledger: NoteLedger, { until }: { until?: string } = {}): Record<DrawType, Amount[]> {
  const repaid = new Map(principalOf(ledger, until));
  const left: Record<FundedType, Amount[]> = { Regular: [], Prefunding: [] };
  const inOrder = drawnUntil(ledger, until)
    .flatMap(({ date, type, amount }) => (isFunded(type) ? [{ date, type, amount }] : []))
    .sort(
      (a, b) =>
        (a.date < b.date ? -1 : a.date > b.date ? 1 : 0) || FUNDED_TYPES.indexOf(a.type) - FUNDED_TYPES.indexOf(b.type),
    );
  for (const { type, amount } of inOrder) {
    const available = repaid.get(amount.currency) ?? '0';
    const taken = min(available, amount.sum);
    repaid.set(amount.currency, subtract(available, taken));
    left[type].push({ sum: subtract(amount.sum, taken), currency: amount.currency });
  }
  for (const [currency, sum] of repaid) {
    if (!isZero(sum)) left.Regular.push(negated({ sum, currency }));
  }
  return {
    Regular: sortedByCurrency(totalByCurrency(left.Regular)),
    Prefunding: sortedByCurrency(totalByCurrency(left.Prefunding)),
    Recycling: drawnByType(ledger, { until }).Recycling,
  };
}

const principalOf = (ledger: NoteLedger, until: string | undefined): [string, DecimalText][] =>
  totalByCurrency(principalUntil(ledger, until)).map(({ sum, currency }) => [currency, sum]);

const sortedByCurrency = (amounts: Amount[]): Amount[] =>
  amounts.sort((a, b) => (a.currency < b.currency ? -1 : a.currency > b.currency ? 1 : 0));

export interface ConvertedAmount {
  /** Rounded once, to the minor unit of its currency. */
  amount: Amount;
  /** Currencies without a rate, for which a rate of 1 was used. Where that is not acceptable, the amount is unknown. */
  missing: string[];
}

/**
 * Adds amounts of several currencies in one, exactly: the total is rounded once.
 * @param rates units of each currency that one US dollar buys
 */
export function totalIn(currency: string, amounts: readonly Amount[], rates: ExchangeRates): ConvertedAmount {
  const missing = new Set<string>();
  const parts = amounts.map(({ sum, currency: from }): Fraction => {
    const found = exchangeFactor(from, currency, rates);
    for (const code of found.missing) missing.add(code);
    return multiplyFractions(decimalToFraction(sum), found.factor);
  });
  const total = parts.reduce(addFractions, fraction(0n));
  return {
    amount: { sum: fractionToDecimal(total, minorUnitDigits(currency)), currency },
    missing: [...missing].sort(),
  };
}

/** How much may be outstanding in one currency. */
export interface CurrencyLimit extends ConvertedAmount {
  currency: string;
}

/**
 * The limit of each currency that the note's commitments in force may be drawn in: the sum of the commitments in it or
 * listing it as an additional currency, converted. A currency that is not listed has a limit of zero.
 */
export function currencyLimits(note: NoteWithoutContracts, rates: ExchangeRates): CurrencyLimit[] {
  const commitments = commitmentTermsInForce(note);
  const currencies = new Set(
    commitments.flatMap(({ amount, additionalCurrencies }) => [amount.currency, ...(additionalCurrencies ?? [])]),
  );
  return [...currencies].sort().map((currency) => {
    const drawable = commitments.filter(
      ({ amount, additionalCurrencies }) =>
        amount.currency === currency || (additionalCurrencies ?? []).includes(currency),
    );
    return {
      currency,
      ...totalIn(
        currency,
        drawable.map(({ amount }) => amount),
        rates,
      ),
    };
  });
}

/** What cures a deficiency: either of the two amounts. */
export interface Cure {
  /** Principal to repay: the whole deficiency. */
  repay: DecimalText;
  /**
   * Eligible collateral to add at the given advance rate, rounded up; null if no collateral can cure it, because there
   * is no advance rate, the balance exceeds the commitments, or reserves grow with the collateral.
   */
  addCollateral: DecimalText | null;
}

/**
 * The cure of a negative availability; null if there is no deficiency.
 * @param figures all in one currency
 * @param advanceRatePercent of the collateral that would be added
 */
export function cureOf(
  figures: { availability: DecimalText; balance: DecimalText; commitments: DecimalText | null },
  advanceRatePercent: DecimalText | null,
  digits: number,
): Cure | null {
  if (compare(figures.availability, '0') >= 0) return null;
  const repay = subtract('0', figures.availability);
  const isOverCommitments = figures.commitments !== null && compare(figures.balance, figures.commitments) > 0;
  if (isOverCommitments || advanceRatePercent === null || compare(advanceRatePercent, '0') <= 0) {
    return { repay, addCollateral: null };
  }
  const rate = decimalToFraction(advanceRatePercent);
  const needed = multiplyFractions(
    multiplyFractions(decimalToFraction(repay), fraction(100n)),
    fraction(rate.denominator, rate.numerator),
  );
  const units = -floorDivide(-needed.numerator * 10n ** BigInt(digits), needed.denominator);
  return { repay, addCollateral: fromScaled(units, digits) };
}
