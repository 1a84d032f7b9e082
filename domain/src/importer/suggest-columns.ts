import { nameLikeness, wordsOf } from '../tapes/suggest/header-words.ts';
import { canBeShared, IMPORT_COLUMNS, type ImportColumn } from './columns.ts';
import { type ImportKind, isTimeSeriesKind } from './kinds.ts';
import { proposalOf } from './propose.ts';
import { plainDate } from './written-cells.ts';

/** A column of the file: its letters, its header and the first cells below it. */
export interface SheetHeader {
  readonly letters: string;
  readonly header: string;
  readonly cells: readonly string[];
}

/** Cells below a header by which its column is judged. */
const SAMPLE_ROWS = 100;

/** The columns of a sheet with the first cells below each header. */
export const headersOf = (sheet: {
  readonly columns: readonly { readonly header: string; readonly letters: string }[];
  readonly rows: readonly { readonly cells: readonly string[] }[];
}): SheetHeader[] =>
  sheet.columns.map(({ header, letters }, index) => ({
    header,
    letters,
    cells: sheet.rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells[index] ?? ''),
  }));

/** Which column of the file each column of an import is read from: letters by column key. */
export type ColumnMapping = Readonly<Record<string, string>>;

export interface SuggestedColumns {
  readonly mapping: ColumnMapping;
  /** Why each column was chosen, by column key. */
  readonly reasons: Readonly<Record<string, 'template' | 'earlier' | 'name'>>;
}

/** Other names that files give a column. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  investorType: ['investor kind', 'lp kind', 'lp type', 'kind', 'type of investor'],
  investorCode: [
    'lp code',
    'lp',
    'investor',
    'lp id',
    'investor id',
    'investor number',
    'lp number',
    'limited partner code',
  ],
  fundCode: ['fund', 'fund id', 'fund number', 'vehicle', 'vehicle code'],
  fundClassCode: ['fund class', 'share class', 'class code', 'class key', 'series'],
  currency: ['ccy', 'currency code', 'iso currency'],
  date: [
    'closing date',
    'cut off date',
    'effective date',
    'as of date',
    'as of',
    'valuation date',
    'transaction date',
    'payment date',
    'value date',
    'due date',
    'call date',
    'statement date',
    'report date',
  ],
  callName: [
    'call number',
    'call no',
    'call name',
    'notice number',
    'distribution number',
    'name',
    'title',
    'description',
  ],
  defaultValue: [
    'amount',
    'total',
    'value',
    'commitment',
    'commitment amount',
    'committed',
    'total amount',
    'nav',
    'net asset value',
    'call amount',
    'distributed',
  ],
  'keyValues.maxCommitment': ['max commitment', 'maximum commitment', 'commitment cap'],
  'keyValues.gross': ['gross nav', 'gross value', 'gross asset value'],
  'keyValues.net': ['net nav', 'net value'],
  'keyValues.principal': ['return of capital', 'capital returned'],
  code: [
    'number',
    'id',
    'investor code',
    'investor number',
    'investor id',
    'lp code',
    'lp number',
    'lp id',
    'fund code',
    'fund number',
    'fund id',
  ],
  strategy: ['fund strategy', 'investment strategy'],
  type: ['vehicle type', 'vehicle', 'structure', 'fund structure', 'legal structure'],
  classes: ['share classes', 'fund classes', 'series'],
  targetSize: ['target', 'target fund size', 'fund size', 'target amount'],
  hardCap: ['cap', 'maximum size', 'maximum fund size'],
  'bank.title': ['account', 'bank', 'bank name', 'bank account name'],
  'bank.accountNumber': ['account no', 'bank account number', 'account'],
  'bank.swiftCode': ['swift', 'bic', 'swift bic'],
  'bank.abaOrRouting': ['aba', 'routing number', 'aba number'],
  title: ['fund name', 'name', 'fund'],
  entityName: ['investor name', 'legal name', 'lp name', 'investor', 'name of entity', 'formal name'],
  formalId: ['tax id', 'registration number', 'company number', 'ein', 'tin'],
  entityFormalId: ['formal id', 'tax id', 'registration number', 'company number', 'ein'],
  country: ['country code', 'nationality', 'domicile', 'jurisdiction'],
  nationalityCountryCode: ['country code', 'nationality', 'domicile', 'jurisdiction', 'country'],
  state: ['state code', 'province'],
  stateCode: ['state', 'province'],
  LPCode: ['investor code', 'lp', 'lp id', 'investor', 'investor id'],
  firstName: ['given name', 'forename'],
  lastName: ['surname', 'family name'],
  email: ['email address', 'e mail', 'mail'],
  fileName: ['file', 'pdf', 'document', 'attachment'],
};

/** Headers of earlier templates, by column key. */
const EARLIER_LABELS: Readonly<Record<string, string>> = {
  'keyValues.INTEREST FEES': 'Interest fees',
  'keyValues.INTEREST TAX': 'Interest tax',
  'keyValues.CG FEES': 'Capital gains fees',
  'keyValues.CG TAX': 'Capital gains tax',
};

