import type { CalendarDate } from '../dates/calendar-date.ts';
import { type DecimalText, divide, fromScaled, isZero, multiply, sum, toScaled } from '../money/decimal.ts';
import { splitByLargestRemainder } from '../money/shares.ts';
import type { LineBasis, OwnPart, SplitRule, WaterfallTier } from './line-basis.ts';
import { inSplitOrder, type SplitInvestor } from './split.ts';
import type { Proceeds, WaterfallSplit } from './waterfall-split.ts';

/** A purpose of a call, or the principal or a component of a distribution, that is divided over the investors. */
export interface DividedLine {
  readonly rule: SplitRule;
  /**
   * Null for one that is what its parts add up to: by each investor's terms, or as entered. Of lines by the waterfall, the
   * amounts are the proceeds, which it divides again.
   */
  readonly amount: DecimalText | null;
  /** Of a line by the waterfall. */
  readonly tier?: WaterfallTier | undefined;
  /** The investment that the proceeds are of. */
  readonly investment?: string | undefined;
  /** Of a tax by rate: the places of the lines that are taxed, and the rate of whoever has no own one. */
  readonly taxed?: readonly number[] | undefined;
  readonly ratePercent?: DecimalText | undefined;
  /** The days of a fee by terms, both included. */
  readonly days?: { readonly from: CalendarDate; readonly until: CalendarDate } | undefined;
}

export interface DividedInvestor extends SplitInvestor {
  /** Calls due up to the day, for lines by paid-in capital. */
  readonly paidIn: DecimalText;
  /** What it has paid for the investment that the proceeds are of. */
  readonly paidFor?: DecimalText | undefined;
  /** What its own terms come to, for each line by terms; null if that is unknown. */
  readonly owed: readonly (DecimalText | null)[];
  /** Its part of proceeds by its own waterfall; null if it has no terms for that. */
  readonly waterfall?: ((proceeds: Proceeds) => WaterfallSplit | null) | undefined;
  /** In the order of the lines. */
  readonly own: readonly (OwnPart | null)[];
  /** The most that the whole can ask of it, for what others are excused from; null without a limit. */
  readonly room: DecimalText | null;
}

/** What keeps a line from being divided. */
export type DivideProblem =
  /** Amounts that people entered, or own terms, come to this much less than the line; below zero: more. */
  | { readonly kind: 'difference'; readonly line: number; readonly left: DecimalText }
  /** Investors whose own terms come to an unknown amount. */
  | { readonly kind: 'unknown'; readonly line: number; readonly investors: readonly string[] }
  /** Nobody has what the line is divided by. */
  | { readonly kind: 'noWeights'; readonly line: number };

export interface DividedPart {
  readonly amounts: readonly DecimalText[];
  readonly basis: readonly LineBasis[];
}

export interface Divided {
  /** By investor, in the order in which ties are decided; who has no commitment is left out. */
  readonly parts: ReadonlyMap<string, DividedPart>;
  readonly problems: readonly DivideProblem[];
  /** What nobody took over of what others are excused from, by line. */
  readonly notCalled: readonly DecimalText[];
}

/** One line while it is divided: everything in minor units, in the order of the investors. */
interface Working {
  readonly amounts: bigint[];
  readonly basis: LineBasis[];
  /** By what it is divided; null for a line without weights. */
  readonly weights: readonly DecimalText[] | null;
  /** Who neither is excused nor has an own amount. */
  readonly takers: readonly number[];
  readonly excused: bigint;
}

const total = (units: readonly bigint[]): bigint => units.reduce((all, one) => all + one, 0n);

const isOwnAmount = (own: OwnPart | null | undefined): own is { amount: DecimalText } =>
  own !== null && own !== undefined && 'amount' in own;
const isExcused = (own: OwnPart | null | undefined): boolean => own !== null && own !== undefined && 'excused' in own;

/** Splits units over those with a weight, by largest remainder. */
function shared(units: bigint, weights: readonly DecimalText[], digits: number): bigint[] {
  return splitByLargestRemainder(fromScaled(units, digits), weights, digits).map((part) => toScaled(part, digits));
}

