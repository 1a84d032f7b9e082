import { Chip } from '../../../../components/page/chip.tsx';
import { SURE } from '../edit-draft.ts';

/** Below this a suggestion is left to a person. */
const DOUBTFUL = 0.6;

/** How sure a suggestion is, in percent. */
export const ConfidenceChip = ({ confidence }: { confidence: number }) => (
  <Chip tone={confidence >= SURE ? 'good' : confidence >= DOUBTFUL ? 'neutral' : 'warning'}>
    <span className="sr-only">Suggested, confidence </span>
    {Math.round(confidence * 100)}%
  </Chip>
);
