import { json } from 'node:stream/consumers';
import type { BorrowingBase } from '@tapeline/db/entities/lending.ts';
import { scenarioBase, scenarioKeys } from '@tapeline/db/operations/scenarios/scenario-base.ts';
import { getScenario, type ScenarioView, scenarioTerms, wordsOf } from '@tapeline/db/operations/scenarios/scenarios.ts';
import { ruleTitles } from '@tapeline/domain/borrowing-base/causes/base-comparison.ts';
import type { ScenarioResult } from '@tapeline/domain/scenarios/scenario-result.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { type AffectedAsset, affectedAssets } from '@tapeline/lake/asset-effects.ts';
import {
  type CalculatedScenario,
  COMPARISON_SECONDS,
  type ScenarioToCalculate,
} from '@tapeline/workflows/comparison/activities.ts';
import type { RequestContext } from '../http/context.ts';
import { type AsCaller, openTape } from './pool-analyses.server.ts';
import { type AskedKind, type Asker, askWorkers } from './previews.server.ts';

type Calculating = Asker & {
  readonly context: Pick<RequestContext, 'lake' | 'objects'>;
  /** When the person leaves, its signal ends the work. */
  readonly request: Pick<Request, 'signal'>;
};

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
/** The calculation ends earlier, with a refusal that says what to do. */
const WITHIN_MS = (COMPARISON_SECONDS + 15) * 1000;

/**
 * Opens a scenario. The first time, a worker calculates it.
 * @throws Refusal notFound for one that the caller does not see; badRequest if it cannot be calculated
 */
export async function openScenario(asker: Calculating, asCaller: AsCaller, id: string): Promise<OpenScenario> {
  const { keys, ...opened } = await asCaller(async (session) => {
    const scenario = await getScenario(session, id);
    const { base, replacement } = await scenarioBase(session, scenario);
    const words = wordsOf(scenario.changes, await scenarioTerms(session, base, scenario.changes));
    return { scenario, base, words, keys: scenarioKeys(base, scenario, replacement) };
  });
  const { objects } = asker.context;
  const isStored = (await objects.head(keys.figures)) && (await objects.head(keys.assets));
  const calculated = isStored
    ? ((await json(await objects.getStream(keys.figures))) as ScenarioResult)
    : await calculate(asker, { scenario: id });
  return { ...opened, calculated, assetsKey: keys.assets };
}

async function calculate(asker: Calculating, input: ScenarioToCalculate): Promise<ScenarioResult> {
  const options = { withinMs: WITHIN_MS, kind: SCENARIO, signal: asker.request.signal };
  const answer = await askWorkers<ScenarioToCalculate, CalculatedScenario>(asker, 'scenarioCalculated', input, options);
  return answer.calculated as ScenarioResult;
}

/** An asset that a scenario affects, with the titles of the rules that it fails. */
export interface ScenarioAsset extends AffectedAsset {
  readonly ruleBefore: string | null;
  readonly ruleAfter: string | null;
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
): Promise<{ assets: ScenarioAsset[]; total: number; assetPrefix: string }> {
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
