import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { namedValue } from '@tapeline/domain/tapes/cell-reasons.ts';
import type { DateForm } from '@tapeline/domain/tapes/planned-rule.ts';
import {
  DAYS_OF_UNIT,
  DEFAULT_FIRST_YEAR,
  type FigureOptions,
  type NumberUnit,
  type SerializationOf,
} from '@tapeline/domain/tapes/serialization.schema.ts';
import { byTag, factsOf, holdsNumbersOnly, mayBe, problemByTag, unlessBlank } from './cells.ts';
import { exactPart } from './exact-numbers.ts';
import { EXACT, quickLimit, type RoundingDigits, SHORT, UNIT_POWERS } from './macros.ts';
import { allFinite, asNumber, asText, notANumber, plainFigures, serialDate, unreadText } from './readings.ts';
import { type Fragment, join, NULL_TEXT, numberConstant, raw, sql, text } from './sql.ts';
import { type Compilation, missingOf, type Outcome, part, REASONS, single, type Value } from './values.ts';

type Scale = SerializationOf<'percentage'>['scale'];

/** Converts to a date. A cell that the sheet itself styles as a date is accepted in any format. */
export function convertDate(compilation: Compilation, input: Value, form: DateForm, name: string): Outcome {
  const { layers } = compilation;
  const { format, order, firstYear = DEFAULT_FIRST_YEAR } = form;
  const ofNumber = (number: Value): Fragment | null => {
    if (format === 'excel') return serialDate(compilation, number);
    const n = part(number, number.kind === 'cell' ? 'n' : 'value');
    if (format === 'timestampMilliseconds') return sql`tape_epoch_day(floor(${n} / 86400000))`;
    if (format === 'timestampSeconds') return sql`tape_epoch_day(floor(${n} / 86400))`;
    return null;
  };
  const ofText = (s: Fragment): Fragment => {
    if (format === 'ISO') return sql`tape_iso_date(${s})`;
    if (format === 'american') return sql`tape_american_date(${s})`;
    return ofNumber(single('number', sql`tape_number(${s})`)) ?? NULL_TEXT;
  };
  /** Numbers are written in the order of texts, unless the format says what they are. */
  const isOrdered = order !== undefined && (format === 'ISO' || format === 'american');
  const ordered = (written: Fragment): Fragment => {
    const s = layers.define(`${name}_written`, written);
    const taken = layers.define(`${name}_parts`, sql`tape_date_parts_${order ?? 'dayFirst'}(${s})`);
    return sql`coalesce(tape_iso_date(${s}), tape_dated(${taken}, ${firstYear}))`;
  };
  const digitsOf = (n: Fragment): Fragment => sql`tape_date_digits_${order ?? 'dayFirst'}(${n})`;
  const unread = format === 'excel' && order === undefined ? REASONS.notSerial : REASONS.notDate;
  const reason = text(unread);
  const missing = missingOf('date');
  switch (input.kind) {
    case 'missing':
      return { value: missing, error: null };
    case 'date':
      return { value: input, error: null };
    case 'cell': {
      const { serials } = factsOf(input);
      const { n, s } = input.parts as Record<'n' | 's', Fragment>;
      const written =
        order && ordered(byTag(input, { text: s, ...(isOrdered ? { number: digitsOf(n) } : {}) }, NULL_TEXT));
      const date = layers.define(
        name,
        byTag(
          input,
          {
            date: serialDate(compilation, input),
            text: written ?? ofText(s),
            number: isOrdered && written ? written : ofNumber(input),
          },
          part(missing),
        ),
      );
      const error = problemByTag(input, date, {
        date: serials ? null : reason,
        number: serials && format === 'excel' ? null : reason,
        text: unlessBlank(input, reason),
        boolean: reason,
        error: text(REASONS.sheetError),
      });
      return { value: single('date', date), error };
    }
    case 'number': {
      const n = part(input);
      const date = layers.define(name, isOrdered ? ordered(digitsOf(n)) : (ofNumber(input) ?? part(missing)));
      const fits = format === 'excel' && factsOf(input).serials;
      return {
        value: single('date', date),
        error: fits ? null : sql`CASE WHEN ${date} IS NULL AND ${n} IS NOT NULL THEN ${reason} END`,
      };
    }
    default: {
      const date = layers.define(name, order ? ordered(part(input)) : ofText(part(input)));
      return {
        value: single('date', date),
        error: unreadText(input, date, unread),
      };
    }
  }
}

