import type { ReactNode } from 'react';
import { ProgressSteps } from '../../components/page/progress-steps.tsx';

/** The steps of a call or a distribution: its fund, its amounts, the shares, and the notices. */
export function CapitalSteps({
  fund,
  amounts,
  isReview,
  notices,
}: {
  fund: ReactNode;
  amounts: ReactNode;
  isReview: boolean;
  notices: ReactNode;
}) {
  return (
    <ProgressSteps
      label="Steps"
      steps={[
        { label: 'Fund', state: 'done', note: fund },
        {
          label: 'Dates and amounts',
          state: isReview ? 'done' : 'running',
          fraction: isReview ? 1 : 0.5,
          note: amounts,
        },
        {
          label: 'Check the shares',
          state: isReview ? 'running' : 'waiting',
          fraction: 0.5,
          note: 'nothing is stored',
        },
        { label: 'Issue', state: 'waiting', note: notices },
      ]}
    />
  );
}
