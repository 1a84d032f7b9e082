import { valuesOf } from '../documents/labels.ts';
import { createCatalog, type Field, type FieldCatalog } from '../filters/catalog.ts';
import { CURRENCY_CODES } from '../money/minor-units.ts';
import { isReservedName } from '../wire/object-names.ts';
import { ASSET_STATUSES, ASSET_TYPES, INTEREST_KIND_LABELS } from './statuses.ts';
import { unreadColumn } from './unread-column.ts';

/** The kind of value that a target field holds; it determines the lake columns that the value takes. */
export const TARGET_KINDS = [
  'text',
  'number',
  'boolean',
  'date',
  'amount',
  'percentage',
  'interest',
  'term',
  'assetStatus',
  'assetType',
  'currency',
] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export type ColumnType = 'VARCHAR' | 'DOUBLE' | 'BOOLEAN' | 'DATE' | 'DECIMAL(18,4)' | 'DECIMAL(18,8)';

/** A column of the asset lake. Names are paths and are quoted in SQL. */
export interface LakeColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Of a column that people read and nothing is grouped by. */
  readonly isNote?: true;
}

export interface TargetField {
  /** Dotted path without `targetData.`; the path of a custom field starts with `customFields.`. */
  readonly path: string;
  readonly label: string;
  readonly kind: TargetKind;
  /** The first column is the field's value; amounts, terms and interest have more columns. */
  readonly columns: readonly LakeColumn[];
  readonly custom: boolean;
}

/** The first columns of every part of a tape: the sheet's row number, and its dense order. */
export const ROW_COLUMN = 'row';
export const SEQUENCE_COLUMN = 'sequenceIndex';
export const CUSTOM_PREFIX = 'customFields.';
export const TARGET_PREFIX = 'targetData.';

/**
 * The name of the column with the integer codes of a text or boolean column (dense, by first appearance in row order,
 * over the whole tape). Publishing adds these columns and `sequenceIndex` after the columns that the mapping made.
 */
export const codeColumn = (path: string): string => `code:${path}`;

/** The field with the column of what could not be read. */
export const withUnread = (field: TargetField): TargetField => ({
  ...field,
  columns: [...field.columns, { name: unreadColumn(field.path), type: 'VARCHAR', isNote: true }],
});

export const hasUnread = ({ path, columns }: TargetField): boolean => columns.at(-1)?.name === unreadColumn(path);

/**
 * The lake columns of a field. Amounts: decimal and currency. Interest: points and kind. Terms: value as stated, its
 * unit, and days. Percentages and interest are in points: 5 means 5 %.
 */
export function lakeColumns(path: string, kind: TargetKind): readonly LakeColumn[] {
  switch (kind) {
    case 'number':
      return [{ name: path, type: 'DOUBLE' }];
    case 'boolean':
      return [{ name: path, type: 'BOOLEAN' }];
    case 'date':
      return [{ name: path, type: 'DATE' }];
    case 'percentage':
      return [{ name: path, type: 'DECIMAL(18,8)' }];
    case 'amount':
      return [
        { name: path, type: 'DECIMAL(18,4)' },
        { name: `${path}.currency`, type: 'VARCHAR' },
      ];
    case 'interest':
      return [
        { name: path, type: 'DECIMAL(18,8)' },
        { name: `${path}.kind`, type: 'VARCHAR' },
      ];
    case 'term':
      return [
        { name: path, type: 'DOUBLE' },
        { name: `${path}.unit`, type: 'VARCHAR' },
        { name: `${path}.days`, type: 'DOUBLE' },
      ];
    default:
      return [{ name: path, type: 'VARCHAR' }];
  }
}

const target = (path: string, label: string, kind: TargetKind): TargetField => ({
  path,
  label,
  kind,
  columns: lakeColumns(path, kind),
  custom: false,
});

