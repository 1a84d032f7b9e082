import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { decimalOf } from '@tapeline/domain/money/decimal.ts';
import { SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName, quoteText, readParquet } from '@tapeline/lake/lake.ts';

const SQL_TYPES = {
  text: 'VARCHAR',
  number: 'DOUBLE',
  decimal: 'DECIMAL(18,4)',
  boolean: 'BOOLEAN',
  date: 'DATE',
  instant: 'TIMESTAMPTZ',
} as const;

/** Facts about a column from Parquet's statistics. */
interface ColumnFacts {
  readonly type: string;
  /** Whether every row has a value. */
  readonly complete: boolean;
  /** The single value of all rows that have a value, as text; null if there is more than one or it is unknown. */
  readonly only: string | null;
}

/** A row group of the parts. It holds the rows of one range of the tape. */
interface RowGroup {
  readonly file: string;
  /** The smallest sequenceIndex in the row group. */
  readonly first: number;
  readonly last: number;
}

const tableOf = (files: readonly string[]): string => (files.length === 0 ? '' : readParquet(files));

/** A tape's Parquet parts as one table. Open it once per calculation. */
export class TapeParts {
  readonly from: string;
  readonly files: readonly string[];
  /** Number of assets. */
  readonly length: number;
  private readonly connection: DuckDBConnection;
  /** In the order of the tape. */
  private readonly rowGroups: readonly RowGroup[];
  private readonly columns: ReadonlyMap<string, ColumnFacts>;

  private constructor(
    connection: DuckDBConnection,
    files: readonly string[],
    rowGroups: readonly RowGroup[],
    columns: ReadonlyMap<string, ColumnFacts>,
    length: number,
  ) {
    this.connection = connection;
    this.rowGroups = rowGroups;
    this.files = files;
    this.from = tableOf(files);
    this.columns = columns;
    this.length = length;
  }

