import { beforeAll, expect, test } from 'vitest';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let fund: string;
const investors: string[] = [];

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

const usd = (sum: number) => ({ sum, currency: 'USD' });

beforeAll(async () => {
  fund = (
    await created('/crud/funds', {
      title: 'Quayside Fund',
      type: 'ComingleFund',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: 4000,
      hardCap: 4000,
    })
  ).id;
  for (const [title, fees] of [
    ['Okavango Life', { success: { hurdle: 8, rate: 20, catchUp: 100 } }],
    ['Limpopo Life', {}],
  ] as const) {
    const entity = { name: title, formalId: title, nationality: { country: 'US' } };
    const { id } = await created('/crud/LPs', { title, entity });
    investors.push(id);
    await created('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2024-01-15',
      maxCommitment: usd(1000),
      fees,
    });
  }
  await created('/crud/contributions', {
    fund,
    cutOffDate: '2024-12-16',
    dueDate: '2025-01-01',
    callNumber: '1',
    amount: usd(200),
    callPurposes: [{ title: 'Loans', kind: 'investments', amount: 200 }],
    status: 'Active',
  });
});

const proceeds = (changes: object = {}) => ({
  fund,
  cutOffDate: '2026-01-01',
  callNumber: '1',
  distributionKind: 'Interest and Principal',
  principal: usd(260),
  principalSplit: 'waterfall',
  components: [
    { title: 'Gain', actionType: 'CG', split: 'waterfall' },
    { title: 'Carried interest', actionType: 'CG FEES', split: 'waterfall' },
  ],
  ...changes,
});

interface Part {
  id?: string;
  investor: { title: string };
  principal: { sum: number };
  cg: { amount: { sum: number } }[];
  cgFees: { amount: { sum: number } }[];
  totalDistributed: { sum: number };
  basis: { rule: string; waterfall?: Record<string, unknown> }[];
  warnings?: string[];
}

const partOf = (parts: Part[], title: string) => {
  const found = parts.find(({ investor }) => investor.title === title)!;
  return [found.principal.sum, found.cg[0]?.amount.sum, found.cgFees[0]?.amount.sum, found.totalDistributed.sum];
};

test('a dry run splits proceeds by the waterfall, and names who has no terms', async () => {
  const tried = await tenant.manager.post('/crud/distributions', proceeds({ dryRun: true }));
  expect(tried.status, tried.text).toBe(200);
  const parts = tried.json as Part[];
  expect(partOf(parts, 'Okavango Life')).toEqual([100, 30, 6, 124]);
  expect(partOf(parts, 'Limpopo Life')).toEqual([130, 0, 0, 130]);
  expect(parts[0]?.warnings?.join()).toContain('Carried interest is unknown for Limpopo Life');
  const [basis] = parts.find(({ investor }) => investor.title === 'Okavango Life')!.basis;
  expect(basis).toMatchObject({
    rule: 'waterfall',
    waterfall: { proceeds: '130.00', returnOfCapital: '100.00', preferredReturn: '8.00', catchUp: '2.00' },
  });
  const refused = await tenant.manager.post('/crud/distributions', proceeds());
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('components.1.amount');
});

test('what is entered for the investor without terms takes the place of its waterfall', async () => {
  const amounts = [
    {
      investor: { id: investors[1], kind: 'LP' },
      principal: usd(100),
      components: [
        { title: 'Gain', amount: usd(30) },
        { title: 'Carried interest', amount: usd(0) },
      ],
    },
  ];
  const parts = (await created('/crud/distributions', proceeds({ amounts }))) as Part[];
  expect(partOf(parts, 'Limpopo Life')).toEqual([100, 30, 0, 130]);
  const stored = (await tenant.manager.get(`/crud/distributions/${parts[0]?.id}`)).json as Part;
  expect(stored.basis.map(({ rule }) => rule)).toEqual(['waterfall', 'waterfall', 'waterfall']);
});

test('the proceeds of one investment are split by what was paid for it, and stored with its name', async () => {
  const tried = await tenant.manager.post(
    '/crud/distributions',
    proceeds({ investment: 'Loans', callNumber: '8', dryRun: true }),
  );
  expect(tried.status, tried.text).toBe(200);
  const [basis] = (tried.json as Part[])[0]!.basis as { investment?: string }[];
  expect(basis?.investment).toBe('Loans');
  const unknown = await tenant.manager.post('/crud/distributions', proceeds({ investment: 'Boats', callNumber: '8' }));
  expect([unknown.status, unknown.text.includes('"investment"')]).toEqual([400, true]);
  const alone = await tenant.manager.post(
    '/crud/distributions',
    proceeds({ investment: 'Loans', principalSplit: 'commitment' }),
  );
  expect(alone.status).toBe(400);
});

test('a carry without the rest of a waterfall is refused', async () => {
  const refused = await tenant.manager.post('/crud/distributions', proceeds({ principalSplit: 'commitment' }));
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('principalSplit');
});
