import type { CalendarDate } from '../dates/calendar-day.ts';
import { DEBT_ONLY_DATES, type NoteTerms } from '../facilities/terms.schema.ts';
import { maxCommitmentsOf, type NoteWithoutContracts } from '../facilities/transaction.schema.ts';
import { AMENDED_TERMS, type AmendedDate, type AmendedTerms } from './amendment.schema.ts';

/** A change of the terms of a note from a day on, as calculations read it. */
export interface NoteAmendment {
  readonly id: string;
  readonly title: string;
  readonly effectiveDate: CalendarDate;
  /** The sequence of the tranche whose terms change; null for the note's own terms. */
  readonly tranche: number | null;
  readonly terms: AmendedTerms;
  /** The same terms before it. Null until the note has the changed ones. */
  readonly replaced: AmendedTerms | null;
}

type Part = Pick<NoteAmendment, 'tranche'>;

const partOf = (note: NoteWithoutContracts, { tranche }: Part): NoteTerms | undefined =>
  tranche === null ? (note.terms ?? undefined) : note.tranches.find(({ sequence }) => sequence === tranche)?.terms;

/** Whether the note has what the amendment changes. */
export const hasPart = (note: NoteWithoutContracts, { tranche }: Part): boolean =>
  tranche === null || note.tranches.some(({ sequence }) => sequence === tranche);

/** Without what is undefined, and without what is null: a term that is removed. */
const stated = <Terms extends object>(terms: Terms): Terms =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => value != null)) as Terms;

/** The terms with changes made to them. */
function changed(terms: NoteTerms, changes: AmendedTerms): NoteTerms {
  const named = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  if (!changes.timeline) return stated({ ...terms, ...named });
  const timeline = stated({ ...terms.timeline, ...changes.timeline }) as NoteTerms['timeline'] & object;
  return stated({ ...terms, ...named, timeline: Object.keys(timeline).length > 0 ? timeline : undefined });
}

/** The note with the terms of one of its parts changed. */
function withTerms<Note extends NoteWithoutContracts>(note: Note, { tranche }: Part, changes: AmendedTerms): Note {
  if (tranche === null) return { ...note, terms: changed(note.terms ?? {}, changes) };
  const after = {
    ...note,
    tranches: note.tranches.map((one) =>
      one.sequence === tranche ? { ...one, terms: changed(one.terms, changes) as typeof one.terms } : one,
    ),
  };
  return changes.commitments === undefined ? after : { ...after, maxCommitments: maxCommitmentsOf(after) };
}

/** What the terms that `changes` names are now. A term that is not stated is null. */
function valuesOf(terms: NoteTerms | undefined, changes: AmendedTerms): AmendedTerms {
  const values: Record<string, unknown> = {};
  for (const key of AMENDED_TERMS) {
    if (changes[key] !== undefined) values[key] = terms?.[key] ?? null;
  }
  const dates = (Object.keys(changes.timeline ?? {}) as AmendedDate[]).filter(
    (date) => changes.timeline?.[date] !== undefined,
  );
  if (dates.length > 0) {
    values.timeline = Object.fromEntries(dates.map((date) => [date, terms?.timeline?.[date] ?? null]));
  }
  return values as AmendedTerms;
}

const inOrder = <One extends Pick<NoteAmendment, 'effectiveDate' | 'id'>>(amendments: readonly One[]): One[] =>
  amendments.toSorted((one, other) =>
    one.effectiveDate < other.effectiveDate
      ? -1
      : one.effectiveDate > other.effectiveDate
        ? 1
        : one.id < other.id
          ? -1
          : 1,
  );

/** The note as it was agreed before its first amendment. */
export function originalNote<Note extends NoteWithoutContracts>(
  note: Note,
  amendments: readonly NoteAmendment[],
): Note {
  return inOrder(amendments).reduceRight(
    (after, one) => (one.replaced ? withTerms(after, one, one.replaced) : after),
    note,
  );
}

/** The terms of a note from a day on. The original ones have no day and no amendment. */
export interface NoteVersion<Note extends NoteWithoutContracts = NoteWithoutContracts> {
  readonly from: CalendarDate | null;
  readonly amendment: NoteAmendment | null;
  readonly note: Note;
}

/** Every version of the terms of a note, the earliest first. Of several on one day, each follows from the one before. */
export function noteVersions<Note extends NoteWithoutContracts>(
  note: Note,
  amendments: readonly NoteAmendment[],
): NoteVersion<Note>[] {
  const versions: NoteVersion<Note>[] = [{ from: null, amendment: null, note: originalNote(note, amendments) }];
  for (const amendment of inOrder(amendments)) {
    const { effectiveDate, terms } = amendment;
    versions.push({ from: effectiveDate, amendment, note: withTerms(versions.at(-1)!.note, amendment, terms) });
  }
  return versions;
}

const inForceOn =
  (day: CalendarDate) =>
  ({ from }: Pick<NoteVersion, 'from'>) =>
    from === null || from <= day;

