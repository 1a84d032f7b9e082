/**
 * A second implementation of capital: it walks a fund from day to day in whole cents and imports nothing of the first
 * one. The tests compare the two, and the database with both. Slow, and simple enough to be checked by reading.
 */

/** Amounts are in cents, days in days since 1970. */
export interface ReferenceCommitment {
  readonly code: number;
  readonly closingDay: number;
  readonly committed: bigint;
  readonly changes: readonly { readonly day: number; readonly amount: bigint }[];
}

/** A document of the whole fund, or of one of its commitments. All of them are issued. */
export type ReferenceDocument =
  | {
      readonly kind: 'call';
      readonly day: number;
      readonly dueDay: number;
      readonly invested: bigint;
      readonly fee: bigint;
    }
  | {
      readonly kind: 'distribution';
      readonly day: number;
      readonly principal: bigint;
      readonly interest: bigint;
      readonly interestFees: bigint;
      readonly interestTax: bigint;
      readonly gains: bigint;
      readonly recallable: boolean;
    }
  | { readonly kind: 'writeOff'; readonly day: number; readonly amount: bigint }
  | { readonly kind: 'nav'; readonly day: number; readonly code: number; readonly gross: bigint; readonly net: bigint };

export interface ReferenceFund {
  readonly commitments: readonly ReferenceCommitment[];
  readonly nonRecyclable: { readonly day: number; readonly fromBeginning: boolean } | null;
}

/** What happened to one commitment on a day. */
type Part =
  | { kind: 'issued'; day: number; amount: bigint }
  | { kind: 'due'; day: number; amount: bigint; withoutFees: bigint }
  | { kind: 'paid'; day: number; principal: bigint; net: bigint; gross: bigint; recallable: boolean }
  | { kind: 'lost'; day: number; amount: bigint }
  | { kind: 'valued'; day: number; gross: bigint; net: bigint };

/** The figures of a commitment at the end of a day. */
export interface ReferenceFigures {
  active: bigint;
  called: bigint;
  unfunded: bigint;
  recallable: bigint;
  writtenOff: bigint;
  netCapitalCalled: bigint;
  distributed: bigint;
  /** Principal paid back, recallable or not. */
  returned: bigint;
  /** Null if it is unknown. */
  nav: { net: bigint; gross: bigint; day: number | null } | null;
}

/** Documents whose parts have a limit. */
type LimitedKind = Exclude<ReferenceDocument['kind'], 'nav'>;

export type ReferenceLimit = 'called' | 'returned' | 'writtenOff';

const committedOn = ({ closingDay, committed, changes }: ReferenceCommitment, day: number): bigint => {
  if (day < closingDay) return 0n;
  let active = committed;
  for (const change of changes) if (change.day <= day) active += change.amount;
  return active;
};

/** Whole cents in proportion to the weights, rounded down, and one more cent for the largest remainders. */
export function referenceShares(
  amount: bigint,
  holders: readonly { code: number; weight: bigint }[],
): Map<number, bigint> {
  const whole = holders.reduce((total, { weight }) => total + weight, 0n);
  const shares = holders
    .filter(({ weight }) => weight > 0n)
    .map(({ code, weight }) => ({ code, weight, cents: (amount * weight) / whole, rest: (amount * weight) % whole }));
  const left = amount - shares.reduce((total, { cents }) => total + cents, 0n);
  const next = [...shares].sort((a, b) => {
    if (a.rest !== b.rest) return a.rest > b.rest ? -1 : 1;
    if (a.weight !== b.weight) return a.weight > b.weight ? -1 : 1;
    return a.code - b.code;
  });
  for (const share of next.slice(0, Number(left))) share.cents += 1n;
  return new Map(shares.map(({ code, cents }) => [code, cents]));
}

/** A fund to which documents are issued one after the other. What cannot be is refused and changes nothing. */
export class ReferenceWorld {
  readonly #fund: ReferenceFund;
  readonly #parts: ReadonlyMap<number, Part[]>;

  constructor(fund: ReferenceFund) {
    this.#fund = fund;
    this.#parts = new Map(fund.commitments.map(({ code }) => [code, []]));
  }

  /** @returns the limit that the document goes beyond for some investor; null if it was issued */
  issue(document: ReferenceDocument): ReferenceLimit | null {
    const added = this.#split(document);
    for (const [code, parts] of added) this.#parts.get(code)!.push(...parts);
    if (document.kind !== 'nav') this.#moveCents(document.kind, document.day, added);
    const broken = this.#broken(document.kind);
    if (broken !== null) {
      for (const [code, parts] of added) {
        const own = this.#parts.get(code)!;
        own.length -= parts.length;
      }
    }
    return broken;
  }

