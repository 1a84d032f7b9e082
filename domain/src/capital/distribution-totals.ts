import { add, type DecimalText, subtract, sum } from '../money/decimal.ts';
import type { DISTRIBUTION_ACTION_TYPES } from './distribution.schema.ts';

export interface DistributionComponent {
  readonly actionType: (typeof DISTRIBUTION_ACTION_TYPES)[number];
  readonly amount: DecimalText;
}

export interface TitledComponent extends DistributionComponent {
  readonly title: string;
}

/** The totals of a distribution, as the specification names them. */
export interface DistributionTotals {
  totalIncome: DecimalText;
  totalExpense: DecimalText;
  netProfit: DecimalText;
  totalInterestTax: DecimalText;
  netInterestAfterExpensesAndTaxes: DecimalText;
  totalCg: DecimalText;
  totalCgFees: DecimalText;
  netCg: DecimalText;
  totalCgTax: DecimalText;
  netCgAfterExpensesAndTaxes: DecimalText;
  totalTax: DecimalText;
  /** principal + netProfit + netCg - totalTax. Below zero if costs exceed what is distributed. */
  totalDistributed: DecimalText;
}

export function distributionTotals(
  principal: DecimalText,
  components: readonly DistributionComponent[],
): DistributionTotals {
  const of = (type: DistributionComponent['actionType']) =>
    sum(components.filter(({ actionType }) => actionType === type).map(({ amount }) => amount));
  const [totalIncome, totalExpense, totalInterestTax] = [of('INTEREST'), of('INTEREST FEES'), of('INTEREST TAX')];
  const [totalCg, totalCgFees, totalCgTax] = [of('CG'), of('CG FEES'), of('CG TAX')];
  const netProfit = subtract(totalIncome, totalExpense);
  const netCg = subtract(totalCg, totalCgFees);
  const totalTax = add(totalInterestTax, totalCgTax);
  return {
    totalIncome,
    totalExpense,
    netProfit,
    totalInterestTax,
    netInterestAfterExpensesAndTaxes: subtract(netProfit, totalInterestTax),
    totalCg,
    totalCgFees,
    netCg,
    totalCgTax,
    netCgAfterExpensesAndTaxes: subtract(netCg, totalCgTax),
    totalTax,
    totalDistributed: subtract(sum([principal, netProfit, netCg]), totalTax),
  };
}
