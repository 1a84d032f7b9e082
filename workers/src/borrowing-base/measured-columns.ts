import type { DuckDBValue } from '@duckdb/node-api';
import { convertScaled, type Fraction, scaleNumber } from '@tapeline/domain/borrowing-base/exact.ts';
import type { Measured } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { TapeTerms } from '@tapeline/domain/borrowing-base/publish.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { type ExchangeRates, exchangeFactor } from '@tapeline/domain/money/rates.ts';
import type { ColumnBlock } from '@tapeline/parquet';
import { type AmountColumn, MAX_UNITS, PARTS, setBigInt } from './amount-columns.ts';
import type { Input, TapeInputs } from './tape-inputs.ts';
import type { TapeParts } from './tape-parts.ts';

/** Decimal places of an amount column and of a percentage column. */
const AMOUNT_DIGITS = 4;
const PERCENTAGE_DIGITS = 8;

/** The currencies of an amount, each with its factor; one entry if the whole column has the same currency. */
interface CurrencyPlan {
  readonly codes: readonly string[];
  readonly factors: readonly Fraction[];
}

async function planCurrencies(
  parts: TapeParts,
  measured: Measured,
  tape: TapeTerms,
  missing: Set<string>,
): Promise<CurrencyPlan | null> {
  if (measured.currency === null) return null;
  const [value, currency] = [parts.column(measured.field), parts.column(measured.currency)];
  const both = parts.has(measured.currency.path) && parts.has(measured.field.path);
  // In the common case, every row is in the main currency. The Parquet statistics show this without a scan.
  const isMain = !both || parts.constantText(measured.currency.path) === tape.mainCurrency;
  const rows = isMain
    ? [[tape.mainCurrency]]
    : await parts.rows(
        `SELECT DISTINCT COALESCE(${currency}, $1) AS code FROM ${parts.from} WHERE ${value} IS NOT NULL ORDER BY code`,
        [tape.mainCurrency],
      );
  const codes = rows.map((row) => String(row[0]));
  const rates: ExchangeRates = tape.exchangeRates;
  const factors = codes.map((code) => {
    const found = exchangeFactor(code, tape.mainCurrency, rates);
    for (const lacking of found.missing) missing.add(lacking);
    return found.factor;
  });
  return codes.length === 0
    ? { codes: [tape.mainCurrency], factors: [{ numerator: 1n, denominator: 1n }] }
    : { codes, factors };
}

/** The currency of an amount as a position in `codes`, starting at 1; 0 if the currency is missing. */
function addCurrency(inputs: TapeInputs, currency: Field, codes: readonly string[]): Input {
  const { parts } = inputs;
  const column = parts.column(currency);
  const select = (values: DuckDBValue[]): string => {
    const marks = codes.map((code) => `CAST($${values.push(code)} AS VARCHAR)`);
    return `COALESCE(list_position([${marks.join(', ')}], ${column}), 0)`;
  };
  const source = parts.type(currency.path) === 'VARCHAR' ? { column: currency.path, literals: codes } : null;
  return inputs.add(`currency of ${column} of ${JSON.stringify(codes)}`, 'integer', false, select, source);
}

/** How a number that rules sum or weight by is read from blocks of rows as exact amounts. */
export interface MeasuredPlan {
  /** Null if the tape lacks the column; all values are then zero. */
  readonly input: Pick<Input, 'index' | 'kind'> | null;
  /** Index of the input with the currency's position; null if all values have the same currency. */
  readonly currencyInput: number | null;
  readonly digits: number;
  /**
   * Factors to the main currency: a single one, or by currency position from 1. Null if the number is not converted.
   */
  readonly factors: readonly (Fraction | null)[];
}

