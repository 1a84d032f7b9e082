import { fieldLabel } from '../documents/field-labels.ts';
import type { FieldType } from '../filters/catalog.ts';
import type { PermissionKey, UserType } from '../people/actor.ts';

/** The type of a field of a list. `texts` is an array of texts. */
type ListFieldType = Exclude<FieldType, 'decimal'> | 'texts';

/**
 * The type of a field that a list can be filtered, sorted and grouped by, with its label if it is not that of the field
 * everywhere (`fieldLabel`). A decimal has the path of the field with its currency, so that groups never add amounts of
 * several currencies; null if it is not an amount of money.
 */
export type FieldOfList =
  | ListFieldType
  | readonly [label: string, type: ListFieldType]
  | { readonly decimalIn: string | null; readonly label?: string };

/** What a list field is called, how its values compare, and for a decimal the path of its currency. */
export function describeField(
  path: string,
  field: FieldOfList,
): { label: string; type: ListFieldType } | { label: string; type: 'decimal'; currencyPath: string | null } {
  if (typeof field === 'string') return { label: fieldLabel(path), type: field };
  if ('decimalIn' in field) {
    return { label: field.label ?? fieldLabel(path), type: 'decimal', currencyPath: field.decimalIn };
  }
  return { label: field[0], type: field[1] };
}

/** A column of a grid: a path in the list that it shows, and how its values are formatted. */
export interface Column {
  /** The list's field. Also the key in the URL and in saved settings. */
  readonly path: string;
  /** Includes the unit of a figure: "Sum (USD)". Left out where it is the label of the field. */
  readonly label?: string;
  readonly kind: 'text' | 'code' | 'status' | 'country' | 'number' | 'decimal' | 'date' | 'boolean';
  /** How values are written that are not words themselves. */
  readonly words?: Readonly<Record<string, string>>;
  /** Number of decimals. Two if omitted; `stored` shows a rate with all its digits. */
  readonly digits?: number | 'stored';
  /** Shown by default, until the person has chosen columns. */
  readonly shown: boolean;
  readonly widthPx?: number;
  /** False if the list cannot sort by it. */
  readonly sortable?: boolean;
}

export const DOCUMENT_FIELDS = {
  id: 'text',
  status: 'text',
  code: 'number',
  'metadata.iat': ['Created', 'instant'],
} as const satisfies Readonly<Record<string, FieldOfList>>;

export const STATUS_COLUMN = { path: 'status', kind: 'status', shown: true, widthPx: 110 } as const satisfies Column;
export const CREATED_COLUMN = {
  path: 'metadata.iat',
  kind: 'date',
  shown: true,
  widthPx: 110,
} as const satisfies Column;
export const CODE_COLUMN = {
  path: 'code',
  kind: 'number',
  digits: 0,
  shown: false,
  widthPx: 80,
} as const satisfies Column;

/** The items of the navigation that hold lists. The lists of one item are its tabs. */
export type MenuSection =
  | 'Monitoring'
  | 'Loan tapes'
  | 'Borrowers'
  | 'Funds'
  | 'Investors'
  | 'Capital activity'
  | 'Announcements'
  | 'Managers'
  | 'People and access'
  | 'Organizations'
  | 'Data import'
  | 'Lists';

/** What a collection is called, where it is and who may read it. `db` adds its table (`db/src/collections`). */
export interface Collection {
  /** What one document and several are called, as a label: "Loan tape", "Loan tapes". */
  readonly one: string;
  readonly many: string;
  /** What lists, menus and search results call it, if not `many`. */
  readonly title?: string;
  /** The permission to read its documents, and with history/read also their history. */
  readonly read: PermissionKey;
  /** The permission to change its documents. */
  readonly write?: PermissionKey;
  /** The address of its REST calls, if it is not /crud/ and the collection's name. */
  readonly calls?: string;
  readonly list?: string;
  /** The address of the pages of its documents, without the id. Left out if a document has no page of its own. */
  readonly page?: string;
  /** Whether the form of a new document takes an entity of the register (`?entity=`), whose role it then is. */
  readonly takesEntity?: true;
  /** Whether single documents can be blocked or allowed for one user. */
  readonly canBeBlocked?: true;
  /** False if its changes are not recorded. */
  readonly hasHistory?: false;
  /** What the history calls its changes and its documents. */
  readonly history?: {
    /** What a person did who gave a document this status: `{ Active: 'Issued' }`. Default: `STATUS_VERBS`. */
    readonly verbs?: Readonly<Record<string, string>>;
    /** What its documents are as lines of a header: `['notice', 'notices']` of a capital call. */
    readonly lines?: readonly [one: string, many: string];
  };
  /** Fields that are amounts in the currency of the document (its field `currency`). */
  readonly amounts?: readonly string[];
  /** Where the navigation has its list, and the key to press after `g`. `navigation.ts` says who has which item. */
  readonly menu?: {
    readonly section: MenuSection;
    /** The lists of an item are its tabs, by rank. */
    readonly rank: number;
    readonly key?: string;
  };
  /** How the search finds its documents. */
  readonly search?: {
    /** What the index of words calls them. */
    readonly kind: string;
    /** Kinds of results are listed by rank. */
    readonly rank: number;
    readonly types?: readonly UserType[];
  };
  /** The name under which views of its grid are saved, in words separated by hyphens, and the columns of the grid. */
  readonly grid?: string;
  readonly columns?: readonly Column[];
  /** The fields of its list by path, besides those of every document, if it has a grid. `db` has their SQL, and the other fields. */
  readonly fields?: Readonly<Record<string, FieldOfList>>;
}

/** Administrators and the users of managers, who keep the books. */
export const STAFF = ['admin', 'manager'] as const satisfies readonly UserType[];
