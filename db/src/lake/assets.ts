import type { DuckDBValue } from '@duckdb/node-api';
import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import { createCatalog, type Field, type FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import { evaluateFilter } from '@tapeline/domain/filters/evaluate.ts';
import { EVERYTHING, type Filter, fieldsOf, isEverything, joinFilters } from '@tapeline/domain/filters/filter.ts';
import {
  assetCatalog,
  type CustomField,
  customTargetField,
  ROW_COLUMN,
  SEQUENCE_COLUMN,
  TARGET_FIELDS,
  TARGET_PREFIX,
  type TargetField,
} from '@tapeline/domain/tapes/target-schema.ts';
import { findPlaces, MOST_RANKED_ROWS, type PlacedRows, type PlacesQuery, sortPlaces } from './asset-order.ts';
import { type Lake, quoteName, quoteText, readParquet } from './lake.ts';
import { type RowFile, writeRowFile } from './row-file.ts';
import { fromLake, type LakeValue } from './values.ts';

/** A published tape as the lake reads it: local paths of its parts, and what they hold. */
export interface TapeSource {
  tapeId: string;
  companyId: string;
  cutOffDate: string;
  /** 16 hex digits; an asset's id is this and its sheet row in 8. */
  assetPrefix: string;
  mappingVersion: number;
  paths: readonly string[];
  columns: readonly string[];
  customFields: readonly CustomField[];
  /** Per-asset results of the borrowing base to show beside the assets, where one was computed. */
  borrowingBase: { id: string; paths: readonly string[] } | null;
}

export interface AssetQuery {
  filter: Filter;
  sort: readonly { field: Field; direction: 1 | -1 }[];
  skip: number;
  limit: number;
}

/** A page of assets, column by column; `total` counts all that pass the filter. */
export interface AssetPage {
  fields: readonly TargetField[];
  columns: ReadonlyMap<string, readonly LakeValue[]>;
  ids: readonly string[];
  sources: readonly TapeSource[];
  rows: number;
  total: number;
}

/** The custom fields of all sources; one that two mappings make of different kinds is text for both. */
function customFieldsOf(sources: readonly TapeSource[]): CustomField[] {
  const customs = new Map<string, CustomField>();
  for (const field of sources.flatMap((source) => source.customFields)) {
    const { path } = customTargetField(field);
    const known = customs.get(path);
    customs.set(path, known && known.kind !== field.kind ? { ...known, kind: 'text' } : field);
  }
  return [...customs.values()];
}

/** Everything a condition on assets may name, over all the sources asked. */
export function assetListCatalog(sources: readonly TapeSource[]): FieldCatalog {
  return createCatalog(
    [
      ...assetCatalog(customFieldsOf(sources)).fields,
      { path: 'loanTape', label: 'Loan tape', type: 'text' },
      { path: 'company', label: 'Company', type: 'text' },
      { path: 'cutOffDate', label: 'Cut-off date', type: 'date' },
      ...ASSET_RESULT_FIELDS,
    ],
    TARGET_PREFIX,
  );
}

/** SQL of an asset's id over the relation. */
export const ASSET_ID = `concat("assetPrefix", printf('%08x', ${quoteName(ROW_COLUMN)}))`;

/**
 * One relation over the sources' parts with every lake column (missing ones as null), who each asset is of, and its
 * borrowing-base results. Built of our own paths and ids only: nothing of a client's is pasted.
 * @param places the rows to read, by the source's place in the list; all of them where left out
 */
export function assetRelation(
  sources: readonly TapeSource[],
  fields: readonly TargetField[],
  places?: ReadonlyMap<number, SourceRows>,
): string {
  const selects = sources.flatMap((source, index) => {
    const wanted = places?.get(index);
    if (places && !wanted) return [];
    const held = new Set(source.columns);
    const ownTypes = new Map(
      source.customFields.flatMap((field) => customTargetField(field).columns).map(({ name, type }) => [name, type]),
    );
    const columns = fields
      .flatMap((field) => field.columns)
      .map(({ name, type }) => {
        if (!held.has(name)) return `NULL::${type} AS ${quoteName(name)}`;
        if ((ownTypes.get(name) ?? type) === type) return `a.${quoteName(name)}`;
        return `CAST(a.${quoteName(name)} AS ${type}) AS ${quoteName(name)}`;
      });
    const results = ASSET_RESULT_FIELDS.map(({ path, type }) =>
      source.borrowingBase
        ? `r.${quoteName(path)}`
        : `NULL::${type === 'decimal' ? 'DECIMAL(38,12)' : 'VARCHAR'} AS ${quoteName(path)}`,
    );
    const join = source.borrowingBase
      ? `LEFT JOIN ${readParquet(source.borrowingBase.paths)} r ON r.${quoteName(SEQUENCE_COLUMN)} = a.${quoteName(SEQUENCE_COLUMN)}`
      : '';
    return `SELECT a.${quoteName(ROW_COLUMN)}, a.${quoteName(SEQUENCE_COLUMN)}, ${index} AS "source",
      ${quoteText(source.assetPrefix)} AS "assetPrefix", ${quoteText(source.tapeId)} AS "loanTape",
      ${quoteText(source.companyId)} AS "company", DATE ${quoteText(source.cutOffDate)} AS "cutOffDate",
      ${[...columns, ...results].join(', ')}
      FROM ${readParquet(source.paths)} a ${join} ${wanted ? `WHERE ${isAmong(wanted)}` : ''}`;
  });
  return `(${selects.join('\nUNION ALL\n')})`;
}

/** Rows of a source by their `sequenceIndex`: these, or a stretch of them with both ends. */
type SourceRows = readonly number[] | { readonly from: number; readonly to: number };

/** The bounds let whole row groups be passed over by their statistics. */
function isAmong(rows: SourceRows): string {
  const column = `a.${quoteName(SEQUENCE_COLUMN)}`;
  if ('from' in rows) return `${column} BETWEEN ${rows.from} AND ${rows.to}`;
  return `${column} BETWEEN ${Math.min(...rows)} AND ${Math.max(...rows)} AND ${column} IN (${rows.join(', ')})`;
}

/** The target fields that any of the sources holds, in the schema's order, custom ones last. */
export function heldFields(sources: readonly TapeSource[]): TargetField[] {
  const held = new Set(sources.flatMap((source) => source.columns));
  return knownFields(sources).filter((field) => field.columns.some(({ name }) => held.has(name)));
}

/** Columns of a page that say what the borrowing base makes of each asset. */
export const RESULT_COLUMNS: readonly string[] = ASSET_RESULT_FIELDS.map(({ path }) => path);

/** Rows fetched at once: as dear as a page of them, and the pages next to it are there already. */
const FETCHED_ROWS = 1000;

/**
 * Filters, sorts and pages over the sources; ties stand in tape and row order. Finding the page's rows reads the columns
 * of the filter and the sort alone; the others are then read for these rows and those around them.
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
  const [first, last] = [query.skip, query.skip + query.limit - 1].map((row) => Math.floor(row / FETCHED_ROWS));
  const stretches = await Promise.all(
    Array.from({ length: last! - first! + 1 }, (_, index) => stretchOf(lake, sources, names, search, first! + index)),
  );
  const from = query.skip - first! * FETCHED_ROWS;
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

/** What is searched, over which rows; `key` names both. */
interface Search {
  readonly key: string;
  readonly list: PlacedRows;
  readonly offsets: readonly number[];
  readonly query: Pick<PlacesQuery, 'where' | 'sort'>;
}

async function searchOf(
  lake: Lake,
  sources: readonly TapeSource[],
  { filter: asked, sort }: Pick<AssetQuery, 'filter' | 'sort'>,
): Promise<Search> {
  const filter = withoutTruisms(asked, sources);
  const offsets = await offsetsOf(lake, sources);
  // Conditions may name fields that no source holds: they are missing for every asset.
  const known = knownFields(sources);
  const named = [...fieldsOf(filter), ...sort.map(({ field }) => field)];
  const searched = named.some(({ path }) => RESULT_COLUMNS.includes(path)) ? sources : withoutResults(sources);
  const place =
    sources.length === 1 ? quoteName(SEQUENCE_COLUMN) : `[${offsets}]["source" + 1] + ${quoteName(SEQUENCE_COLUMN)}`;
  const where = isEverything(filter) ? null : filterToDuckDb(filter, (field) => quoteName(field.path));
  const ordered = sort.map(({ field, direction }) => [field.path, direction]);
  return {
    key: JSON.stringify([partsOf(sources), where, ordered]),
    list: {
      key: JSON.stringify(partsOf(searched)),
      rows: offsets.at(-1)!,
      relation: `(SELECT *, CAST(${place} AS INTEGER) AS "place" FROM ${assetRelation(searched, known)})`,
    },
    offsets,
    query: { where, sort },
  };
}

/** What all assets of a source have in common, by the paths of the list's catalog. */
const COMMON: Readonly<Record<string, (source: TapeSource) => string>> = {
  loanTape: (source) => source.tapeId,
  company: (source) => source.companyId,
  cutOffDate: (source) => source.cutOffDate,
};

/** The filter without conditions that hold for every asset of every source: the one tape a list is of, above all. */
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

/** What a list's rows come from: parts never change, and are replaced under another name. */
const partsOf = (sources: readonly TapeSource[]): unknown[] =>
  sources.map(({ tapeId, paths, borrowingBase }) => [tapeId, paths, borrowingBase?.paths]);

/** The rows `FETCHED_ROWS * index` and on of what is searched, by columns: the asset's id and the named ones. */
function stretchOf(
  lake: Lake,
  sources: readonly TapeSource[],
  names: readonly string[],
  { key, list, offsets, query }: Search,
  index: number,
): Promise<{ columns: LakeValue[][]; total: number; bytes: number }> {
  return lake.kept.get(`stretch ${index} ${key}`, async () => {
    const find = list.rows > MOST_RANKED_ROWS && query.sort.length > 0 ? sortPlaces : findPlaces;
    const asked = { ...query, skip: index * FETCHED_ROWS, limit: FETCHED_ROWS };
    const { places, total } = await find(lake, list, asked);
    const columns =
      (await readWrittenRows(lake, sources, names, places)) ?? (await fetchRows(lake, sources, names, places, offsets));
    return { columns, total, bytes: VALUE_BYTES * (names.length + 1) * places.length };
  });
}

/** Rows this far apart are found in nearly every row group of a part: all of its columns would be unpacked for them. */
const FAR_APART = 100_000;

/**
 * The rows as `fetchRows` gives them from the tape's rows written out one by one; null where they are not (yet). The first
 * who needs rows from all over a tape has them written, and does not wait for it.
 */
async function readWrittenRows(
  lake: Lake,
  sources: readonly TapeSource[],
  names: readonly string[],
  places: Int32Array,
): Promise<LakeValue[][] | null> {
  const [source, ...others] = sources;
  if (!source || others.length > 0 || places.length === 0) return null;
  const key = JSON.stringify(partsOf(sources));
  const written = lake.rowFiles.peek<WrittenRows>(key);
  if (written) return written.file?.read(places) ?? null;
  const [least, most] = [places.reduce((a, b) => Math.min(a, b)), places.reduce((a, b) => Math.max(a, b))];
  if (most - least < FAR_APART) return null;
  void lake.rowFiles.get(key, () => writeRows(lake, source, names));
  return null;
}

/** Null where the rows could not be written: they are read from Parquet then. */
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
    `(SELECT *, ${ASSET_ID} AS "id" FROM ${assetRelation([source], known, new Map([[0, { from, to: to - 1 }]]))})`;
  // A full disk must not keep anybody from reading Parquet, nor one tape all others from being read fast.
  let file = await writeRowFile(lake, { rows, columns, slice, order: quoteName(SEQUENCE_COLUMN) }).catch(() => null);
  if (file && file.bytes > lake.rowFiles.maxBytes / 2) {
    file.dispose();
    file = null;
  }
  return { file, bytes: file?.bytes ?? 0, dispose: () => file?.dispose() };
}

