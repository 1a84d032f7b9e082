import { redirect } from '@remix-run/node';
import {
  createDeliverable,
  getDeliverable,
  updateDeliverable,
} from '@tapeline/db/operations/deliverables/deliverables.ts';
import { type DeliverablePerson, deliverablePeople } from '@tapeline/db/operations/deliverables/people.ts';
import { listTransactions } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { chosenCompany } from '../../../../commands/chosen-company.server.ts';
import { act, intent, type Screen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { bodyOf } from '../deliverable/deliverable-page.server.ts';
import { mayDecide } from '../deliverable-list.server.ts';
import { deliverableForm, enteredTerms, NEW_DELIVERABLE, shownDeliverableTerms } from './deliverable-form.ts';

/** Facilities of a borrower whose notes the form offers. */
const MAX_FACILITIES = 100;

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The notes of a borrower. */
async function notesOf(session: Session, company: string): Promise<(Choice & { transaction: string })[]> {
  const { documents } = await listTransactions(session, {
    filter: { company, status: 'Active' },
    limit: MAX_FACILITIES,
  });
  return documents.flatMap(({ id, title, notes }) =>
    notes.map((note) => ({ value: note.id, label: `${title}, ${note.title}`, transaction: id })),
  );
}

/** Who can send what a borrower owes, and who can review it. */
async function peopleOf(session: Session, company: string): Promise<{ senders: Choice[]; reviewers: Choice[] }> {
  const people = await deliverablePeople(session, company);
  const choices = (wanted: DeliverablePerson['side']) =>
    people.filter(({ side }) => side === wanted).map(({ value, label }) => ({ value, label }));
  return { senders: choices('sender'), reviewers: choices('reviewer') };
}

function requireManager(screen: Screen): void {
  if (!mayDecide(screen)) throw new Refusal('forbidden', 'Only the manager can change deliverables');
}

/** The form of a stored deliverable, or of a new one of a borrower, who is chosen first. */
export function readDeliverableForm(screen: Screen) {
  requireManager(screen);
  const { params, url } = screen;
  return screen.db(async (session) => {
    if (params.id !== undefined) {
      const deliverable = await getDeliverable(session, params.id);
      return {
        picker: null,
        company: { id: deliverable.companyId, name: deliverable.companyName },
        note: deliverable.noteTitle,
        stored: { id: deliverable.id, title: deliverable.title },
        notes: [],
        ...(await peopleOf(session, deliverable.companyId)),
        values: shownDeliverableTerms({ ...bodyOf(deliverable), version: deliverable.version }) as Record<
          string,
          unknown
        >,
      };
    }
    const { picker, company } = await chosenCompany(session, url);
    return {
      picker,
      company,
      note: null,
      stored: null,
      notes: company ? await notesOf(session, company.id) : [],
      ...(company ? await peopleOf(session, company.id) : { senders: [], reviewers: [] }),
      values: { ...NEW_DELIVERABLE, note: url.searchParams.get('note') ?? '' } as Record<string, unknown>,
    };
  });
}

export const saveDeliverable = act({
  create: intent({
    permission: 'transactions/write',
    schema: deliverableForm,
    async run(form, { db, url }) {
      const company = url.searchParams.get('company') ?? '';
      const id = await db(async (session) => {
        const note = form.note ? (await notesOf(session, company)).find(({ value }) => value === form.note) : null;
        if (note === undefined) {
          throw new Refusal('badRequest', undefined, { flags: { note: 'is not a note of this borrower' } });
        }
        if (form.kind === 'certificate' && note === null) {
          throw new Refusal('badRequest', undefined, { flags: { note: 'A certificate belongs to one note' } });
        }
        const created = await createDeliverable(session, {
          ...enteredTerms(form),
          company,
          transaction: note?.transaction ?? null,
          note: note?.value ?? null,
        });
        return created.id;
      });
      return redirect(paths.deliverable(id));
    },
  }),
  save: intent({
    permission: 'transactions/write',
    schema: deliverableForm,
    async run(form, { db, params: { id = '' } }) {
      await db((session) =>
        updateDeliverable(session, { id, body: { ...enteredTerms(form), version: form.version ?? 0 } }),
      );
      return redirect(paths.deliverable(id));
    },
  }),
});
