import { CURRENCIES, minorUnitDigits } from '@tapeline/domain/money/currencies.ts';
import { DAYS_OF_UNIT, type NumberUnit, type SerializationOf } from '@tapeline/domain/tapes/serialization.schema.ts';
import { type RoundingDigits, UNIT_POWERS } from './macros.ts';
import { type Fragment, join, NULL_TEXT, numberConstant, sql, text } from './sql.ts';
import {
  asNumber,
  asText,
  type Compilation,
  cellNumberError,
  missingOf,
  type Outcome,
  part,
  REASONS,
  serialDate,
  single,
  type Value,
} from './values.ts';

type DateFormat = SerializationOf<'date'>['format'];
type Scale = SerializationOf<'percentage'>['scale'];
type TermUnit = SerializationOf<'SerializedTerm'>['unit'];

/** A date. A cell that the sheet itself styles as a date is one, whatever the format of the others. */
export function convertDate(compilation: Compilation, input: Value, format: DateFormat, name: string): Outcome {
  const { layers } = compilation;
  const ofNumber = (n: Fragment): Fragment | null => {
    if (format === 'excel') return serialDate(compilation, n);
    if (format === 'timestampMilliseconds') return sql`tape_epoch_day(floor(${n} / 86400000))`;
    if (format === 'timestampSeconds') return sql`tape_epoch_day(floor(${n} / 86400))`;
    return null;
  };
  const ofText = (s: Fragment): Fragment => {
    if (format === 'ISO') return sql`tape_iso_date(${s})`;
    if (format === 'american') return sql`tape_american_date(${s})`;
    return ofNumber(sql`tape_number(${s})`) ?? NULL_TEXT;
  };
  const reason = text(format === 'excel' ? REASONS.notSerial : REASONS.notDate);
  switch (input.kind) {
    case 'missing':
      return { value: missingOf('date'), error: null };
    case 'date':
      return { value: input, error: null };
    case 'cell': {
      const { t, n, s } = input.parts as Record<'t' | 'n' | 's', Fragment>;
      const fromNumber = ofNumber(n);
      const date = layers.define(
        name,
        sql`CASE WHEN ${t} = 4 THEN ${serialDate(compilation, n)} WHEN ${t} = 2 THEN ${ofText(s)}${fromNumber ? sql` WHEN ${t} = 1 THEN ${fromNumber}` : ''} END`,
      );
      const error = sql`CASE WHEN ${date} IS NOT NULL OR ${t} = 0 THEN NULL WHEN ${t} = 2 AND tape_blank(${s}) THEN NULL WHEN ${t} = 5 THEN ${text(REASONS.sheetError)} ELSE ${reason} END`;
      return { value: single('date', date), error };
    }
    case 'number': {
      const n = part(input);
      const date = layers.define(name, ofNumber(n) ?? sql`CAST(NULL AS DATE)`);
      return {
        value: single('date', date),
        error: sql`CASE WHEN ${date} IS NULL AND ${n} IS NOT NULL THEN ${reason} END`,
      };
    }
    default: {
      const s = part(input);
      const date = layers.define(name, ofText(s));
      return {
        value: single('date', date),
        error: sql`CASE WHEN ${date} IS NULL AND ${s} IS NOT NULL AND NOT tape_blank(${s}) THEN ${reason} END`,
      };
    }
  }
}

/** Points as DECIMAL(18,8), exactly: 0.1149 of zeroTo1 is 11.49. A text with its percent sign says its own scale. */
export function convertPercentage(compilation: Compilation, input: Value, scale: Scale, name: string): Outcome {
  const points = scale === 'zeroTo1' ? '1' : '100';
  return exactly(compilation, input, name, {
    kind: 'percentage',
    isQuick: (n) => sql`tape_quick_points_${points}(${n})`,
    ofQuick: (n) => sql`tape_points_${points}(${n})`,
    ofExact: (exact) => sql`tape_exact_points_${points}(${exact})`,
    ofText: (s) => (points === '100' ? sql`tape_exact(${s})` : sql`tape_exact_share(${s})`),
  });
}

/** A rate in points and its kind; a negative one is refused. */
export function convertInterest(
  compilation: Compilation,
  input: Value,
  scale: Scale,
  kind: 'fix' | 'variable',
  name: string,
): Outcome {
  const points = convertPercentage(compilation, input, scale, name);
  const value = part(points.value);
  const negative = sql`CASE WHEN ${value} < 0 THEN ${text(REASONS.negativeRate)} END`;
  const rateKind = sql`CASE WHEN ${value} IS NOT NULL THEN ${text(kind)} END`;
  return {
    value: { kind: 'interest', parts: { value, rateKind } },
    error: points.error ? sql`coalesce(${points.error}, ${negative})` : negative,
  };
}

