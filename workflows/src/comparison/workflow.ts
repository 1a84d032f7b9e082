import { proxyActivities } from '@temporalio/workflow';
import { OWN_QUEUES } from '../own-queues.ts';
import type { Answer, Question } from '../preview/references.ts';
import { WATCHED, WHILE_SOMEONE_WAITS } from '../retries.ts';
import type {
  BasesToExplain,
  CalculatedScenarios,
  ComparisonActivities,
  ExplainedBases,
  ScenariosToCalculate,
} from './activities.ts';

const { explainBases, calculateScenarios } = proxyActivities<ComparisonActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.checks,
  startToCloseTimeout: '110s',
  scheduleToCloseTimeout: '115s',
  retry: WHILE_SOMEONE_WAITS,
});

export async function basesExplained(input: Question<BasesToExplain>): Promise<Answer<ExplainedBases>> {
  return explainBases(input);
}

export async function scenariosCalculated(input: Question<ScenariosToCalculate>): Promise<Answer<CalculatedScenarios>> {
  return calculateScenarios(input);
}
