import { useFetcher } from '@remix-run/react';
import { useEffect } from 'react';
import type { ContractView } from '../../contracts/contract-view.server.ts';
import type { TrialAnswer } from '../../contracts/trial.ts';
import { paths } from '../../paths.ts';

export interface TrialState {
  answer: TrialAnswer | null;
  isAsking: boolean;
}

/** Asks what the contract gives on the chosen tape once the page stands, and again after every change of it. */
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