/**
 * Points as exact DECIMAL(18,8): 0.1149 with zeroTo1 is 11.49. A text with a percent sign is an error with zeroTo1,
 * because the sign contradicts the scale and the intended meaning is ambiguous.
 */
export function convertPercentage(compilation: Compilation, input: Value, scale: Scale, name: string): Outcome {
  const points = scale === 'zeroTo1' ? '1' : '100';
  return exactly(compilation, input, name, {
    kind: 'percentage',
    fitsBelow: scale === 'zeroTo1' ? 1e7 : 1e9,
    isQuick: (n, below) => quick(scale === 'zeroTo1' ? 10 : 8, n, below),
    ofWhole: (n) => sql`CAST(${scale === 'zeroTo1' ? sql`${n} * 100` : n} AS DECIMAL(18,8))`,
    ofQuick: (n) => sql`tape_points_${points}(${n})`,
    ofExact: (exact) => sql`tape_exact_points_${points}(${exact})`,
    ofShort: (short) => (points === '100' ? short : sql`tape_short_points_1(${short})`),
    digitsOf: (s) => (points === '100' ? sql`tape_digits(${s})` : sql`tape_share_digits(${s})`),
    ...(points === '1' ? { hasWrongSign: (s: Fragment) => sql`contains(${s}, '%')` } : {}),
  });
}

/** A rate in points and its kind. Negative rates are rejected. */
export function convertInterest(
  compilation: Compilation,
  input: Value,
  scale: Scale,
  kind: 'fix' | 'variable',
  name: string,
): Outcome {
  const points = convertPercentage(compilation, input, scale, name);
  const value = part(points.value);
  const isNever = holdsNumbersOnly(input) && factsOf(input).unsigned;
  const negative = isNever ? null : sql`CASE WHEN ${value} < 0 THEN ${text(REASONS.negativeRate)} END`;
  const rateKind = sql`CASE WHEN ${value} IS NOT NULL THEN ${text(kind)} END`;
  return {
    value: { kind: 'interest', parts: { value, rateKind } },
    error: firstOf([points.error, negative]),
  };
}

interface SumOptions {
  readonly unit: NumberUnit;
  /** Currency of amounts that do not name one. */
  readonly currency: string;
  /** The column that names the currency, if there is one. */
  readonly named: Value | undefined;
  readonly namedAs: string;
}

const CODES = CURRENCIES.map((currency) => currency.code);
/** All currencies whose number of decimal places is not two, by number of decimal places. */
const UNUSUAL_DIGITS: ReadonlyMap<number, readonly string[]> = new Map(
  [0, 1, 3, 4].map((digits) => [digits, CODES.filter((code) => minorUnitDigits(code) === digits)] as const),
);

/** An amount: the value as displayed, rounded half-even to the currency's minor unit, and exact from then on. */
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
  // Units only move the decimal point. The digits of a text are kept, and a double is multiplied only if the result is
  // equally exact.
  const power = UNIT_POWERS[options.unit];
  const inUnits = (n: Fragment): Fragment => (power === 0 ? n : sql`(${n} * 1e${power})`);
  const amount = exactly(compilation, input, name, {
    kind: 'amount',
    fitsBelow: 1e13 / 10 ** power,
    isQuick: (n, below) => perCurrency((digits) => quick(digits, inUnits(n), below * 10 ** power)),
    ofWhole: (n) => sql`CAST(${inUnits(n)} AS DECIMAL(18,4))`,
    ofQuick: (n) => perCurrency((digits) => sql`tape_money_${digits}(${inUnits(n)})`),
    ofExact: (exact) => perCurrency((digits) => sql`tape_sum_${digits}_${power}(${exact})`),
    ofShort: (short) =>
      perCurrency((digits) =>
        power === 0
          ? sql`tape_short_sum_${digits}(${short})`
          : sql`tape_sum_${digits}_${power}(CAST(${short} AS ${EXACT}))`,
      ),
    digitsOf: (s) => sql`tape_digits(${s})`,
  });
  const value = part(amount.value);
  const stated = layers.define(`${name}_currency`, sql`CASE WHEN ${value} IS NOT NULL THEN ${code} END`);
  return {
    value: { kind: 'amount', parts: { value, currency: stated } },
    error: firstOf([amount.error, currency.error]),
  };
}

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
  const unknown = sql`CASE WHEN ${code} IS NULL THEN ${layers.literal(`${namedValue(options.namedAs)}${REASONS.notCurrency}`)} END`;
  const invalid = read.error && sql`${layers.literal(namedValue(options.namedAs))} || ${read.error}`;
  return { value: single('text', code), error: invalid ? sql`coalesce(${invalid}, ${unknown})` : unknown };
}

