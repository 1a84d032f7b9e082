import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import { createCatalog, type Field, type FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import type { Filter } from '@tapeline/domain/filters/filter.ts';
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
 */
export function assetRelation(sources: readonly TapeSource[], fields: readonly TargetField[]): string {
  const selects = sources.map((source, index) => {
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
      FROM ${readParquet(source.paths)} a ${join}`;
  });
  return `(${selects.join('\nUNION ALL\n')})`;
}

/** The target fields that any of the sources holds, in the schema's order, custom ones last. */
export function heldFields(sources: readonly TapeSource[]): TargetField[] {
  const held = new Set(sources.flatMap((source) => source.columns));
  return knownFields(sources).filter((field) => field.columns.some(({ name }) => held.has(name)));
}

/** Columns of a page that say what the borrowing base makes of each asset. */
export const RESULT_COLUMNS: readonly string[] = ASSET_RESULT_FIELDS.map(({ path }) => path);

/** Filters, sorts and pages over the sources; ties stand in tape and row order. */
export async function listAssets(lake: Lake, sources: readonly TapeSource[], query: AssetQuery): Promise<AssetPage> {
  const fields = heldFields(sources);
  if (sources.length === 0) return { fields, columns: new Map(), ids: [], sources, rows: 0, total: 0 };
  // Conditions may name fields that no source holds: they are missing for every asset.
  const known = knownFields(sources);
  const relation = assetRelation(sources, known);
  const { sql: where, values } = filterToDuckDb(query.filter, (field) => quoteName(field.path));
  const order = [
    ...query.sort.map(
      ({ field, direction }) => `${quoteName(field.path)} ${direction === 1 ? 'ASC' : 'DESC'} NULLS LAST`,
    ),
    '"source"',
    quoteName(SEQUENCE_COLUMN),
  ].join(', ');
  const names = [
    ROW_COLUMN,
    SEQUENCE_COLUMN,
    'source',
    ...fields.flatMap((field) => field.columns.map(({ name }) => name)),
    ...RESULT_COLUMNS,
  ];
  return lake.connected(async (connection) => {
    const total = await countOf(connection, relation, where, values);
    const page = await connection.runAndReadAll(
      `SELECT ${ASSET_ID} AS "id", ${names.map(quoteName).join(', ')} FROM ${relation} WHERE ${where}
       ORDER BY ${order} LIMIT ${Math.trunc(query.limit)} OFFSET ${Math.trunc(query.skip)}`,
      [...values],
    );
    const [ids = [], ...columns] = page.getColumns();
    return {
      fields,
      ids: ids.map(String),
      columns: new Map(
        names.map((name, index) => [
          name,
          (columns[index] ?? []).map((value) => fromLake(value, isMoney(fields, name))),
        ]),
      ),
      sources,
      rows: page.currentRowCount,
      total,
    };
  });
}

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