/** The note with its terms of a day. */
export const noteAsOf = <Note extends NoteWithoutContracts>(
  note: Note,
  amendments: readonly NoteAmendment[],
  day: CalendarDate,
): Note => (amendments.length === 0 ? note : noteVersions(note, amendments).findLast(inForceOn(day))!.note);

/** What changed with an amendment: terms before and after it. */
export interface VersionChange {
  readonly before: NoteTerms;
  readonly after: NoteTerms;
}

/** The terms that an amendment changed, before and after it. */
export function changeOf(versions: readonly NoteVersion[], index: number): VersionChange {
  const { amendment, note } = versions[index]!;
  const earlier = versions[index - 1];
  if (!amendment || !earlier) return { before: {}, after: {} };
  return { before: partOf(earlier.note, amendment) ?? {}, after: partOf(note, amendment) ?? {} };
}

/**
 * The amendments after one was added or removed, and the note with the terms of today: each again has the terms that it
 * replaced, and those of later days have not been put in force.
 * @param original the note before its first amendment
 */
export function putInForce<Note extends NoteWithoutContracts, One extends NoteAmendment>(
  original: Note,
  amendments: readonly One[],
  today: CalendarDate,
): { note: Note; replaced: ReadonlyMap<string, AmendedTerms | null> } {
  const replaced = new Map<string, AmendedTerms | null>();
  let note = original;
  for (const one of inOrder(amendments)) {
    if (one.effectiveDate > today) {
      replaced.set(one.id, null);
      continue;
    }
    replaced.set(one.id, valuesOf(partOf(note, one), one.terms));
    note = withTerms(note, one, one.terms);
  }
  return { note, replaced };
}

const isEmpty = (value: unknown): boolean =>
  value == null || (typeof value === 'object' && Object.keys(value).length === 0);

/** A JSON value with its fields in order and without what is empty: values that say the same have the same text. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, plain(inner)] as const)
      .filter(([, inner]) => !isEmpty(inner))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
};
export const saysSame = (one: unknown, other: unknown): boolean =>
  isEmpty(plain(one)) ? isEmpty(plain(other)) : JSON.stringify(plain(one)) === JSON.stringify(plain(other));

/** What part of the terms is from a day on. */
export interface TermStep<Value> {
  /** Null for what applies from the beginning. */
  readonly from: CalendarDate | null;
  readonly value: Value;
}

/** What follows from the terms, by day. A version that changes nothing of it has no step. */
export function stepsByDay<Value>(
  versions: readonly Pick<NoteVersion, 'from' | 'note'>[],
  termOf: (note: NoteWithoutContracts) => Value,
): TermStep<Value>[] {
  const steps: TermStep<Value>[] = [];
  for (const { from, note } of versions) {
    const value = termOf(note);
    const last = steps.at(-1);
    if (last && saysSame(last.value, value)) continue;
    if (last && last.from === from) {
      steps.pop();
      const earlier = steps.at(-1);
      if (earlier && saysSame(earlier.value, value)) continue;
    }
    steps.push({ from, value });
  }
  return steps;
}

/**
 * The amendments after the terms of a note were edited: an edit changes the version in force, and those before it keep their
 * terms.
 */
export function followEdits<One extends NoteAmendment>(
  before: NoteWithoutContracts,
  after: NoteWithoutContracts,
  amendments: readonly One[],
): ReadonlyMap<string, { terms: AmendedTerms; replaced: AmendedTerms }> {
  const found = new Map<string, { terms: AmendedTerms; replaced: AmendedTerms }>();
  const inForce = inOrder(amendments).filter(({ replaced }) => replaced !== null);
  for (const tranche of new Set(inForce.map((one) => one.tranche))) {
    const last = inForce.findLast((one) => one.tranche === tranche)!;
    const [was, is] = [partOf(before, last), partOf(after, last)];
    const edited = editsOf(was, is);
    if (!edited) continue;
    found.set(last.id, {
      terms: mergeTerms(last.terms, valuesOf(is, edited)),
      // What it replaced is known of the terms that it states; of the others it is what they were until now.
      replaced: mergeTerms(valuesOf(was, edited), last.replaced!),
    });
  }
  return found;
}

const mergeTerms = (one: AmendedTerms, other: AmendedTerms): AmendedTerms => ({
  ...one,
  ...other,
  ...(one.timeline || other.timeline ? { timeline: { ...one.timeline, ...other.timeline } } : {}),
});

/** The terms of which the values differ; undefined if none does. */
export function editsOf(before: NoteTerms | undefined, after: NoteTerms | undefined): AmendedTerms | undefined {
  const values: Record<string, unknown> = {};
  for (const key of AMENDED_TERMS) {
    const [was, is] = [before?.[key], after?.[key]];
    if (!saysSame(was, is)) values[key] = is ?? null;
  }
  const dates = DEBT_ONLY_DATES.filter(
    (date) => (before?.timeline?.[date] ?? null) !== (after?.timeline?.[date] ?? null),
  );
  if (dates.length > 0) {
    values.timeline = Object.fromEntries(dates.map((date) => [date, after?.timeline?.[date] ?? null]));
  }
  return Object.keys(values).length > 0 ? (values as AmendedTerms) : undefined;
}
