import type { BorrowingBase } from '@tapeline/db/entities/lending.ts';
import { baseOfScenario, scenarioKeys } from '@tapeline/db/operations/scenarios/scenario-base.ts';
import { getScenario, type ScenarioView, scenarioTerms, wordsOf } from '@tapeline/db/operations/scenarios/scenarios.ts';
import { ruleTitles } from '@tapeline/domain/borrowing-base/causes/base-comparison.ts';
import type { ScenarioResult } from '@tapeline/domain/scenarios/scenario-result.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { affectedAssets } from '@tapeline/lake/asset-effects.ts';
import type { CalculatedScenario, ScenarioToCalculate } from '@tapeline/workflows/comparison/activities.ts';
import type { NamedAsset } from './base-comparison.server.ts';
import { type AsCaller, openTape } from './pool-analyses.server.ts';
import { type AskedKind, askWorkers } from './previews.server.ts';
import { CALCULATED_WITHIN_MS, type Calculating, storedOrCalculated } from './stored-calculation.server.ts';

/** A scenario with its certificate, its changes in words and what it gives. */
export interface OpenScenario {
  readonly scenario: ScenarioView;
  readonly base: BorrowingBase;
  readonly words: readonly string[];
  readonly calculated: ScenarioResult;
  /** Where its assets are stored. */
  readonly assetsKey: string;
}

const SCENARIO: AskedKind = { noun: 'scenario', slots: 3, workflowId: WORKFLOW_IDS.scenario };

/**
 * Opens a scenario. The first time, a worker calculates it.
 * @throws Refusal notFound for one that the caller does not see; badRequest if it cannot be calculated
 */
export async function openScenario(asker: Calculating, asCaller: AsCaller, id: string): Promise<OpenScenario> {
  const { keys, ...opened } = await asCaller(async (session) => {
    const scenario = await getScenario(session, id);
    const base = await baseOfScenario(session, scenario);
    const terms = await scenarioTerms(session, base, scenario.changes);
    const words = wordsOf(scenario.changes, terms);
    return { scenario, base, words, keys: scenarioKeys(base, scenario, terms.replacement) };
  });
  const calculated = await storedOrCalculated(asker, keys, () => calculate(asker, { scenario: id }));
  return { ...opened, calculated, assetsKey: keys.assets };
}

async function calculate(asker: Calculating, input: ScenarioToCalculate): Promise<ScenarioResult> {
  const options = { withinMs: CALCULATED_WITHIN_MS, kind: SCENARIO, signal: asker.request.signal };
  const answer = await askWorkers<ScenarioToCalculate, CalculatedScenario>(asker, 'scenarioCalculated', input, options);
  return answer.calculated as ScenarioResult;
}

/**
 * The assets that a scenario affects, those with the largest effect first.
 * @throws Refusal if the caller does not see the assets of the certificate
 */
export async function assetsOfScenario(
  { context }: Pick<Calculating, 'context'>,
  asCaller: AsCaller,
  { base, calculated, assetsKey }: OpenScenario,
  page: { skip: number; limit: number },
): Promise<{ assets: NamedAsset[]; total: number; assetPrefix: string }> {
  const { tape } = await openTape(context, asCaller, base.tapeId, base.id);
  const path = await context.objects.localPath(assetsKey);
  const { assets, total } = await affectedAssets(context.lake, path, 'scenario', page);
  const [before, after] = [ruleTitles(base.result), ruleTitles(calculated.result)];
  return {
    total,
    assetPrefix: tape.assetPrefix,
    assets: assets.map((asset) => ({
      ...asset,
      ruleBefore: before.get(asset.before?.firstFailed ?? '') ?? null,
      ruleAfter: after.get(asset.after?.firstFailed ?? '') ?? null,
    })),
  };
}
