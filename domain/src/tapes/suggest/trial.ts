import { MIN_ON, type RuleSuggestion } from './rule-suggestion.ts';

/** The result of a suggested rule on the first rows of the file, run by the same engine that maps whole tapes. */
export interface RuleTrial {
  readonly rows: number;
  readonly failing: number;
  /** Rows whose result is outside the plausible range of the field. */
  readonly implausible: number;
  /** Why the first failing row fails, and why the first implausible one is implausible. */
  readonly reason: string | null;
}

/** Maximum length of a reason, in characters; a reason contains the value. */
const LONGEST_REASON = 200;
/** Up to this share, failing rows are errors of the tape, or its totals. */
const FEW = 0.05;

/**
 * Adjusts suggestions by their trials. A rule that fails on some rows, or makes implausible values of them, is less sure,
 * and off below the confidence from which suggestions are on.
 * @param trials by the position of the suggestion; null for one that was not tried
 */
export function scoreByTrial(
  suggestions: readonly RuleSuggestion[],
  trials: readonly (RuleTrial | null | undefined)[],
): RuleSuggestion[] {
  const scored = suggestions.map((suggestion, index) => tried(suggestion, trials[index]));
  // The parts of a date are on if the date is on.
  return scored.map((suggestion, index) => {
    if (!isHelper(suggestion)) return suggestion;
    const own = scored.slice(index).find((each) => !isHelper(each));
    return own && own.rule.originCol === suggestion.rule.originCol ? { ...suggestion, isOn: own.isOn } : suggestion;
  });
}

const isHelper = ({ rule }: RuleSuggestion): boolean => rule.checks?.includes('Temporary') ?? false;

function tried(suggestion: RuleSuggestion, trial: RuleTrial | null | undefined): RuleSuggestion {
  if (!trial || trial.rows === 0) return suggestion;
  const { rows, failing, implausible, reason } = trial;
  const bad = Math.max(failing, implausible) / rows;
  if (bad <= FEW) return suggestion;
  const words = [
    ...(failing > 0 ? [`fails on ${failing} of the first ${rows} rows`] : []),
    ...(implausible > 0 ? [`${implausible} of the first ${rows} results are outside the plausible range`] : []),
  ].join(', ');
  const confidence = Math.round(suggestion.confidence * (1 - bad) * 100) / 100;
  return {
    ...suggestion,
    confidence,
    reason: `${words}${reason ? ` (${reason.slice(0, LONGEST_REASON)})` : ''}; ${suggestion.reason}`,
    isOn: suggestion.isOn && confidence >= MIN_ON,
  };
}
