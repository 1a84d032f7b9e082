import {
  CODE_COLUMN,
  type Column,
  CREATED_COLUMN,
  type FieldOfList,
  STATUS_COLUMN,
} from '../collections/collection.ts';

/** Fields of the list of every party, from its entity. */
export const PARTY_FIELDS = {
  'entity.name': ['Name', 'text'],
  'entity.formalId': ['Formal id', 'text'],
  'entity.nationality.country': ['Country', 'text'],
} as const satisfies Readonly<Record<string, FieldOfList>>;

/** The columns of companies and managers, whose entity is embedded. */
export const PARTY_COLUMNS = [
  { path: 'entity.name', kind: 'text', shown: true, widthPx: 240 },
  { path: 'entity.formalId', kind: 'code', shown: true, widthPx: 150 },
  { path: 'entity.nationality.country', kind: 'country', shown: true },
  { path: 'entity.business.type', label: 'Type of business', kind: 'text', shown: true, sortable: false },
  { path: 'entity.category', label: 'Categories', kind: 'text', shown: false, sortable: false },
  { path: 'domains', label: 'Email domains', kind: 'text', shown: false, sortable: false },
  STATUS_COLUMN,
  CREATED_COLUMN,
  CODE_COLUMN,
] as const satisfies readonly Column[];
