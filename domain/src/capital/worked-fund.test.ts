import { describe, expect, test } from 'vitest';
import { activeCommitmentAt, holdingPercentages } from '../commitments/active-commitment.ts';
import { compare, type DecimalText, divide, multiply, sum } from '../money/decimal.ts';
import { type CapitalAccountLines, capitalAccount, totalAccount } from './capital-account.ts';
import {
  type CapitalLedger,
  capitalFigures,
  multiples,
  returnOf,
  totalFigures,
  unfundedAt,
} from './capital-figures.ts';
import { distributionTotals } from './distribution-totals.ts';
import { feeStretches, managementFee } from './management-fee.ts';
import {
  calls,
  callsOf,
  DIGITS,
  distributions,
  distributionsOf,
  expected,
  INVESTORS,
  type Investor,
  inputs,
  ledgerOf,
  weightsAt,
  writeOffs,
} from './testing/worked-fund.ts';
import { europeanWaterfall } from './waterfall.ts';

/** Equal as decimals: "0" is "0.00". */
const same = (found: DecimalText | null | undefined, wanted: string | number | null | undefined): void => {
  if (found == null || wanted == null) expect(found ?? null).toBe(wanted ?? null);
  else expect(compare(found, String(wanted)), `${found} is not ${wanted}`).toBe(0);
};

describe.each(calls.map((call, index) => [call.callNumber, call, expected.calls[index]!] as const))(
  'call %s',
  (_, call, wanted) => {
    test('is split line by line', () => {
      const total = call.percent
        ? divide(
            multiply(sum(weightsAt(call.cutOffDate, call.class).map(({ weight }) => weight)), call.percent),
            '100',
            DIGITS,
          )
        : call.amount;
      same(total, wanted.total);
      for (const [id, share] of Object.entries(wanted.shares)) same(sum(call.split.get(id) ?? []), share);
      for (const [line, shares] of wanted.purposes.entries()) {
        for (const [id, share] of Object.entries(shares)) same(call.split.get(id)?.[line], share);
      }
      expect([...call.split.keys()].sort()).toEqual(Object.keys(wanted.shares).sort());
    });

    test('states the holdings and what was called so far', () => {
      const weights = weightsAt(call.cutOffDate, call.class);
      const holdings = holdingPercentages(weights.map(({ weight }) => weight));
      for (const [index, { id }] of weights.entries()) {
        same(holdings[index], wanted.holdingPercent[id]);
        const issued = callsOf(id).filter(({ cutOffDate }) => cutOffDate <= call.cutOffDate);
        same(sum(issued.flatMap(({ purposes }) => purposes.map(({ amount }) => amount))), wanted.aggregateAmount[id]);
      }
    });
  },
);

test.each(distributions.map((distribution, index) => [distribution.cutOffDate, index] as const))(
  'the distribution of %s has the totals of each investor',
  (_, index) => {
    const { rows, recallable } = expected.distributions[index]!;
    for (const id of INVESTORS) {
      const { principal, components, recallable: isRecallable } = distributionsOf(id)[index]!;
      const totals: Record<string, string> = { principal, ...distributionTotals(principal, components) };
      for (const [name, wanted] of Object.entries(rows[id])) same(totals[name], wanted);
      same(isRecallable ? principal : '0', recallable[id]);
    }
  },
);

test('the write-off is split', () => {
  for (const [index, shares] of expected.writeOffs.entries()) {
    for (const id of INVESTORS) same(writeOffs[index]?.split.get(id)?.[0], shares[id]);
  }
});

describe.each(inputs.asOf)('as of %s', (at) => {
  const percent = (rate: number | null): number | null => (rate === null ? null : rate * 100);
  const check = (found: Record<string, string | null>, wanted: Record<string, string | number | null>): void => {
    for (const [name, value] of Object.entries(wanted)) {
      if (name === 'navDate') expect(found.navDate).toBe(value);
      else if (!name.endsWith('IrrPercent')) same(found[name], value);
    }
  };
  const checkReturn = (ledgers: CapitalLedger[], wanted: Record<string, string | number | null>): void => {
    for (const side of ['net', 'gross'] as const) {
      const value = wanted[`${side}IrrPercent`] as number | null;
      const found = percent(returnOf(ledgers, at, side).rate);
      if (value === null) expect(found).toBeNull();
      else expect(found).toBeCloseTo(value, 8);
    }
  };

  test.each(INVESTORS)('investor %s', (id) => {
    const figures = capitalFigures(ledgerOf(id), at);
    check({ ...figures, ...multiples(figures) }, expected.at[at]![id]);
    checkReturn([ledgerOf(id)], expected.at[at]![id]);
  });

  test('the fund', () => {
    const figures = totalFigures(INVESTORS.map((id) => capitalFigures(ledgerOf(id), at)));
    check({ ...figures, ...multiples(figures) }, expected.at[at]!.total);
    checkReturn(INVESTORS.map(ledgerOf), expected.at[at]!.total);
  });
});

describe('capital accounts', () => {
  test.each(Object.entries(expected.capitalAccounts))('of %s', (name, wanted) => {
    const id = name.split(' ')[0] as Investor;
    const account = capitalAccount(ledgerOf(id), name.endsWith('2025') ? '2024-12-31' : null, '2025-12-31')!;
    for (const [line, value] of Object.entries(wanted)) same(account[line as keyof CapitalAccountLines], value);
  });

  test('add up to the fund, line by line', () => {
    const accounts = INVESTORS.map((id) => capitalAccount(ledgerOf(id), '2024-12-31', '2025-12-31'));
    const total = totalAccount(accounts)!;
    const { opening, closing, ...changes } = total;
    same(sum([opening, ...Object.values(changes)]), closing);
    same(closing, expected.at['2025-12-31']!.total.nav);
    expect(totalAccount([...accounts, null])).toBeNull();
  });
});

test.each(inputs.managementFees.map((fee, index) => [fee.basis, fee, expected.managementFees[index]!.amount] as const))(
  'the management fee on the %s capital',
  (basis, { investor, ratePercent, from, to }, amount) => {
    const ledger = ledgerOf(investor);
    const changes = [
      ...ledger.commitment.deltas.map(({ date }) => date),
      ...ledger.calls.map(({ dueDate }) => dueDate),
      ...[...ledger.distributions, ...ledger.writeOffs].map(({ cutOffDate }) => cutOffDate),
    ];
    const basisAt = (day: string) =>
      basis === 'committed' ? activeCommitmentAt(ledger.commitment, day) : capitalFigures(ledger, day).netCapitalCalled;
    same(managementFee(feeStretches({ from, to }, changes, basisAt), ratePercent, DIGITS).amount, amount);
  },
);

test.each(inputs.waterfalls.map((terms) => [terms.title, terms] as const))('the waterfall: %s', (title, terms) => {
  const { tiers } = expected.waterfalls.find((one) => one.title === title)!;
  const flows = terms.flows.map(([when, amount]) => ({ when, amount }));
  const found: Record<string, string> = { ...europeanWaterfall(flows, terms, DIGITS).tiers };
  for (const [name, wanted] of Object.entries(tiers)) same(found[name], wanted);
});

test('nothing is unfunded below zero', () => {
  for (const at of inputs.asOf) for (const id of INVESTORS) expect(unfundedAt(ledgerOf(id), at)).not.toMatch(/^-/);
});
