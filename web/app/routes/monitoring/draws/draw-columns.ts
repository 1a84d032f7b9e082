import type { GridColumn } from '../../../components/grid/grid-columns.ts';

/** The columns of the list of draws. */
export const DRAW_COLUMNS: readonly GridColumn[] = [
  { path: 'code', label: 'Draw', kind: 'number', digits: 0, shown: true, widthPx: 80 },
  { path: 'transaction.title', label: 'Transaction', kind: 'text', shown: true, widthPx: 240 },
  { path: 'noteTitle', label: 'Note', kind: 'text', shown: true, widthPx: 120 },
  { path: 'amountInMainCurrency.sum', label: 'Amount', kind: 'decimal', shown: true, widthPx: 150 },
  { path: 'amountInMainCurrency.currency', label: 'Currency', kind: 'text', shown: true, widthPx: 95 },
  { path: 'valueInUsd', label: 'Value (USD)', kind: 'decimal', shown: false, widthPx: 150 },
  { path: 'status', label: 'Status', kind: 'status', shown: true, widthPx: 120 },
  { path: 'cutOffDate', label: 'Cut-off date', kind: 'date', shown: true, widthPx: 120 },
  { path: 'dueDate', label: 'Due date', kind: 'date', shown: true, widthPx: 120 },
  { path: 'metadata.iat', label: 'Requested', kind: 'date', shown: true, widthPx: 120 },
];
