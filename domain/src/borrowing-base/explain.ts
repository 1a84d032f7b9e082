import type { LimitOverlap, TransactionContract } from '../facilities/contract.schema.ts';
import type { Field, FieldCatalog } from '../filters/catalog.ts';
import { evaluateFilter } from '../filters/evaluate.ts';
import { type Filter, fieldsOf, isEverything, type Literal } from '../filters/filter.ts';
import { filterToSentence } from '../filters/sentence.ts';
import { describeValue } from '../filters/spoken-value.ts';
import { add, compare, type DecimalText, decimalOf, fromScaled, subtract, toScaled } from '../money/decimal.ts';
import { formatFigure } from '../money/format-figure.ts';
import {
  type Grouping,
  type PreparedConcentration,
  type PreparedContract,
  type PreparedEligibility,
  type PreparedOffset,
  type PreparedRule,
  prepareContract,
} from './prepare.ts';
import { AMOUNT_SCALE, type BorrowingBaseResult, ruleKey } from './result.ts';

/** A condition that an asset does not satisfy, and the asset's actual value. */
export interface FailedCondition {
  /** For example "Origination credit score is at least 640". */
  condition: string;
  /** For example "is 612" or "is missing"; with several fields "State is CA, Sector is missing". */
  value: string;
}

export interface FailedRule {
  stage: 'eligibility' | 'performance';
  /** Position in the contract's list; -1 for the built-in test that the asset has an outstanding sum. */
  rule: number;
  title: string;
  conditions: FailedCondition[];
  /** The conditions in one sentence, for example "Origination credit score is at least 640: is 612". */
  sentence: string;
}

export interface RuleCut {
  /** Position in the contract's concentrationRules. */
  rule: number;
  title: string;
  /** The field that assets are grouped by; null if the rule measures the whole pool. */
  groupBy: { path: string; label: string } | null;
  /** The asset's group; null for the group of assets without the field, and for the whole pool. */
  group: string | null;
  /**
   * The rule's own excess on the asset. Exact, in the currency of the borrowing base. Null in results of earlier versions
   * if several rules cut the asset.
   */
  excess: DecimalText | null;
  /**
   * What the asset loses to the rule; the rules' amounts add up to what it loses. With `sequential` it is the excess.
   * With `maximumPerAsset` it is the excess under the rule with the greatest one (the first of them), and 0 under others.
   */
  removed: DecimalText | null;
}

/** What offsets took off the asset. */
export interface AssetOffset {
  /** Exact, in the currency of the borrowing base. */
  amount: DecimalText;
  /** The offsets that reduced the asset, each with the asset's group; null for the assets without one. */
  offsets: { rule: number; title: string; groupBy: { path: string; label: string }; group: string | null }[];
}

export interface AssetAdvance {
  /** In percent. */
  rate: DecimalText;
  /**
   * Title of the case that set the rate; "Default rate" if no case matches. Null if the asset's values no longer lead
   * to this rate.
   */
  case: string | null;
  /** The case's condition in words; null if the case applies to every asset. */
  condition: string | null;
  scope: string | null;
  remaining: DecimalText;
  advanced: DecimalText;
}

/** Explains an asset's contribution to a borrowing base. */
export interface AssetExplanation {
  currency: string;
  /** Why the asset is in no scope; null if it is in one. */
  outOfScope: string | null;
  failedRules: FailedRule[];
  /** Null if no offset reduced the asset. */
  offset: AssetOffset | null;
  concentration: RuleCut[];
  /** Null if nothing is advanced against the asset. */
  advance: AssetAdvance | null;
}

/** An asset's stored result, as in the columns of ASSET_RESULT_FIELDS. */
export interface StoredAssetResult {
  status: string;
  scope: string | null;
  /** Rule keys, each between commas: ",eligible:0,". */
  failed: string;
  amount: DecimalText | null;
  excessRemoved: DecimalText;
  remaining: DecimalText;
  rate: DecimalText | null;
  advanced: DecimalText;
}

export interface AssetToExplain {
  /** Position in the tape. */
  sequenceIndex: number;
  /** Returns a field's value as filters read it. */
  read(field: Field): unknown;
  result: StoredAssetResult;
}

/**
 * Explains an asset's stored result, based on the contract and the borrowing base that it belongs to. Evaluates the
 * conditions again on the asset's values, and calculates the amounts again exactly as the engine did.
 */
