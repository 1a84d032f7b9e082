import type { TransactionContract } from '../../facilities/contract.schema.ts';
import { BORROWING_BASE_STATUSES, type BorrowingBaseStatus, POOL_MEMBERS } from '../../facilities/pools.ts';
import type { Field, FieldCatalog } from '../../filters/catalog.ts';
import { evaluateFilter } from '../../filters/evaluate.ts';
import type { Filter } from '../../filters/filter.ts';
import { fromScaled, toScaled } from '../../money/decimal.ts';
import { type ExchangeRates, exchangeFactor } from '../../money/rates.ts';
import {
  compareFractions,
  convertScaled,
  decimalToFraction,
  type Fraction,
  fraction,
  NUMBER_SCALE,
  scaleNumber,
} from '../exact.ts';
import type { OffsetList } from '../offset-list.ts';
import type {
  ConcentrationOutcome,
  GroupOutcome,
  OffsetOutcome,
  Outcome,
  Residue,
  RuleOutcome,
  Tally,
  WholeGroupOutcome,
} from '../outcome.ts';
import {
  ASSET_ID_PATH,
  type Grouping,
  type Measured,
  measuredFields,
  type PreparedConcentration,
  type PreparedContract,
  type PreparedOffset,
  type PreparedRule,
  prepareContract,
} from '../prepare.ts';
import { type FacilityPosition, publishOutcome, type TapeTerms } from '../publish.ts';
import { AMOUNT_SCALE, type AssetResult, type BorrowingBaseResult, LISTED_GROUPS, ruleKey } from '../result.ts';
import { breaches, compareKeys, distanceOf, keptFraction, limitOf } from '../thresholds.ts';

/** An asset as filters read it: maps a field path to a number, DecimalText, text, boolean, 'YYYY-MM-DD' or null. */
export type ReferenceAsset = Readonly<Record<string, unknown>>;

/** An asset while it passes through the stages. Amounts are at AMOUNT_SCALE. */
interface Working {
  /** Position in the tape. */
  readonly index: number;
  readonly asset: ReferenceAsset;
  readonly outstanding: bigint | null;
  /** Zero if it is negative or missing. */
  readonly gross: bigint;
  /** What offsets have left of it. */
  amount: bigint;
  scope: number | null;
  status: BorrowingBaseStatus | null;
  remaining: bigint;
  rateCase: number | null;
  failed: string[];
  /** What each rule that cut the asset took off it, by position among the prepared rules, in order. */
  readonly cuts: { rule: number; removed: bigint }[];
}

const UNIT = 10n ** BigInt(AMOUNT_SCALE);
const emptyTally = (): Tally => ({ count: 0, amount: 0n });

function tally(members: readonly Working[], amount: (member: Working) => bigint = (member) => member.amount): Tally {
  return { count: members.length, amount: members.reduce((total, member) => total + amount(member), 0n) };
}

/**
 * Reference implementation of the borrowing base: one asset at a time, in exact integers. It is slow, and the fast
 * engine is tested against it.
 * @returns the published result and the result of each asset, in input order
 */
export function calculateReference(input: {
  assets: readonly ReferenceAsset[];
  tape: TapeTerms;
  contract: TransactionContract;
  catalog: FieldCatalog;
  facility?: FacilityPosition | undefined;
  offsetLists?: readonly OffsetList[];
}): { result: BorrowingBaseResult; assets: AssetResult[] } {
  const prepared = prepareContract(input.contract, input.catalog, input.tape.cutOffDate);
  const calculation = new Calculation(input.assets, input.tape, prepared, input.offsetLists ?? []);
  const outcome = calculation.run();
  return {
    result: publishOutcome(outcome, prepared, input.tape, input.facility),
    assets: calculation.members.map((member) => assetResult(member, prepared)),
  };
}

function assetResult(member: Working, prepared: PreparedContract): AssetResult {
  const advanced = member.status === 'eligible' || member.status === 'performing';
  const rate = member.rateCase === null ? null : (prepared.cases[member.rateCase]?.rate ?? null);
  const share = decimalToFraction(rate ?? '0');
  return {
    status: member.status,
    scope: member.scope,
    amount: member.outstanding === null ? null : fromScaled(member.gross, AMOUNT_SCALE),
    failed: member.failed,
    excessRemoved: fromScaled(advanced ? member.amount - member.remaining : 0n, AMOUNT_SCALE),
    remaining: fromScaled(member.remaining, AMOUNT_SCALE),
    rate,
    advanced: fromScaled((member.remaining * share.numerator) / (share.denominator * 100n), AMOUNT_SCALE),
  };
}

