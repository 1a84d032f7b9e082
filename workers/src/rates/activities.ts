import { storePublishedRates } from '@tapeline/db/operations/currencies/enter-rates.ts';
import { currencyRates } from '@tapeline/db/operations/currencies/rates.ts';
import { recordRefresh } from '@tapeline/db/operations/currencies/refreshes.ts';
import { type Store, systemActor } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { readPublishedRates } from '@tapeline/domain/money/published-rates.ts';
import type { RateActivities, RefreshedRates } from '@tapeline/workflows/rates/activities.ts';
import { Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import { parseRates } from './parse-rates.ts';
import { requestRates, ServiceUnavailable } from './request-rates.ts';

const REFRESHER = systemActor('Rates service');

/** @param context.ratesUrl null if no service is configured */
export function createRateActivities(context: {
  readonly store: Store;
  readonly ratesUrl: string | null;
  readonly log: Logger;
}): RateActivities {
  const { store, ratesUrl, log } = context;
  return {
    async fetchRates(): Promise<RefreshedRates> {
      if (!ratesUrl) throw new Refusal('badRequest', 'No rates service is configured: set RATES_URL');
      const answer = parseRates(await answerOf(ratesUrl));
      // One transaction: good rates are stored with the record of the refresh, and a wrong answer stores nothing.
      const ended = await store.as(REFRESHER, async (session) => {
        const published = readPublishedRates(answer, {
          today: todayOf(session),
          inForce: await currencyRates(session),
        });
        const isNew = await storePublishedRates(session, published);
        const refreshed: RefreshedRates = {
          outcome: isNew ? 'updated' : 'unchanged',
          ratesOn: published.date,
          currencyCount: Object.keys(published.rates).length,
        };
        await recordRefresh(session, refreshed);
        return refreshed;
      });
      log.info(ended, 'currency rates were refreshed');
      return ended;
    },
    async recordFailedRefresh({ reason }) {
      await store.as(REFRESHER, (session) => recordRefresh(session, { outcome: 'failed', reason }));
      log.warn({ reason }, 'currency rates could not be refreshed');
    },
  };
}

async function answerOf(url: string): Promise<string> {
  const { cancellationSignal, info } = Context.current();
  try {
    return await requestRates(url, cancellationSignal);
  } catch (error) {
    // The last attempt ends with a message for the screen; earlier ones are tried again.
    const isLast = info.attempt >= (info.retryPolicy?.maximumAttempts ?? 1);
    if (error instanceof ServiceUnavailable && isLast) {
      throw new Refusal('serverError', error.message, { cause: error });
    }
    throw error;
  }
}
