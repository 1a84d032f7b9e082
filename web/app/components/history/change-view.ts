import type { DocumentTitle } from '@tapeline/db/operations/history/document-titles.ts';
import type { Change } from '@tapeline/db/operations/history/history.ts';
import { collectionOf } from '@tapeline/domain/collections/collections.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import { fieldInSentence, fieldLabel, isTechnical } from '@tapeline/domain/documents/field-labels.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { FUND_TYPE_LABELS } from '@tapeline/domain/funds/kinds.ts';
import {
  type Difference,
  isAmount,
  isFile,
  isRecord,
  type Step,
  titleOf,
} from '@tapeline/domain/history/differences.ts';
import type { HistoryOperation } from '@tapeline/domain/history/history.schema.ts';
import { isWireNumber, wireDifference, wireFieldOf } from '@tapeline/domain/history/wire-fields.ts';
import { isDecimal } from '@tapeline/domain/money/decimal.ts';
import { formatFigure, formatInstant, shortenName } from '../figures/format.ts';
import { describeProposalChange, describeTapeChange } from './tape-changes.ts';

/** One value that a change added, removed or replaced, in words. */
export interface DifferenceLine {
  /** "Banks, Main account, IBAN". */
  readonly label: string;
  /** The path of the field in the API's documents: `banks[0].IBAN`. */
  readonly field: string;
  readonly kind: Difference['kind'];
  /** Null if there was none. */
  readonly old: string | null;
  readonly new: string | null;
  /** The currency after both amounts. */
  readonly unit: string | null;
  /** The values of a number, exactly. Null for what is no number. */
  readonly numbers: { readonly old: string | null; readonly new: string | null };
}

/** One change as screens and files show it. Plain data. */
export interface ChangeView {
  readonly id: string;
  /** When it took effect, and when the database recorded it. */
  readonly at: string;
  readonly recordedAt: string;
  readonly operation: HistoryOperation;
  readonly by: { readonly name: string; readonly userId: string | null };
  readonly agent: string | null;
  readonly ip: string | null;
  readonly locale: string | null;
  readonly resource: string;
  /** "Loan tape". */
  readonly collection: string;
  readonly documentId: string;
  readonly title: string;
  /** Whether the reader can see the document, and the title is its own. */
  readonly isNamed: boolean;
  readonly isStored: boolean;
  readonly isRemoved: boolean;
  /** A sentence about the change, if its collection has one; otherwise the lines describe it. */
  readonly sentence: string | null;
  readonly lines: readonly DifferenceLine[];
  /** Lines that are not shown. */
  readonly more: number;
}

export type Titles = ReadonlyMap<string, DocumentTitle>;

/** Parts of a long value that are shown; the others are counted. */
const MAX_PARTS = 12;
const MAX_TEXT = 300;

const listed = (parts: readonly string[], separator: string): string =>
  parts.length <= MAX_PARTS
    ? parts.join(separator)
    : `${parts.slice(0, MAX_PARTS).join(separator)} and ${formatFigure(parts.length - MAX_PARTS)} more`;

function textInWords(text: string, titles: Titles): string {
  // An id says nothing to people.
  if (isId(text)) return titles.get(text)?.title ?? 'one that is not shown';
  if (Object.hasOwn(FUND_TYPE_LABELS, text)) return codeLabel(text);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatCalendarDate(text);
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) return `${formatInstant(text)} UTC`;
  if (text === '') return 'empty';
  return shortenName(text, MAX_TEXT);
}

