import { expect, it } from 'vitest';
import type { BorrowingBaseResult } from '../result.ts';
import { certificateLines } from './certificate-lines.ts';
import type { CertificateState } from './certificate-state.ts';

const LATEST: CertificateState = { tape: { isRepublished: false }, version: { superseded: null } };
const money = (sum: string) => ({ sum, currency: 'USD' });
const tally = (count: number, sum: string) => ({ count, amount: money(sum) });

/** A pool of 1,050: 100 of it ineligible, 50 excess, and 80 % of the rest lent. */
const BASE = {
  currency: 'USD',
  totals: {
    pools: {
      relevant: tally(10, '1050'),
      inEligible: tally(1, '100'),
      nonPerforming: tally(0, '0'),
      eligibleOrPerforming: tally(9, '950'),
    },
    excess: money('50'),
    advanceHaircut: money('180'),
    netBB: money('720'),
    weightedAdvanceRatePercent: '80',
    balance: null,
    commitments: null,
    availability: null,
    values: [{ title: 'Average rate', pool: 'relevant', value: '14.7', currency: null, count: 9 }],
  },
  scopes: [],
  excessBreachDistribution: [],
  rulesTracking: { eligible: [], performing: [], concentration: [], advancing: [] },
} as unknown as BorrowingBaseResult;

it('writes the excess of another field beside the amount removed, each with what it is of', () => {
  const group = {
    key: 'CA',
    part: 'measured',
    count: 2,
    measure: '2000',
    limit: '1000',
    distance: '1000',
    breached: true,
  };
  const rule = { rule: 0, title: 'Financed', groupBy: 'address.state', operand: 'lte', money: true, removes: true };
  const shown = (more: object) => {
    const groups = [{ ...group, excess: { sum: money('600') } }];
    const excessBreachDistribution = [
      { ...rule, limit: '1000', measure: null, breached: true, groupCount: 1, groups, ...more },
    ];
    const result = { ...BASE, excessBreachDistribution } as unknown as BorrowingBaseResult;
    const labels = { 'sums.sum': 'Original principal', 'address.state': 'State' };
    return certificateLines(result, labels, LATEST).filter(({ line }) => line === 'CA' || line === 'Financed');
  };
  expect(shown({ accumulatorField: 'sums.sum' })).toMatchObject([
    { measured: '2000', limit: '1000', overLimit: '1000', measuredOf: 'Original principal (USD)', remark: 'in breach' },
    {
      amount: '600',
      measured: '2000',
      limit: '1000',
      overLimit: '1000',
      measuredOf: 'Original principal (USD)',
      remark: 'State, amount removed',
    },
  ]);
  // For the remaining amount itself, and for results of earlier versions: shares of the pool of 950.
  expect(shown({})[1]).toMatchObject({
    amount: '600',
    measured: '210.526316',
    measuredOf: 'Remaining amount (% of pool)',
  });
});
it('writes every figure of the certificate, what is not recorded without an amount', () => {
  const lines = certificateLines(BASE, {}, LATEST);
  expect(lines.map(({ part, line, amount, measured, remark }) => [part, line, amount, measured, remark])).toEqual([
    ['From pool to availability', 'Relevant pool', '1050', null, null],
    ['From pool to availability', 'Ineligible', '-100', null, null],
    ['From pool to availability', 'Non-performing', '0', null, null],
    ['From pool to availability', 'Eligible or performing', '950', null, null],
    ['From pool to availability', 'Excess concentration', '-50', null, null],
    ['From pool to availability', 'Advance haircut', '-180', null, null],
    ['From pool to availability', 'Net borrowing base', '720', null, null],
    ['From pool to availability', 'Balance at cut-off', null, null, 'not recorded'],
    ['From pool to availability', 'Availability at cut-off', null, null, 'not recorded'],
    ['Values', 'Average rate', null, '14.7', null],
  ]);
});

it('says first that the tape was republished, or the result superseded', () => {
  const superseded = { timestamp: '2026-11-03T08:00:00.000Z' };
  const [first, second, third] = certificateLines(BASE, {}, { tape: { isRepublished: true }, version: { superseded } });
  expect([first, second]).toMatchObject([
    { part: 'Certificate', line: 'Not the latest', remark: expect.stringMatching(/^Superseded on 3 Nov 2026/) },
    { part: 'Certificate', line: 'Not the latest', remark: expect.stringMatching(/^The loan tape was republished/) },
  ]);
  expect(third).toMatchObject({ line: 'Relevant pool' });
});
