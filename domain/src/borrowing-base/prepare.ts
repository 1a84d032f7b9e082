import { firstFew } from '../errors/first-few.ts';
import { type Issue, isRefusal, refuseIssues } from '../errors/refusal.ts';
import {
  type ContractReserve,
  type Equator,
  type LimitOverlap,
  type OffsetAmounts,
  type OffsetKind,
  type RuleException,
  ruleApplies,
  type TransactionContract,
  thresholdBase,
} from '../facilities/contract.schema.ts';
import { TOTAL_ELIGIBLE_AND_PERFORMING, TOTAL_RELEVANT, type ValuePool } from '../facilities/pools.ts';
import { atCutOff } from '../filters/at-cut-off.ts';
import type { Field, FieldCatalog } from '../filters/catalog.ts';
import { EVERYTHING, type Filter, fieldsOf } from '../filters/filter.ts';
import type { FilterInput } from '../filters/filter-input.schema.ts';
import type { Accumulator } from '../filters/list-query.schema.ts';
import { parseFilter } from '../filters/parse.ts';
import { type DecimalText, decimalOf } from '../money/decimal.ts';

/** The field whose amount a borrowing base counts, and the business key of an asset. */
export const OUTSTANDING_PATH = 'sums.outstandingSum';
export const CURRENCY_OF_OUTSTANDING = 'sums.outstandingSum.currency';
export const ASSET_ID_PATH = 'assetId';

/** A number to sum or to weight by. With `currency`, it is an amount to convert to the tape's main currency. */
export interface Measured {
  readonly field: Field;
  readonly currency: Field | null;
}

export interface PreparedRule {
  /** Position in the contract's list. */
  readonly rule: number;
  readonly title: string;
  readonly filter: Filter;
  readonly exceptIds: readonly string[];
  readonly exceptFilters: readonly Filter[];
}

/** What makes a group: the value of a field, or the parent's of an asset that has a parent. */
export interface Grouping {
  readonly field: Field;
  readonly parent: Field | null;
}

/** Tells groupings apart. Without a parent, it is the path of the field. */
export const groupingKey = ({ field, parent }: Grouping): string =>
  parent === null ? field.path : `${parent.path} or ${field.path}`;

/** An eligibility rule. With `wholeGroup`, all assets of a group fail if the part that fails the filter is large enough. */
export interface PreparedEligibility extends PreparedRule {
  readonly wholeGroup: { readonly grouping: Grouping; readonly percent: DecimalText } | null;
}

export interface PreparedConcentration extends PreparedRule {
  readonly groupBy: Field | null;
  readonly accumulator: Accumulator;
  /** Null for the remaining amount; with `maximumPerAsset`, for the amount before any removal. */
  readonly measured: Measured | null;
  readonly weight: Measured | null;
  readonly topN: number | null;
  readonly skipN: number;
  readonly equator: Equator;
  /** Position, among the prepared values, of the value that a percentage refers to. */
  readonly base: number;
  /** Whether excess is removed ($sum with lt or lte) or a breach is only flagged. */
  readonly removes: boolean;
}

export interface PreparedValue {
  readonly title: string;
  readonly pool: ValuePool;
  readonly filter: Filter;
  readonly accumulator: Accumulator;
  /** Null for the outstanding amount. */
  readonly measured: Measured | null;
  readonly weight: Measured | null;
}

export interface PreparedCase {
  /** Position in the contract's cases; -1 for the default rate. */
  readonly rule: number;
  readonly title: string;
  readonly filter: Filter;
  readonly rate: DecimalText;
  /** Position of the scope that the case applies to; null for every scope. */
  readonly scope: number | null;
}

export interface PreparedReserve {
  /** Position in the contract's reserves. */
  readonly rule: number;
  readonly reserve: ContractReserve;
  /** Position, among the prepared values, of the value that a percentage or a dilution refers to; -1 for other reserves. */
  readonly base: number;
}

/** An amount that is taken off the eligible amounts of each group. */
export interface PreparedOffset {
  /** Position in the contract's offsets. */
  readonly rule: number;
  readonly title: string;
  readonly kind: OffsetKind;
  readonly grouping: Grouping;
  /** Null for negative balances. */
  readonly measured: Measured | null;
  readonly amounts: OffsetAmounts;
}

/** A contract as of a cut-off date: filters parsed, rules that do not apply omitted, names resolved. */
export interface PreparedContract {
  readonly scopes: readonly { readonly title: string | null; readonly filter: Filter }[];
  readonly eligibility: readonly PreparedEligibility[];
  readonly performance: readonly PreparedRule[];
  readonly offsets: readonly PreparedOffset[];
  readonly concentration: readonly PreparedConcentration[];
  readonly overlap: LimitOverlap;
  /** The two default values, then the contract's own. */
  readonly values: readonly PreparedValue[];
  /** The cases, then the default rate. */
  readonly cases: readonly PreparedCase[];
  readonly reserves: readonly PreparedReserve[];
  readonly outstanding: Measured;
}

