import { plainDate } from '../dates/written-date.ts';
import { nameLikeness, wordsOf } from '../tapes/suggest/header-words.ts';
import { EARLIER_LABELS, otherNamesOf, saysTooLittle } from './column-names.ts';
import { canBeShared, IMPORT_COLUMNS, type ImportColumn } from './columns.ts';
import { type ImportKind, isTimeSeriesKind } from './kinds.ts';
import { proposalOf } from './propose.ts';
import { TURNED_LETTERS, type Turn } from './turn-columns.ts';

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

/** `turned`: the column comes from columns of the file that become rows. */
export type SuggestionReason = 'template' | 'earlier' | 'name' | 'turned';

export interface SuggestedColumns {
  readonly mapping: ColumnMapping;
  /** Why each column was chosen, by column key. */
  readonly reasons: Readonly<Record<string, SuggestionReason>>;
}

/** Below this, a similar name is a coincidence. */
const LEAST_LIKENESS = 0.6;

const plain = (text: string): string => wordsOf(text).join(' ');

const namesOf = (kind: ImportKind, { key, label }: ImportColumn): string[] => [
  label,
  key.split('.').at(-1) ?? key,
  ...otherNamesOf(kind, key),
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
  turn: Turn | null = null,
): SuggestedColumns {
  const mapping: Record<string, string> = {};
  const reasons: Record<string, SuggestionReason> = {};
  const used = new Set<string>();
  const take = (key: string, letters: string, reason: SuggestionReason) => {
    if (key in mapping || used.has(letters)) return;
    mapping[key] = letters;
    reasons[key] = reason;
    used.add(letters);
  };
  const columns = IMPORT_COLUMNS[kind];
  const known = new Set(headers.map(({ letters }) => letters));
  if (turn) {
    take(turn.head, TURNED_LETTERS.head, 'turned');
    take('defaultValue', TURNED_LETTERS.value, 'turned');
  }
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
    const names = namesOf(kind, column);
    return headers.flatMap(({ header, letters, cells }) => {
      const words = plain(header);
      const alike = Math.max(
        ...names.map((name, at) => (plain(name) === words ? 1 : nameLikeness(header, name) * 0.9) - at * 0.002),
      );
      return alike >= LEAST_LIKENESS && canBe(column, cells) && !saysTooLittle(kind, column.key, header)
        ? [{ key: column.key, letters, alike, index }]
        : [];
    });
  });
  // "Tax id" is also a name of the record's tax number, but without a formal id no investor is created.
  const weight = ({ alike, index }: { alike: number; index: number }) =>
    alike + (columns[index]?.isRequired ? 0.01 : 0);
  for (const { key, letters } of scored.toSorted((a, b) => weight(b) - weight(a) || a.index - b.index))
    take(key, letters, 'name');
  return { mapping, reasons };
}

/** What all rows are taken to have in a column that the file does not have. A person confirms it. */
export const suggestValues = (kind: ImportKind, mapping: ColumnMapping): Readonly<Record<string, string>> =>
  isTimeSeriesKind(kind) && mapping.investorType === undefined ? { investorType: 'LP' } : {};

/** The values of all rows, with a text for each column whose values depend on another column. */
export const withValuesBy = (
  values: Readonly<Record<string, string>> = {},
  valuesBy: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string>> => ({
  ...values,
  ...Object.fromEntries(Object.keys(valuesBy).map((key) => [key, BY_OTHER])),
});
const BY_OTHER = 'by another column';

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
  const isGiven = (key: string) => mapping[key] !== undefined || (values[key] ?? '') !== '';
  for (const { key, label, isRequired, instead = [], values: allowed } of IMPORT_COLUMNS[kind]) {
    const letters = mapping[key];
    if (letters === undefined) {
      const value = values[key] ?? '';
      if (isRequired && value === '' && !instead.some(isGiven))
        problems[key] =
          `is required: choose the column of the file${canBeShared({ key }) ? ', or enter one value for all rows' : ''}`;
      if (
        value !== '' &&
        value !== BY_OTHER &&
        allowed &&
        !allowed.some((one) => one.toLowerCase() === value.toLowerCase())
      )
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
