import { readFileSync } from 'node:fs';
import { activeCommitmentAt } from '../../commitments/active-commitment.ts';
import type { CapitalAccountLines } from '../capital-account.ts';
import type { CapitalLedger, LedgerCall, LedgerDistribution } from '../capital-figures.ts';
import type { DISTRIBUTION_ACTION_TYPES } from '../distribution.schema.ts';
import { splitLines } from '../split.ts';

export type Investor = 'one' | 'two' | 'three';
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

export const { inputs, expected } = JSON.parse(
  readFileSync(new URL('../worked-fund.json', import.meta.url), 'utf8'),
) as WorkedFund;

export const DIGITS = 2;
export const INVESTORS: readonly Investor[] = ['one', 'two', 'three'];
const commitments = new Map(
  inputs.commitments.map(({ investor, deltas = [], ...terms }) => [investor, { ...terms, deltas }]),
);

/** The investors of a class, or of the fund, with their commitments on a day. */
export function weightsAt(date: string, ofClass?: string) {
  return INVESTORS.flatMap((id, index) => {
    const terms = commitments.get(id)!;
    if (ofClass && terms.class !== ofClass) return [];
    return [{ id, code: index + 1, weight: activeCommitmentAt(terms, date) }];
  });
}

export const calls = inputs.calls.map((call) => ({
  ...call,
  split: splitLines(
    call.callPurposes.map(({ amount }) => amount),
    weightsAt(call.cutOffDate, call.class),
    DIGITS,
  ),
}));
export const distributions = inputs.distributions.map((distribution) => ({
  ...distribution,
  split: splitLines(
    [distribution.principal, ...distribution.components.map(({ amount }) => amount)],
    weightsAt(distribution.cutOffDate),
    DIGITS,
  ),
}));
export const writeOffs = inputs.writeOffs.map((writeOff) => ({
  ...writeOff,
  split: splitLines([writeOff.amount], weightsAt(writeOff.cutOffDate), DIGITS),
}));

export const callsOf = (id: Investor): LedgerCall[] =>
  calls.flatMap(({ split, callPurposes, cutOffDate, dueDate }) => {
    const parts = split.get(id);
    const purposes = (parts ?? []).map((amount, index) => ({ kind: callPurposes[index]!.kind, amount }));
    return parts ? [{ cutOffDate, dueDate, purposes }] : [];
  });
export const distributionsOf = (id: Investor): LedgerDistribution[] =>
  distributions.map(({ split, components, cutOffDate, recallable }) => {
    const [principal = '0', ...parts] = split.get(id) ?? [];
    return {
      cutOffDate,
      principal,
      recallable,
      components: parts.map((amount, index) => ({ actionType: components[index]!.actionType, amount })),
    };
  });
export const ledgerOf = (id: Investor): CapitalLedger => ({
  commitment: commitments.get(id)!,
  calls: callsOf(id),
  distributions: distributionsOf(id),
  writeOffs: writeOffs.map(({ cutOffDate, split }) => ({ cutOffDate, amount: split.get(id)?.[0] ?? '0' })),
  navs: inputs.navs.filter(({ investor }) => investor === id),
  nonRecyclable: inputs.nonRecyclable,
});
