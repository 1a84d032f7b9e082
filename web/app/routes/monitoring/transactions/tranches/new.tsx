import { useLoaderData } from '@remix-run/react';
import { startingCurrency } from '@tapeline/db/operations/companies/company-choices.ts';
import { readScreen } from '../../../../http/screen.server.ts';
import { actOnNote, noteOf, readEditPage } from '../edit-page.server.ts';
import { trancheEditDescription, trancheEditSchema } from '../forms/edit-forms.ts';
import { EditFrame, editCrumbs } from '../forms/edit-frame.tsx';
import { LoanTermsFields } from '../forms/terms-fields.tsx';
import { shownTerms, TERMS_LISTS } from '../forms/terms-form.ts';
import { TrancheFields } from '../forms/tranche-fields.tsx';

export { shouldRevalidate } from '../forms/edit-frame.tsx';

export const handle = editCrumbs('New tranche');

export const loader = readScreen('transactions/write', async (screen) => {
  const page = await readEditPage(screen);
  const note = noteOf(page.transaction.notes, screen.params.note);
  const { company } = page.transaction;
  return { page, note, currency: await screen.db((session) => startingCurrency(session, company)) };
});

export const action = actOnNote(
  trancheEditSchema,
  ({ tranches = [], ...note }, tranche) => {
    // The first tranche of a note is in force at once, unless it needs an approval.
    const sequenceActivated = tranches.length === 0 && !tranche.isDiscretional;
    return { ...note, tranches: [...tranches, { ...tranche, sequenceActivated }] };
  },
  TERMS_LISTS,
);

export default function NewTranche() {
  const { page, note, currency: ofCompany } = useLoaderData<typeof loader>();
  const last = note.tranches.at(-1);
  const currency = note.mainCurrency ?? last?.terms.commitments[0]?.amount.currency ?? ofCompany;
  return (
    <EditFrame
      id="tranche"
      description={trancheEditDescription}
      values={{
        sequence: String(Math.max(0, ...note.tranches.map(({ sequence }) => sequence)) + 1),
        terms: {
          ...shownTerms(null),
          commitments: [{ amount: { currency } }],
          ...(last ? { timeline: last.terms.timeline } : {}),
        },
      }}
      title="New tranche"
      facts={[page.transaction.title, note.title]}
      submit="Create tranche"
      searches
    >
      <TrancheFields />
      <LoanTermsFields isDebt={page.isDebt} ofNote={false} note={note.id} choices={page.choices} />
    </EditFrame>
  );
}
