import { FUND_TYPE_LABELS } from '@tapeline/domain/funds/kinds.ts';
import type { GridColumn } from '../../components/grid/grid-columns.ts';

const SIZE = { kind: 'decimal', digits: 0, widthPx: 140 } as const;

/** The columns of the list of main funds. Sums are in the currency of the main fund. */
export const MAIN_FUND_COLUMNS: readonly GridColumn[] = [
  { path: 'title', label: 'Title', kind: 'text', shown: true, widthPx: 240 },
  { path: 'type', label: 'Type', kind: 'text', words: FUND_TYPE_LABELS, shown: true, widthPx: 130 },
  { path: 'strategy', label: 'Strategy', kind: 'text', shown: true, widthPx: 90 },
  { path: 'currency', label: 'Currency', kind: 'text', shown: true, widthPx: 90 },
  { path: 'targetSize', label: 'Target size', shown: true, ...SIZE },
  { path: 'hardCap', label: 'Hard cap', shown: true, ...SIZE },
  { path: 'members', label: 'Funds', kind: 'number', digits: 0, shown: true, sortable: false, widthPx: 80 },
  { path: 'closingDate', label: 'Closing date', kind: 'date', shown: true, widthPx: 120 },
  { path: 'status', label: 'Status', kind: 'status', shown: true, widthPx: 100 },
  { path: 'metadata.iat', label: 'Created', kind: 'date', shown: false, widthPx: 110 },
  { path: 'code', label: 'Code', kind: 'number', digits: 0, shown: false, widthPx: 80 },
];

export const MAIN_FUND_SORT = { title: 1 } as const;