class Calculation {
  readonly members: Working[];
  private readonly tape: TapeTerms;
  private readonly lists: readonly OffsetList[];
  private readonly rates: ExchangeRates;
  private readonly prepared: PreparedContract;
  private readonly missingRates = new Set<string>();
  /** The assets that fail with their group, by rule about whole groups. */
  private readonly failedWhole = new Map<PreparedRule, ReadonlySet<Working>>();

  constructor(
    assets: readonly ReferenceAsset[],
    tape: TapeTerms,
    prepared: PreparedContract,
    lists: readonly OffsetList[],
  ) {
    this.tape = tape;
    this.lists = lists;
    this.rates = tape.exchangeRates;
    this.prepared = prepared;
    this.members = assets.map((asset, index) => {
      const outstanding = this.read(asset, prepared.outstanding);
      const amount = outstanding === null || outstanding < 0n ? 0n : outstanding;
      return {
        index,
        asset,
        outstanding,
        gross: amount,
        amount,
        scope: null,
        status: null,
        remaining: 0n,
        rateCase: null,
        failed: [],
        cuts: [],
      };
    });
  }

  run(): Outcome {
    // Report a missing exchange rate for any amount on the tape, even if no rule has read that amount.
    for (const measured of measuredFields(this.prepared)) {
      for (const { asset } of this.members) this.read(asset, measured);
    }
    const scopeUnknown = this.assignScopes();
    const relevant = this.members.filter((member) => member.scope !== null);
    const wholeGroups = this.failWholeGroups(relevant);
    const { eligibility, performance } = this.assignStatuses(relevant);
    const pool = relevant.filter((member) => member.status === 'eligible' || member.status === 'performing');
    const offsets = this.prepared.offsets.map((offset) => this.applyOffset(offset, relevant, pool));
    for (const member of pool) member.remaining = member.amount;

    const values = this.prepared.values.map((value) => this.value(value, relevant));
    const concentration: ConcentrationOutcome[] = [];
    for (const [index, rule] of this.prepared.concentration.entries()) {
      if (this.prepared.overlap === 'maximumPerAsset') for (const member of pool) member.remaining = member.amount;
      const base = values[rule.base];
      concentration.push(this.concentrate(rule, index, pool, base?.value ?? null));
    }
    this.countCuts(pool, concentration);
    const caseFailed = this.assignRates(pool);

    const scopes = this.prepared.scopes.map((_, scope) => relevant.filter((member) => member.scope === scope));
    return {
      assets: this.members.length,
      outOfScope: tally(this.members.filter((member) => member.scope === null)),
      pools: scopes.map((members) =>
        BORROWING_BASE_STATUSES.map((status) => tally(members.filter((member) => member.status === status))),
      ),
      scopeUnknown,
      values,
      withoutOutstanding: relevant.filter((member) => member.outstanding === null).length,
      negativeOutstanding: this.members.filter((member) => member.outstanding !== null && member.outstanding < 0n)
        .length,
      eligibility,
      wholeGroups,
      performance,
      offsets,
      offsetOf: scopes.map((members) => tally(members, (member) => member.gross).amount - tally(members).amount),
      offsetCount: pool.filter((member) => member.failed.some((key) => key.startsWith('offset:'))).length,
      concentration,
      rates: scopes.map((members) =>
        this.prepared.cases.map((_, index) => {
          const taking = members.filter((member) => member.rateCase === index);
          return { ...tally(taking), remaining: tally(taking, (member) => member.remaining).amount };
        }),
      ),
      caseFailed,
      missingRates: [...this.missingRates].sort(),
    };
  }

  private judge(filter: Filter, asset: ReferenceAsset): boolean | null {
    return evaluateFilter(filter, (field: Field) => asset[field.path] ?? null);
  }

