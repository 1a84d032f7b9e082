import { redirect } from '@remix-run/node';
import { createCovenant, getCovenant, updateCovenant } from '@tapeline/db/operations/covenants/covenants.ts';
import { namesForFormulas } from '@tapeline/db/operations/covenants/facility-figures.ts';
import { termsOf } from '@tapeline/db/operations/covenants/test-due-covenants.ts';
import { drawnNotes, getNote } from '@tapeline/db/operations/draws/drawable-notes.ts';
import type { Session } from '@tapeline/db/store.ts';
import { CERTIFICATE_FIGURE_NAMES } from '@tapeline/domain/covenants/certificate-figures.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { POOL_FIGURE_NAMES } from '@tapeline/domain/pools/pool-figures.ts';
import { act, intent, type Screen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { mayChange } from '../covenant-list.server.ts';
import { covenantForm, NEW_TERMS, shownCovenantTerms } from './covenant-form.ts';

/** The names that a formula of the note can use. */
async function namesOf(session: Session, of: { noteId: string; companyId: string }) {
  const { ofContract, ofBorrower } = await namesForFormulas(session, of);
  return [
    {
      label: 'Figures of its certificates',
      names: CERTIFICATE_FIGURE_NAMES.filter((name) => !POOL_FIGURE_NAMES.includes(name)),
    },
    { label: 'Figures of its tapes, in per cent', names: POOL_FIGURE_NAMES },
    { label: 'Values of its contract in force', names: ofContract },
    { label: 'Facility figures of the borrower', names: ofBorrower },
  ];
}

function requireManager(screen: Screen): void {
  if (!mayChange(screen)) throw new Refusal('forbidden', 'Only the manager can change covenants');
}

/** The form of a stored covenant, or of a new one of a note, which is chosen first. */
export function readCovenantForm(screen: Screen) {
  requireManager(screen);
  const { params, url } = screen;
  return screen.db(async (session) => {
    if (params.id !== undefined) {
      const covenant = await getCovenant(session, params.id);
      const { id, title, companyName, noteTitle, version, clauseText } = covenant;
      return {
        picker: null,
        noteId: covenant.noteId,
        stored: { id, title },
        of: `${companyName}, ${noteTitle}`,
        names: await namesOf(session, covenant),
        values: shownCovenantTerms({ ...termsOf(covenant), clauseText, version }),
      };
    }
    const noteId = url.searchParams.get('note');
    const picker = await drawnNotes(session, { search: url.searchParams.get('find'), chosen: noteId });
    const base = { picker, noteId: noteId ?? '', stored: null, of: null, names: [], values: NEW_TERMS };
    if (!noteId) return base;
    const { note, transaction } = await getNote(session, noteId);
    const { companyId, title } = transaction;
    return { ...base, of: `${title}, ${note.title}`, names: await namesOf(session, { noteId, companyId }) };
  });
}

export const saveCovenant = act(
  {
    create: intent({
      permission: 'transactions/write',
      schema: covenantForm,
      async run({ version: _, ...terms }, { db, url }) {
        const id = await db(async (session) => {
          const { note, transaction } = await getNote(session, url.searchParams.get('note') ?? '');
          return (await createCovenant(session, { ...terms, transaction: transaction.id, note: note.id })).id;
        });
        return redirect(paths.covenant(id));
      },
    }),
    save: intent({
      permission: 'transactions/write',
      schema: covenantForm,
      async run({ version = 0, ...terms }, { db, params: { id = '' } }) {
        await db((session) => updateCovenant(session, { id, body: { ...terms, version } }));
        return redirect(paths.covenant(id));
      },
    }),
  },
  { lists: ['steps'] },
);
