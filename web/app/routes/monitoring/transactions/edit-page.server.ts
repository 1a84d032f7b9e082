import { redirect } from '@remix-run/node';
import { pricingChoices } from '@tapeline/db/operations/covenants/pricing-tests.ts';
import { entityChoices } from '@tapeline/db/operations/entities/entity-choices.ts';
import { fundChoices } from '@tapeline/db/operations/funds/funds.ts';
import { historyOf } from '@tapeline/db/operations/history/history.ts';
import { suggestionsOf } from '@tapeline/db/operations/tables/tables.ts';
import {
  getTransaction,
  type TransactionView,
  updateTransaction,
} from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { flagsAt, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type TransactionInput, transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { LIST_NAMES } from '@tapeline/domain/tables/table.schema.ts';
import type { z } from 'zod';
import { viewChanges } from '../../../commands/history.server.ts';
import { countsOf } from '../../../components/forms/choice-search.tsx';
import { refuseAtFields } from '../../../http/form-document.ts';
import { act, intent, readScreen, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';

/** Changes of others that a page shows after a conflict. */
const MAX_CHANGES = 5;
/** Lines of each of them. */
const MAX_LINES = 30;

const closed = () => new Refusal('badRequest', 'The facility is Closed and cannot be changed');

/** The funds, entities, covenants and list options that the fields offer. */
async function choicesFor(session: Session, screen: Screen, transaction: TransactionView) {
  const { url, actor } = screen;
  const { notes, managerId } = transaction;
  const payees = notes.flatMap((note) =>
    [note.terms, ...note.tranches.map(({ terms }) => terms)].flatMap((terms) =>
      (terms?.fees ?? []).flatMap(({ payee }) => (payee && 'entity' in payee ? [payee.entity] : [])),
    ),
  );
  const counsels = notes.flatMap((note) => [...(note.counselsCompany ?? []), ...(note.counselsManager ?? [])]);
  const funds = notes.flatMap((note) => (note.holdings ?? []).flatMap(({ fund }) => fund ?? []));
  const search = url.searchParams;
  const entities = can(actor, 'entities/read')
    ? await entityChoices(session, managerId, { search: search.get('findEntity'), chosen: [...payees, ...counsels] })
    : null;
  const held = can(actor, 'funds/read')
    ? await fundChoices(session, managerId, { search: search.get('findFund'), chosen: funds })
    : null;
  const namesOf = (found: { id: string; name: string }[] | undefined, ids: readonly string[]) => {
    const listed = (found ?? []).map(({ id, name }) => ({ value: id, label: name }));
    const known = new Set(listed.map(({ value }) => value));
    const hidden = [...new Set(ids)].filter((id) => !known.has(id));
    return [...listed, ...hidden.map((id) => ({ value: id, label: 'One you don’t have access to' }))];
  };
  return {
    entities: namesOf(entities?.choices, [...payees, ...counsels]),
    entityCounts: entities && countsOf(entities),
    funds: namesOf(held?.choices, funds),
    fundCounts: held && countsOf(held),
    industries: await suggestionsOf(session, LIST_NAMES.industries),
    feeKinds: await suggestionsOf(session, LIST_NAMES.feeKinds),
    covenants: await pricingChoices(session, transaction.id),
  };
}

/** What every page that changes a transaction reads: the transaction, its latest changes, and what its fields offer. */
export const readEditPage = (screen: Screen) =>
  screen.db(async (session) => {
    const view = await getTransaction(session, screen.params.id ?? '');
    if (view.status === 'Closed') throw closed();
    const { managerId: _, metadata: __, notes, ...transaction } = view;
    const page = { limit: MAX_CHANGES };
    const history = can(screen.actor, 'history/read')
      ? await historyOf(session, [{ resource: 'transactions', ids: [view.id] }], page)
      : null;
    return {
      // The contracts have their own pages.
      transaction: { ...transaction, notes: notes.map(({ contracts: _contracts, ...note }) => note) },
      isDebt: view.type.kind === 'debt',
      changes: history ? await viewChanges(session, history.documents, MAX_LINES) : [],
      choices: await choicesFor(session, screen, view),
    };
  });
export type EditPage = Awaited<ReturnType<typeof readEditPage>>;

/** The note named in the address. @throws Refusal notFound */
export function noteOf<Note extends { id: string }>(notes: readonly Note[], id: string | undefined): Note {
  const note = notes.find((one) => one.id === id);
  if (!note) throw new Refusal('notFound');
  return note;
}

/** The tranche of the note with the sequence named in the address. @throws Refusal notFound */
export function trancheOf<Tranche extends { sequence: number }>(
  { tranches }: { tranches: readonly Tranche[] },
  sequence: string | undefined,
): Tranche {
  const tranche = tranches.find((one) => String(one.sequence) === sequence);
  if (!tranche) throw new Refusal('notFound');
  return tranche;
}

type Path = readonly PropertyKey[];

/** `notes.0.tranches.1.terms.fees.0.title` as the path in the form of that tranche: `terms.fees[0].title`. */
export const withoutPlace = (path: Path): Path => {
  const [first, , ...rest] = path;
  if (first !== 'notes') return path;
  return rest[0] === 'tranches' && rest.length > 2 ? rest.slice(2) : rest;
};

const fieldName = (path: Path): string =>
  path
    .map((part, at) =>
      /^\d+$/.test(String(part)) ? `[${String(part)}]` : at === 0 ? String(part) : `.${String(part)}`,
    )
    .join('');

/**
 * Changes a part of a transaction, and leaves everything else as it is stored.
 * @param change makes the new document from the stored one
 * @throws Refusal with flags at the fields of the form; badRequest if the version is stale
 */
export function changeTransaction(
  { db, params }: Screen,
  version: number,
  change: (document: TransactionInput & { notes: TransactionView['notes'] }) => TransactionInput,
): Promise<TransactionView> {
  return db(async (session) => {
    const view = await getTransaction(session, params.id ?? '');
    const { title, type, industries, company, notes, managerMaxCommitments } = view;
    const changed = change({ title, type, industries, company, notes, managerMaxCommitments });
    const parsed = transactionSchema.safeParse(changed);
    if (!parsed.success) throw refuseAtFields(parsed.error.issues, (path) => fieldName(withoutPlace(path)));
    const updated = updateTransaction(session, { id: view.id, version, document: parsed.data });
    return flagsAt(updated, (path) => fieldName(withoutPlace(path.split('.'))));
  });
}

/** The loader of a page that changes the note of its address. */
export const readNotePage = readScreen('transactions/write', async (screen) => {
  const page = await readEditPage(screen);
  return { page, note: noteOf(page.transaction.notes, screen.params.note) };
});

/** The loader of a page that changes the tranche of its address. */
export const readTranchePage = readScreen('transactions/write', async (screen) => {
  const page = await readEditPage(screen);
  const note = noteOf(page.transaction.notes, screen.params.note);
  return { page, note, tranche: trancheOf(note, screen.params.sequence) };
});

type StoredNote = TransactionView['notes'][number];
type NoteInput = TransactionInput['notes'][number];

/**
 * The action of a page that changes the note of its address, and leads to the note.
 * @param change makes the new note from the stored one; null removes it
 */
export const actOnNote = <Schema extends z.ZodType<{ transactionVersion: number }>>(
  schema: Schema,
  change: (note: StoredNote, form: Omit<z.output<Schema>, 'transactionVersion'>, screen: Screen) => NoteInput | null,
  lists: readonly string[] = [],
) =>
  act(
    {
      save: intent({
        permission: 'transactions/write',
        schema,
        async run({ transactionVersion, ...form }, screen) {
          const named = screen.params.note;
          const { id, notes } = await changeTransaction(screen, transactionVersion, (document) => {
            const note = noteOf(document.notes, named);
            const changed = change(note, form, screen);
            return { ...document, notes: document.notes.flatMap((one) => (one === note ? (changed ?? []) : [one])) };
          });
          return redirect(
            paths.transaction(id, {
              ...(notes.some((note) => note.id === named) ? { note: named } : {}),
              view: 'terms',
            }),
          );
        },
      }),
    },
    { lists },
  );
