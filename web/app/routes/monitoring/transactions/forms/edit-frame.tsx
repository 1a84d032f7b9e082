import type { SubmissionResult } from '@conform-to/react';
import { useLocation } from '@remix-run/react';
import { type ReactNode, useState } from 'react';
import { formatInstant } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { ChoiceSearch } from '../../../../components/forms/choice-search.tsx';
import { FormActions, ScreenForm } from '../../../../components/forms/screen-form.tsx';
import { DifferenceList } from '../../../../components/history/difference-list.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import type { EditPage } from '../edit-page.server.ts';
import { labelOf } from './labels.ts';

export type EditAnswer = { lastResult: SubmissionResult<string[]> } | undefined;

/** The version that the form was submitted with; null before that. */
function submittedVersion(answer: EditAnswer): number | null {
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
        <b className="font-semibold">The transaction was changed while you were editing.</b> Nothing of yours is saved
        yet. Compare the changes with your entries below, then save again.
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
 * The frame of every page that changes a part of a transaction: title, what others changed meanwhile, search of the
 * pickers, the form and its buttons.
 */
export function EditFrame({
  title,
  facts = [],
  page,
  answer,
  form,
  intent = 'save',
  submit = 'Save',
  cancelTo,
  searches = false,
  children,
}: {
  title: string;
  facts?: readonly ReactNode[];
  page: EditPage;
  answer: EditAnswer;
  // biome-ignore lint/suspicious/noExplicitAny: accepts forms of any type
  form: any;
  intent?: string;
  submit?: string;
  cancelTo: string;
  /** Whether the form has pickers of entities and funds. */
  searches?: boolean;
  children: ReactNode;
}) {
  const { version } = page.transaction;
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
      <ScreenForm form={form} intent={intent} labels={labelOf}>
        <input type="hidden" name="transactionVersion" value={isStale ? version : (submitted ?? opened)} />
        {children}
        <FormActions submit={submit} submitting="Saving" cancelTo={cancelTo} />
      </ScreenForm>
    </>
  );
}
