import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import {
  getCallHeader,
  linesOfHeader,
  purposesOfCall,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { changeCall, listContributions } from '@tapeline/db/operations/capital/contributions.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { HiddenField } from '../../../components/organizations/party-form.tsx';
import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { act, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { InvestorsField } from '../class-field.tsx';
import { investorChoices } from '../draft-change.ts';
import { entryIntents, fundOfDraft } from '../entry.server.ts';
import { type EntryAnswer, EntryForm } from '../entry-form.tsx';
import { EntryFrame, OnlyDrafts } from '../entry-page.tsx';
import { CallFields } from './call-fields.tsx';
import { callChangeForm, callField, enteredCall } from './call-form.ts';
import { changeOfCall, type CallReview as Review, reviewCall, tryCallChange } from './call-review.server.ts';
import { CallReview } from './review.tsx';

export const handle: CrumbHandle<{ id: string; callNumber: string }> = {
  crumbs: ({ data: { id, callNumber } }) => [
    { label: `Call ${callNumber}`, to: paths.capitalCall(id) },
    { label: 'Edit' },
  ],
};
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit call ${data?.callNumber ?? ''} · Tapeline` },
];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'contributions/write', ({ db, params }) =>
    db(async (session) => {
      const header = await getCallHeader(session, params.id ?? '');
      const { id, callNumber, status, investors, version, fundId, cutOffDate, dueDate, amount } = header;
      const purposes = await purposesOfCall(session, id);
      const [first] = (await listContributions(session, { filter: linesOfHeader(id), limit: 1 })).documents;
      const entered = {
        header: id,
        headerVersion: String(version),
        investors: 'same',
        fund: fundId,
        cutOffDate,
        dueDate,
        callNumber,
        amount,
        callPurposes: purposes,
        trailingDescription: first?.trailingDescription ?? '',
        fundLevel: first?.pdfOptions.fundLevel ? 'on' : '',
      };
      return { id, callNumber, status, investors, entered, fund: await fundOfDraft(session, fundId) };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    entryIntents({
      permission: 'contributions/write',
      schema: callChangeForm,
      enteredOf: enteredCall,
      fieldFor: callField,
      review: (form, screen) => reviewCall(screen, form, (session) => tryCallChange(session, form)),
      async save(form, screen, status) {
        await screen.db(async (session) => {
          const { change } = await changeOfCall(session, form);
          await changeCall(session, { ...change, status });
        });
        return redirect(paths.capitalCall(form.header));
      },
    }),
    { lists: ['callPurposes'] },
  );

export default function EditCall() {
  const { id, callNumber, status, investors, entered, fund } = useLoaderData<typeof loader>();
  const answer = useActionData() as EntryAnswer<Review> | undefined;
  const review = answer?.review;
  const backTo = paths.capitalCall(id);
  if (status !== 'Draft') return <OnlyDrafts label={`Call ${callNumber}`} backTo={backTo} />;
  return (
    <EntryFrame
      title={`Edit capital call ${callNumber}`}
      noun="call"
      fund={fund}
      review={review}
      amounts={formatCount(review?.purposes.length ?? 0, 'purpose')}
    >
      <EntryForm
        key={review ? 'review' : 'entry'}
        id="call"
        schema={callChangeForm}
        answer={answer}
        entered={entered}
        saved
        backTo={backTo}
        previewTo={paths.previewCallNotice()}
        showReview={(shown) => <CallReview review={shown} />}
      >
        <CallFields fund={fund}>
          <HiddenField name="header" />
          <HiddenField name="headerVersion" />
          <InvestorsField choices={investorChoices(investors, fund.classes)} />
        </CallFields>
      </EntryForm>
    </EntryFrame>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