/** A value with its unit and days. If a text names its own unit ("36 months"), that unit is used. */
export function convertTerm(
  compilation: Compilation,
  input: Value,
  { unit, ...figures }: Pick<SerializationOf<'SerializedTerm'>, 'unit'> & FigureOptions,
  name: string,
): Outcome {
  const { layers } = compilation;
  const build = (value: Fragment, stated: Fragment, error: Fragment | null): Outcome => {
    const days = layers.define(`${name}_days`, sql`tape_finite(${value} * tape_days_per(${stated}))`);
    return { value: { kind: 'term', parts: { value, unit: stated, days } }, error };
  };
  const stays = text(unit);
  if (input.kind === 'text' || (input.kind === 'cell' && !holdsNumbersOnly(input))) {
    const isCell = input.kind === 'cell';
    const { n, s } = (isCell ? input.parts : { s: part(input) }) as Record<'n' | 's', Fragment>;
    const bare = single('text', layers.define(`${name}_bare`, sql`tape_term_figure(${s})`));
    const ofText = sql`tape_number(${part(plainFigures(compilation, bare, figures, name))})`;
    const finite = allFinite(input);
    const value = layers.define(
      name,
      isCell ? byTag(input, { number: finite ? n : sql`tape_finite(${n})`, text: ofText }, NO_NUMBER) : ofText,
    );
    const named = sql`CASE WHEN ${value} IS NOT NULL THEN coalesce(tape_term_unit(${s}), ${stays}) END`;
    const plain = sql`CASE WHEN ${value} IS NOT NULL THEN ${stays} END`;
    const stated = layers.define(
      `${name}_unit`,
      isCell ? byTag(input, { text: named, number: plain }, NULL_TEXT) : named,
    );
    const error = isCell
      ? notANumber(input, value, REASONS.notNumber, finite)
      : unreadText(input, value, REASONS.notNumber);
    return build(value, stated, error);
  }
  const read = asNumber(compilation, input, name);
  const value = part(read.value);
  const product = sql`${value} * ${numberConstant(DAYS_OF_UNIT[unit])}`;
  const days = layers.define(
    `${name}_days`,
    factsOf(read.value).below <= 1e13 ? product : sql`tape_finite(${product})`,
  );
  const stated = layers.define(`${name}_unit`, sql`CASE WHEN ${value} IS NOT NULL THEN ${stays} END`);
  return { value: { kind: 'term', parts: { value, unit: stated, days } }, error: read.error };
}

const NO_NUMBER = raw('CAST(NULL AS DOUBLE)');

/**
 * Whether a double can be rounded directly to this many digits. Above the limit its 15 significant digits do not reach
 * far enough.
 */
const quick = (digits: RoundingDigits, n: Fragment, below: number): Fragment =>
  below <= quickLimit(digits) ? sql`tape_steady_${digits}(${n})` : sql`tape_quick_${digits}(${n})`;

interface Exactly {
  readonly kind: 'percentage' | 'amount';
  /** Numbers with an absolute value below this are never too large. */
  readonly fitsBelow: number;
  /**
   * Whether a double can be rounded directly: it is not close to a tie and is small enough. All values are less than
   * `below`.
   */
  readonly isQuick: (n: Fragment, below: number) => Fragment;
  readonly ofQuick: (n: Fragment) => Fragment;
  /** Converts a double that has no decimal places and fits. */
  readonly ofWhole: (n: Fragment) => Fragment;
  /** Converts from DECIMAL(38,20). */
  readonly ofExact: (exact: Fragment) => Fragment;
  /** Converts from DECIMAL(18,8), with the same result. */
  readonly ofShort: (short: Fragment) => Fragment;
  /** The number that a text is, without anything around or between its digits. NULL if it is none. */
  readonly digitsOf: (s: Fragment) => Fragment;
  /** Whether the text of a number has a percent sign that contradicts the chosen scale. */
  readonly hasWrongSign?: (s: Fragment) => Fragment;
}

/**
 * The digits of a text, and of a number derived from amounts, are exact. A double counts as its 15 significant digits.
 */