/** Every field of an asset's `targetData`, in the order in which screens show them. */
export const TARGET_FIELDS: readonly TargetField[] = [
  target('assetId', 'Asset id', 'text'),
  target('borrowerId', 'Borrower id', 'text'),
  target('assetType', 'Asset type', 'assetType'),
  target('assetStatus', 'Asset status', 'assetStatus'),
  target('currency', 'Currency', 'currency'),
  target('dateFinanced', 'Origination date', 'date'),
  target('dates.maturityDate', 'Maturity date', 'date'),
  target('dates.firstPaymentDate', 'First payment date', 'date'),
  target('dates.lastPaymentDate', 'Last payment date', 'date'),
  target('dates.nextPaymentDate', 'Next payment date', 'date'),
  target('dates.defaultDate', 'Default date', 'date'),
  target('dates.chargeOffDate', 'Charge-off date', 'date'),
  target('term', 'Term', 'term'),
  target('remainingTerm', 'Remaining term', 'term'),
  target('monthsOnBook', 'Months on book', 'number'),
  target('daysPastDue', 'Days past due', 'number'),
  target('isDelinquent', 'Is delinquent', 'boolean'),
  target('sums.sum', 'Original principal', 'amount'),
  target('sums.outstandingSum', 'Current balance', 'amount'),
  target('sums.outstandingPrincipal', 'Outstanding principal', 'amount'),
  target('sums.outstandingInterest', 'Outstanding interest', 'amount'),
  target('sums.arrears', 'Arrears', 'amount'),
  target('sums.paidPrincipal', 'Paid principal', 'amount'),
  target('sums.paidInterest', 'Paid interest', 'amount'),
  target('sums.recoveries', 'Recoveries', 'amount'),
  target('sums.scheduledPayment', 'Scheduled payment', 'amount'),
  target('sums.collateralValue', 'Collateral value', 'amount'),
  target('interestRate', 'Interest rate', 'interest'),
  target('originalLtv', 'Original LTV', 'percentage'),
  target('currentLtv', 'Current LTV', 'percentage'),
  target('creditScores.origination', 'Origination credit score', 'number'),
  target('creditScores.current', 'Current credit score', 'number'),
  target('creditScores.grade', 'Grade', 'text'),
  target('sector', 'Sector', 'text'),
  target('product', 'Product', 'text'),
  target('address.country', 'Country', 'text'),
  target('address.state', 'State', 'text'),
  target('address.city', 'City', 'text'),
  target('address.zip', 'Zip', 'text'),
];

const BY_PATH: ReadonlyMap<string, TargetField> = new Map(TARGET_FIELDS.map((field) => [field.path, field]));
const GROUPS: ReadonlySet<string> = new Set(
  TARGET_FIELDS.filter((field) => field.path.includes('.')).map((field) => field.path.split('.')[0] ?? ''),
);

export function findTargetField(path: string): TargetField | undefined {
  return BY_PATH.get(path);
}

/** Paths on which a `Consistent` check is allowed. */
export const CONSISTENT_PATHS: readonly string[] = [
  'dateFinanced',
  'term',
  'currency',
  'sums.sum',
  'dates.maturityDate',
];

/** What a rule's `targetCol` refers to: a field of the schema, the name of a custom field, or an error message. */
export type ResolvedTarget =
  | { readonly kind: 'field'; readonly field: TargetField; readonly path: string }
  | { readonly kind: 'custom'; readonly path: string }
  | { readonly kind: 'problem'; readonly message: string };

export const reservedNameProblem = (name: string): string =>
  `a field cannot be named "${name}", a reserved name in many programs; choose another name`;

/**
 * Resolves a `targetCol`: a full path with or without `targetData.`, a last part that is unique to one field, or a
 * custom field (any other name, with or without `customFields.`). A misspelled field of a known group is an error.
 */
export function resolveTarget(targetCol: string): ResolvedTarget {
  const path = targetCol.startsWith(TARGET_PREFIX) ? targetCol.slice(TARGET_PREFIX.length) : targetCol;
  const exact = BY_PATH.get(path);
  if (exact) return { kind: 'field', field: exact, path };
  const name = path.startsWith(CUSTOM_PREFIX) ? path.slice(CUSTOM_PREFIX.length) : path;
  if (isReservedName(name)) {
    return { kind: 'problem', message: reservedNameProblem(name) };
  }
  if (path.startsWith(CUSTOM_PREFIX)) {
    return path.length > CUSTOM_PREFIX.length
      ? { kind: 'custom', path }
      : { kind: 'problem', message: 'Name the custom field after "customFields."' };
  }
  const endings = TARGET_FIELDS.filter((field) => field.path.endsWith(`.${path}`));
  const [only] = endings;
  if (only && endings.length === 1) return { kind: 'field', field: only, path: only.path };
  if (endings.length > 1) {
    return { kind: 'problem', message: `"${path}" could be ${endings.map((field) => field.path).join(' or ')}` };
  }
  const group = path.split('.')[0] ?? '';
  if (GROUPS.has(group)) {
    const members = TARGET_FIELDS.filter((field) => field.path.startsWith(`${group}.`)).map((field) => field.path);
    return { kind: 'problem', message: `"${path}" is not a field; the fields of ${group} are ${members.join(', ')}` };
  }
  return { kind: 'custom', path: `${CUSTOM_PREFIX}${path}` };
}

