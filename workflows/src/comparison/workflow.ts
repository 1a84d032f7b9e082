import { proxyActivities } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import type { Answer, Question } from '../preview/references.ts';
import { WATCHED, WHILE_SOMEONE_WAITS } from '../retries.ts';
import type {
  BasesToExplain,
  CalculatedScenario,
  ComparisonActivities,
  ExplainedBases,
  ScenarioToCalculate,
} from './activities.ts';

const { explainBases, calculateScenario } = proxyActivities<ComparisonActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.checks,
  startToCloseTimeout: '110s',
  scheduleToCloseTimeout: '115s',
  retry: WHILE_SOMEONE_WAITS,
});

export async function basesExplained(input: Question<BasesToExplain>): Promise<Answer<ExplainedBases>> {
  return explainBases(input);
}

export async function scenarioCalculated(input: Question<ScenarioToCalculate>): Promise<Answer<CalculatedScenario>> {
  return calculateScenario(input);
}
