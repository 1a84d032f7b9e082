import { ADVANCE_RATE_DIGITS } from '../facilities/contract.schema.ts';
import { availabilityOf } from '../facilities/ledger.ts';
import { BORROWING_BASE_STATUSES, POOL_MEMBERS, VALUE_POOLS, type ValuePool } from '../facilities/pools.ts';
import type { Amount } from '../money/amount.schema.ts';
import { fromScaled, round, toScaled } from '../money/decimal.ts';
import { formatAmount, formatCount } from '../money/format-figure.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { type ExchangeRates, exchangeFactor } from '../money/rates.ts';
import { publishParts } from '../money/shares.ts';
import { availableBaseAfter } from './adjust.ts';
import type { DilutionFigures } from './dilution.ts';
import {
  addFractions,
  decimalToFraction,
  divideHalfEven,
  type Fraction,
  fraction,
  fractionToDecimal,
  multiplyFractions,
} from './exact.ts';
import { footingProblems } from './footing.ts';
import type { Outcome, Tally } from './outcome.ts';
import { isMoney, type PreparedContract, type PreparedRule } from './prepare.ts';
import { cutTerms, ownExcess, publishConcentration } from './publish-concentration.ts';
import { publishOffsets } from './publish-offsets.ts';
import { publishReserves } from './publish-reserves.ts';
import { at, FIGURE_DIGITS, PERCENT, Publisher, percentOf, total } from './publisher.ts';
import {
  AMOUNT_SCALE,
  type BorrowingBaseResult,
  type BorrowingBaseWarning,
  type CurrencyPosition,
  type PoolFigures,
  type RuleTracking,
  type ScopeResult,
  type Totals,
  type ValueResult,
  type WholeGroupResult,
} from './result.ts';

/** The properties of a tape that the calculation needs. */
export interface TapeTerms {
  readonly cutOffDate: string;
  readonly mainCurrency: string;
  /** Units of each currency that one US dollar buys, on the tape's cut-off date. */
  readonly exchangeRates: ExchangeRates;
}

/** The note's position. Null balances mean that they are not recorded, not that they are zero. */
export interface FacilityPosition {
  /** The note's main currency. */
  readonly currency: string;
  /** The balance on the tape's cut-off date, one amount per currency. */
  readonly balances: readonly Amount[] | null;
  /** One amount per currency; empty if no commitment is recorded. */
  readonly commitments: readonly Amount[];
  /** The limit of each currency that may be drawn, at the tape's exchange rates; none if omitted. */
  readonly limits?: readonly Amount[];
  /** Of the dilution reserves whose figures of twelve months are all there. Not present without such a reserve. */
  readonly dilutions?: readonly DilutionFigures[];
}

interface PublishedPools {
  /** By scope, then by status. */
  units: bigint[][];
  counts: number[][];
  /** By scope: what offsets take. It completes the relevant pool, whose amounts are those before. */
  offsets: bigint[];
}

/** Published amounts of the pools by scope and status. Scopes add up to the totals, and parts to their pool. */
function publishPools(outcome: Outcome, publisher: Publisher): PublishedPools {
  const statuses = BORROWING_BASE_STATUSES.map((_, status) =>
    total(outcome.pools.map((scope) => at(scope, status).amount)),
  );
  const index = (pool: ValuePool) => POOL_MEMBERS[pool].map((status) => BORROWING_BASE_STATUSES.indexOf(status));
  const [kept, excluded] = [index('eligibleOrPerforming'), index('inEligibleOrNonPerforming')];
  const exact = (members: readonly number[]) => members.map((status) => at(statuses, status));
  const offset = total(outcome.offsetOf);
  const relevant = publisher.units(total(statuses) + offset);
  const halves = publisher.parts([total(exact(kept)), total(exact(excluded)), offset], relevant);
  const published: bigint[] = [];
  for (const [half, members] of [kept, excluded].entries()) {
    const parts = publisher.parts(exact(members), at(halves, half));
    for (const [position, status] of members.entries()) published[status] = at(parts, position);
  }
  const byStatus = BORROWING_BASE_STATUSES.map((_, status) =>
    publisher.parts(
      outcome.pools.map((scope) => at(scope, status).amount),
      at(published, status),
    ),
  );
  return {
    units: outcome.pools.map((_, scope) => byStatus.map((parts) => at(parts, scope))),
    counts: outcome.pools.map((scope) => scope.map((entry) => entry.count)),
    offsets: publisher.parts(outcome.offsetOf, at(halves, 2)),
  };
}

