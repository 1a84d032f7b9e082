import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import { ROW_COLUMN, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { type AssetQuery, assetRelation, heldFields, knownFields, RESULT_COLUMNS, type TapeSource } from './assets.ts';
import { type Lake, quoteName, quoteText } from './lake.ts';

const ASSETS = 'exported_assets';

/** A text that a spreadsheet would run as a formula gets an apostrophe in front. */
const harmless = (name: string): string =>
  `CASE WHEN regexp_matches(${name}, '^[=+@\\t\\r-]') THEN concat('''', ${name}) ELSE ${name} END`;

/**
 * Writes the assets that pass the filter, in its order, as a CSV file with every column that the tapes hold.
 * @param path a local file that is ours to write; never a name that a caller chose
 */
export async function exportAssetsCsv(
  lake: Lake,
  sources: readonly TapeSource[],
  query: Pick<AssetQuery, 'filter' | 'sort'>,
  path: string,
): Promise<void> {
  const { sql: where, values } = filterToDuckDb(query.filter, (field) => quoteName(field.path));
  const columns = heldFields(sources)
    .flatMap((field) => field.columns)
    .map(({ name, type }) =>
      type === 'VARCHAR' ? `${harmless(quoteName(name))} AS ${quoteName(name)}` : quoteName(name),
    );
  const results = sources.some((source) => source.borrowingBase) ? RESULT_COLUMNS.map(quoteName) : [];
  const order = [
    ...query.sort.map(
      ({ field, direction }) => `${quoteName(field.path)} ${direction === 1 ? 'ASC' : 'DESC'} NULLS LAST`,
    ),
    '"source"',
    quoteName(SEQUENCE_COLUMN),
  ];
  await lake.connected(async (connection) => {
    // COPY takes no parameters, and a table of a connection's own is gone with it.
    await connection.run(
      `CREATE TEMP TABLE ${ASSETS} AS SELECT ${[quoteName(ROW_COLUMN), ...columns, ...results].join(', ')}
       FROM ${assetRelation(sources, knownFields(sources))} WHERE ${where} ORDER BY ${order.join(', ')}`,
      [...values],
    );
    await connection.run(`COPY ${ASSETS} TO ${quoteText(path)} (FORMAT csv, HEADER)`);
  });
}
