import { activityOf } from '@tapeline/db/operations/capital/activity.ts';
import { type CommitmentDetails, commitmentDetails } from '@tapeline/db/operations/capital/commitment-details.ts';
import {
  figuresByFund,
  type Ranked,
  selectionFigures,
  selectionReturns,
  topDeployedFunds,
  topFundInvestors,
} from '@tapeline/db/operations/capital/figures.ts';
import { latestFundFiles } from '@tapeline/db/operations/capital/reports.ts';
import {
  createCommitment,
  removeCommitment,
  updateCommitment,
  updateCommitments,
} from '@tapeline/db/operations/commitments/change-commitments.ts';
import { createFund, removeFund, updateFund } from '@tapeline/db/operations/funds/change-funds.ts';
import { feeTermsOfInvestors } from '@tapeline/db/operations/funds/fee-terms.ts';
import {
  type CommitmentView,
  FUNDS,
  type FundWithCommitments,
  getFund,
  getFundView,
  LP_COMMITMENTS,
  listCommitments,
  listFundGroups,
  listFundInvestors,
  listFunds,
  totalCommitments,
} from '@tapeline/db/operations/funds/funds.ts';
import { type TermsOf, warnOfProposals } from '@tapeline/db/operations/funds/terms-approval.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { activityStatementSchema } from '@tapeline/domain/capital/activity-statement.schema.ts';
import type { FigureSeries } from '@tapeline/domain/capital/capital-figures.ts';
import type { Coverage } from '@tapeline/domain/capital/coverage.ts';
import { fundFilesSchema } from '@tapeline/domain/capital/statement.schema.ts';
import {
  commitmentChangeSchema,
  commitmentCreateSchema,
  commitmentRemovalSchema,
  commitmentSchema,
  commitmentUpdateSchema,
} from '@tapeline/domain/commitments/commitment.schema.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { type CommitmentFees, type FeeTerms, wireInvestorTermsSchema } from '@tapeline/domain/funds/fees.schema.ts';
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
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { removedSchema } from './bulk.ts';
import { activityAmounts, investorBody } from './capital-bodies.ts';
import { baseOf, idParamsSchema, listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { entityBody } from './entities.ts';
import { ofCollection, resource } from './resource.ts';

/** Includes only the commitments visible to the caller: an investor's own, or all of a manager's. */
const toFund = ({ fund, commitments }: FundWithCommitments) => ({
  ...baseOf(fund),
  ...pick(fund, 'title', 'type', 'strategy', 'currency'),
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
  externalCode: fund.externalCode ?? null,
  excludeFromIRRCalculations: fund.excludeFromIrrCalculations,
  excuseCap: exactNumber(fund.excuseCap ?? null),
  ...fundTermsBody(fund),
  equalization: fund.equalization ?? null,
  reminders: fund.reminders,
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

/** Fee terms in wire format. */
const termsBody = ({ management, ...terms }: FeeTerms) => ({
  ...feesBody(terms),
  ...(management == null
    ? {}
    : {
        management: {
          ...management,
          ...(management.minimum === undefined ? {} : { minimum: exactNumber(management.minimum) }),
        },
      }),
});

/** Proposed terms of a fund in wire format. */
export const fundTermsBody = ({ feeTerms, investmentPeriodEnd }: TermsOf['funds']) => ({
  feeTerms: feeTerms.map(({ Class, from, terms }) => ({ Class: Class ?? null, from, terms: termsBody(terms) })),
  investmentPeriodEnd: investmentPeriodEnd ?? null,
});

const lettersBody = (letters: TermsOf['LPCommitments']['sideLetters']) =>
  letters.map(({ from, title, document, terms }) => ({
    from,
    title: title ?? null,
    document: document ?? null,
    terms: termsBody(terms),
  }));

/** Proposed terms of an investor in wire format. */
export const investorTermsBody = ({ fees, sideLetters }: TermsOf['LPCommitments']) => ({
  fees: feesBody(fees),
  sideLetters: lettersBody(sideLetters),
});

const toCommitment = (commitment: CommitmentView) => ({
  ...baseOf(commitment),
  fund: commitment.fundId,
  investor: investorBody(commitment),
  Class: commitment.Class ?? null,
  closingDate: commitment.closingDate,
  maxCommitment: { sum: commitment.maxCommitment, currency: commitment.currency },
  activeCommitment: { sum: commitment.activeCommitment, currency: commitment.currency },
  percentage: exactNumber(commitment.percentage),
  ...investorTermsBody(commitment),
  deltas: commitment.deltas.map(({ date, amount, title, transfer }) => ({
    date,
    amount: exactNumber(amount),
    title: title ?? null,
    ...(transfer ? { transfer } : {}),
  })),
});

/** One commitment with its return and the course of its figures. */
const toCommitmentDetails = (commitment: CommitmentDetails) => {
  const { currency, netIrr, series } = commitment;
  const shown = (steps: FigureSeries) => steps.map(({ date, amount }) => ({ date, amount: { sum: amount, currency } }));
  return {
    ...toCommitment(commitment),
    irr: percent(netIrr),
    netCapitalCalled: shown(series.netCapitalCalled),
    recallableCapital: shown(series.recallableCapital),
  };
};

const toActivity = ({ commitment, statement }: Awaited<ReturnType<typeof activityOf>>) => {
  const { fund, investor, Class } = toCommitment(commitment);
  return {
    commitment: commitment.id,
    fund,
    Class,
    investor,
    cutOffDate: statement.cutOffDate,
    ...activityAmounts(statement),
  };
};

/** A figure over the funds that the query selects. */
const figure = <Query extends z.ZodType>(definition: {
  path: string;
  summary: string;
  response: z.ZodType;
  query: Query;
  run: (session: Session, query: z.output<Query>) => Promise<unknown>;
}): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/crud/funds/${definition.path}`,
    access: 'funds/read',
    summary: definition.summary,
    query: definition.query as z.ZodType,
    response: definition.response,
    handle: ({ query, db }) =>
      db(async (session) => ({ body: await definition.run(session, query as z.output<Query>) })),
  });

const amountOf = (sum: DecimalText | null, currency: string) => (sum === null ? null : { sum, currency });

const rankingBody = (ranking: readonly Ranked[]) =>
  ranking.map(({ id, title, amount, currency, percentage }) => ({
    id,
    title,
    amount: { sum: amount, currency },
    percentage: exactNumber(percentage),
  }));

const coverageBody = ({ known, of, missing }: Coverage) => ({ known, of, missing: missing.map(({ id }) => id) });

/** A fraction in percent. */
const percent = (rate: number | null): number | null => (rate === null ? null : rate * 100);

const figureEndpoints: readonly Endpoint[] = [
  figure({
    path: 'counts/netCapitalCalled',
    summary: 'Get called, distributed and unfunded capital, NAV and multiples',
    query: fundFigureQuerySchema,
    response: netCapitalCalledSchema,
    run: async (session, query) => {
      const figures = await selectionFigures(session, query);
      const amount = (sum: DecimalText | null) => amountOf(sum, figures.currency);
      return {
        netCapitalCalled: amount(figures.netCapitalCalled),
        called: amount(figures.called),
        recallableCapital: amount(figures.recallableCapital),
        writtenOff: amount(figures.writtenOff),
        unfunded: amount(figures.unfunded),
        distributed: amount(figures.distributed),
        nav: amount(figures.nav),
        navDate: figures.navDate,
        dpi: exactNumber(figures.dpi),
        rvpi: exactNumber(figures.rvpi),
        tvpi: exactNumber(figures.tvpi),
        cutOffDate: figures.cutOffDate,
        ratesDate: figures.ratesDate,
        coverage: coverageBody(figures.coverage),
      };
    },
  }),
  figure({
    path: 'counts/netCapitalCalledVsCommitments',
    summary: 'List called capital and commitments per fund',
    query: fundFigureQuerySchema,
    response: calledAgainstCommitmentsSchema,
    run: async (session, query) =>
      (await figuresByFund(session, query)).map(({ id, title, currency, figures }) => ({
        id,
        title,
        netCapitalCalled: amountOf(figures.netCapitalCalled, currency),
        commitments: amountOf(figures.activeCommitment, currency),
      })),
  }),
  figure({
    path: 'counts/topDeployedFunds',
    summary: 'List the funds with the most called capital',
    query: fundFigureQuerySchema,
    response: rankingSchema,
    run: async (session, query) => rankingBody(await topDeployedFunds(session, query)),
  }),
  figure({
    path: 'counts/topFundInvestors',
    summary: 'List the investors with the largest commitments',
    query: fundFigureQuerySchema,
    response: rankingSchema,
    run: async (session, query) => rankingBody(await topFundInvestors(session, query)),
  }),
  figure({
    path: 'counts/irr',
    summary: 'Get the gross and net internal rate of return in percent',
    query: fundFigureQuerySchema.extend({
      items: z.enum(['true', 'false']).optional().meta({ description: 'Whether to include the cash flows' }),
    }),
    response: irrSchema,
    run: async (session, { items, ...query }) => {
      const found = await selectionReturns(session, query);
      const reason = found.net.reason ?? found.gross.reason;
      return {
        gross: percent(found.gross.rate),
        net: percent(found.net.rate),
        cutOffDate: found.cutOffDate,
        navSum: exactNumber(found.navSum),
        currency: found.currency,
        ...(reason ? { reason } : {}),
        coverage: coverageBody(found.coverage),
        ...(items === 'true'
          ? { items: found.items.map(({ when, amount }) => ({ when, amount: exactNumber(amount) })) }
          : {}),
      };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/funds/data/fundFilesQuickAccess',
    access: 'funds/read',
    summary: 'List the latest statement and report of each fund and class',
    query: fundFigureQuerySchema,
    response: fundFilesSchema,
    handle: ({ query, read }) => read(async (session) => ({ body: await latestFundFiles(session, query) })),
  }),
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
  endpoint({
    method: 'GET',
    path: '/crud/funds/{id}/feeTerms',
    access: 'LPs/commitments/read',
    summary: 'List the fee terms of each investor on a day, and where each part of them is agreed',
    params: idParamsSchema,
    query: z.object({
      cutOffDate: calendarDateSchema.optional().meta({ description: 'As-of date; today if omitted' }),
    }),
    response: z.array(wireInvestorTermsSchema),
    handle: ({ params, query, db }) =>
      db(async (session) => {
        const { id } = await getFund(session, params.id);
        const at = query.cutOffDate ?? todayOf(session);
        const held = await feeTermsOfInvestors(session, { fundId: id, at });
        const body = held.map(({ commitmentId, terms, ...one }) => ({
          commitment: commitmentId,
          ...one,
          terms: termsBody(terms),
        }));
        return { body, count: body.length };
      }),
  }),
  ...resource({
    ...ofCollection('funds'),
    response: fundSchema,
    toBody: toFund,
    list: { listable: FUNDS, load: listFunds, summary: 'List funds, with the commitments to them' },
    create: { body: fundCreateSchema, run: createFund },
    update: {
      body: fundUpdateSchema,
      async run(session, command) {
        const fund = await updateFund(session, command);
        await warnOfProposals(session, 'funds', [command.id]);
        return fund;
      },
    },
    remove: { run: removeFund, summary: 'Delete a fund without commitments' },
    get: getFundView,
  }),
  ...resource({
    ...ofCollection('LPCommitments'),
    response: commitmentSchema,
    toBody: toCommitment,
    create: { body: commitmentCreateSchema, run: createCommitment },
    update: {
      body: commitmentUpdateSchema,
      async run(session, command) {
        const commitment = await updateCommitment(session, command);
        await warnOfProposals(session, 'LPCommitments', [command.id]);
        return commitment;
      },
    },
    updateMany: {
      path: '/bulk/update',
      item: commitmentChangeSchema,
      async run(session, items) {
        const commitments = await updateCommitments(session, items);
        const ids = items.map(({ id }) => id);
        await warnOfProposals(session, 'LPCommitments', ids);
        return commitments;
      },
    },
    list: { listable: LP_COMMITMENTS, load: listCommitments },
  }),
  ...resource({
    ...ofCollection('LPCommitments'),
    response: commitmentSchema,
    toBody: toCommitmentDetails,
    get: commitmentDetails,
  }),
  endpoint({
    method: 'GET',
    path: '/crud/LPCommitments/{id}/activity',
    access: 'LPs/commitments/read',
    summary:
      "Get the investor's activity statement: commitments, calls, distributions and write-offs with what is unfunded and the net capital called after each. Also needs contributions/read and distributions/read",
    params: idParamsSchema,
    query: z.object({
      cutOffDate: calendarDateSchema.optional().meta({ description: 'Entries up to this day; today if omitted' }),
    }),
    response: activityStatementSchema,
    handle: ({ params, query, db }) =>
      db(async (session) => ({
        body: toActivity(await activityOf(session, { id: params.id, cutOffDate: query.cutOffDate })),
      })),
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
        body: await removeCommitment(session, { id: params.id, ...body }),
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
