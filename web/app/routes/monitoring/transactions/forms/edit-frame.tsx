import { type ShouldRevalidateFunction, useActionData, useLoaderData, useLocation } from '@remix-run/react';
import { type ReactNode, useState } from 'react';
import { formatInstant } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { ChoiceSearch } from '../../../../components/forms/choice-search.tsx';
import type { Entered, FormDescription } from '../../../../components/forms/form-description.ts';
import { FormActions, ScreenForm, useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { DifferenceList } from '../../../../components/history/difference-list.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import type { PageHandle } from '../../../../components/page/page-name.ts';
import type { ActionAnswer } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import type { EditPage } from '../edit-page.server.ts';
import { termLabelOf } from './labels.ts';

/** What a page that changes a part of a transaction reads: the transaction, and the note and tranche of its address. */
interface Located {
  page: EditPage;
  note?: { id: string; title: string };
  tranche?: { title: string };
}

/** The location of a page that changes a part of a transaction: its title, its note, and what the page does. */
export const editCrumbs = (label: string, title?: PageHandle<Located>['title']): PageHandle<Located> => ({
  crumbs: ({ page, note }) => [
    { label: page.transaction.title, to: paths.transaction(page.transaction.id) },
    ...(note
      ? [{ label: note.title, to: paths.transaction(page.transaction.id, { note: note.id, view: 'terms' }) }]
      : []),
    { label },
  ],
  ...(title === undefined ? {} : { title }),
});

/** A refused save reads the page again, so that it shows what others changed. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  defaultShouldRevalidate || actionStatus === 422;

/** The version that the form was submitted with; null before that. */
function submittedVersion(answer: ActionAnswer | undefined): number | null {
  const value = answer?.lastResult.initialValue?.transactionVersion;
  return typeof value === 'string' && value !== '' ? Number(value) : null;
}

/** What others changed since the form was opened. What was entered is kept: saving again replaces their values. */
function Conflict({ changes, count, to }: { changes: EditPage['changes']; count: number; to: string }) {
  const others = changes.slice(0, count);
  return (
    <>
      <Notice
        tone="warning"
        action={
          <LinkButton to={to} reloadDocument tone="quiet">
            Discard my entries
          </LinkButton>
        }
      >
        <b className="font-semibold">The facility was changed while you were editing.</b> Nothing of yours is saved yet.
        Compare the changes with your entries below, then save again.
      </Notice>
      {others.map((change) => (
        <section key={change.id} aria-label={`Change by ${change.by.name}`} className="mb-5 max-w-[60rem]">
          <h2 className="mb-1.5 text-sm font-medium">
            {change.by.name}, {formatInstant(change.at)} UTC
          </h2>
          <DifferenceList lines={change.lines} />
        </section>
      ))}
    </>
  );
}

/**
 * Every page that changes a part of a transaction: title, what others changed meanwhile, search of the pickers, the form
 * and its buttons. It leads back to the note of its address, or to the transaction.
 * @param values what the fields hold at first
 * @param searches whether the form has pickers of entities and funds
 */
export function EditFrame<Description extends FormDescription>({
  id,
  description,
  values,
  title,
  facts,
  submit = 'Save',
  searches = false,
  children,
}: {
  id: string;
  description: Description;
  values?: Partial<Record<keyof Entered<Description> & string, unknown>>;
  title: string;
  facts: readonly string[];
  submit?: string;
  searches?: boolean;
  children: ReactNode;
}) {
  const { page, note } = useLoaderData() as Located;
  const answer = useActionData<ActionAnswer>();
  const [form] = useScreenForm(id, description, { lastResult: answer?.lastResult, defaultValue: values });
  const { version, id: transaction } = page.transaction;
  const { pathname } = useLocation();
  const [opened] = useState(version);
  const submitted = submittedVersion(answer);
  // Adding a row to a list also answers the form, and saves nothing.
  const isStale = submitted !== null && submitted < version && answer?.lastResult.status === 'error';
  const { entityCounts, fundCounts } = page.choices;
  return (
    <>
      <PageHeader title={title} facts={facts} />
      {isStale ? <Conflict changes={page.changes} count={version - submitted} to={pathname} /> : null}
      {searches && entityCounts ? (
        <ChoiceSearch id="find-entity" name="findEntity" noun={['entity', 'entities']} counts={entityCounts} />
      ) : null}
      {searches && fundCounts ? (
        <ChoiceSearch id="find-fund" name="findFund" noun={['fund', 'funds']} counts={fundCounts} />
      ) : null}
      <ScreenForm form={form} intent="save" labels={termLabelOf}>
        <input type="hidden" name="transactionVersion" value={isStale ? version : (submitted ?? opened)} />
        {children}
        <FormActions
          submit={submit}
          submitting="Saving"
          cancelTo={paths.transaction(transaction, { ...(note ? { note: note.id } : {}), view: 'terms' })}
        />
      </ScreenForm>
    </>
  );
}