function exactly(compilation: Compilation, input: Value, name: string, conversion: Exactly): Outcome {
  const { kind, fitsBelow, isQuick, ofQuick, ofWhole, ofExact, ofShort } = conversion;
  const { layers } = compilation;
  const { below, whole } = factsOf(input);
  const fits = below <= fitsBelow;
  const missing = missingOf(kind);
  const unreadOf = (s: Fragment): Fragment => {
    const wrongSign = conversion.hasWrongSign
      ? sql` WHEN ${conversion.hasWrongSign(s)} THEN ${text(REASONS.percentSign)}`
      : raw('');
    return sql`CASE WHEN tape_digits(${s}) IS NULL THEN ${text(REASONS.notNumber)}${wrongSign} ELSE ${text(REASONS.tooLarge)} END`;
  };
  /** The digits of a text: in 64 bits if they are short, as most are, and otherwise exact. */
  const digitsOfText = (s: Fragment, ofTexts: (gives: Fragment, nothing: Fragment) => Fragment) => {
    const short = layers.define(`${name}_short`, ofTexts(sql`tape_short(${s})`, NO_SHORT));
    const others = sql`CASE WHEN ${short} IS NULL THEN ${conversion.digitsOf(s)} END`;
    const digits = layers.define(`${name}_digits`, ofTexts(others, NULL_TEXT));
    return { short, long: sql`tape_long(${digits})` };
  };
  const ofEither = (short: Fragment, exact: Fragment): Fragment =>
    sql`CASE WHEN ${short} IS NOT NULL THEN ${ofShort(short)} ELSE ${ofExact(exact)} END`;
  switch (input.kind) {
    case 'missing':
      return { value: missing, error: null };
    case 'cell': {
      const { n, s } = input.parts as Record<'n' | 's', Fragment>;
      if (fits && whole && holdsNumbersOnly(input)) {
        const value = layers.define(name, byTag(input, { number: ofWhole(n) }, part(missing)));
        return { value: single(kind, value), error: null };
      }
      const { short, long } = mayBe(input, 'text')
        ? digitsOfText(s, (gives, nothing) => byTag(input, { text: gives }, nothing))
        : { short: NO_SHORT, long: NO_DIGITS };
      const hard = sql`CASE WHEN NOT ${isQuick(n, below)} THEN tape_seen(${n}) END`;
      const exact = layers.define(`${name}_exact`, byTag(input, { text: long, number: hard }, NO_DIGITS));
      const made = sql`CASE WHEN ${exact} IS NULL THEN ${ofQuick(n)} ELSE ${ofExact(exact)} END`;
      const value = layers.define(name, byTag(input, { number: made, text: ofEither(short, exact) }, part(missing)));
      const error = problemByTag(input, value, {
        number: fits ? null : text(REASONS.tooLarge),
        text: unlessBlank(input, unreadOf(s)),
        boolean: text(REASONS.booleanNotNumber),
        date: text(REASONS.dateNotNumber),
        error: text(REASONS.sheetError),
      });
      return { value: single(kind, value), error };
    }
    case 'text': {
      const s = part(input);
      const { short, long } = digitsOfText(s, (gives) => gives);
      const exact = layers.define(`${name}_exact`, long);
      const value = layers.define(name, ofEither(short, exact));
      return {
        value: single(kind, value),
        error: sql`CASE WHEN ${value} IS NULL AND ${s} IS NOT NULL AND NOT tape_blank(${s}) THEN ${unreadOf(s)} END`,
      };
    }
    default: {
      const n = part(input);
      if (fits && whole) return { value: single(kind, layers.define(name, ofWhole(n))), error: null };
      const seen = sql`CASE WHEN NOT ${isQuick(n, below)} THEN tape_seen(${n}) END`;
      const kept = exactPart(input);
      const exact = layers.define(`${name}_exact`, kept ? sql`coalesce(${kept}, ${seen})` : seen);
      const value = layers.define(name, sql`CASE WHEN ${exact} IS NULL THEN ${ofQuick(n)} ELSE ${ofExact(exact)} END`);
      const tooLarge = sql`CASE WHEN ${value} IS NULL AND ${n} IS NOT NULL THEN ${text(REASONS.tooLarge)} END`;
      return { value: single(kind, value), error: fits ? null : tooLarge };
    }
  }
}

const NO_DIGITS = raw(`CAST(NULL AS ${EXACT})`);
const NO_SHORT = raw(`CAST(NULL AS ${SHORT})`);
