import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type Fraction, fraction } from '@tapeline/domain/borrowing-base/exact.ts';
import type { OffsetList } from '@tapeline/domain/borrowing-base/offset-list.ts';
import type { ConcentrationOutcome, Outcome, ValueOutcome } from '@tapeline/domain/borrowing-base/outcome.ts';
import { type PreparedContract, type PreparedValue, prepareContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import { type FacilityPosition, publishOutcome, type TapeTerms } from '@tapeline/domain/borrowing-base/publish.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';
import { BORROWING_BASE_STATUSES, POOL_MEMBERS } from '@tapeline/domain/facilities/pools.ts';
import type { FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { type AmountColumn, GroupMeasures, makeAmounts, Sums } from './amount-columns.ts';
import { isSet, stateOf } from './answers.ts';
import { applyLimit } from './apply-limit.ts';
import { CUTS_PER_WORD, countGreatest } from './cuts.ts';
import { Labels, readLabels } from './labels.ts';
import { type LimitedPool, makeGreatestCuts } from './limited-pool.ts';
import { applyOffsets } from './offsets.ts';
import { Pools, type TapeColumns } from './pools.ts';
import { readTapeColumns } from './tape-columns.ts';
import { TapeParts } from './tape-parts.ts';
import { askForFailed, describeGroups } from './whole-groups.ts';

export interface BorrowingBaseInput {
  /** Local paths of the tape's Parquet parts. */
  readonly parquetFiles: readonly string[];
  readonly tape: TapeTerms;
  readonly contract: TransactionContract;
  readonly catalog: FieldCatalog;
  readonly facility?: FacilityPosition | undefined;
  /** Of each offset from a file that applies on the cut-off date. */
  readonly offsetLists?: readonly OffsetList[] | undefined;
}

/** The results of all assets: one typed array per column, indexed by sequenceIndex. */
export interface AssetColumns {
  readonly length: number;
  readonly prepared: PreparedContract;
  readonly columns: TapeColumns;
  /** Index in BORROWING_BASE_STATUSES, or OUT_OF_SCOPE. */
  readonly status: Uint8Array;
  readonly scope: Int16Array;
  readonly amount: AmountColumn;
  /** What offsets left of the amount. The same column if there are none. */
  readonly counted: AmountColumn;
  readonly remaining: AmountColumn;
  /** Index of the prepared case; -1 if nothing is advanced against the asset. */
  readonly rateCase: Int16Array;
  readonly offsetCuts: readonly Int32Array[];
  readonly cuts: readonly Int32Array[];
}

export interface BorrowingBaseCalculation {
  readonly result: BorrowingBaseResult;
  /** What the result was published from. */
  readonly outcome: Outcome;
  readonly assets: AssetColumns;
}

/**
 * Calculates the borrowing base of a tape. A single pass evaluates every rule, and typed arrays do the rest. All
 * arithmetic is in integers, so the same inputs give the same result to the last digit.
 * @param connection the DuckDB connection to use; opens a new one if omitted
 */
export async function calculateBorrowingBase(
  input: BorrowingBaseInput,
  connection?: DuckDBConnection,
): Promise<BorrowingBaseCalculation> {
  const prepared = prepareContract(input.contract, input.catalog, input.tape.cutOffDate);
  if (connection !== undefined) return calculate(input, prepared, connection);
  const instance = await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'false' });
  const own = await instance.connect();
  try {
    return await calculate(input, prepared, own);
  } finally {
    own.closeSync();
    instance.closeSync();
  }
}

