import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { fieldInSentence } from '@tapeline/domain/documents/field-labels.ts';
import { isRecord } from '@tapeline/domain/history/differences.ts';
import type { UpdatedField } from '@tapeline/domain/history/history.schema.ts';
import { formatCount } from '../figures/format.ts';

type Values = Readonly<Record<string, unknown>>;

function read(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const valuesOf = (fields: readonly UpdatedField[], side: 'old' | 'new'): Values =>
  Object.fromEntries(fields.map((change) => [change.field, read(change[side])]));

function countOf(counts: unknown, name: 'assets' | 'errored' | 'discarded'): number {
  const count = isRecord(counts) ? counts[name] : undefined;
  return typeof count === 'number' ? count : 0;
}

/** "4,984 assets, 16 errored rows". */
function describeCounts(counts: unknown): string {
  const discarded = countOf(counts, 'discarded');
  return [
    formatCount(countOf(counts, 'assets'), 'asset'),
    formatCount(countOf(counts, 'errored'), 'errored row'),
    ...(discarded > 0 ? [`${formatCount(discarded, 'row')} discarded`] : []),
  ].join(', ');
}

function describeUpload(now: Values): string {
  const file = isRecord(now.attachment) && typeof now.attachment.name === 'string' ? now.attachment.name : 'a file';
  const parts = [
    ...(typeof now.cutOffDate === 'string' ? [`cut-off ${formatCalendarDate(now.cutOffDate.slice(0, 10))}`] : []),
    ...(typeof now.mappingVersion === 'number' ? [`mapping v${now.mappingVersion}`] : []),
  ];
  return ['Uploaded', file].join(' ') + (parts.length > 0 ? `, ${parts.join(', ')}` : '');
}

/** How this change affected the borrowing bases of notes. */
function describeBases(before: Values, now: Values): string[] {
  const earlier = Array.isArray(before.borrowingBaseStatuses) ? before.borrowingBaseStatuses.filter(isRecord) : [];
  const later = Array.isArray(now.borrowingBaseStatuses) ? now.borrowingBaseStatuses.filter(isRecord) : [];
  return later.flatMap(({ noteId, noteTitle, status, failure, borrowingBaseId }) => {
    const was = earlier.find((base) => base.noteId === noteId);
    if (was && was.status === status && was.borrowingBaseId === borrowingBaseId && was.failure === failure) return [];
    if (typeof failure === 'string' && failure) return [`Borrowing base of ${noteTitle} failed: ${failure}`];
    if (status === 'Completed') return [`Borrowing base of ${noteTitle} calculated`];
    return [`Borrowing base of ${noteTitle} ${status === 'Processing' ? 'being calculated' : 'requested'}`];
  });
}

/** Describes a change of a tape in a sentence for lenders. Fields that no sentence covers are listed by name. */
export function describeTapeChange(operation: string, fields: readonly UpdatedField[]): string {
  const before = valuesOf(fields, 'old');
  const now = valuesOf(fields, 'new');
  if (operation === 'Insert') return describeUpload(now);
  if (operation === 'Delete') return 'Removed';
  if (operation === 'Permanent Delete') return 'Permanently deleted';
  const said: string[] = [];
  const discarded = countOf(now.counts, 'discarded') - countOf(before.counts, 'discarded');
  if (isRecord(before.counts) && discarded > 0) {
    said.push(`${formatCount(discarded, 'errored row')} discarded: ${describeCounts(now.counts)}`);
  } else if (typeof now.generationId === 'string') {
    const remapped = typeof now.mappingVersion === 'number' ? ` with mapping v${now.mappingVersion}` : '';
    said.push(`${before.generationId ? 'Republished' : 'Published'}${remapped}: ${describeCounts(now.counts)}`);
  }
  if (typeof now.failure === 'string') said.push(`Stopped: ${now.failure}`);
  said.push(...describeBases(before, now));
  if (said.length > 0) return said.join('. ');
  if (now.processStatus === 'Processing') return 'Processing started';
  if (now.schedulerStatus === 'Processing') return 'Processing restarted';
  if (now.schedulerStatus === 'Completed') return 'Processing complete';
  return `Changed: ${fields.map(({ field }) => fieldInSentence(field)).join(', ')}`;
}

/** Describes a change of a proposed correction in a sentence. */
export function describeProposalChange(code: number, operation: string, fields: readonly UpdatedField[]): string {
  const now = valuesOf(fields, 'new');
  if (operation === 'Insert') {
    // The database may return a list of numbers as text: {3,4}.
    const rows = String(now.rowNumbers ?? '').match(/\d+/g) ?? [];
    return `Proposed a correction of ${formatCount(rows.length, 'row')} (proposal ${code})`;
  }
  if (now.status === 'Declined') return `Declined proposal ${code}: ${now.declineReason}`;
  if (now.status === 'Withdrawn') return `Withdrew proposal ${code}`;
  if (now.status === 'Outdated') return `Proposal ${code} is outdated: its errored rows changed`;
  if (now.status === 'Accepted') return `Proposal ${code} applied`;
  return typeof now.acceptingGenerationId === 'string' ? `Accepted proposal ${code}` : `Changed proposal ${code}`;
}