/** Paths of the sources' amounts; each has its currency beside it, at `<path>.currency`. */
export const moneyColumns = (sources: readonly TapeSource[]): ReadonlySet<string> =>
  new Set(knownFields(sources).flatMap(({ kind, path }) => (kind === 'amount' ? [path] : [])));

/** What a value takes at most on average: a pointer, and the text of those that are texts. */
const VALUE_BYTES = 40;

/** How many assets pass the filter. */
export async function countAssets(lake: Lake, sources: readonly TapeSource[], filter: Filter): Promise<number> {
  if (sources.length === 0) return 0;
  const { list, query } = await searchOf(lake, sources, { filter, sort: [] });
  return (await findPlaces(lake, list, { ...query, skip: 0, limit: 0 })).total;
}

/** How many assets each source holds. */
export async function rowsOfSources(lake: Lake, sources: readonly TapeSource[]): Promise<number[]> {
  const counts: number[] = [];
  for (const { paths } of sources) {
    const { rows } = await lake.kept.get(`rows ${paths.join()}`, () =>
      lake.connected(async (connection) => {
        const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${readParquet(paths)}`);
        return { rows: Number(counted.getColumns()[0]?.[0] ?? 0), bytes: 0 };
      }),
    );
    counts.push(rows);
  }
  return counts;
}

/** Where each source's rows begin among the places of all, and after the last of them how many there are. */
async function offsetsOf(lake: Lake, sources: readonly TapeSource[]): Promise<number[]> {
  const offsets = [0];
  for (const rows of await rowsOfSources(lake, sources)) offsets.push(offsets.at(-1)! + rows);
  return offsets;
}

/** The rows of these places in their order, by columns: the asset's id and the named ones. */
async function fetchRows(
  lake: Lake,
  sources: readonly TapeSource[],
  names: readonly string[],
  places: Int32Array,
  offsets: readonly number[],
): Promise<LakeValue[][]> {
  if (places.length === 0) return [[], ...names.map(() => [])];
  const sourceOf = (place: number): number => offsets.findLastIndex((offset) => offset <= place);
  const bySource = Map.groupBy(places, sourceOf);
  const wanted = new Map(
    [...bySource].map(([source, each]) => [source, each.map((place) => place - offsets[source]!)]),
  );
  const select = `SELECT ${ASSET_ID} AS "id", ${names.map(quoteName).join(', ')}`;
  const fetched = await lake.connected((connection) =>
    connection.runAndReadAll(`${select} FROM ${assetRelation(sources, knownFields(sources), wanted)}`),
  );
  const columns = fetched.getColumns();
  const column = (name: string): DuckDBValue[] => columns[names.indexOf(name) + 1]!;
  const [sequence, source] = [column(SEQUENCE_COLUMN), column('source')];
  const at = new Map(sequence.map((index, row) => [offsets[Number(source[row])]! + Number(index), row]));
  const inOrder = [...places].map((place) => at.get(place)!);
  const money = moneyColumns(sources);
  return columns.map((values, index) =>
    inOrder.map((row) => fromLake(values[row]!, money.has(names[index - 1] ?? ''))),
  );
}

/** Sources without what a borrowing base says of their assets: nothing is joined to them. */
const withoutResults = (sources: readonly TapeSource[]): TapeSource[] =>
  sources.map((source) => ({ ...source, borrowingBase: null }));

/** Every field of the schema and the sources' custom ones, held or not. */
export function knownFields(sources: readonly TapeSource[]): TargetField[] {
  return [...TARGET_FIELDS, ...customFieldsOf(sources).map(customTargetField)];
}
