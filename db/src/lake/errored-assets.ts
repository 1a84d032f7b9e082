import { type ErroredRow, summarizeFaults } from '@tapeline/domain/tapes/tape.schema.ts';
import { type Lake, readParquet } from './lake.ts';

/** A row that could not become an asset, as listed: what was read, and every reason. */
export interface ErroredAsset {
  loanTape: string;
  rowNumber: number;
  originData: ErroredRow['origin'];
  /** The reasons in one line. */
  error: string;
  errors: ErroredRow['errors'];
}

export interface ErroredSource {
  tapeId: string;
  paths: readonly string[];
}

/** Errored rows of the tapes, in the order of the sources and rows, with the total before paging. */
export async function listErroredAssets(
  lake: Lake,
  sources: readonly ErroredSource[],
  page: { skip: number; limit: number },
): Promise<{ rows: ErroredAsset[]; total: number }> {
  const held = sources.filter((source) => source.paths.length > 0);
  if (held.length === 0) return { rows: [], total: 0 };
  const relation = held
    .map(
      (source, index) =>
        `SELECT ${index} AS source, "row", origin, to_json(errors) AS errors FROM ${readParquet(source.paths)}`,
    )
    .join(' UNION ALL ');
  return lake.connected(async (connection) => {
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM (${relation})`);
    const read = await connection.runAndReadAll(
      `SELECT * FROM (${relation}) ORDER BY source, "row" LIMIT ${Math.trunc(page.limit)} OFFSET ${Math.trunc(page.skip)}`,
    );
    const rows = read.getRows().map(([source, row, origin, errors]): ErroredAsset => {
      const reasons = JSON.parse(String(errors)) as ErroredAsset['errors'];
      return {
        loanTape: held[Number(source)]?.tapeId ?? '',
        rowNumber: Number(row),
        originData: JSON.parse(String(origin)),
        error: summarizeFaults(reasons),
        errors: reasons,
      };
    });
    return { rows, total: Number(counted.getColumns()[0]?.[0] ?? 0) };
  });
}
