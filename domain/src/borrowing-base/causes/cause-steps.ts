import { ruleApplies, type TransactionContract } from '../../facilities/contract.schema.ts';
import type { FieldCatalog } from '../../filters/catalog.ts';
import type { OffsetList } from '../offset-list.ts';
import { CURRENCY_OF_OUTSTANDING, contractFields, OUTSTANDING_PATH } from '../prepare.ts';
import type { FacilityPosition, TapeTerms } from '../publish.ts';
import type { AdjustmentResult, BorrowingBaseResult } from '../result.ts';
import type { Cause } from './causes.ts';

/** A certificate, and what it was calculated from. */
export interface ExplainedBase {
  readonly result: BorrowingBaseResult;
  /** The contract as stored. */
  readonly contract: TransactionContract;
  readonly tape: TapeTerms;
  /** Of its offsets from files. */
  readonly offsetLists?: readonly OffsetList[] | undefined;
}

/** Which of the values of an asset that is on both tapes are those of the later tape. */
export type LaterFields = 'none' | 'all' | ReadonlySet<string>;

/** What is calculated once the parts up to a cause are those of the later certificate. */
export interface CauseStep {
  /** Null for the earlier certificate itself. */
  readonly cause: Cause | null;
  readonly contract: TransactionContract;
  readonly tape: TapeTerms;
  /** Whose assets the pool has. */
  readonly assets: 'earlier' | 'later';
  readonly laterFields: LaterFields;
  readonly facility: FacilityPosition | undefined;
  /** Of the offsets of its contract. */
  readonly offsetLists: readonly OffsetList[];
  readonly adjustments: readonly AdjustmentResult[];
  /** Whether assets, rules and rates are those of the step before, so that only figures of the note change. */
  readonly hasPoolOfBefore: boolean;
}

/** Rules keep their position, by which results name them; those that do not apply on the day are switched off. */
function inForce(contract: TransactionContract, cutOffDate: string): TransactionContract {
  const fixed = <Rule extends Parameters<typeof ruleApplies>[0]>(rules: readonly Rule[]): Rule[] =>
    rules.map((rule) => ({
      ...rule,
      enabled: ruleApplies(rule, cutOffDate),
      startDate: null,
      expirationDate: null,
    }));
  return {
    ...contract,
    eligibilityRules: fixed(contract.eligibilityRules),
    performanceRules: fixed(contract.performanceRules),
    concentrationRules: fixed(contract.concentrationRules),
    ...(contract.reserves && { reserves: fixed(contract.reserves) }),
    ...(contract.offsets && { offsets: fixed(contract.offsets) }),
  };
}

/** The contract that a certificate was calculated under. A breached covenant may have set another default rate. */
export function certificateTerms({ contract, result, tape }: ExplainedBase): TransactionContract {
  const applied = inForce(contract, tape.cutOffDate);
  const rate = result.rulesTracking.advancing.find(({ rule }) => rule === -1)?.rate;
  if (rate === undefined) return applied;
  return { ...applied, advanceRate: { ...applied.advanceRate, defaultRate: Number(rate) } };
}

/** The position of the note that a certificate was calculated with, as its result has it. */
export function certificatePosition({ totals, currency }: BorrowingBaseResult): FacilityPosition | undefined {
  const { balance, commitments, byCurrency = [], reserves = [] } = totals;
  if (!balance && !commitments && byCurrency.length === 0) return undefined;
  const known = byCurrency.flatMap((one) =>
    one.balance === null ? [] : [{ sum: one.balance, currency: one.currency }],
  );
  const dilutions = reserves.flatMap(({ rule, dilution }) =>
    dilution?.sums ? [{ rule, credits: dilution.sums.creditsSum, sales: dilution.sums.salesSum }] : [],
  );
  return {
    currency: balance?.currency ?? commitments?.currency ?? currency,
    balances: balance && (known.length > 0 ? known : [balance]),
    commitments: commitments ? [commitments] : [],
    limits: byCurrency.map(({ currency: code, limit }) => ({ sum: limit, currency: code })),
    dilutions,
  };
}

/** The scopes of a contract with the rules that depend on them. A rate for a scope that is gone applies to no asset. */
const withStatusOf = (contract: TransactionContract, later: TransactionContract): TransactionContract => {
  const scopes = new Set(later.scopes.map(({ title }) => title));
  const { advanceRate } = contract;
  return {
    ...contract,
    scopes: later.scopes,
    eligibilityRules: later.eligibilityRules,
    performanceRules: later.performanceRules,
    advanceRate: { ...advanceRate, cases: advanceRate.cases.filter(({ scope }) => !scope || scopes.has(scope)) },
  };
};

