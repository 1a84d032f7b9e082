import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { CauseStep } from '@tapeline/domain/borrowing-base/causes/cause-steps.ts';
import { ASSET_ID_PATH } from '@tapeline/domain/borrowing-base/prepare.ts';
import { ROW_COLUMN, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName, quoteText, readParquet } from '@tapeline/lake/lake.ts';

/** The table of the pairs: positions in both tapes, and the id. NULL for an asset that is on one tape only. */
export const PAIRS = 'pairs';

/**
 * The assets of two tapes. An asset whose id is on both, once on each, is a pair; any other is on one tape only. Of one
 * and the same tape, each asset is a pair with itself, also without an id.
 */
export class PairedAssets {
  private readonly connection: DuckDBConnection;
  private readonly folder: string;
  private readonly earlier: readonly string[];
  private readonly later: readonly string[];
  /** Columns of each tape with their SQL types. */
  private readonly types: {
    readonly earlier: ReadonlyMap<string, string>;
    readonly later: ReadonlyMap<string, string>;
  };
  private mixed = 0;

  private constructor(
    connection: DuckDBConnection,
    folder: string,
    tapes: { earlier: readonly string[]; later: readonly string[] },
    types: { earlier: ReadonlyMap<string, string>; later: ReadonlyMap<string, string> },
  ) {
    this.connection = connection;
    this.folder = folder;
    this.earlier = tapes.earlier;
    this.later = tapes.later;
    this.types = types;
  }

  /** @param hasStableIds false if the ids of a tape are row numbers, which name another asset on another tape */
  static async open(
    connection: DuckDBConnection,
    folder: string,
    earlier: readonly string[],
    later: readonly string[],
    hasStableIds: boolean,
  ): Promise<PairedAssets> {
    const typesOf = async (files: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      if (files.length === 0) return new Map();
      const read = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${readParquet(files)}`);
      return new Map(read.getRowsJS().map(([name, type]) => [String(name), String(type)]));
    };
    const types = { earlier: await typesOf(earlier), later: await typesOf(later) };
    const [was, is] = [idsOf(earlier, types.earlier), idsOf(later, types.later)];
    // One equality of both sides, also for no pairs: with any other condition, DuckDB joins in a nested loop. Positions are never negative.
    const sameId = hasStableIds ? 'a.sole_id = b.sole_id' : 'a.i = -1 - b.i';
    const key = isSame(earlier, later) ? 'a.i = b.i' : sameId;
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${PAIRS} AS
       SELECT a.i AS earlier, b.i AS later, a."row" AS earlier_row, b."row" AS later_row, coalesce(b.id, a.id) AS id
       FROM (${was}) a FULL JOIN (${is}) b ON ${key}`,
    );
    return new PairedAssets(connection, folder, { earlier, later }, types);
  }

  /**
   * The files with the pool of a step. Its assets are in the order of their tape. One that is mixed from both tapes has
   * no codes of groups, because those of two tapes do not compare.
   * @param fields the columns that the contracts read
   */
  async poolOf({ assets, laterFields }: CauseStep, fields: ReadonlySet<string>): Promise<readonly string[]> {
    if (assets === 'earlier') return this.earlier;
    if (laterFields === 'all' || isSame(this.earlier, this.later) || this.later.length === 0) return this.later;
    // Without an earlier tape, every asset has its later values.
    if (this.earlier.length === 0) return this.later;
    const isLater = (name: string) => laterFields !== 'none' && laterFields.has(name);
    this.mixed += 1;
    const file = join(this.folder, `pool-${this.mixed}.parquet`);
    const { earlier, later } = this.types;
    const names = [...new Set([ASSET_ID_PATH, ...fields])].filter((name) => earlier.has(name) || later.has(name));
    const columns = names.map((name) => `${this.valueOf(name, isLater(name))} AS ${quoteName(name)}`);
    const [sequence, row] = [`b.${quoteName(SEQUENCE_COLUMN)}`, `b.${quoteName(ROW_COLUMN)}`];
    await this.connection.run(
      `COPY (SELECT ${[sequence, row, ...columns].join(', ')}
         FROM ${readParquet(this.later)} b
         JOIN ${PAIRS} p ON p.later = ${sequence}
         LEFT JOIN ${readParquet(this.earlier)} a ON a.${quoteName(SEQUENCE_COLUMN)} = p.earlier
         ORDER BY ${sequence}) TO ${quoteText(file)} (FORMAT parquet)`,
    );
    return [file];
  }

  private valueOf(name: string, isLater: boolean): string {
    const { earlier, later } = this.types;
    const [was, is] = [earlier.get(name), later.get(name)];
    const ofLater = is === undefined ? `CAST(NULL AS ${was})` : `b.${quoteName(name)}`;
    if (isLater || name === ASSET_ID_PATH) return ofLater;
    const column = was === undefined ? `CAST(NULL AS ${is})` : `a.${quoteName(name)}`;
    const ofEarlier = was === undefined || is === undefined || was === is ? column : `TRY_CAST(${column} AS ${is})`;
    return `CASE WHEN p.earlier IS NULL THEN ${ofLater} ELSE ${ofEarlier} END`;
  }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join('\n') === b.join('\n');

/** The position, the sheet row and the id of each asset, and the id again if the tape lists it once. */
function idsOf(files: readonly string[], types: ReadonlyMap<string, string>): string {
  if (files.length === 0)
    return 'SELECT 0::BIGINT AS i, 0 AS "row", NULL::VARCHAR AS id, NULL::VARCHAR AS sole_id WHERE false';
  const id = types.has(ASSET_ID_PATH) ? `CAST(${quoteName(ASSET_ID_PATH)} AS VARCHAR)` : 'NULL::VARCHAR';
  return `SELECT ${quoteName(SEQUENCE_COLUMN)}::BIGINT AS i, ${quoteName(ROW_COLUMN)} AS "row", ${id} AS id,
    CASE WHEN count(*) OVER (PARTITION BY ${id}) = 1 THEN ${id} END AS sole_id FROM ${readParquet(files)}`;
}
