import {
  AMOUNT_OR_SIDES,
  csvMappingFields,
  MARKS_DIFFER,
  remittanceSchema,
} from '@tapeline/domain/cash/statements/csv-mapping.schema.ts';
import type { CsvMapping } from '@tapeline/domain/cash/statements/csv-mapping.ts';
import { versionSchema } from '@tapeline/domain/documents/document.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';

/** Names of columns, each on a line of its own. */
const names = z
  .string()
  .max(1000, { message: 'At most 1,000 characters' })
  .default('')
  .transform((text) => text.split(/\r?\n/).flatMap((line) => line.trim() || []))
  .pipe(remittanceSchema);

/** The columns of an account's CSV files, as the form writes them. */
export const columnsFields = z.object({ ...csvMappingFields, remittance: names, accountVersion: versionSchema });
export const columnsFieldsDescription = describeForm(columnsFields);
export const columnsForm = columnsFields.refine(...AMOUNT_OR_SIDES).refine(...MARKS_DIFFER);

export const COLUMN_LABELS = {
  separator: 'Separator',
  decimal: 'Decimal mark',
  dateOrder: 'Date order',
  bookedOn: 'Booking date',
  valuedOn: 'Value date',
  amount: 'Amount with sign',
  debit: 'Amount out',
  credit: 'Amount in',
  balance: 'Balance after the line',
  currency: 'Currency',
  reference: 'Bank reference',
  charges: 'Charges',
  counterpartyName: 'Name of the payer or payee',
  counterpartyAccount: 'Account of the payer or payee',
  remittance: 'Payment text',
} as const;

export const shownColumns = (mapping: CsvMapping | null, version: number) => ({
  ...(mapping
    ? { ...mapping, remittance: mapping.remittance.join('\n') }
    : { separator: ',', decimal: '.', dateOrder: 'YMD' }),
  accountVersion: String(version),
});
