/**
 * A second implementation of a fund that is administered: amounts by rules, with excuses and taxes; fee terms by class and
 * date with side letters; later closings; transfers of an interest. It is written from `docs/concepts`, works in whole
 * cents and days, and imports nothing of the first one. The tests compare the two.
 */

/** Amounts are in cents, days in days since 1970, rates in hundredths of a percent. */
export interface ReferenceRates {
  readonly committed?: bigint | undefined;
  readonly invested?: bigint | undefined;
  readonly interestIncome?: bigint | undefined;
  readonly assets?: bigint | undefined;
  readonly ofNetAssets?: boolean | undefined;
}

export interface ReferenceFeeTerms {
  readonly management?:
    | (ReferenceRates & {
        readonly minimum?: bigint | undefined;
        readonly waiver?: bigint | undefined;
        readonly offset?: bigint | undefined;
        /** Other rates from a day on; null: from the end of the investment period on. */
        readonly stepDown?: (ReferenceRates & { readonly day: number | null }) | undefined;
      })
    | undefined;
  readonly overallCap?: bigint | undefined;
}

type Management = NonNullable<ReferenceFeeTerms['management']>;

export interface ReferenceInvestor {
  readonly code: number;
  readonly Class: string;
  readonly closingDay: number;
  readonly committed: bigint;
  readonly fees: ReferenceFeeTerms;
  readonly letters: readonly { readonly day: number; readonly terms: ReferenceFeeTerms }[];
}

export interface AdministeredFund {
  /** Those without a commitment at first have none, from a day on. */
  readonly investors: readonly ReferenceInvestor[];
  readonly terms: readonly { readonly Class: string | null; readonly day: number; readonly terms: ReferenceFeeTerms }[];
  readonly investmentPeriodEnd: number | null;
  /** The most that an investor takes over, of its own share. */
  readonly excuseCap: bigint | null;
  readonly nonRecyclable: { readonly day: number; readonly fromBeginning: boolean } | null;
  readonly equalization: {
    readonly rate: bigint;
    readonly daysOfYear: 360 | 365;
    readonly compounds: boolean;
    readonly feeInterestToManager: boolean;
    readonly feesFromFirstClosing: boolean;
    readonly recallable: boolean;
  };
  readonly borrowersFees: readonly { readonly day: number; readonly amount: bigint }[];
}

export interface ReferenceLine {
  readonly rule: 'commitment' | 'paidIn' | 'entered' | 'terms';
  /** Null: what its parts add up to. */
  readonly amount: bigint | null;
  readonly isFee?: boolean | undefined;
  /** The days of a fee by terms, both included. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** Of a tax: its rate, and the index of the line that is taxed. */
  readonly rate?: bigint | undefined;
  readonly taxed?: number | undefined;
}

export interface ReferenceOwn {
  readonly code: number;
  readonly line: number;
  readonly set: { readonly amount: bigint } | { readonly excused: true } | { readonly rate: bigint };
}

interface Divided {
  readonly day: number;
  /** Null: everybody. */
  readonly Class: string | null;
  readonly lines: readonly ReferenceLine[];
  readonly own: readonly ReferenceOwn[];
}

/** Lines of a distribution: principal, interest, gains, and the tax on each of the two. */
export type ReferenceStep =
  | (Divided & { readonly kind: 'call'; readonly dueDay: number })
  | (Divided & { readonly kind: 'distribution'; readonly recallable: boolean })
  | { readonly kind: 'writeOff'; readonly day: number; readonly amount: bigint }
  | { readonly kind: 'nav'; readonly day: number; readonly code: number; readonly gross: bigint; readonly net: bigint }
  | {
      readonly kind: 'closing';
      readonly day: number;
      readonly dueDay: number;
      readonly entrants: readonly { readonly code: number; readonly amount: bigint }[];
    }
  | {
      readonly kind: 'transfer';
      readonly day: number;
      readonly from: number;
      readonly to: number;
      /** In units of 1e-8 percent. */
      readonly share: bigint;
    };

/** Why a step cannot be. */
export type ReferenceProblem = 'undivided' | 'called' | 'returned' | 'writtenOff' | 'nothing';

/** A part that a transfer moved counts from the day of the transfer on, and was paid on the day of its document. */
interface Movable {
  document: number;
  paid: number;
  /** The transfer that moved it; null for the document itself. */
  moved: number | null;
}
interface CalledPart extends Movable {
  issued: number;
  due: number;
  lines: { isFee: boolean; amount: bigint; interest: bigint }[];
}
interface PaidPart extends Movable {
  day: number;
  recallable: boolean;
  /** Principal, interest, gains, tax on interest, tax on gains. */
  lines: bigint[];
}
interface LostPart extends Movable {
  day: number;
  amount: bigint;
}
/** A value that was recorded. */
interface Valued {
  day: number;
  net: bigint;
  gross: bigint;
}
/** The value that a transfer gave or took, of what the giver had before its day. */
interface MovedValue {
  transfer: number;
  day: number;
  net: bigint | null;
  gross: bigint | null;
  valuedOn: number | null;
}
interface Value {
  net: bigint | null;
  gross: bigint | null;
  /** The day of the value that it follows from; null where nothing was worth anything. */
  day: number | null;
}
interface Holder {
  code: number;
  closingDay: number;
  committed: bigint;
  changes: { day: number; amount: bigint }[];
  calls: CalledPart[];
  paid: PaidPart[];
  lost: LostPart[];
  valued: Valued[];
  movedValues: MovedValue[];
}

