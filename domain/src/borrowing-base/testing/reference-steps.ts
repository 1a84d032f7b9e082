import type { TransactionContract } from '../../facilities/contract.schema.ts';
import type { FieldCatalog } from '../../filters/catalog.ts';
import { add, type DecimalText, subtract } from '../../money/decimal.ts';
import { withAdjustments } from '../adjust.ts';
import { type CauseStep, causeSteps } from '../causes/cause-steps.ts';
import type { Cause } from '../causes/causes.ts';
import type { OffsetList } from '../offset-list.ts';
import type { FacilityPosition, TapeTerms } from '../publish.ts';
import type { AdjustmentResult, AssetResult } from '../result.ts';
import { calculateReference, type ReferenceAsset } from './reference.ts';

/** What a certificate is calculated from. */
export interface ReferenceBase {
  readonly assets: readonly ReferenceAsset[];
  readonly contract: TransactionContract;
  readonly tape: TapeTerms;
  readonly facility?: FacilityPosition | undefined;
  readonly offsetLists?: readonly OffsetList[];
  readonly adjustments: readonly AdjustmentResult[];
}

export function referenceResult(base: ReferenceBase, catalog: FieldCatalog) {
  const { result, assets } = calculateReference({ ...base, catalog });
  return { result: withAdjustments(result, base.adjustments, base.tape.exchangeRates), assets };
}

interface Pair {
  readonly earlier: ReferenceAsset | null;
  readonly later: ReferenceAsset | null;
}

/** Assets whose id is on both tapes, once on each, are one pair; all others are on one tape only. Later order first. */
export function pairsOf(earlier: readonly ReferenceAsset[], later: readonly ReferenceAsset[]): Pair[] {
  const once = (assets: readonly ReferenceAsset[]) => {
    const byId = Map.groupBy(assets, (asset) => asset.assetId ?? null);
    byId.delete(null);
    return new Map([...byId].flatMap(([id, same]) => (same.length === 1 ? [[id, same[0]!] as const] : [])));
  };
  const [was, is] = [once(earlier), once(later)];
  const matched = (assets: ReadonlyMap<unknown, ReferenceAsset>, asset: ReferenceAsset) =>
    assets.get(asset.assetId) ?? null;
  return [
    ...later.map((asset) => ({ earlier: matched(is, asset) === asset ? matched(was, asset) : null, later: asset })),
    ...earlier.flatMap((asset) =>
      matched(was, asset) === asset && matched(is, asset) !== null ? [] : [{ earlier: asset, later: null }],
    ),
  ];
}

/** The pool of a step: the assets of one tape, with those values of the later tape that the step replaces. */
export function poolOf({ assets, laterFields }: CauseStep, pairs: readonly Pair[]): (ReferenceAsset | null)[] {
  return pairs.map(({ earlier, later }) => {
    if (assets === 'earlier') return earlier;
    if (later === null || earlier === null || laterFields === 'all') return later;
    if (laterFields === 'none') return earlier;
    const fields = new Set([...Object.keys(earlier), ...Object.keys(later)]);
    return Object.fromEntries(
      [...fields].map((field) => [field, (laterFields.has(field) ? later : earlier)[field] ?? null] as const),
    );
  });
}

/** Every step between two certificates, by the reference, with what each pair is advanced. */
export function referenceSteps(earlier: ReferenceBase, later: ReferenceBase, catalog: FieldCatalog) {
  const [was, is] = [referenceResult(earlier, catalog).result, referenceResult(later, catalog).result];
  const pairs = pairsOf(earlier.assets, later.assets);
  const steps = causeSteps({ ...earlier, result: was }, { ...later, result: is }, catalog).map((step) => {
    const pool = poolOf(step, pairs);
    const { contract, tape, facility, offsetLists, adjustments } = step;
    const assets = pool.filter((asset) => asset !== null);
    const calculated = referenceResult({ assets, contract, tape, facility, offsetLists, adjustments }, catalog);
    const found = calculated.assets[Symbol.iterator]();
    const ofPairs = pool.map((asset): AssetResult | null => (asset === null ? null : found.next().value!));
    return { step, cause: step.cause, result: calculated.result, ofPairs };
  });
  return { was, is, pairs, steps };
}

/** What a cause changes of what each pair is advanced, by position. */
export function effectsOf(steps: ReturnType<typeof referenceSteps>['steps'], cause: Cause): DecimalText[] {
  const index = steps.findIndex((step) => step.cause === cause);
  const [before, after] = [steps[index - 1]!, steps[index]!];
  return after.ofPairs.map((asset, at) => subtract(asset?.advanced ?? '0', before.ofPairs[at]?.advanced ?? '0'));
}

export const totalOf = (amounts: readonly DecimalText[]): DecimalText => amounts.reduce(add, '0');