  static async open(connection: DuckDBConnection, parquetFiles: readonly string[]): Promise<TapeParts> {
    if (parquetFiles.length === 0) return new TapeParts(connection, [], [], new Map(), 0);
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${tableOf(parquetFiles)}`);
    const read = await connection.runAndReadAll(
      `SELECT path_in_schema, file_name, CAST(row_group_num_rows AS DOUBLE), CAST(num_values AS DOUBLE),
        COALESCE(stats_null_count, 1) = 0, stats_min_value, stats_max_value
       FROM parquet_metadata([${parquetFiles.map(quoteText).join(', ')}])`,
    );
    const chunks = Map.groupBy(read.getRowsJS().map(toChunk), ({ column }) => column);
    const columns = described.getRowsJS().map(([name, type]): [string, ColumnFacts] => {
      const own = chunks.get(String(name)) ?? [];
      const complete = own.length > 0 && own.every((chunk) => chunk.complete);
      return [String(name), { type: String(type), complete, only: onlyValue(own) }];
    });
    const sequence = chunks.get(SEQUENCE_COLUMN) ?? [];
    const length = sequence.reduce((sum, { values }) => sum + values, 0);
    const rowGroups = rowGroupsOf(sequence);
    return new TapeParts(connection, parquetFiles, rowGroups, new Map(columns), length);
  }

  /**
   * Splits the tape into at most `count` ranges with about the same number of whole row groups, in order, as FROM
   * clauses. The condition puts each asset in exactly one range, wherever it is stored. This is cheap because DuckDB
   * uses the statistics to skip the row groups outside the range.
   */
  stretches(count: number): string[] {
    const each = Math.ceil(this.rowGroups.length / count);
    const starts = this.rowGroups.filter((_, at) => at % each === 0).map(({ first }) => first);
    const bounds = [...new Set([0, ...starts.slice(1), this.length])].sort((a, b) => a - b);
    return bounds.slice(1).map((end, at) => {
      const [from, to] = [bounds[at]!, end - 1];
      const files = this.rowGroups.filter(({ first, last }) => first <= to && last >= from).map(({ file }) => file);
      return `${tableOf([...new Set(files)])} WHERE ${quoteName(SEQUENCE_COLUMN)} BETWEEN ${from} AND ${to}`;
    });
  }

  has(name: string): boolean {
    return this.columns.has(name);
  }

  /** A column's SQL type; null if the tape does not have the column. */
  type(name: string): string | null {
    return this.columns.get(name)?.type ?? null;
  }

  /** Decimal places of a decimal that DuckDB stores in 64 bits; null for every other column. */
  decimalDigits(name: string): number | null {
    const [, width, digits] = /^DECIMAL\((\d+),(\d+)\)$/.exec(this.type(name) ?? '') ?? [];
    return Number(width) > 9 && Number(width) <= 18 ? Number(digits) : null;
  }

  /** Whether an asset may lack the column. False only if Parquet's statistics show no missing values. */
  mayLack(name: string): boolean {
    return this.columns.get(name)?.complete !== true;
  }

  /**
   * The single text of all rows of a column, from the Parquet statistics; null if they do not show that it is constant.
   */
  constantText(name: string): string | null {
    const column = this.columns.get(name);
    return column?.complete === true ? column.only : null;
  }

  /** The SQL of a field's column, or a NULL of its type if the tape does not have the column. */
  column(field: Field): string {
    return this.columns.has(field.path) ? quoteName(field.path) : `CAST(NULL AS ${SQL_TYPES[field.type]})`;
  }

  named(name: string): string {
    return this.columns.has(name) ? quoteName(name) : 'NULL';
  }

  async rows(sql: string, values?: DuckDBValue[]) {
    const reader = await this.connection.runAndReadAll(sql, values);
    return reader.getRowsJS();
  }

  run(sql: string, values: DuckDBValue[]) {
    return this.connection.run(sql, values);
  }

  /** Reads the texts of a field at the given tape positions by SQL, formatted as group labels. */
  async labels(field: Field, positions: readonly number[]): Promise<Map<number, string | null>> {
    const value =
      field.type === 'number' ? `CAST(${this.column(field)} AS DOUBLE)` : `CAST(${this.column(field)} AS VARCHAR)`;
    const wanted = `SELECT unnest([${positions.join(', ')}]::INTEGER[])`;
    const rows = await this.rows(
      `SELECT ${quoteName(SEQUENCE_COLUMN)}, ${value} FROM ${this.from} WHERE ${quoteName(SEQUENCE_COLUMN)} IN (${wanted})`,
    );
    return new Map(
      rows.map(([position, label]) => {
        if (label === null || label === undefined) return [Number(position), null];
        return [Number(position), field.type === 'decimal' ? decimalOf(String(label)) : String(label)];
      }),
    );
  }
}

/** One column of one row group, from its statistics. */
interface Chunk {
  readonly column: string;
  readonly file: string;
  readonly rows: number;
  readonly values: number;
  readonly complete: boolean;
  /** As texts; null if the file does not say. */
  readonly least: string | null;
  readonly most: string | null;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const toChunk = ([column, file, rows, values, complete, least, most]: readonly unknown[]): Chunk => ({
  column: String(column),
  file: String(file),
  rows: Number(rows),
  values: Number(values),
  complete: complete === true,
  least: textOrNull(least),
  most: textOrNull(most),
});

/** The single value of a column, as text; null if there are several, or the files do not say. */
function onlyValue(chunks: readonly Chunk[]): string | null {
  const only = chunks[0]?.least ?? null;
  return chunks.every(({ least, most }) => least === only && most === only) ? only : null;
}

/** The non-empty row groups in tape order, by the chunks of the sequence. One without statistics may have any row. */
const rowGroupsOf = (sequence: readonly Chunk[]): RowGroup[] =>
  sequence
    .filter(({ rows }) => rows > 0)
    .map(({ file, least, most }) => ({ file, first: Number(least ?? 0), last: Number(most ?? 2_147_483_647) }))
    .sort((a, b) => a.first - b.first);
