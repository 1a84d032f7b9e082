import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { distribute } from '@tapeline/db/operations/capital/distributions.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { formatCount } from '../../../components/figures/format.ts';
import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { act } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { entryIntents, readNewEntry } from '../entry.server.ts';
import { type EntryAnswer, EntryForm } from '../entry-form.tsx';
import { NewEntry } from '../entry-page.tsx';
import { DistributionFields } from './distribution-fields.tsx';
import { distributionForm, distributionOfForm, enteredDistribution } from './distribution-form.ts';
import {
  type DistributionReview as Review,
  reviewDistribution,
  tryDistribution,
} from './distribution-review.server.ts';
import { DistributionReview } from './review.tsx';

export const meta: MetaFunction = () => [{ title: 'New distribution · Tapeline' }];
export const handle: CrumbHandle<unknown> = {
  crumbs: () => [{ label: 'New distribution' }],
};

export const loader = (args: LoaderFunctionArgs) => readNewEntry(args, 'distributions');

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    entryIntents({
      permission: 'distributions/write',
      schema: distributionForm,
      enteredOf: enteredDistribution,
      fieldFor: (_, path) => path,
      review: (form, screen) => reviewDistribution(screen, form, (session) => tryDistribution(session, form)),
      async save(form, screen, status) {
        const id = await screen.db(async (session) => {
          const { currency } = await getFund(session, form.fund);
          const terms = distributionOfForm(form, currency);
          const views = await distribute(session, [{ ...terms, Class: form.Class ?? null, status, dryRun: false }]);
          return views[0]?.activityId ?? null;
        });
        return redirect(id ? paths.distribution(id) : paths.distributions());
      },
    }),
    { lists: ['components'] },
  );

export default function NewDistribution() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData() as EntryAnswer<Review> | undefined;
  const review = answer?.review;
  return (
    <NewEntry
      title="New distribution"
      noun="distribution"
      page={page}
      backTo={paths.distributions()}
      draftFund={(title) => `It can distribute once ${title} is Active.`}
      review={review}
      amounts={formatCount(review?.lines.length ?? 0, 'component')}
    >
      {(fund) => (
        <EntryForm
          key={review ? 'review' : 'entry'}
          id="distribution"
          schema={distributionForm}
          answer={answer}
          entered={{
            fund: fund.id,
            callNumber: page.callNumber,
            cutOffDate: page.today,
            distributionKind: 'Interest and Principal',
            components: [{ actionType: 'INTEREST' }],
          }}
          backTo={paths.distributions()}
          previewTo={paths.previewDistributionNotice()}
          showReview={(shown) => <DistributionReview review={shown} />}
        >
          <DistributionFields fund={fund} />
        </EntryForm>
      )}
    </NewEntry>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
