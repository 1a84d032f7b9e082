import { amendmentCollection } from '@tapeline/domain/amendments/amendment.collection.ts';
import { type AmendmentCreate, MAX_AMENDMENTS_PER_NOTE } from '@tapeline/domain/amendments/amendment.schema.ts';
import { hasPart, type NoteAmendment, noteVersions, originalNote } from '@tapeline/domain/amendments/versions.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { timelineInForce } from '@tapeline/domain/facilities/in-force.ts';
import { EQUITY_TYPE, transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { type InvoiceEffect, invoiceEffects } from '@tapeline/domain/invoices/amendment-effects.ts';
import { Amendment } from '../../entities/amendments.ts';
import { type StoredNote, Transaction } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import { plainJson } from '../../plain-json.ts';
import { asProgram, type Session } from '../../store.ts';
import { COVENANT_BUCKET } from '../covenants/facility-figures.ts';
import { pricingTests } from '../covenants/pricing-tests.ts';
import { namedDocument } from '../files/files.ts';
import { billedOf } from '../invoices/billed-notes.ts';
import { lockNote } from '../ledger/lock-notes.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { refuseBorrower, requirePermission } from '../permission.ts';
import { requireCommitmentsKept } from '../transactions/commitments-kept.ts';
import { checkReferences } from '../transactions/references.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';
import { type AmendedState, withAmendments, writeAmendments, writeNote } from './amended-notes.ts';
import { amendmentsOf } from './note-amendments.ts';

export const AMENDMENTS = listOf('amendments', {
  transaction: 't.transaction_id',
  note: 't.note_id',
});

/** An amendment with the names of what it belongs to, and whether it can be removed. */
export type AmendmentView = Amendment & {
  readonly companyName: string;
  readonly transactionTitle: string;
  readonly noteTitle: string;
  /** The number of an issued invoice that was calculated with it; null if there is none. */
  readonly usedBy: number | null;
};

const FACTS = `select page.id, c.name as "companyName", one.title as "transactionTitle", note.value ->> 'title' as "noteTitle",
    (select min(i.number) from invoices i where i.note_id = page.note_id and i.status = 'Active' and i.amendment_ids ? page.id) as "usedBy"
  from page join transactions one on one.id = page.transaction_id join companies c on c.id = page.company_id
  join lateral jsonb_array_elements(one.notes) as note on note.value ->> 'id' = page.note_id`;

type Facts = Pick<AmendmentView, 'id' | 'companyName' | 'transactionTitle' | 'noteTitle' | 'usedBy'>;

const VIEWS = viewsOf(AMENDMENTS, [FACTS], (amendments, [rows = []]: [Facts[]?]): AmendmentView[] => {
  const facts = new Map(rows.map((row) => [row.id, row]));
  return amendments.map((amendment) => {
    const { companyName = '', transactionTitle = '', noteTitle = '', usedBy = null } = facts.get(amendment.id) ?? {};
    return { ...amendment, companyName, transactionTitle, noteTitle, usedBy };
  });
});
export const listAmendments = VIEWS.list;

/** @throws Refusal notFound */
export const getAmendment = async (session: Session, id: string): Promise<AmendmentView> =>
  VIEWS.one(session, await getDocument(session, AMENDMENTS, id));

/** The amendments of a note that the actor can see, the latest first. */
export const amendmentsOfNote = async (session: Session, noteId: string): Promise<AmendmentView[]> => {
  const { documents } = await listAmendments(session, {
    filter: { note: noteId },
    sort: { effectiveDate: -1 },
    limit: MAX_AMENDMENTS_PER_NOTE,
  });
  return documents.toSorted((one, other) =>
    one.effectiveDate === other.effectiveDate
      ? other.code - one.code
      : one.effectiveDate < other.effectiveDate
        ? 1
        : -1,
  );
};

function requireAmending(session: Session): void {
  requirePermission(session, amendmentCollection.write);
  refuseBorrower(session, 'Only the manager can amend the terms');
}

/** The facility and its note, whose terms nobody else changes until the transaction ends. @throws Refusal */
async function lockedNote(session: Session, transactionId: string, noteId: string) {
  await getDocument(session, TRANSACTIONS, transactionId);
  await session.query('select 1 from transactions where id = $1 for no key update', [transactionId]);
  await lockNote(session, noteId);
  const transaction = await session.em.findOneOrFail(Transaction, { id: transactionId }, { refresh: true });
  if (transaction.status === 'Closed') {
    throw new Refusal('badRequest', 'A closed facility cannot change', { flags: { transaction: 'is Closed' } });
  }
  const note = transaction.notes.find(({ id }) => id === noteId);
  if (!note) throw new Refusal('badRequest', undefined, { flags: { note: 'is not a note of this facility' } });
  return { transaction, note };
}

/** The path of a field of a note as one of the amendment. */
const fieldOf = (path: readonly PropertyKey[]): string => {
  const at = path.indexOf('terms');
  return at < 0 ? 'terms' : path.slice(at).join('.');
};

/** @throws Refusal badRequest if a version of the note breaks a rule of its terms */
async function requireTerms(
  session: Session,
  transaction: Transaction,
  versions: readonly { note: StoredNote }[],
): Promise<void> {
  const { title, type, industries, companyId: company } = transaction;
  for (const { note } of versions) {
    const kind = type === EQUITY_TYPE ? { kind: 'equity', equityType: type } : { kind: 'debt', loanType: type };
    const whole = { title, type: kind, industries, company, notes: [{ ...note, contracts: [] }] };
    const parsed = transactionSchema.safeParse(whole);
    if (!parsed.success) {
      const flags = Object.fromEntries(parsed.error.issues.map(({ path, message }) => [fieldOf(path), message]));
      throw new Refusal('badRequest', undefined, { flags });
    }
    await checkReferences(session, parsed.data, transaction.managerId, transaction.notes);
  }
}

interface Plan {
  readonly transaction: Transaction;
  readonly note: StoredNote;
  readonly amendment: NoteAmendment;
  readonly state: AmendedState;
  readonly effects: readonly InvoiceEffect[];
}

/** What an amendment would make of the note and of invoices that are issued. Stores nothing. */
async function planAmendment(session: Session, body: AmendmentCreate): Promise<Plan> {
  requireAmending(session);
  const { transaction, note } = await lockedNote(session, body.transaction, body.note);
  const { effectiveDate, terms, title } = body;
  const amendment: NoteAmendment = {
    id: newId(session.now),
    title,
    effectiveDate,
    tranche: body.tranche ?? null,
    terms,
    replaced: null,
  };
  const flag = (name: string, problem: string, message?: string) =>
    new Refusal('badRequest', message, { flags: { [name]: problem } });
  if (!hasPart(note, amendment)) throw flag('tranche', 'is not a tranche of this note');
  const stored = await amendmentsOf(session, note.id);
  if (stored.length >= MAX_AMENDMENTS_PER_NOTE) {
    throw new Refusal('badRequest', `A note has at most ${MAX_AMENDMENTS_PER_NOTE} amendments`);
  }
  const signing = timelineInForce(originalNote(note, stored))?.contractSigning;
  if (signing && effectiveDate <= signing) {
    throw flag('effectiveDate', `must be after the contract signing on ${formatCalendarDate(signing)}`);
  }
  const next = [...stored, amendment];
  const state = await withAmendments(session, note, { stored, next });
  const amended = next.map((one) => ({ ...one, replaced: state.of.get(one.id)?.replaced ?? null }));
  const versions = noteVersions(state.note, amended);
  await requireTerms(
    session,
    transaction,
    versions.filter(({ from }) => from !== null && from >= effectiveDate),
  );
  if (state.of.get(amendment.id)?.changes.length === 0) {
    throw flag('terms', 'are those of the day already', 'These are the terms of that day already');
  }
  const billed = await billedOf(session, note, transaction.managerId);
  const after = { note: state.note, amendments: amended };
  // It may name a covenant that no version did before.
  const effects = invoiceEffects(billed, { ...billed, ...after, tests: await pricingTests(session, after) });
  return { transaction, note, amendment, state, effects };
}

/** What an amendment changes, before it is stored. */
export interface AmendmentPreview {
  readonly changes: readonly string[];
  readonly effects: readonly InvoiceEffect[];
}

/** Shows what an amendment would change in words, and in invoices that are issued. @throws Refusal as `createAmendment` */
export async function previewAmendment(session: Session, body: AmendmentCreate): Promise<AmendmentPreview> {
  const { amendment, state, effects } = await planAmendment(session, body);
  return { changes: state.of.get(amendment.id)?.changes ?? [], effects };
}

/**
 * Amends the terms of a note from a day on. Issued invoices stay as they are: the next invoice has what it changes in them.
 * @throws Refusal forbidden without transactions/write and for borrowers; notFound; badRequest for a note or a tranche that the
 *   facility does not have, a Closed facility, terms that are not valid or the same, a day before the contract signing, commitments
 *   below the balance and approved draws, a document that is no uploaded file, and more than 100 amendments
 */
export async function createAmendment(session: Session, body: AmendmentCreate): Promise<AmendmentView> {
  const { transaction, note, amendment, state } = await planAmendment(session, body);
  const { id, title, effectiveDate, tranche, terms } = amendment;
  const { companyId } = transaction;
  const file = await namedDocument(session, { bucket: COVENANT_BUCKET, document: body.document, companyId });
  session.em.create(Amendment, {
    id,
    managerId: transaction.managerId,
    companyId,
    transactionId: transaction.id,
    noteId: note.id,
    ...{ title, effectiveDate, tranche, terms: plainJson(terms) },
    ...plainJson(state.of.get(id)!),
    scheduled: state.of.get(id)?.replaced === null,
    fileId: file?.id ?? null,
    remark: body.remark || null,
    metadata: createdMetadata(session),
  });
  writeNote(session, transaction, state.note);
  await session.em.flush();
  await writeAmendments(session, state);
  await requireCommitmentsKept(session, [note], [state.note]);
  return getAmendment(session, id);
}

/**
 * Removes an amendment that no issued invoice was calculated with: the note has the terms before it again.
 * @throws Refusal forbidden; notFound; badRequest if an invoice was calculated with it, or the facility is Closed
 */
export async function removeAmendment(session: Session, id: string): Promise<void> {
  requireAmending(session);
  const { transactionId, noteId } = await getDocument(session, AMENDMENTS, id);
  const { transaction, note } = await lockedNote(session, transactionId, noteId);
  const amendment = await session.em.findOneOrFail(Amendment, { id }, { refresh: true });
  const [used] = await asProgram(session, () =>
    session.query<{ number: number }>(
      `select number from invoices where note_id = $1 and status = 'Active' and amendment_ids ? $2 order by number limit 1`,
      [noteId, id],
    ),
  );
  if (used) {
    throw new Refusal(
      'badRequest',
      `Invoice ${used.number} was calculated with this amendment, so it stays. Amend the terms again from the same day instead`,
    );
  }
  const stored = await amendmentsOf(session, noteId);
  const next = stored.filter((one) => one.id !== id);
  const state = await withAmendments(session, note, { stored, next });
  amendment.status = 'Removed';
  amendment.metadata = changedMetadata(session, amendment.metadata);
  writeNote(session, transaction, state.note);
  await session.em.flush();
  await writeAmendments(session, state);
  await requireCommitmentsKept(session, [note], [state.note]);
}