/** Whether a value adds up or averages amounts of money. */
export const isMoney = (value: Pick<PreparedValue, 'measured'>): boolean =>
  value.measured === null || value.measured.currency !== null;

type Path = readonly (string | number)[];
interface FieldUse {
  readonly path: Path;
  readonly title: string;
  readonly field: Field;
}

/** Reads a contract against a catalog and collects every issue and every field that it uses. */
class ContractReader {
  readonly issues: Issue[] = [];
  readonly uses: FieldUse[] = [];
  private readonly catalog: FieldCatalog;

  private readonly cutOffDate: string | null;

  /** @param cutOffDate what conditions that name the cut-off date refer to; null if they are only checked */
  constructor(catalog: FieldCatalog, cutOffDate: string | null) {
    this.catalog = catalog;
    this.cutOffDate = cutOffDate;
  }

  filter(input: FilterInput | undefined | null, path: Path, title: string): Filter {
    if (input === undefined || input === null || input === '') return EVERYTHING;
    try {
      const filter = parseFilter(input, this.catalog);
      for (const field of fieldsOf(filter)) this.uses.push({ path, title, field });
      return this.cutOffDate === null ? filter : atCutOff(filter, this.cutOffDate);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const flags = Object.entries(error.flags ?? {});
      if (flags.length === 0) this.issues.push({ path, message: `${title}: ${error.message}` });
      for (const [at, reason] of flags) {
        const named = at.replace(/^filter\.?/, '') || 'the filter';
        this.issues.push({ path: at === '' ? path : [...path, at], message: `${title}: ${named} ${reason}` });
      }
      return EVERYTHING;
    }
  }

  field(name: string | undefined | null, path: Path, title: string): Field | null {
    if (!name) return null;
    const found = this.catalog.resolve(name);
    if ('field' in found) {
      this.uses.push({ path, title, field: found.field });
      return found.field;
    }
    const names = found.candidates.map((field) => field.path).join(' or ');
    const message = names === '' ? `there is no field "${name}"` : `"${name}" could be ${names}`;
    this.issues.push({ path, message: `${title}: ${message}` });
    return null;
  }

  grouping(
    { groupBy, parent }: { groupBy: string; parent?: string | null | undefined },
    path: Path,
    title: string,
  ): Grouping | null {
    const field = this.field(groupBy, [...path, 'groupBy'], title);
    const above = this.field(parent, [...path, 'parent'], title);
    if (field === null) return null;
    if (above !== null && above.type !== field.type) {
      const message = `${title}: ${above.label} cannot name the parent of ${field.label}, because it is of another type`;
      this.issues.push({ path: [...path, 'parent'], message });
    }
    return { field, parent: above };
  }

  measured(name: string | undefined | null, path: Path, title: string): Measured | null {
    const field = this.field(name, path, title);
    if (field === null) return null;
    if (field.type !== 'number' && field.type !== 'decimal') {
      this.issues.push({ path, message: `${title}: ${field.label} is not numeric and cannot be summed` });
      return null;
    }
    return { field, currency: field.currency ?? null };
  }

  exceptions(exceptions: readonly RuleException[], path: Path, title: string) {
    const exceptIds: string[] = [];
    const exceptFilters: Filter[] = [];
    for (const [index, exception] of exceptions.entries()) {
      if (exception.assetId !== undefined) exceptIds.push(exception.assetId);
      else exceptFilters.push(this.filter(exception.filter, [...path, index, 'filter'], title));
    }
    return { exceptIds, exceptFilters };
  }
}