  /** A measured field as an integer: money at AMOUNT_SCALE in the main currency, other numbers at NUMBER_SCALE. */
  private read(asset: ReferenceAsset, measured: Measured): bigint | null {
    const value = asset[measured.field.path] ?? null;
    if (value === null) return null;
    if (measured.currency === null) {
      return typeof value === 'number' ? scaleNumber(value) : toScaled(String(value), NUMBER_SCALE);
    }
    const currency = asset[measured.currency.path] ?? this.tape.mainCurrency;
    const { factor, missing } = exchangeFactor(String(currency), this.tape.mainCurrency, this.rates);
    for (const code of missing) this.missingRates.add(code);
    return convertScaled(toScaled(String(value), 4), 4, factor);
  }

  private scaleOf(measured: Measured | null): bigint {
    return measured === null || measured.currency !== null ? UNIT : 10n ** BigInt(NUMBER_SCALE);
  }

  private assignScopes(): Tally[] {
    const unknown = this.prepared.scopes.map(emptyTally);
    for (const member of this.members) {
      for (const [index, scope] of this.prepared.scopes.entries()) {
        const judged = this.judge(scope.filter, member.asset);
        if (judged === true) {
          member.scope = index;
          break;
        }
        const left = unknown[index];
        if (judged === null && left) {
          left.count += 1;
          left.amount += member.amount;
        }
      }
    }
    return unknown;
  }

  private excepted(rule: PreparedRule, asset: ReferenceAsset): boolean {
    const id = asset[ASSET_ID_PATH];
    return (
      (typeof id === 'string' && rule.exceptIds.includes(id)) ||
      rule.exceptFilters.some((filter) => this.judge(filter, asset) === true)
    );
  }

  /** Decides which groups fail each rule about whole groups. */
  private failWholeGroups(relevant: readonly Working[]): (WholeGroupOutcome | null)[] {
    return this.prepared.eligibility.map((rule) => {
      if (rule.wholeGroup === null) return null;
      const { grouping, percent } = rule.wholeGroup;
      const groups = new Map<string | null, Working[]>();
      for (const member of relevant) {
        if (this.excepted(rule, member.asset)) continue;
        const key = groupKeyOf(member, grouping);
        groups.set(key, [...(groups.get(key) ?? []), member]);
      }
      const failed = [...groups].flatMap(([key, members]) => {
        const whole = tally(members);
        const failing = tally(members.filter(({ asset }) => this.judge(rule.filter, asset) !== true)).amount;
        const share = whole.amount === 0n ? null : fraction(failing * 100n, whole.amount);
        const fails = share !== null && compareFractions(share, decimalToFraction(percent)) >= 0;
        return fails ? [{ key, members, ...whole, failing }] : [];
      });
      this.failedWhole.set(rule, new Set(failed.flatMap(({ members }) => members)));
      failed.sort((a, b) => (a.amount === b.amount ? compareKeys(a.key, b.key) : a.amount < b.amount ? 1 : -1));
      return {
        groupCount: groups.size,
        failedGroupCount: failed.length,
        groups: failed.slice(0, LISTED_GROUPS).map(({ members: _, ...group }) => group),
      };
    });
  }

  /** The amount that an offset takes off a group. */
  private owedBy(members: readonly Working[], { kind, measured, amounts }: PreparedOffset): bigint {
    if (kind === 'negatives' || measured === null) {
      return members.reduce(
        (sum, { outstanding }) => (outstanding !== null && outstanding < 0n ? sum - outstanding : sum),
        0n,
      );
    }
    const stated = members.map(({ asset }) => this.read(asset, measured) ?? 0n).filter((amount) => amount > 0n);
    if (amounts === 'perAsset') return stated.reduce((sum, amount) => sum + amount, 0n);
    return stated.sort((a, b) => Number(b > a) - Number(b < a))[0] ?? 0n;
  }

