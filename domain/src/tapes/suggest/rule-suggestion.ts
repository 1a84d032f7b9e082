import type { RuleInput } from '../rule.schema.ts';

/** A rule that is proposed for a mapping. */
export interface RuleSuggestion {
  readonly rule: RuleInput;
  /** 0 to 1. */
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