export function explainAsset(
  asset: AssetToExplain,
  contract: TransactionContract,
  catalog: FieldCatalog,
  base: BorrowingBaseResult,
): AssetExplanation {
  const prepared = prepareContract(contract, catalog, base.cutOffDate);
  const { result } = asset;
  const failed = new Set(result.failed.split(',').filter(Boolean));
  const speak = new Speaker(asset);
  const conditionsOf = (rule: PreparedRule & Partial<PreparedEligibility>): FailedCondition[] =>
    rule.wholeGroup ? [wholeGroupCondition(rule, rule.wholeGroup, asset, base)] : speak.failedConditions(rule.filter);
  const failing = (stage: FailedRule['stage'], rules: readonly PreparedRule[]): FailedRule[] =>
    rules.flatMap((rule) =>
      failed.has(ruleKey(stage === 'eligibility' ? 'eligible' : 'performing', rule.rule))
        ? [failedRule(stage, rule.rule, rule.title, conditionsOf(rule))]
        : [],
    );
  const { label } = prepared.outstanding.field;
  const lacksOutstanding = { condition: `${label} is known`, value: 'is missing' };
  return {
    currency: base.currency,
    outOfScope: result.status === 'outOfScope' ? outOfScope(prepared, speak) : null,
    failedRules: [
      ...(failed.has(ruleKey('eligible', -1))
        ? [failedRule('eligibility', -1, 'Has a current balance', [lacksOutstanding])]
        : []),
      ...failing('eligibility', prepared.eligibility),
      ...failing('performance', prepared.performance),
    ],
    offset: offsetOf(
      asset,
      prepared.offsets.filter(({ rule }) => failed.has(ruleKey('offset', rule))),
    ),
    concentration: cutsOf(
      asset,
      prepared.concentration.filter(({ rule }) => failed.has(ruleKey('concentration', rule))),
      prepared.overlap,
      base,
    ),
    advance: advanceOf(asset, prepared),
  };
}

const failedRule = (
  stage: FailedRule['stage'],
  rule: number,
  title: string,
  conditions: FailedCondition[],
): FailedRule => ({
  stage,
  rule,
  title,
  conditions,
  sentence: conditions.map(({ condition, value }) => `${condition}: ${value}`).join('; '),
});

/** Why an asset failed with its group: "37.5% of Borrower d1 fails" against less than 25%. */
function wholeGroupCondition(
  { rule, filter }: PreparedRule,
  { grouping, percent }: NonNullable<PreparedEligibility['wholeGroup']>,
  asset: AssetToExplain,
  { wholeGroups = [] }: BorrowingBaseResult,
): FailedCondition {
  const { field } = grouping;
  const key = keyOfGrouping(grouping, asset);
  const group = wholeGroups.find((one) => one.rule === rule)?.groups.find((one) => one.key === key);
  const name = key === null ? `assets without ${field.label}` : `${field.label} ${key}`;
  return {
    condition: `Less than ${formatFigure(percent)}% of ${name} fails “${filterToSentence(filter)}”`,
    value: group ? `is ${formatFigure(decimalOf(group.percentage))}%` : 'is more',
  };
}

function outOfScope({ scopes }: PreparedContract, speak: Speaker): string {
  return scopes
    .map(({ title, filter }) => `${title}: ${filterToSentence(filter)} (${speak.values(filter)})`)
    .join('; ');
}

/** Describes the conditions of a filter and the asset's values for them. */
class Speaker {
  private readonly asset: AssetToExplain;

  constructor(asset: AssetToExplain) {
    this.asset = asset;
  }

  /** The parts of a filter that the asset does not satisfy, each with the asset's values. */
  failedConditions(filter: Filter): FailedCondition[] {
    const parts = filter.kind === 'and' ? filter.filters : [filter];
    return parts
      .filter((part) => evaluateFilter(part, (field) => this.asset.read(field)) !== true)
      .map((part) => ({ condition: filterToSentence(part), value: this.values(part) }));
  }

  values(filter: Filter): string {
    const fields = fieldsOf(filter);
    const [only] = fields;
    if (only && fields.length === 1) return this.value(only);
    return fields.map((field) => `${field.label} ${this.value(field)}`).join(', ');
  }

  private value(field: Field): string {
    const value = this.asset.read(field) ?? null;
    if (value === null) return 'is missing';
    const said = describeValue(field, value as Literal);
    const code = field.currency ? (this.asset.read(field.currency) ?? null) : null;
    return code === null ? `is ${said}` : `is ${said} ${code}`;
  }
}