  /** Takes an amount off each group's eligible assets, in proportion to what earlier offsets left of them. */
  private applyOffset(offset: PreparedOffset, relevant: readonly Working[], pool: readonly Working[]): OffsetOutcome {
    const groups = new Map<string | null, Working[]>();
    for (const member of relevant) {
      const key = groupKeyOf(member, offset.grouping);
      groups.set(key, [...(groups.get(key) ?? []), member]);
    }
    const list = offset.kind === 'file' ? this.lists.find(({ rule }) => rule === offset.rule)! : null;
    const withoutAssets = [...(list?.groups ?? [])].filter(([key]) => !groups.has(key));
    for (const [key] of withoutAssets) groups.set(key, []);
    const listed = (key: string | null) => toScaled((key !== null && list?.groups.get(key)) || '0', AMOUNT_SCALE);
    const taken = emptyTally();
    const found = [...groups].flatMap(([key, members]) => {
      const owed = list ? listed(key) : this.owedBy(members, offset);
      if (owed === 0n) return [];
      const eligible = members.filter((member) => pool.includes(member));
      const before = tally(eligible);
      const taking = least(owed, before.amount);
      if (taking > 0n) {
        // Each asset keeps its part rounded down. The last ones make up for what rounding lost, within what they had.
        let lost = before.amount - taking;
        const had = eligible.map(({ amount }) => amount);
        for (const member of eligible) {
          member.amount = (member.amount * (before.amount - taking)) / before.amount;
          lost -= member.amount;
          member.failed.push(ruleKey('offset', offset.rule));
        }
        for (let index = eligible.length - 1; lost > 0n; index -= 1) {
          const member = eligible[index]!;
          const given = least(had[index]! - member.amount, lost);
          member.amount += given;
          lost -= given;
        }
        taken.count += eligible.length;
        taken.amount += taking;
      }
      return [{ key, eligible: before, owed, taken: taking }];
    });
    found.sort((a, b) => (a.owed === b.owed ? compareKeys(a.key, b.key) : a.owed < b.owed ? 1 : -1));
    return {
      groupCount: found.length,
      owed: found.reduce((sum, group) => sum + group.owed, 0n),
      taken,
      groups: found.slice(0, LISTED_GROUPS),
      ...(list && {
        list: {
          file: list.file,
          withoutAssets: {
            count: withoutAssets.length,
            amount: withoutAssets.reduce((sum, [key]) => sum + listed(key), 0n),
          },
        },
      }),
    };
  }

  private fails(rule: PreparedRule, member: Working): boolean {
    const whole = this.failedWhole.get(rule);
    if (whole) return whole.has(member);
    return this.judge(rule.filter, member.asset) !== true && !this.excepted(rule, member.asset);
  }

  private assignStatuses(relevant: readonly Working[]): { eligibility: RuleOutcome[]; performance: RuleOutcome[] } {
    const track = (rules: readonly PreparedRule[]) => rules.map(() => ({ failed: emptyTally(), first: emptyTally() }));
    const [eligibility, performance] = [track(this.prepared.eligibility), track(this.prepared.performance)];
    const apply = (member: Working, stage: 'eligible' | 'performing', alreadyExcluded: boolean): boolean => {
      const rules = stage === 'eligible' ? this.prepared.eligibility : this.prepared.performance;
      const tracks = stage === 'eligible' ? eligibility : performance;
      let failedAny = alreadyExcluded;
      for (const [index, rule] of rules.entries()) {
        if (!this.fails(rule, member)) continue;
        for (const entry of [tracks[index]?.failed, failedAny ? undefined : tracks[index]?.first]) {
          if (!entry) continue;
          entry.count += 1;
          entry.amount += member.amount;
        }
        failedAny = true;
        member.failed.push(ruleKey(stage, rule.rule));
      }
      return failedAny;
    };
    for (const member of relevant) {
      const lacks = member.outstanding === null;
      if (lacks) member.failed.push(ruleKey('eligible', -1));
      if (apply(member, 'eligible', lacks)) member.status = 'inEligible';
      else if (this.prepared.performance.length === 0) member.status = 'eligible';
      else member.status = apply(member, 'performing', false) ? 'nonPerforming' : 'performing';
    }
    return { eligibility, performance };
  }

  private value(value: PreparedContract['values'][number], relevant: readonly Working[]) {
    const pool = relevant.filter((member) => member.status && POOL_MEMBERS[value.pool].includes(member.status));
    const unknown = emptyTally();
    const measures = new Measures(value.accumulator, this.scaleOf(value.measured));
    for (const member of pool) {
      const judged = this.judge(value.filter, member.asset);
      if (judged === false) continue;
      // The relevant pool has the amounts before offsets.
      const amount = value.pool === 'relevant' ? member.gross : member.amount;
      const taken = judged === true && this.measure(measures, member, value.measured, value.weight, amount);
      if (!taken) {
        unknown.count += 1;
        unknown.amount += amount;
      }
    }
    return { value: measures.value(), count: measures.count, unknown };
  }

