import { commitmentsInForce, commitmentTermsInForce, termsInForce } from '../facilities/in-force.ts';
import { availabilityOf, type DrawType, isFunded, notePosition, totalIn } from '../facilities/ledger.ts';
import type { NoteWithoutContracts } from '../facilities/transaction.schema.ts';
import type { Amount } from '../money/amount.schema.ts';
import { compare, type DecimalText, isNegative, negate } from '../money/decimal.ts';
import type { CurrencyRates } from '../money/rates.ts';
import { totalByCurrency } from '../money/totals.ts';
import {
  availabilityPeriod,
  type BaseForDraw,
  breachedCovenants,
  type CheckedCovenant,
  type CheckInput,
  type CheckRow,
  type CheckRule,
  type Convert,
  currencyCommitment,
  type DrawLedger,
  type DrawToCheck,
  deficit,
  drawLimits,
  dueDate,
  frequency,
  missingData,
  type TypedAmounts,
  totalCommitment,
} from './check-rules.ts';
import type { DRAW_EXCEPTION_MESSAGES, DRAW_STAGES, StoredDraw } from './draw.schema.ts';

export type DrawStage = (typeof DRAW_STAGES)[number];

export type DrawMessage = (typeof DRAW_EXCEPTION_MESSAGES)[number];

export interface FoundException {
  message: DrawMessage;
  stage: DrawStage;
  rule: CheckRule;
  drawType: DrawType | null;
  amount: DecimalText | null;
  exceededBy: DecimalText | null;
  currency: string | null;
  /** Only of an exception about a covenant. */
  covenant?: CheckedCovenant;
}

/** One check with all its figures, also those within their limits. */
export interface DrawCheck {
  message: DrawMessage;
  rows: CheckRow[];
  exceptions: FoundException[];
}

/**
 * The figures of the note today, without the request and with it, in its main currency. Null where something is unknown.
 */
export interface DrawFigures {
  mainCurrency: string | null;
  commitments: Amount | null;
  /** What the request adds to the balance. */
  added: Amount | null;
  /** Balance and approved draws that are not yet due; with the request in `after`. */
  balance: { before: Amount | null; after: Amount | null };
  /** What `balance.before` consists of. Absent in checks that earlier versions stored. */
  position?: { balance: Amount | null; approved: Amount | null };
  netBB: Amount | null;
  /** The net borrowing base less reserves. Absent in checks that earlier versions stored: it is `netBB` there. */
  availableBase?: Amount | null;
  /** The available base or the commitments, whichever is less, less the balance and approved draws. */
  availability: { before: Amount | null; after: Amount | null };
  base: BaseForDraw | null;
}

export interface CheckedDraw {
  /** In the order of the specification. */
  checks: DrawCheck[];
  exceptions: FoundException[];
  figures: DrawFigures;
}

/** What a request is worth at given rates. Null where a rate is missing. */
export interface DrawValue {
  draws: StoredDraw[];
  valueInUsd: DecimalText | null;
  amountInMainCurrency: Amount | null;
}

const converter =
  (rates: CurrencyRates['rates']): Convert =>
  (amounts, currency) => {
    if (currency === null) return null;
    const { amount, missing } = totalIn(currency, amounts, rates);
    return missing.length > 0 ? null : amount.sum;
  };

/** Whether the row is beyond its limit. */
export const isExceeded = ({ margin }: Pick<CheckRow, 'margin'>): boolean => margin !== null && isNegative(margin);

/** The seven checks in the order of the specification, then the end of the availability period and covenants. */
const CHECKS: readonly (readonly [DrawMessage, (given: CheckInput) => CheckRow[]])[] = [
  ['Missing data', missingData],
  ['Currency commitment exceeded', currencyCommitment],
  ['Total commitment exceeded', totalCommitment],
  ['Draw frequency exceeded', frequency],
  ['Draw limits exceeded', drawLimits],
  ['Draw in deficit', deficit],
  ['Due Date limits exceeded', dueDate],
  ['Availability period ended', availabilityPeriod],
  ['Covenant breached', breachedCovenants],
];