/** @param offset what offsets take of the relevant pool */
function poolFigures(
  units: readonly bigint[],
  counts: readonly number[],
  offset: bigint,
  publisher: Publisher,
): PoolFigures {
  return Object.fromEntries(
    VALUE_POOLS.map((pool) => {
      const members = POOL_MEMBERS[pool].map((status) => BORROWING_BASE_STATUSES.indexOf(status));
      return [
        pool,
        {
          count: members.reduce((sum, status) => sum + at(counts, status), 0),
          amount: publisher.amount(
            total(members.map((status) => at(units, status))) + (pool === 'relevant' ? offset : 0n),
          ),
        },
      ];
    }),
  ) as PoolFigures;
}

function publishValues(outcome: Outcome, prepared: PreparedContract, publisher: Publisher): ValueResult[] {
  return prepared.values.map((value, index) => {
    const found = at(outcome.values, index);
    const money = isMoney(value);
    return {
      title: value.title,
      pool: value.pool,
      value: found.value === null ? null : fractionToDecimal(found.value, money ? publisher.digits : FIGURE_DIGITS),
      currency: money ? publisher.currency : null,
      count: found.count,
      unknown: publisher.tally(found.unknown),
    };
  });
}

function track(
  rules: readonly PreparedRule[],
  outcomes: readonly { failed: Tally; first: Tally }[],
  firstUnits: readonly bigint[],
  publisher: Publisher,
): RuleTracking[] {
  return rules.map((rule, index) => {
    const { failed, first } = at(outcomes, index);
    return {
      rule: rule.rule,
      title: rule.title,
      failed: publisher.tally(failed),
      first: { count: first.count, amount: publisher.amount(at(firstUnits, index)) },
    };
  });
}

function warningsOf(
  outcome: Outcome,
  prepared: PreparedContract,
  poolCount: number,
  publisher: Publisher,
): BorrowingBaseWarning[] {
  const assets = (count: number) => (count === 1 ? '1 asset has' : `${count} assets have`);
  const warnings: BorrowingBaseWarning[] = outcome.missingRates.map((currency) => ({
    code: 'missingRate',
    message: `The tape has no exchange rate for ${currency}: a rate of 1 is used`,
    count: null,
  }));
  if (outcome.negativeOutstanding > 0) {
    const isDeducted = prepared.offsets.some(({ kind }) => kind === 'negatives');
    const group = outcome.negativeOutstanding === 1 ? 'its group' : 'their groups';
    const treatment = isDeducted ? `deducted from the eligible amounts of ${group}` : 'counted as zero';
    warnings.push({
      code: 'negativeOutstanding',
      message: `${assets(outcome.negativeOutstanding)} a negative current balance, ${treatment}`,
      count: outcome.negativeOutstanding,
    });
  }
  if (outcome.withoutOutstanding > 0) {
    warnings.push({
      code: 'noOutstanding',
      message: `${assets(outcome.withoutOutstanding)} no current balance and cannot be eligible`,
      count: outcome.withoutOutstanding,
    });
  }
  for (const { list } of outcome.offsets) {
    if (!list || list.withoutAssets.count === 0) continue;
    const { count, amount } = list.withoutAssets;
    const left = formatAmount(publisher.amount(publisher.units(amount)));
    warnings.push({
      code: 'offsetWithoutAssets',
      message: `${formatCount(count, 'group')} of the file ${list.file.name} ${count === 1 ? 'has' : 'have'} no asset: ${left} is left over`,
      count,
    });
  }
  if (poolCount === 0) {
    warnings.push({ code: 'emptyPool', message: 'No assets are eligible or performing', count: null });
  }
  return warnings;
}

/** Converts at the tape's exchange rates, exactly. Currencies without a rate convert at 1 and are collected. */
const converter =
  (rates: ExchangeRates, missing: Set<string>) =>
  (exact: Fraction, from: string, to: string): Fraction => {
    const found = exchangeFactor(from, to, rates);
    for (const code of found.missing) missing.add(code);
    return multiplyFractions(exact, found.factor);
  };

type Converter = ReturnType<typeof converter>;

const totalIn = (currency: string, amounts: readonly Amount[], convert: Converter): Fraction =>
  amounts.map((amount) => convert(decimalToFraction(amount.sum), amount.currency, currency)).reduce(addFractions, ZERO);

/**
 * Compares the base that can be drawn against with the note's position, all in the note's main currency at the tape's
 * exchange rates.
 * @param base in the tape's main currency; null if it is unknown
 */
