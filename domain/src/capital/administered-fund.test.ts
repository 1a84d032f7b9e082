import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CalendarDate, fromEpochDay, toEpochDay } from '../dates/calendar-date.ts';
import { add, compare, type DecimalText, isNegative, round, subtract, sum, toScaled } from '../money/decimal.ts';
import { type CapitalLedger, callAmount, capitalFigures, capitalFlows, totalFigures } from './capital-figures.ts';
import { AdministeredProduct } from './testing/administered-fund.ts';
import { type AdministeredFund, AdministeredWorld, type ReferenceStep } from './testing/administered-reference.ts';
import { administeredWorlds, FIRST_OF_WORLD, LAST_OF_WORLD, ofPresent } from './testing/administered-worlds.ts';

const RUNS = Number(process.env.FC_RUNS ?? 25);
const cents = (value: DecimalText) => toScaled(round(value, 2), 2);

/** What an investor paid and received by day, without what adds up to nothing. */
function flowsOf(ledger: CapitalLedger, at: CalendarDate): Map<number, bigint> {
  const flows = new Map<number, bigint>();
  for (const { when, amount } of capitalFlows(ledger, at, 'net')) {
    const paid = toEpochDay(when);
    flows.set(paid, (flows.get(paid) ?? 0n) + cents(amount));
  }
  return new Map([...flows].filter(([, amount]) => amount !== 0n));
}

function figuresOf(ledger: CapitalLedger, at: CalendarDate) {
  const found = capitalFigures(ledger, at);
  return {
    active: cents(found.activeCommitment),
    called: cents(found.called),
    unfunded: cents(found.unfunded),
    recallable: cents(found.recallableCapital),
    writtenOff: cents(found.writtenOff),
    netCapitalCalled: cents(found.netCapitalCalled),
    distributed: cents(found.distributed),
    nav: found.nav === null ? null : cents(found.nav),
    grossNav: found.grossNav === null ? null : cents(found.grossNav),
    navDay: found.navDate === null ? null : toEpochDay(found.navDate),
  };
}

interface Watch {
  readonly before?: (product: AdministeredProduct) => void;
  readonly after?: (product: AdministeredProduct, step: ReferenceStep, isDone: boolean) => void;
}

/** Takes the steps that somebody has a part in. */
function takeAll(fund: AdministeredFund, steps: readonly ReferenceStep[], { before, after }: Watch = {}) {
  const product = new AdministeredProduct(fund);
  for (const entered of steps) {
    const step = ofPresent(entered, (day, Class) => product.present(day, Class));
    if (step === null) continue;
    before?.(product);
    const isDone = product.take(step) === null;
    after?.(product, step, isDone);
  }
  return product;
}

/** Every day on which something of a ledger changes. */
const daysOf = ({ commitment, calls, distributions, writeOffs, nonRecyclable }: CapitalLedger): CalendarDate[] => [
  ...new Set([
    commitment.closingDate,
    ...commitment.deltas.map(({ date }) => date),
    ...calls.flatMap(({ cutOffDate, dueDate }) => [cutOffDate, dueDate]),
    ...[...distributions, ...writeOffs].map(({ cutOffDate }) => cutOffDate),
    ...(nonRecyclable ? [nonRecyclable.declerationDate] : []),
  ]),
];

