import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import {
  convertScaled,
  type ExchangeRates,
  exchangeFactor,
  type Fraction,
  scaleNumber,
} from '@tapeline/domain/borrowing-base/exact.ts';
import { type Measured, measuredFields, type PreparedContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { TapeTerms } from '@tapeline/domain/borrowing-base/publish.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { decimalOf } from '@tapeline/domain/money/decimal.ts';
import { codeColumn, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { MAX_UNITS, makePairs, PARTS, type Pairs, setBigInt } from './pairs.ts';
import { compileMasks, type MaskLayout } from './predicates.ts';

/** What the engine needs of every asset, a typed array a column, in tape order. */
export interface TapeColumns {
  readonly length: number;
  readonly layout: MaskLayout;
  readonly words: readonly Int32Array[];
  /** By path: money in the main currency, other numbers as they are. A missing one stands as zero, its mask bit set. */
  readonly measured: ReadonlyMap<string, Pairs>;
  /** By path: 0 where missing, otherwise a code from 1. */
  readonly codes: ReadonlyMap<string, Int32Array>;
  readonly missingRates: readonly string[];
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const SQL_TYPES = {
  text: 'VARCHAR',
  number: 'DOUBLE',
  decimal: 'DECIMAL(18,4)',
  boolean: 'BOOLEAN',
  date: 'DATE',
  instant: 'TIMESTAMPTZ',
} as const;
/** Digits after the point of an amount's column, and of a percentage's. */
const AMOUNT_DIGITS = 4;
const PERCENTAGE_DIGITS = 8;

/** A tape's Parquet parts as one table. Open it once a calculation. */
export class TapeParts {
  readonly from: string;
  private readonly files: string;
  private readonly connection: DuckDBConnection;
  private readonly columns: ReadonlySet<string>;
  readonly length: number;

  private constructor(
    connection: DuckDBConnection,
    files: string,
    from: string,
    columns: ReadonlySet<string>,
    length: number,
  ) {
    this.connection = connection;
    this.files = files;
    this.from = from;
    this.columns = columns;
    this.length = length;
  }

  static async open(connection: DuckDBConnection, parquetFiles: readonly string[]): Promise<TapeParts> {
    if (parquetFiles.length === 0) return new TapeParts(connection, '[]', '', new Set(), 0);
    const files = `[${parquetFiles.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ')}]`;
    const from = `read_parquet(${files})`;
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
    const counted = await connection.runAndReadAll(
      `SELECT CAST(sum(num_rows) AS DOUBLE) FROM parquet_file_metadata(${files})`,
    );
    const columns = new Set(described.getRowsJS().map((row) => String(row[0])));
    return new TapeParts(connection, files, from, columns, Number(counted.getRowsJS()[0]?.[0] ?? 0));
  }

  has(name: string): boolean {
    return this.columns.has(name);
  }

  /** A field's column, or a missing value of its type where no mapping made it. */
  column(field: Field): string {
    return this.columns.has(field.path) ? quote(field.path) : `CAST(NULL AS ${SQL_TYPES[field.type]})`;
  }

  named(name: string): string {
    return this.columns.has(name) ? quote(name) : 'NULL';
  }

  /** The one text that a column holds throughout, by the statistics of its Parquet row groups; null where they do not say so. */
  async constantText(name: string): Promise<string | null> {
    const rows = await this.rows(
      `SELECT DISTINCT stats_min_value, stats_max_value, stats_null_count FROM parquet_metadata(${this.files}) WHERE path_in_schema = $1`,
      [name],
    );
    const texts = new Set(rows.flatMap((row) => row.slice(0, 2)));
    const [only] = texts;
    const complete = rows.every((row) => row[2] !== null && Number(row[2]) === 0);
    return texts.size === 1 && complete && typeof only === 'string' ? only : null;
  }

  async rows(sql: string, values?: DuckDBValue[]) {
    const reader = await this.connection.runAndReadAll(sql, values);
    return reader.getRowsJS();
  }

  /** Chunks of a query, fetched at once. */
  async chunks(sql: string, values: DuckDBValue[]) {
    const result = await this.connection.run(sql, values);
    return result.fetchAllChunks();
  }

  /** The texts of a field at the given tape positions, as groups are labelled. */
  async labels(field: Field, positions: readonly number[]): Promise<Map<number, string | null>> {
    if (positions.length === 0) return new Map();
    const value =
      field.type === 'number' ? `CAST(${this.column(field)} AS DOUBLE)` : `CAST(${this.column(field)} AS VARCHAR)`;
    const wanted = `SELECT unnest([${positions.join(', ')}]::INTEGER[])`;
    const rows = await this.rows(
      `SELECT ${quote(SEQUENCE_COLUMN)}, ${value} FROM ${this.from} WHERE ${quote(SEQUENCE_COLUMN)} IN (${wanted})`,
    );
    return new Map(
      rows.map(([position, label]) => {
        if (label === null || label === undefined) return [Number(position), null];
        return [Number(position), field.type === 'decimal' ? decimalOf(String(label)) : String(label)];
      }),
    );
  }
}

/** The currencies of an amount, each with its factor; one entry where the whole column is of one currency. */
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
  // A tape of the main currency throughout, the common case, is known by its statistics and needs no scan.
  const isMain = !both || (await parts.constantText(measured.currency.path)) === tape.mainCurrency;
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

/** How a measured column comes out of SQL. */
interface MeasuredPlan {
  readonly measured: Measured;
  readonly currencies: CurrencyPlan | null;
  readonly kind: 'amount' | 'percentage' | 'number';
}

const measuredSql = (parts: TapeParts, { measured, kind }: MeasuredPlan): string => {
  const column = parts.column(measured.field);
  if (kind === 'number') return `COALESCE(CAST(${column} AS DOUBLE), 0)`;
  const digits = kind === 'amount' ? AMOUNT_DIGITS : PERCENTAGE_DIGITS;
  return `COALESCE(CAST(${column} AS DECIMAL(18,${digits})), 0)`;
};

/** The place of each asset's currency in the plan. */
const currencySql = (parts: TapeParts, plan: MeasuredPlan, tape: TapeTerms, values: DuckDBValue[]): string | null => {
  if (plan.currencies === null || plan.currencies.codes.length === 1 || plan.measured.currency === null) return null;
  const subject = `COALESCE(${parts.column(plan.measured.currency)}, $${values.push(tape.mainCurrency)})`;
  const cases = plan.currencies.codes.map((code, index) => `WHEN ${subject} = $${values.push(code)} THEN ${index}`);
  return `CAST(CASE ${cases.join(' ')} ELSE 0 END AS INTEGER)`;
};

const codeSql = (parts: TapeParts, field: Field): string => {
  if (!parts.has(field.path)) return '0';
  const code = codeColumn(field.path);
  if (parts.has(code)) return `COALESCE(${quote(code)} + 1, 0)`;
  const column = parts.column(field);
  return `CASE WHEN ${column} IS NULL THEN 0 ELSE CAST(dense_rank() OVER (ORDER BY ${column}) AS INTEGER) END`;
};

/** One pass of SQL over the tape, scattered by sequenceIndex: DuckDB promises no order of rows, and needs none. */
export async function readTapeColumns(
  parts: TapeParts,
  prepared: PreparedContract,
  tape: TapeTerms,
): Promise<TapeColumns> {
  const missing = new Set<string>();
  const plans: MeasuredPlan[] = [];
  for (const measured of measuredFields(prepared)) {
    const currencies = await planCurrencies(parts, measured, tape, missing);
    const kind = currencies !== null ? 'amount' : measured.field.type === 'number' ? 'number' : 'percentage';
    plans.push({ measured, currencies, kind });
  }
  const groupFields = [
    ...new Map(
      prepared.concentration.flatMap((rule) => (rule.groupBy ? [[rule.groupBy.path, rule.groupBy] as const] : [])),
    ).values(),
  ];
  const masks = compileMasks(
    prepared,
    (field) => parts.column(field),
    (name) => parts.named(name),
    plans.map((plan) => plan.measured.field.path),
  );
  const values: DuckDBValue[] = [...masks.values];
  const currencyColumns = plans.map((plan) => currencySql(parts, plan, tape, values));
  const carried = [
    `CAST(${parts.named(SEQUENCE_COLUMN)} AS INTEGER)`,
    ...plans.map((plan) => measuredSql(parts, plan)),
    ...currencyColumns.filter((sql) => sql !== null),
    ...groupFields.map((field) => `CAST(${codeSql(parts, field)} AS INTEGER)`),
  ];
  const [sequenceColumn, ...otherColumns] = carried.map((_, index) => `c${index}`);
  const inner = [...carried.map((expression, index) => `${expression} AS c${index}`), ...masks.conditions];
  const selected = [sequenceColumn, ...masks.words, ...otherColumns];

  const length = parts.length;
  const words = masks.words.map(() => new Int32Array(length));
  const raw = plans.map((plan) => (plan.kind === 'number' ? new Float64Array(length) : new BigInt64Array(length)));
  const currencyIndex = currencyColumns.map((sql) => (sql === null ? null : new Int32Array(length)));
  const codes = groupFields.map(() => new Int32Array(length));
  const targets = [...words, ...raw, ...currencyIndex.filter((column) => column !== null), ...codes];
  if (length > 0) {
    const sql = `SELECT ${selected.join(', ')} FROM (SELECT ${inner.join(', ')} FROM ${parts.from})`;
    for (const chunk of await parts.chunks(sql, values)) {
      const rows = chunk.rowCount;
      const sequence = (chunk.getColumnVector(0) as unknown as { items: Int32Array }).items;
      for (const [index, target] of targets.entries())
        scatter(target, chunk.getColumnVector(index + 1), sequence, rows);
    }
  }

  const measuredPairs = new Map<string, Pairs>();
  for (const [index, plan] of plans.entries()) {
    const column = raw[index]!;
    const pairs =
      column instanceof Float64Array
        ? pairsOfNumbers(column)
        : pairsOfDecimals(column, plan, currencyIndex[index] ?? null);
    requireCountable(pairs, plan.measured.field);
    measuredPairs.set(plan.measured.field.path, pairs);
  }
  return {
    length,
    layout: masks.layout,
    words,
    measured: measuredPairs,
    codes: new Map(groupFields.map((field, index) => [field.path, codes[index]!])),
    missingRates: [...missing].sort(),
  };
}

type Target = Int32Array | Float64Array | BigInt64Array;

/** A vector's numbers as they lie in memory; a decimal of 18 digits is a 64-bit integer at its scale. */
function scatter(target: Target, vector: unknown, sequence: Int32Array, rows: number): void {
  const { items, dataView } = vector as { items?: Int32Array | Float64Array; dataView?: DataView };
  if (target instanceof Int32Array && items instanceof Int32Array) {
    for (let row = 0; row < rows; row += 1) target[sequence[row]!] = items[row]!;
  } else if (target instanceof Float64Array && items instanceof Float64Array) {
    for (let row = 0; row < rows; row += 1) target[sequence[row]!] = items[row]!;
  } else if (target instanceof BigInt64Array && dataView) {
    // Moved as two doubles' worth of bits would be; a bigint a row is what costs.
    const [low, high] = [new Int32Array(dataView.buffer, dataView.byteOffset, rows * 2), new Int32Array(target.buffer)];
    for (let row = 0; row < rows; row += 1) {
      const at = sequence[row]! * 2;
      high[at] = low[row * 2]!;
      high[at + 1] = low[row * 2 + 1]!;
    }
  } else throw new Error('a column came out of DuckDB in another type than it was asked for');
}

/** Numbers at NUMBER_SCALE. */
function pairsOfNumbers(column: Float64Array): Pairs {
  const pairs = makePairs(column.length);
  for (let index = 0; index < column.length; index += 1) {
    const scaled = Math.floor(column[index]! * 1e8 + 0.5);
    if (Math.abs(scaled) >= 2 ** 53) {
      setBigInt(pairs, index, scaleNumber(column[index]!) * 10_000n);
      continue;
    }
    const whole = Math.floor(scaled / 1e8);
    pairs.whole[index] = whole;
    pairs.part[index] = (scaled - whole * 1e8) * 1e4;
  }
  return pairs;
}

/** Scaled 64-bit integers as pairs, converted to the main currency where they are money. */
function pairsOfDecimals(column: BigInt64Array, plan: MeasuredPlan, currencyIndex: Int32Array | null): Pairs {
  const pairs = makePairs(column.length);
  const digits = plan.kind === 'amount' ? AMOUNT_DIGITS : PERCENTAGE_DIGITS;
  const scale = 10 ** digits;
  const toParts = PARTS / scale;
  const toPartsBig = BigInt(toParts);
  const factors = plan.currencies?.factors ?? [];
  const plain = factors.map((factor) => factor.numerator === factor.denominator);
  const halves = new Int32Array(column.buffer);
  for (let index = 0; index < column.length; index += 1) {
    const currency = currencyIndex === null ? 0 : currencyIndex[index]!;
    if (factors.length > 0 && !plain[currency]) {
      setBigInt(pairs, index, convertScaled(column[index]!, digits, factors[currency]!));
      continue;
    }
    const high = halves[index * 2 + 1]!;
    if (high >= 2 ** 20 || high < -(2 ** 20)) {
      setBigInt(pairs, index, column[index]! * toPartsBig);
      continue;
    }
    const scaled = high * 2 ** 32 + (halves[index * 2]! >>> 0);
    const whole = Math.floor(scaled / scale);
    pairs.whole[index] = whole;
    pairs.part[index] = (scaled - whole * scale) * toParts;
  }
  return pairs;
}

/** Sums of pairs are exact as long as no sum can pass 2^52 units: some four quadrillion. */
function requireCountable(pairs: Pairs, field: Field): void {
  let total = 0;
  for (let index = 0; index < pairs.whole.length; index += 1) total += Math.abs(pairs.whole[index]!) + 1;
  if (total >= MAX_UNITS) {
    throw new Refusal('badRequest', `${field.label} adds up to more than can be counted exactly: choose a larger unit`);
  }
}
