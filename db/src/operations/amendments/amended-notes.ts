import type { AmendedTerms } from '@tapeline/domain/amendments/amendment.schema.ts';
import { differenceInWords, termDifferences } from '@tapeline/domain/amendments/amendment-words.ts';
import {
  changeOf,
  followEdits,
  hasPart,
  type NoteAmendment,
  noteVersions,
  originalNote,
  putInForce,
  saysSame,
} from '@tapeline/domain/amendments/versions.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { pricingCovenants } from '@tapeline/domain/facilities/priced-by.ts';
import type { TermNames } from '@tapeline/domain/facilities/terms-in-words.ts';
import type { NoteWithoutContracts } from '@tapeline/domain/facilities/transaction.schema.ts';
import { totalByCurrency } from '@tapeline/domain/money/totals.ts';
import { Amendment } from '../../entities/amendments.ts';
import type { StoredNote, Transaction } from '../../entities/lending.ts';
import { plainJson } from '../../plain-json.ts';
import { asProgram, type Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { covenantTitles } from '../covenants/pricing-tests.ts';
import { changedMetadata } from '../metadata.ts';
import { amendmentsOfNotes } from './note-amendments.ts';

/** The names of what any version of the terms of a note refers to: the payees of fees, and the covenants that price its interest. */
async function termNames(session: Session, versions: readonly NoteWithoutContracts[]): Promise<TermNames> {
  const titles = await covenantTitles(session, versions.flatMap(pricingCovenants));
  const fees = versions
    .flatMap((note) => [note.terms, ...note.tranches.map(({ terms }) => terms)])
    .flatMap((terms) => terms?.fees ?? []);
  const ids = fees.flatMap(({ payee }) => (payee && 'entity' in payee ? [payee.entity] : []));
  if (ids.length === 0) return titles;
  const rows = await session.query<{ id: string; name: string }>('select id, name from entities where id = any ($1)', [
    ids,
  ]);
  return { ...titles, ...Object.fromEntries(rows.map(({ id, name }) => [id, name])) };
}

/** A note with the terms of today, and what each amendment replaced and changes in words. */
export interface AmendedState {
  readonly note: StoredNote;
  readonly of: ReadonlyMap<string, { readonly replaced: AmendedTerms | null; readonly changes: string[] }>;
}

/** The note as it is today with these amendments and no others. @param stored the amendments that it has now */
export async function withAmendments(
  session: Session,
  note: StoredNote,
  { stored, next }: { stored: readonly NoteAmendment[]; next: readonly NoteAmendment[] },
): Promise<AmendedState> {
  const original = originalNote(note, stored);
  const { note: amended, replaced } = putInForce(original, next, todayOf(session));
  const versions = noteVersions(
    amended,
    next.map((one) => ({ ...one, replaced: replaced.get(one.id) ?? null })),
  );
  const names = await termNames(
    session,
    versions.map((version) => version.note),
  );
  const changes = new Map(
    versions.flatMap(({ amendment, from }, index) =>
      amendment && from
        ? [[amendment.id, termDifferences(changeOf(versions, index), names).map((one) => differenceInWords(one, from))]]
        : [],
    ),
  );
  return {
    note: amended,
    of: new Map(next.map(({ id }) => [id, { replaced: replaced.get(id) ?? null, changes: changes.get(id) ?? [] }])),
  };
}

/** Writes the terms of today of a note into its facility. */
export function writeNote(session: Session, transaction: Transaction, note: StoredNote): void {
  const stored = transaction.notes.find(({ id }) => id === note.id);
  if (saysSame(stored, note)) return;
  transaction.notes = transaction.notes.map((one) => (one.id === note.id ? plainJson(note) : one));
  transaction.maxCommitments = totalByCurrency(transaction.notes.flatMap(({ maxCommitments }) => maxCommitments));
  transaction.metadata = changedMetadata(session, transaction.metadata);
}

/** Writes what the amendments of a note replaced and change, where that is another by now. */
export async function writeAmendments(session: Session, { of }: Pick<AmendedState, 'of'>): Promise<void> {
  const amendments = await session.em.find(Amendment, { id: { $in: [...of.keys()] } });
  for (const amendment of amendments) {
    const { replaced, changes } = of.get(amendment.id)!;
    if (!saysSame(amendment.replaced, replaced)) amendment.replaced = plainJson(replaced);
    if (!saysSame(amendment.changes, changes)) amendment.changes = changes;
  }
  await session.em.flush();
}

/**
 * Puts amendments of notes in force whose day has come.
 * @returns how many
 */
export async function putDueInForce(session: Session, transaction: Transaction): Promise<number> {
  const today = todayOf(session);
  const amendments = await amendmentsOfNotes(
    session,
    transaction.notes.map(({ id }) => id),
  );
  let count = 0;
  for (const note of transaction.notes) {
    const stored = amendments.get(note.id) ?? [];
    const due = stored.filter(({ effectiveDate, replaced }) => replaced === null && effectiveDate <= today);
    if (due.length === 0) continue;
    const state = await withAmendments(session, note, { stored, next: stored });
    writeNote(session, transaction, state.note);
    await session.em.flush();
    await writeAmendments(session, state);
    count += due.length;
  }
  return count;
}

/** @throws Refusal badRequest if an invoice was calculated with one of the amendments, which is then not edited any more */
async function refuseInvoiced(session: Session, note: StoredNote, amendmentIds: readonly string[]): Promise<void> {
  const [used] = await asProgram(session, () =>
    session.query<{ number: number }>(
      `select number from invoices where note_id = $1 and status = 'Active' and amendment_ids ?| $2::text[] order by number limit 1`,
      [note.id, amendmentIds],
    ),
  );
  if (!used) return;
  throw new Refusal(
    'badRequest',
    `Invoice ${used.number} of ${note.title} was calculated with the terms in force. Amend the terms from a day on instead of editing them`,
  );
}

/**
 * After the notes of a facility were edited: an edit changes the version in force. A note or a tranche with amendments stays.
 * @throws Refusal badRequest if one was removed, or if an invoice was calculated with the version that was edited
 */
export async function followNoteEdits(
  session: Session,
  transaction: Transaction,
  before: readonly StoredNote[],
): Promise<void> {
  const all = await amendmentsOfNotes(
    session,
    before.map(({ id }) => id),
  );
  for (const earlier of before) {
    const amendments = all.get(earlier.id) ?? [];
    if (amendments.length === 0) continue;
    const index = transaction.notes.findIndex(({ id }) => id === earlier.id);
    const note = transaction.notes[index];
    const lost = note ? amendments.find((one) => !hasPart(note, one)) : amendments[0];
    if (!note || lost) {
      const since = lost && ` from ${formatCalendarDate(lost.effectiveDate)}`;
      throw new Refusal(
        'badRequest',
        note
          ? `The amendment ${lost?.title}${since} changes a tranche of ${note.title} that would be removed. Remove the amendment first`
          : `The note ${earlier.title} has amendments. Remove them first`,
        { flags: { [note ? `notes.${index}.tranches` : 'notes']: 'must keep what an amendment changes' } },
      );
    }
    const edits = followEdits(earlier, note, amendments);
    if (edits.size === 0) continue;
    await refuseInvoiced(session, earlier, [...edits.keys()]);
    const edited = await session.em.find(Amendment, { id: { $in: [...edits.keys()] } });
    for (const amendment of edited) {
      const { terms, replaced } = edits.get(amendment.id)!;
      Object.assign(amendment, plainJson({ terms, replaced }));
      amendment.metadata = changedMetadata(session, amendment.metadata);
    }
    await session.em.flush();
    const stored = amendments.map((one) => ({ ...one, ...edits.get(one.id) }));
    await writeAmendments(session, await withAmendments(session, note, { stored, next: stored }));
  }
}
