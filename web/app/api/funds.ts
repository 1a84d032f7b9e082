import {
  createCommitment,
  removeCommitment,
  updateCommitment,
  updateCommitments,
} from '@tapeline/db/operations/commitments/change-commitments.ts';
import { createFund, removeFund, updateFund } from '@tapeline/db/operations/funds/change-funds.ts';
import {
  type CommitmentView,
  FUNDS,
  type FundWithCommitments,
  getCommitment,
  getFundView,
  LP_COMMITMENTS,
  listCommitments,
  listFundGroups,
  listFundInvestors,
  listFunds,
  totalCommitments,
} from '@tapeline/db/operations/funds/funds.ts';
import { fundFilesSchema } from '@tapeline/domain/capital/statement.schema.ts';
import {
  commitmentChangeSchema,
  commitmentCreateSchema,
  commitmentRemovalSchema,
  commitmentSchema,
  commitmentUpdateSchema,
} from '@tapeline/domain/commitments/commitment.schema.ts';
import type { CommitmentFees } from '@tapeline/domain/funds/fees.schema.ts';
import {
  fundCreateSchema,
  fundFigureQuerySchema,
  fundSchema,
  fundUpdateSchema,
} from '@tapeline/domain/funds/fund.schema.ts';
import {
  calledAgainstCommitmentsSchema,
  fundClassesSchema,
  fundGroupsSchema,
  fundInvestorsSchema,
  irrSchema,
  netCapitalCalledSchema,
  rankingSchema,
} from '@tapeline/domain/funds/fund-figures.schema.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { removedSchema } from './bulk.ts';
import { baseOf, idParamsSchema, listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint, unavailable } from './endpoint.ts';
import { entityBody } from './entities.ts';
import { resource } from './resource.ts';

/** Includes only the commitments visible to the caller: an investor's own, or all of a manager's. */
const toFund = ({ fund, commitments }: FundWithCommitments) => ({
  ...baseOf(fund),
  title: fund.title,
  type: fund.type,
  strategy: fund.strategy,
  currency: fund.currency,
  targetSize: { sum: fund.targetSize, currency: fund.currency },
  hardCap: { sum: fund.hardCap, currency: fund.currency },
  closingDate: fund.closingDate ?? null,
  description: fund.description ?? null,
  classes: fund.classes,
  entity: fund.entity && entityBody(fund.entity),
  GPs: fund.GPs.map(entityBody),
  managementCompany: fund.managementCompany && entityBody(fund.managementCompany),
  serviceProviders: fund.serviceProviderIds,
  timeline: fund.timeline,
  nonRecyclable: fund.nonRecyclable ?? null,
  mainFund: fund.mainFundId ?? null,
  excludeFromIRRCalculations: fund.excludeFromIrrCalculations,
  investors: commitments.investors,
  commitments: commitments.totals.map(({ currency, maxCommitment, activeCommitment }) => ({
    maxCommitment: { sum: maxCommitment, currency },
    activeCommitment: { sum: activeCommitment, currency },
  })),
});

/** The fees in wire format. The cap is a number with all its digits. */
const feesBody = ({ overallCap, ...fees }: CommitmentFees) => ({
  ...fees,
  ...(overallCap === undefined ? {} : { overallCap: exactNumber(overallCap) }),
});

const toCommitment = (commitment: CommitmentView) => ({
  ...baseOf(commitment),
  fund: commitment.fundId,
  investor: {
    id: commitment.investorLPId ?? commitment.investorFundId,
    kind: commitment.investorKind,
    title: commitment.investor?.title ?? null,
    formalName: commitment.investor?.formalName ?? null,
    code: commitment.investor?.code ?? null,
  },
  Class: commitment.Class ?? null,
  closingDate: commitment.closingDate,
  maxCommitment: { sum: commitment.maxCommitment, currency: commitment.currency },
  activeCommitment: { sum: commitment.activeCommitment, currency: commitment.currency },
  fees: feesBody(commitment.fees),
  deltas: commitment.deltas.map(({ date, amount, title, transfer }) => ({
    date,
    amount: exactNumber(amount),
    title: title ?? null,
    ...(transfer ? { transfer } : {}),
  })),
});

/** A figure over the funds that the query selects. */
const figure = (path: string, summary: string, response: z.ZodType, query: z.ZodType = fundFigureQuerySchema) =>
  endpoint({
    method: 'GET',
    path: `/crud/funds/${path}`,
    access: 'funds/read',
    summary,
    query,
    response,
    isUnavailable: true,
    handle: unavailable,
  });

