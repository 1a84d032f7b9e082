import type { GridColumn } from '../../../components/grid/grid-columns.ts';

export const REPAYMENT_COLUMNS: readonly GridColumn[] = [
  { path: 'cutOffDate', label: 'Date', kind: 'date', shown: true, widthPx: 120 },
  { path: 'transaction.title', label: 'Transaction', kind: 'text', shown: true, widthPx: 230 },
  { path: 'noteTitle', label: 'Note', kind: 'text', shown: true, widthPx: 130 },
  { path: 'repayments.kind', label: 'Pays', kind: 'text', shown: true, widthPx: 190 },
  { path: 'amountInMainCurrency.sum', label: 'Amount', kind: 'decimal', shown: true, widthPx: 150 },
  { path: 'amountInMainCurrency.currency', label: 'Currency', kind: 'code', shown: true, widthPx: 90 },
  { path: 'valueInUsd', label: 'Value (USD)', kind: 'decimal', shown: true, widthPx: 150 },
  { path: 'repayments.amount.currency', label: 'Paid in', kind: 'code', shown: false, widthPx: 100 },
  { path: 'status', label: 'Status', kind: 'status', shown: true, widthPx: 100 },
  { path: 'code', label: 'Code', kind: 'number', digits: 0, shown: true, widthPx: 80 },
  { path: 'metadata.iat', label: 'Recorded', kind: 'date', shown: false, widthPx: 110 },
];