/** A value in words; null if there is none. Long values are shortened, and the rest is counted. */
function inWords(value: unknown, titles: Titles, depth = 0): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatFigure(value);
  if (typeof value === 'string') return textInWords(value, titles);
  if (isAmount(value)) return `${formatFigure(String(value.sum))} ${value.currency}`;
  if (isFile(value)) return value.name;
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    if (depth > 1) return `${formatFigure(value.length)} ${value.length === 1 ? 'entry' : 'entries'}`;
    const parts = value.map((entry) => inWords(entry, titles, depth + 1) ?? 'none');
    return listed(parts, isRecord(value[0]) ? '; ' : ', ');
  }
  if (!isRecord(value)) return String(value);
  const named = [value.title, value.name].find((one) => typeof one === 'string' && one !== '');
  if (depth > 0 && typeof named === 'string') return shortenName(named, MAX_TEXT);
  const parts = Object.entries(value).flatMap(([name, part]) => {
    const words = isTechnical(name) || name === 'id' ? null : inWords(part, titles, depth + 1);
    return words === null ? [] : [`${fieldInSentence(name)} ${words}`];
  });
  return parts.length === 0 ? 'empty' : listed(parts, ', ');
}

function labelOf(resource: string, steps: readonly Step[], titles: Titles): string {
  return steps
    .flatMap((step, index) => {
      if (step.kind === 'field') return [fieldLabel(index === 0 ? wireFieldOf(resource, step.name) : step.name)];
      if (step.title === null) return [];
      return [textInWords(step.title, titles)];
    })
    .join(', ');
}

/** A change of an amount in the currency of its document, which the same change may have replaced. */
function amountLine(
  difference: Difference,
  currencies: { readonly old: string | null; readonly new: string | null },
): Pick<DifferenceLine, 'old' | 'new' | 'unit'> {
  const figure = (value: unknown): string | null =>
    typeof value === 'string' && isDecimal(value) ? formatFigure(value) : null;
  const [old, now] = [figure(difference.old), figure(difference.new)];
  if (currencies.old === currencies.new || old === null || now === null) {
    return { old, new: now, unit: now === null ? currencies.old : currencies.new };
  }
  const withCurrency = (text: string, currency: string | null) => (currency ? `${text} ${currency}` : text);
  return { old: withCurrency(old, currencies.old), new: withCurrency(now, currencies.new), unit: null };
}

/** The currency of the document before and after the change. */
function currenciesOf(change: Change, titles: Titles): { old: string | null; new: string | null } {
  const known = titles.get(change.documentId)?.currency ?? null;
  const changed = change.updatedFields.find(({ field }) => field === 'currency');
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return changed
    ? { old: text(changed.old) ?? text(changed.new), new: text(changed.new) ?? text(changed.old) }
    : { old: known, new: known };
}

/** A number of the document: a count, a decimal of a field with numbers, or the sum of an amount. */
function numberOf(value: unknown, name: string): string | null {
  if (typeof value === 'number') return String(value);
  if (isAmount(value)) return String(value.sum);
  return typeof value === 'string' && isWireNumber(name) && isDecimal(value) ? value : null;
}

function lineOf(change: Change, difference: Difference, titles: Titles): DifferenceLine {
  const { steps, kind } = difference;
  const named = steps.findLast((step) => step.kind === 'field')?.name ?? '';
  const { field: path } = wireDifference(change.resource, difference);
  return {
    ...wordsOf(change, difference, titles),
    kind,
    label: labelOf(change.resource, steps, titles),
    field: path,
    numbers: { old: numberOf(difference.old, named), new: numberOf(difference.new, named) },
  };
}

/** The values before and after, in words. */
function wordsOf(change: Change, difference: Difference, titles: Titles): Pick<DifferenceLine, 'old' | 'new' | 'unit'> {
  const { steps } = difference;
  const [first] = steps;
  const field = first?.kind === 'field' ? first.name : '';
  if (steps.length === 1 && collectionOf(change.resource)?.amounts?.includes(field)) {
    return amountLine(difference, currenciesOf(change, titles));
  }
  const [old, now] = [difference.old, difference.new];
  if (isAmount(old) && isAmount(now) && old.currency === now.currency) {
    const [was, is] = [old, now].map(({ sum }) => formatFigure(String(sum)));
    return { old: was ?? null, new: is ?? null, unit: now.currency };
  }
  const last = steps.findLast((step) => step.kind === 'field');
  const unit = last?.kind === 'field' && /percent/i.test(last.name) ? '%' : null;
  return { old: inWords(old, titles), new: inWords(now, titles), unit };
}