describe('a fund that is administered with all there is', () => {
  test('is refused what the reference refuses, and has its figures on any day', () => {
    const tally = new Map<string, number>();
    const asOf = fc.array(fc.integer({ min: FIRST_OF_WORLD, max: LAST_OF_WORLD + 60 }), { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(administeredWorlds, asOf, ({ fund, steps }, days) => {
        const world = new AdministeredWorld(fund);
        const product = new AdministeredProduct(fund);
        const compareOn = (day: number): void => {
          const at = fromEpochDay(day);
          for (const [code, ledger] of product.ledgers()) {
            expect({ code, ...figuresOf(ledger, at) }).toEqual({ code, ...world.figures(code, day) });
            expect(flowsOf(ledger, at)).toEqual(world.flows(code, day));
          }
        };
        for (const entered of steps) {
          const step = ofPresent(entered, (day, Class) => world.present(day, Class));
          if (step === null) continue;
          const problem = world.take(step);
          expect(product.take(step)).toBe(problem);
          const name = `${step.kind}${problem === null ? '' : ' refused'}`;
          tally.set(name, (tally.get(name) ?? 0) + 1);
          compareOn(step.day);
        }
        for (const day of days) compareOn(day);
      }),
      { numRuns: RUNS },
    );
    const counts = [...tally].sort().map(([name, count]) => `${name} ${count}`);
    console.info(`${RUNS} administered funds: ${counts.join(', ')}; 0 differences`);
    // A few funds may be without what is rarer.
    const isRare = (kind: string) => (tally.get(kind) ?? 0) < RUNS / 10;
    const kinds = ['call', 'call refused', ...(RUNS < 100 ? [] : ['distribution', 'closing', 'transfer'])];
    expect(kinds.filter(isRare)).toEqual([]);
  });

  test('has lines that add up over its investors, less what is not called', () => {
    let checked = 0;
    fc.assert(
      fc.property(administeredWorlds, ({ fund, steps }) => {
        takeAll(fund, steps, {
          after({ issued: { parts, notCalled } }, step, isDone) {
            if (!isDone || (step.kind !== 'call' && step.kind !== 'distribution')) return;
            for (const [index, { amount }] of step.lines.entries()) {
              if (amount === null) continue;
              checked += 1;
              expect(cents(sum([...parts.map(({ amounts }) => amounts[index]!), notCalled[index]!]))).toBe(amount);
            }
            expect(parts.some(({ amounts }) => amounts.some(isNegative))).toBe(false);
          },
        });
      }),
      { numRuns: RUNS },
    );
    expect(checked).toBeGreaterThan(RUNS);
  });

  test('has between nothing and its commitment unfunded for each investor on every day', () => {
    fc.assert(
      fc.property(administeredWorlds, ({ fund, steps }) => {
        for (const ledger of takeAll(fund, steps).ledgers().values()) {
          for (const day of daysOf(ledger)) {
            const { unfunded, activeCommitment } = capitalFigures(ledger, day);
            expect(isNegative(unfunded) || compare(unfunded, activeCommitment) > 0).toBe(false);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('is the same in whatever order its investors are named', () => {
    const orders = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });
    fc.assert(
      fc.property(administeredWorlds, orders, ({ fund, steps }, order) => {
        const shuffled = { ...fund, investors: order.map((index) => fund.investors[index]!) };
        const [one, other] = [fund, shuffled].map((own) => takeAll(own, steps).ledgers());
        for (const [code, ledger] of one!) {
          for (const day of daysOf(ledger)) {
            expect({ code, ...figuresOf(other!.get(code)!, day) }).toEqual({ code, ...figuresOf(ledger, day) });
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('has the same totals on every day before and after a transfer of an interest', () => {
    let moved = 0;
    fc.assert(
      fc.property(administeredWorlds, ({ fund, steps }) => {
        let held: CapitalLedger[] = [];
        takeAll(fund, steps, {
          before(product) {
            held = [...product.ledgers().values()];
          },
          after(product, step, isDone) {
            if (step.kind !== 'transfer' || !isDone) return;
            moved += 1;
            const after = [...product.ledgers().values()];
            for (const day of [...held, ...after].flatMap(daysOf)) {
              const [was, is] = [held, after].map((ledgers) =>
                totalFigures(ledgers.map((ledger) => capitalFigures(ledger, day))),
              );
              // The value of an interest is known to its new holder, whose own may have been unknown.
              const known = was!.nav === null || is!.nav === null ? { nav: null, grossNav: null } : {};
              expect({ ...is, ...known, navDate: null }).toEqual({ ...was, ...known, navDate: null });
            }
          },
        });
      }),
      { numRuns: RUNS },
    );
    expect(moved).toBeGreaterThan(RUNS / 10);
  });
});

describe('later closings, one after the other', () => {
  const CODES = [1, 2, 3, 4, 5, 6, 7];
  const NEVER = 99_999;
  /** Cents by which rounding can move what one investor paid for one line: when it was called, and at each closing. */
  const MAX_CENTS = 3;
  const amountOf = (least: number, most: number) => fc.integer({ min: least, max: most }).map(BigInt);

  /** Calls by commitment, and closings in between: of new investors, and of those who increase. */
  const histories = fc.record({
    committed: fc.array(amountOf(100_000_00, 900_000_00), { minLength: 1, maxLength: 4 }),
    calls: fc.array(fc.record({ day: fc.integer({ min: 1, max: 200 }), percent: amountOf(1, 12) }), {
      minLength: 1,
      maxLength: 5,
    }),
    closings: fc.array(
      fc.record({
        day: fc.integer({ min: 1, max: 200 }),
        entrants: fc.uniqueArray(
          fc.record({ code: fc.integer({ min: 1, max: 7 }), amount: amountOf(50_000_00, 900_000_00) }),
          { minLength: 1, maxLength: 3, selector: ({ code }) => code },
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  });

  const fundOf = (committed: readonly bigint[]): AdministeredFund => ({
    investors: committed.map((amount, index) => ({
      code: index + 1,
      Class: 'A',
      closingDay: amount === 0n ? NEVER : FIRST_OF_WORLD,
      committed: amount,
      fees: {},
      letters: [],
    })),
    terms: [],
    investmentPeriodEnd: null,
    excuseCap: null,
    nonRecyclable: null,
    equalization: {
      rate: 800n,
      daysOfYear: 365,
      compounds: false,
      feeInterestToManager: true,
      feesFromFirstClosing: true,
      recallable: true,
    },
    borrowersFees: [],
  });

  /** Paid in, less what closings returned. */
  const paidIn = ({ calls, distributions }: CapitalLedger): DecimalText =>
    subtract(sum(calls.map(callAmount)), sum(distributions.map(({ principal }) => principal)));

  test('leave each investor with what it would have paid in if all had closed first, interest apart', () => {
    fc.assert(
      fc.property(histories, ({ committed, calls, closings }) => {
        const first = CODES.map((code) => committed[code - 1] ?? 0n);
        const ordered = [...closings].sort((a, b) => a.day - b.day);
        const whole = committed.reduce((all, one) => all + one);
        // What is called after the last closing is shared by all anyway.
        const callSteps = calls
          .filter(({ day }) => day <= ordered.at(-1)!.day)
          .map(({ day, percent }): ReferenceStep => {
            const on = { day: FIRST_OF_WORLD + day, dueDay: FIRST_OF_WORLD + day };
            const lines = [{ rule: 'commitment' as const, amount: (whole * percent) / 100n }];
            return { kind: 'call', Class: null, ...on, lines, own: [] };
          });
        const closingSteps = ordered.map(({ day, entrants }): ReferenceStep => {
          const on = { day: FIRST_OF_WORLD + day, dueDay: FIRST_OF_WORLD + day };
          return { kind: 'closing', ...on, entrants };
        });
        const refused: string[] = [];
        const steps = [...callSteps, ...closingSteps].sort((a, b) => a.day - b.day);
        const later = takeAll(fundOf(first), steps, {
          after: (_, { kind }, isDone) => {
            if (!isDone) refused.push(kind);
          },
        }).ledgers();
        expect(refused).toEqual([]);
        const added = closings.flatMap(({ entrants }) => entrants);
        const all = CODES.map((code) =>
          added.filter((one) => one.code === code).reduce((so, { amount }) => so + amount, first[code - 1]!),
        );
        const asIfFirst = takeAll(fundOf(all), callSteps).ledgers();
        const rounding = BigInt(MAX_CENTS * callSteps.length * (closings.length + 1));
        for (const code of CODES) {
          const off = cents(subtract(paidIn(later.get(code)!), paidIn(asIfFirst.get(code)!)));
          expect(off <= rounding && -off <= rounding).toBe(true);
        }
        const total = (ledgers: ReadonlyMap<number, CapitalLedger>) =>
          [...ledgers.values()].map(paidIn).reduce(add, '0');
        expect(cents(total(later))).toBe(cents(total(asIfFirst)));
      }),
      { numRuns: RUNS * 2 },
    );
  });
});
