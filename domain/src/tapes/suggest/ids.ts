import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { type HeadedColumn, summarizeColumn } from './column-shape.ts';
import { writtenDate } from './dates.ts';
import { languageOf } from './foreign-words.ts';
import { wordsOf } from './header-words.ts';
import { splitCases } from './split-words.ts';

export interface IdChoice<Column extends HeadedColumn> {
  /** One column, or several that identify the rows together. None for the number of the row. */
  readonly columns: readonly Column[];
  readonly reason: string;
}

/** With no larger share of different values, joined columns identify something else. */
const MIN_DIFFERENT = 0.5;

const ID_WORDS =
  /\b(id|no|nr|nbr|num|number|ref|reference|code|key|account|acct|contract|agreement|facility|invoice|deal|lease|loan|policy)\b|#/i;
/** Words for an asset: a column with asset numbers is preferred to a column with any other numbers. */
const ASSET_WORDS =
  /\b(loan|account|acct|contract|agreement|facility|invoice|deal|lease|policy|note|receivable|advance|asset)\b/i;
/** Numbers that identify something other than the asset: the bank, the person, the place. */
const OTHERS_NUMBER =
  /\b(bank|iban|branch|location|lender|servicer|fdic|franchise|dealer|school|tax|ssn|phone|aadhar|aadhaar|sanction|sanct|zip|postal|district|tract|census|naics|sic|vin|row|line)\b/i;
const NAME_WORDS = /name|borrower|obligor|debtor|customer|merchant|company|client|street|address/i;
const AMOUNT_WORDS = /amount|amt|balance|bal\b|approval|sum|cost|fee|price|value|income|payment|revenue|charges/i;

/** Asset numbers have no decimals, whatever the type of the cell. */
const isIdText = (tag: number, value: string): boolean =>
  tag === CellTag.text ? !/^[\d,]*\.\d+$/.test(value) : tag === CellTag.number && /^\d+$/.test(value);

/** What counts loans within a branch or a file. */
const COUNTED_WORDS = /\b(seq|sequence|serial|line|item|tranche|draw|row)\b/i;

/** Columns worth combining. Pairs and triples of more columns would take longer than they are worth. */
const TRIED_COLUMNS = 14;

/**
 * Chooses what identifies the rows of a tape that has no id: a column that no other rule reads and that is different in
 * every row, or else a combination of a few columns, or else the number of the row. Null for a sheet without rows.
 */
export function chooseId<Column extends HeadedColumn>(
  columns: readonly Column[],
  isRead: (column: Column) => boolean = () => false,
): IdChoice<Column> | null {
  const language = languageOf(columns.map(({ header }) => header));
  const facts = columns.map((column) => {
    const { filled, distinctShare } = summarizeColumn(column);
    const english = wordsOf(column.header, language).join(' ');
    const words = `${splitCases(column.header).replaceAll('_', ' ')} ${english}`;
    return {
      column,
      isFilled: filled.length > 0,
      isFull: filled.length > 0 && filled.length >= column.cells.length * 0.98,
      isDistinct: distinctShare === 1,
      isName: NAME_WORDS.test(words) && !OTHERS_NUMBER.test(words),
      isNamedId: ID_WORDS.test(words),
      isNamedForAsset: ID_WORDS.test(words) && ASSET_WORDS.test(words),
      isOthers: OTHERS_NUMBER.test(words),
      isKey: ID_WORDS.test(words) || OTHERS_NUMBER.test(words) || COUNTED_WORDS.test(words),
      isDate: filled.every((cell) => cell.tag === CellTag.date || writtenDate(cell) !== null),
      isWhole: filled.every(({ tag, value }) => isIdText(tag, value.trim())),
      isAmount: AMOUNT_WORDS.test(words),
      distinctShare,
    };
  });
  const full = facts.filter(({ isFull }) => isFull);
  const singles = full.filter(
    ({ column, isDistinct, isDate, isWhole, isOthers, isAmount }) =>
      isDistinct && !isDate && isWhole && !isOthers && !isAmount && !isRead(column),
  );
  const named = singles.filter(({ isNamedId, isName }) => isNamedId && !isName);
  const single =
    named.find(({ isNamedForAsset }) => isNamedForAsset) ?? named[0] ?? singles.find(({ isName }) => !isName);
  if (single) {
    const reason = `"${single.column.header}" is unique in every row, so it can identify assets; check it`;
    return { columns: [single.column], reason };
  }
  // Names repeat in a long tape; a name combined with a date and an amount hardly ever does.
  const name = full.filter(({ isName }) => isName).sort((a, b) => b.distinctShare - a.distinctShare)[0];
  const parts = full
    .filter((each) => each !== name && !each.isOthers && each.distinctShare > 0.02)
    .sort((a, b) => Number(b.isDate) - Number(a.isDate) || b.distinctShare - a.distinctShare)
    .slice(0, TRIED_COLUMNS);
  const start = name ? [name] : [];
  const date = parts.find(({ isDate }) => isDate);
  const figureNamed = (name: RegExp) => parts.find(({ column, isDate }) => !isDate && name.test(column.header));
  // An amount that was lent stays from tape to tape.
  const figure = figureNamed(/amount|amt|approval|sum/i) ?? figureNamed(/balance|bal/i);
  const usual = [...start, ...[date, figure].filter((each) => each !== undefined)];
  const tried = [usual, ...parts.map((part) => [...usual.filter((each) => each !== part), part])];
  const shareOf = (some: typeof usual): number => differentShare(some.map(({ column }) => column));
  // A number of a branch and one within it are the id that the file lacks.
  const keys = full.filter(({ isKey, isDate, isAmount, isName }) => isKey && !isDate && !isAmount && !isName);
  const pairs = keys
    .slice(0, TRIED_COLUMNS)
    .flatMap((one, at) => keys.slice(at + 1, TRIED_COLUMNS).map((other) => [one, other]));
  const together =
    pairs.find((pair) => shareOf(pair) === 1) ??
    tried.find((some) => some.length > 1 && shareOf(some) === 1) ??
    (usual.length > 1 && shareOf(usual) > MIN_DIFFERENT ? usual : undefined);
  if (together) {
    const headers = together.map(({ column }) => `"${column.header}"`).join(', ');
    const are = shareOf(together) === 1 ? 'are unique in every row' : 'are nearly unique';
    const reason = `${headers} together ${are}. The tape has no id column: request one, because only their order in the sheet distinguishes equal rows`;
    return { columns: together.map(({ column }) => column), reason };
  }
  if (!facts.some(({ isFilled }) => isFilled)) return null;
  const reason =
    'No column identifies the rows, so their numbers do: assets cannot be compared between tapes. Join columns, or request an id';
  return { columns: [], reason };
}

/** The share of the rows whose values in these columns together are different. */
function differentShare(columns: readonly HeadedColumn[]): number {
  const rows = columns[0]?.cells.length ?? 0;
  const seen = new Set<string>();
  for (let row = 0; row < rows; row += 1) seen.add(JSON.stringify(columns.map(({ cells }) => cells[row]?.value ?? '')));
  return rows === 0 ? 0 : seen.size / rows;
}
