import type { GridColumn } from '../../../../components/grid/grid-columns.ts';

const point = { kind: 'number', digits: 1, widthPx: 90 } as const;

/** The columns of the list. Several texts of a transaction are joined: "Mezzanine, Senior". */
export const LIST_COLUMNS: readonly GridColumn[] = [
  { path: 'title', label: 'Title', kind: 'text', shown: true, widthPx: 240 },
  { path: 'companyName', label: 'Company', kind: 'text', shown: true, widthPx: 200 },
  { path: 'type', label: 'Type', kind: 'text', shown: true, widthPx: 150 },
  { path: 'notes.title', label: 'Notes', kind: 'text', shown: true, widthPx: 150 },
  { path: 'notes.mainCurrency', label: 'Currency', kind: 'text', shown: false, widthPx: 90 },
  { path: 'commitments', label: 'Commitments in force', kind: 'text', shown: true, sortable: false, widthPx: 170 },
  { path: 'maxCommitments', label: 'Maximum commitments', kind: 'text', shown: false, sortable: false, widthPx: 170 },
  { path: 'terms.interest.kind', label: 'Interest', kind: 'text', shown: true, widthPx: 100 },
  { path: 'terms.interest.baseRate', label: 'Base rate', kind: 'text', shown: false, widthPx: 100 },
  { path: 'terms.timeline.contractSigning', label: 'Signed', kind: 'date', shown: true, widthPx: 110 },
  { path: 'terms.timeline.maturity', label: 'Maturity', kind: 'date', shown: true, widthPx: 110 },
  { path: 'status', label: 'Status', kind: 'status', shown: true, widthPx: 100 },
  { path: 'industries', label: 'Industries', kind: 'text', shown: false, widthPx: 180 },
  { path: 'notes.count', label: 'Number of notes', kind: 'number', digits: 0, shown: false, widthPx: 90 },
  { path: 'notes.tranches.title', label: 'Tranches', kind: 'text', shown: false, widthPx: 180 },
  { path: 'notes.priority.attachmentPoint', label: 'Attachment (%)', shown: false, ...point },
  { path: 'notes.priority.detachmentPoint', label: 'Detachment (%)', shown: false, ...point },
  { path: 'metadata.iat', label: 'Created', kind: 'date', shown: false, widthPx: 110 },
  { path: 'code', label: 'Code', kind: 'number', digits: 0, shown: false, widthPx: 80 },
];
