import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiAnswer } from '../api-client.ts';
import { ownTenant } from '../tenant.ts';

type Investor = 'one' | 'two' | 'three';
type Shares = Partial<Record<Investor, string>>;
interface Purpose {
  title: string;
  kind: string;
  amount: string;
}
interface WorkedFund {
  inputs: {
    currency: string;
    classes: string[];
    nonRecyclable: object;
    commitments: {
      investor: Investor;
      class: string;
      closingDate: string;
      maxCommitment: string;
      activeCommitment: string;
      deltas?: { date: string; amount: string; title: string }[];
    }[];
    calls: {
      callNumber: string;
      class?: string;
      cutOffDate: string;
      dueDate: string;
      amount?: string;
      percent?: string;
      callPurposes: Purpose[];
    }[];
    distributions: {
      cutOffDate: string;
      distributionKind: string;
      principal: string;
      recallable: boolean;
      components: { title: string; actionType: string; amount: string }[];
    }[];
    writeOffs: { cutOffDate: string; amount: string }[];
    navs: { investor: Investor; cutOffDate: string; net: string; gross: string }[];
    asOf: string[];
  };
  expected: {
    calls: { shares: Shares; purposes: Shares[]; holdingPercent: Shares; aggregateAmount: Shares }[];
    distributions: { rows: Record<Investor, Record<string, string>> }[];
    writeOffs: Shares[];
    at: Record<string, Record<Investor | 'total', Record<string, string | number | null>>>;
    capitalAccounts: Record<string, Record<string, string>>;
  };
}

const { inputs, expected } = JSON.parse(
  readFileSync(new URL('../../../domain/src/capital/worked-fund.json', import.meta.url), 'utf8'),
) as WorkedFund;

const INVESTORS: readonly Investor[] = ['one', 'two', 'three'];
const tenant = ownTenant();
const ids = {} as Record<Investor, string>;
let fund: string;
const answers: Record<'calls' | 'distributions' | 'writeOffs', ApiAnswer[]> = {
  calls: [],
  distributions: [],
  writeOffs: [],
};

async function created(path: string, body: unknown): Promise<ApiAnswer> {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer;
}

const inUsd = (sum: string) => ({ sum: Number(sum), currency: inputs.currency });
const purposesOf = (purposes: Purpose[]) => purposes.map((purpose) => ({ ...purpose, amount: Number(purpose.amount) }));
const numbersOf = (shares: Shares) =>
  Object.fromEntries(Object.entries(shares).map(([investor, share]) => [investor, Number(share)]));
const nameOf = (document: { investor: { id: string } }): Investor =>
  INVESTORS.find((name) => ids[name] === document.investor.id)!;
const byInvestor = <Value>(answer: ApiAnswer, value: (document: never) => Value): Partial<Record<Investor, Value>> =>
  Object.fromEntries(answer.json.map((document: never) => [nameOf(document), value(document)]));

