import { CAPITAL_STATUSES } from '@tapeline/domain/capital/capital-document.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import type { GridColumn } from '../../components/grid/grid-columns.ts';

const SIZE = { kind: 'decimal', digits: 2, widthPx: 135 } as const;
const COUNT = { kind: 'number', digits: 0, widthPx: 95 } as const;

const FIRST: readonly GridColumn[] = [
  { path: 'callNumber', label: 'Number', kind: 'text', shown: true, widthPx: 90 },
  { path: 'fundTitle', label: 'Fund', kind: 'text', shown: true, widthPx: 210 },
  { path: 'cutOffDate', label: 'Cut-off date', kind: 'date', shown: true, widthPx: 130 },
];
const LAST: readonly GridColumn[] = [
  { path: 'currency', label: 'Currency', kind: 'text', shown: true, widthPx: 90 },
  { path: 'investors', label: 'Investors', shown: true, ...COUNT },
  { path: 'status', label: 'Status', kind: 'status', shown: true, widthPx: 110 },
  { path: 'notices', label: 'Notices ready', shown: true, ...COUNT, widthPx: 120 },
];

export const CALL_COLUMNS: readonly GridColumn[] = [
  ...FIRST,
  { path: 'dueDate', label: 'Due date', kind: 'date', shown: true, widthPx: 120 },
  { path: 'amount', label: 'Total', shown: true, ...SIZE },
  ...LAST,
];

export const DISTRIBUTION_COLUMNS: readonly GridColumn[] = [
  ...FIRST,
  { path: 'distributionKind', label: 'Kind', kind: 'text', shown: true, widthPx: 165 },
  { path: 'principal', label: 'Principal', shown: true, ...SIZE },
  { path: 'amount', label: 'Distributed', shown: true, ...SIZE },
  ...LAST,
  { path: 'isRecallable', label: 'Recallable', kind: 'boolean', shown: false, widthPx: 100 },
];

export const HEADER_SORT = { cutOffDate: -1 } as const;

const VALUES: Readonly<Record<string, readonly string[]>> = { status: [...CAPITAL_STATUSES, 'Upcoming', 'Several'] };

/** The fields that the filter bar offers. */
export const offeredFields = (fields: readonly Field[]): Field[] =>
  fields.map((field) => {
    const values = VALUES[field.path];
    return values ? { ...field, values } : field;
  });