  /**
   * How many cents a commitment is from the limit of a kind of document, on the closest day from that of the document on;
   * null if it has no such day.
   */
  #room(kind: LimitedKind, from: number, commitment: ReferenceCommitment): bigint | null {
    const parts = this.#parts.get(commitment.code)!;
    const rooms: bigint[] = [];
    for (const { day, figures } of this.#walk(commitment)) {
      if (day < from) continue;
      if (kind === 'call') rooms.push(figures.unfunded);
      else if (kind === 'distribution') {
        if (parts.some((part) => part.kind === 'paid' && part.day === day))
          rooms.push(figures.called - figures.returned);
      } else if (parts.some((part) => (part.kind === 'paid' || part.kind === 'lost') && part.day === day))
        rooms.push(figures.netCapitalCalled);
    }
    return rooms.length === 0 ? null : rooms.sort((a, b) => (a < b ? -1 : 1))[0]!;
  }

  /** A cent that rounding alone put beyond the limit goes to whoever is furthest from it. */
  #moveCents(kind: LimitedKind, from: number, added: Map<number, Part[]>): void {
    const own = this.#fund.commitments.filter(({ code }) => added.has(code));
    const move = (code: number, cents: bigint, ofFees: boolean): void => {
      for (const part of added.get(code)!) {
        if (part.kind === 'paid') {
          part.principal += cents;
          part.gross += cents;
          part.net += cents;
        } else if (part.kind !== 'valued') part.amount += cents;
        if (part.kind === 'due' && !ofFees) part.withoutFees += cents;
      }
    };
    for (const giver of own) {
      const room = this.#room(kind, from, giver);
      const documents = this.#parts.get(giver.code)!.filter((part) => part.kind !== 'due' && part.kind !== 'valued');
      if (room === null || room >= 0n || -room > BigInt(documents.length)) continue;
      for (let left = -room; left > 0n; left -= 1n) {
        const rooms = own.flatMap((one) => {
          const free = this.#room(kind, from, one);
          return free !== null && free > 0n ? [{ code: one.code, free }] : [];
        });
        const [taker] = rooms.sort((a, b) => (a.free === b.free ? 0 : a.free > b.free ? -1 : 1));
        const given = added.get(giver.code)!.at(-1)!;
        const amount = given.kind === 'paid' ? given.principal : given.kind === 'valued' ? 0n : given.amount;
        if (!taker || amount === 0n) break;
        // Of a call, what is invested first.
        const ofFees = given.kind === 'due' && given.withoutFees === 0n;
        move(giver.code, -1n, ofFees);
        move(taker.code, 1n, ofFees);
      }
    }
  }

  #split(document: ReferenceDocument): Map<number, Part[]> {
    if (document.kind === 'nav') {
      const { day, gross, net, code } = document;
      return new Map([[code, [{ kind: 'valued', day, gross, net }]]]);
    }
    const { day } = document;
    const holders = this.#fund.commitments.map((one) => ({ code: one.code, weight: committedOn(one, day) }));
    const share = (amount: bigint) => referenceShares(amount, holders);
    const parts = new Map<number, Part[]>();
    for (const { code, weight } of holders) {
      if (weight === 0n) continue;
      const of = (amount: bigint): bigint => share(amount).get(code) ?? 0n;
      if (document.kind === 'call') {
        const [invested, fee] = [of(document.invested), of(document.fee)];
        parts.set(code, [
          { kind: 'issued', day, amount: invested + fee },
          { kind: 'due', day: document.dueDay, amount: invested + fee, withoutFees: invested },
        ]);
      } else if (document.kind === 'writeOff') {
        parts.set(code, [{ kind: 'lost', day, amount: of(document.amount) }]);
      } else {
        const [principal, interest, gains] = [of(document.principal), of(document.interest), of(document.gains)];
        const costs = of(document.interestFees) + of(document.interestTax);
        const gross = principal + interest + gains;
        const { recallable } = document;
        parts.set(code, [{ kind: 'paid', day, principal, gross, net: gross - costs, recallable }]);
      }
    }
    return parts;
  }

  /** Every day from the first to the last on which anything happens is looked at. */
  #broken(kind: ReferenceDocument['kind']): ReferenceLimit | null {
    const found = new Set<ReferenceLimit>();
    for (const commitment of this.#fund.commitments) {
      for (const { figures } of this.#walk(commitment)) {
        if (kind === 'call' && (figures.unfunded < 0n || figures.unfunded > figures.active)) found.add('called');
        if (kind === 'distribution' && figures.returned > figures.called) found.add('returned');
        if (kind !== 'call' && kind !== 'nav' && figures.netCapitalCalled < 0n) found.add('writtenOff');
      }
    }
    return (['called', 'returned', 'writtenOff'] as const).find((limit) => found.has(limit)) ?? null;
  }

  *#walk(commitment: ReferenceCommitment): Generator<{ day: number; figures: ReferenceFigures }> {
    const parts = this.#parts.get(commitment.code)!;
    const { nonRecyclable } = this.#fund;
    const days = [
      commitment.closingDay,
      ...commitment.changes.map(({ day }) => day),
      ...parts.map(({ day }) => day),
      ...(nonRecyclable ? [nonRecyclable.day] : []),
    ];
    const [from, to] = [Math.min(...days), Math.max(...days)];
    let [issued, called, recallable, writtenOff, distributed, returned] = [0n, 0n, 0n, 0n, 0n, 0n];
    let nav: ReferenceFigures['nav'] = null;
    const move = (amount: bigint): void => {
      if (nav) nav = { ...nav, net: nav.net + amount, gross: nav.gross + amount };
    };
    for (let day = from; day <= to; day += 1) {
      const today = parts.filter((part) => part.day === day);
      if (nonRecyclable?.fromBeginning && day === nonRecyclable.day) recallable = 0n;
      for (const part of today) {
        if (part.kind === 'issued') issued += part.amount;
        if (part.kind === 'due') {
          called += part.amount;
          move(part.amount);
        }
        if (part.kind === 'paid') {
          distributed += part.net;
          returned += part.principal;
          if (part.recallable && (!nonRecyclable || day < nonRecyclable.day)) recallable += part.principal;
          move(-part.net);
        }
        if (part.kind === 'lost') {
          writtenOff += part.amount;
          move(-part.amount);
        }
      }
      // The value of a day includes what happened on it.
      for (const part of today) if (part.kind === 'valued') nav = { net: part.net, gross: part.gross, day };
      const active = committedOn(commitment, day);
      const unfunded = active - issued + recallable;
      const netCapitalCalled = called - recallable - writtenOff;
      const known = nav ?? (called === 0n ? { net: 0n, gross: 0n, day: null } : null);
      yield {
        day,
        figures: {
          active,
          called,
          unfunded,
          recallable,
          writtenOff,
          netCapitalCalled,
          distributed,
          returned,
          nav: known,
        },
      };
    }
  }

  /** The figures of a commitment at the end of a day. */
  figures(code: number, at: number): ReferenceFigures {
    const commitment = this.#fund.commitments.find((one) => one.code === code)!;
    let last: ReferenceFigures = {
      active: 0n,
      called: 0n,
      unfunded: 0n,
      recallable: 0n,
      writtenOff: 0n,
      netCapitalCalled: 0n,
      distributed: 0n,
      returned: 0n,
      nav: { net: 0n, gross: 0n, day: null },
    };
    for (const { day, figures } of this.#walk(commitment)) if (day <= at) last = figures;
    return last;
  }

  /** Which of the commitments that are closed by a day have a value, and what the known ones are worth together. */
  value(at: number): { net: bigint; gross: bigint; day: number | null; missing: number[] } {
    const closed = this.#fund.commitments.filter(({ closingDay }) => closingDay <= at);
    const total = { net: 0n, gross: 0n, day: null as number | null, missing: [] as number[] };
    for (const { code } of closed) {
      const { nav } = this.figures(code, at);
      if (!nav) {
        total.missing.push(code);
        continue;
      }
      total.net += nav.net;
      total.gross += nav.gross;
      if (nav.day !== null && (total.day === null || nav.day < total.day)) total.day = nav.day;
    }
    return total;
  }

  /**
   * What the fund's investors paid (below zero) and received until a day, with its value on that day, discounted at a
   * yearly rate to the first of the days, in cents. Zero at the internal rate of return.
   */
  presentValue(rate: number, at: number, side: 'gross' | 'net', codes: readonly number[]): number {
    const flows = codes.flatMap((code) =>
      this.#parts.get(code)!.flatMap((part): { day: number; amount: bigint }[] => {
        if (part.day > at) return [];
        if (part.kind === 'due') return [{ day: part.day, amount: -(side === 'net' ? part.amount : part.withoutFees) }];
        if (part.kind === 'paid') return [{ day: part.day, amount: side === 'net' ? part.net : part.gross }];
        return [];
      }),
    );
    for (const code of codes) flows.push({ day: at, amount: this.figures(code, at).nav?.[side] ?? 0n });
    const counted = flows.filter(({ amount }) => amount !== 0n);
    const first = Math.min(...counted.map(({ day }) => day));
    return counted.reduce((total, { day, amount }) => total + Number(amount) / (1 + rate) ** ((day - first) / 365), 0);
  }
}
