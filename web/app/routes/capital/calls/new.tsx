import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react';
import { callCapital } from '@tapeline/db/operations/capital/contributions.ts';
import { formatCount } from '../../../components/figures/format.ts';
import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { act } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { entryIntents, readNewEntry } from '../entry.server.ts';
import { type EntryAnswer, EntryForm } from '../entry-form.tsx';
import { NewEntry } from '../entry-page.tsx';
import { CallFields } from './call-fields.tsx';
import { callOfForm } from './call-form.server.ts';
import { callField, callForm, enteredCall } from './call-form.ts';
import { type CallReview as Review, reviewCall, tryCall } from './call-review.server.ts';
import { proposeFee } from './fee-proposal.server.ts';
import { FeeProposal } from './fee-proposal.tsx';
import { CallReview } from './review.tsx';

export const meta: MetaFunction = () => [{ title: 'New capital call · Tapeline' }];
export const handle: CrumbHandle<unknown> = {
  crumbs: () => [{ label: 'New capital call' }],
};

export const loader = (args: LoaderFunctionArgs) => readNewEntry(args, 'contributions');

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      ...entryIntents({
        permission: 'contributions/write',
        schema: callForm,
        enteredOf: enteredCall,
        fieldFor: callField,
        review: (form, screen) => reviewCall(screen, form, (session) => tryCall(session, form)),
        async save(form, screen, status) {
          const id = await screen.db(async (session) => {
            const terms = await callOfForm(session, form, form);
            const views = await callCapital(session, { ...terms, Class: form.Class ?? null, status, dryRun: false });
            return views[0]?.activityId ?? null;
          });
          return redirect(id ? paths.capitalCall(id) : paths.capitalCalls());
        },
      }),
      propose: proposeFee,
    },
    { lists: ['callPurposes'] },
  );

export default function NewCall() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData() as (EntryAnswer<Review> & { proposal?: string }) | undefined;
  const [search] = useSearchParams();
  const review = answer?.review;
  return (
    <NewEntry
      title="New capital call"
      noun="call"
      page={page}
      backTo={paths.capitalCalls()}
      draftFund={(title) => `Capital can be called once ${title} is Active.`}
      review={review}
      amounts={formatCount(review?.purposes.length ?? 0, 'purpose')}
    >
      {(fund) => (
        <EntryForm
          key={review ? 'review' : `entry ${answer?.proposal ?? ''}`}
          id="call"
          schema={callForm}
          answer={answer}
          entered={{
            fund: fund.id,
            callNumber: page.callNumber,
            cutOffDate: page.today,
            callPurposes: [{ kind: 'investments' }],
            feeFrom: search.get('feeFrom') ?? '',
            feeUntil: search.get('feeUntil') ?? '',
          }}
          backTo={paths.capitalCalls()}
          previewTo={paths.previewCallNotice()}
          showReview={(shown) => <CallReview review={shown} />}
        >
          <CallFields fund={fund} />
          <FeeProposal fundId={fund.id} proposal={answer?.proposal} />
        </EntryForm>
      )}
    </NewEntry>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