  /** Adds an asset to a measure. Returns false if the asset lacks the measured field. */
  private measure(
    measures: Measures,
    member: Working,
    measured: Measured | null,
    weight: Measured | null,
    standing: bigint,
  ): boolean {
    const number = measured === null ? standing : this.read(member.asset, measured);
    const weigh = weight === null ? standing : this.read(member.asset, weight);
    if (number === null || weigh === null) return false;
    measures.add(number, weigh);
    return true;
  }

  private concentrate(
    rule: PreparedConcentration,
    ruleIndex: number,
    pool: readonly Working[],
    base: Fraction | null,
  ): ConcentrationOutcome {
    const limit = limitOf(rule, base);
    const [unknown, excepted] = [emptyTally(), emptyTally()];
    const groups = new Map<string | null, { members: Working[]; measures: Measures }>();
    const makeMeasures = () => new Measures(rule.accumulator, this.scaleOf(rule.measured));
    const leaveOut = (entry: Tally, member: Working): void => {
      entry.count += 1;
      entry.amount += member.remaining;
    };
    for (const member of pool) {
      const judged = this.judge(rule.filter, member.asset);
      if (judged === false) continue;
      if (judged === null) leaveOut(unknown, member);
      else if (this.excepted(rule, member.asset)) leaveOut(excepted, member);
      else {
        const raw = rule.groupBy === null ? null : (member.asset[rule.groupBy.path] ?? null);
        const key = raw === null ? null : String(raw);
        const group = groups.get(key) ?? { members: [], measures: makeMeasures() };
        groups.set(key, group);
        group.members.push(member);
        if (!this.measure(group.measures, member, rule.measured, rule.weight, member.remaining))
          leaveOut(unknown, member);
      }
    }

    const ranked = [...groups].map(([key, group]) => ({ key, ...group, measure: group.measures.value() }));
    ranked.sort((a, b) => compareMeasures(b.measure, a.measure) || compareKeys(a.key, b.key));
    const end = rule.topN === null ? ranked.length : rule.skipN + rule.topN;
    const inPlay = ranked.slice(rule.skipN, end);
    const together = rule.topN !== null || rule.groupBy === null;
    const bundles = together ? [inPlay] : inPlay.map((group) => [group]);

    let [removed, distance, whole] = [0n, null as Fraction | null, null as Fraction | null];
    const breached = new Set<string | null>();
    const removedOf = new Map<string | null, bigint>();
    const keptOf = new Map<string | null, Fraction>();
    const residues: Residue[] = [];
    const cut = emptyTally();
    for (const bundle of bundles) {
      const measures = makeMeasures();
      for (const group of bundle) measures.merge(group.measures);
      const measure = measures.value();
      if (together) whole = measure;
      if (measure === null || !breaches(rule, measure, limit)) continue;
      for (const group of bundle) breached.add(group.key);
      const beyond = distanceOf(measure, limit);
      if (distance === null || compareFractions(beyond, distance) > 0) distance = beyond;
      if (!rule.removes) continue;
      const owner = new Map(bundle.flatMap((group) => group.members.map((member) => [member, group.key] as const)));
      const members = pool.filter((member) => owner.has(member));
      const before = members.map((member) => member.remaining);
      const kept = keptFraction(measure, limit);
      for (const group of bundle) keptOf.set(group.key, kept);
      residues.push(...cutMembers(members, kept));
      for (const [index, member] of members.entries()) {
        const taken = (before[index] ?? 0n) - member.remaining;
        removed += taken;
        const key = owner.get(member) ?? null;
        removedOf.set(key, (removedOf.get(key) ?? 0n) + taken);
        cut.count += 1;
        cut.amount += before[index] ?? 0n;
        member.failed.push(ruleKey('concentration', rule.rule));
        member.cuts.push({ rule: ruleIndex, removed: taken });
      }
    }

    const listed: GroupOutcome[] = ranked.flatMap((group, rank) =>
      rank < LISTED_GROUPS || breached.has(group.key)
        ? [
            {
              key: group.key,
              rank,
              count: group.members.length,
              measure: group.measure,
              removed: removedOf.get(group.key) ?? 0n,
              kept: keptOf.get(group.key) ?? null,
              breached: breached.has(group.key),
            },
          ]
        : [],
    );
    return {
      limit,
      measure: whole,
      breached: breached.size > 0,
      distance,
      removed,
      groupCount: ranked.length,
      breachedGroupCount: breached.size,
      groups: listed,
      unknown,
      excepted,
      cut,
      counted: emptyTally(),
      residues,
    };
  }