/** A line by commitment or by paid-in capital: what people entered stays, the rest is shared by weight. */
function byWeight(
  { rule, amount }: DividedLine,
  line: number,
  investors: readonly DividedInvestor[],
  digits: number,
  problems: DivideProblem[],
): Working {
  const weights = investors.map(({ weight, paidIn }) => (rule === 'paidIn' ? paidIn : weight));
  const amounts = investors.map(({ own }) => (isOwnAmount(own[line]) ? toScaled(own[line].amount, digits) : 0n));
  const sharing = investors.flatMap(({ own }, index) =>
    isOwnAmount(own[line]) || isZero(weights[index]!) ? [] : [index],
  );
  const left = toScaled(amount ?? '0', digits) - total(amounts);
  const of = fromScaled(left, digits);
  const whole = sum(sharing.map((index) => weights[index]!));
  if (left < 0n || (left > 0n && sharing.length === 0)) {
    const isNobody = investors.every((_, index) => isZero(weights[index]!)) && !investors.some((one) => one.own[line]);
    problems.push(isNobody ? { kind: 'noWeights', line } : { kind: 'difference', line, left: of });
  }
  const shares =
    left > 0n && sharing.length > 0
      ? shared(
          left,
          sharing.map((index) => weights[index]!),
          digits,
        )
      : [];
  let excused = 0n;
  const shareOf = new Map(sharing.map((index, place) => [index, shares[place] ?? 0n]));
  const basis = investors.map(({ own }, index): LineBasis => {
    if (isOwnAmount(own[line])) return { rule, set: 'amount' };
    const share = shareOf.get(index) ?? 0n;
    if (isExcused(own[line])) {
      excused += share;
      return { rule, set: 'excused', excused: fromScaled(share, digits) };
    }
    amounts[index] = share;
    return { rule, of, weight: weights[index]!, whole };
  });
  return {
    amounts,
    basis,
    weights,
    excused,
    takers: sharing.filter((index) => !isExcused(investors[index]!.own[line])),
  };
}

/** A line whose parts are what each investor's terms come to, or what a person entered. */
function byOwn(
  { rule, amount, days }: DividedLine,
  line: number,
  investors: readonly DividedInvestor[],
  digits: number,
  problems: DivideProblem[],
): Working {
  const unknown: string[] = [];
  const amounts: bigint[] = [];
  const basis = investors.map(({ id, own, owed }): LineBasis => {
    const set = own[line];
    const due = rule === 'terms' ? owed[line] : '0';
    const isSet = isOwnAmount(set) || isExcused(set);
    if (due == null && !isSet) unknown.push(id);
    amounts.push(toScaled(isOwnAmount(set) ? set.amount : isSet ? '0' : (due ?? '0'), digits));
    if (isExcused(set)) return { rule, set: 'excused', ...(due == null ? {} : { excused: due }) };
    return { rule, ...(isOwnAmount(set) ? { set: 'amount' as const } : days) };
  });
  if (unknown.length > 0) problems.push({ kind: 'unknown', line, investors: unknown });
  const left = amount === null ? 0n : toScaled(amount, digits) - total(amounts);
  if (left !== 0n && unknown.length === 0) problems.push({ kind: 'difference', line, left: fromScaled(left, digits) });
  return { amounts, basis, weights: null, takers: [], excused: 0n };
}

/**
 * The lines by the waterfall. The proceeds are shared by commitment, and those of an investment by what was paid for it,
 * each of their amounts to the minor unit, and each investor's waterfall divides its part over them. Amounts that a person set stay. Who has no terms has its part of the
 * proceeds as they are.
 */
