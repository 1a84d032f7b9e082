import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { WATERFALL_LABELS } from '@tapeline/domain/invoices/labels.ts';

/** Fields of a new invoice that its draft can change. */
export const DUE_DATE = { name: 'dueDate', label: 'Due date', type: 'date' } as const;
export const ORDER = {
  name: 'waterfall',
  label: 'A payment is applied to',
  choices: choicesOf(WATERFALL_LABELS),
} as const;
export const DESCRIPTION = {
  name: 'description',
  label: 'Text on the invoice (optional)',
  optional: true,
  maxLength: 2000,
  rows: 2,
  className: 'sm:col-span-2',
} as const;
