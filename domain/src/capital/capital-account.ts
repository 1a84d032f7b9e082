import type { CalendarDate } from '../dates/calendar-date.ts';
import { add, type DecimalText, negate, subtract, sum } from '../money/decimal.ts';
import {
  type CapitalLedger,
  callAmount,
  capitalFigures,
  isPartPaidBefore,
  type LedgerCall,
} from './capital-figures.ts';
import { distributionTotals } from './distribution-totals.ts';

/** The lines of a capital account. What reduces the account is negative. They add up: opening + changes = closing. */
export interface CapitalAccountLines {
  opening: DecimalText;
  contributions: DecimalText;
  distributions: DecimalText;
  /**
   * The value of what was received in transfers of an interest, less what was given away. Statements from before such
   * transfers do not have it.
   */
  transfers?: DecimalText;
  investmentIncome: DecimalText;
  feesAndExpenses: DecimalText;
  taxes: DecimalText;
  realizedGains: DecimalText;
  writeOffs: DecimalText;
  /** The balancing line: what the other lines do not explain. */
  unrealizedChange: DecimalText;
  closing: DecimalText;
}

/** Purposes of calls that pay for the running of the fund. */
const COSTS: readonly LedgerCall['purposes'][number]['kind'][] = ['managementFee', 'successFee', 'fundExpenses'];

/**
 * One investor's capital account over a period: after `from`, up to and including `to`. Null if the NAV at either end
 * is unknown.
 * @param from the last day of the period before; null for the account since inception, which opens at zero
 */
export function capitalAccount(
  ledger: CapitalLedger,
  from: CalendarDate | null,
  to: CalendarDate,
): CapitalAccountLines | null {
  const opening = from === null ? '0' : openingAt(ledger, from);
  const closing = capitalFigures(ledger, to).nav;
  if (opening === null || closing === null) return null;
  const within = (date: CalendarDate): boolean => (from === null || date > from) && date <= to;
  const transferred = ledger.navs.flatMap(({ cutOffDate, transfer }) =>
    transfer && within(cutOffDate) ? [transfer.net] : [],
  );
  if (transferred.includes(null)) return null;
  const calls = ledger.calls.filter((call) => within(call.dueDate) && !isPartPaidBefore(call));
  const distributions = ledger.distributions
    .filter((one) => within(one.cutOffDate) && !isPartPaidBefore(one))
    .map(({ principal, components }) => distributionTotals(principal, components));
  const costs = calls.flatMap(({ purposes }) => purposes.filter(({ kind }) => COSTS.includes(kind)));
  const lines = {
    contributions: sum(calls.map(callAmount)),
    distributions: negate(sum(distributions.map(({ totalDistributed }) => totalDistributed))),
    transfers: sum(transferred.filter((value) => value !== null)),
    investmentIncome: sum(distributions.map(({ totalIncome }) => totalIncome)),
    feesAndExpenses: negate(
      sum([
        ...distributions.flatMap(({ totalExpense, totalCgFees }) => [totalExpense, totalCgFees]),
        ...costs.map(({ amount }) => amount),
      ]),
    ),
    taxes: negate(sum(distributions.map(({ totalTax }) => totalTax))),
    realizedGains: sum(distributions.map(({ totalCg }) => totalCg)),
    writeOffs: negate(
      sum(
        ledger.writeOffs.filter((one) => within(one.cutOffDate) && !isPartPaidBefore(one)).map(({ amount }) => amount),
      ),
    ),
  };
  const explained = add(opening, sum(Object.values(lines)));
  return { opening, ...lines, unrealizedChange: subtract(closing, explained), closing };
}

/** The NAV at the start of a period. Before an investor's first call, it is known to be zero. */
function openingAt(ledger: CapitalLedger, from: CalendarDate): DecimalText | null {
  const { nav } = capitalFigures(ledger, from);
  if (nav !== null) return nav;
  return ledger.calls.some(({ dueDate }) => dueDate <= from) ? null : '0';
}

/** The account of several investors together: line by line, the sum of theirs. Null if one of them is unknown. */
export function totalAccount(accounts: readonly (CapitalAccountLines | null)[]): CapitalAccountLines | null {
  const known = accounts.filter((account) => account !== null);
  if (known.length < accounts.length) return null;
  const total = (name: keyof CapitalAccountLines) => sum(known.map((account) => account[name] ?? '0'));
  return {
    opening: total('opening'),
    contributions: total('contributions'),
    distributions: total('distributions'),
    transfers: total('transfers'),
    investmentIncome: total('investmentIncome'),
    feesAndExpenses: total('feesAndExpenses'),
    taxes: total('taxes'),
    realizedGains: total('realizedGains'),
    writeOffs: total('writeOffs'),
    unrealizedChange: total('unrealizedChange'),
    closing: total('closing'),
  };
}
