import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { activeCommitmentAt, holdingPercentages } from '../commitments/active-commitment.ts';
import { compare, type DecimalText, divide, multiply, sum } from '../money/decimal.ts';
import { type CapitalAccountLines, capitalAccount, totalAccount } from './capital-account.ts';
import {
  type CapitalLedger,
  capitalFigures,
  type LedgerCall,
  type LedgerDistribution,
  multiples,
  returnOf,
  totalFigures,
  unfundedAt,
} from './capital-figures.ts';
import type { DISTRIBUTION_ACTION_TYPES } from './distribution.schema.ts';
import { distributionTotals } from './distribution-totals.ts';
import { feeStretches, managementFee } from './management-fee.ts';
import { splitLines } from './split.ts';
import { europeanWaterfall } from './waterfall.ts';

type Investor = 'one' | 'two' | 'three';
type Shares = Partial<Record<Investor, string>>;

interface WorkedFund {
  inputs: {
    nonRecyclable: { declerationDate: string; fromBeginning: boolean };
    commitments: {
      investor: Investor;
      class: string;
      closingDate: string;
      activeCommitment: string;
      deltas?: { date: string; amount: string }[];
    }[];
    calls: {
      callNumber: string;
      class?: string;
      cutOffDate: string;
      dueDate: string;
      amount?: string;
      percent?: string;
      callPurposes: { kind: LedgerCall['purposes'][number]['kind']; amount: string }[];
    }[];
    distributions: {
      cutOffDate: string;
      principal: string;
      recallable: boolean;
      components: { actionType: (typeof DISTRIBUTION_ACTION_TYPES)[number]; amount: string }[];
    }[];
    writeOffs: { cutOffDate: string; amount: string }[];
    navs: { investor: Investor; cutOffDate: string; net: string; gross: string }[];
    asOf: string[];
    managementFees: { investor: Investor; basis: string; ratePercent: string; from: string; to: string }[];
    waterfalls: {
      title: string;
      ratePercent: string;
      hurdlePercent: string;
      catchUpPercent: string;
      flows: [string, string][];
    }[];
  };
  expected: {
    calls: {
      total: string;
      shares: Shares;
      purposes: Shares[];
      holdingPercent: Shares;
      aggregateAmount: Shares;
    }[];
    distributions: { rows: Record<Investor, Record<string, string>>; recallable: Shares }[];
    writeOffs: Shares[];
    at: Record<string, Record<Investor | 'total', Record<string, string | number | null>>>;
    capitalAccounts: Record<string, CapitalAccountLines>;
    managementFees: { amount: string }[];
    waterfalls: { title: string; tiers: Record<string, string> }[];
  };
}

const { inputs, expected } = JSON.parse(
  readFileSync(new URL('./worked-fund.json', import.meta.url), 'utf8'),
) as WorkedFund;

const DIGITS = 2;
const INVESTORS: readonly Investor[] = ['one', 'two', 'three'];
const commitments = new Map(
  inputs.commitments.map(({ investor, deltas = [], ...terms }) => [investor, { ...terms, deltas }]),
);

/** The investors of a class, or of the fund, with their commitments on a day. */
function weightsAt(date: string, ofClass?: string) {
  return INVESTORS.flatMap((id, place) => {
    const terms = commitments.get(id)!;
    if (ofClass && terms.class !== ofClass) return [];
    return [{ id, code: place + 1, weight: activeCommitmentAt(terms, date) }];
  });
}

const calls = inputs.calls.map((call) => ({
  ...call,
  split: splitLines(
    call.callPurposes.map(({ amount }) => amount),
    weightsAt(call.cutOffDate, call.class),
    DIGITS,
  ),
}));
const distributions = inputs.distributions.map((distribution) => ({
  ...distribution,
  split: splitLines(
    [distribution.principal, ...distribution.components.map(({ amount }) => amount)],
    weightsAt(distribution.cutOffDate),
    DIGITS,
  ),
}));
const writeOffs = inputs.writeOffs.map((writeOff) => ({
  ...writeOff,
  split: splitLines([writeOff.amount], weightsAt(writeOff.cutOffDate), DIGITS),
}));

const callsOf = (id: Investor): LedgerCall[] =>
  calls.flatMap(({ split, callPurposes, cutOffDate, dueDate }) => {
    const parts = split.get(id);
    const purposes = (parts ?? []).map((amount, place) => ({ kind: callPurposes[place]!.kind, amount }));
    return parts ? [{ cutOffDate, dueDate, purposes }] : [];
  });
const distributionsOf = (id: Investor): LedgerDistribution[] =>
  distributions.map(({ split, components, cutOffDate, recallable }) => {
    const [principal = '0', ...parts] = split.get(id) ?? [];
    return {
      cutOffDate,
      principal,
      recallable,
      components: parts.map((amount, place) => ({ actionType: components[place]!.actionType, amount })),
    };
  });
const ledgerOf = (id: Investor): CapitalLedger => ({
  commitment: commitments.get(id)!,
  calls: callsOf(id),
  distributions: distributionsOf(id),
  writeOffs: writeOffs.map(({ cutOffDate, split }) => ({ cutOffDate, amount: split.get(id)?.[0] ?? '0' })),
  navs: inputs.navs.filter(({ investor }) => investor === id),
  nonRecyclable: inputs.nonRecyclable,
});

/** Equal as decimals: "0" is "0.00". */
const same = (found: DecimalText | null | undefined, wanted: string | number | null | undefined): void => {
  if (found == null || wanted == null) expect(found ?? null).toBe(wanted ?? null);
  else expect(compare(found, String(wanted)), `${found} is not ${wanted}`).toBe(0);
};

describe.each(calls.map((call, place) => [call.callNumber, call, expected.calls[place]!] as const))(
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
      for (const [place, { id }] of weights.entries()) {
        same(holdings[place], wanted.holdingPercent[id]);
        const issued = callsOf(id).filter(({ cutOffDate }) => cutOffDate <= call.cutOffDate);
        same(sum(issued.flatMap(({ purposes }) => purposes.map(({ amount }) => amount))), wanted.aggregateAmount[id]);
      }
    });
  },
);

test.each(distributions.map((distribution, place) => [distribution.cutOffDate, place] as const))(
  'the distribution of %s has the totals of each investor',
  (_, place) => {
    const { rows, recallable } = expected.distributions[place]!;
    for (const id of INVESTORS) {
      const { principal, components, recallable: isRecallable } = distributionsOf(id)[place]!;
      const totals: Record<string, string> = { principal, ...distributionTotals(principal, components) };
      for (const [name, wanted] of Object.entries(rows[id])) same(totals[name], wanted);
      same(isRecallable ? principal : '0', recallable[id]);
    }
  },
);

test('the write-off is split', () => {
  for (const [place, shares] of expected.writeOffs.entries()) {
    for (const id of INVESTORS) same(writeOffs[place]?.split.get(id)?.[0], shares[id]);
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

test.each(inputs.managementFees.map((fee, place) => [fee.basis, fee, expected.managementFees[place]!.amount] as const))(
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
  const found: Record<string, string> = { ...europeanWaterfall(flows, terms, DIGITS) };
  for (const [name, wanted] of Object.entries(tiers)) same(found[name], wanted);
});

test('nothing is unfunded below zero', () => {
  for (const at of inputs.asOf) for (const id of INVESTORS) expect(unfundedAt(ledgerOf(id), at)).not.toMatch(/^-/);
});
