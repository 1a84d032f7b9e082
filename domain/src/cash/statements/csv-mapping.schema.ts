import { z } from 'zod';
import { valuesOf } from '../../documents/labels.ts';
import { nameSchema } from '../../documents/text.schema.ts';
import type { InputRule } from '../../errors/rule.ts';
import { CSV_DATE_LABELS, CSV_SEPARATOR_LABELS, type CsvMapping, DECIMAL_MARK_LABELS } from './csv-mapping.ts';

/** Characters of a header. */
const MAX_HEADER = 150;
/** Columns that one text is joined from. */
const MAX_REMITTANCE = 5;

const column = nameSchema(1, MAX_HEADER);
const optionalColumn = column.nullish().transform((name) => name ?? null);

/** The amount is in one column with its sign, or in one for each side. */
export const AMOUNT_OR_SIDES: InputRule<Pick<CsvMapping, 'amount' | 'debit' | 'credit'>> = [
  ({ amount, debit, credit }) =>
    amount === null ? debit !== null && credit !== null : debit === null && credit === null,
  { path: ['amount'], message: 'must be one column with signs, or left blank with a column for each of out and in' },
];

/** No column separates its cells by the sign of its decimals. */
export const MARKS_DIFFER: InputRule<Pick<CsvMapping, 'separator' | 'decimal'>> = [
  ({ separator, decimal }) => separator !== ',' || decimal !== ',',
  { path: ['decimal'], message: 'must be a point where commas separate the columns' },
];

export const csvMappingFields = {
  separator: z.enum(valuesOf(CSV_SEPARATOR_LABELS), { error: 'Choose a separator' }),
  decimal: z.enum(valuesOf(DECIMAL_MARK_LABELS), { error: 'Choose a decimal mark' }),
  dateOrder: z.enum(valuesOf(CSV_DATE_LABELS), { error: 'Choose the order of dates' }),
  bookedOn: column,
  valuedOn: optionalColumn,
  amount: optionalColumn.meta({ description: 'One column whose sign says whether money came in' }),
  debit: optionalColumn.meta({ description: 'What went out, where there are two columns' }),
  credit: optionalColumn.meta({ description: 'What came in' }),
  balance: optionalColumn,
  currency: optionalColumn,
  reference: optionalColumn,
  charges: optionalColumn,
  counterpartyName: optionalColumn,
  counterpartyAccount: optionalColumn,
};

export const remittanceSchema = z.array(column).max(MAX_REMITTANCE, { message: `At most ${MAX_REMITTANCE} columns` });

export const csvMappingSchema = z
  .strictObject({
    ...csvMappingFields,
    remittance: remittanceSchema.default([]),
  })
  .refine(...AMOUNT_OR_SIDES)
  .refine(...MARKS_DIFFER)
  .meta({ id: 'CsvMapping' });
