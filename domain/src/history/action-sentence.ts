import { COLLECTIONS, collectionOf } from '../collections/collections.ts';
import { fieldLabel, inSentence } from '../documents/field-labels.ts';
import { formatCount } from '../money/format-figure.ts';
import type { HistoryOperation } from './history.schema.ts';

/** What a person did who gave a document a status, unless its collection says otherwise (`history.verbs`). */
export const STATUS_VERBS: Readonly<Record<string, string>> = {
  Active: 'Activated',
  Disabled: 'Disabled',
  Closed: 'Closed',
  'In Review': 'Reviewed',
  Approved: 'Approved',
  Rejected: 'Rejected',
  Accepted: 'Accepted',
  Declined: 'Declined',
  Withdrawn: 'Withdrew',
  Released: 'Released',
};

const OPERATION_VERBS: Readonly<Record<HistoryOperation, string>> = {
  Insert: 'Created',
  Update: 'Changed',
  Delete: 'Removed',
  'Permanent Delete': 'Permanently deleted',
};

/** What the operation did: "Removed". */
export const operationText = (operation: HistoryOperation): string => OPERATION_VERBS[operation];

/** What an action did to the documents of one collection. */
export interface ActionPart {
  readonly resource: string;
  readonly operation: HistoryOperation;
  /** The status that the documents got; null if it stayed. */
  readonly status: string | null;
  /** How many documents. */
  readonly documents: number;
  /** The title of the document, if it is one that the reader can see. */
  readonly title: string | null;
  /** A sentence about the change, if it is one and its collection has sentences of its own. */
  readonly sentence?: string | null;
  /** The title of what all these documents are the lines of: "capital call 9 of Harbour Credit Fund". */
  readonly header: string | null;
}

const ownVerbs = (resource: string): Readonly<Record<string, string>> => collectionOf(resource)?.history?.verbs ?? {};

/** What the person did: "Issued". */
export function verbOf({ resource, operation, status }: Pick<ActionPart, 'resource' | 'operation' | 'status'>): string {
  const own = status === null ? undefined : ownVerbs(resource)[status];
  // A document that is created with the status that every new one has was not activated.
  if (own !== undefined && (operation === 'Insert' || operation === 'Update')) return own;
  const general = operation === 'Update' && status !== null ? STATUS_VERBS[status] : undefined;
  return general ?? operationText(operation);
}

/** One document and several, within a sentence. A line of a call is a notice: the call is its header. */
function nounsOf(resource: string): readonly [one: string, many: string] {
  const collection = collectionOf(resource);
  if (collection?.history?.lines) return collection.history.lines;
  const [one, many] = collection ? [collection.one, collection.many] : [fieldLabel(resource), fieldLabel(resource)];
  return [inSentence(one), inSentence(many)];
}

/** A document with what it is: "borrower Northwind", but "draw 3, Warehouse A", whose title says it. */
export function namedDocument(resource: string, title: string): string {
  const [noun] = nounsOf(resource);
  const [first = ''] = noun.split(' ');
  return title.toLowerCase().startsWith(`${first.toLowerCase()} `) ? inSentence(title) : `${noun} ${title}`;
}

const NAMES: readonly string[] = Object.keys(COLLECTIONS);

/** What the person did comes before what followed from it: a decision before a change, and by the order of the collections. */
const rankOf = (part: ActionPart): number =>
  (verbOf(part) === OPERATION_VERBS.Update && part.sentence == null ? 1000 : 0) +
  (NAMES.includes(part.resource) ? NAMES.indexOf(part.resource) : NAMES.length);

/** The documents of a collection to which the same was done, together, whatever status they got. */
function joinedParts(parts: readonly ActionPart[]): ActionPart[] {
  const joined = Map.groupBy(parts, (part) => `${part.resource} ${verbOf(part)} ${part.sentence ?? ''}`);
  return [...joined.values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length === 1) return same;
    const documents = same.reduce((sum, part) => sum + part.documents, 0);
    return [
      {
        ...first,
        documents,
        title: null,
        header: same.every(({ header }) => header === first.header) ? first.header : null,
      },
    ];
  });
}

/** Whether the part is the document that the action is about, which the same request also changed. */
const isSameDocument = (part: ActionPart, lead: ActionPart): boolean =>
  part.resource === lead.resource &&
  part.documents === 1 &&
  lead.documents === 1 &&
  part.title !== null &&
  part.title === lead.title;

/** What followed is listed up to here; the rest is counted. */
const MAX_OTHERS = 4;

/**
 * What a person did, in a sentence without a full stop: "Issued capital call 9 of Harbour Credit Fund: 12 notices",
 * "Created borrower Northwind: 1 entity".
 * @param parts at least one
 */
export function describeAction(parts: readonly ActionPart[]): string {
  const [lead, ...following] = joinedParts(parts).toSorted((a, b) => rankOf(a) - rankOf(b));
  if (!lead) return 'Changed nothing';
  const verb = verbOf(lead);
  const [one, many] = nounsOf(lead.resource);
  const isHeader = lead.header !== null && lead.documents > 1;
  const what = isHeader
    ? lead.header
    : lead.documents === 1
      ? lead.title === null
        ? `1 ${one}`
        : namedDocument(lead.resource, lead.title)
      : formatCount(lead.documents, one, many);
  const rest = following.filter((part) => !isSameDocument(part, lead));
  const others = rest.slice(0, MAX_OTHERS).map((part) => {
    const counted = formatCount(part.documents, ...nounsOf(part.resource));
    return verbOf(part) === verb ? counted : `${counted} ${inSentence(verbOf(part))}`;
  });
  if (rest.length > MAX_OTHERS) others.push(`and ${rest.length - MAX_OTHERS} more`);
  if (lead.sentence != null) return [lead.sentence, ...others].join('; ');
  const details = [...(isHeader ? [formatCount(lead.documents, one, many)] : []), ...others];
  return `${verb} ${what}${details.length > 0 ? `: ${details.join(', ')}` : ''}`;
}
