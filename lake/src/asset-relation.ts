import type { BaseOrigin } from '@tapeline/db/operations/tapes/published-tapes.ts';
import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import { createCatalog, type Field, type FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import {
  assetCatalog,
  CUT_OFF_FIELD,
  type CustomField,
  customTargetField,
  customTargetFields,
  hasUnread,
  ROW_COLUMN,
  SEQUENCE_COLUMN,
  TARGET_FIELDS,
  TARGET_PREFIX,
  type TargetField,
  type TargetKind,
  unreadField,
  withUnread,
} from '@tapeline/domain/tapes/target-schema.ts';
import { unreadColumn } from '@tapeline/domain/tapes/unread-column.ts';
import { quoteName, quoteText, readParquet } from './lake.ts';

/** The assets of a tape: the local paths of its parts, and their contents. */
export interface TapeFiles {
  cutOffDate: string;
  paths: readonly string[];
  columns: readonly string[];
}

/** A published tape as the lake reads it. */
export interface TapeSource extends TapeFiles {
  tapeId: string;
  managerId: string;
  companyId: string;
  /** 16 hex digits; an asset's id consists of these and its sheet row in 8 hex digits. */
  assetPrefix: string;
  mappingVersion: number;
  customFields: readonly CustomField[];
  /** Per-asset results of the borrowing base, if one was calculated; `currency` is the currency of its amounts. */
  borrowingBase: { id: string; currency: string; paths: readonly string[]; of?: BaseOrigin } | null;
}

/** Kinds whose first column is a number in one unit: a percentage and an interest rate are points. */
const NUMERIC_KINDS: ReadonlySet<TargetKind> = new Set(['number', 'percentage', 'interest']);

/** The kind that can represent the values of both kinds. */
const commonKind = (a: TargetKind, b: TargetKind): TargetKind =>
  a === b ? a : NUMERIC_KINDS.has(a) && NUMERIC_KINDS.has(b) ? 'number' : 'text';

/** The custom fields of all sources. A field that has different kinds in two mappings gets their common kind. */
function customFieldsOf(sources: readonly TapeSource[]): CustomField[] {
  const customs = new Map<string, CustomField>();
  for (const field of sources.flatMap((source) => source.customFields)) {
    const { path } = customTargetField(field);
    const known = customs.get(path);
    customs.set(path, known ? { ...known, kind: commonKind(known.kind, field.kind) } : field);
  }
  return [...customs.values()];
}

/** Field names of asset documents that are accepted in addition to the names in the catalog. */
const WIRE_NAMES: ReadonlyMap<string, Field> = new Map(
  (
    [
      { path: 'id', label: 'Id', type: 'text' },
      { path: 'rowNumber', label: 'Sheet row', type: 'number' },
      { path: SEQUENCE_COLUMN, label: 'Place in the tape', type: 'number' },
    ] satisfies Field[]
  ).map((field) => [field.path, field]),
);

/** Every field that a condition on assets can refer to, over all requested sources. */
export function assetListCatalog(sources: readonly TapeSource[]): FieldCatalog {
  const catalog = createCatalog(
    [
      ...assetCatalog(customFieldsOf(sources)).fields,
      ...knownFields(sources).filter(hasUnread).map(unreadField),
      { path: 'loanTape', label: 'Loan tape', type: 'text' },
      { path: 'company', label: 'Company', type: 'text' },
      CUT_OFF_FIELD,
      ...ASSET_RESULT_FIELDS,
    ],
    TARGET_PREFIX,
  );
  return {
    fields: catalog.fields,
    cutOff: CUT_OFF_FIELD,
    resolve(path) {
      const field = WIRE_NAMES.get(path);
      return field ? { field } : catalog.resolve(path === 'loanTapeId' ? 'loanTape' : path);
    },
  };
}

/**
 * One relation over the parts of all sources, with every lake column (missing ones are null), the tape and company of
 * each asset, and its borrowing-base results. It is built from our own paths and ids only, never from a client's text.
 * @param rowsOf the rows to read, by the index of the source; all of them if omitted
 */
export function assetRelation(
  sources: readonly TapeSource[],
  fields: readonly TargetField[],
  rowsOf?: ReadonlyMap<number, SourceRows>,
): string {
  const selects = sources.flatMap((source, index) => {
    const wanted = rowsOf?.get(index);
    if (rowsOf && !wanted) return [];
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
    return `SELECT a.${quoteName(ROW_COLUMN)}, a.${quoteName(ROW_COLUMN)} AS "rowNumber", a.${quoteName(SEQUENCE_COLUMN)}, ${index} AS "source",
      concat(${quoteText(source.assetPrefix)}, printf('%08x', a.${quoteName(ROW_COLUMN)})) AS "id", ${quoteText(source.tapeId)} AS "loanTape",
      ${quoteText(source.companyId)} AS "company", DATE ${quoteText(source.cutOffDate)} AS "cutOffDate",
      ${[...columns, ...results].join(', ')}
      FROM ${readParquet(source.paths)} a ${join} ${wanted ? `WHERE ${isAmong(wanted)}` : ''}`;
  });
  return `(${selects.join('\nUNION ALL\n')})`;
}

/** Rows of a source by their `sequenceIndex`: a list of them, or an inclusive range. */
export type SourceRows = readonly number[] | { readonly from: number; readonly to: number };

/** The bounds let DuckDB skip whole row groups by their statistics. */
function isAmong(rows: SourceRows): string {
  const column = `a.${quoteName(SEQUENCE_COLUMN)}`;
  if ('from' in rows) return `${column} BETWEEN ${rows.from} AND ${rows.to}`;
  return `${column} BETWEEN ${Math.min(...rows)} AND ${Math.max(...rows)} AND ${column} IN (${rows.join(', ')})`;
}

/** The target fields that at least one source has, in the schema's order, custom fields last. */
export function heldFields(sources: readonly TapeSource[]): TargetField[] {
  const held = new Set(sources.flatMap((source) => source.columns));
  return knownFields(sources).filter((field) => field.columns.some(({ name }) => held.has(name)));
}

/** Columns of a page with the borrowing-base results of each asset. */
export const RESULT_COLUMNS: readonly string[] = ASSET_RESULT_FIELDS.map(({ path }) => path);

/** Paths of the sources' amounts; the currency of each is at `<path>.currency`. */
export const moneyColumns = (sources: readonly TapeSource[]): ReadonlySet<string> =>
  new Set(knownFields(sources).flatMap(({ kind, path }) => (kind === 'amount' ? [path] : [])));

/** The sources without their borrowing-base results, so that nothing is joined to them. */
export const withoutResults = (sources: readonly TapeSource[]): TapeSource[] =>
  sources.map((source) => ({ ...source, borrowingBase: null }));

/** All fields of the schema and the custom fields of the sources, whether a source has them or not. */
export function knownFields(sources: readonly TapeSource[]): TargetField[] {
  const held = new Set(sources.flatMap((source) => source.columns));
  return [...TARGET_FIELDS, ...customTargetFields(customFieldsOf(sources))].map((field) =>
    held.has(unreadColumn(field.path)) ? withUnread(field) : field,
  );
}
