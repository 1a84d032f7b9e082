import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { changeTransaction, noteOf, readEditPage } from '../edit-page.server.ts';
import { editCrumbs } from '../forms/crumbs.ts';
import { EditFrame } from '../forms/edit-frame.tsx';
import { transactionVersion } from '../forms/note-form.ts';
import { TermsFields } from '../forms/terms-fields.tsx';
import { noteTermsForm, noteTermsOf, shownTerms, TERMS_LISTS } from '../forms/terms-form.ts';

const schema = z.object({ terms: noteTermsForm, transactionVersion });

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Terms of ${data?.note.title ?? 'the note'} · Tapeline` },
];
export const handle = editCrumbs('Terms');

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/write', async (screen) => {
    const page = await readEditPage(screen);
    return { page, note: noteOf(page.transaction.notes, screen.params.note) };
  });

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      save: intent({
        permission: 'transactions/write',
        schema,
        async run({ terms, transactionVersion: version }, screen) {
          const { id } = await changeTransaction(screen, version, (document) => {
            const { id } = noteOf(document.notes, screen.params.note);
            return {
              ...document,
              notes: document.notes.map((one) => (one.id === id ? { ...one, terms: noteTermsOf(terms) } : one)),
            };
          });
          return redirect(paths.transaction(id, { note: screen.params.note }));
        },
      }),
    },
    { lists: TERMS_LISTS },
  );

/** The terms of a note, which apply where a tranche has none of its own. */
export default function EditNoteTerms() {
  const { page, note } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id, title } = page.transaction;
  const [form] = useScreenForm('terms', schema, {
    lastResult: answer?.lastResult,
    defaultValue: { terms: shownTerms(note.terms) },
  });
  return (
    <EditFrame
      title={`Terms of ${note.title}`}
      facts={[title, 'they apply where a tranche has none of its own']}
      page={page}
      answer={answer}
      form={form}
      here={paths.editNoteTerms(id, note.id)}
      cancelTo={paths.transaction(id, { note: note.id })}
      searches
    >
      <TermsFields isDebt={page.isDebt} ofNote choices={page.choices} />
    </EditFrame>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../../components/page/error-screen.tsx';
export { shouldRevalidate } from '../forms/revalidate.ts';