function publishPosition(
  base: Fraction | null,
  tape: TapeTerms,
  facility: FacilityPosition | undefined,
  convert: Converter,
) {
  if (!facility) return { balance: null, commitments: null, availability: null, byCurrency: [] };
  const { currency } = facility;
  const publisher = new Publisher(currency);
  const published = (exact: Fraction): Amount => publisher.amount(publisher.fractionUnits(exact));
  const inNote = (amounts: readonly Amount[]) => published(totalIn(currency, amounts, convert));
  const balance = facility.balances && inNote(facility.balances);
  const commitments = facility.commitments.length > 0 ? inNote(facility.commitments) : null;
  const byCurrency = positionByCurrency(facility);
  // Without a balance nothing is converted, so that no rate is reported as missing.
  const drawable = balance && base && published(convert(base, tape.mainCurrency, currency));
  return { balance, commitments, availability: availabilityOf({ base: drawable, commitments, balance }), byCurrency };
}

function positionByCurrency({ balances, limits = [] }: FacilityPosition): CurrencyPosition[] {
  const currencies = new Set([...limits, ...(balances ?? [])].map(({ currency }) => currency));
  const sumIn = (amounts: readonly Amount[], currency: string) =>
    amounts.find((amount) => amount.currency === currency)?.sum ?? '0';
  return [...currencies].sort().map((currency) => ({
    currency,
    balance: balances && round(sumIn(balances, currency), minorUnitDigits(currency)),
    limit: round(sumIn(limits, currency), minorUnitDigits(currency)),
  }));
}

/** The reserves, and the base that they leave; null for a contract without any on the cut-off date. */
function publishReserved(
  prepared: PreparedContract,
  {
    outcome,
    values,
    netBB,
    facility,
  }: { outcome: Outcome; values: ValueResult[]; netBB: Amount; facility: FacilityPosition | undefined },
  convert: Converter,
): Required<Pick<Totals, 'reserves' | 'availableBase'>> | null {
  if (prepared.reserves.length === 0) return null;
  // Only reserves on the balance convert it, so that no other contract reports a rate as missing.
  const needsBalance = prepared.reserves.some(({ reserve }) => reserve.kind === 'months');
  const balance = needsBalance && facility?.balances ? totalIn(netBB.currency, facility.balances, convert) : null;
  const { dilutions = [] } = facility ?? {};
  const reserves = publishReserves(prepared, { outcome, values, balance, dilutions }, new Publisher(netBB.currency));
  return { reserves, availableBase: availableBaseAfter(netBB, reserves) };
}

/**
 * Rounds the exact figures for storage: to the minor unit of the tape's main currency, with parts that add up to their
 * total.
 * @throws Error if they do not add up: that is a bug, and the result must not be stored or shown
 */
