import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { CsvCell } from '@tapeline/domain/files/csv-text.ts';
import {
  stratificationQuerySchema,
  tapePairQuerySchema,
  tapeQuerySchema,
  vintageQuerySchema,
} from '@tapeline/domain/pools/pool-query.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import {
  type AsCaller,
  openPair,
  openSeries,
  openTape,
  rollRatesOf,
  speedsOf,
  statusMigrationOf,
  strataOf,
  vintagesOf,
} from '../commands/pool-analyses.server.ts';
import { CSV_TYPE, csvResponse } from './csv.ts';
import { type Call, type Endpoint, endpoint } from './endpoint.ts';
import {
  amount,
  curveBody,
  curveSchema,
  fileName,
  keyBody,
  keyCells,
  keySchema,
  matrixAnswer,
  matrixSchema,
  poolShape,
  share,
  speedsSchema,
  stratumBody,
  stratumShape,
  tapeHeadOf,
} from './pool-bodies.ts';

export type Calling = Pick<Call<unknown, unknown, unknown>, 'actor' | 'context'>;
export const inSightOf =
  ({ actor, context }: Calling): AsCaller =>
  (work) =>
    context.store.as(actor, work);

export const lacks = (what: string): Refusal =>
  new Refusal('badRequest', undefined, { flags: { loanTapeId: `requires ${what}` } });

export async function pairOrRefuse(calling: Calling, query: { loanTapeId: string; against?: string | undefined }) {
  const { before, after } = await openPair(calling.context, inSightOf(calling), query);
  if (before) return { before, after };
  throw new Refusal('badRequest', undefined, { flags: { against: 'there is not an earlier tape of the borrower' } });
}