interface SumOptions {
  readonly unit: NumberUnit;
  /** Currency of amounts that name none. */
  readonly currency: string;
  /** The column that names it, where there is one. */
  readonly named: Value | undefined;
  readonly namedAs: string;
}

const CODES = CURRENCIES.map((currency) => currency.code);
/** Every currency that does not have two digits after the point, by its digits. */
const UNUSUAL_DIGITS: ReadonlyMap<number, readonly string[]> = new Map(
  [0, 1, 3, 4].map((digits) => [digits, CODES.filter((code) => minorUnitDigits(code) === digits)] as const),
);

/** An amount: what a person sees, rounded half-even to the currency's minor unit, exact from then on. */
export function convertSum(compilation: Compilation, input: Value, name: string, options: SumOptions): Outcome {
  const { layers } = compilation;
  const currency = currencyOf(compilation, name, options);
  const code = part(currency.value);
  const perCurrency = (amountAt: (digits: RoundingDigits) => Fragment): Fragment => {
    if (options.named === undefined) return amountAt(minorUnitDigits(options.currency) as RoundingDigits);
    const unusual = [...UNUSUAL_DIGITS].filter(([, codes]) => codes.length > 0);
    const whens = unusual.map(
      ([digits, codes]) =>
        sql`WHEN contains(${text(codes.join())}, ${code}) THEN ${amountAt(digits as RoundingDigits)}`,
    );
    return sql`CASE ${join(whens, ' ')} ELSE ${amountAt(2)} END`;
  };
  // Units move the point: the digits of a text stay as they are, and a double is multiplied only where that is as good.
  const power = UNIT_POWERS[options.unit];
  const inUnits = (n: Fragment): Fragment => (power === 0 ? n : sql`(${n} * 1e${power})`);
  const amount = exactly(compilation, input, name, {
    kind: 'amount',
    isQuick: (n) => perCurrency((digits) => sql`tape_quick_${digits}(${inUnits(n)})`),
    ofQuick: (n) => perCurrency((digits) => sql`tape_money_${digits}(${inUnits(n)})`),
    ofExact: (exact) => perCurrency((digits) => sql`tape_sum_${digits}_${power}(${exact})`),
    ofText: (s) => sql`tape_exact(${s})`,
  });
  const value = part(amount.value);
  const stated = layers.define(`${name}_currency`, sql`CASE WHEN ${value} IS NOT NULL THEN ${code} END`);
  return {
    value: { kind: 'amount', parts: { value, currency: stated } },
    error: firstOf([amount.error, currency.error]),
  };
}

/** The first reason there is. */
export function firstOf(errors: readonly (Fragment | null | undefined)[]): Fragment | null {
  const present = errors.filter((error): error is Fragment => error !== null && error !== undefined);
  const [only] = present;
  return only === undefined ? null : present.length === 1 ? only : sql`coalesce(${join(present, ', ')})`;
}

function currencyOf(compilation: Compilation, name: string, options: SumOptions): Outcome {
  if (options.named === undefined) return { value: single('text', text(options.currency)), error: null };
  const { layers } = compilation;
  const read = asText(compilation, options.named, `${name}_code`);
  const stated = part(read.value);
  const code = layers.define(
    `${name}_iso`,
    sql`CASE WHEN ${stated} IS NULL OR tape_blank(${stated}) THEN ${text(options.currency)} ELSE tape_currency(${stated}) END`,
  );
  const unknown = sql`CASE WHEN ${code} IS NULL THEN ${text(`the value of "${options.namedAs}" ${REASONS.notCurrency}`)} END`;
  const faulty = read.error && sql`${text(`the value of "${options.namedAs}" `)} || ${read.error}`;
  return { value: single('text', code), error: faulty ? sql`coalesce(${faulty}, ${unknown})` : unknown };
}