export interface AdministeredFigures {
  active: bigint;
  called: bigint;
  unfunded: bigint;
  recallable: bigint;
  writtenOff: bigint;
  netCapitalCalled: bigint;
  distributed: bigint;
  nav: bigint | null;
  grossNav: bigint | null;
  navDay: number | null;
}

/** A call that a later closing divides again: what everyone has paid for each line. */
interface Equalized {
  day: number;
  dueDay: number;
  document: number;
  Class: string | null;
  lines: { line: ReferenceLine; paid: Map<number, bigint> }[];
}

interface State {
  holders: Holder[];
  called: Equalized[];
  documents: number;
  transfers: number;
}

const total = (values: Iterable<bigint>): bigint => {
  let all = 0n;
  for (const value of values) all += value;
  return all;
};
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** A quotient to the nearest whole, and of two equally near ones to the even one. */
export function nearest(of: bigint, by: bigint): bigint {
  if (of < 0n) return -nearest(-of, by);
  const [whole, rest] = [of / by, (of % by) * 2n];
  return rest > by || (rest === by && whole % 2n === 1n) ? whole + 1n : whole;
}

/** Whole cents by weight, rounded down, and one more for the largest remainders; ties to whoever comes first. */
function inShares(amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = total(weights);
  if (whole === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (amount * weight) / whole);
  const rests = weights.map((weight, index) => ({ index, rest: (amount * weight) % whole }));
  rests.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  const left = Number(amount - total(parts));
  for (const { index } of rests.slice(0, left)) parts[index]! += 1n;
  return parts;
}

const activeOn = ({ closingDay, committed, changes }: Holder, day: number): bigint =>
  day < closingDay ? 0n : committed + total(changes.filter((one) => one.day <= day).map(({ amount }) => amount));

const ofCall = ({ lines }: CalledPart): bigint => total(lines.map(({ amount }) => amount));
const netOf = ([principal = 0n, interest = 0n, gains = 0n, ...taxes]: bigint[]): bigint =>
  principal + interest + gains - total(taxes);

/** A share of an amount; of what moves and what stays, the larger remainder has the last cent, then the larger share. */
function shareOf(amount: bigint, share: bigint): bigint {
  if (amount < 0n) return -shareOf(-amount, share);
  const whole = 10_000_000_000n;
  const [part, rest] = [(amount * share) / whole, (amount * share) % whole];
  const other = rest === 0n ? 0n : whole - rest;
  return rest > other || (rest !== 0n && rest === other && share * 2n >= whole) ? part + 1n : part;
}

/** Shares of amounts in turn, so that those so far are the share of what they come to. */
function inTurn(share: bigint, before = 0n): (amount: bigint) => bigint {
  let so = before;
  return (amount) => {
    const had = shareOf(so, share);
    so += amount;
    return shareOf(so, share) - had;
  };
}

/** A fund that is administered step by step. A step that cannot be is refused and changes nothing. */
export class AdministeredWorld {
  readonly #fund: AdministeredFund;
  #state: State;

  constructor(fund: AdministeredFund) {
    this.#fund = fund;
    const holders = fund.investors.map(
      ({ code, closingDay, committed }): Holder => ({
        code,
        closingDay,
        committed,
        changes: [],
        calls: [],
        paid: [],
        lost: [],
        valued: [],
        movedValues: [],
      }),
    );
    this.#state = { holders, called: [], documents: 0, transfers: 0 };
  }

  /** @returns why it cannot be; null if it was done */
  take(step: ReferenceStep): ReferenceProblem | null {
    const before = structuredClone(this.#state);
    const problem = this.#apply(step);
    if (problem !== null) this.#state = before;
    return problem;
  }

  #holder(code: number): Holder {
    return this.#state.holders.find((one) => one.code === code)!;
  }

