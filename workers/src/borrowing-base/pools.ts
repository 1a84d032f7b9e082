import type { RateCell, RuleOutcome, Tally } from '@tapeline/domain/borrowing-base/outcome.ts';
import type { PreparedContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import { BORROWING_BASE_STATUSES } from '@tapeline/domain/facilities/pools.ts';
import { type AmountColumn, amountAt, makeAmounts, type SumArrays, Sums, setBigInt } from './amount-columns.ts';
import { type Answer, type AnswerLayout, type FilterAnswer, isSet } from './answers.ts';

export const IN_ELIGIBLE = BORROWING_BASE_STATUSES.indexOf('inEligible');
export const ELIGIBLE = BORROWING_BASE_STATUSES.indexOf('eligible');
export const PERFORMING = BORROWING_BASE_STATUSES.indexOf('performing');
export const NON_PERFORMING = BORROWING_BASE_STATUSES.indexOf('nonPerforming');
export const OUT_OF_SCOPE = BORROWING_BASE_STATUSES.length;
const STATUS_COUNT = BORROWING_BASE_STATUSES.length;

/** How each asset's scope, pool and rate follow from the answers about it. Plain data. */
export interface PoolPlan {
  readonly scopes: readonly FilterAnswer[];
  readonly eligibility: readonly (Answer | null)[];
  readonly performance: readonly (Answer | null)[];
  /** A case without a scope applies to all of them. */
  readonly cases: readonly { readonly scope: number | null; readonly answer: Answer | null }[];
  /** Index of the outstanding sum among the measured columns, and its bit for a missing value. */
  readonly outstanding: number;
  readonly lacking: Answer;
}

/** What `PoolSorter` writes for each asset, at its position in the tape. */
export interface PoolTargets {
  /** Index in BORROWING_BASE_STATUSES, or OUT_OF_SCOPE. */
  readonly status: Uint8Array;
  /** -1 if out of scope. */
  readonly scope: Int16Array;
  /** The first case that matches; -1 if nothing is advanced against the asset. The last case matches every asset. */
  readonly rateCase: Int16Array;
}

interface RuleSums {
  readonly failed: SumArrays;
  readonly first: SumArrays;
}

/** The counts and amounts of the assets that one thread has read. */
export interface PoolCounts {
  /** By scope and status. */
  readonly cells: SumArrays;
  readonly scopeUnknown: SumArrays;
  readonly outOfScope: SumArrays;
  readonly eligibility: RuleSums;
  readonly performance: RuleSums;
  /** By scope and case, before concentration. */
  readonly rates: SumArrays;
  /**
   * By case: the assets of the pool that match its filter. An asset matches few cases, so the others are not counted.
   * Zero for a case without a filter.
   */
  readonly matched: SumArrays;
  readonly withoutOutstanding: number;
  readonly negativeOutstanding: number;
}

/** The rules whose answers are in one of the words. */
interface RuleBits {
  readonly word: Int32Array;
  readonly mask: number;
  /** The rule of each bit. */
  readonly ruleOf: Int32Array;
}

/** Rules keep their order: their bits ascend. */
function ruleBitsOf(answers: readonly (Answer | null)[], words: readonly Int32Array[]): RuleBits[] {
  const found = new Map<number, { mask: number; ruleOf: Int32Array }>();
  for (const [rule, answer] of answers.entries()) {
    if (answer === null) continue;
    const entry = found.get(answer.word) ?? { mask: 0, ruleOf: new Int32Array(32) };
    found.set(answer.word, entry);
    entry.mask |= 1 << answer.shift;
    entry.ruleOf[answer.shift] = rule;
  }
  return [...found].sort((a, b) => a[0] - b[0]).map(([word, entry]) => ({ word: words[word]!, ...entry }));
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

/** The rules of one stage, and what they exclude. */
class Stage {
  readonly words: readonly RuleBits[];
  readonly failed: Sums;
  readonly first: Sums;

  constructor(answers: readonly (Answer | null)[], words: readonly Int32Array[]) {
    this.words = ruleBitsOf(answers, words);
    this.failed = new Sums(answers.length);
    this.first = new Sums(answers.length);
  }

  /** Counts every rule that an asset fails. Returns true if it fails any, or was excluded before. */
  excludes(index: number, amount: AmountColumn, already: boolean): boolean {
    const { words, failed, first } = this;
    let excluded = already;
    for (let at = 0; at < words.length; at += 1) {
      const { word, mask, ruleOf } = words[at]!;
      for (let bits = word[index]! & mask; bits !== 0; bits &= bits - 1) {
        const rule = ruleOf[lowestBit(bits)]!;
        failed.addFrom(rule, amount, 0);
        if (!excluded) first.addFrom(rule, amount, 0);
        excluded = true;
      }
    }
    return excluded;
  }

  get arrays(): RuleSums {
    return { failed: this.failed.arrays, first: this.first.arrays };
  }
}

/** Finds the scope of an asset: the first one whose filter is true. */
class ScopeFinder {
  readonly unknown: Sums;
  /** The words with the scopes' bits for true, and of each the bits for unknown, which are one place higher. */
  private readonly words: readonly RuleBits[];
  /** The first scope without a filter: the scope of all assets that match none before. -1 if there is none. */
  private readonly rest: number;

  constructor(answers: readonly FilterAnswer[], words: readonly Int32Array[]) {
    this.unknown = new Sums(answers.length);
    this.rest = answers.indexOf(null);
    this.words = ruleBitsOf(this.rest < 0 ? answers : answers.slice(0, this.rest), words);
  }

  /** Counts the scopes before it for which it is unknown whether the asset belongs to them. @returns -1 if none fits */
  find(index: number, amount: AmountColumn): number {
    const { words } = this;
    for (let at = 0; at < words.length; at += 1) {
      const { word, mask, ruleOf } = words[at]!;
      const bits = word[index]!;
      const fits = bits & mask;
      // All bits below the first scope that fits; all bits if none does.
      const before = (fits & -fits) - 1;
      for (let open = (bits >>> 1) & mask & before; open !== 0; open &= open - 1) {
        this.unknown.addFrom(ruleOf[lowestBit(open)]!, amount, 0);
      }
      if (fits !== 0) return ruleOf[lowestBit(fits)]!;
    }
    return this.rest;
  }
}

/** Finds the rate of an asset: the first advance-rate case that applies to it. */
class CaseFinder {
  readonly matched: Sums;
  private readonly words: readonly RuleBits[];
  /** By case; -1 for every scope. */
  private readonly scopeOf: Int32Array;
  /** By scope: the first case without a filter that applies to it. The last case, the default rate, always does. */
  private readonly rest: Int32Array;

  constructor({ cases, scopes }: PoolPlan, words: readonly Int32Array[]) {
    this.matched = new Sums(cases.length);
    this.words = ruleBitsOf(
      cases.map(({ answer }) => answer),
      words,
    );
    this.scopeOf = Int32Array.from(cases, ({ scope }) => scope ?? -1);
    const applies = (scope: number) => cases.findIndex((one) => one.answer === null && (one.scope ?? scope) === scope);
    this.rest = Int32Array.from(scopes, (_, scope) => applies(scope));
  }

  find(index: number, scope: number, amount: AmountColumn): number {
    const { words, scopeOf, matched } = this;
    let taken = this.rest[scope]!;
    for (let at = 0; at < words.length; at += 1) {
      const { word, mask, ruleOf } = words[at]!;
      for (let bits = word[index]! & mask; bits !== 0; bits &= bits - 1) {
        const found = ruleOf[lowestBit(bits)]!;
        const ofScope = scopeOf[found]!;
        if (ofScope >= 0 && ofScope !== scope) continue;
        matched.addFrom(found, amount, 0);
        if (found < taken) taken = found;
      }
    }
    return taken;
  }
}

/** Where `withoutOutstanding` and `negativeOutstanding` are counted. */
const [WITHOUT, NEGATIVE] = [0, 1];

/**
 * Sorts assets into their pools, with the scope and the rate of each, while their rows are still in the processor's
 * cache, and counts them. Each thread has its own sums, which are exact, so that the threads' share of the tape does not change the total.
 */
export class PoolSorter {
  private readonly lackingWord: Int32Array;
  private readonly lackingMask: number;
  private readonly hasPerformanceRules: boolean;
  private readonly outstanding: AmountColumn;
  private readonly targets: PoolTargets;
  private readonly eligibility: Stage;
  private readonly performance: Stage;
  private readonly scopes: ScopeFinder;
  private readonly cases: CaseFinder;
  private readonly caseCount: number;
  private readonly cells: Sums;
  private readonly outside = new Sums(1);
  private readonly rates: Sums;
  private readonly counters = new Int32Array(2);
  /** The counted amount of the asset that is being looked at. For hot loops, as in `Sums.addFrom`. */
  private readonly amount = makeAmounts(1);

  constructor(plan: PoolPlan, words: readonly Int32Array[], measured: readonly AmountColumn[], targets: PoolTargets) {
    this.lackingWord = words[plan.lacking.word]!;
    this.lackingMask = 1 << plan.lacking.shift;
    this.hasPerformanceRules = plan.performance.length > 0;
    this.outstanding = measured[plan.outstanding]!;
    this.targets = targets;
    this.eligibility = new Stage(plan.eligibility, words);
    this.performance = new Stage(plan.performance, words);
    this.scopes = new ScopeFinder(plan.scopes, words);
    this.cases = new CaseFinder(plan, words);
    this.caseCount = plan.cases.length;
    this.cells = new Sums(plan.scopes.length * STATUS_COUNT);
    this.rates = new Sums(plan.scopes.length * plan.cases.length);
  }

  /**
   * Takes the assets of a block, whose words and measured columns have been written.
   * @param isAgain whether their scopes are known already
   */
  take(rows: number, sequence: Int32Array, isAgain = false): void {
    const { amount, counters, scopes, cases, caseCount, eligibility, performance, hasPerformanceRules } = this;
    const { cells, rates, outside, lackingWord, lackingMask } = this;
    const { whole, part } = this.outstanding;
    const { status: statuses, scope: scopesOf, rateCase } = this.targets;
    for (let row = 0; row < rows; row += 1) {
      const index = sequence[row]!;
      amount.whole[0] = whole[index]!;
      amount.part[0] = part[index]!;
      if (whole[index]! < 0) {
        counters[NEGATIVE] = counters[NEGATIVE]! + 1;
        amount.whole[0] = 0;
        amount.part[0] = 0;
      }
      const scope = isAgain ? scopesOf[index]! : scopes.find(index, amount);
      scopesOf[index] = scope;
      rateCase[index] = -1;
      if (scope < 0) {
        statuses[index] = OUT_OF_SCOPE;
        outside.addFrom(0, amount, 0);
        continue;
      }
      const lacks = (lackingWord[index]! & lackingMask) !== 0;
      if (lacks) counters[WITHOUT] = counters[WITHOUT]! + 1;
      let status = ELIGIBLE;
      if (eligibility.excludes(index, amount, lacks)) status = IN_ELIGIBLE;
      else if (hasPerformanceRules) status = performance.excludes(index, amount, false) ? NON_PERFORMING : PERFORMING;
      statuses[index] = status;
      cells.addFrom(scope * STATUS_COUNT + status, amount, 0);
      if (status !== ELIGIBLE && status !== PERFORMING) continue;
      const taken = cases.find(index, scope, amount);
      rateCase[index] = taken;
      rates.addFrom(scope * caseCount + taken, amount, 0);
    }
  }

  get counts(): PoolCounts {
    const { cells, scopes, outside, eligibility, performance, rates, cases, counters } = this;
    return {
      cells: cells.arrays,
      scopeUnknown: scopes.unknown.arrays,
      outOfScope: outside.arrays,
      eligibility: eligibility.arrays,
      performance: performance.arrays,
      rates: rates.arrays,
      matched: cases.matched.arrays,
      withoutOutstanding: counters[WITHOUT]!,
      negativeOutstanding: counters[NEGATIVE]!,
    };
  }
}

/** The groups that fail a rule, and those that it measured. */
export interface MeasuredGroups {
  readonly groupCount: number;
  readonly failedGroupCount: number;
  /** Those that can be among the largest that are listed. */
  readonly largest: readonly MeasuredGroup[];
}

/** A group that fails. */
export interface MeasuredGroup extends Tally {
  /** The position of one of its assets in the tape. */
  readonly first: number;
  readonly failing: bigint;
}

/** The values of every asset that the engine needs: one typed array per column, in tape order. */
export interface TapeColumns extends PoolTargets {
  readonly length: number;
  readonly layout: AnswerLayout;
  readonly words: readonly Int32Array[];
  /** By path: money in the main currency, other numbers unchanged. A missing number is zero, with its answer set. */
  readonly measured: ReadonlyMap<string, AmountColumn>;
  /** By grouping: 0 if missing, otherwise a code starting at 1. */
  readonly codes: ReadonlyMap<string, Int32Array>;
  readonly missingRates: readonly string[];
  /** By eligibility rule, the groups that fail whole; null for rules about single assets. */
  readonly wholeGroups: readonly (MeasuredGroups | null)[];
  /** The sums of each thread that has read a part of the tape, and of the assets that fail with their group. */
  readonly counts: readonly PoolCounts[];
  /** Sums to take off these: of the assets that fail with their group, as they were before. */
  readonly countedBefore: readonly PoolCounts[];
}

const addTallies = (a: Tally, b: Tally): Tally => ({ count: a.count + b.count, amount: a.amount + b.amount });

/** The pools of a tape, and what each rule excludes from them. */
export class Pools {
  /** Zero if the outstanding sum is missing or negative. */
  readonly gross: AmountColumn;
  /** What offsets have left of it. */
  amount: AmountColumn;
  /** Tape positions of Eligible Or Performing, ascending. */
  readonly members: Int32Array;
  /** By scope, then by status. */
  readonly byScope: Tally[][];
  readonly scopeUnknown: Tally[];
  readonly outOfScope: Tally;
  readonly eligibility: RuleOutcome[];
  readonly performance: RuleOutcome[];
  readonly caseFailed: Tally[];
  readonly withoutOutstanding: number;
  readonly negativeOutstanding: number;
  /** What offsets have taken: by scope, and the number of assets. */
  readonly offsetOf: bigint[];
  offsetCount = 0;
  private readonly rates: Sums;
  /** What offsets have taken, by scope and case. */
  private readonly offRates: Sums;

  constructor(prepared: PreparedContract, columns: TapeColumns) {
    const { counts, countedBefore } = columns;
    const sumsOf = (read: (one: PoolCounts) => SumArrays): Sums =>
      Sums.merge(counts.map(read), countedBefore.map(read));
    const totalOf = (list: readonly PoolCounts[], read: (one: PoolCounts) => number): number =>
      list.reduce((sum, one) => sum + read(one), 0);
    const total = (read: (one: PoolCounts) => number): number => totalOf(counts, read) - totalOf(countedBefore, read);
    const outcomes = (stage: 'eligibility' | 'performance'): RuleOutcome[] => {
      const [failed, first] = [sumsOf((one) => one[stage].failed), sumsOf((one) => one[stage].first)];
      return prepared[stage].map((_, rule) => ({ failed: failed.tally(rule), first: first.tally(rule) }));
    };
    this.withoutOutstanding = total((one) => one.withoutOutstanding);
    this.negativeOutstanding = total((one) => one.negativeOutstanding);
    const outstanding = columns.measured.get(prepared.outstanding.field.path)!;
    this.gross = this.negativeOutstanding === 0 ? outstanding : withoutNegative(outstanding);
    this.amount = this.gross;
    const cells = sumsOf((one) => one.cells);
    const [statusCount, scopes] = [BORROWING_BASE_STATUSES.length, prepared.scopes];
    this.byScope = scopes.map((_, scope) =>
      BORROWING_BASE_STATUSES.map((__, status) => cells.tally(scope * statusCount + status)),
    );
    const unknown = sumsOf((one) => one.scopeUnknown);
    this.scopeUnknown = scopes.map((_, at) => unknown.tally(at));
    this.outOfScope = sumsOf((one) => one.outOfScope).tally(0);
    this.eligibility = outcomes('eligibility');
    this.performance = outcomes('performance');
    // The pool by scope: what each scope has to advance against.
    const pool = this.byScope.map((scope) => [scope[ELIGIBLE]!, scope[PERFORMING]!].reduce(addTallies));
    const whole = pool.reduce(addTallies);
    const matched = sumsOf((one) => one.matched);
    this.caseFailed = prepared.cases.map(({ scope }, at) => {
      const isEvery = columns.layout.cases[at] === null;
      const { count, amount } = isEvery ? (scope === null ? whole : pool[scope]!) : matched.tally(at);
      return { count: whole.count - count, amount: whole.amount - amount };
    });
    this.rates = sumsOf((one) => one.rates);
    this.offRates = new Sums(scopes.length * prepared.cases.length);
    this.offsetOf = scopes.map(() => 0n);
    this.members = membersOf(columns.status, whole.count);
  }

  /** What is advanced against by scope and case, before and after concentration. */
  ratesOf(prepared: PreparedContract, columns: TapeColumns, remaining: AmountColumn): RateCell[][] {
    const caseCount = prepared.cases.length;
    const left = new Sums(prepared.scopes.length * caseCount);
    addByRate(left, this.members, columns, caseCount, remaining);
    return prepared.scopes.map((_, scope) =>
      prepared.cases.map((__, at) => {
        const cell = scope * caseCount + at;
        const { count, amount } = this.rates.tally(cell);
        return { count, amount: amount - this.offRates.amount(cell), remaining: left.amount(cell) };
      }),
    );
  }

  /**
   * Takes off what offsets have taken of the pool.
   * @param left what they left of its assets, by tape position
   * @param cuts by tape position: bits of the offsets that reduced the asset
   */
  takeOffsets(prepared: PreparedContract, columns: TapeColumns, left: AmountColumn, cuts: readonly Int32Array[]): void {
    const { members, gross, byScope, offRates, offsetOf, caseFailed } = this;
    const [cells, matched, taken] = [
      new Sums(byScope.length * STATUS_COUNT),
      new Sums(prepared.cases.length),
      new Sums(1),
    ];
    const amount = makeAmounts(gross.whole.length);
    amount.whole.set(gross.whole);
    amount.part.set(gross.part);
    const off = makeAmounts(1);
    for (let at = 0; at < members.length; at += 1) {
      const index = members[at]!;
      if (cuts.every((word) => word[index] === 0)) continue;
      amount.whole[index] = left.whole[index]!;
      amount.part[index] = left.part[index]!;
      setBigInt(off, 0, amountAt(gross, index) - amountAt(left, index));
      const scope = columns.scope[index]!;
      taken.addFrom(0, off, 0);
      cells.addFrom(scope * STATUS_COUNT + columns.status[index]!, off, 0);
      offRates.addFrom(scope * prepared.cases.length + columns.rateCase[index]!, off, 0);
      for (const [rateCase, of] of prepared.cases.entries()) {
        const answer = columns.layout.cases[rateCase] ?? null;
        const isOfCase =
          (of.scope === null || of.scope === scope) && (answer === null || isSet(columns.words, answer, index));
        if (isOfCase) matched.addFrom(rateCase, off, 0);
      }
    }
    this.amount = amount;
    this.offsetCount = taken.count[0]!;
    for (const [scope, statuses] of byScope.entries()) {
      for (const [status, cell] of statuses.entries()) {
        const of = cells.amount(scope * STATUS_COUNT + status);
        cell.amount -= of;
        offsetOf[scope] = offsetOf[scope]! + of;
      }
    }
    for (const [rateCase, failed] of caseFailed.entries()) failed.amount -= taken.amount(0) - matched.amount(rateCase);
  }
}

// Loops over all assets. Each is a separate function so that V8 compiles it early.

function membersOf(statuses: Uint8Array, count: number): Int32Array {
  const members = new Int32Array(count);
  let length = 0;
  for (let index = 0; index < statuses.length; index += 1) {
    const status = statuses[index]!;
    if (status !== ELIGIBLE && status !== PERFORMING) continue;
    members[length] = index;
    length += 1;
  }
  if (length !== count) throw new Error(`the pool has ${length} assets, not ${count}`);
  return members;
}

function addByRate(
  sums: Sums,
  members: Int32Array,
  { scope, rateCase }: Pick<TapeColumns, 'scope' | 'rateCase'>,
  caseCount: number,
  amount: AmountColumn,
): void {
  for (let at = 0; at < members.length; at += 1) {
    const index = members[at]!;
    sums.addFrom(scope[index]! * caseCount + rateCase[index]!, amount, index);
  }
}

function withoutNegative({ whole, part }: AmountColumn): AmountColumn {
  const amount = makeAmounts(whole.length);
  for (let index = 0; index < whole.length; index += 1) {
    if (whole[index]! < 0) continue;
    amount.whole[index] = whole[index]!;
    amount.part[index] = part[index]!;
  }
  return amount;
}