function byWaterfall(
  lines: readonly DividedLine[],
  investors: readonly DividedInvestor[],
  digits: number,
  problems: DivideProblem[],
): ReadonlyMap<number, Working> {
  const lineIndexes = lines.flatMap(({ rule }, index) => (rule === 'waterfall' ? [index] : []));
  const tierAt = (lineIndex: number): WaterfallTier => lines[lineIndex]!.tier ?? 'principal';
  const gross = lineIndexes.filter((lineIndex) => tierAt(lineIndex) !== 'carry');
  const profits = gross.filter((lineIndex) => tierAt(lineIndex) !== 'principal');
  const made = new Map(
    lineIndexes.map((lineIndex): [number, Working] => [
      lineIndex,
      { amounts: [], basis: [], weights: null, takers: [], excused: 0n },
    ]),
  );
  if (gross.length === 0) return made;
  const { investment } = lines[gross[0]!]!;
  const weights = investors.map(({ weight, paidFor = '0' }) => (investment === undefined ? weight : paidFor));
  if (weights.every(isZero)) problems.push({ kind: 'noWeights', line: gross[0]! });
  const shares = new Map(
    gross.map((lineIndex) => [
      lineIndex,
      weights.every(isZero)
        ? weights.map(() => 0n)
        : shared(toScaled(lines[lineIndex]!.amount ?? '0', digits), weights, digits),
    ]),
  );
  const unknown: string[] = [];
  let carryLine = gross[0]!;
  for (const [index, { id, own, waterfall }] of investors.entries()) {
    const shareOf = (lineIndex: number | undefined): DecimalText =>
      fromScaled(lineIndex === undefined ? 0n : (shares.get(lineIndex)?.[index] ?? 0n), digits);
    const split =
      waterfall?.({
        principal: shareOf(gross.find((lineIndex) => tierAt(lineIndex) === 'principal')),
        profits: profits.map((lineIndex) => ({
          amount: shareOf(lineIndex),
          tier: tierAt(lineIndex) === 'income' ? 'income' : 'gain',
        })),
      }) ?? null;
    for (const lineIndex of lineIndexes) {
      const tier = tierAt(lineIndex);
      const set = own[lineIndex];
      const { amounts, basis } = made.get(lineIndex)!;
      const due =
        tier === 'carry'
          ? (split?.carry ?? null)
          : tier === 'principal'
            ? (split?.principal ?? shareOf(lineIndex))
            : (split?.profits[profits.indexOf(lineIndex)] ?? shareOf(lineIndex));
      if (tier === 'carry') carryLine = lineIndex;
      if (due === null && !isOwnAmount(set)) unknown.push(id);
      amounts.push(toScaled(isOwnAmount(set) ? set.amount : (due ?? '0'), digits));
      basis.push({
        rule: 'waterfall',
        tier,
        ...(investment === undefined ? {} : { investment }),
        ...(isOwnAmount(set) ? { set: 'amount' as const } : {}),
        ...(split ? { waterfall: split.trace } : {}),
      });
    }
  }
  if (unknown.length > 0) problems.push({ kind: 'unknown', line: carryLine, investors: unknown });
  const entered = total(gross.map((lineIndex) => toScaled(lines[lineIndex]!.amount ?? '0', digits)));
  const left = entered - total(gross.flatMap((lineIndex) => made.get(lineIndex)!.amounts));
  if (left !== 0n && !weights.every(isZero)) {
    problems.push({ kind: 'difference', line: gross[0]!, left: fromScaled(left, digits) });
  }
  return made;
}

/** A tax: each investor's rate of its own part of the taxed lines. */
function byRate(
  { rule, taxed = [], ratePercent = '0' }: DividedLine,
  line: number,
  investors: readonly DividedInvestor[],
  lines: readonly (Working | undefined)[],
  digits: number,
): Working {
  const amounts: bigint[] = [];
  const basis = investors.map(({ own }, index): LineBasis => {
    const set = own[line];
    const of = fromScaled(total(taxed.map((place) => lines[place]?.amounts[index] ?? 0n)), digits);
    if (isOwnAmount(set)) {
      amounts.push(toScaled(set.amount, digits));
      return { rule, set: 'amount' };
    }
    const rate = set && 'ratePercent' in set ? set.ratePercent : ratePercent;
    amounts.push(toScaled(divide(multiply(of, rate), '100', digits), digits));
    return { rule, of, ratePercent: rate };
  });
  return { amounts, basis, weights: null, takers: [], excused: 0n };
}

/**
 * Hands what some are excused from to the others, by weight: to nobody more than the cap, and nobody more than it has
 * room for. What one cannot take goes to the others that can.
 * @returns what nobody could take
 */
