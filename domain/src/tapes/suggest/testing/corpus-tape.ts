import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { z } from 'zod';
import type { SampleCell } from '../column-summary.ts';
import type { SampleColumn } from '../suggest-mapping.ts';
import { type CorpusValue, valuesFrom } from './corpus-values.ts';
import { LOAN_KINDS, Loan } from './loan.ts';

/** For a column for which choosing no field is right, alone or as well as choosing one. */
export const NONE = '-';

/** A tape with the columns of a public schema. */
export const corpusTapeSchema = z.object({
  name: z.string(),
  /** Who publishes the schema, or whose system exports it. */
  origin: z.string(),
  loans: z.enum(LOAN_KINDS),
  /** Each with its header, the fields that an analyst would choose, and how its values are made. */
  columns: z.array(z.tuple([z.string(), z.string(), z.string()])),
});
export type CorpusTape = z.infer<typeof corpusTapeSchema>;

/** The fields of which any is right for a column: none if it belongs to no field. */
export const fieldsOf = (target: string): readonly string[] => target.split(' or ').filter((path) => path !== NONE);

/** Whether it is as right to leave the column out. */
export const isOptional = (target: string): boolean => target.split(' or ').includes(NONE);

function cellOf(value: CorpusValue): SampleCell {
  if (value === null || value === '') return { tag: CellTag.blank, value: '' };
  if (value instanceof Date) return { tag: CellTag.date, value: value.toISOString().slice(0, 10) };
  if (typeof value === 'number') return { tag: CellTag.number, value: String(value) };
  if (typeof value === 'boolean') return { tag: CellTag.boolean, value: String(value) };
  return { tag: CellTag.text, value };
}

/** The columns as input for a suggestion, as if sampled from the first rows and from all over the sheet. */
export function columnsOfTape({ columns, loans }: CorpusTape, seed: number, rows = 150): SampleColumn[] {
  const made = Array.from({ length: rows }, (_, row) => new Loan(row, seed, loans));
  return columns.map(([header, , values]) => {
    const value = valuesFrom(values);
    return { header, cells: made.map((loan) => cellOf(value(loan))) };
  });
}
