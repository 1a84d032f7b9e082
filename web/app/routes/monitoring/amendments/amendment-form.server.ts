import { createHash } from 'node:crypto';
import { redirect } from '@remix-run/node';
import {
  type AmendmentPreview,
  createAmendment,
  previewAmendment,
} from '@tapeline/db/operations/amendments/amendments.ts';
import { noteOnDay } from '@tapeline/db/operations/amendments/note-amendments.ts';
import { COVENANT_BUCKET } from '@tapeline/db/operations/covenants/facility-figures.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { type AmendmentCreate, amendmentCreateSchema } from '@tapeline/domain/amendments/amendment.schema.ts';
import { editsOf } from '@tapeline/domain/amendments/versions.ts';
import { type CalendarDate, calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { flagsAt, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { activeTranche } from '@tapeline/domain/facilities/in-force.ts';
import type { NoteTerms } from '@tapeline/domain/facilities/terms.schema.ts';
import type { NoteWithoutContracts } from '@tapeline/domain/facilities/transaction.schema.ts';
import { storeUploads } from '../../../commands/form-files.server.ts';
import { refuseAtFields } from '../../../http/form-document.ts';
import { act, intent, readScreen, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { noteOf, readEditPage } from '../transactions/edit-page.server.ts';
import { shownTerms, TERMS_LISTS } from '../transactions/forms/terms-form.ts';
import { type AmendmentForm, amendmentForm } from './amendment-form.ts';

type EditedNote = NoteWithoutContracts & { id: string };

/** The part of a note that the address names: a tranche, or the note's own terms. @throws Refusal notFound */
function partOf(note: NoteWithoutContracts, url: URL): { tranche: number | null; title: string; terms: NoteTerms } {
  const asked = url.searchParams.get('tranche');
  if (asked === 'note') return { tranche: null, title: note.title, terms: note.terms ?? {} };
  const tranche =
    asked === null
      ? (activeTranche(note) ?? note.tranches[0])
      : note.tranches.find(({ sequence }) => String(sequence) === asked);
  if (!tranche && asked !== null) throw new Refusal('notFound');
  return tranche
    ? { tranche: tranche.sequence, title: tranche.title, terms: tranche.terms }
    : { tranche: null, title: note.title, terms: note.terms ?? {} };
}

/** The day whose terms the form starts with; null for today. @throws Refusal badRequest for no day */
function dayOf(url: URL): CalendarDate | null {
  const asked = url.searchParams.get('day');
  if (asked === null) return null;
  const day = calendarDateSchema.safeParse(asked);
  if (!day.success) throw new Refusal('badRequest', 'The day is not a date');
  return day.data;
}

/** The note as it is shown in the form before anything is changed. */
function noteToAmend(session: Session, note: EditedNote, url: URL): Promise<EditedNote> {
  const day = dayOf(url);
  return day === null ? Promise.resolve(note) : noteOnDay(session, note, day);
}

export const readAmendmentForm = readScreen('transactions/write', async (screen) => {
  const page = await readEditPage(screen);
  const current = noteOf(page.transaction.notes, screen.params.note);
  const note = await screen.db((session) => noteToAmend(session, current, screen.url));
  return { page, note, part: partOf(note, screen.url), day: dayOf(screen.url) };
});

const text = (path: readonly PropertyKey[]): string =>
  path
    .map((part, at) => (/^\d+$/.test(String(part)) ? `[${String(part)}]` : at === 0 ? part : `.${String(part)}`))
    .join('');

/** What the form changes: the terms that differ from those that it was opened with. @throws Refusal badRequest */
async function bodyOf(session: Session, form: AmendmentForm, { params, url }: Screen): Promise<AmendmentCreate> {
  if (form.refused) throw new Refusal('badRequest', form.refused);
  const transaction = await getTransaction(session, params.id ?? '');
  if (transaction.version !== form.transactionVersion) {
    throw new Refusal(
      'badRequest',
      'The facility was changed while you were editing. Open the form again, so that it starts with its terms of now',
    );
  }
  const note = noteOf(transaction.notes, params.note);
  const { tranche, terms: before } = partOf(await noteToAmend(session, note, url), url);
  const { commitments, timeline, ...terms } = form.terms;
  const after = {
    ...terms,
    ...(commitments.length > 0 ? { commitments } : {}),
    timeline: { ...before.timeline, ...timeline },
  } as NoteTerms;
  const edits = editsOf(before, after);
  if (!edits) {
    throw new Refusal('badRequest', 'Nothing is changed yet. Change the terms that the amendment changes');
  }
  const parsed = amendmentCreateSchema.safeParse({
    transaction: transaction.id,
    note: note.id,
    title: form.title,
    effectiveDate: form.effectiveDate,
    tranche,
    terms: edits,
    document: form.document || null,
    remark: form.remark,
  });
  if (!parsed.success) throw refuseAtFields(parsed.error.issues, text);
  return parsed.data;
}

/** What a person saw of the effect of an amendment: storing another one asks to review it again. */
const fingerprintOf = (body: AmendmentCreate, { changes, effects }: AmendmentPreview): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        body.effectiveDate,
        changes,
        effects.map(({ invoice, fee, adjustment }) => [invoice, fee, adjustment]),
      ]),
    )
    .digest('hex')
    .slice(0, 32);

const atFields = <Result>(work: Promise<Result>): Promise<Result> => flagsAt(work, (path) => text(path.split('.')));

/** The entered values as the fields of the form hold them: figures are texts there. */
const asTexts = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asTexts(inner)]));
};
const enteredOf = ({ refused: _, seen: __, terms: { timeline, ...terms }, ...form }: AmendmentForm) =>
  asTexts({ ...form, terms: { ...shownTerms(terms), timeline } });

const review = intent({
  permission: 'transactions/write',
  schema: amendmentForm,
  async run(form, screen) {
    const { preview, seen } = await screen.dryRun(async (session) => {
      const body = await bodyOf(session, form, screen);
      const found = await atFields(previewAmendment(session, body));
      return { preview: found, seen: fingerprintOf(body, found) };
    });
    return Response.json({
      intent: 'review',
      done: false,
      lastResult: { initialValue: enteredOf(form) },
      preview,
      seen,
    });
  },
});

/** The action of the form: it shows the effect first, and stores what was seen. */
export const saveAmendment = act(
  {
    review,
    create: intent({
      permission: 'transactions/write',
      schema: amendmentForm,
      async run(form, screen) {
        const { id } = await screen.db(async (session) => {
          const body = await bodyOf(session, form, screen);
          const preview = await atFields(previewAmendment(session, body));
          if (fingerprintOf(body, preview) !== form.seen) {
            throw new Refusal('badRequest', 'The effect has changed since you reviewed it. Review it again');
          }
          return createAmendment(session, body);
        });
        return redirect(paths.amendment(id));
      },
    }),
  },
  {
    lists: TERMS_LISTS,
    files: {
      permission: 'transactions/write',
      store: (screen: Screen) => storeUploads(screen, { bucket: COVENANT_BUCKET }),
    },
  },
);
