import type { RuleInput } from '../rule.schema.ts';

/** From this confidence on, a suggestion is part of the mapping from the start; below it a person decides. */
export const MIN_ON = 0.6;

/** A rule that is proposed for a mapping. */
export interface RuleSuggestion {
  readonly rule: RuleInput;
  /**
   * 0 to 1: of the suggestions at 0.9 and more at least 99 % are right, at 0.6 to 0.9 at least 85 % (measured by the
   * bench `suggest` over a corpus of tapes).
   */
  readonly confidence: number;
  /**
   * The reason, in words that a person can judge: `"CURR_BAL" reads as current balance; 98 of 100 cells are numbers`.
   */
  readonly reason: string;
  /**
   * Whether it is part of the mapping from the start. A doubtful rule is shown next to the mapping for a person to add.
   */
  readonly isOn: boolean;
}
