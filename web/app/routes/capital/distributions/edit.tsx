import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import {
  componentsOfDistribution,
  getDistributionHeader,
  linesOfHeader,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { changeDistribution, listDistributions } from '@tapeline/db/operations/capital/distributions.ts';
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
import { DistributionFields } from './distribution-fields.tsx';
import { distributionChangeForm, enteredDistribution, enteredOptions } from './distribution-form.ts';
import {
  changeOfDistribution,
  type DistributionReview as Review,
  reviewDistribution,
  tryDistributionChange,
} from './distribution-review.server.ts';
import { DistributionReview } from './review.tsx';

export const handle: CrumbHandle<{ id: string; callNumber: string }> = {
  crumbs: ({ data: { id, callNumber } }) => [
    { label: `Distribution ${callNumber}`, to: paths.distribution(id) },
    { label: 'Edit' },
  ],
};
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit distribution ${data?.callNumber ?? ''} · Tapeline` },
];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'distributions/write', ({ db, params }) =>
    db(async (session) => {
      const header = await getDistributionHeader(session, params.id ?? '');
      const { id, callNumber, status, investors, version, fundId, cutOffDate, distributionKind, principal } = header;
      const components = await componentsOfDistribution(session, id);
      const [first] = (await listDistributions(session, { filter: linesOfHeader(id), limit: 1 })).documents;
      const entered = {
        header: id,
        headerVersion: String(version),
        investors: 'same',
        fund: fundId,
        cutOffDate,
        callNumber,
        distributionKind,
        principal,
        components: components.map(({ kind, ...component }) => ({ ...component, actionType: kind })),
        trailingDescription: first?.trailingDescription ?? '',
        ...enteredOptions(first?.pdfOptions),
      };
      return { id, callNumber, status, investors, entered, fund: await fundOfDraft(session, fundId) };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    entryIntents({
      permission: 'distributions/write',
      schema: distributionChangeForm,
      enteredOf: enteredDistribution,
      fieldFor: (_, path) => path,
      review: (form, screen) => reviewDistribution(screen, form, (session) => tryDistributionChange(session, form)),
      async save(form, screen, status) {
        await screen.db(async (session) => {
          const { change } = await changeOfDistribution(session, form);
          await changeDistribution(session, { ...change, status });
        });
        return redirect(paths.distribution(form.header));
      },
    }),
    { lists: ['components'] },
  );

export default function EditDistribution() {
  const { id, callNumber, status, investors, entered, fund } = useLoaderData<typeof loader>();
  const answer = useActionData() as EntryAnswer<Review> | undefined;
  const review = answer?.review;
  const backTo = paths.distribution(id);
  if (status !== 'Draft') return <OnlyDrafts label={`Distribution ${callNumber}`} backTo={backTo} />;
  return (
    <EntryFrame
      title={`Edit distribution ${callNumber}`}
      noun="distribution"
      fund={fund}
      review={review}
      amounts={formatCount(review?.lines.length ?? 0, 'component')}
    >
      <EntryForm
        key={review ? 'review' : 'entry'}
        id="distribution"
        schema={distributionChangeForm}
        answer={answer}
        entered={entered}
        saved
        backTo={backTo}
        previewTo={paths.previewDistributionNotice()}
        showReview={(shown) => <DistributionReview review={shown} />}
      >
        <DistributionFields fund={fund}>
          <HiddenField name="header" />
          <HiddenField name="headerVersion" />
          <InvestorsField choices={investorChoices(investors, fund.classes)} />
        </DistributionFields>
      </EntryForm>
    </EntryFrame>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