/** The key of the asset's group, as the engine writes it. */
const keyOf = (groupBy: Field, asset: AssetToExplain): string | null => {
  const value = asset.read(groupBy) ?? null;
  if (value === null) return null;
  return groupBy.type === 'decimal' ? decimalOf(String(value)) : String(value);
};

const keyOfGrouping = ({ field, parent }: Grouping, asset: AssetToExplain): string | null =>
  (parent && keyOf(parent, asset)) ?? keyOf(field, asset);

function offsetOf(asset: AssetToExplain, offsets: readonly PreparedOffset[]): AssetOffset | null {
  if (offsets.length === 0) return null;
  const { amount, excessRemoved, remaining } = asset.result;
  return {
    amount: subtract(amount ?? '0', add(excessRemoved, remaining)),
    offsets: offsets.map(({ rule, title, grouping }) => ({
      rule,
      title,
      groupBy: { path: grouping.field.path, label: grouping.field.label },
      group: keyOfGrouping(grouping, asset),
    })),
  };
}

const groupOf = ({ groupBy }: PreparedConcentration, asset: AssetToExplain): string | null =>
  groupBy === null ? null : keyOf(groupBy, asset);

/** The excess of each rule on the asset, and what it removed. Rules apply in order, as in the engine. */
function cutsOf(
  asset: AssetToExplain,
  rules: readonly PreparedConcentration[],
  overlap: LimitOverlap,
  { cuts = [] }: BorrowingBaseResult,
): RuleCut[] {
  const remaining = toScaled(asset.result.remaining, AMOUNT_SCALE);
  // What offsets left.
  const amount = remaining + toScaled(asset.result.excessRemoved, AMOUNT_SCALE);
  const isMaximum = overlap === 'maximumPerAsset';
  let left = amount;
  let isKnown = true;
  const excesses = rules.map((rule) => {
    if (isMaximum) left = amount;
    const terms = cuts.find((one) => one.rule === rule.rule);
    const group = groupOf(rule, asset);
    const kept = terms?.isTogether ? terms.kept[0] : terms?.kept.find(({ key }) => key === group);
    if (!terms || !kept) {
      isKnown = false;
      return 0n;
    }
    const residue = terms.residues.find((one) => one.asset === asset.sequenceIndex);
    const after =
      (left * BigInt(kept.numerator)) / BigInt(kept.denominator) +
      (residue ? toScaled(residue.amount, AMOUNT_SCALE) : 0n);
    const taken = left - after;
    left = after;
    return taken;
  });
  // Results of earlier versions have no cut terms. If there is only one rule, it removed the whole difference.
  const removed = isMaximum ? onlyGreatest(excesses) : excesses;
  const lost = removed.reduce((sum, one) => sum + one, 0n);
  if (!isKnown && rules.length === 1) [excesses[0], removed[0]] = [amount - remaining, amount - remaining];
  else if (lost !== amount - remaining) isKnown = false;
  const isExact = isKnown || rules.length === 1;
  return rules.map((rule, index) => ({
    rule: rule.rule,
    title: rule.title,
    groupBy: rule.groupBy && { path: rule.groupBy.path, label: rule.groupBy.label },
    group: groupOf(rule, asset),
    excess: isExact ? fromScaled(excesses[index] ?? 0n, AMOUNT_SCALE) : null,
    removed: isExact ? fromScaled(removed[index] ?? 0n, AMOUNT_SCALE) : null,
  }));
}

/** The greatest excess at its place (the first of them), and zero at the others. */
function onlyGreatest(excesses: readonly bigint[]): bigint[] {
  const index = excesses.reduce((most, excess, at) => (excess > (excesses[most] ?? 0n) ? at : most), 0);
  return excesses.map((excess, at) => (at === index ? excess : 0n));
}

function advanceOf({ read, result }: AssetToExplain, prepared: PreparedContract): AssetAdvance | null {
  const { rate, remaining, advanced } = result;
  if (rate === null) return null;
  const scope = Math.max(
    0,
    prepared.scopes.findIndex(({ title }) => title === result.scope),
  );
  const found = prepared.cases.find(
    (one) => (one.scope === null || one.scope === scope) && evaluateFilter(one.filter, read) === true,
  );
  if (!found || compare(found.rate, rate) !== 0) {
    return { rate: decimalOf(rate), case: null, condition: null, scope: null, remaining, advanced };
  }
  return {
    rate: found.rate,
    case: found.title,
    condition: isEverything(found.filter) ? null : filterToSentence(found.filter),
    scope: found.scope === null ? null : (prepared.scopes[found.scope]?.title ?? null),
    remaining,
    advanced,
  };
}
