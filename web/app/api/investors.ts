import { activityOfInvestor } from '@tapeline/db/operations/capital/activity.ts';
import { createLP, getLP, LPS, type LPView, listLPs, updateLP } from '@tapeline/db/operations/investors/investors.ts';
import { investorActivitySchema } from '@tapeline/domain/capital/activity-statement.schema.ts';
import type { InvestorActivity } from '@tapeline/domain/capital/print/activity.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { lpCreateSchema, lpSchema, lpUpdateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import { z } from 'zod';
import { activityAmounts } from './capital-bodies.ts';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { partyBody } from './parties.ts';
import { ofCollection, resource } from './resource.ts';

const toBody = (investor: LPView) => ({
  ...partyBody(investor),
  title: investor.title,
  group: investor.group,
  externalCode: investor.externalCode ?? null,
  lastVisitedStats: investor.lastVisitedStats,
});

const toActivity = ({ investor, cutOffDate, currencies }: InvestorActivity) => ({
  investor: { ...investor, kind: 'LP' as const },
  cutOffDate,
  currencies: currencies.map(({ currency, entries, closing }) => ({
    currency,
    ...activityAmounts({ currency, entries: entries.map(({ fundTitle: _, ...entry }) => entry), closing }),
  })),
});

export const investorEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('LPs'),
    response: lpSchema,
    toBody,
    list: { listable: LPS, load: listLPs },
    get: getLP,
    create: {
      body: lpCreateSchema,
      run: createLP,
      summary: 'Create an investor, or a list of investors. A group that is named by a new title is created',
    },
    update: { body: lpUpdateSchema, run: updateLP },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/LPs/{id}/activity',
    access: 'LPs/read',
    summary:
      "Get the investor's activity statement over all of its commitments, for each currency: commitments, calls, distributions and write-offs with what is unfunded and the net capital called after each. Also needs LPs/commitments/read, contributions/read, distributions/read and funds/read",
    params: idParamsSchema,
    query: z.object({
      cutOffDate: calendarDateSchema.optional().meta({ description: 'Entries up to this day; today if omitted' }),
    }),
    response: investorActivitySchema,
    handle: ({ params, query, db }) =>
      db(async (session) => ({
        body: toActivity(await activityOfInvestor(session, { id: params.id, cutOffDate: query.cutOffDate })),
      })),
  }),
];
