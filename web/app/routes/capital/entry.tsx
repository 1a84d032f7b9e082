import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import type { ComponentProps } from 'react';
import { formatCount } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { HiddenField } from '../../components/forms/hidden-field.tsx';
import { useTopOfStep } from '../../components/forms/use-top-of-step.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { loadedPart, ShownPart } from '../../components/page/loaded-part.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { paths } from '../../paths.ts';
import { callChangeFormDescription, callFormDescription } from './calls/call-form.ts';
import { FeeProposal } from './calls/fee-proposal.tsx';
import { ChooseFund } from './choose-fund.tsx';
import { InvestorsField, ReasonField } from './class-field.tsx';
import { distributionChangeFormDescription, distributionFormDescription } from './distributions/distribution-form.ts';
import { changedInvestorChoices } from './draft-change.ts';
import { type CapitalReview, entryAt } from './entries.server.ts';
import { type EntryAnswer, EntryForm } from './entry-form.tsx';
import { CapitalSteps } from './steps.tsx';

const CALL_FIELDS = loadedPart(() => import('./calls/call-fields.tsx').then((part) => part.CallFields));
const DISTRIBUTION_FIELDS = loadedPart(() =>
  import('./distributions/distribution-fields.tsx').then((part) => part.DistributionFields),
);
type CallFields = typeof import('./calls/call-fields.tsx').CallFields;
type DistributionFields = typeof import('./distributions/distribution-fields.tsx').DistributionFields;

/** The fields of one of both, which is all that a page needs. */
const CallPart = (fields: ComponentProps<CallFields>) => <ShownPart of={CALL_FIELDS} {...fields} />;
const DistributionPart = (fields: ComponentProps<DistributionFields>) => (
  <ShownPart of={DISTRIBUTION_FIELDS} {...fields} />
);

const REVIEWED_CALL = loadedPart(() => import('./calls/review.tsx').then((part) => part.ReviewedCall));
const REVIEWED_DISTRIBUTION = loadedPart(() =>
  import('./distributions/review.tsx').then((part) => part.ReviewedDistribution),
);

/** What the forms of calls and distributions say and where they lead. */
const ENTRIES = {
  contributions: {
    noun: 'call',
    title: 'New capital call',
    document: 'Call',
    edited: 'capital call',
    draftFund: (title: string) => `Capital can be called once ${title} is Active.`,
    form: callFormDescription,
    changeForm: callChangeFormDescription,
    Fields: CallPart,
    list: paths.capitalCalls(),
    page: paths.capitalCall,
    preview: paths.previewCallNotice(),
  },
  distributions: {
    noun: 'distribution',
    title: 'New distribution',
    document: 'Distribution',
    edited: 'distribution',
    draftFund: (title: string) => `It can distribute once ${title} is Active.`,
    form: distributionFormDescription,
    changeForm: distributionChangeFormDescription,
    Fields: DistributionPart,
    list: paths.distributions(),
    page: paths.distribution,
    preview: paths.previewDistributionNotice(),
  },
} as const;

/** A draft is edited; what was issued is changed, as its button says. */
const verbOf = ({ state }: { state: string }): string => (state === 'draft' ? 'Edit' : 'Change');

export const handle = named<typeof loader>(
  ({ table, stored }) => {
    const { document, page, title } = ENTRIES[table];
    return stored ? [[`${document} ${stored.callNumber}`, page(stored.id)], verbOf(stored)] : [title];
  },
  ({ table, stored }) =>
    stored ? `${verbOf(stored)} ${ENTRIES[table].noun} ${stored.callNumber}` : ENTRIES[table].title,
);

export const loader = (args: LoaderFunctionArgs) => {
  const { readNew, readStored } = entryAt(args.request);
  return args.params.id ? readStored(args) : readNew(args);
};

export const action = (args: ActionFunctionArgs) => {
  const { actOnNew, actOnStored } = entryAt(args.request);
  return args.params.id ? actOnStored(args) : actOnNew(args);
};

/**
 * A new call or distribution, whose fund is chosen first, or one that is changed: a draft, or what was issued, which is
 * withdrawn and issued again. All are reviewed before.
 */
export default function Entry() {
  const { table, fund, choice, stored, entered } = useLoaderData<typeof loader>();
  const answer = useActionData() as (EntryAnswer<CapitalReview> & { proposal?: string }) | undefined;
  const { noun, document, edited, draftFund, form, changeForm, Fields, list, page, preview, ...entry } = ENTRIES[table];
  const review = answer?.review;
  // Here, because each step has a form of its own.
  useTopOfStep(review ? 'review' : 'entry');
  const backTo = stored ? page(stored.id) : list;
  const title = stored ? `${verbOf(stored)} ${edited} ${stored.callNumber}` : entry.title;
  if (stored?.state === 'closed') {
    return (
      <EmptyState title="What is closed cannot be changed" action={<LinkButton to={backTo}>Back</LinkButton>}>
        {document} {stored.callNumber} is closed, at least for some investors. Remove it with a reason, and enter it
        again.
      </EmptyState>
    );
  }
  if (!fund) return choice ? <ChooseFund title={title} choice={choice} backTo={backTo} /> : null;
  if (!stored && fund.status === 'Draft') {
    return (
      <EmptyState
        title="The fund is a draft"
        action={<LinkButton to={paths.editFund(fund.id)}>Edit the fund</LinkButton>}
      >
        {draftFund(fund.title)}
      </EmptyState>
    );
  }
  const isCall = table === 'contributions';
  const lines = review ? ('purposes' in review ? review.purposes : review.lines) : [];
  return (
    <>
      <PageHeader
        title={title}
        facts={[
          <b key="fund">{fund.title}</b>,
          ...(review ? [`${noun} ${review.callNumber}`] : []),
          ...(review?.className ? [classTitle(review.className)] : []),
          `figures in ${fund.currency}`,
        ]}
      />
      <CapitalSteps
        fund={fund.title}
        amounts={review ? formatCount(lines.length, isCall ? 'purpose' : 'component') : 'not stored yet'}
        isReview={review !== undefined}
        notices={review ? formatCount(review.shares.length, 'notice') : 'a notice for each investor'}
      />
      <EntryForm
        key={review ? 'review' : `entry ${answer?.proposal ?? ''}`}
        id={noun}
        description={stored ? changeForm : form}
        answer={answer}
        entered={entered}
        changed={stored?.state ?? null}
        backTo={backTo}
        previewTo={preview}
        hasFiles={isCall}
        currency={fund.currency}
        showReview={(shown) =>
          'purposes' in shown ? (
            <ShownPart of={REVIEWED_CALL} review={shown} />
          ) : (
            <ShownPart of={REVIEWED_DISTRIBUTION} review={shown} />
          )
        }
      >
        {stored ? (
          <Fields fund={fund}>
            <HiddenField name="header" />
            <HiddenField name="headerVersion" />
            {stored.state === 'issued' ? <ReasonField /> : null}
            <InvestorsField choices={changedInvestorChoices(stored.investors, fund.classes)} />
          </Fields>
        ) : (
          <Fields fund={fund} />
        )}
        {isCall && !stored ? <FeeProposal fundId={fund.id} proposal={answer?.proposal} /> : null}
      </EntryForm>
    </>
  );
}