function readContract(reader: ContractReader, contract: TransactionContract, applies: (rule: ApplyingRule) => boolean) {
  const rules = (list: 'eligibilityRules' | 'performanceRules'): PreparedRule[] =>
    contract[list].flatMap((rule, index) => {
      if (!applies(rule)) return [];
      return [
        {
          rule: index,
          title: rule.title,
          filter: reader.filter(rule.filter, [list, index, 'filter'], rule.title),
          ...reader.exceptions(rule.exceptions, [list, index, 'exceptions'], rule.title),
        },
      ];
    });

  const scopes =
    contract.scopes.length === 0
      ? [{ title: null, filter: EVERYTHING }]
      : contract.scopes.map((scope, index) => ({
          title: scope.title,
          filter: reader.filter(scope.filter, ['scopes', index, 'filter'], scope.title),
        }));

  const performance = rules('performanceRules');
  const eligibility = rules('eligibilityRules').map((rule): PreparedEligibility => {
    const wholeGroup = contract.eligibilityRules[rule.rule]?.wholeGroup;
    if (!wholeGroup) return { ...rule, wholeGroup: null };
    const grouping = reader.grouping(wholeGroup, ['eligibilityRules', rule.rule, 'wholeGroup'], rule.title);
    return { ...rule, wholeGroup: grouping && { grouping, percent: decimalOf(wholeGroup.percent) } };
  });
  const whole = { filter: EVERYTHING, accumulator: '$sum' as const, measured: null, weight: null };
  const values: PreparedValue[] = [
    { title: TOTAL_ELIGIBLE_AND_PERFORMING, pool: 'eligibleOrPerforming', ...whole },
    { title: TOTAL_RELEVANT, pool: 'relevant', ...whole },
    ...contract.values.map((value, index) => ({
      title: value.title,
      pool: value.pool,
      filter: reader.filter(value.filter, ['values', index, 'filter'], value.title),
      accumulator: value.accumulator,
      measured: reader.measured(value.field, ['values', index, 'field'], value.title),
      weight:
        value.accumulator === '$wAvg'
          ? reader.measured(value.weightedField, ['values', index, 'weightedField'], value.title)
          : null,
    })),
  ];

  const concentration: PreparedConcentration[] = contract.concentrationRules.flatMap((rule, index) => {
    if (!applies(rule)) return [];
    const at = (key: string): Path => ['concentrationRules', index, key];
    return [
      {
        rule: index,
        title: rule.title,
        filter: reader.filter(rule.filter, at('filter'), rule.title),
        ...reader.exceptions(rule.exceptions, at('exceptions'), rule.title),
        groupBy: reader.field(rule.groupBy, at('groupBy'), rule.title),
        accumulator: rule.accumulator,
        measured: reader.measured(rule.accumulatorField, at('accumulatorField'), rule.title),
        weight:
          rule.accumulator === '$wAvg' ? reader.measured(rule.weightedField, at('weightedField'), rule.title) : null,
        topN: rule.topN ?? null,
        skipN: rule.skipN ?? 0,
        equator: rule.equator,
        base: values.findIndex((value) => value.title === thresholdBase(rule.equator)),
        removes: rule.accumulator === '$sum' && (rule.equator.operand === 'lt' || rule.equator.operand === 'lte'),
      },
    ];
  });

  const cases: PreparedCase[] = [
    ...contract.advanceRate.cases.map((rateCase, index) => ({
      rule: index,
      title: rateCase.title,
      filter: reader.filter(rateCase.filter, ['advanceRate', 'cases', index, 'filter'], rateCase.title),
      rate: decimalOf(rateCase.rate),
      scope: rateCase.scope ? contract.scopes.findIndex((scope) => scope.title === rateCase.scope) : null,
    })),
    {
      rule: -1,
      title: 'Default rate',
      filter: EVERYTHING,
      rate: decimalOf(contract.advanceRate.defaultRate),
      scope: null,
    },
  ];

  const reserves = (contract.reserves ?? []).flatMap((reserve, index): PreparedReserve[] => {
    if (!applies(reserve)) return [];
    if (reserve.kind !== 'percentage' && reserve.kind !== 'dilution') return [{ rule: index, reserve, base: -1 }];
    const of = thresholdBase(reserve);
    const base = values.findIndex((value) => value.title === of);
    const value = values[base];
    if (value && !isMoney(value)) {
      const message = `${reserve.title}: '${of}' is not an amount of money. Choose a value that is`;
      reader.issues.push({ path: ['reserves', index, 'of'], message });
    }
    return [{ rule: index, reserve, base }];
  });

  const offsets = (contract.offsets ?? []).flatMap((offset, index): PreparedOffset[] => {
    if (!applies(offset)) return [];
    const { title, kind } = offset;
    const path = ['offsets', index];
    const grouping = reader.grouping(offset, path, title);
    const measured = kind === 'field' ? reader.measured(offset.field, [...path, 'field'], title) : null;
    if (measured !== null && measured.currency === null) {
      const message = `${title}: ${measured.field.label} is not an amount of money. Choose a field that is`;
      reader.issues.push({ path: [...path, 'field'], message });
    }
    if (grouping === null || (kind === 'field' && measured === null)) return [];
    return [{ rule: index, title, kind, grouping, measured, amounts: kind === 'field' ? offset.amounts : 'perAsset' }];
  });

  const outstanding = reader.measured(OUTSTANDING_PATH, [], 'Current balance');
  return {
    scopes,
    eligibility,
    performance,
    offsets,
    concentration,
    overlap: contract.overlap,
    values,
    cases,
    reserves,
    outstanding,
  };
}

