import type { Answer, Question } from '../preview/references.ts';

/** Longer than a preview, because it calculates up to seven borrowing bases. A person waits. */
export interface ComparisonActivities {
  /** Why one borrowing base differs from another. The effect on each asset is stored beside the later one. */
  explainBases(input: Question<BasesToExplain>): Promise<Answer<ExplainedBases>>;
  /** What a scenario of a certificate gives. Its figures and assets are stored beside the tape of the certificate. */
  calculateScenario(input: Question<ScenarioToCalculate>): Promise<Answer<CalculatedScenario>>;
}

/** A scenario, by id. The caller has already checked that it is visible to the user. */
export interface ScenarioToCalculate {
  scenario: string;
}

/** The JSON of what a scenario gives; see the type in the domain package. */
export interface CalculatedScenario {
  calculated: unknown;
}

/** Two borrowing bases, by id. The caller has already checked that both are visible to the user. */
export interface BasesToExplain {
  earlier: string;
  later: string;
}

/** The JSON of an explained comparison; see the type in the domain package. */
export interface ExplainedBases {
  comparison: unknown;
}

/** How long a comparison may take, in seconds. It ends before the activity would time out. */
export const COMPARISON_SECONDS = 105;