function sentenceOf({ resource, operation, updatedFields }: Change, code: number): string | null {
  if (resource === 'loanTapes') return describeTapeChange(operation, updatedFields);
  if (resource === 'correctionProposals') {
    return describeProposalChange(code, operation, updatedFields);
  }
  return null;
}

/** A list that appeared or disappeared as one difference for each entry, so that each is shown in full. */
function entriesOf(difference: Difference): Difference[] {
  const { steps, kind, old, new: now } = difference;
  const list = kind === 'added' ? now : kind === 'removed' ? old : null;
  if (!Array.isArray(list) || !list.some(isRecord)) return [difference];
  return list.map((entry: unknown, index) => ({
    steps: [...steps, { kind: 'entry', index, title: titleOf(entry) }],
    kind,
    old: kind === 'removed' ? entry : null,
    new: kind === 'added' ? entry : null,
  }));
}

/** Whether the line says something to a reader: not internal ids, nor fields that were and stay empty. */
const isTelling = ({ steps, old, new: now }: Difference): boolean => {
  const last = steps.findLast((step) => step.kind === 'field');
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  return !(last?.kind === 'field' && isTechnical(last.name)) && !(isEmpty(old) && isEmpty(now));
};

/** Who made a change. */
export const authorOf = ({ entity }: ChangedBy): ChangeView['by'] =>
  'apiName' in entity
    ? { name: entity.apiName, userId: null }
    : { name: `${entity.firstName} ${entity.lastName}`, userId: entity.id };

/**
 * The change in words.
 * @param titles of the document and of those that the values refer to
 * @param most lines to show; the others are counted
 */
export function changeView(change: Change, titles: Titles, most: number): ChangeView {
  const { changedBy } = change;
  const found = titles.get(change.documentId);
  const collection = collectionOf(change.resource)?.one ?? fieldLabel(change.resource);
  const title = found?.title ?? `${collection} that is not shown`;
  const telling = change.differences.filter(isTelling).flatMap(entriesOf);
  return {
    id: change.id,
    at: change.changedAt.toISOString(),
    recordedAt: change.recordedAt.toISOString(),
    operation: change.operation,
    by: authorOf(changedBy),
    agent: changedBy.agent,
    ip: changedBy.ip,
    locale: changedBy.locale,
    resource: change.resource,
    collection,
    documentId: change.documentId,
    title,
    // Of a document that was permanently deleted, only some titles are known.
    isNamed: found !== undefined && (found.isStored || found.title !== 'Untitled'),
    isStored: found?.isStored ?? false,
    isRemoved: found?.isRemoved ?? false,
    sentence: sentenceOf(change, found?.code ?? 0),
    lines: telling.slice(0, most).map((difference) => lineOf(change, difference, titles)),
    more: Math.max(0, telling.length - most),
  };
}

/** What follows a value: " USD", "%". */
export const unitAfter = (unit: string | null): string => (unit === null ? '' : unit === '%' ? '%' : ` ${unit}`);

/** A line as plain text: "Hard cap: 50,000,000 → 60,000,000 USD". */
export function lineText({ label, kind, old, new: now, unit }: DifferenceLine): string {
  const after = unitAfter(unit);
  const said = label.replace(/^(Is|Has) /, '');
  if (kind === 'added' && now === 'no') return `Added: not ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
  if (kind === 'added') return `${label}: ${now ?? 'empty'}${now === null ? '' : after} added`;
  if (kind === 'removed') return `${label}: ${old ?? 'empty'}${old === null ? '' : after} removed`;
  return `${label}: ${old ?? 'not set'} → ${now ?? 'not set'}${after}`;
}
