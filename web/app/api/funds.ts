import type { Fund, LPCommitment } from '@tapeline/db/entities/funds.ts';
import {
  type CommitmentTotals,
  FUNDS,
  getCommitment,
  type InvestorName,
  investorsOf,
  LP_COMMITMENTS,
  listCommitments,
  listFunds,
  totalCommitments,
} from '@tapeline/db/operations/funds/funds.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { z } from 'zod';
import { amountBodySchema, baseOf, documentSchema, listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { listEndpoint, oneEndpoint } from './list-endpoint.ts';

const fundSchema = documentSchema
  .extend({
    title: z.string(),
    type: z.string(),
    strategy: z.string(),
    targetSize: amountBodySchema,
    hardCap: amountBodySchema,
    closingDate: z.string().nullable(),
    description: z.string().nullable(),
    classes: z.array(z.object({ name: z.string(), uniqueKey: z.string() })),
    entity: z.record(z.string(), z.unknown()).nullable(),
    investors: z.int(),
    commitments: z.array(z.object({ maxCommitment: amountBodySchema, activeCommitment: amountBodySchema })),
  })
  .meta({ id: 'Fund' });

/** Commitments are those in the caller's sight: an investor's own, a manager's all. */
const toFund = ({ fund, commitments }: { fund: Fund; commitments: CommitmentTotals }) => ({
  ...fund.details,
  ...baseOf(fund),
  title: fund.title,
  type: fund.type,
  strategy: fund.strategy,
  targetSize: { sum: fund.targetSize, currency: fund.currency },
  hardCap: { sum: fund.hardCap, currency: fund.currency },
  closingDate: fund.closingDate ?? null,
  description: fund.description ?? null,
  classes: fund.classes,
  entity: fund.entity ?? null,
  investors: commitments.investors,
  commitments: commitments.totals.map(({ currency, maxCommitment, activeCommitment }) => ({
    maxCommitment: { sum: maxCommitment, currency },
    activeCommitment: { sum: activeCommitment, currency },
  })),
});

const commitmentSchema = documentSchema
  .extend({
    fund: z.string(),
    investor: z.object({
      id: z.string(),
      kind: z.enum(['fund', 'LP']),
      title: z.string().nullable(),
      formalName: z.string().nullable(),
      code: z.int().nullable(),
    }),
    Class: z.string().nullable(),
    closingDate: z.string(),
    maxCommitment: amountBodySchema,
    activeCommitment: amountBodySchema,
    fees: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'LPCommitment' });

type Committed = { commitment: LPCommitment; investor: InvestorName | undefined };

const toCommitment = ({ commitment, investor }: Committed) => ({
  ...baseOf(commitment),
  fund: commitment.fundId,
  investor: {
    id: commitment.investorLPId ?? commitment.investorFundId,
    kind: commitment.investorKind,
    title: investor?.title ?? null,
    formalName: investor?.formalName ?? null,
    code: investor?.code ?? null,
  },
  Class: commitment.Class ?? null,
  closingDate: commitment.closingDate,
  maxCommitment: { sum: commitment.maxCommitment, currency: commitment.currency },
  activeCommitment: { sum: commitment.activeCommitment, currency: commitment.currency },
  fees: commitment.fees,
});

async function withInvestors(
  session: Parameters<typeof investorsOf>[0],
  commitments: readonly LPCommitment[],
): Promise<Committed[]> {
  const investors = await investorsOf(session, commitments);
  return commitments.map((commitment) => ({
    commitment,
    investor: investors.get(commitment.investorLPId ?? commitment.investorFundId ?? ''),
  }));
}

/** Funds and commitments as far as they are read. */
export const fundEndpoints: readonly Endpoint[] = [
  listEndpoint({
    path: '/crud/funds',
    access: 'funds/read',
    summary: 'Funds in sight, with what is committed to them',
    listable: FUNDS,
    list: listFunds,
    toBody: toFund,
    response: fundSchema,
  }),
  oneEndpoint({
    path: '/crud/funds/{id}',
    access: 'funds/read',
    summary: 'One fund',
    async get(session, id) {
      const [found] = (await listFunds(session, { filter: { id: id.toLowerCase() }, limit: 1 })).documents;
      if (!found) throw new Refusal('notFound');
      return found;
    },
    toBody: toFund,
    response: fundSchema,
  }),
  listEndpoint({
    path: '/crud/LPCommitments',
    access: 'LPs/commitments/read',
    summary: 'Commitments in sight',
    listable: LP_COMMITMENTS,
    async list(session, query) {
      const { documents, total } = await listCommitments(session, query);
      return { documents: await withInvestors(session, documents), total };
    },
    toBody: toCommitment,
    response: commitmentSchema,
  }),
  endpoint({
    method: 'GET',
    path: '/crud/LPCommitments/counts/total',
    access: 'LPs/commitments/read',
    summary: 'How many commitments pass the filter, and what they come to, one entry a currency',
    query: listParamsSchema.pick({ filter: true }),
    response: z.array(
      z.object({ count: z.int(), maxCommitment: amountBodySchema, activeCommitment: amountBodySchema }),
    ),
    handle: ({ query, actor, context }) =>
      context.store.as(actor, async (session) => {
        const totals = await totalCommitments(session, query);
        return {
          body: totals.map(({ currency, count, maxCommitment, activeCommitment }) => ({
            count,
            maxCommitment: { sum: maxCommitment, currency },
            activeCommitment: { sum: activeCommitment, currency },
          })),
        };
      }),
  }),
  oneEndpoint({
    path: '/crud/LPCommitments/{id}',
    access: 'LPs/commitments/read',
    summary: 'One commitment',
    async get(session, id) {
      const [found] = await withInvestors(session, [await getCommitment(session, id)]);
      return found as Committed;
    },
    toBody: toCommitment,
    response: commitmentSchema,
  }),
];