/** @param missing collects the currencies that the rate table lacks */
export async function planMeasured(
  measured: Measured,
  inputs: TapeInputs,
  tape: TapeTerms,
  missing: Set<string>,
): Promise<MeasuredPlan> {
  const { parts } = inputs;
  const { field, currency } = measured;
  const plan = await planCurrencies(parts, measured, tape, missing);
  const digits = plan === null ? PERCENTAGE_DIGITS : AMOUNT_DIGITS;
  const column = parts.column(field);
  const cast = `CAST(${column} AS DECIMAL(18,${digits}))`;
  const ready = field.type === 'number' || parts.decimalDigits(field.path) === digits;
  const input = !parts.has(field.path)
    ? null
    : ready
      ? inputs.numberOf(field)
      : inputs.add(cast, 'decimal', parts.mayLack(field.path), () => cast);
  const several = plan !== null && plan.codes.length > 1 && currency !== null;
  const currencyInput = several ? addCurrency(inputs, currency, plan.codes).index : null;
  const ofPlan = (plan?.factors ?? []).map((factor) => (factor.numerator === factor.denominator ? null : factor));
  // A missing currency means the main currency, which needs no factor.
  const factors = several ? [null, ...ofPlan] : ofPlan;
  return { input: input && { index: input.index, kind: input.kind }, currencyInput, digits, factors };
}

/** Writes the rows of a block to their positions in the tape. A missing number stays zero. */
export function readMeasured(
  plan: MeasuredPlan,
  amounts: AmountColumn,
  block: ColumnBlock,
  rows: number,
  sequence: Int32Array,
): void {
  if (plan.input === null) return;
  const { index, kind } = plan.input;
  const [values, present] = [block.values[index]!, block.present[index]!];
  if (kind === 'double') readNumbers(amounts, values as Float64Array, present, rows, sequence);
  else readDecimals(plan, amounts, values as Int32Array, present, block, rows, sequence);
}

function readDecimals(
  { digits, factors, currencyInput }: MeasuredPlan,
  amounts: AmountColumn,
  halves: Int32Array,
  present: Uint8Array,
  block: ColumnBlock,
  rows: number,
  sequence: Int32Array,
): void {
  const { whole: units, part: parts } = amounts;
  const currencies = currencyInput === null ? null : block.values[currencyInput]!;
  const plain = factors.every((factor) => factor === null);
  const scale = 10 ** digits;
  const toParts = PARTS / scale;
  for (let row = 0; row < rows; row += 1) {
    if (present[row] === 0) continue;
    const index = sequence[row]!;
    const low = halves[row * 2]!;
    const high = halves[row * 2 + 1]!;
    const factor = plain ? null : (factors[currencies === null ? 0 : currencies[row]!] ?? null);
    if (factor !== null || high >= 2 ** 20 || high < -(2 ** 20)) {
      // Values beyond 53 bits, and values to convert, need integer arithmetic.
      const scaled = (BigInt(high) << 32n) + BigInt(low >>> 0);
      const amount = factor === null ? scaled * BigInt(toParts) : convertScaled(scaled, digits, factor);
      setBigInt(amounts, index, amount);
      continue;
    }
    const scaled = high * 2 ** 32 + (low >>> 0);
    const whole = Math.floor(scaled / scale);
    units[index] = whole;
    parts[index] = (scaled - whole * scale) * toParts;
  }
}

/**
 * Sums of amounts are exact as long as no sum can exceed 2^52 units (about 4.5 quadrillion).
 * @throws Refusal that names the field
 */
export function requireCountable(field: Field, { whole }: AmountColumn): void {
  let total = whole.length;
  for (let index = 0; index < whole.length; index += 1) total += Math.abs(whole[index]!);
  // Negated so that a NaN total is rejected as well.
  if (!(total < MAX_UNITS)) {
    throw new Refusal('badRequest', `${field.label} exceeds the exact range of numbers: choose a larger unit`);
  }
}

/** Numbers that are not money, at NUMBER_SCALE. */
function readNumbers(
  amounts: AmountColumn,
  values: Float64Array,
  present: Uint8Array,
  rows: number,
  sequence: Int32Array,
): void {
  for (let row = 0; row < rows; row += 1) {
    if (present[row] === 0) continue;
    const index = sequence[row]!;
    const value = values[row]!;
    const scaled = Math.floor(value * 1e8 + 0.5);
    if (!Number.isFinite(scaled)) {
      // `requireCountable` rejects the column.
      amounts.whole[index] = value;
      continue;
    }
    if (Math.abs(scaled) >= 2 ** 53) {
      setBigInt(amounts, index, scaleNumber(value) * 10_000n);
      continue;
    }
    const whole = Math.floor(scaled / 1e8);
    amounts.whole[index] = whole;
    amounts.part[index] = (scaled - whole * 1e8) * 1e4;
  }
}