/** A value with its unit and days; a text that names its unit ("36 months") is taken at its word. */
export function convertTerm(compilation: Compilation, input: Value, unit: TermUnit, name: string): Outcome {
  const { layers } = compilation;
  const build = (value: Fragment, stated: Fragment, error: Fragment | null): Outcome => {
    const days = layers.define(`${name}_days`, sql`tape_finite(${value} * tape_days_per(${stated}))`);
    return { value: { kind: 'term', parts: { value, unit: stated, days } }, error };
  };
  if (input.kind === 'text' || input.kind === 'cell') {
    const isCell = input.kind === 'cell';
    const { t, n, s } = (isCell ? input.parts : { s: part(input) }) as Record<'t' | 'n' | 's', Fragment>;
    const ofText = sql`tape_term_number(${s})`;
    const value = layers.define(
      name,
      isCell ? sql`CASE WHEN ${t} = 1 THEN tape_finite(${n}) WHEN ${t} = 2 THEN ${ofText} END` : ofText,
    );
    const fallback = text(unit);
    const named = sql`coalesce(tape_term_unit(${s}), ${fallback})`;
    const stated = layers.define(
      `${name}_unit`,
      isCell
        ? sql`CASE WHEN ${value} IS NULL THEN NULL WHEN ${t} = 2 THEN ${named} ELSE ${fallback} END`
        : sql`CASE WHEN ${value} IS NOT NULL THEN ${named} END`,
    );
    const error = isCell
      ? cellNumberError(input, value, REASONS.notNumber)
      : sql`CASE WHEN ${value} IS NULL AND ${s} IS NOT NULL AND NOT tape_blank(${s}) THEN ${text(REASONS.notNumber)} END`;
    return build(value, stated, error);
  }
  const read = asNumber(compilation, input, name);
  const value = part(read.value);
  const days = layers.define(`${name}_days`, sql`tape_finite(${value} * ${numberConstant(DAYS_OF_UNIT[unit])})`);
  const stated = layers.define(`${name}_unit`, sql`CASE WHEN ${value} IS NOT NULL THEN ${text(unit)} END`);
  return { value: { kind: 'term', parts: { value, unit: stated, days } }, error: read.error };
}

interface Exactly {
  readonly kind: 'percentage' | 'amount';
  /** Where a double can be rounded as it is: away from ties, and small enough. */
  readonly isQuick: (n: Fragment) => Fragment;
  readonly ofQuick: (n: Fragment) => Fragment;
  /** From DECIMAL(38,20). */
  readonly ofExact: (exact: Fragment) => Fragment;
  readonly ofText: (s: Fragment) => Fragment;
}

/** Digits of a text are exact; a double is what a person sees of it. */
function exactly(compilation: Compilation, input: Value, name: string, conversion: Exactly): Outcome {
  const { kind, isQuick, ofQuick, ofExact, ofText } = conversion;
  const { layers } = compilation;
  const largeOrBad = (s: Fragment): Fragment =>
    sql`CASE WHEN tape_blank(${s}) THEN NULL WHEN tape_digits(${s}) IS NULL THEN ${text(REASONS.notNumber)} ELSE ${text(REASONS.tooLarge)} END`;
  switch (input.kind) {
    case 'missing':
      return { value: missingOf(kind), error: null };
    case 'cell': {
      const { t, n, s } = input.parts as Record<'t' | 'n' | 's', Fragment>;
      const exact = layers.define(
        `${name}_exact`,
        sql`CASE WHEN ${t} = 2 THEN ${ofText(s)} WHEN ${t} = 1 AND NOT ${isQuick(n)} THEN tape_seen(${n}) END`,
      );
      const value = layers.define(
        name,
        sql`CASE WHEN ${t} = 1 AND ${exact} IS NULL THEN ${ofQuick(n)} WHEN ${exact} IS NOT NULL THEN ${ofExact(exact)} END`,
      );
      const error = sql`CASE WHEN ${value} IS NOT NULL OR ${t} = 0 THEN NULL WHEN ${t} = 2 THEN ${largeOrBad(s)} ELSE ${cellNumberError(input, value, REASONS.notNumber)} END`;
      return { value: single(kind, value), error };
    }
    case 'text': {
      const s = part(input);
      const exact = layers.define(`${name}_exact`, ofText(s));
      const value = layers.define(name, ofExact(exact));
      return {
        value: single(kind, value),
        error: sql`CASE WHEN ${value} IS NULL AND ${s} IS NOT NULL THEN ${largeOrBad(s)} END`,
      };
    }
    default: {
      const n = part(input);
      const exact = layers.define(`${name}_exact`, sql`CASE WHEN NOT ${isQuick(n)} THEN tape_seen(${n}) END`);
      const value = layers.define(name, sql`CASE WHEN ${exact} IS NULL THEN ${ofQuick(n)} ELSE ${ofExact(exact)} END`);
      return {
        value: single(kind, value),
        error: sql`CASE WHEN ${value} IS NULL AND ${n} IS NOT NULL THEN ${text(REASONS.tooLarge)} END`,
      };
    }
  }
}