beforeAll(async () => {
  for (const name of INVESTORS) {
    const entity = { name: `Investor ${name}`, formalId: `LP-${name}`, nationality: { country: 'US' } };
    ids[name] = (await created('/crud/LPs', { title: `Investor ${name}`, entity })).json.id;
  }
  const made = await created('/crud/funds', {
    title: 'The worked fund',
    type: 'ComingleFund',
    strategy: 'ABL',
    currency: inputs.currency,
    targetSize: 100_000_000,
    hardCap: 120_000_000,
    classes: inputs.classes.map((name) => ({ name, uniqueKey: name })),
    nonRecyclable: inputs.nonRecyclable,
  });
  fund = made.json.id;
  for (const { investor, class: Class, ...terms } of inputs.commitments) {
    const deltas = (terms.deltas ?? []).map((delta) => ({ ...delta, amount: Number(delta.amount) }));
    await created('/crud/LPCommitments', {
      fund,
      investor: { id: ids[investor], kind: 'LP' },
      Class,
      closingDate: terms.closingDate,
      maxCommitment: inUsd(terms.maxCommitment),
      activeCommitment: inUsd(terms.activeCommitment),
      deltas,
    });
  }
  const callIt = async (call: WorkedFund['inputs']['calls'][number]) => {
    const { class: Class, amount, percent, callPurposes, ...rest } = call;
    const total = amount === undefined ? { percentage: Number(percent) } : { amount: inUsd(amount) };
    const body = { fund, Class, ...rest, ...total, callPurposes: purposesOf(callPurposes), status: 'Active' };
    answers.calls.push(await created('/crud/contributions', body));
  };
  // In the order of their days, as an administrator would enter them.
  const entries = [
    ...inputs.calls.map((call) => [call.cutOffDate, () => callIt(call)] as const),
    ...inputs.distributions.map(
      ({ recallable, principal, components, ...rest }, index) =>
        [
          rest.cutOffDate,
          async () => {
            const body = {
              fund,
              ...rest,
              callNumber: `D${index + 1}`,
              principal: inUsd(principal),
              components: components.map((component) => ({ ...component, amount: inUsd(component.amount) })),
              pdfOptions: { recallableDistribution: recallable },
              status: 'Active',
            };
            answers.distributions.push(await created('/crud/distributions', body));
          },
        ] as const,
    ),
    ...inputs.writeOffs.map(
      ({ cutOffDate, amount }) =>
        [
          cutOffDate,
          async () => {
            answers.writeOffs.push(await created('/crud/writeOffs', [{ fund, cutOffDate, amount: inUsd(amount) }]));
          },
        ] as const,
    ),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, enter] of entries) await enter();
  const navs = inputs.navs.map(({ investor, gross, net, cutOffDate }) => ({
    fund,
    investor: { id: ids[investor], kind: 'LP' },
    cutOffDate,
    gross: Number(gross),
    net: Number(net),
    currency: inputs.currency,
  }));
  await created('/crud/navs', navs);
});

test.each(inputs.calls.map((call, index) => [call.callNumber, index] as const))('call %s is split', (_, index) => {
  const wanted = expected.calls[index]!;
  const answer = answers.calls[index]!;
  expect(byInvestor(answer, ({ amount }: { amount: { sum: number } }) => amount.sum)).toEqual(numbersOf(wanted.shares));
  for (const [line, shares] of wanted.purposes.entries()) {
    const found = byInvestor(answer, (one: { callPurposes: { amount: number }[] }) => one.callPurposes[line]?.amount);
    expect(found).toEqual(numbersOf(shares));
  }
  expect(byInvestor(answer, (one: { LPCurrentHoldingPercentage: number }) => one.LPCurrentHoldingPercentage)).toEqual(
    numbersOf(wanted.holdingPercent),
  );
  const aggregates = byInvestor(answer, (one: { aggregateAmount: { sum: number } }) => one.aggregateAmount.sum);
  expect(aggregates).toEqual(numbersOf(wanted.aggregateAmount));
});

test.each(inputs.distributions.map(({ cutOffDate }, index) => [cutOffDate, index] as const))(
  'the distribution of %s has the totals of each investor',
  (_, index) => {
    for (const document of answers.distributions[index]!.json) {
      const wanted = expected.distributions[index]!.rows[nameOf(document)];
      for (const [name, value] of Object.entries(wanted)) {
        expect([name, document[name].sum]).toEqual([name, Number(value)]);
      }
    }
  },
);

test('the write-off is split', () => {
  for (const [index, shares] of expected.writeOffs.entries()) {
    const found = byInvestor(answers.writeOffs[index]!, ({ amount }: { amount: { sum: number } }) => amount.sum);
    expect(found).toEqual(numbersOf(shares));
  }
});