export function publishOutcome(
  outcome: Outcome,
  prepared: PreparedContract,
  tape: TapeTerms,
  facility?: FacilityPosition,
): BorrowingBaseResult {
  const publisher = new Publisher(tape.mainCurrency);
  const pools = publishPools(outcome, publisher);
  const totalUnits = BORROWING_BASE_STATUSES.map((_, status) => total(pools.units.map((scope) => at(scope, status))));
  const totalCounts = BORROWING_BASE_STATUSES.map((_, status) =>
    pools.counts.reduce((sum, scope) => sum + at(scope, status), 0),
  );
  const offsetUnits = total(pools.offsets);
  const figures = poolFigures(totalUnits, totalCounts, offsetUnits, publisher);
  const poolUnits = (units: readonly bigint[]) =>
    total(POOL_MEMBERS.eligibleOrPerforming.map((status) => at(units, BORROWING_BASE_STATUSES.indexOf(status))));
  const unitsOf = (amount: Amount) => toScaled(amount.sum, publisher.digits);

  // Percentage rates have at most 8 decimal places, so they become integers, and amount x rate is at
  // AMOUNT_SCALE + RATE_DIGITS + 2.
  const rates = prepared.cases.map((rateCase) => decimalToFraction(rateCase.rate));
  const lent = (amount: bigint, index: number): bigint => {
    const rate = at(rates, index);
    return amount * rate.numerator * (RATE_UNIT / rate.denominator);
  };
  const lentUnits = (exact: bigint) =>
    divideHalfEven(exact, RATE_UNIT * PERCENT * 10n ** BigInt(AMOUNT_SCALE - publisher.digits));
  const lentParts = (exact: readonly bigint[], whole: bigint) =>
    publishParts(exact, whole, AMOUNT_SCALE - publisher.digits + ADVANCE_RATE_DIGITS + 2);
  const firstByScope = outcome.rates.map((cells) => total(cells.map((cell, index) => lent(cell.amount, index))));
  const netByScope = outcome.rates.map((cells) => total(cells.map((cell, index) => lent(cell.remaining, index))));
  const firstBB = lentUnits(total(firstByScope));
  const netBB = lentUnits(total(netByScope));
  const netExact = fraction(total(netByScope), RATE_UNIT * PERCENT * 10n ** BigInt(AMOUNT_SCALE));

  const poolExact = total(outcome.rates.flatMap((cells) => cells.map((cell) => cell.amount)));
  const remainingExact = total(outcome.rates.flatMap((cells) => cells.map((cell) => cell.remaining)));
  const pool = poolUnits(totalUnits);
  // The pool is published as a part of the relevant pool, so it may have been rounded down. Cap the excess so that the
  // remaining amount is never less than its rounded-down value.
  const mostExcess = pool - publisher.unitsDown(remainingExact);
  let excess = publisher.units(poolExact - remainingExact);
  if (excess > mostExcess) excess = mostExcess;
  const remaining = pool - excess;
  const excessByScope = publisher.parts(
    outcome.rates.map((cells) => total(cells.map((cell) => cell.amount - cell.remaining))),
    excess,
  );
  const firstParts = lentParts(firstByScope, firstBB);
  const netParts = lentParts(netByScope, netBB);

  const scopes: ScopeResult[] = prepared.scopes.map((scope, index) => {
    const units = at(pools.units, index);
    const offset = at(pools.offsets, index);
    return {
      title: scope.title,
      pools: poolFigures(units, at(pools.counts, index), offset, publisher),
      ...(prepared.offsets.length > 0 ? { offset: publisher.amount(offset) } : {}),
      firstBB: publisher.amount(at(firstParts, index)),
      excess: publisher.amount(at(excessByScope, index)),
      remaining: publisher.amount(poolUnits(units) - at(excessByScope, index)),
      netBB: publisher.amount(at(netParts, index)),
      unknown: publisher.tally(at(outcome.scopeUnknown, index)),
    };
  });

  const removedUnits = publisher.parts(
    outcome.concentration.map((found) => found.counted.amount),
    excess,
  );
  const ownUnits = outcome.concentration.map((found, index) => {
    const removed = at(removedUnits, index);
    return ownExcess(publisher.units(found.removed), removed, found.removed === found.counted.amount, excess);
  });
  const missing = new Set(outcome.missingRates);
  const convert = converter(tape.exchangeRates, missing);
  const values = publishValues(outcome, prepared, publisher);
  // The two default values are the pools, so reuse their published amounts.
  const defaults: ValuePool[] = ['eligibleOrPerforming', 'relevant'];
  for (const [index, pool] of defaults.entries()) at(values, index).value = figures[pool].amount.sum;
  const reserved = publishReserved(prepared, { outcome, values, netBB: publisher.amount(netBB), facility }, convert);
  const available = reserved?.availableBase;
  const base = reserved ? (available ? decimalToFraction(available.sum) : null) : netExact;
  const position = publishPosition(base, tape, facility, convert);
  const totals: Totals = {
    assets: outcome.assets,
    pools: figures,
    outOfScope: publisher.tally(outcome.outOfScope),
    values,
    ...publishOffsets(outcome, prepared, offsetUnits, publisher),
    firstBB: publisher.amount(firstBB),
    excess: publisher.amount(excess),
    remaining: publisher.amount(remaining),
    advanceHaircut: publisher.amount(remaining - netBB),
    netBB: publisher.amount(netBB),
    weightedAdvanceRatePercent:
      remainingExact === 0n
        ? null
        : fractionToDecimal(fraction(total(netByScope), remainingExact * RATE_UNIT), FIGURE_DIGITS),
    ...reserved,
    ...position,
  };

  const result: BorrowingBaseResult = {
    cutOffDate: tape.cutOffDate,
    currency: tape.mainCurrency,
    overlap: prepared.overlap,
    totals,
    scopes,
    excessBreachDistribution: prepared.concentration.map((rule, index) =>
      publishConcentration(
        at(outcome.concentration, index),
        rule,
        { excess: at(ownUnits, index), removed: at(removedUnits, index) },
        poolExact,
        publisher,
      ),
    ),
    ...publishWholeGroups(outcome, prepared, publisher),
    rulesTracking: {
      eligible: trackEligible(outcome, prepared, unitsOf(figures.inEligible.amount), publisher),
      performing: track(
        prepared.performance,
        outcome.performance,
        publisher.parts(
          outcome.performance.map((entry) => entry.first.amount),
          unitsOf(figures.nonPerforming.amount),
        ),
        publisher,
      ),
      concentration: track(
        prepared.concentration,
        outcome.concentration.map((found) => ({
          failed: found.cut,
          first: found.counted,
        })),
        removedUnits,
        publisher,
      ),
      advancing: trackAdvancing(outcome, prepared, { pool, remaining, netBB, lent, lentParts }, publisher),
    },
    firstBB: totals.firstBB,
    netBB: totals.netBB,
    warnings: warningsOf(
      { ...outcome, missingRates: [...missing].sort() },
      prepared,
      figures.eligibleOrPerforming.count,
      publisher,
    ),
    cuts: prepared.concentration.flatMap((rule, index) => cutTerms(rule, at(outcome.concentration, index))),
  };
  const problems = footingProblems(result);
  if (problems.length > 0) throw new Error(`The borrowing base does not add up: ${problems.join('; ')}`);
  return result;
}