/** Below this, a similar name is a coincidence. */
const LEAST_LIKENESS = 0.6;

const plain = (text: string): string => wordsOf(text).join(' ');

const namesOf = ({ key, label }: ImportColumn): string[] => [
  label,
  key.split('.').at(-1) ?? key,
  ...(OTHER_NAMES[key] ?? []),
];

/** What the cells of a column must look like. Only a column that cannot be it is ruled out. */
function canBe(column: ImportColumn, cells: readonly string[]): boolean {
  const { type, values = [] } = column;
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const share = (fits: (cell: string) => boolean) =>
    filled.length === 0 || filled.filter(fits).length * 2 >= filled.length;
  switch (type) {
    case 'date':
      return share((cell) => plainDate(cell, true) !== null);
    case 'decimal':
    case 'wholeNumber':
      return share((cell) => /\d/.test(cell) && !(/\D/.test(cell) && plainDate(cell, true) !== null));
    case 'currency':
      return share((cell) => cell.length <= 4);
    case 'email':
      return share((cell) => cell.includes('@'));
    case 'choice':
      return share(
        (cell) =>
          values.some((value) => value.toLowerCase() === cell.toLowerCase()) || proposalOf(column, cell, {}) !== null,
      );
    default:
      return true;
  }
}

/**
 * Suggests which column of a file each column of an import is read from, each at most once: the labels of the template
 * and the names of the payload first, then the latest mapping of a file with the same headers, then similar names, the most similar first.
 */
export function suggestColumns(
  kind: ImportKind,
  headers: readonly SheetHeader[],
  earlier: ColumnMapping = {},
): SuggestedColumns {
  const mapping: Record<string, string> = {};
  const reasons: Record<string, 'template' | 'earlier' | 'name'> = {};
  const used = new Set<string>();
  const take = (key: string, letters: string, reason: 'template' | 'earlier' | 'name') => {
    if (key in mapping || used.has(letters)) return;
    mapping[key] = letters;
    reasons[key] = reason;
    used.add(letters);
  };
  const columns = IMPORT_COLUMNS[kind];
  const known = new Set(headers.map(({ letters }) => letters));
  for (const { key } of columns) {
    const letters = earlier[key];
    if (letters !== undefined && known.has(letters)) take(key, letters, 'earlier');
  }
  // A file can also name its columns as the payload does: `investorCode`, `bank.IBAN`, `keyValues.principal`.
  const written: ((column: ImportColumn) => string)[] = [
    ({ label }) => label,
    ({ key, label }) => EARLIER_LABELS[key] ?? label,
    ({ key }) => key,
    ({ key }) => key.replace(/^keyValues\./, ''),
  ];
  for (const nameOf of written) {
    for (const column of columns) {
      const same = headers.find(({ header }) => header.toLowerCase() === nameOf(column).toLowerCase());
      if (same) take(column.key, same.letters, 'template');
    }
  }
  const scored = columns.flatMap((column, index) => {
    const names = namesOf(column);
    return headers.flatMap(({ header, letters, cells }) => {
      const words = plain(header);
      const alike = Math.max(
        ...names.map((name, at) => (plain(name) === words ? 1 : nameLikeness(header, name) * 0.9) - at * 0.005),
      );
      return alike >= LEAST_LIKENESS && canBe(column, cells) ? [{ key: column.key, letters, alike, index }] : [];
    });
  });
  for (const { key, letters } of scored.toSorted((a, b) => b.alike - a.alike || a.index - b.index))
    take(key, letters, 'name');
  return { mapping, reasons };
}

/** What all rows are taken to have in a column that the file does not have. A person confirms it. */
export const suggestValues = (kind: ImportKind, mapping: ColumnMapping): Readonly<Record<string, string>> =>
  isTimeSeriesKind(kind) && mapping.investorType === undefined ? { investorType: 'LP' } : {};

/**
 * What is wrong with a mapping, by column key: required columns without one, and columns read twice.
 * @param values what all rows have in columns that the file does not have
 */
export function mappingProblems(
  kind: ImportKind,
  mapping: ColumnMapping,
  known: ReadonlySet<string>,
  values: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const problems: Record<string, string> = {};
  const seen = new Map<string, string>();
  for (const { key, label, isRequired, values: allowed } of IMPORT_COLUMNS[kind]) {
    const letters = mapping[key];
    if (letters === undefined) {
      const value = values[key] ?? '';
      if (isRequired && value === '')
        problems[key] =
          `is required: choose the column of the file${canBeShared({ key }) ? ', or enter one value for all rows' : ''}`;
      if (value !== '' && allowed && !allowed.some((one) => one.toLowerCase() === value.toLowerCase()))
        problems[key] = `must be one of ${allowed.join(', ')}`;
      continue;
    }
    const other = seen.get(letters);
    if (!known.has(letters)) problems[key] = 'is not a column of the file';
    else if (other !== undefined) problems[key] = `is read from the same column as ${other}`;
    seen.set(letters, label);
  }
  return problems;
}