type ApplyingRule = Parameters<typeof ruleApplies>[0];

/**
 * The contract as it applies at a tape's cut-off date.
 * @throws Refusal that lists every filter that cannot be read
 */
export function prepareContract(
  contract: TransactionContract,
  catalog: FieldCatalog,
  cutOffDate: string,
): PreparedContract {
  const reader = new ContractReader(catalog, cutOffDate);
  const { outstanding, ...read } = readContract(reader, contract, (rule) => ruleApplies(rule, cutOffDate));
  if (reader.issues.length > 0) throw refuseIssues(reader.issues, unreadable(reader.issues));
  if (outstanding === null) throw new Error(`The catalog lacks ${OUTSTANDING_PATH}`);
  return { ...read, outstanding };
}

/** Every number that the contract sums or weights by, without duplicates. The outstanding sum comes first. */
export function measuredFields(prepared: PreparedContract): Measured[] {
  const found = new Map<string, Measured>([[prepared.outstanding.field.path, prepared.outstanding]]);
  for (const { measured, weight } of [...prepared.values, ...prepared.concentration]) {
    for (const one of [measured, weight]) if (one !== null) found.set(one.field.path, one);
  }
  for (const { measured } of prepared.offsets) if (measured !== null) found.set(measured.field.path, measured);
  return [...found.values()];
}

/** A place in a contract that names a missing field, or has a filter that cannot be read. */
export interface ContractFieldIssue extends Issue {
  /** Path of the field that the mapping lacks; null if the filter itself is invalid. */
  readonly field: string | null;
}

/**
 * Finds every problem with a contract's filters and fields. With `mappedPaths` (the lake columns that the mapping
 * creates), also finds every field that a rule needs and the mapping lacks. Also checks rules that are switched off.
 * @returns an empty list if the contract can be calculated
 */
export function checkContractAgainstFields(
  contract: TransactionContract,
  catalog: FieldCatalog,
  mappedPaths?: Iterable<string>,
): ContractFieldIssue[] {
  const reader = new ContractReader(catalog, null);
  readContract(reader, contract, () => true);
  const problems: ContractFieldIssue[] = reader.issues.map((issue) => ({ ...issue, field: null }));
  if (mappedPaths === undefined) return problems;
  const mapped = new Set(mappedPaths);
  // Every tape has the sheet row.
  mapped.add('row');
  for (const { path, title, field } of reader.uses) {
    if (mapped.has(field.path)) continue;
    const message = `${title}: the tape’s mapping has no rule for ${field.label} (${field.path})`;
    problems.push({ path, field: field.path, message });
  }
  return problems;
}

/** The part of a contract that decides with a list of it: what an asset counts as, what is taken off it, or its rate. */
const PARTS_OF_LISTS: Readonly<Record<string, 'status' | 'limit' | 'rate'>> = {
  scopes: 'status',
  eligibilityRules: 'status',
  performanceRules: 'status',
  concentrationRules: 'limit',
  offsets: 'limit',
  values: 'limit',
  advanceRate: 'rate',
};

/** The columns that the parts of a contract read, with the currencies of amounts. Also those of rules that are off. */
export function contractFields(
  contract: TransactionContract,
  catalog: FieldCatalog,
): Readonly<Record<'status' | 'limit' | 'rate', ReadonlySet<string>>> {
  const reader = new ContractReader(catalog, null);
  readContract(reader, contract, () => true);
  const found = { status: new Set<string>(), limit: new Set<string>(), rate: new Set<string>() };
  for (const { path, field } of reader.uses) {
    const part = PARTS_OF_LISTS[String(path[0])];
    if (part === undefined) continue;
    found[part].add(field.path);
    if (field.currency) found[part].add(field.currency.path);
  }
  return found;
}

/** @throws Refusal that lists every issue of `checkContractAgainstFields`, if there is any */
export function requireContractFields(
  contract: TransactionContract,
  catalog: FieldCatalog,
  mappedPaths?: Iterable<string>,
): void {
  const problems = checkContractAgainstFields(contract, catalog, mappedPaths);
  if (problems.length === 0) return;
  throw refuseIssues(problems, unreadable(problems));
}

/** Maximum number of rules named in a message. The issues contain all of them. */
const MAX_NAMED = 5;

/** Names each rule and its field, without duplicates. */
function unreadable(issues: readonly Issue[]): string {
  const named = [...new Set(issues.map(({ message }) => message))];
  return `The contract cannot be used with this tape. ${firstFew(named, { most: MAX_NAMED, separator: '; ' })}`;
}
