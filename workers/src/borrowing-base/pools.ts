import type { RateCell, RuleOutcome, Tally } from '@tapeline/domain/borrowing-base/outcome.ts';
import type { PreparedContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import { BORROWING_BASE_STATUSES } from '@tapeline/domain/facilities/pools.ts';
import { type AmountColumn, makeAmounts, type SumArrays, Sums } from './amount-columns.ts';
import { ELIGIBLE, PERFORMING, type PoolCounts } from './pool-sorter.ts';
import type { TapeColumns } from './tape-columns.ts';

const addTallies = (a: Tally, b: Tally): Tally => ({ count: a.count + b.count, amount: a.amount + b.amount });

/** The pools of a tape, and what each rule excludes from them. */
export class Pools {
  /** Zero if the outstanding sum is missing or negative. */
  readonly amount: AmountColumn;
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
  private readonly rates: Sums;

  constructor(prepared: PreparedContract, columns: TapeColumns) {
    const { counts } = columns;
    const sumsOf = (read: (one: PoolCounts) => SumArrays): Sums => Sums.merge(counts.map(read));
    const total = (read: (one: PoolCounts) => number): number => counts.reduce((sum, one) => sum + read(one), 0);
    const outcomes = (stage: 'eligibility' | 'performance'): RuleOutcome[] => {
      const [failed, first] = [sumsOf((one) => one[stage].failed), sumsOf((one) => one[stage].first)];
      return prepared[stage].map((_, rule) => ({ failed: failed.tally(rule), first: first.tally(rule) }));
    };
    this.withoutOutstanding = total((one) => one.withoutOutstanding);
    this.negativeOutstanding = total((one) => one.negativeOutstanding);
    const outstanding = columns.measured.get(prepared.outstanding.field.path)!;
    this.amount = this.negativeOutstanding === 0 ? outstanding : withoutNegative(outstanding);
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
        return { ...this.rates.tally(cell), remaining: left.amount(cell) };
      }),
    );
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
