import type { SubmissionResult } from '@conform-to/react';
import { ErrorSummary } from './error-summary.tsx';

/**
 * What the action of a page's buttons refused.
 * @param ofForms the intents whose forms show their problems themselves
 */
export function ActionProblems({
  answer,
  ofForms = [],
}: {
  answer: { intent: string; done: boolean; lastResult: SubmissionResult<string[]> } | undefined;
  ofForms?: readonly string[];
}) {
  if (!answer || answer.done || ofForms.includes(answer.intent)) return null;
  const problems = Object.values(answer.lastResult.error ?? {}).flatMap((texts) => texts ?? []);
  if (problems.length === 0) return null;
  return (
    <div className="mb-[18px]">
      <ErrorSummary formErrors={problems} problems={[]} />
    </div>
  );
}
