import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { formatCount, humanize } from '../figures/format.ts';

/** A changed field as history keeps it; what is stored as JSON may come as its text. */
export interface ChangedField {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

type Values = Readonly<Record<string, unknown>>;

function read(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const valuesOf = (fields: readonly ChangedField[], side: 'old' | 'new'): Values =>
  Object.fromEntries(fields.map((change) => [change.field, read(change[side])]));

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function countOf(counts: unknown, name: 'assets' | 'errored' | 'discarded'): number {
  const count = isRecord(counts) ? counts[name] : undefined;
  return typeof count === 'number' ? count : 0;
}

/** "4,984 assets, 16 errored rows". */
function tellCounts(counts: unknown): string {
  const discarded = countOf(counts, 'discarded');
  return [
    formatCount(countOf(counts, 'assets'), 'asset'),
    formatCount(countOf(counts, 'errored'), 'errored row'),
    ...(discarded > 0 ? [`${formatCount(discarded, 'row')} discarded`] : []),
  ].join(', ');
}

function tellUpload(now: Values): string {
  const file = isRecord(now.attachment) && typeof now.attachment.name === 'string' ? now.attachment.name : 'a file';
  const parts = [
    ...(typeof now.cutOffDate === 'string' ? [`cut-off ${formatCalendarDate(now.cutOffDate.slice(0, 10))}`] : []),
    ...(typeof now.mappingVersion === 'number' ? [`mapping v${now.mappingVersion}`] : []),
  ];
  return ['Uploaded', file].join(' ') + (parts.length > 0 ? `, ${parts.join(', ')}` : '');
}

/** Bases of notes that are done or failed by this change; those that only began are not worth a line. */
function tellBases(before: Values, now: Values): string[] {
  const earlier = Array.isArray(before.borrowingBaseStatuses) ? before.borrowingBaseStatuses.filter(isRecord) : [];
  const later = Array.isArray(now.borrowingBaseStatuses) ? now.borrowingBaseStatuses.filter(isRecord) : [];
  return later.flatMap(({ noteId, noteTitle, status, failure, borrowingBaseId }) => {
    const was = earlier.find((base) => base.noteId === noteId);
    if (was && was.status === status && was.borrowingBaseId === borrowingBaseId && was.failure === failure) return [];
    if (typeof failure === 'string' && failure) return [`Borrowing base of ${noteTitle} failed: ${failure}`];
    if (status === 'Completed') return [`Borrowing base of ${noteTitle} calculated`];
    return [`Borrowing base of ${noteTitle} asked for`];
  });
}

/** What a change of a tape was, in a sentence a lender reads; fields that no sentence covers are named. */
export function tellTapeChange(operation: string, fields: readonly ChangedField[]): string {
  const before = valuesOf(fields, 'old');
  const now = valuesOf(fields, 'new');
  if (operation === 'Insert') return tellUpload(now);
  if (operation === 'Delete') return 'Removed';
  if (operation === 'Permanent Delete') return 'Deleted for good';
  const said: string[] = [];
  const discarded = countOf(now.counts, 'discarded') - countOf(before.counts, 'discarded');
  if (isRecord(before.counts) && discarded > 0) {
    said.push(`${formatCount(discarded, 'errored row')} discarded: ${tellCounts(now.counts)}`);
  } else if (typeof now.generationId === 'string') {
    said.push(`${before.generationId ? 'Published anew' : 'Published'}: ${tellCounts(now.counts)}`);
  }
  if (typeof now.failure === 'string') said.push(`Stopped: ${now.failure}`);
  said.push(...tellBases(before, now));
  if (said.length > 0) return said.join('. ');
  if (now.processStatus === 'Processing') return 'Reading began';
  if (now.schedulerStatus === 'Processing') return 'Work began again';
  if (now.schedulerStatus === 'Completed') return 'All work on it done';
  return `Changed: ${fields.map(({ field }) => humanize(field).toLowerCase()).join(', ')}`;
}