function spread(
  { amounts, basis, weights, takers, excused }: Working,
  rooms: (bigint | null)[],
  capPercent: DecimalText | null,
  digits: number,
): bigint {
  const most = takers.map((index) => {
    const cap =
      capPercent === null
        ? null
        : divide(multiply(fromScaled(amounts[index]!, digits), capPercent), '100', digits, 'down');
    const bounds = [cap === null ? null : toScaled(cap, digits), rooms[index]!].filter((bound) => bound !== null);
    return bounds.sort((a, b) => (a < b ? -1 : 1))[0] ?? null;
  });
  const extra = takers.map(() => 0n);
  let left = excused;
  while (left > 0n) {
    const open = takers.flatMap((_, place) => (most[place] === null || extra[place]! < most[place]! ? [place] : []));
    if (open.length === 0) break;
    const parts = shared(
      left,
      open.map((place) => weights![takers[place]!]!),
      digits,
    );
    for (const [index, place] of open.entries()) {
      const wanted = parts[index]!;
      const bound = most[place] ?? null;
      const taken = bound !== null && extra[place]! + wanted > bound ? bound - extra[place]! : wanted;
      extra[place]! += taken;
      left -= taken;
    }
  }
  for (const [place, index] of takers.entries()) {
    const own = extra[place]!;
    if (own === 0n) continue;
    amounts[index]! += own;
    if (rooms[index] !== null) rooms[index] = rooms[index]! - own;
    basis[index] = { ...basis[index]!, spread: fromScaled(own, digits) };
  }
  return left;
}

/**
 * Divides the lines of a call or distribution over its investors, each line by its own rule, to the minor unit.
 *
 * Of a line by commitment or paid-in capital, amounts that a person set stay, and the others share the rest by weight:
 * rounded down, then the units left go to the largest remainders, ties to the larger commitment and the lower code. What
 * an investor is excused from is shared by the others in the same way, up to `capPercent` of their own share and to what
 * they have room for; what is left is not called. A tax by rate is a part of the investor's own income.
 * @param lines amounts with at most `digits` decimals
 * @param capPercent the most that a share grows by what others are excused from; null without a limit
 * @returns parts also where there are problems, so that they can be shown
 */
export function divideLines(
  lines: readonly DividedLine[],
  all: readonly DividedInvestor[],
  { digits, capPercent }: { digits: number; capPercent: DecimalText | null },
): Divided {
  const investors = inSplitOrder(all);
  const problems: DivideProblem[] = [];
  const working: Working[] = [];
  for (const [index, line] of byWaterfall(lines, investors, digits, problems)) working[index] = line;
  for (const [index, line] of lines.entries()) {
    if (line.taxed || line.rule === 'waterfall') continue;
    const divided = line.rule === 'commitment' || line.rule === 'paidIn' ? byWeight : byOwn;
    working[index] = divided(line, index, investors, digits, problems);
  }
  const rooms = investors.map(({ room }, index) => {
    if (room === null) return null;
    const left = toScaled(room, digits) - total(working.map(({ amounts }) => amounts[index]!));
    return left > 0n ? left : 0n;
  });
  const notCalled = lines.map((_, index) => {
    const line = working[index];
    return line && line.excused > 0n ? fromScaled(spread(line, rooms, capPercent, digits), digits) : '0';
  });
  for (const [index, line] of lines.entries()) {
    if (line.taxed) working[index] = byRate(line, index, investors, working, digits);
  }
  const parts = investors.map(({ id }, index): [string, DividedPart] => [
    id,
    {
      amounts: working.map(({ amounts }) => fromScaled(amounts[index]!, digits)),
      basis: working.map(({ basis }) => basis[index]!),
    },
  ]);
  return { parts: new Map(parts), problems, notCalled };
}

/** Whether an amount is what the rule comes to, and not what a person set or decided. */
export const isByRule = ({ rule, set }: LineBasis): boolean =>
  set === undefined && (rule === 'commitment' || rule === 'paidIn');

/** What lines come to once they are divided. */
export const dividedTotals = (
  lines: readonly DividedLine[],
  parts: Iterable<DividedPart>,
  digits: number,
): DecimalText[] => {
  const totals = lines.map(() => 0n);
  for (const { amounts } of parts) {
    for (const [index, amount] of amounts.entries()) totals[index]! += toScaled(amount, digits);
  }
  return totals.map((units) => fromScaled(units, digits));
};