async function calculate(
  input: BorrowingBaseInput,
  prepared: PreparedContract,
  connection: DuckDBConnection,
): Promise<BorrowingBaseCalculation> {
  const parts = await TapeParts.open(connection, input.parquetFiles);
  const columns = await readTapeColumns(parts, prepared, input.tape);
  const pools = new Pools(prepared, columns);
  const { members } = pools;
  const labels = new Labels((field, positions) => readLabels(parts, field, positions));
  askForFailed(prepared, columns.wholeGroups, labels);
  const measured = copyOf(pools.amount, members);
  const coverage = { members, remaining: measured, coverages: new Map(), scratch: makeAmounts(members.length) };
  const sources = { parts, labels, lists: input.offsetLists };
  const offsets = await applyOffsets(prepared, columns, { ...coverage, greatest: null, cuts: [] }, sources);
  if (prepared.offsets.length > 0) pools.takeOffsets(prepared, columns, measured, offsets.cuts);
  const greatest = prepared.overlap === 'maximumPerAsset' ? makeGreatestCuts(measured) : null;
  const remaining = greatest?.kept ?? measured;
  const cutWords = Math.ceil(prepared.concentration.length / CUTS_PER_WORD);
  const pool: LimitedPool = {
    ...coverage,
    greatest,
    cuts: Array.from({ length: cutWords }, () => new Int32Array(columns.length)),
  };
  const values = prepared.values.map((value, index) => measureValue(value, index, pools, columns));
  const concluded: (() => Promise<ConcentrationOutcome>)[] = [];
  for (const [index, rule] of prepared.concentration.entries()) {
    const base: Fraction | null = values[rule.base]?.value ?? null;
    concluded.push(await applyLimit(rule, index, pool, columns, base, labels));
  }
  const rates = pools.ratesOf(prepared, columns, remaining);
  const counted = greatest && countGreatest(greatest, pool, concluded.length);
  const concentration: ConcentrationOutcome[] = [];
  for (const [index, conclude] of concluded.entries()) {
    const outcome = await conclude();
    concentration.push(counted === null ? outcome : { ...outcome, counted: counted[index]! });
  }

  const outcome: Outcome = {
    assets: columns.length,
    outOfScope: pools.outOfScope,
    pools: pools.byScope,
    scopeUnknown: pools.scopeUnknown,
    values,
    withoutOutstanding: pools.withoutOutstanding,
    negativeOutstanding: pools.negativeOutstanding,
    eligibility: pools.eligibility,
    wholeGroups: await Promise.all(
      prepared.eligibility.map((rule, index) => describeGroups(rule, columns.wholeGroups[index] ?? null, labels)),
    ),
    performance: pools.performance,
    offsets: [...offsets.outcomes],
    offsetOf: pools.offsetOf,
    offsetCount: pools.offsetCount,
    concentration,
    rates,
    caseFailed: pools.caseFailed,
    missingRates: [...columns.missingRates],
  };
  return {
    result: publishOutcome(outcome, prepared, input.tape, input.facility),
    outcome,
    assets: {
      length: columns.length,
      prepared,
      columns,
      status: columns.status,
      scope: columns.scope,
      amount: pools.gross,
      counted: pools.amount,
      remaining,
      rateCase: columns.rateCase,
      offsetCuts: offsets.cuts,
      cuts: pool.cuts,
    },
  };
}

/** Copies the amounts of the members. All other amounts are zero. */
function copyOf(amount: AmountColumn, members: Int32Array): AmountColumn {
  const copy = makeAmounts(amount.whole.length);
  for (let at = 0; at < members.length; at += 1) {
    const index = members[at]!;
    copy.whole[index] = amount.whole[index]!;
    copy.part[index] = amount.part[index]!;
  }
  return copy;
}

/** Computes one value of the contract. The default values are sums of whole pools, which are already known. */
function measureValue(value: PreparedValue, valueIndex: number, pools: Pools, columns: TapeColumns): ValueOutcome {
  const wanted = POOL_MEMBERS[value.pool].map((status) => BORROWING_BASE_STATUSES.indexOf(status));
  const filter = columns.layout.values[valueIndex] ?? null;
  // The relevant pool has the amounts before offsets.
  const isRelevant = value.pool === 'relevant';
  const amount = isRelevant ? pools.gross : pools.amount;
  if (filter === null && value.measured === null && value.accumulator === '$sum') {
    const cells = pools.byScope.flatMap((scope) => wanted.map((status) => scope[status]!));
    const offset = isRelevant ? pools.offsetOf : [];
    return {
      value: fraction(
        [...cells.map((cell) => cell.amount), ...offset].reduce((sum, one) => sum + one, 0n),
        10n ** 12n,
      ),
      count: cells.reduce((count, cell) => count + cell.count, 0),
      unknown: { count: 0, amount: 0n },
    };
  }
  const source = (path: string | undefined): AmountColumn =>
    path === undefined ? amount : columns.measured.get(path)!;
  const needed = [value.measured, value.weight].flatMap((one) =>
    one === null ? [] : [columns.layout.missing.get(one.field.path)!],
  );
  const inPool = new Uint8Array(256);
  for (const status of wanted) inPool[status] = 1;
  const unknown = new Sums(1);
  const members = new Int32Array(columns.length);
  let count = 0;
  for (let index = 0; index < columns.length; index += 1) {
    if (inPool[columns.status[index]!] === 0) continue;
    const state = filter === null ? 1 : stateOf(columns.words, filter, index);
    if (state === 0) continue;
    const lacks = state === 2 || needed.some((missing) => isSet(columns.words, missing, index));
    if (lacks) unknown.addFrom(0, amount, index);
    else {
      members[count] = index;
      count += 1;
    }
  }
  const measured = members.subarray(0, count);
  const { accumulator } = value;
  const [values, weight] = [source(value.measured?.field.path), source(value.weight?.field.path)];
  const measures = new GroupMeasures({ accumulator, value: values, weight }, 1, measured);
  for (let at = 0; at < count; at += 1) measures.add(0, measured[at]!);
  return { value: measures.measure([0]), count: measures.sums.count[0]!, unknown: unknown.tally(0) };
}