/** A custom field as a mapping makes it. */
export interface CustomField {
  /** With or without `customFields.`. */
  readonly path: string;
  readonly kind: TargetKind;
  readonly label?: string;
}

/** The label of a custom field: `debtToIncome` becomes "Debt to income"; a name written with spaces is unchanged. */
export function labelOfCustomName(name: string): string {
  if (!/^[a-z][a-z\d]*([A-Z][a-z\d]*)*$/.test(name)) return name;
  const words = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function customTargetField(custom: CustomField): TargetField {
  const path = custom.path.startsWith(CUSTOM_PREFIX) ? custom.path : `${CUSTOM_PREFIX}${custom.path}`;
  return {
    path,
    label: labelOfCustomName(custom.label ?? path.slice(CUSTOM_PREFIX.length)),
    kind: custom.kind,
    columns: lakeColumns(path, custom.kind),
    custom: true,
  };
}

/** The label of the schema's own fields and their parts, in small letters. */
const takenLabels = (): Set<string> =>
  new Set(['Sheet row', ...TARGET_FIELDS.flatMap(filterFields).map(({ label }) => label)].map(plainOf));

const plainOf = (label: string): string => label.toLowerCase();

/**
 * The target fields of custom fields, each with a label of its own: a column that a tape keeps beside the field it is
 * read into often has the same name.
 */
export function customTargetFields(customs: readonly CustomField[]): TargetField[] {
  const taken = takenLabels();
  return [...new Map(customs.map(customTargetField).map((field) => [field.path, field])).values()].map((field) => {
    const { path, label } = field;
    const own = [label, `${label} (custom)`, `${label} (${path})`].find((one) => !taken.has(plainOf(one))) ?? label;
    taken.add(plainOf(own));
    return { ...field, label: own };
  });
}

/** What a condition can ask of the cells that could not be read. */
export const unreadField = ({ path, label }: TargetField): Field => ({
  path: unreadColumn(path),
  label: `${label}, not read`,
  type: 'text',
});

/** The fields that conditions on assets can name: one for each lake column of each target field, without notes. */
export function filterFields(field: TargetField): Field[] {
  const { path, label } = field;
  switch (field.kind) {
    case 'number':
      return [{ path, label, type: 'number' }];
    case 'boolean':
      return [{ path, label, type: 'boolean' }];
    case 'date':
      return [{ path, label, type: 'date' }];
    case 'percentage':
      return [{ path, label, type: 'decimal', unit: '%' }];
    case 'amount': {
      const currency = {
        path: `${path}.currency`,
        label: `${label} currency`,
        type: 'text',
        values: CURRENCY_CODES,
      } as const;
      return [{ path, label, type: 'decimal', currency }, currency];
    }
    case 'interest':
      return [
        { path, label, type: 'decimal', unit: '%' },
        { path: `${path}.kind`, label: `${label} kind`, type: 'text', values: INTEREST_KINDS },
      ];
    case 'term':
      return [
        { path, label, type: 'number' },
        { path: `${path}.unit`, label: `${label} unit`, type: 'text', values: TERM_UNITS },
        { path: `${path}.days`, label: `${label} in days`, type: 'number', unit: 'days' },
      ];
    case 'assetStatus':
      return [{ path, label, type: 'text', values: ASSET_STATUSES }];
    case 'assetType':
      return [{ path, label, type: 'text', values: ASSET_TYPES }];
    case 'currency':
      return [{ path, label, type: 'text', values: CURRENCY_CODES }];
    default:
      return [{ path, label, type: 'text' }];
  }
}

export const INTEREST_KINDS = valuesOf(INTEREST_KIND_LABELS);
export const TERM_UNITS = ['days', 'weeks', 'months', 'quarters', 'years'] as const;

/** The cut-off date of an asset's tape. */
export const CUT_OFF_FIELD: Field = { path: 'cutOffDate', label: 'Cut-off date', type: 'date' };

/**
 * The catalog for conditions on assets: every target field, the sheet row, and the custom fields of a mapping. Paths
 * work with and without `targetData.`, and by their last part if that is unique.
 */
export function assetCatalog(customFields: readonly CustomField[] = []): FieldCatalog {
  const catalog = createCatalog(
    [
      { path: ROW_COLUMN, label: 'Sheet row', type: 'number' },
      ...TARGET_FIELDS.flatMap(filterFields),
      ...customTargetFields(customFields).flatMap(filterFields),
    ],
    TARGET_PREFIX,
  );
  return { ...catalog, cutOff: CUT_OFF_FIELD };
}