/** Calls in addition to the specified ones: how a pool moves from tape to tape, and what it consists of. */
export const poolAnalyticsEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/LTP/analytics/statusMigration',
    access: 'assets/read',
    summary: 'Get status migration since an earlier tape, by count and opening balance',
    query: tapePairQuerySchema,
    files: [CSV_TYPE],
    response: matrixSchema,
    async handle({ query, ...calling }) {
      const pair = await pairOrRefuse(calling, query);
      const matrix = await statusMigrationOf(calling.context, pair.before, pair.after);
      if (!matrix) throw lacks('asset ids and statuses, which the earlier tape also needs');
      return matrixAnswer(matrix, pair, query.format, 'status-migration');
    },
  }),
  endpoint({
    method: 'GET',
    path: '/LTP/analytics/rollRates',
    access: 'assets/read',
    summary: 'Get roll rates between days-past-due buckets since an earlier tape, by count and opening balance',
    query: tapePairQuerySchema,
    files: [CSV_TYPE],
    response: matrixSchema,
    async handle({ query, ...calling }) {
      const pair = await pairOrRefuse(calling, query);
      const matrix = await rollRatesOf(calling.context, pair.before, pair.after);
      if (!matrix) throw lacks('asset ids and days past due, which the earlier tape also needs');
      return matrixAnswer(matrix, pair, query.format, 'roll-rates');
    },
  }),
  endpoint({
    method: 'GET',
    path: '/LTP/analytics/vintages',
    access: 'assets/read',
    summary: 'Get vintage curves: cumulative default and prepayment by origination period and months on book',
    query: vintageQuerySchema,
    files: [CSV_TYPE],
    response: z.object({
      ...poolShape,
      by: z.string(),
      measure: z.string(),
      source: z.string(),
      tapes: z.int().meta({ description: 'Tapes used for loan histories' }),
      leftOut: z.object({ withoutId: z.int(), withoutDate: z.int(), closedBefore: z.int(), undated: z.int() }),
      all: curveSchema,
      vintages: z.array(curveSchema),
    }),
    async handle({ query, ...calling }) {
      const series = await openSeries(calling.context, inSightOf(calling), query.loanTapeId);
      const found = await vintagesOf(calling.context, series, query);
      if (!found) throw lacks('origination dates (dateFinanced)');
      const open = series[series.length - 1]!;
      const { curves, ...rest } = found;
      const { currency, missingRates, all, vintages } = curves;
      if (query.format === 'csv') {
        return csvResponse(
          fileName(open, 'vintages'),
          ['vintage', 'monthsOnBook', 'atRisk', 'defaulted', 'prepaid'],
          [all, ...vintages].flatMap(({ vintage, points }) =>
            points.map(({ month, atRisk, defaulted, prepaid }): CsvCell[] => [
              vintage,
              month,
              atRisk,
              defaulted,
              prepaid,
            ]),
          ),
        );
      }
      return {
        body: {
          ...tapeHeadOf(open),
          by: query.by,
          measure: query.measure,
          ...rest,
          currency,
          missingRates,
          all: curveBody(all, currency),
          vintages: vintages.map((curve) => curveBody(curve, currency)),
        },
      };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/LTP/analytics/prepayment',
    access: 'assets/read',
    summary:
      'Get prepayment (SMM, CPR) and default (MDR, CDR) rates between the company’s monthly tapes up to this one; the last 12 periods',
    query: tapeQuerySchema,
    files: [CSV_TYPE],
    response: z.array(speedsSchema),
    async handle({ query, ...calling }) {
      const series = await openSeries(calling.context, inSightOf(calling), query.loanTapeId);
      const found = await speedsOf(calling.context, series);
      if (query.format === 'csv') {
        return csvResponse(
          fileName(series[series.length - 1]!, 'prepayment'),
          [
            'from',
            'to',
            'months',
            'loans',
            'opening',
            'scheduled',
            'prepaid',
            'defaulted',
            'currency',
            'smm',
            'cpr',
            'mdr',
            'cdr',
          ],
          found.map(({ from, to, speeds }): CsvCell[] => [
            from.cutOffDate,
            to.cutOffDate,
            speeds?.months ?? null,
            speeds?.loans ?? null,
            speeds?.opening ?? null,
            speeds?.scheduled ?? null,
            speeds?.prepaid ?? null,
            speeds?.defaulted ?? null,
            speeds?.currency ?? null,
            speeds?.smm ?? null,
            speeds?.cpr ?? null,
            speeds?.mdr ?? null,
            speeds?.cdr ?? null,
          ]),
        );
      }
      return {
        count: found.length,
        body: found.map(({ from, to, speeds }) => {
          const currency = speeds?.currency ?? '';
          return {
            from: { loanTapeId: from.id, cutOffDate: from.cutOffDate },
            to: { loanTapeId: to.id, cutOffDate: to.cutOffDate },
            months: speeds?.months ?? null,
            loans: speeds?.loans ?? null,
            opening: amount(speeds?.opening ?? null, currency),
            scheduled: amount(speeds?.scheduled ?? null, currency),
            prepaid: amount(speeds?.prepaid ?? null, currency),
            defaulted: amount(speeds?.defaulted ?? null, currency),
            vanished: speeds && { loans: speeds.vanished.loans, opening: amount(speeds.vanished.opening, currency) },
            withoutSchedule: speeds?.withoutSchedule ?? null,
            smm: exactNumber(speeds?.smm ?? null),
            cpr: exactNumber(speeds?.cpr ?? null),
            cprWithVanished: exactNumber(speeds?.cprWithVanished ?? null),
            mdr: exactNumber(speeds?.mdr ?? null),
            cdr: exactNumber(speeds?.cdr ?? null),
          };
        }),
      };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/LTP/analytics/stratification',
    access: 'assets/read',
    summary:
      'Get the stratification of a tape by bands or values of a field: count, balance, shares and balance-weighted averages',
    query: stratificationQuerySchema,
    files: [CSV_TYPE],
    response: z.object({
      ...poolShape,
      field: z.string(),
      bands: z.array(z.string()).nullable().meta({ description: 'Band edges; null for a field with values' }),
      measures: z
        .object({ rate: z.string().nullable(), term: z.string().nullable(), score: z.string().nullable() })
        .meta({ description: 'Fields used for the averages: rate in percentage points, term in days' }),
      total: z.object(stratumShape),
      strata: z.array(
        z.object({
          key: keySchema,
          countShare: share,
          balanceShare: share,
          ...stratumShape,
        }),
      ),
    }),
    async handle({ query, ...calling }) {
      const open = await openTape(calling.context, inSightOf(calling), query.loanTapeId, query.borrowingBase);
      const found = await strataOf(calling.context, open, query);
      const { currency, strata } = found;
      if (query.format === 'csv') {
        return csvResponse(
          fileName(open, `stratification-${found.field.path}`),
          [
            'kind',
            'fromOrValue',
            'below',
            'count',
            'countShare',
            'balance',
            'balanceShare',
            'currency',
            'rate',
            'term',
            'score',
          ],
          strata.map(({ key, count, countShare, balance, balanceShare, averages }): CsvCell[] => [
            ...keyCells(key),
            count,
            countShare,
            balance,
            balanceShare,
            currency,
            averages.rate,
            averages.term,
            averages.score,
          ]),
        );
      }
      return {
        body: {
          ...tapeHeadOf(open),
          field: found.field.path,
          bands: found.edges,
          measures: found.measures,
          currency,
          missingRates: found.missingRates,
          total: stratumBody(found.total, currency),
          strata: strata.map((stratum) => ({
            key: keyBody(stratum.key),
            ...stratumBody(stratum, currency),
            countShare: exactNumber(stratum.countShare),
            balanceShare: exactNumber(stratum.balanceShare),
          })),
        },
      };
    },
  }),
];
