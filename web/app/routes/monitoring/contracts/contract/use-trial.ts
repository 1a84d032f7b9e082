import { useFetcher } from '@remix-run/react';
import { useEffect } from 'react';
import { paths } from '../../../../paths.ts';
import type { ContractView } from '../contract-view.server.ts';
import type { TrialAnswer } from '../trial.ts';

export interface TrialState {
  answer: TrialAnswer | null;
  isAsking: boolean;
}

/** Requests the contract's results on the chosen tape once the page is rendered, and again after every change to it. */
export function useTrial({ id, version, tapeId, answer }: ContractView): TrialState {
  const fetcher = useFetcher<TrialAnswer>({ key: `trial-${id}-${version}-${tapeId ?? ''}` });
  const isAnswered = answer !== null;
  useEffect(() => {
    if (!isAnswered && tapeId && fetcher.state === 'idle' && fetcher.data === undefined) {
      fetcher.load(paths.contractTrial(id, { tape: tapeId }));
    }
  }, [id, tapeId, isAnswered, fetcher.state, fetcher.data, fetcher.load]);
  return { answer: answer ?? fetcher.data ?? null, isAsking: fetcher.state !== 'idle' };
}
