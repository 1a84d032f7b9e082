import { FUND_TYPE_LABELS } from '@tapeline/domain/funds/kinds.ts';
import type { GridColumn } from '../../../components/grid/grid-columns.ts';

const SIZE = { kind: 'decimal', digits: 0, widthPx: 140 } as const;

/** The columns of the list of funds. Sums are in the currency of the fund. */
export const FUND_COLUMNS: readonly GridColumn[] = [
  { path: 'title', label: 'Title', kind: 'text', shown: true, widthPx: 200 },
  { path: 'type', label: 'Type', kind: 'text', words: FUND_TYPE_LABELS, shown: true, widthPx: 120 },
  { path: 'strategy', label: 'Strategy', kind: 'text', shown: true, widthPx: 80 },
  { path: 'currency', label: 'Currency', kind: 'text', shown: true, widthPx: 88 },
  { path: 'targetSize', label: 'Target size', shown: true, ...SIZE },
  { path: 'hardCap', label: 'Hard cap', shown: true, ...SIZE },
  { path: 'committed', label: 'Committed', shown: true, sortable: false, ...SIZE },
  { path: 'investors', label: 'Investors', kind: 'number', digits: 0, shown: true, sortable: false, widthPx: 84 },
  { path: 'closingDate', label: 'Closing date', kind: 'date', shown: true, widthPx: 108 },
  { path: 'status', label: 'Status', kind: 'status', shown: true, widthPx: 92 },
  { path: 'mainFundTitle', label: 'Main fund', kind: 'text', shown: false, sortable: false, widthPx: 200 },
  { path: 'metadata.iat', label: 'Created', kind: 'date', shown: false, widthPx: 110 },
  { path: 'code', label: 'Code', kind: 'number', digits: 0, shown: false, widthPx: 80 },
];

export const FUND_SORT = { title: 1 } as const;