describe.each(inputs.asOf)('as of %s', (cutOffDate) => {
  test.each([...INVESTORS, 'total'] as const)('%s', async (who) => {
    const query = { fundId: fund, cutOffDate, ...(who === 'total' ? {} : { investorId: ids[who] }) };
    const { json: figures } = await tenant.manager.get('/crud/funds/counts/netCapitalCalled', query);
    const { json: against } = await tenant.manager.get('/crud/funds/counts/netCapitalCalledVsCommitments', query);
    const { json: irr } = await tenant.manager.get('/crud/funds/counts/irr', query);
    const wanted = expected.at[cutOffDate]![who];
    for (const [name, value] of Object.entries(wanted)) {
      const number = value === null ? null : Number(value);
      if (name === 'navDate') expect(figures.navDate).toBe(value);
      else if (name === 'activeCommitment') expect(against[0].commitments.sum).toBe(number);
      else if (['dpi', 'rvpi', 'tvpi'].includes(name)) expect([name, figures[name]]).toEqual([name, number]);
      else if (name.endsWith('IrrPercent')) {
        const found = irr[name.replace('IrrPercent', '')];
        if (number === null) expect(found).toBeNull();
        else expect(found).toBeCloseTo(number, 8);
      } else expect([name, figures[name]?.sum ?? null]).toEqual([name, number]);
    }
  });
});

test('the activity statements lead to the same figures, entry by entry', async () => {
  for (const [cutOffDate, figures] of Object.entries(expected.at)) {
    for (const who of INVESTORS) {
      const filter = { fund, 'investor.id': ids[who] };
      const commitments = (await tenant.manager.get('/crud/LPCommitments', { filter })).json;
      let [unfunded, netCapitalCalled] = [0, 0];
      for (const { id } of commitments) {
        const { entries, closing } = (await tenant.manager.get(`/crud/LPCommitments/${id}/activity`, { cutOffDate }))
          .json;
        unfunded += closing.unfunded.sum;
        netCapitalCalled += closing.netCapitalCalled.sum;
        expect(entries.length).toBeGreaterThan(0);
        expect([...new Set(entries.map(({ date }: { date: string }) => date <= cutOffDate))]).toEqual([true]);
        expect(entries[0]?.actionType ?? 'commitment').toBe('commitment');
      }
      const all = (await tenant.manager.get(`/crud/LPs/${ids[who]}/activity`, { cutOffDate })).json;
      const [own] = all.currencies;
      expect(all.currencies).toHaveLength(1);
      expect(own.closing.unfunded.sum, `${who} at ${cutOffDate}`).toBeCloseTo(unfunded, 2);
      expect(own.closing.netCapitalCalled.sum).toBeCloseTo(netCapitalCalled, 2);
      expect(new Set(own.entries.map(({ commitment }: { commitment: string }) => commitment)).size).toBeLessThanOrEqual(
        commitments.length,
      );
      expect(unfunded, `${who} at ${cutOffDate}`).toBeCloseTo(Number(figures[who].unfunded), 2);
      expect(netCapitalCalled, `${who} at ${cutOffDate}`).toBeCloseTo(Number(figures[who].netCapitalCalled), 2);
    }
  }
});

test('the computed statements have the lines of each investor', async () => {
  const bodies = INVESTORS.map((name) => ({
    fund,
    cutOffDate: '2025-12-31',
    investor: { id: ids[name], kind: 'LP' },
  }));
  const { json: statements } = await created('/crud/capitalAccounts', bodies);
  for (const [title, wanted] of Object.entries(expected.capitalAccounts)) {
    const statement = statements.find((one: never) => nameOf(one) === title.split(' ')[0]);
    if (!statement) continue;
    const period = title.endsWith('2025') ? 'yearToDate' : 'sinceInception';
    const found = Object.fromEntries(
      statement.lines.map((line: { name: string; amounts: Record<string, { sum: number }> }) => [
        line.name,
        line.amounts[period]?.sum,
      ]),
    );
    expect(found).toEqual(Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, Number(value)])));
  }
});
