import {
  addFractions,
  compareFractions,
  divideHalfEven,
  type Fraction,
  fraction,
  multiplyFractions,
  reduceFraction,
} from '../../borrowing-base/exact.ts';
import {
  ASSET_ID_PATH,
  CURRENCY_OF_OUTSTANDING,
  OUTSTANDING_PATH,
  prepareContract,
} from '../../borrowing-base/prepare.ts';
import type { TapeTerms } from '../../borrowing-base/publish.ts';
import type { ReferenceAsset } from '../../borrowing-base/testing/reference.ts';
import type { TransactionContract } from '../../facilities/contract.schema.ts';
import { atCutOff } from '../../filters/at-cut-off.ts';
import type { Field, FieldCatalog } from '../../filters/catalog.ts';
import { evaluateFilter } from '../../filters/evaluate.ts';
import type { Filter } from '../../filters/filter.ts';
import { parseFilter } from '../../filters/parse.ts';
import { fromScaled, toScaled } from '../../money/decimal.ts';
import { exchangeFactor } from '../../money/rates.ts';
import { BUCKET_DAYS } from '../../pools/delinquency.ts';
import { defaultWords } from '../change-words.ts';
import { changedContract, changedRates, DAYS_PAST_DUE_PATH, withDefaults } from '../changed-inputs.ts';
import { type ChangeOf, ROLLING_BUCKETS, type ScenarioChange } from '../scenario.schema.ts';

const matches = (filter: Filter, asset: ReferenceAsset): boolean =>
  evaluateFilter(filter, (field: Field) => asset[field.path] ?? null) === true;

const textOf = (value: unknown): Buffer | null => (typeof value === 'string' ? Buffer.from(value) : null);

/** Missing values come last. */
function compareTexts(a: unknown, b: unknown): number {
  const [one, other] = [textOf(a), textOf(b)];
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return Buffer.compare(one, other);
}

/** The days past due of each asset after some months, one month at a time. */
function rolled(
  assets: readonly ReferenceAsset[],
  { months, shares }: ChangeOf<'rollRates'>,
  original: readonly ReferenceAsset[],
): ReferenceAsset[] {
  const order = original
    .map((asset, index) => ({ asset, index }))
    .filter(({ asset }) => {
      const balance = asset[OUTSTANDING_PATH];
      return (
        typeof asset[DAYS_PAST_DUE_PATH] === 'number' &&
        balance !== null &&
        balance !== undefined &&
        toScaled(String(balance), 4) > 0n
      );
    })
    .sort((a, b) => compareTexts(a.asset[ASSET_ID_PATH], b.asset[ASSET_ID_PATH]) || a.index - b.index);
  const days = new Map(order.map(({ asset, index }) => [index, asset[DAYS_PAST_DUE_PATH] as number]));
  for (let month = 0; month < months; month += 1) {
    const bucketOf = (value: number) => BUCKET_DAYS.findIndex(({ below }) => value < below);
    const buckets = new Map([...days].map(([index, value]) => [index, bucketOf(value)]));
    for (const [at, bucket] of ROLLING_BUCKETS.entries()) {
      const share = toScaled(String(shares[bucket as keyof typeof shares] ?? 0), 4);
      const members = order.filter(({ index }) => buckets.get(index) === at);
      for (const [rank, { index }] of members.entries()) {
        const reached = (count: number) => (BigInt(count) * share) / 1_000_000n;
        if (reached(rank + 1) > reached(rank)) days.set(index, BUCKET_DAYS[at]!.below);
      }
    }
  }
  return assets.map((asset, index) => (days.has(index) ? { ...asset, [DAYS_PAST_DUE_PATH]: days.get(index) } : asset));
}

function reduced(
  assets: readonly ReferenceAsset[],
  { filter: input, percent }: ChangeOf<'haircut'>,
  original: readonly ReferenceAsset[],
  catalog: FieldCatalog,
  cutOffDate: string,
): ReferenceAsset[] {
  const filter = atCutOff(parseFilter(input, catalog), cutOffDate);
  const left = 1_000_000n - toScaled(String(percent), 4);
  return assets.map((asset, index) => {
    const balance = asset[OUTSTANDING_PATH];
    if (balance === null || balance === undefined || !matches(filter, original[index]!)) return asset;
    const units = toScaled(String(balance), 4);
    if (units <= 0n) return asset;
    return { ...asset, [OUTSTANDING_PATH]: fromScaled(divideHalfEven(units * left, 1_000_000n), 4) };
  });
}

/** The obligors with the largest balances in scope. Of equal ones, the first by the text that names it. */
function largest(
  assets: readonly ReferenceAsset[],
  { field, count }: ChangeOf<'largestDefault'>,
  contract: TransactionContract,
  tape: TapeTerms,
  catalog: FieldCatalog,
): string[] {
  const { scopes } = prepareContract(contract, catalog, tape.cutOffDate);
  const sums = new Map<string, Fraction>();
  for (const asset of assets) {
    const [key, balance] = [asset[field], asset[OUTSTANDING_PATH]];
    if (typeof key !== 'string' || balance === null || balance === undefined) continue;
    if (!scopes.some((scope) => matches(scope.filter, asset))) continue;
    const units = toScaled(String(balance), 4);
    if (units <= 0n) continue;
    const currency = String(asset[CURRENCY_OF_OUTSTANDING] ?? tape.mainCurrency);
    const { factor } = exchangeFactor(currency, tape.mainCurrency, tape.exchangeRates);
    const converted = multiplyFractions(fraction(units, 10_000n), factor);
    sums.set(key, reduceFraction(addFractions(sums.get(key) ?? fraction(0n), converted)));
  }
  return [...sums]
    .sort(([a, x], [b, y]) => -compareFractions(x, y) || compareTexts(a, b))
    .slice(0, count)
    .map(([key]) => key);
}

/**
 * Reference implementation of the changes of a scenario: one asset at a time. Its result is what the reference of the
 * borrowing base is calculated from.
 */
export function changedReference(
  input: { assets: readonly ReferenceAsset[]; contract: TransactionContract; tape: TapeTerms; catalog: FieldCatalog },
  changes: readonly ScenarioChange[],
) {
  const { catalog } = input;
  const tape = { ...input.tape, exchangeRates: changedRates(input.tape.exchangeRates, changes) };
  const contract = changedContract(input.contract, changes);
  let assets = [...input.assets];
  for (const change of changes) {
    if (change.kind === 'haircut') assets = reduced(assets, change, input.assets, catalog, tape.cutOffDate);
    if (change.kind === 'rollRates') assets = rolled(assets, change, input.assets);
  }
  const defaults = changes.flatMap((change) =>
    change.kind === 'largestDefault'
      ? [
          {
            field: change.field,
            title: defaultWords(change, catalog),
            keys: largest(assets, change, contract, tape, catalog),
          },
        ]
      : [],
  );
  return { assets, tape, contract: withDefaults(contract, defaults), catalog };
}
