import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import type { Association } from '@tapeline/domain/documents/document.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { type AssetWarning, warningsOfAsset } from '@tapeline/domain/tapes/plausible-ranges.ts';
import { CUSTOM_PREFIX, ROW_COLUMN, SEQUENCE_COLUMN, type TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import { setField } from '@tapeline/domain/wire/object-names.ts';
import type { AssetPage } from './assets.ts';
import type { LakeValue } from './values.ts';

/** An asset as the API returns it: `targetData` nested by path, amounts as `{ sum, currency }`. */
export interface AssetDocument {
  id: string;
  /** Assets are those of published tapes. */
  status: 'Active';
  assoc: Association;
  cutOffDate: string;
  company: string;
  rowNumber: number;
  sequenceIndex: number;
  assetsETLVersion: number;
  targetData: Record<string, unknown>;
  /** Values outside the plausible range of their field, and cells that could not be read. */
  warnings: AssetWarning[];
  borrowingBase: Record<string, unknown> | null;
  metadata: { loanTapeId: string; customFields: Record<string, unknown> };
}

/**
 * The page's rows as documents. Missing fields are null.
 * @param exact how a decimal that stands alone (a rate, a result) is written; if omitted, rates are numbers and results
 *   are text
 */
export function toDocuments(page: AssetPage, exact?: (decimal: DecimalText) => unknown): AssetDocument[] {
  const at = (name: string, row: number): LakeValue => page.columns.get(name)?.[row] ?? null;
  return page.ids.map((id, row) => {
    const source = page.sources[Number(at('source', row))];
    if (!source) throw new Error('an asset of no tape');
    const targetData: Record<string, unknown> = {};
    const customFields: Record<string, unknown> = {};
    for (const field of page.fields) {
      const value = documentValue(field, (name) => at(name, row), exact ?? Number);
      // A custom field has whatever name its mapping gives it.
      if (field.custom) setField(customFields, field.path.slice(CUSTOM_PREFIX.length), value);
      else place(targetData, field.path, value);
    }
    const status = at('borrowingBase.status', row);
    return {
      id,
      status: 'Active',
      assoc: { manager: { id: source.managerId } },
      cutOffDate: source.cutOffDate,
      company: source.companyId,
      rowNumber: Number(at(ROW_COLUMN, row)),
      sequenceIndex: Number(at(SEQUENCE_COLUMN, row)),
      assetsETLVersion: source.mappingVersion,
      targetData,
      warnings: warningsOfAsset(page.fields, (column) => at(column, row) as string | number | null),
      borrowingBase:
        status === null || !source.borrowingBase
          ? null
          : {
              id: source.borrowingBase.id,
              ...source.borrowingBase.of,
              ...Object.fromEntries(
                ASSET_RESULT_FIELDS.map(({ path, type }) => {
                  const value = at(path, row);
                  const written = exact && type === 'decimal' && value !== null ? exact(String(value)) : value;
                  return [path.slice(path.indexOf('.') + 1), written];
                }),
              ),
            },
      metadata: { loanTapeId: source.tapeId, customFields },
    };
  });
}

function documentValue(
  field: TargetField,
  read: (column: string) => LakeValue,
  rate: (decimal: DecimalText) => unknown,
): unknown {
  const value = read(field.path);
  if (value === null) return null;
  switch (field.kind) {
    case 'amount':
      return { sum: value, currency: read(`${field.path}.currency`) };
    case 'interest':
      return { kind: read(`${field.path}.kind`), value: rate(String(value)) };
    case 'term':
      return { value, unit: read(`${field.path}.unit`), days: read(`${field.path}.days`) };
    case 'percentage':
      return rate(String(value));
    default:
      return value;
  }
}

function place(target: Record<string, unknown>, path: string, value: unknown): void {
  const parts = path.split('.');
  const last = parts.pop() ?? path;
  let holder = target;
  for (const part of parts) {
    holder[part] ??= {};
    holder = holder[part] as Record<string, unknown>;
  }
  holder[last] = value;
}