const figureEndpoints: readonly Endpoint[] = [
  figure(
    'counts/netCapitalCalled',
    'Get called, distributed and unfunded capital, NAV and multiples',
    netCapitalCalledSchema,
  ),
  figure(
    'counts/netCapitalCalledVsCommitments',
    'List called capital and commitments per fund',
    calledAgainstCommitmentsSchema,
  ),
  figure('counts/topDeployedFunds', 'List the funds with the most called capital', rankingSchema),
  figure('counts/topFundInvestors', 'List the investors with the largest commitments', rankingSchema),
  figure(
    'counts/irr',
    'Get the gross and net internal rate of return in percent',
    irrSchema,
    fundFigureQuerySchema.extend({
      items: z.enum(['true', 'false']).optional().meta({ description: 'Whether to include the cash flows' }),
    }),
  ),
  figure('data/fundFilesQuickAccess', 'List the latest statement and report of each fund and class', fundFilesSchema),
  endpoint({
    method: 'GET',
    path: '/crud/funds/all/classes',
    access: 'funds/read',
    summary: 'List the classes of every fund. Filters, sorting and paging are over funds',
    query: listParamsSchema,
    response: fundClassesSchema,
    handle: ({ query, read }) =>
      read(async (session) => {
        const { documents, total } = await listFunds(session, query);
        const body = documents.map(({ fund }) => ({ fund: fund.id, title: fund.title, classes: fund.classes }));
        return { body, count: total };
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/crud/funds/groups/mains',
    access: 'funds/read',
    summary: 'List all funds by main fund; those without one are last',
    response: fundGroupsSchema,
    handle: ({ read }) => read(async (session) => ({ body: await listFundGroups(session) })),
  }),
  endpoint({
    method: 'GET',
    path: '/crud/funds/all/investors',
    access: 'funds/read',
    summary: 'List everyone who has committed to a fund, with the ids of the funds',
    response: fundInvestorsSchema,
    handle: ({ read }) =>
      read(async (session) => {
        const body = await listFundInvestors(session);
        return { body, count: body.length };
      }),
  }),
];

export const fundEndpoints: readonly Endpoint[] = [
  ...figureEndpoints,
  ...resource({
    path: '/crud/funds',
    noun: ['fund', 'funds'],
    read: 'funds/read',
    response: fundSchema,
    toBody: toFund,
    write: 'funds/write',
    list: { listable: FUNDS, load: listFunds, summary: 'List funds, with the commitments to them' },
    create: { body: fundCreateSchema, run: createFund },
    update: { body: fundUpdateSchema, run: updateFund },
    remove: { run: removeFund, summary: 'Delete a fund without commitments' },
    get: getFundView,
  }),
  ...resource({
    path: '/crud/LPCommitments',
    noun: ['commitment', 'commitments'],
    read: 'LPs/commitments/read',
    write: 'LPs/commitments/write',
    response: commitmentSchema,
    toBody: toCommitment,
    create: { body: commitmentCreateSchema, run: createCommitment },
    update: { body: commitmentUpdateSchema, run: updateCommitment },
    updateMany: { path: '/bulk/update', item: commitmentChangeSchema, run: updateCommitments },
    list: { listable: LP_COMMITMENTS, load: listCommitments },
    get: getCommitment,
  }),
  endpoint({
    method: 'DELETE',
    path: '/crud/LPCommitments/{id}',
    access: 'LPs/commitments/write',
    summary: "Delete a commitment, or all of its investor's commitments to the fund",
    params: idParamsSchema,
    body: commitmentRemovalSchema,
    response: removedSchema,
    handle: ({ params, body, db }) =>
      db(async (session) => ({
        body: await removeCommitment(session, { id: params.id, isDeleteAll: body.isDeleteAll }),
      })),
  }),
  endpoint({
    method: 'GET',
    path: '/crud/LPCommitments/counts/total',
    access: 'LPs/commitments/read',
    summary: 'Count and total of the commitments that pass the filter, one entry per currency',
    query: listParamsSchema.pick({ filter: true }),
    response: z.array(
      z.object({ count: z.int(), maxCommitment: wireAmountSchema, activeCommitment: wireAmountSchema }),
    ),
    handle: ({ query, db }) =>
      db(async (session) => {
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
];
