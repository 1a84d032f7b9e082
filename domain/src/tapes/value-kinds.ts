/**
 * The kinds of values that a step takes and makes. `cell` is a cell of the sheet as read (a number, a text, a date, an
 * error ...); `missing` is the empty value that a computed column starts with.
 */
export type ValueKind =
  | 'cell'
  | 'missing'
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'percentage'
  | 'amount'
  | 'term'
  | 'interest'
  | 'status';

export const VALUE_KIND_WORDS: Readonly<Record<ValueKind, string>> = {
  cell: 'a cell as read',
  missing: 'nothing',
  text: 'text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date',
  percentage: 'a percentage',
  amount: 'an amount of money',
  term: 'a term',
  interest: 'an interest rate',
  status: 'an asset status',
};

/** Kinds that can hold any value. */
export const PLAIN: readonly ValueKind[] = ['cell', 'missing', 'text', 'number'];
/** Kinds that arithmetic reads as one number: points of a percentage or rate, sum of an amount, value of a term. */
export const NUMERIC: readonly ValueKind[] = [...PLAIN, 'percentage', 'amount', 'term', 'interest'];
/** Kinds that string steps read as one text. */
export const TEXTUAL: readonly ValueKind[] = [...PLAIN, 'boolean', 'date', 'status'];
