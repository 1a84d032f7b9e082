import { forecastOfNote } from '@tapeline/db/operations/invoices/forecast.ts';
import { forecastQuerySchema, forecastSchema } from '@tapeline/domain/forecast/forecast.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

export const forecastEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/crud/transactions/notes/forecast',
    access: 'repayments/read',
    summary:
      'Forecast the interest and fees of a note by invoice period for the rest of its term, on base rates that the call chooses',
    query: forecastQuerySchema,
    response: forecastSchema,
    handle: ({ query: { rates, shift, ...query }, db }) =>
      db(async (session) => {
        const curve = { points: rates ?? [], shift: shift ?? 0 };
        const { transactionTitle, noteTitle, periods, interest, inKind, fees, total, ...forecast } =
          await forecastOfNote(session, { ...query, curve });
        const money = (sum: DecimalText | null) => sum && { sum, currency: forecast.currency };
        return {
          body: {
            isForecast: true as const,
            ...forecast,
            periods: periods.map(({ rates: applied, ...period }) => ({
              ...period,
              balance: money(period.balance),
              lowestRate: applied?.lowest ?? null,
              highestRate: applied?.highest ?? null,
              interest: money(period.interest),
              inKind: money(period.inKind),
              fees: money(period.fees),
              total: money(period.total),
              unknown: [...period.unknown],
            })),
            interest: money(interest),
            inKind: money(inKind),
            fees: money(fees),
            total: money(total),
          },
        };
      }),
  }),
];
