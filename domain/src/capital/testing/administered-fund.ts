import { type CalledLine, type Entrant, equalize } from '../../closings/equalize.ts';
import { feeAsIfFirst } from '../../closings/fee-as-if-first.ts';
import { activeCommitmentAt } from '../../commitments/active-commitment.ts';
import { type CalendarDate, fromEpochDay } from '../../dates/calendar-date.ts';
import { type AgreedTerms, agreedTerms } from '../../funds/fee-terms.ts';
import type { CommitmentFees, FeeTerms } from '../../funds/fees.schema.ts';
import { add, type DecimalText, fromScaled, isZero, negate, round, subtract, toScaled } from '../../money/decimal.ts';
import { type CapitalLedger, capitalFigures } from '../capital-figures.ts';
import { CAPITAL_LIMITS, type CapitalLimit, capitalBreaches, roomWithin } from '../capital-limits.ts';
import { managementFeesOf, sharesOfFees } from '../investor-fees.ts';
import { type DividedInvestor, type DividedLine, divideLines, isByRule } from '../line-split.ts';
import { type LimitedSplit, roundedWithin, splitLines } from '../split.ts';
import { transferInterest, withTransferred } from '../transferred-interest.ts';
import type {
  AdministeredFund,
  ReferenceFeeTerms,
  ReferenceOwn,
  ReferenceProblem,
  ReferenceRates,
  ReferenceStep,
} from './administered-reference.ts';

const DIGITS = 2;
const text = (cents: bigint): DecimalText => fromScaled(cents, DIGITS);
const cents = (value: DecimalText): bigint => toScaled(round(value, DIGITS), DIGITS);
const percent = (rate: bigint | undefined): number | undefined => (rate === undefined ? undefined : Number(rate) / 100);
const day = fromEpochDay;

const ratesOf = ({ committed, invested, interestIncome, assets, ofNetAssets }: ReferenceRates) => ({
  committed: percent(committed),
  invested: percent(invested),
  interestIncome: percent(interestIncome),
  assets: percent(assets),
  ...(ofNetAssets === undefined ? {} : { assetsBasis: ofNetAssets ? ('net' as const) : ('gross' as const) }),
});

function termsOf({ management, overallCap }: ReferenceFeeTerms): FeeTerms {
  return {
    ...(management && {
      management: {
        ...ratesOf(management),
        minimum: management.minimum === undefined ? undefined : text(management.minimum),
        waiver: percent(management.waiver),
        offset: percent(management.offset),
        ...(management.stepDown && {
          stepDown: {
            ...ratesOf(management.stepDown),
            ...(management.stepDown.day === null ? {} : { from: day(management.stepDown.day) }),
          },
        }),
      },
    }),
    ...(overallCap === undefined ? {} : { overallCap: text(overallCap) }),
  };
}

type Step<Kind extends ReferenceStep['kind']> = Extract<ReferenceStep, { kind: Kind }>;

interface Transfer {
  readonly from: number;
  readonly to: number;
  readonly date: CalendarDate;
  readonly sharePercent: DecimalText;
}

/** What one investor has of a document that is being divided. */
interface Part {
  readonly code: number;
  readonly ledger: CapitalLedger;
  readonly amounts: readonly DecimalText[];
  readonly isRounded?: readonly boolean[];
}

/** A call that later closings divide again. */
interface IssuedCall {
  readonly id: string;
  readonly cutOffDate: CalendarDate;
  readonly dueDate: CalendarDate;
  readonly Class: string | null;
  readonly lines: { line: Step<'call'>['lines'][number]; paid: Map<string, DecimalText> }[];
}

interface State {
  /** Without what transfers moved. */
  readonly own: ReadonlyMap<number, CapitalLedger>;
  readonly transfers: readonly Transfer[];
  readonly calls: readonly IssuedCall[];
}

const LIMITS: Readonly<Record<ReferenceStep['kind'], readonly CapitalLimit[]>> = {
  call: ['called'],
  distribution: ['returned', 'writtenOff'],
  writeOff: ['writtenOff'],
  nav: [],
  closing: CAPITAL_LIMITS,
  transfer: CAPITAL_LIMITS,
};

