import { accountNumberOf } from '../entities/account-number.ts';
import { countryName } from '../entities/countries.ts';
import { type ImportProblem, type ImportRow, importProblem } from './check.ts';
import type { ImportKind } from './kinds.ts';

/** The cells of a row with those that follow from others. */
export interface FilledCells {
  readonly cells: ImportRow['cells'];
  /** The column that a person sees for each cell that was filled, by the key of the cell. */
  readonly from: ReadonlyMap<string, string>;
  readonly problems: readonly ImportProblem[];
}

type Cells = Record<string, string>;

/** What a later step sets, and from which column. */
interface Filling {
  readonly cells: Cells;
  readonly from: Map<string, string>;
  readonly problems: ImportProblem[];
}

const has = ({ cells }: Filling, key: string): boolean => (cells[key] ?? '').trim() !== '';

function fill(filling: Filling, key: string, text: string, from: string): void {
  if (has(filling, key)) return;
  filling.cells[key] = text;
  filling.from.set(key, from);
}

/** Two letters, two check digits and an account number: its check digits decide whether it is an IBAN. */
const LIKE_IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/;

/**
 * A bank account that is given by its IBAN, or by its number and the code of the bank: the other fields of an account follow
 * from these. If nothing more is known of its address, it is the country of the bank.
 */
function fillBank(filling: Filling): void {
  const { cells } = filling;
  const account = cells['bank.ibanOrAccount']?.trim() ?? '';
  if (account !== '')
    fill(
      filling,
      LIKE_IBAN.test(accountNumberOf(account)) ? 'bank.IBAN' : 'bank.accountNumber',
      account,
      'bank.ibanOrAccount',
    );
  const code = cells['bank.bicOrAba']?.trim() ?? '';
  if (code !== '')
    fill(filling, /^\d+$/.test(accountNumberOf(code)) ? 'bank.abaOrRouting' : 'bank.swiftCode', code, 'bank.bicOrAba');
  delete cells['bank.ibanOrAccount'];
  delete cells['bank.bicOrAba'];
  const iban = accountNumberOf(cells['bank.IBAN'] ?? '');
  const swift = accountNumberOf(cells['bank.swiftCode'] ?? '');
  const isAba = has(filling, 'bank.abaOrRouting');
  const isKnown = iban !== '' || (has(filling, 'bank.accountNumber') && (isAba || swift !== ''));
  if (!isKnown) return;
  const from = iban === '' ? 'bank.accountNumber' : 'bank.IBAN';
  const source = filling.from.get(from) ?? from;
  const country = iban === '' ? (isAba ? 'US' : swift.slice(4, 6)) : iban.slice(0, 2);
  fill(filling, 'bank.accountNumber', iban, source);
  fill(filling, 'bank.title', cells['bank.bankName']?.trim() || 'Main account', source);
  fill(filling, 'bank.type', 'Business', source);
  fill(filling, 'bank.address', countryName(country), source);
}

/** "Berg, Ann" and "Ann Berg" are a first and a last name. Three words need a comma to show which is the last name. */
function fillName(filling: Filling): void {
  const written = filling.cells.fullName?.trim() ?? '';
  delete filling.cells.fullName;
  if (written === '' || (has(filling, 'firstName') && has(filling, 'lastName'))) return;
  const [last = '', first = '', ...more] = written.split(',').map((part) => part.trim());
  const words = written.split(/\s+/);
  const parts =
    first !== '' && more.length === 0 ? [first, last] : !written.includes(',') && words.length === 2 ? words : null;
  fill(filling, 'firstName', parts?.[0] ?? written, 'fullName');
  fill(filling, 'lastName', parts?.[1] ?? written, 'fullName');
  if (parts === null)
    filling.problems.push(
      importProblem(
        'value',
        'fullName',
        'must be written as “Last, First”: it is not clear which part is the last name',
      ),
    );
}

/** What a contact of an investor is called if the file has only an address. */
const CONTACT = 'Contact';

const FILL: Partial<Readonly<Record<ImportKind, (filling: Filling) => void>>> = {
  funds: fillBank,
  LPs: (filling) => {
    fillBank(filling);
    if (has(filling, 'contact.email')) fill(filling, 'contact.name', CONTACT, 'contact.email');
  },
  users: fillName,
  // A call that has one date is due on that day.
  contributions: (filling) => {
    const { date = '', dueDate = '' } = filling.cells;
    if (dueDate.trim() !== '') fill(filling, 'date', dueDate, 'dueDate');
    if (date.trim() !== '') fill(filling, 'dueDate', date, 'date');
  },
  navs: (filling) => fill(filling, 'callName', filling.cells.date?.trim() || 'NAV', 'callName'),
  LPCommitments: (filling) => fill(filling, 'callName', 'Change of the commitment', 'callName'),
};

/** Fills the cells of a row that follow from others, so that a file need not have them. */
export function filledCells(kind: ImportKind, cells: ImportRow['cells']): FilledCells {
  const filling: Filling = { cells: { ...cells }, from: new Map(), problems: [] };
  FILL[kind]?.(filling);
  return filling;
}
