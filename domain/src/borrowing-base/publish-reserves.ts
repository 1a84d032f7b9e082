import { decimalOf } from '../money/decimal.ts';
import { type DilutionFigures, dilutionAbove, dilutionRatio } from './dilution.ts';
import { decimalToFraction, type Fraction, fraction, fractionToDecimal, multiplyFractions } from './exact.ts';
import type { Outcome } from './outcome.ts';
import type { PreparedContract, PreparedReserve } from './prepare.ts';
import { at, type Publisher } from './publisher.ts';
import type { ReserveResult, ValueResult } from './result.ts';

const HUNDRED = fraction(1n, 100n);
/** Of a year. */
const MONTH = fraction(1n, 12n);

const numberOf = (value: number): Fraction => decimalToFraction(decimalOf(value));
const product = (...factors: readonly Fraction[]): Fraction => factors.reduce(multiplyFractions);

const notBelowZero = (value: Fraction | null): Fraction | null =>
  value && value.numerator < 0n ? fraction(0n) : value;

/**
 * The exact amount of a reserve; null if the balance that it is taken of, or the figures of a dilution, are unknown. It may
 * be below zero.
 */
function exactAmount(
  { reserve, base }: PreparedReserve,
  outcome: Outcome,
  { balance, ratio }: { balance: Fraction | null; ratio: Fraction | null },
): Fraction | null {
  switch (reserve.kind) {
    case 'amount':
      return numberOf(reserve.amount);
    case 'percentage':
      // The sum of a pool without assets is zero.
      return product(at(outcome.values, base).value ?? fraction(0n), numberOf(reserve.percent), HUNDRED);
    case 'dilution': {
      const above = ratio && dilutionAbove(ratio, product(numberOf(reserve.percent), HUNDRED));
      return above && product(at(outcome.values, base).value ?? fraction(0n), above);
    }
    case 'months':
      return balance && product(balance, numberOf(reserve.percent), HUNDRED, numberOf(reserve.months), MONTH);
  }
}

/**
 * Rounds each reserve that applies to the minor unit of the tape's main currency.
 * @param values the published values, in the order of the prepared ones
 * @param balance of the note on the cut-off date, in that currency; null if it is not recorded. A note that is repaid
 *   beyond its draws has no balance to reserve for
 */
export function publishReserves(
  prepared: PreparedContract,
  {
    outcome,
    values,
    balance,
    dilutions,
  }: {
    outcome: Outcome;
    values: readonly ValueResult[];
    balance: Fraction | null;
    dilutions: readonly DilutionFigures[];
  },
  publisher: Publisher,
): ReserveResult[] {
  const owed = notBelowZero(balance);
  const rounded = (value: Fraction | null) => value && publisher.amount(publisher.fractionUnits(value));
  return prepared.reserves.map((applying): ReserveResult => {
    const { rule, base, reserve } = applying;
    const { title, kind } = reserve;
    const value = kind === 'percentage' || kind === 'dilution' ? at(values, base) : null;
    const figures = dilutions.find((one) => one.rule === rule) ?? null;
    const ratio = figures && dilutionRatio(figures);
    const ofValue = value && { sum: value.value ?? publisher.amount(0n).sum, currency: publisher.currency };
    return {
      rule,
      title,
      kind,
      percent: kind === 'amount' ? null : decimalOf(reserve.percent),
      months: kind === 'months' ? decimalOf(reserve.months) : null,
      of: value?.title ?? null,
      base: kind === 'months' ? rounded(owed) : ofValue,
      // A value can be negative, a reserve cannot: it would add to the base.
      amount: rounded(notBelowZero(exactAmount(applying, outcome, { balance: owed, ratio }))),
      ...(reserve.kind === 'dilution' && {
        dilution: {
          credits: reserve.credits,
          sales: reserve.sales,
          sums: figures && {
            creditsSum: figures.credits,
            salesSum: figures.sales,
            ratioPercent: ratio && decimalOf(fractionToDecimal(product(ratio, fraction(100n)), 8)),
          },
        },
      }),
    };
  });
}
