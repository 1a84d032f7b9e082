import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import { createCatalog, type Field, type FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import { type Filter, fieldsOf } from '@tapeline/domain/filters/filter.ts';
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
import { type Lake, quoteName, quoteText, readParquet } from './lake.ts';
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
 * @param places the rows to read, `sequenceIndex` by the source's place in the list; all of them where left out
 */
export function assetRelation(
  sources: readonly TapeSource[],
  fields: readonly TargetField[],
  places?: ReadonlyMap<number, readonly number[]>,
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

/** The bounds let whole row groups be passed over by their statistics. */
function isAmong(places: readonly number[]): string {
  const column = `a.${quoteName(SEQUENCE_COLUMN)}`;
  return `${column} BETWEEN ${Math.min(...places)} AND ${Math.max(...places)} AND ${column} IN (${places.join(', ')})`;
}

/** The target fields that any of the sources holds, in the schema's order, custom ones last. */
export function heldFields(sources: readonly TapeSource[]): TargetField[] {
  const held = new Set(sources.flatMap((source) => source.columns));
  return knownFields(sources).filter((field) => field.columns.some(({ name }) => held.has(name)));
}

/** Columns of a page that say what the borrowing base makes of each asset. */
export const RESULT_COLUMNS: readonly string[] = ASSET_RESULT_FIELDS.map(({ path }) => path);

/** Rows a page may have for its columns to be fetched by the rows' places. */
const MOST_PLACES = 2000;

/**
 * Filters, sorts and pages over the sources; ties stand in tape and row order. Finding the page's rows reads the columns
 * of the filter and the sort alone; the others are then read for these rows.
 */
export async function listAssets(lake: Lake, sources: readonly TapeSource[], query: AssetQuery): Promise<AssetPage> {
  const fields = heldFields(sources);
  if (sources.length === 0) return { fields, columns: new Map(), ids: [], sources, rows: 0, total: 0 };
  // Conditions may name fields that no source holds: they are missing for every asset.
  const known = knownFields(sources);
  const { sql: where, values } = filterToDuckDb(query.filter, (field) => quoteName(field.path));
  const order = [
    ...query.sort.map(
      ({ field, direction }) => `${quoteName(field.path)} ${direction === 1 ? 'ASC' : 'DESC'} NULLS LAST`,
    ),
    ...(sources.length > 1 ? ['"source"'] : []),
    quoteName(SEQUENCE_COLUMN),
  ].join(', ');
  const page = `WHERE ${where} ORDER BY ${order} LIMIT ${Math.trunc(query.limit)} OFFSET ${Math.trunc(query.skip)}`;
  const names = [
    ROW_COLUMN,
    SEQUENCE_COLUMN,
    'source',
    ...fields.flatMap((field) => field.columns.map(({ name }) => name)),
    ...RESULT_COLUMNS,
  ];
  const select = `SELECT ${ASSET_ID} AS "id", ${names.map(quoteName).join(', ')}`;
  const named = [...fieldsOf(query.filter), ...query.sort.map(({ field }) => field)];
  const searched = named.some(({ path }) => RESULT_COLUMNS.includes(path)) ? sources : withoutResults(sources);
  const relation = assetRelation(searched, known);
  return lake.connected(async (connection) => {
    const total = await countOf(connection, relation, where, values);
    const read = await readPage();
    return {
      fields,
      ids: read.columns[0]!.map(String),
      columns: new Map(
        names.map((name, index) => [
          name,
          (read.columns[index + 1] ?? []).map((value) => fromLake(value, isMoney(fields, name))),
        ]),
      ),
      sources,
      rows: read.rows,
      total,
    };

    async function readPage(): Promise<{ rows: number; columns: DuckDBValue[][] }> {
      if (query.limit > MOST_PLACES) {
        const whole = await connection.runAndReadAll(`${select} FROM ${assetRelation(sources, known)} ${page}`, [
          ...values,
        ]);
        return { rows: whole.currentRowCount, columns: whole.getColumns() };
      }
      const found = await connection.runAndReadAll(
        `SELECT "source", ${quoteName(SEQUENCE_COLUMN)} FROM ${relation} ${page}`,
        [...values],
      );
      const rows = found.getRows().map(([source, place]) => ({ source: Number(source), place: Number(place) }));
      if (rows.length === 0) return { rows: 0, columns: [[], ...names.map(() => [])] };
      const places = Map.groupBy(rows, ({ source }) => source);
      const bySource = new Map([...places].map(([source, each]) => [source, each.map(({ place }) => place)]));
      const fetched = await connection.runAndReadAll(`${select} FROM ${assetRelation(sources, known, bySource)}`);
      const columns = fetched.getColumns();
      const [placeColumn, sourceColumn] = [columns[2]!, columns[3]!];
      const at = new Map(placeColumn.map((place, row) => [`${sourceColumn[row]} ${place}`, row]));
      const inOrder = rows.map(({ source, place }) => at.get(`${source} ${place}`)!);
      return { rows: rows.length, columns: columns.map((column) => inOrder.map((row) => column[row]!)) };
    }
  });
}

/** Sources without what a borrowing base says of their assets: nothing is joined to them. */
const withoutResults = (sources: readonly TapeSource[]): TapeSource[] =>
  sources.map((source) => ({ ...source, borrowingBase: null }));

async function countOf(
  connection: DuckDBConnection,
  relation: string,
  where: string,
  values: readonly DuckDBValue[],
): Promise<number> {
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${relation} WHERE ${where}`, [...values]);
  return Number(counted.getColumns()[0]?.[0] ?? 0);
}

function isMoney(fields: readonly TargetField[], column: string): boolean {
  return fields.some((field) => field.kind === 'amount' && field.path === column);
}

/** Every field of the schema and the sources' custom ones, held or not. */
export function knownFields(sources: readonly TapeSource[]): TargetField[] {
  return [...TARGET_FIELDS, ...customFieldsOf(sources).map(customTargetField)];
}