/** The product's arithmetic put together as its operations do, without a database: a step that cannot be changes nothing. */
export class AdministeredProduct {
  readonly #fund: AdministeredFund;
  readonly #agreed: ReadonlyMap<number, AgreedTerms>;
  #state: State;
  #documents = 0;
  #notCalled: readonly DecimalText[] = [];
  /** The last call, distribution or write-off that could be divided, also if it was refused for a limit. */
  issued: {
    readonly parts: readonly { code: number; amounts: readonly DecimalText[] }[];
    readonly notCalled: readonly DecimalText[];
  } = { parts: [], notCalled: [] };

  constructor(fund: AdministeredFund) {
    this.#fund = fund;
    const { nonRecyclable } = fund;
    const own = fund.investors.map(({ code, closingDay, committed }): [number, CapitalLedger] => [
      code,
      {
        commitment: { closingDate: day(closingDay), activeCommitment: text(committed), deltas: [] },
        calls: [],
        distributions: [],
        writeOffs: [],
        navs: [],
        nonRecyclable: nonRecyclable && {
          declerationDate: day(nonRecyclable.day),
          fromBeginning: nonRecyclable.fromBeginning,
        },
      },
    ]);
    this.#state = { own: new Map(own), transfers: [], calls: [] };
    const fundTerms = fund.terms.map(({ Class, day: from, terms }) => ({
      Class,
      from: day(from),
      terms: termsOf(terms),
    }));
    this.#agreed = new Map(
      fund.investors.map(({ code, Class, fees, letters }) => [
        code,
        agreedTerms({
          fundTerms,
          investmentPeriodEnd: fund.investmentPeriodEnd === null ? null : day(fund.investmentPeriodEnd),
          Class,
          // Fees of a commitment have no more parts than these.
          fees: termsOf(fees) as CommitmentFees,
          sideLetters: letters.map((letter) => ({ from: day(letter.day), terms: termsOf(letter.terms) })),
        }),
      ]),
    );
  }

  /** The codes of those with a commitment on a day. */
  present(at: number, Class: string | null): number[] {
    const investors = this.#weights(day(at), Class, this.ledgers());
    return investors.flatMap(({ code, weight }) => (isZero(weight) ? [] : [code]));
  }

  /** The ledgers with what transfers moved. */
  ledgers({ own, transfers }: State = this.#state): Map<number, CapitalLedger> {
    const held = new Map(own);
    for (const [index, { from, to, ...terms }] of transfers.entries()) {
      const [giver, taker] = [held.get(from)!, held.get(to)!];
      const transfer = { id: `t${index}`, price: null, digits: DIGITS, ...terms };
      const { given, received } = transferInterest(giver, taker, transfer);
      held.set(from, withTransferred(giver, given));
      held.set(to, withTransferred(taker, received));
    }
    return held;
  }

  /** @returns why it cannot be; null if it was done */
  take(step: ReferenceStep): ReferenceProblem | null {
    this.#documents += 1;
    const after = this.#after(step);
    if (typeof after === 'string') return after;
    const ledgers = [...this.ledgers(after).values()];
    const found = new Set(ledgers.flatMap((one) => capitalBreaches(one, LIMITS[step.kind])).map(({ limit }) => limit));
    const broken = LIMITS[step.kind].find((limit) => found.has(limit));
    if (broken !== undefined) return broken;
    this.#state = after;
    return null;
  }

  #put(
    own: ReadonlyMap<number, CapitalLedger>,
    code: number,
    change: (ledger: CapitalLedger) => Partial<CapitalLedger>,
  ) {
    const ledger = own.get(code)!;
    return new Map([...own, [code, { ...ledger, ...change(ledger) }]]);
  }

  #after(step: ReferenceStep): State | ReferenceProblem {
    if (step.kind === 'nav') {
      const nav = { cutOffDate: day(step.day), gross: text(step.gross), net: text(step.net) };
      return { ...this.#state, own: this.#put(this.#state.own, step.code, ({ navs }) => ({ navs: [...navs, nav] })) };
    }
    if (step.kind === 'closing') return this.#close(step);
    if (step.kind === 'transfer') return this.#transfer(step);
    const id = `d${String(this.#documents).padStart(4, '0')}`;
    const limited = this.#limited(step, id);
    this.#notCalled = [];
    const parts = step.kind === 'writeOff' ? this.#split(step) : this.#divide(step, limited);
    if (parts === null) return 'undivided';
    const rounded = roundedWithin(parts, DIGITS, limited);
    this.issued = { parts: rounded, notCalled: this.#notCalled };
    let { own } = this.#state;
    for (const { code, amounts } of rounded)
      own = this.#put(own, code, (ledger) => limited.withDocument(ledger, amounts));
    if (step.kind !== 'call') return { ...this.#state, own };
    const call: IssuedCall = {
      id,
      cutOffDate: day(step.day),
      dueDate: day(step.dueDay),
      Class: step.Class,
      lines: step.lines.map((line, index) => ({
        line,
        paid: new Map(rounded.map(({ code, amounts }) => [String(code), amounts[index]!])),
      })),
    };
    return { ...this.#state, own, calls: [...this.#state.calls, call] };
  }

  #limited(step: Step<'call' | 'distribution' | 'writeOff'>, id: string): LimitedSplit {
    const cutOffDate = day(step.day);
    if (step.kind === 'writeOff') {
      return {
        limit: 'writtenOff',
        from: cutOffDate,
        counted: [0],
        withDocument: (ledger, [amount = '0']) => ({
          ...ledger,
          writeOffs: [...ledger.writeOffs, { id, cutOffDate, amount }],
        }),
      };
    }
    if (step.kind === 'call') {
      const dueDate = day(step.dueDay);
      return {
        limit: 'called',
        from: cutOffDate,
        counted: [...step.lines.keys()],
        withDocument(ledger, amounts) {
          const purposes = step.lines.map(({ isFee }, index) => ({
            kind: isFee ? ('managementFee' as const) : ('investments' as const),
            amount: amounts[index]!,
          }));
          return { ...ledger, calls: [...ledger.calls, { id, cutOffDate, dueDate, purposes }] };
        },
      };
    }
    const { recallable } = step;
    const types = ['INTEREST', 'CG', 'INTEREST TAX', 'CG TAX'] as const;
    return {
      limit: 'returned',
      from: cutOffDate,
      counted: [0],
      withDocument(ledger, [principal = '0', ...amounts]) {
        const components = types.map((actionType, index) => ({ actionType, amount: amounts[index]! }));
        const { distributions } = ledger;
        return { ...ledger, distributions: [...distributions, { id, cutOffDate, principal, components, recallable }] };
      },
    };
  }

  #weights(date: CalendarDate, Class: string | null, ledgers: ReadonlyMap<number, CapitalLedger>) {
    return [...ledgers].flatMap(([code, ledger]) => {
      const isOf = Class === null || this.#fund.investors.find((one) => one.code === code)!.Class === Class;
      // A transfer is a change of both commitments, which the state holds.
      return isOf ? [{ id: String(code), code, weight: activeCommitmentAt(ledger.commitment, date), ledger }] : [];
    });
  }

  #split({ day: at, amount }: Step<'writeOff'>): Part[] {
    const investors = this.#weights(day(at), null, this.ledgers());
    const split = splitLines([text(amount)], investors, DIGITS);
    return investors.flatMap(({ id, code, ledger }) => {
      const amounts = split.get(id);
      return amounts ? [{ code, ledger, amounts }] : [];
    });
  }

  #divide({ day: at, Class, lines, own }: Step<'call' | 'distribution'>, limited: LimitedSplit): Part[] | null {
    const date = day(at);
    const all = this.#weights(date, Class, this.ledgers());
    const setOf = ({ set }: ReferenceOwn) =>
      'amount' in set
        ? { amount: text(set.amount) }
        : 'rate' in set
          ? { ratePercent: fromScaled(set.rate, 2) }
          : { excused: true as const };
    const divided = lines.map(
      ({ rule, amount, from, until, rate, taxed }): DividedLine => ({
        rule,
        amount: amount === null ? null : text(amount),
        ...(from !== undefined && until !== undefined ? { days: { from: day(from), until: day(until) } } : {}),
        ...(taxed === undefined ? {} : { taxed: [taxed], ratePercent: fromScaled(rate!, 2) }),
      }),
    );
    const isSpread = own.some(({ set }) => 'excused' in set);
    const nothing = lines.map(() => '0');
    const investors = all.map(
      ({ ledger, ...one }): DividedInvestor => ({
        ...one,
        paidIn: capitalFigures(ledger, date).called,
        owed: lines.map(({ rule, taxed, from, until }) =>
          rule === 'terms' && taxed === undefined ? this.feeOf(one.code, ledger, from!, until!) : null,
        ),
        own: lines.map((_, line) => {
          const found = own.find((entry) => entry.code === one.code && entry.line === line);
          return found ? setOf(found) : null;
        }),
        room: isSpread ? roomWithin(limited.limit, limited.withDocument(ledger, nothing), date) : null,
      }),
    );
    const { excuseCap } = this.#fund;
    const capPercent = excuseCap === null ? null : fromScaled(excuseCap, 2);
    const { parts, problems, notCalled } = divideLines(divided, investors, { digits: DIGITS, capPercent });
    if (problems.length > 0) return null;
    this.#notCalled = notCalled;
    return all.flatMap(({ id, code, ledger }) => {
      const part = parts.get(id);
      return part ? [{ code, ledger, amounts: part.amounts, isRounded: part.basis.map(isByRule) }] : [];
    });
  }

  /** The management fee of an investor for some days, both included. */
  feeOf(code: number, ledger: CapitalLedger, from: number, until: number): DecimalText | null {
    const days = this.#fund.borrowersFees.flatMap(({ day: at, amount }) => {
      const weights = this.#weights(day(at), null, this.ledgers());
      if (at < from || at > until || weights.every(({ weight }) => isZero(weight))) return [];
      return [{ date: day(at), split: splitLines([text(amount)], weights, DIGITS) }];
    });
    const period = { from: day(from), to: day(until + 1) };
    const shares = sharesOfFees(days).get(String(code)) ?? [];
    return managementFeesOf(ledger, this.#agreed.get(code)!, period, DIGITS, shares).amount;
  }

  #close({ day: at, dueDay, entrants }: Step<'closing'>): State | ReferenceProblem {
    const closingDate = day(at);
    const dueDate = day(dueDay);
    const { rate, daysOfYear, compounds, ...terms } = this.#fund.equalization;
    const earlier = this.#weights(closingDate, null, this.ledgers()).filter(
      ({ ledger }) => ledger.commitment.closingDate <= closingDate,
    );
    if (earlier.every(({ weight }) => isZero(weight))) return 'nothing';
    const known = new Set(earlier.map(({ code }) => code));
    const [firstClosing] = [...this.ledgers().values()].map(({ commitment }) => commitment.closingDate).sort();
    const entering = entrants.map(
      ({ code, amount }): Entrant => ({
        id: known.has(code) ? `${code}+` : String(code),
        code,
        weight: text(amount),
        increases: known.has(code) ? String(code) : null,
      }),
    );
    const called = this.#state.calls
      .filter(({ cutOffDate }) => cutOffDate <= closingDate)
      .toSorted(
        (a, b) =>
          a.dueDate.localeCompare(b.dueDate) || a.cutOffDate.localeCompare(b.cutOffDate) || a.id.localeCompare(b.id),
      )
      .flatMap((call) => call.lines.map(({ line, paid }, index) => ({ call, line, paid, index })))
      .filter(({ line }) => !line.isFee || terms.feesFromFirstClosing);
    const lines = called.map(({ call, line, paid }): CalledLine => {
      const concerned = entering.filter(
        ({ code }) =>
          call.Class === null || this.#fund.investors.find((one) => one.code === code)!.Class === call.Class,
      );
      const owed = concerned.flatMap(({ id, code, weight, increases }) => {
        if (line.rule !== 'terms') return [];
        const amount = feeAsIfFirst(
          {
            before: increases === null ? '0' : earlier.find((one) => one.code === code)!.weight,
            added: weight,
            paid: increases === null ? '0' : (paid.get(increases) ?? '0'),
            firstClosing: firstClosing!,
          },
          this.#agreed.get(code)!,
          { from: day(line.from!), until: day(line.until!) },
          DIGITS,
        );
        return amount === null ? [] : [[id, amount] as const];
      });
      return {
        call: call.id,
        callNumber: call.id,
        title: call.id,
        kind: line.isFee ? 'managementFee' : 'investments',
        dueDate: call.dueDate,
        paid,
        owed: new Map(owed),
        concerns: concerned.map(({ id }) => id),
      };
    });
    const equalized = equalize({
      lines,
      earlier,
      entrants: entering,
      terms: {
        ratePercent: fromScaled(rate, 2),
        dayCount: daysOfYear === 360 ? 'ACT/360' : 'ACT/365F',
        compounding: compounds ? 'yearly' : 'simple',
        feeInterestTo: terms.feeInterestToManager ? 'manager' : 'investors',
        ...terms,
      },
      closingDate,
      digits: DIGITS,
    });
    let { own } = this.#state;
    for (const { id, code, weight, increases } of entering) {
      const parts = equalized.lines.map((line) => line.entrants.find((part) => part.id === id)!);
      const purposes = parts.map(({ amount, interest }, index) => ({ kind: lines[index]!.kind, amount, interest }));
      const isPaying = parts.some(({ amount, interest }) => !isZero(amount) || !isZero(interest));
      const call = { id: `d${String(this.#documents).padStart(4, '0')}`, cutOffDate: closingDate, dueDate, purposes };
      own = this.#put(own, code, ({ commitment, calls }) => ({
        commitment:
          increases === null
            ? { closingDate, activeCommitment: weight, deltas: [] }
            : { ...commitment, deltas: [...commitment.deltas, { date: closingDate, amount: weight }] },
        calls: isPaying ? [...calls, call] : calls,
      }));
    }
    for (const { code, id } of earlier) {
      const receives = equalized.positions.find((one) => one.id === id)?.receives;
      if (!receives) continue;
      const { capital, interest } = receives;
      if (isZero(capital) && isZero(interest)) continue;
      own = this.#put(own, code, ({ distributions }) => ({
        distributions: [
          ...distributions,
          {
            id: `d${String(this.#documents).padStart(4, '0')}r`,
            cutOffDate: dueDate,
            principal: capital,
            components: [{ actionType: 'INTEREST', amount: interest }],
            recallable: terms.recallable,
          },
        ],
      }));
    }
    const moved = new Map(called.map(({ paid }, index) => [paid, equalized.lines[index]!]));
    const calls = this.#state.calls.map((call) => ({
      ...call,
      lines: call.lines.map(({ line, paid }) => {
        const after = new Map(paid);
        const move = (code: string, amount: DecimalText) => after.set(code, add(after.get(code) ?? '0', amount));
        for (const { id, amount } of moved.get(paid)?.entrants ?? []) move(id.replace('+', ''), amount);
        for (const { id, amount } of moved.get(paid)?.refunds ?? []) move(id, negate(amount));
        return { line, paid: after };
      }),
    }));
    return { ...this.#state, own, calls };
  }

  #transfer({ day: at, from, to, share }: Step<'transfer'>): State | ReferenceProblem {
    const date = day(at);
    const ledgers = this.ledgers();
    const transfer = { from, to, date, sharePercent: fromScaled(share, 8) };
    const { commitment } = transferInterest(ledgers.get(from)!, ledgers.get(to)!, {
      id: `t${this.#state.transfers.length}`,
      price: null,
      digits: DIGITS,
      date,
      sharePercent: transfer.sharePercent,
    });
    if (cents(commitment) <= 0n) return 'nothing';
    let { own } = this.#state;
    for (const [code, amount] of [
      [from, subtract('0', commitment)],
      [to, commitment],
    ] as const) {
      own = this.#put(own, code, (ledger) => ({
        commitment: { ...ledger.commitment, deltas: [...ledger.commitment.deltas, { date, amount }] },
      }));
    }
    return { ...this.#state, own, transfers: [...this.#state.transfers, transfer] };
  }
}
