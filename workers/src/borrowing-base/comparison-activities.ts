import type { ComparisonActivities } from '@tapeline/workflows/comparison/activities.ts';
import type { WorkerContext } from '../context.ts';
import type { Answering } from '../preview/by-reference.ts';
import { explainBases } from './explain-bases.ts';
import { calculateScenario } from './scenarios.ts';

export const createComparisonActivities = (context: WorkerContext): Answering<ComparisonActivities> => ({
  explainBases: async (input) => ({ comparison: await explainBases(context, input) }),
  calculateScenario: async (input) => ({ calculated: await calculateScenario(context, input.scenario) }),
});
