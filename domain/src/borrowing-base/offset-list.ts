import { Refusal } from '../errors/refusal.ts';
import { type ContractOffset, ruleApplies, type TransactionContract } from '../facilities/contract.schema.ts';
import { formOf, plainNumber } from '../importer/written-cells.ts';
import { add, compare, type DecimalText } from '../money/decimal.ts';
import { formatFigure } from '../money/format-figure.ts';
import { type DocumentSheet, isTapeAmount } from '../tapes/document-limits.ts';
import type { OffsetFile } from './result.ts';

/** Groups of one list that owe something. */
export const MAX_LIST_GROUPS = 20_000;
/** Characters of a cell in a message. */
const MAX_SHOWN = 60;

export type FileOffset = Extract<ContractOffset, { kind: 'file' }>;

/** What a file of the tape has for an offset: each group that owes something, with its amount. */
export interface OffsetList {
  /** Position in the contract's offsets. */
  readonly rule: number;
  readonly file: OffsetFile;
  /** In the tape's main currency; every amount is above zero. */
  readonly groups: ReadonlyMap<string, DecimalText>;
}

/** The offsets of a contract that apply on a cut-off date and have their amounts in a file. */
export const fileOffsets = (
  { offsets = [] }: Pick<TransactionContract, 'offsets'>,
  cutOffDate: string,
): { rule: number; offset: FileOffset }[] =>
  offsets.flatMap((offset, rule) =>
    offset.kind === 'file' && ruleApplies(offset, cutOffDate) ? [{ rule, offset }] : [],
  );

const refuse = ({ title }: Pick<FileOffset, 'title'>, problem: string): Refusal =>
  new Refusal('badRequest', `${title}: ${problem}`);

/**
 * The document of a tape that an offset is read from.
 * @throws Refusal if none has the text in its name, or several have
 */
export function documentOfOffset<Document extends { readonly name: string }>(
  offset: FileOffset,
  documents: readonly Document[],
): Document {
  const wanted = offset.file.toLowerCase();
  const [found, other] = documents.filter(
    ({ name }) => /\.(csv|xlsx)$/i.test(name) && name.toLowerCase().includes(wanted),
  );
  if (found === undefined) {
    const none = `no document of the tape has '${offset.file}' in its name`;
    throw refuse(offset, `${none}. Add it to the tape, or close the offset`);
  }
  if (other !== undefined) {
    const several = `several documents of the tape have '${offset.file}' in their names, such as ${found.name} and ${other.name}`;
    throw refuse(offset, `${several}. Keep one of them, or name it more exactly in the contract`);
  }
  return found;
}

/**
 * Reads the groups and amounts of an offset's file. Rows of the same group are added up. A row without a group owes
 * nothing, and neither does an amount of zero or below.
 * @param currency the tape's main currency
 * @throws Refusal if a column is missing or an amount cannot be read: what is not known is not taken to be zero
 */
export function readOffsetList(
  sheet: DocumentSheet,
  offset: FileOffset,
  { name, currency }: { readonly name: string; readonly currency: string },
): ReadonlyMap<string, DecimalText> {
  const columnOf = (header: string): number => {
    const found = sheet.headers.findIndex((one) => one.trim() === header);
    if (found < 0) {
      throw refuse(offset, `${name} has no column '${header}'. Correct the file, or the column in the contract`);
    }
    return found;
  };
  const [groupAt, amountAt] = [columnOf(offset.groupColumn), columnOf(offset.amountColumn)];
  const written = sheet.rows.flatMap(({ row, cells }) => {
    const [group, cell] = [cells[groupAt]?.trim() ?? '', cells[amountAt]?.trim() ?? ''];
    return group === '' && cell === '' ? [] : [{ row, group, cell }];
  });
  const numbers = written.map(({ cell }) => cell);
  const { decimal } = formOf({ dates: [], numbers, isWorkbook: sheet.kind === 'xlsx' });
  const groups = new Map<string, DecimalText>();
  for (const { row, group, cell } of written) {
    const amount = plainNumber(cell, decimal, currency);
    const where = `row ${row} of ${name}, column '${offset.amountColumn}'`;
    if (amount === null) {
      const shown = cell.length > MAX_SHOWN ? `${cell.slice(0, MAX_SHOWN)}…` : cell;
      const problem =
        cell === '' ? 'has no amount' : `has '${shown}', which cannot be read as an amount in ${currency}`;
      throw refuse(offset, `${where} ${problem}. Correct the file and add it to the tape again`);
    }
    if (group === '' || compare(amount, '0') <= 0) continue;
    const total = add(groups.get(group) ?? '0', amount);
    if (!isTapeAmount(amount) || !isTapeAmount(total)) {
      throw refuse(offset, `${where} has an amount with more than 14 digits, or more than 4 decimals`);
    }
    groups.set(group, total);
  }
  if (groups.size > MAX_LIST_GROUPS) {
    const [found, most] = [formatFigure(groups.size), formatFigure(MAX_LIST_GROUPS)];
    throw refuse(offset, `${name} has amounts of ${found} groups, of at most ${most}`);
  }
  return groups;
}

/** The list of an offset. @throws Error without one: every calculation reads the lists of its contract first */
export function offsetListOf(lists: readonly OffsetList[] | undefined, rule: number): OffsetList {
  const found = lists?.find((list) => list.rule === rule);
  if (!found) throw new Error(`The list of offset ${rule} has not been read`);
  return found;
}