const ZERO = fraction(0n);
const RATE_UNIT = 10n ** BigInt(ADVANCE_RATE_DIGITS);

/** The groups that fail whole; nothing for a contract without such rules. */
function publishWholeGroups(
  { wholeGroups }: Outcome,
  prepared: PreparedContract,
  publisher: Publisher,
): Pick<BorrowingBaseResult, 'wholeGroups'> {
  const published = prepared.eligibility.flatMap(({ rule, title, wholeGroup }, index): WholeGroupResult[] => {
    const found = wholeGroups[index];
    if (!wholeGroup || !found) return [];
    const groups = found.groups.map(({ key, count, amount, failing }) => ({
      key,
      count,
      amount: publisher.amount(publisher.units(amount)),
      failing: publisher.amount(publisher.units(failing)),
      percentage: percentOf(failing, amount) ?? fromScaled(0n, FIGURE_DIGITS),
    }));
    const { groupCount, failedGroupCount } = found;
    return [
      {
        rule,
        title,
        groupBy: wholeGroup.grouping.field.path,
        ...(wholeGroup.grouping.parent ? { parent: wholeGroup.grouping.parent.path } : {}),
        percent: wholeGroup.percent,
        groupCount,
        failedGroupCount,
        groups,
      },
    ];
  });
  return published.length > 0 ? { wholeGroups: published } : {};
}

/** If any assets lack an outstanding sum, they come first, as a built-in rule. */
function trackEligible(
  outcome: Outcome,
  prepared: PreparedContract,
  inEligible: bigint,
  publisher: Publisher,
): RuleTracking[] {
  const tracked = track(
    prepared.eligibility,
    outcome.eligibility,
    publisher.parts(
      outcome.eligibility.map((entry) => entry.first.amount),
      inEligible,
    ),
    publisher,
  );
  if (outcome.withoutOutstanding === 0) return tracked;
  const without = { count: outcome.withoutOutstanding, amount: publisher.amount(0n) };
  return [{ rule: -1, title: 'Has a current balance', failed: without, first: { ...without } }, ...tracked];
}

function trackAdvancing(
  outcome: Outcome,
  prepared: PreparedContract,
  whole: {
    pool: bigint;
    remaining: bigint;
    netBB: bigint;
    lent: (amount: bigint, index: number) => bigint;
    lentParts: (exact: readonly bigint[], whole: bigint) => bigint[];
  },
  publisher: Publisher,
): BorrowingBaseResult['rulesTracking']['advancing'] {
  const columns = prepared.cases.map((_, index) => outcome.rates.map((cells) => at(cells, index)));
  const amounts = columns.map((cells) => total(cells.map((cell) => cell.amount)));
  const remainders = columns.map((cells) => total(cells.map((cell) => cell.remaining)));
  const taken = publisher.parts(amounts, whole.pool);
  const remaining = publisher.parts(remainders, whole.remaining);
  const advanced = whole.lentParts(
    remainders.map((amount, index) => whole.lent(amount, index)),
    whole.netBB,
  );
  return prepared.cases.map((rateCase, index) => {
    const count = at(columns, index).reduce((sum, cell) => sum + cell.count, 0);
    const takenAmount = { count, amount: publisher.amount(at(taken, index)) };
    return {
      rule: rateCase.rule,
      title: rateCase.title,
      failed: publisher.tally(at(outcome.caseFailed, index)),
      first: takenAmount,
      rate: rateCase.rate,
      scope: rateCase.scope === null ? null : at(prepared.scopes, rateCase.scope).title,
      taken: { ...takenAmount },
      remaining: publisher.amount(at(remaining, index)),
      advanced: publisher.amount(at(advanced, index)),
      haircut: publisher.amount(at(remaining, index) - at(advanced, index)),
    };
  });
}
