import type { DuckDBValue } from '@duckdb/node-api';
import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import { evaluateFilter } from '@tapeline/domain/filters/evaluate.ts';
import { EVERYTHING, type Filter, fieldsOf, isEverything, joinFilters } from '@tapeline/domain/filters/filter.ts';
import { ROW_COLUMN, SEQUENCE_COLUMN, type TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import {
  countPassing,
  findPlaces,
  MAX_RANKED_ROWS,
  type PlacedRows,
  type PlacesQuery,
  sortPlaces,
} from './asset-order.ts';
import {
  assetRelation,
  heldFields,
  knownFields,
  moneyColumns,
  RESULT_COLUMNS,
  type TapeSource,
  withoutResults,
} from './asset-relation.ts';
import { type Lake, quoteName, readParquet } from './lake.ts';
import { type RowFile, writeRowFile } from './row-file.ts';
import { fromLake, type LakeValue } from './values.ts';

export interface AssetQuery {
  filter: Filter;
  sort: readonly { field: Field; direction: 1 | -1 }[];
  skip: number;
  limit: number;
}

/** A page of assets by column; `total` counts all assets that match the filter. */
export interface AssetPage {
  fields: readonly TargetField[];
  columns: ReadonlyMap<string, readonly LakeValue[]>;
  ids: readonly string[];
  sources: readonly TapeSource[];
  rows: number;
  total: number;
}

/** Rows fetched at once from Parquet: as costly as fetching one page, and the neighboring pages are then available too. */
const FETCHED_ROWS = 1000;

/** From a row file, each row costs a read. */
const FETCHED_WRITTEN_ROWS = 200;

/**
 * Filters, sorts and pages over the sources; ties are ordered by tape and row. Finding the rows of the page only reads
 * the columns of the filter and the sort. The other columns are then read for these rows and their neighbors.
 */
export async function listAssets(lake: Lake, sources: readonly TapeSource[], query: AssetQuery): Promise<AssetPage> {
  const fields = heldFields(sources);
  if (sources.length === 0) return { fields, columns: new Map(), ids: [], sources, rows: 0, total: 0 };
  const names = [
    ROW_COLUMN,
    SEQUENCE_COLUMN,
    'source',
    ...fields.flatMap((field) => field.columns.map(({ name }) => name)),
    ...RESULT_COLUMNS,
  ];
  const search = await searchOf(lake, sources, query);
  const isWritten = lake.rowFiles.peek<WrittenRows>(JSON.stringify(partsOf(sources)))?.file != null;
  const length = isWritten ? FETCHED_WRITTEN_ROWS : FETCHED_ROWS;
  const [first, last] = [query.skip, query.skip + query.limit - 1].map((row) => Math.floor(row / length));
  const stretches = await Promise.all(
    Array.from({ length: last! - first! + 1 }, (_, index) =>
      stretchOf(lake, sources, names, search, { index: first! + index, length }),
    ),
  );
  const from = query.skip - first! * length;
  const cut = <Value>(values: readonly Value[]): readonly Value[] => values.slice(from, from + query.limit);
  const ids = cut(stretches.flatMap((stretch) => stretch.columns[0]!.map(String)));
  return {
    fields,
    ids,
    columns: new Map(
      names.map((name, index) => [name, cut(stretches.flatMap((stretch) => stretch.columns[index + 1]!))]),
    ),
    sources,
    rows: ids.length,
    total: stretches[0]!.total,
  };
}

/** A search of the sources; `key` identifies the rows it reads, its filter and its order. */
interface Search {
  readonly key: string;
  readonly list: PlacedRows;
  readonly offsets: readonly number[];
  readonly query: Pick<PlacesQuery, 'where' | 'sort'>;
}

/** What a search reads: the rows, without joining results that it does not name, and its condition. */
export async function searchOf(
  lake: Lake,
  sources: readonly TapeSource[],
  { filter: asked, sort }: Pick<AssetQuery, 'filter' | 'sort'>,
): Promise<Search> {
  const filter = withoutTruisms(asked, sources);
  const offsets = await offsetsOf(lake, sources);
  // Conditions may refer to fields that no source has: they are missing for every asset.
  const known = knownFields(sources);
  const named = [...fieldsOf(filter), ...sort.map(({ field }) => field)];
  const searched = named.some(({ path }) => RESULT_COLUMNS.includes(path)) ? sources : withoutResults(sources);
  const index =
    sources.length === 1 ? quoteName(SEQUENCE_COLUMN) : `[${offsets}]["source" + 1] + ${quoteName(SEQUENCE_COLUMN)}`;
  const where = isEverything(filter) ? null : filterToDuckDb(filter, (field) => quoteName(field.path));
  const ordered = sort.map(({ field, direction }) => [field.path, direction]);
  return {
    key: JSON.stringify([partsOf(sources), where, ordered]),
    list: {
      key: JSON.stringify(partsOf(searched)),
      rows: offsets.at(-1)!,
      relation: `(SELECT *, CAST(${index} AS INTEGER) AS "index" FROM ${assetRelation(searched, known)})`,
    },
    offsets,
    query: { where, sort },
  };
}

/** The properties that all assets of a source share, by their paths in the list's catalog. */
const COMMON: Readonly<Record<string, (source: TapeSource) => string>> = {
  loanTape: (source) => source.tapeId,
  company: (source) => source.companyId,
  cutOffDate: (source) => source.cutOffDate,
};

/** The filter without the conditions that are true for every asset of every source, most often "this tape". */
function withoutTruisms(filter: Filter, sources: readonly TapeSource[]): Filter {
  if (filter.kind === 'and')
    return joinFilters(
      'and',
      filter.filters.map((part) => withoutTruisms(part, sources)),
    );
  const isCommon = fieldsOf(filter).every(({ path }) => Object.hasOwn(COMMON, path));
  const holds = (source: TapeSource) => evaluateFilter(filter, ({ path }) => COMMON[path]?.(source)) === true;
  return isCommon && sources.every(holds) ? EVERYTHING : filter;
}

/** Identifies what the rows of a list come from: parts never change and are replaced under a new name. */
const partsOf = (sources: readonly TapeSource[]): unknown[] =>
  sources.map(({ tapeId, paths, borrowingBase }) => [tapeId, paths, borrowingBase?.paths]);

/** The rows from `length * index` of a search, by column: the asset's id and the named columns. */
function stretchOf(
  lake: Lake,
  sources: readonly TapeSource[],
  names: readonly string[],
  { key, list, offsets, query }: Search,
  { index, length }: { index: number; length: number },
): Promise<{ columns: LakeValue[][]; total: number; bytes: number }> {
  return lake.cache.get(`stretch ${length} ${index} ${key}`, async () => {
    const find = list.rows > MAX_RANKED_ROWS && query.sort.length > 0 ? sortPlaces : findPlaces;
    const asked = { ...query, skip: index * length, limit: length };
    const { indexes, total } = await find(lake, list, asked);
    const columns =
      (await readWrittenRows(lake, sources, names, indexes)) ??
      (await fetchRows(lake, sources, names, indexes, offsets));
    return { columns, total, bytes: VALUE_BYTES * (names.length + 1) * indexes.length };
  });
}

/** Rows this far apart are in almost every row group of a part, so all of its columns would have to be decompressed. */
const FAR_APART = 100_000;

/**
 * The same rows as `fetchRows`, read from the tape's row file; null if there is none (yet). The first caller that needs
 * rows from all over a tape starts writing the file and does not wait for it.
 */
async function readWrittenRows(
  lake: Lake,
  sources: readonly TapeSource[],
  names: readonly string[],
  indexes: Int32Array,
): Promise<LakeValue[][] | null> {
  const [source, ...others] = sources;
  if (!source || others.length > 0 || indexes.length === 0) return null;
  const key = JSON.stringify(partsOf(sources));
  const written = lake.rowFiles.peek<WrittenRows>(key);
  if (written) return written.file?.read(indexes) ?? null;
  const [least, most] = [indexes.reduce((a, b) => Math.min(a, b)), indexes.reduce((a, b) => Math.max(a, b))];
  if (most - least < FAR_APART) return null;
  void lake.rowFiles.get(key, () => writeRows(lake, source, names));
  return null;
}

/** `file` is null if the rows could not be written; they are then read from Parquet. */
interface WrittenRows {
  readonly file: RowFile | null;
  readonly bytes: number;
  dispose(): void;
}

async function writeRows(lake: Lake, source: TapeSource, names: readonly string[]): Promise<WrittenRows> {
  const known = knownFields([source]);
  const types = new Map(known.flatMap((field) => field.columns).map(({ name, type }) => [name, type as string]));
  for (const { path, type } of ASSET_RESULT_FIELDS) types.set(path, type === 'decimal' ? 'DECIMAL(38,12)' : 'VARCHAR');
  const money = moneyColumns([source]);
  const columns = ['id', ...names].map((name) => ({
    name,
    type: name === 'id' ? 'VARCHAR' : (types.get(name) ?? 'INTEGER'),
    isMoney: money.has(name),
  }));
  const [rows = 0] = await rowsOfSources(lake, [source]);
  const slice = (from: number, to: number): string =>
    `(SELECT * FROM ${assetRelation([source], known, new Map([[0, { from, to: to - 1 }]]))})`;
  // A full disk must not prevent reads from Parquet, and one tape must not displace the row files of all others.
  let file = await writeRowFile(lake, { rows, columns, slice, order: quoteName(SEQUENCE_COLUMN) }).catch(() => null);
  if (file && file.bytes > lake.rowFiles.maxBytes / 2) {
    file.dispose();
    file = null;
  }
  return { file, bytes: file?.bytes ?? 0, dispose: () => file?.dispose() };
}

/** Average size of a value in bytes: a pointer, plus the content of a text value. */
const VALUE_BYTES = 40;

/** An inclusive range of a source's rows by `sequenceIndex`, and how many of them pass. */
export interface AssetSlice {
  readonly source: number;
  readonly from: number;
  readonly to: number;
  readonly passing: number;
}

/** The sources' rows in slices of at most `sliceRows`, in tape and row order. */
export async function slicesOf(
  lake: Lake,
  sources: readonly TapeSource[],
  filter: Filter,
  sliceRows: number,
): Promise<AssetSlice[]> {
  if (sources.length === 0) return [];
  const { list, query, offsets } = await searchOf(lake, sources, { filter, sort: [] });
  const slices = sources.flatMap((_, source) => {
    const count = offsets[source + 1]! - offsets[source]!;
    return Array.from({ length: Math.ceil(count / sliceRows) }, (_slice, index) => ({
      source,
      from: index * sliceRows,
      to: Math.min((index + 1) * sliceRows, count) - 1,
    }));
  });
  const stretches = slices.map(({ source, from, to }) => [offsets[source]! + from, offsets[source]! + to + 1] as const);
  const passing = await countPassing(lake, list, query.where, stretches);
  return slices.map((slice, index) => ({ ...slice, passing: passing[index]! }));
}

export async function rowsOfSources(lake: Lake, sources: readonly TapeSource[]): Promise<number[]> {
  const counts: number[] = [];
  for (const { paths } of sources) {
    const { rows } = await lake.cache.get(`rows ${paths.join()}`, () =>
      lake.connected(async (connection) => {
        const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${readParquet(paths)}`);
        return { rows: Number(counted.getColumns()[0]?.[0] ?? 0), bytes: 0 };
      }),
    );
    counts.push(rows);
  }
  return counts;
}

/** The offset of each source's rows among all rows; the last entry is the total number of rows. */
async function offsetsOf(lake: Lake, sources: readonly TapeSource[]): Promise<number[]> {
  const offsets = [0];
  for (const rows of await rowsOfSources(lake, sources)) offsets.push(offsets.at(-1)! + rows);
  return offsets;
}

/** The rows at these indexes, in their order, by column: the asset's id and the named columns. */
async function fetchRows(
  lake: Lake,
  sources: readonly TapeSource[],
  names: readonly string[],
  indexes: Int32Array,
  offsets: readonly number[],
): Promise<LakeValue[][]> {
  if (indexes.length === 0) return [[], ...names.map(() => [])];
  const sourceOf = (index: number): number => offsets.findLastIndex((offset) => offset <= index);
  const bySource = Map.groupBy(indexes, sourceOf);
  const wanted = new Map(
    [...bySource].map(([source, each]) => [source, each.map((index) => index - offsets[source]!)]),
  );
  const select = `SELECT "id", ${names.map(quoteName).join(', ')}`;
  const fetched = await lake.connected((connection) =>
    connection.runAndReadAll(`${select} FROM ${assetRelation(sources, knownFields(sources), wanted)}`),
  );
  const columns = fetched.getColumns();
  const column = (name: string): DuckDBValue[] => columns[names.indexOf(name) + 1]!;
  const [sequence, source] = [column(SEQUENCE_COLUMN), column('source')];
  const at = new Map(sequence.map((index, row) => [offsets[Number(source[row])]! + Number(index), row]));
  const inOrder = [...indexes].map((index) => at.get(index)!);
  const money = moneyColumns(sources);
  return columns.map((values, index) =>
    inOrder.map((row) => fromLake(values[row]!, money.has(names[index - 1] ?? ''))),
  );
}
