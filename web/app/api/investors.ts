import { activityOfInvestor } from '@tapeline/db/operations/capital/activity.ts';
import { shownRecord } from '@tapeline/db/operations/investors/investor-record.ts';
import { createLP, getLP, LPS, type LPView, listLPs, updateLP } from '@tapeline/db/operations/investors/investors.ts';
import { confirmPayoutAccount } from '@tapeline/db/operations/investors/payout-accounts.ts';
import { investorActivitySchema } from '@tapeline/domain/capital/activity-statement.schema.ts';
import type { InvestorActivity } from '@tapeline/domain/capital/print/activity.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { payoutConfirmationSchema } from '@tapeline/domain/investors/investor-record.schema.ts';
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
  ...shownRecord(investor),
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
    method: 'POST',
    path: '/crud/LPs/{id}/confirmPayoutAccount',
    access: 'LPs/write',
    summary:
      'Confirm the pay-out account of a currency, so that distributions are paid to it. Nobody confirms an account that they chose or changed. Also needs entities/write',
    params: idParamsSchema,
    body: payoutConfirmationSchema,
    response: lpSchema,
    handle: ({ params, body: { currency, check }, db }) =>
      db(async (session) => {
        const { payoutAccounts } = await getLP(session, params.id);
        const payout = payoutAccounts.find((one) => one.currency === currency);
        if (!payout) {
          throw new Refusal('badRequest', 'The investor has no pay-out account in this currency', {
            flags: { currency: 'has no pay-out account' },
          });
        }
        await confirmPayoutAccount(session, { id: payout.id, check });
        return { body: toBody(await getLP(session, params.id)) };
      }),
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