/**
 * The limits of a contract with the values and offsets that they depend on. Reserves of the other contract still find the
 * values that they are taken of, except one that is an average in this contract.
 */
function withLimitsOf(contract: TransactionContract, later: TransactionContract): TransactionContract {
  const titles = new Set(later.values.map(({ title }) => title));
  const averages = new Set(later.values.filter(({ accumulator }) => accumulator !== '$sum').map(({ title }) => title));
  const { offsets: _, ...rest } = contract;
  return {
    ...rest,
    ...(later.offsets && { offsets: later.offsets }),
    concentrationRules: later.concentrationRules,
    overlap: later.overlap,
    values: [...later.values, ...contract.values.filter(({ title }) => !titles.has(title))],
    ...(contract.reserves && {
      reserves: contract.reserves.map((reserve) =>
        'of' in reserve && reserve.of !== undefined && averages.has(reserve.of)
          ? { ...reserve, enabled: false }
          : reserve,
      ),
    }),
  };
}

const sameRates = (a: TapeTerms, b: TapeTerms): boolean =>
  JSON.stringify(Object.entries(a.exchangeRates).sort()) === JSON.stringify(Object.entries(b.exchangeRates).sort());

/**
 * The calculations that lead from one certificate to another: each replaces one part of the first by that of the second,
 * in the order of CAUSES, and what its result differs by from that of the step before is the effect of the cause. A field
 * that several rules read changes with the first of them. The cut-off date that rules refer to changes with the status.
 * @param catalog with the custom fields of both tapes
 */
export function causeSteps(earlier: ExplainedBase, later: ExplainedBase, catalog: FieldCatalog): CauseStep[] {
  const [first, last] = [certificateTerms(earlier), certificateTerms(later)];
  const [was, is] = [certificatePosition(earlier.result), certificatePosition(later.result)];
  const read = [first, last].map((contract) => contractFields(contract, catalog));
  const of = (part: keyof (typeof read)[number]) => read.flatMap((fields) => [...fields[part]]);
  const amounts = new Set([OUTSTANDING_PATH, CURRENCY_OF_OUTSTANDING]);
  const statuses = new Set([...amounts, ...of('status')]);
  const limits = new Set([...statuses, ...of('limit')]);
  const withStatus = withStatusOf(first, last);
  const withLimits = withLimitsOf(withStatus, last);
  const withRates = { ...withLimits, advanceRate: last.advanceRate };
  const { reserves: _, ...unreserved } = withRates;
  const withReserves = { ...unreserved, ...(last.reserves && { reserves: last.reserves }) };
  const dated: TapeTerms = { ...earlier.tape, cutOffDate: later.tape.cutOffDate };
  const { dilutions = [] } = is ?? {};
  const position = (balance: FacilityPosition | undefined, commitments: FacilityPosition | undefined) => {
    const known = balance ?? commitments;
    if (!known) return undefined;
    const limitsOf = commitments?.limits;
    return {
      currency: known.currency,
      balances: balance?.balances ?? null,
      commitments: commitments?.commitments ?? [],
      ...(limitsOf && { limits: limitsOf }),
      dilutions,
    };
  };
  const [none, added] = [earlier.result.totals.adjustments ?? [], later.result.totals.adjustments ?? []];
  const start = {
    contract: first,
    tape: earlier.tape,
    laterFields: 'none',
    facility: was,
    offsetLists: earlier.offsetLists ?? [],
    adjustments: none,
    hasPoolOfBefore: false,
  } as const;
  const joined = { ...start, assets: 'later' } as const;
  const offsetLists = later.offsetLists ?? [];
  const rated = { ...joined, contract: withRates, tape: dated, laterFields: 'all', offsetLists } as const;
  const reserved = { ...rated, contract: withReserves, facility: position(was, was), hasPoolOfBefore: true } as const;
  const adjusted = { ...reserved, adjustments: added };
  const drawn = { ...adjusted, facility: position(is, was) };
  const committed = { ...drawn, facility: position(is, is) };
  return [
    { cause: null, ...start, assets: 'earlier' },
    { cause: 'onlyInOne', ...joined },
    { cause: 'amount', ...joined, laterFields: amounts },
    { cause: 'status', ...joined, contract: withStatus, tape: dated, laterFields: statuses },
    { cause: 'limit', ...joined, contract: withLimits, tape: dated, laterFields: limits, offsetLists },
    { cause: 'rate', ...rated },
    { cause: 'reserve', ...reserved },
    { cause: 'adjustment', ...adjusted },
    { cause: 'balance', ...drawn },
    { cause: 'commitments', ...committed },
    {
      cause: 'exchange',
      ...committed,
      tape: later.tape,
      hasPoolOfBefore: sameRates(earlier.tape, later.tape),
    },
  ];
}
