import type { BorrowingBase } from '@tapeline/db/entities/lending.ts';
import { comparedBases, comparisonKeys } from '@tapeline/db/operations/borrowing-bases/compared-bases.ts';
import { type BaseComparison, ruleTitles } from '@tapeline/domain/borrowing-base/causes/base-comparison.ts';
import type { AssetCause } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { type AffectedAsset, affectedAssets, affectedExport } from '@tapeline/lake/asset-effects.ts';
import type { ExportTable } from '@tapeline/lake/exports/export-table.ts';
import type { BasesToExplain, ExplainedBases } from '@tapeline/workflows/comparison/activities.ts';
import { type AsCaller, openTape } from './pool-analyses.server.ts';
import { type AskedKind, askWorkers } from './previews.server.ts';
import { CALCULATED_WITHIN_MS, type Calculating, storedOrCalculated } from './stored-calculation.server.ts';

/** Two certificates of a facility, and why one differs from the other. */
export interface OpenComparison {
  readonly earlier: BorrowingBase;
  readonly later: BorrowingBase;
  readonly comparison: BaseComparison;
}

const COMPARISON: AskedKind = { noun: 'comparison', slots: 1, workflowId: WORKFLOW_IDS.comparison };

/**
 * Opens a comparison of two certificates, in either order. The first time, a worker calculates it.
 * @throws Refusal notFound for certificates that the caller does not see; badRequest if they cannot be compared
 */
export async function openComparison(
  asker: Calculating,
  asCaller: AsCaller,
  ids: readonly [string, string],
): Promise<OpenComparison> {
  const bases = await asCaller((session) => comparedBases(session, ids));
  const comparison = await storedOrCalculated(asker, comparisonKeys(bases), () =>
    explain(asker, { earlier: bases.earlier.id, later: bases.later.id }),
  );
  return { ...bases, comparison };
}

async function explain(asker: Calculating, input: BasesToExplain): Promise<BaseComparison> {
  const options = { withinMs: CALCULATED_WITHIN_MS, kind: COMPARISON, signal: asker.request.signal };
  const answer = await askWorkers<BasesToExplain, ExplainedBases>(asker, 'basesExplained', input, options);
  return answer.comparison as BaseComparison;
}

interface SideNames {
  /** The prefix of the ids of the tape's assets. */
  readonly assetPrefix: string;
  readonly tapeId: string;
  /** Of the rules that assets fail, by key. */
  readonly titles: ReadonlyMap<string, string>;
}

/** The assets behind the causes of a comparison, as far as the caller sees the tapes of both certificates. */
export interface ComparedAssets {
  readonly path: string;
  readonly before: SideNames;
  readonly after: SideNames;
}

/** @throws Refusal if the caller does not see the assets of both certificates */
export async function openComparedAssets(
  { context }: Pick<Calculating, 'context'>,
  asCaller: AsCaller,
  { earlier, later }: OpenComparison,
): Promise<ComparedAssets> {
  const sideOf = async (base: BorrowingBase): Promise<SideNames> => {
    const { tape } = await openTape(context, asCaller, base.tapeId, base.id);
    return { assetPrefix: tape.assetPrefix, tapeId: tape.id, titles: ruleTitles(base.result) };
  };
  const [before, after] = [await sideOf(earlier), await sideOf(later)];
  const path = await context.objects.localPath(comparisonKeys({ earlier, later }).assets);
  return { path, before, after };
}

/** The rules of an asset's step: up to the amounts they are those of the earlier contract, from the status on the later ones. */
const titlesOf = ({ before, after }: ComparedAssets, cause: AssetCause) => ({
  before: cause === 'onlyInOne' || cause === 'amount' || cause === 'status' ? before.titles : after.titles,
  after: cause === 'onlyInOne' || cause === 'amount' ? before.titles : after.titles,
});

/** An affected asset with the titles of the rules that it fails. */
export interface NamedAsset extends AffectedAsset {
  readonly ruleBefore: string | null;
  readonly ruleAfter: string | null;
}

export async function assetsOfCause(
  { context }: Pick<Calculating, 'context'>,
  compared: ComparedAssets,
  cause: AssetCause,
  page: { skip: number; limit: number },
): Promise<{ assets: NamedAsset[]; total: number }> {
  const { assets, total } = await affectedAssets(context.lake, compared.path, cause, page);
  const titles = titlesOf(compared, cause);
  const titleOf = (of: ReadonlyMap<string, string>, key: string | null | undefined) =>
    key ? (of.get(key) ?? null) : null;
  return {
    total,
    assets: assets.map((asset) => ({
      ...asset,
      ruleBefore: titleOf(titles.before, asset.before?.firstFailed),
      ruleAfter: titleOf(titles.after, asset.after?.firstFailed),
    })),
  };
}

/** The assets behind one cause, or behind all of them, as a table to export. */
export function comparedAssetsTable(
  { earlier, later, comparison }: OpenComparison,
  compared: ComparedAssets,
  cause: AssetCause | null,
): ExportTable {
  const causes = comparison.assets.filter((one) => one.count > 0 && (cause === null || one.cause === cause));
  return affectedExport(
    compared.path,
    causes.map((one) => ({ ...one, titles: titlesOf(compared, one.cause) })),
    { before: `before (${earlier.cutOffDate})`, after: `after (${later.cutOffDate})` },
  );
}
