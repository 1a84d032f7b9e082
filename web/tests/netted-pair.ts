import { expect } from 'vitest';
import type { Tenant } from './tenant.ts';

/** An id with a version, as calls name documents. */
interface Part {
  readonly id: string;
  readonly version: number;
}

/**
 * A fund with commitments of 10,000 and 30,000, and the drafts of a call of 500.00 and 300.00 and of a distribution of 200.00
 * and 900.00, both of 31 January 2149.
 * @param own the investor of the tenant, which is called more than it gets
 */
export async function draftPair({ manager }: Tenant, title: string, own: string) {
  const created = async (path: string, body: unknown) => {
    const answer = await manager.post(path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.json;
  };
  const entity = { name: `${title} Trust`, formalId: `${title} Trust`, nationality: { country: 'US' } };
  const { id: other } = await created('/crud/LPs', { title: `${title} Trust`, entity });
  const currency = 'USD';
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency, targetSize: 60_000, hardCap: 60_000 };
  const fund: string = (await created('/crud/funds', { title: `${title} Fund`, ...terms })).id;
  for (const [id, maxCommitment] of [
    [own, 10_000],
    [other, 30_000],
  ] as const) {
    const investor = { id, kind: 'LP' };
    await created('/crud/LPCommitments', { fund, investor, closingDate: '2025-12-15', maxCommitment });
  }
  const of = (id: string) => ({ investor: { id, kind: 'LP' } });
  const calls = await created('/crud/contributions', {
    fund,
    callNumber: '8',
    cutOffDate: '2025-12-16',
    dueDate: '2149-01-31',
    amount: { sum: 800, currency },
    callPurposes: [{ title: 'Loans', kind: 'investments', amount: 800 }],
    amounts: [
      { ...of(own), purposes: [{ title: 'Loans', amount: 500 }] },
      { ...of(other), purposes: [{ title: 'Loans', amount: 300 }] },
    ],
  });
  const sums = (sum: number) => ({ title: 'Interest', amount: { sum, currency } });
  const payments = await created('/crud/distributions', {
    fund,
    callNumber: '4',
    cutOffDate: '2149-01-31',
    distributionKind: 'Interest',
    principal: { sum: 0, currency },
    components: [{ ...sums(1100), actionType: 'INTEREST' }],
    callPurposes: [],
    amounts: [
      { ...of(own), components: [sums(200)] },
      { ...of(other), components: [sums(900)] },
    ],
  });
  const call: string = calls[0].metadata.bundleId;
  const distribution: string = payments[0].metadata.bundleId;
  /** The documents of both, as they are now. */
  const parts = async () => {
    const partsOf = async (collection: string, bundle: string): Promise<Part[]> => {
      const found = await manager.get(`/crud/${collection}`, { filter: { 'metadata.bundleId': bundle } } as never);
      return found.json.map(({ id, version }: Part) => ({ id, version }));
    };
    return {
      contributions: await partsOf('contributions', call),
      distributions: await partsOf('distributions', distribution),
    };
  };
  return { fund, call, distribution, parts };
}
