import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { changeTransaction, noteOf, readEditPage, trancheOf } from '../edit-page.server.ts';
import { editCrumbs } from '../forms/crumbs.ts';
import { EditFrame } from '../forms/edit-frame.tsx';
import { TermsFields } from '../forms/terms-fields.tsx';
import { shownTerms, TERMS_LISTS } from '../forms/terms-form.ts';
import { TrancheFields } from '../forms/tranche-fields.tsx';
import { trancheEditSchema } from '../forms/tranche-form.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit ${data?.tranche.title ?? 'tranche'} · Tapeline` },
];
export const handle = editCrumbs('Edit tranche');

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/write', async (screen) => {
    const page = await readEditPage(screen);
    const note = noteOf(page.transaction.notes, screen.params.note);
    return { page, note, tranche: trancheOf(note, screen.params.sequence) };
  });

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      save: intent({
        permission: 'transactions/write',
        schema: trancheEditSchema,
        async run({ transactionVersion, ...fields }, screen) {
          const { id } = await changeTransaction(screen, transactionVersion, (document) => {
            const note = noteOf(document.notes, screen.params.note);
            const { sequence } = trancheOf(note, screen.params.sequence);
            const tranches = note.tranches.map((one) => (one.sequence === sequence ? { ...one, ...fields } : one));
            return {
              ...document,
              notes: document.notes.map((one) => (one.id === note.id ? { ...one, tranches } : one)),
            };
          });
          return redirect(paths.transaction(id, { note: screen.params.note }));
        },
      }),
    },
    { lists: TERMS_LISTS },
  );

export default function EditTranche() {
  const { page, note, tranche } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id, title } = page.transaction;
  const { terms, isDiscretional, approval: _, ...fields } = tranche;
  const [form] = useScreenForm('tranche', trancheEditSchema, {
    lastResult: answer?.lastResult,
    defaultValue: { ...fields, isDiscretional: isDiscretional ? 'on' : '', terms: shownTerms(terms) },
  });
  return (
    <EditFrame
      title={`Edit ${tranche.title}`}
      facts={[title, note.title, tranche.sequenceActivated ? 'active' : 'not active']}
      page={page}
      answer={answer}
      form={form}
      here={paths.editTranche(id, note.id, tranche.sequence)}
      cancelTo={paths.transaction(id, { note: note.id })}
      searches
    >
      <TrancheFields />
      <TermsFields isDebt={page.isDebt} ofNote={false} choices={page.choices} />
    </EditFrame>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../../components/page/error-screen.tsx';
export { shouldRevalidate } from '../forms/revalidate.ts';