  #apply(step: ReferenceStep): ReferenceProblem | null {
    this.#state.documents += 1;
    const document = this.#state.documents;
    if (step.kind === 'call') return this.#call(step, document);
    if (step.kind === 'distribution') return this.#distribute(step, document);
    if (step.kind === 'writeOff') return this.#writeOff(step, document);
    if (step.kind === 'closing') return this.#close(step, document);
    if (step.kind === 'transfer') return this.#transfer(step);
    const { day, code, gross, net } = step;
    this.#holder(code).valued.push({ day, gross, net });
    return null;
  }

  // Figures

  #isRecallable({ recallable, paid, day }: PaidPart, at: number): boolean {
    const { nonRecyclable } = this.#fund;
    if (!recallable || day > at) return false;
    if (nonRecyclable === null) return true;
    return paid < nonRecyclable.day && (!nonRecyclable.fromBeginning || at < nonRecyclable.day);
  }

  /** What is held without what a transfer and those after it moved. */
  #before(holder: Holder, transfer: number): Holder {
    const isEarlier = ({ moved }: Movable) => moved === null || moved < transfer;
    return {
      ...holder,
      calls: holder.calls.filter(isEarlier),
      paid: holder.paid.filter(isEarlier),
      lost: holder.lost.filter(isEarlier),
      movedValues: holder.movedValues.filter((one) => one.transfer < transfer),
    };
  }

  /** The value of the end of a day: the last that was recorded or that a transfer left, with what was paid since. */
  #value(holder: Holder, at: number): Value {
    const starts: (Value & { from: number; order: number })[] = [];
    for (const { day, net, gross } of holder.valued) {
      // What is recorded for the day of a transfer counts after it.
      if (day <= at) starts.push({ net, gross, day, from: day, order: Number.POSITIVE_INFINITY });
    }
    for (const { transfer, day, net, gross, valuedOn } of holder.movedValues) {
      if (day > at) continue;
      const own = this.#value(this.#before(holder, transfer), day);
      const days = [own.day, valuedOn].filter((one) => one !== null);
      const left = {
        net: own.net === null || net === null ? null : own.net + net,
        gross: own.gross === null || gross === null ? null : own.gross + gross,
        day: days.length === 0 ? null : Math.min(...days),
      };
      // Where nothing was worth anything, there is nothing to start from.
      if (left.net === null || left.day !== null) starts.push({ ...left, from: day, order: transfer });
    }
    const last = starts.sort((a, b) => a.from - b.from || a.order - b.order).at(-1);
    if (!last || last.net === null || last.gross === null) {
      const called = total(holder.calls.filter(({ due }) => due <= at).map(ofCall));
      return called === 0n ? { net: 0n, gross: 0n, day: null } : { net: null, gross: null, day: null };
    }
    const since = (day: number) => day > last.from && day <= at;
    const moved =
      total(holder.calls.filter(({ due }) => since(due)).map(ofCall)) -
      total(holder.paid.filter(({ day }) => since(day)).map(({ lines }) => netOf(lines))) -
      total(holder.lost.filter(({ day }) => since(day)).map(({ amount }) => amount));
    return { net: last.net + moved, gross: last.gross + moved, day: last.day };
  }

  #figures(holder: Holder, at: number): AdministeredFigures {
    const active = activeOn(holder, at);
    const issued = total(holder.calls.filter((one) => one.issued <= at).map(ofCall));
    const called = total(holder.calls.filter((one) => one.due <= at).map(ofCall));
    const paid = holder.paid.filter(({ day }) => day <= at);
    const recallable = total(paid.filter((one) => this.#isRecallable(one, at)).map(({ lines }) => lines[0]!));
    const writtenOff = total(holder.lost.filter(({ day }) => day <= at).map(({ amount }) => amount));
    const value = this.#value(holder, at);
    return {
      active,
      called,
      unfunded: active - issued + recallable,
      recallable,
      writtenOff,
      netCapitalCalled: called - recallable - writtenOff,
      distributed: total(paid.map(({ lines }) => netOf(lines))),
      nav: value.net,
      grossNav: value.gross,
      navDay: value.day,
    };
  }

  /** The codes of those with a commitment on a day. */
  present(day: number, Class: string | null): number[] {
    return this.#present(day, Class).map(({ code }) => code);
  }

  figures(code: number, at: number): AdministeredFigures {
    return this.#figures(this.#holder(code), at);
  }

  /** What an investor paid (below zero) and received after costs, by the day on which it was paid, without interest apart. */
  flows(code: number, at: number): Map<number, bigint> {
    const { calls, paid } = this.#holder(code);
    const flows = new Map<number, bigint>();
    const add = (day: number, amount: bigint) => flows.set(day, (flows.get(day) ?? 0n) + amount);
    for (const call of calls) {
      if (call.due <= at) add(call.paid, -ofCall(call) - total(call.lines.map(({ interest }) => interest)));
    }
    for (const one of paid) if (one.day <= at) add(one.paid, netOf(one.lines));
    return new Map([...flows].filter(([, amount]) => amount !== 0n));
  }

  // Limits

  #days({ closingDay, changes, calls, paid, lost }: Holder): number[] {
    const { nonRecyclable } = this.#fund;
    return [
      ...new Set([
        closingDay,
        ...changes.map(({ day }) => day),
        ...calls.flatMap(({ issued, due }) => [issued, due]),
        ...[...paid, ...lost].map(({ day }) => day),
        ...(nonRecyclable ? [nonRecyclable.day] : []),
      ]),
    ];
  }

  /** How far an investor is from a limit on the closest of the days from a day on; null if it has no such day. */
  #room(limit: 'called' | 'returned' | 'writtenOff', holder: Holder, from: number): bigint | null {
    const days = [...this.#days(holder), from].filter((day) => day >= from);
    const paidOn = (day: number) => holder.paid.some((one) => one.day === day);
    const lostOn = (day: number) => holder.lost.some((one) => one.day === day);
    const rooms = days.flatMap((day): bigint[] => {
      const figures = this.#figures(holder, day);
      if (limit === 'called') return [figures.unfunded];
      if (limit === 'writtenOff') return paidOn(day) || lostOn(day) ? [figures.netCapitalCalled] : [];
      const returned = total(holder.paid.filter((one) => one.day <= day).map(({ lines }) => lines[0]!));
      return paidOn(day) ? [figures.called - returned] : [];
    });
    return rooms.length === 0 ? null : rooms.reduce(least);
  }

  #broken(limits: readonly ('called' | 'returned' | 'writtenOff')[]): ReferenceProblem | null {
    const found = new Set<string>();
    for (const holder of this.#state.holders) {
      for (const day of this.#days(holder)) {
        const { unfunded, active, called, netCapitalCalled } = this.#figures(holder, day);
        const returned = total(holder.paid.filter((one) => one.day <= day).map(({ lines }) => lines[0]!));
        if (unfunded < 0n || active < 0n) found.add('called');
        if (returned > called) found.add('returned');
        if (netCapitalCalled < 0n) found.add('writtenOff');
      }
    }
    return limits.find((limit) => found.has(limit)) ?? null;
  }

  // Rules

  /** Those with a commitment on a day: the larger first, then the lower code. */
  #present(day: number, Class: string | null): Holder[] {
    return this.#state.holders
      .filter(({ code }) => Class === null || this.#investor(code).Class === Class)
      .filter((holder) => activeOn(holder, day) > 0n)
      .sort((a, b) => {
        const [first, second] = [activeOn(a, day), activeOn(b, day)];
        return first === second ? a.code - b.code : first > second ? -1 : 1;
      });
  }

  #investor(code: number): ReferenceInvestor {
    return this.#fund.investors.find((one) => one.code === code)!;
  }

  /** @returns each investor's part of each line, and which of them a rule came to; null if a line cannot be divided */
  #divide(
    { day, Class, lines, own }: Divided,
    asks: boolean,
  ): { code: number; amounts: bigint[]; byRule: boolean[] }[] | null {
    const holders = this.#present(day, Class);
    const committed = holders.map((one) => activeOn(one, day));
    const setOf = (code: number, line: number) => own.find((one) => one.code === code && one.line === line)?.set;
    const amounts = holders.map(() => lines.map(() => 0n));
    const byRule = holders.map(() => lines.map(() => false));
    const excused: { line: number; amount: bigint; weights: bigint[]; takers: number[] }[] = [];
    for (const [line, { rule, amount, taxed, from, until }] of lines.entries()) {
      if (taxed !== undefined) continue;
      const sets = holders.map(({ code }) => setOf(code, line));
      const entered = sets.map((set) => (set && 'amount' in set ? set.amount : null));
      if (rule === 'terms' || rule === 'entered') {
        for (const [index, holder] of holders.entries()) {
          const isExcused = sets[index] !== undefined && 'excused' in sets[index];
          const due = rule === 'terms' ? this.#fee(holder, from!, until!) : 0n;
          if (due === null && entered[index] === null && !isExcused) return null;
          amounts[index]![line] = entered[index] ?? (isExcused ? 0n : due!);
        }
        if (amount !== null && total(amounts.map((one) => one[line]!)) !== amount) return null;
        continue;
      }
      const weights = rule === 'paidIn' ? holders.map((one) => this.#figures(one, day).called) : committed;
      const sharing = holders.flatMap((_, index) => (entered[index] === null && weights[index]! > 0n ? [index] : []));
      const left = amount! - total(entered.map((one) => one ?? 0n));
      if (left < 0n || (left > 0n && sharing.length === 0)) return null;
      const shares = inShares(
        left,
        sharing.map((index) => weights[index]!),
      );
      const takers: number[] = [];
      let free = 0n;
      for (const index of holders.keys()) {
        const share = shares[sharing.indexOf(index)] ?? 0n;
        const set = sets[index];
        if (set && 'excused' in set) free += share;
        else {
          amounts[index]![line] = entered[index] ?? share;
          byRule[index]![line] = entered[index] === null;
          if (sharing.includes(index)) takers.push(index);
        }
      }
      if (free > 0n) excused.push({ line, amount: free, weights, takers });
    }
    // What others are excused from, up to the cap and to what is unfunded after all lines.
    const isLimited = asks && own.some(({ set }) => 'excused' in set);
    const rooms = holders.map((holder, index) =>
      isLimited ? most(0n, this.#room('called', holder, day)! - total(amounts[index]!)) : null,
    );
    for (const { line, amount, weights, takers } of excused) {
      const { excuseCap } = this.#fund;
      const limits = takers.map((index) => {
        const cap = excuseCap === null ? null : (amounts[index]![line]! * excuseCap) / 10_000n;
        const room = rooms[index]!;
        return cap === null ? room : room === null ? cap : least(cap, room);
      });
      const taken = takers.map(() => 0n);
      let left = amount;
      while (left > 0n) {
        const open = takers.flatMap((_, taker) =>
          limits[taker] === null || taken[taker]! < limits[taker]! ? [taker] : [],
        );
        if (open.length === 0) break;
        const parts = inShares(
          left,
          open.map((taker) => weights[takers[taker]!]!),
        );
        for (const [index, taker] of open.entries()) {
          const free = limits[taker] === null ? parts[index]! : least(parts[index]!, limits[taker]! - taken[taker]!);
          taken[taker]! += free;
          left -= free;
        }
      }
      for (const [taker, index] of takers.entries()) {
        amounts[index]![line]! += taken[taker]!;
        if (rooms[index] !== null) rooms[index]! -= taken[taker]!;
      }
    }
    for (const [line, { taxed, rate }] of lines.entries()) {
      if (taxed === undefined) continue;
      for (const [index, { code }] of holders.entries()) {
        const set = setOf(code, line);
        const ownRate = set && 'rate' in set ? set.rate : rate!;
        amounts[index]![line] =
          set && 'amount' in set ? set.amount : nearest(amounts[index]![taxed]! * ownRate, 10_000n);
      }
    }
    return holders.map(({ code }, index) => ({ code, amounts: amounts[index]!, byRule: byRule[index]! }));
  }

  /** A cent that rounding put beyond a limit goes to whoever is furthest from it, of what a rule came to. */
  #moveCents(
    limit: 'called' | 'returned' | 'writtenOff',
    day: number,
    parts: {
      code: number;
      byRule: boolean[];
      read: (line: number) => bigint;
      move: (line: number, by: bigint) => void;
    }[],
    counted: readonly number[],
  ): void {
    const inOrder = [...parts].sort((a, b) => a.code - b.code);
    const roomOf = (code: number) => this.#room(limit, this.#holder(code), day);
    for (const giver of inOrder) {
      const holder = this.#holder(giver.code);
      const documents = BigInt(holder.calls.length + holder.paid.length + holder.lost.length);
      const room = roomOf(giver.code);
      if (room === null || -room > documents) continue;
      for (let beyond = -room; beyond > 0n; beyond -= 1n) {
        const line = counted.find((one) => giver.byRule[one] && giver.read(one) > 0n);
        if (line === undefined) break;
        const takers = inOrder.flatMap((one) => {
          const free = roomOf(one.code);
          return one.byRule[line] && free !== null && free > 0n ? [{ one, free }] : [];
        });
        const [taker] = takers.sort((a, b) => (a.free === b.free ? 0 : a.free > b.free ? -1 : 1));
        if (!taker) break;
        giver.move(line, -1n);
        taker.one.move(line, 1n);
      }
    }
  }

  #call(step: ReferenceStep & { kind: 'call' }, document: number): ReferenceProblem | null {
    const { day, dueDay, Class, lines } = step;
    const divided = this.#divide(step, true);
    if (divided === null) return 'undivided';
    const parts = divided.map(({ code, amounts, byRule }) => {
      const part: CalledPart = {
        document,
        issued: day,
        due: dueDay,
        paid: dueDay,
        moved: null,
        lines: lines.map(({ isFee = false }, index) => ({ isFee, amount: amounts[index]!, interest: 0n })),
      };
      this.#holder(code).calls.push(part);
      const move = (line: number, by: bigint) => {
        part.lines[line]!.amount += by;
      };
      return { code, byRule, part, read: (line: number) => part.lines[line]!.amount, move };
    });
    this.#moveCents('called', day, parts, [...lines.keys()]);
    this.#state.called.push({
      day,
      dueDay,
      document,
      Class,
      lines: lines.map((line, index) => ({
        line,
        paid: new Map(parts.map(({ code, part }) => [code, part.lines[index]!.amount])),
      })),
    });
    return this.#broken(['called']);
  }

  #distribute(step: ReferenceStep & { kind: 'distribution' }, document: number): ReferenceProblem | null {
    const { day, recallable } = step;
    const divided = this.#divide(step, false);
    if (divided === null) return 'undivided';
    const parts = divided.map(({ code, amounts, byRule }) => {
      this.#holder(code).paid.push({ document, day, paid: day, moved: null, recallable, lines: amounts });
      const move = (line: number, by: bigint) => {
        amounts[line]! += by;
      };
      return { code, byRule, read: (line: number) => amounts[line]!, move };
    });
    this.#moveCents('returned', day, parts, [0]);
    return this.#broken(['returned', 'writtenOff']);
  }

  #writeOff({ day, amount }: ReferenceStep & { kind: 'writeOff' }, document: number): ReferenceProblem | null {
    const holders = this.#present(day, null);
    const shares = inShares(
      amount,
      holders.map((one) => activeOn(one, day)),
    );
    const parts = holders.map((holder, index) => {
      const part: LostPart = { document, day, paid: day, moved: null, amount: shares[index]! };
      holder.lost.push(part);
      const move = (_: number, by: bigint) => {
        part.amount += by;
      };
      return { code: holder.code, byRule: [true], read: () => part.amount, move };
    });
    this.#moveCents('writtenOff', day, parts, [0]);
    return this.#broken(['writtenOff']);
  }

  // Fees

  /** The terms of a day: of the side letters, the commitment, its class, and the fund, the first that names the part. */
  #terms(code: number, day: number): { management: Management | undefined; overallCap: bigint | undefined } {
    const { Class, fees, letters } = this.#investor(code);
    const begun = <One extends { day: number }>(all: readonly One[]) =>
      all.filter((one) => one.day <= day).sort((a, b) => b.day - a.day);
    const inForce = [
      ...begun(letters).map(({ terms }) => terms),
      fees,
      ...begun(this.#fund.terms.filter((one) => one.Class === Class)).map(({ terms }) => terms),
      ...begun(this.#fund.terms.filter((one) => one.Class === null)).map(({ terms }) => terms),
    ];
    const agreed = inForce.find(({ management }) => management !== undefined)?.management;
    const overallCap = inForce.find((one) => one.overallCap !== undefined)?.overallCap;
    const { stepDown, ...fee } = agreed ?? {};
    const end = this.#fund.investmentPeriodEnd;
    const start = stepDown && (stepDown.day ?? (end === null ? null : end + 1));
    if (!stepDown || start == null || day < start) return { management: agreed && fee, overallCap };
    const { minimum, waiver, offset } = fee;
    const { day: _, ...rates } = stepDown;
    return { management: { ...rates, minimum, waiver, offset }, overallCap };
  }

  /** The management fee of an investor for some days, both included; null where it is on a value that is unknown. */
  #fee(holder: Holder, from: number, until: number): bigint | null {
    const stretches: { key: string; terms: Management; days: number[] }[] = [];
    for (let day = from; day <= until; day += 1) {
      const { management: terms = {} } = this.#terms(holder.code, day);
      const key = JSON.stringify(
        (
          ['committed', 'invested', 'interestIncome', 'assets', 'ofNetAssets', 'minimum', 'offset', 'waiver'] as const
        ).map((name) => String(terms[name] ?? 'none')),
      );
      const last = stretches.at(-1);
      if (last?.key === key) last.days.push(day);
      else stretches.push({ key, terms, days: [day] });
    }
    let owed = 0n;
    for (const { terms, days } of stretches) {
      const fee = this.#feeOfStretch(holder, terms, days);
      if (fee === null) return null;
      owed += fee;
    }
    // Fees of borrowers reduce what is owed for the whole period, at most to nothing.
    let taken = 0n;
    for (const { terms, days } of stretches) {
      for (const { day, amount } of this.#fund.borrowersFees) {
        if (terms.offset === undefined || !days.includes(day)) continue;
        const present = this.#present(day, null);
        const index = present.indexOf(holder);
        if (index < 0) continue;
        const shares = inShares(
          amount,
          present.map((one) => activeOn(one, day)),
        );
        taken += shares[index]! * terms.offset;
      }
    }
    const left = owed - least(owed, nearest(taken, 10_000n));
    const { overallCap } = this.#terms(holder.code, until);
    return overallCap === undefined ? left : least(left, overallCap);
  }

  #feeOfStretch(holder: Holder, terms: Management, days: readonly number[]): bigint | null {
    const basisOf = {
      committed: (day: number): bigint | null => activeOn(holder, day),
      invested: (day: number): bigint | null => most(0n, this.#figures(holder, day).netCapitalCalled),
      assets: (day: number): bigint | null => {
        const { nav, grossNav } = this.#figures(holder, day);
        return terms.ofNetAssets ? nav : grossNav;
      },
    };
    const lines: bigint[] = [];
    const ofDay = days.map(() => 0n);
    for (const name of ['committed', 'invested', 'assets'] as const) {
      const rate = terms[name];
      if (rate === undefined) continue;
      let sum = 0n;
      for (const [index, day] of days.entries()) {
        const basis = basisOf[name](day);
        if (basis === null) return null;
        sum += basis * rate;
        ofDay[index]! += basis * rate;
      }
      lines.push(nearest(sum, 3_650_000n));
    }
    let fee = total(lines);
    if (terms.minimum !== undefined) {
      const yearly = terms.minimum * 10_000n;
      const counted = ofDay.filter((_, index) => days[index]! >= holder.closingDay);
      const withMinimum = nearest(total(counted.map((one) => most(one, yearly))), 3_650_000n);
      if (counted.some((one) => one < yearly)) fee += most(0n, withMinimum - fee);
    }
    if (terms.interestIncome !== undefined) {
      const interest = holder.paid.filter(({ day, paid }) => day === paid && days.includes(day));
      fee += nearest(total(interest.map(({ lines: [, own = 0n] }) => own)) * terms.interestIncome, 10_000n);
    }
    return terms.waiver === undefined ? fee : fee - nearest(fee * terms.waiver, 10_000n);
  }

  // Later closings

  #interest(amount: bigint, from: number, to: number): bigint {
    const { rate, daysOfYear, compounds } = this.#fund.equalization;
    if (to <= from) return 0n;
    const days = BigInt(to - from);
    if (!compounds) return nearest(amount * rate * days, 10_000n * BigInt(daysOfYear));
    return BigInt(Math.round(Number(amount) * ((1 + Number(rate) / 10_000) ** (Number(days) / daysOfYear) - 1)));
  }

  /** What an entrant owes of a fee by terms, as if it had closed first; null if that does not follow from what it commits. */
  #feeAsIfFirst(code: number, before: bigint, added: bigint, paid: bigint, line: ReferenceLine): bigint | null {
    if (line.rule !== 'terms') return null;
    for (let day = line.from!; day <= line.until!; day += 1) {
      const { invested, interestIncome, assets, offset } = this.#terms(code, day).management ?? {};
      if (invested || interestIncome || assets || offset) return null;
    }
    const closingDay = Math.min(...this.#state.holders.map((one) => one.closingDay));
    const with_ = (committed: bigint): bigint =>
      this.#fee(
        { code, closingDay, committed, changes: [], calls: [], paid: [], lost: [], valued: [], movedValues: [] },
        line.from!,
        line.until!,
      )!;
    const { overallCap } = this.#terms(code, line.until!);
    const owed = before === 0n ? with_(added) : most(0n, with_(before + added) - with_(before));
    return overallCap === undefined ? owed : least(owed, most(0n, overallCap - paid));
  }

  #close({ day, dueDay, entrants }: ReferenceStep & { kind: 'closing' }, document: number): ReferenceProblem | null {
    const { equalization } = this.#fund;
    if (this.#state.holders.every((one) => activeOn(one, day) === 0n)) return 'nothing';
    const weightBefore = new Map(this.#state.holders.map((one) => [one.code, activeOn(one, day)]));
    const isNew = (code: number) => this.#holder(code).closingDay > day;
    const joining = new Set(entrants.filter(({ code }) => isNew(code)).map(({ code }) => code));
    const paysIn = new Map(
      entrants.map(({ code }): [number, CalledPart] => [
        code,
        { document, issued: day, due: dueDay, paid: dueDay, moved: null, lines: [] },
      ]),
    );
    const receives = new Map<number, { capital: bigint; interest: bigint }>();
    const lines = this.#state.called
      .filter((call) => call.day <= day)
      .sort((a, b) => a.dueDay - b.dueDay || a.day - b.day || a.document - b.document)
      .flatMap(({ dueDay: due, Class, lines: own }) => own.map((one) => ({ ...one, due, Class })));
    const moves: { paid: Map<number, bigint>; code: number; by: bigint }[] = [];
    for (const { line, paid, due, Class } of lines) {
      if (line.isFee && !equalization.feesFromFirstClosing) continue;
      const called = total(paid.values());
      const payers = [...paid].filter(([, amount]) => amount !== 0n).map(([code]) => code);
      const payersCommitted = total(payers.map((code) => weightBefore.get(code)!));
      const concerned = entrants.filter(({ code }) => Class === null || this.#investor(code).Class === Class);
      // An increase shares beside the commitment it increases.
      const sharing = [
        ...payers.map((code) => ({ code, weight: weightBefore.get(code)!, isEntrant: false })),
        ...(payers.length === 0 ? [] : concerned).map(({ code, amount }) => ({
          code,
          weight: amount,
          isEntrant: true,
        })),
      ]
        .filter(({ weight }) => weight > 0n)
        .sort((a, b) =>
          a.weight === b.weight
            ? a.code - b.code || Number(a.isEntrant) - Number(b.isEntrant)
            : a.weight > b.weight
              ? -1
              : 1,
        );
      const shares = inShares(
        called,
        sharing.map(({ weight }) => weight),
      );
      const owes = entrants.map(({ code, amount }) => {
        if (!concerned.some((one) => one.code === code)) return 0n;
        if (!line.isFee) return shares[sharing.findIndex((one) => one.isEntrant && one.code === code)] ?? 0n;
        if (payersCommitted === 0n) return 0n;
        const before = joining.has(code) ? 0n : weightBefore.get(code)!;
        return (
          this.#feeAsIfFirst(code, before, amount, paid.get(code) ?? 0n, line) ??
          nearest(called * amount, payersCommitted)
        );
      });
      const interests = owes.map((amount) => this.#interest(amount, due, day));
      for (const [index, { code }] of entrants.entries()) {
        paysIn.get(code)!.lines.push({
          isFee: line.isFee ?? false,
          amount: owes[index]!,
          interest: interests[index]!,
        });
        moves.push({ paid, code, by: owes[index]! });
      }
      const byPaid = payers
        .map((code) => ({ code, weight: paid.get(code)! }))
        .filter(({ code, weight }) => weight > 0n && weightBefore.has(code))
        .sort((a, b) => (a.weight === b.weight ? a.code - b.code : a.weight > b.weight ? -1 : 1));
      const weights = byPaid.map(({ weight }) => weight);
      const capital = inShares(line.isFee ? 0n : total(owes), weights);
      const interest = inShares(line.isFee && equalization.feeInterestToManager ? 0n : total(interests), weights);
      for (const [index, { code }] of byPaid.entries()) {
        const so = receives.get(code) ?? { capital: 0n, interest: 0n };
        receives.set(code, { capital: so.capital + capital[index]!, interest: so.interest + interest[index]! });
        moves.push({ paid, code, by: -capital[index]! });
      }
    }
    for (const { paid, code, by } of moves) paid.set(code, (paid.get(code) ?? 0n) + by);
    for (const { code, amount } of entrants) {
      const holder = this.#holder(code);
      if (joining.has(code)) Object.assign(holder, { closingDay: day, committed: amount });
      else holder.changes.push({ day, amount });
      const part = paysIn.get(code)!;
      if (part.lines.some((one) => one.amount !== 0n || one.interest !== 0n)) holder.calls.push(part);
    }
    this.#state.documents += 1;
    for (const [code, { capital, interest }] of receives) {
      if (capital === 0n && interest === 0n) continue;
      this.#holder(code).paid.push({
        document: document + 1,
        day: dueDay,
        paid: dueDay,
        moved: null,
        recallable: equalization.recallable,
        lines: [capital, interest, 0n, 0n, 0n],
      });
    }
    return this.#broken(['called', 'returned', 'writtenOff']);
  }

  // Transfers of an interest

  /** What is held of each earlier document on the day of a transfer, in the order in which it was paid. */
  #held<One extends Movable>(
    parts: readonly One[],
    day: number,
    dayOf: (one: One) => number,
    together: (a: One, b: One) => One,
  ): One[] {
    const first = new Map<number, One>();
    for (const part of parts) {
      if (part.moved !== null ? dayOf(part) > day : dayOf(part) >= day) continue;
      const had = first.get(part.document);
      first.set(part.document, had ? together(had, part) : structuredClone(part));
    }
    return [...first.values()].sort((a, b) => a.paid - b.paid || a.document - b.document);
  }

  #transfer({ day, from, to, share }: ReferenceStep & { kind: 'transfer' }): ReferenceProblem | null {
    const [giver, taker] = [this.#holder(from), this.#holder(to)];
    this.#state.transfers += 1;
    const transfer = this.#state.transfers;
    const before: Holder = {
      ...giver,
      calls: giver.calls.filter((one) => one.moved !== null || one.issued < day),
      paid: giver.paid.filter((one) => one.moved !== null || one.day < day),
      lost: giver.lost.filter((one) => one.moved !== null || one.day < day),
      valued: giver.valued.filter((one) => one.day < day),
    };
    const { unfunded } = this.#figures(before, day);
    const worth = this.#value(before, day);
    const calls = this.#held(
      giver.calls,
      day,
      ({ issued }) => issued,
      (a, b) => ({
        ...a,
        lines: a.lines.map((one, index) => ({
          ...one,
          amount: one.amount + b.lines[index]!.amount,
          interest: one.interest + b.lines[index]!.interest,
        })),
      }),
    );
    const paid = this.#held(
      giver.paid,
      day,
      (one) => one.day,
      (a, b) => ({ ...a, lines: a.lines.map((one, index) => one + b.lines[index]!) }),
    );
    const lost = this.#held(
      giver.lost,
      day,
      (one) => one.day,
      (a, b) => ({ ...a, amount: a.amount + b.amount }),
    );
    const isRecallable = (one: PaidPart) => this.#isRecallable({ ...one, day }, day);
    const inOrder = [...paid].sort((a, b) => Number(isRecallable(b)) - Number(isRecallable(a)));
    const [ofCalls, ofInterest] = [inTurn(share), inTurn(share)];
    const ofPaid = [0, 1, 2, 3, 4].map(() => inTurn(share));
    const movedCalls = calls.map((one) => ({
      ...one,
      moved: transfer,
      issued: day,
      due: Math.max(day, one.paid),
      lines: one.lines.map((line) => ({ ...line, amount: ofCalls(line.amount), interest: ofInterest(line.interest) })),
    }));
    const movedPaid = inOrder.map((one) => ({
      ...one,
      moved: transfer,
      day,
      lines: one.lines.map((line, index) => ofPaid[index]!(line)),
    }));
    const held = total(paid.filter(isRecallable).map(({ lines }) => lines[0]!));
    const ofLost = inTurn(share, held);
    const movedLost = lost.map((one) => ({ ...one, moved: transfer, day, amount: ofLost(one.amount) }));
    const recallable = total(movedPaid.filter((one) => isRecallable(one)).map(({ lines }) => lines[0]!));
    const committed = total(movedCalls.map(ofCall)) - recallable + shareOf(unfunded, share);
    if (committed <= 0n) return 'nothing';
    const [net, gross] = [worth.net, worth.gross].map((value) => (value === null ? null : shareOf(value, share)));
    const signed = (sign: 1n | -1n, holder: Holder) => {
      holder.changes.push({ day, amount: sign * committed });
      holder.calls.push(
        ...movedCalls.map((one) => ({
          ...one,
          lines: one.lines.map((line) => ({ ...line, amount: sign * line.amount, interest: sign * line.interest })),
        })),
      );
      holder.paid.push(...movedPaid.map((one) => ({ ...one, lines: one.lines.map((line) => sign * line) })));
      holder.lost.push(...movedLost.map((one) => ({ ...one, amount: sign * one.amount })));
      const of = (value: bigint | null | undefined) => (value == null ? null : sign * value);
      holder.movedValues.push({ transfer, day, net: of(net), gross: of(gross), valuedOn: worth.day });
    };
    signed(-1n, giver);
    signed(1n, taker);
    return this.#broken(['called', 'returned', 'writtenOff']);
  }
}