  /** Decides what each asset keeps after all rules, and which rules its excess counts under. */
  private countCuts(pool: readonly Working[], concentration: readonly ConcentrationOutcome[]): void {
    for (const member of pool) {
      const [first] = member.cuts;
      if (!first) {
        member.remaining = member.amount;
        continue;
      }
      const isMaximum = this.prepared.overlap === 'maximumPerAsset';
      // On equal excesses the first rule stays.
      const greatest = member.cuts.reduce((most, cut) => (cut.removed > most.removed ? cut : most));
      if (isMaximum) member.remaining = member.amount - greatest.removed;
      const counted = (rule: number): Tally => concentration[rule]?.counted ?? emptyTally();
      for (const cut of isMaximum ? [greatest] : member.cuts) counted(cut.rule).amount += cut.removed;
      counted((isMaximum ? greatest : first).rule).count += 1;
    }
  }

  private assignRates(pool: readonly Working[]): Tally[] {
    const failed = this.prepared.cases.map(emptyTally);
    for (const member of pool) {
      for (const [index, rateCase] of this.prepared.cases.entries()) {
        const inScope = rateCase.scope === null || rateCase.scope === member.scope;
        if (inScope && this.judge(rateCase.filter, member.asset) === true) {
          member.rateCase ??= index;
          continue;
        }
        const entry = failed[index];
        if (entry) {
          entry.count += 1;
          entry.amount += member.amount;
        }
      }
    }
    return failed;
  }
}

function least(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

/** The parent that the asset names, or its own group. */
function groupKeyOf({ asset }: Working, { field, parent }: Grouping): string | null {
  const named = parent === null ? null : (asset[parent.path] ?? null);
  const value = named ?? asset[field.path] ?? null;
  return value === null ? null : String(value);
}

/** The running sums behind a $sum, $avg or $wAvg. */
class Measures {
  count = 0;
  private sum = 0n;
  private weighted = 0n;
  private weight = 0n;
  private readonly accumulator: '$sum' | '$avg' | '$wAvg';
  private readonly scale: bigint;

  /** `scale` is the scale of the values. The scale of the weight cancels out of a weighted average. */
  constructor(accumulator: '$sum' | '$avg' | '$wAvg', scale: bigint) {
    this.accumulator = accumulator;
    this.scale = scale;
  }

  add(value: bigint, weight: bigint): void {
    this.count += 1;
    this.sum += value;
    this.weighted += value * weight;
    this.weight += weight;
  }

  merge(other: Measures): void {
    this.count += other.count;
    this.sum += other.sum;
    this.weighted += other.weighted;
    this.weight += other.weight;
  }

  value(): Fraction | null {
    if (this.accumulator === '$sum') return fraction(this.sum, this.scale);
    if (this.accumulator === '$avg')
      return this.count === 0 ? null : fraction(this.sum, this.scale * BigInt(this.count));
    return this.weight === 0n ? null : fraction(this.weighted, this.scale * this.weight);
  }
}

/** Compares two measures; null sorts below every number. */
function compareMeasures(a: Fraction | null, b: Fraction | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return compareFractions(a, b);
}

/**
 * Cuts each asset in place to its part, rounded down. The group as a whole keeps exactly its part rounded down: the
 * residue goes to the last asset, and whatever would raise that asset above its previous amount goes to the one before
 * it.
 * @returns the assets that received a share of the residue, with their amounts
 */
function cutMembers(members: readonly Working[], kept: Fraction): Residue[] {
  const residues: Residue[] = [];
  const whole = members.reduce((total, member) => total + member.remaining, 0n);
  let residue = (whole * kept.numerator) / kept.denominator;
  const before = members.map((member) => member.remaining);
  for (const member of members) {
    member.remaining = (member.remaining * kept.numerator) / kept.denominator;
    residue -= member.remaining;
  }
  for (let index = members.length - 1; index >= 0 && residue > 0n; index -= 1) {
    const member = members[index];
    if (!member) continue;
    const room = (before[index] ?? 0n) - member.remaining;
    const given = room < residue ? room : residue;
    if (given > 0n) residues.push({ asset: member.index, amount: given });
    member.remaining += given;
    residue -= given;
  }
  return residues;
}
