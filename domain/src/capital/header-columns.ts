import { type Column, STATUS_COLUMN } from '../collections/collection.ts';

const COUNT = { kind: 'number', digits: 0, shown: true, widthPx: 95 } as const;

export const HEADER_SIZE = { kind: 'decimal', digits: 2, shown: true, widthPx: 135 } as const;

/** The columns of capital calls and of distributions, before and after those of their own. */
export const FIRST_OF_HEADERS = [
  { path: 'callNumber', label: 'Number', kind: 'text', shown: true, widthPx: 90 },
  { path: 'fundTitle', label: 'Fund', kind: 'text', shown: true, widthPx: 210 },
  { path: 'cutOffDate', kind: 'date', shown: true, widthPx: 130 },
] as const satisfies readonly Column[];
export const LAST_OF_HEADERS = [
  { path: 'currency', kind: 'text', shown: true, widthPx: 90 },
  { path: 'investors', label: 'Investors', ...COUNT },
  STATUS_COLUMN,
  { path: 'notices', label: 'Notices ready', ...COUNT, widthPx: 120 },
] as const satisfies readonly Column[];