const exceptionOf = (message: DrawMessage, stage: DrawStage, exceeded: CheckRow): FoundException => ({
  message,
  stage,
  rule: exceeded.rule,
  drawType: exceeded.drawType,
  // What is missing has no limit.
  amount: exceeded.unit === 'present' ? null : exceeded.limit,
  exceededBy: exceeded.unit === 'present' || exceeded.margin === null ? null : negate(exceeded.margin),
  currency: exceeded.currency,
  ...(exceeded.covenant && { covenant: exceeded.covenant }),
});

const inCurrency = (sum: DecimalText | null, currency: string | null): Amount | null =>
  sum === null || currency === null ? null : { sum, currency };

/** Runs the checks of a draw request, and values it. */
export function checkDraw(
  request: DrawToCheck,
  note: NoteWithoutContracts,
  ledger: DrawLedger,
  stage: DrawStage,
): CheckedDraw {
  const to = converter(ledger.rates);
  const filled = request.draws.filter(({ amounts }) => amounts.length > 0);
  const addingTypes = filled.filter(({ type }) => isFunded(type));
  const position = notePosition(ledger.note, ledger.today);
  const given: CheckInput = {
    request,
    note,
    filled,
    ledger,
    terms: termsInForce(note),
    commitments: commitmentTermsInForce(note),
    mainCurrency: commitmentsInForce(note)?.currency ?? null,
    position,
    drawn: totalByCurrency([...(position.balance ?? []), ...position.approved]),
    added: totalByCurrency(addingTypes.flatMap(({ amounts }) => amounts)),
    soleType: addingTypes.length === 1 ? (addingTypes[0]?.type ?? null) : null,
    to,
  };
  const checks = CHECKS.map(([message, run]): DrawCheck => {
    const rows = run(given);
    return { message, rows, exceptions: rows.filter(isExceeded).map((each) => exceptionOf(message, stage, each)) };
  });
  return {
    checks,
    exceptions: checks.flatMap(({ exceptions }) => exceptions),
    figures: figuresOf(given),
  };
}

/** The value of a request in US dollars and in the note's main currency. */
export function valueDraw(
  draws: readonly TypedAmounts[],
  note: NoteWithoutContracts,
  rates: CurrencyRates['rates'],
): DrawValue {
  const to = converter(rates);
  const mainCurrency = commitmentsInForce(note)?.currency ?? null;
  const requested = draws.flatMap(({ amounts }) => amounts);
  return {
    draws: draws.map(({ type, amounts }) => ({
      type,
      amounts: [...amounts],
      valueInUSD: to(amounts, 'USD'),
      amountInMainCurrency: inCurrency(to(amounts, mainCurrency), mainCurrency),
    })),
    valueInUsd: to(requested, 'USD'),
    amountInMainCurrency: inCurrency(to(requested, mainCurrency), mainCurrency),
  };
}

function figuresOf({ position, drawn, added, mainCurrency, commitments, ledger, to }: CheckInput): DrawFigures {
  const { base } = ledger;
  const main = (amounts: readonly Amount[]): Amount | null => inCurrency(to(amounts, mainCurrency), mainCurrency);
  const figures = {
    netBB: base && main([{ sum: base.netBB, currency: base.currency }]),
    availableBase: base?.availableBase ? main([{ sum: base.availableBase, currency: base.currency }]) : null,
    commitments: commitments.length > 0 ? main(commitments.map(({ amount }) => amount)) : null,
  };
  // A note on which nothing was drawn yet has a balance of zero here: this request is its first draw.
  const balance = main(position.balance ?? []);
  const approved = main(position.approved);
  const after = main([...drawn, ...added]);
  return {
    mainCurrency,
    ...figures,
    added: main(added),
    balance: { before: main(drawn), after },
    position: { balance, approved },
    availability: {
      before: availabilityOf({ base: figures.availableBase, commitments: figures.commitments, balance, approved }),
      after: availabilityOf({ base: figures.availableBase, commitments: figures.commitments, balance: after }),
    },
    base,
  };
}

/** Whether `a` exceeds its limit by more than `b` does. */
export const grewBeyond = (a: DecimalText | null, b: DecimalText | null): boolean =>
  a !== null && (b === null || compare(a, b) > 0);
