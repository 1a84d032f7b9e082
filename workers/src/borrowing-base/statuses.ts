import type { RuleOutcome, Tally } from '@tapeline/domain/borrowing-base/outcome.ts';
import type { PreparedContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import { BORROWING_BASE_STATUSES } from '@tapeline/domain/facilities/pools.ts';
import { makePairs, type Pairs, Sums } from './pairs.ts';
import type { BitPosition } from './predicates.ts';
import type { TapeColumns } from './tape-columns.ts';

const IN_ELIGIBLE = BORROWING_BASE_STATUSES.indexOf('inEligible');
const ELIGIBLE = BORROWING_BASE_STATUSES.indexOf('eligible');
const PERFORMING = BORROWING_BASE_STATUSES.indexOf('performing');
const NON_PERFORMING = BORROWING_BASE_STATUSES.indexOf('nonPerforming');
export const OUT_OF_SCOPE = BORROWING_BASE_STATUSES.length;

/** The failure bits of one stage's rules by word, and the rule of each bit. */
interface StageMask {
  readonly words: readonly { readonly word: Int32Array; readonly mask: number; readonly ruleOf: Int32Array }[];
  readonly failed: Sums;
  readonly first: Sums;
}

function stageMask(positions: readonly (BitPosition | null)[], columns: TapeColumns): StageMask {
  const words = new Map<number, { mask: number; ruleOf: Int32Array }>();
  for (const [rule, position] of positions.entries()) {
    if (position === null) continue;
    const entry = words.get(position.word) ?? { mask: 0, ruleOf: new Int32Array(32) };
    words.set(position.word, entry);
    entry.mask |= 1 << position.shift;
    entry.ruleOf[position.shift] = rule;
  }
  return {
    words: [...words].sort((a, b) => a[0] - b[0]).map(([word, entry]) => ({ word: columns.words[word]!, ...entry })),
    failed: new Sums(positions.length),
    first: new Sums(positions.length),
  };
}

/** Scope and status of every asset, the resulting pools, and what each rule excludes. */
export class Statuses {
  readonly status: Uint8Array;
  /** -1 if out of scope. */
  readonly scope: Int16Array;
  /** Zero if the outstanding sum is missing or negative. */
  readonly amount: Pairs;
  /** Tape positions of Eligible Or Performing, ascending. */
  readonly pool: Int32Array;
  readonly pools: Tally[][];
  readonly scopeUnknown: Tally[];
  readonly outOfScope: Tally;
  readonly eligibility: RuleOutcome[];
  readonly performance: RuleOutcome[];
  withoutOutstanding = 0;
  negativeOutstanding = 0;

  constructor(prepared: PreparedContract, columns: TapeColumns) {
    const { length, layout } = columns;
    const outstandingPath = prepared.outstanding.field.path;
    this.status = new Uint8Array(length).fill(OUT_OF_SCOPE);
    this.scope = new Int16Array(length).fill(-1);
    this.amount = this.countedAmounts(columns.measured.get(outstandingPath)!);
    const { amount } = this;
    const lacking = layout.missing.get(outstandingPath)!;
    const lackingWord = columns.words[lacking.word]!;
    const { scopes } = layout;
    const scopeWords = scopes.map((position) => (position === null ? null : columns.words[position.word]!));
    const scopeShifts = scopes.map((position) => position?.shift ?? 0);
    const scopeCount = scopes.length;
    const [unknown, outside] = [new Sums(scopes.length), new Sums(1)];
    const cells = new Sums(scopes.length * BORROWING_BASE_STATUSES.length);
    const eligibility = stageMask(layout.eligibility, columns);
    const performance = stageMask(layout.performance, columns);
    const judgesPerformance = prepared.performance.length > 0;
    const pool = new Int32Array(length);
    let poolLength = 0;

    for (let index = 0; index < length; index += 1) {
      let scope = -1;
      for (let at = 0; at < scopeCount; at += 1) {
        const word = scopeWords[at] ?? null;
        const state = word === null ? 1 : (word[index]! >>> scopeShifts[at]!) & 3;
        if (state === 1) {
          scope = at;
          break;
        }
        if (state === 2) unknown.addFrom(at, amount, index);
      }
      if (scope < 0) {
        outside.addFrom(0, amount, index);
        continue;
      }
      this.scope[index] = scope;
      const lacks = ((lackingWord[index]! >>> lacking.shift) & 1) === 1;
      if (lacks) this.withoutOutstanding += 1;
      let status = ELIGIBLE;
      if (exclude(eligibility, index, amount, lacks)) status = IN_ELIGIBLE;
      else if (judgesPerformance) status = exclude(performance, index, amount, false) ? NON_PERFORMING : PERFORMING;
      this.status[index] = status;
      cells.addFrom(scope * BORROWING_BASE_STATUSES.length + status, amount, index);
      if (status === ELIGIBLE || status === PERFORMING) {
        pool[poolLength] = index;
        poolLength += 1;
      }
    }

    this.pool = pool.subarray(0, poolLength);
    this.pools = scopes.map((_, scope) =>
      BORROWING_BASE_STATUSES.map((__, status) => cells.tally(scope * BORROWING_BASE_STATUSES.length + status)),
    );
    this.scopeUnknown = scopes.map((_, at) => unknown.tally(at));
    this.outOfScope = outside.tally(0);
    const outcomes = (stage: StageMask): RuleOutcome[] =>
      Array.from(stage.failed.count, (_, rule) => ({
        failed: stage.failed.tally(rule),
        first: stage.first.tally(rule),
      }));
    this.eligibility = outcomes(eligibility);
    this.performance = outcomes(performance);
  }

  /** The amounts to count. If no outstanding sum is negative, these are the outstanding sums themselves. */
  private countedAmounts(outstanding: Pairs): Pairs {
    const { whole, part } = outstanding;
    for (let index = 0; index < whole.length; index += 1) if (whole[index]! < 0) this.negativeOutstanding += 1;
    if (this.negativeOutstanding === 0) return outstanding;
    const amount = makePairs(whole.length);
    for (let index = 0; index < whole.length; index += 1) {
      if (whole[index]! < 0) continue;
      amount.whole[index] = whole[index]!;
      amount.part[index] = part[index]!;
    }
    return amount;
  }
}

/** Counts every rule of the stage that an asset fails. Returns true if it fails any, or was excluded before. */
function exclude(stage: StageMask, index: number, amount: Pairs, already: boolean): boolean {
  let excluded = already;
  for (let at = 0; at < stage.words.length; at += 1) {
    const { word, mask, ruleOf } = stage.words[at]!;
    let bits = word[index]! & mask;
    while (bits !== 0) {
      const bit = 31 - Math.clz32(bits & -bits);
      bits &= bits - 1;
      const rule = ruleOf[bit]!;
      stage.failed.addFrom(rule, amount, index);
      if (!excluded) stage.first.addFrom(rule, amount, index);
      excluded = true;
    }
  }
  return excluded;
}
