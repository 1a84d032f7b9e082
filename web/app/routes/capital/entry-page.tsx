import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import type { ReactNode } from 'react';
import { formatCount } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { paths } from '../paths.ts';
import { ChooseFund } from './choose-fund.tsx';
import type { FundChoice, FundOfForm } from './fund-of-form.server.ts';
import { CapitalSteps } from './steps.tsx';

interface Summary {
  readonly callNumber: string;
  readonly className: string | null;
  readonly shares: readonly unknown[];
}

interface Entered {
  title: string;
  /** "call" or "distribution". */
  noun: string;
  review: Summary | undefined;
  /** "2 purposes", of what is reviewed. */
  amounts: string;
}

/** The header and the steps of a form of a call or a distribution. */
export function EntryFrame({
  title,
  noun,
  fund,
  review,
  amounts,
  children,
}: Entered & { fund: FundOfForm; children: ReactNode }) {
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
        amounts={review ? amounts : 'not stored yet'}
        isReview={review !== undefined}
        notices={review ? formatCount(review.shares.length, 'notice') : 'a notice for each investor'}
      />
      {children}
    </>
  );
}

/** The page of a new call or distribution: first the choice of its fund, then its form. */
export function NewEntry({
  page: { fund, choice },
  backTo,
  draftFund,
  children,
  ...entered
}: Entered & {
  page: { fund: FundOfForm | null; choice: FundChoice | null };
  backTo: string;
  /** What cannot be done while the fund is a draft. */
  draftFund: (title: string) => string;
  children: (fund: FundOfForm) => ReactNode;
}) {
  if (!fund) return choice ? <ChooseFund title={entered.title} choice={choice} backTo={backTo} /> : null;
  if (fund.status === 'Draft') {
    return (
      <EmptyState
        title="The fund is a draft"
        action={<LinkButton to={paths.editFund(fund.id)}>Edit the fund</LinkButton>}
      >
        {draftFund(fund.title)}
      </EmptyState>
    );
  }
  return (
    <EntryFrame {...entered} fund={fund}>
      {children(fund)}
    </EntryFrame>
  );
}

/** Instead of the form of what was already issued. */
export function OnlyDrafts({ label, backTo }: { label: string; backTo: string }) {
  return (
    <EmptyState title="Only a draft can be changed" action={<LinkButton to={backTo}>Back</LinkButton>}>
      {label} was already issued. Remove it with a reason, and enter it again.
    </EmptyState>
  );
}
