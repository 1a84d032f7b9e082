import type { CsvCell } from '@tapeline/domain/files/csv-text.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { MovementMatrix } from '@tapeline/domain/pools/movements.ts';
import type { Stratum, StratumKey } from '@tapeline/domain/pools/stratification.ts';
import type { VintageCurve } from '@tapeline/domain/pools/vintages.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import type { OpenTape } from '../commands/pool-analyses.server.ts';
import { csvResponse } from './csv.ts';

export const share = z.number().nullable();
const endSchema = z.object({ loanTapeId: z.string(), cutOffDate: z.string() });
/** The leading fields of every answer about two tapes. */
export const pairShape = { loanTapeId: z.string(), cutOffDate: z.string(), against: endSchema };
/** The leading fields of every answer about a pool. */
export const poolShape = {
  loanTapeId: z.string(),
  cutOffDate: z.string(),
  currency: z
    .string()
    .meta({ description: 'Main currency of the tape; other currencies are converted at the tape’s rates' }),
  missingRates: z.array(z.string()).meta({ description: 'Currencies without a rate; a rate of 1 is used' }),
};

export const matrixSchema = z
  .object({
    ...poolShape,
    against: endSchema,
    count: z.int(),
    opening: wireAmountSchema.nullable(),
    rows: z.array(
      z.object({
        from: z.string(),
        count: z.int(),
        opening: wireAmountSchema.nullable(),
        withoutBalance: z.int(),
        cells: z.array(
          z.object({
            to: z.string(),
            count: z.int(),
            countShare: share,
            opening: wireAmountSchema.nullable(),
            balanceShare: share,
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'MovementMatrix' });

export const curveSchema = z
  .object({
    vintage: z.string(),
    loans: z.int(),
    original: wireAmountSchema.nullable(),
    defaults: z.int(),
    prepayments: z.int(),
    points: z.array(z.object({ month: z.int(), atRisk: z.number(), defaulted: z.number(), prepaid: z.number() })),
  })
  .meta({ id: 'VintageCurve' });

export const speedsSchema = z.object({
  from: endSchema,
  to: endSchema,
  months: z.int().nullable(),
  loans: z.int().nullable(),
  opening: wireAmountSchema.nullable(),
  scheduled: wireAmountSchema.nullable(),
  prepaid: wireAmountSchema.nullable(),
  defaulted: wireAmountSchema.nullable(),
  vanished: z.object({ loans: z.int(), opening: wireAmountSchema }).nullable(),
  withoutSchedule: z.int().nullable(),
  smm: share,
  cpr: share,
  cprWithVanished: share,
  mdr: share,
  cdr: share,
});

export const stratumShape = {
  count: z.int(),
  balance: wireAmountSchema.nullable(),
  weightedAverages: z.object({ rate: share, term: share, score: share }),
};

/** Null is unknown and stays null. */
export const amount = (sum: DecimalText | null, currency: string) => (sum === null ? null : { sum, currency });
export const tapeHeadOf = ({ tape }: OpenTape) => ({ loanTapeId: tape.id, cutOffDate: tape.cutOffDate });
export const fileName = ({ tape }: OpenTape, what: string) => `${what}-${tape.cutOffDate}`;

/** Returns a matrix of movements as JSON with exact figures, or as a CSV file of its cells. */
export function matrixAnswer(
  matrix: MovementMatrix,
  pair: { before: OpenTape; after: OpenTape },
  format: string,
  name: string,
) {
  const { currency, rows } = matrix;
  if (format === 'csv') {
    return csvResponse(
      fileName(pair.after, name),
      ['from', 'to', 'count', 'countShare', 'opening', 'balanceShare', 'currency'],
      rows.flatMap(({ from, cells }) =>
        cells.map(({ to, count, countShare, opening, balanceShare }): CsvCell[] => [
          from,
          to,
          count,
          countShare,
          opening,
          balanceShare,
          currency,
        ]),
      ),
    );
  }
  return {
    body: {
      ...tapeHeadOf(pair.after),
      against: tapeHeadOf(pair.before),
      currency,
      missingRates: matrix.missingRates,
      count: matrix.count,
      opening: amount(matrix.opening, currency),
      rows: rows.map((row) => ({
        ...row,
        opening: amount(row.opening, currency),
        cells: row.cells.map((cell) => ({
          ...cell,
          countShare: exactNumber(cell.countShare),
          opening: amount(cell.opening, currency),
          balanceShare: exactNumber(cell.balanceShare),
        })),
      })),
    },
  };
}

export const curveBody = ({ original, points, ...curve }: VintageCurve, currency: string) => ({
  ...curve,
  original: amount(original, currency),
  points: points.map(({ month, ...point }) => ({
    month,
    atRisk: exactNumber(point.atRisk),
    defaulted: exactNumber(point.defaulted),
    prepaid: exactNumber(point.prepaid),
  })),
});

export const keySchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('band'), from: z.string().nullable(), below: z.string().nullable() }),
    z.object({ kind: z.literal('value'), value: z.union([z.string(), z.boolean()]) }),
    z.object({ kind: z.literal('other'), values: z.int() }),
    z.object({ kind: z.literal('missing') }),
  ])
  .meta({ id: 'StratumKey' });

/** Describes the assets of a stratum in wire format. */
export function keyBody(key: StratumKey): z.infer<typeof keySchema> {
  switch (key.kind) {
    case 'band':
      return { kind: 'band', from: key.band.from, below: key.band.below };
    case 'value':
      return { kind: 'value', value: key.value };
    case 'other':
      return { kind: 'other', values: key.values };
    case 'missing':
      return { kind: 'missing' };
  }
}

/** The first two cells of a stratum in a CSV file: its kind and its content. */
export function keyCells(key: StratumKey): CsvCell[] {
  if (key.kind === 'band') return ['band', key.band.from, key.band.below];
  return [key.kind, key.kind === 'value' ? key.value : null, null];
}

export const stratumBody = (
  { count, balance, averages }: Omit<Stratum, 'key' | 'countShare' | 'balanceShare'>,
  currency: string,
) => ({
  count,
  balance: amount(balance, currency),
  weightedAverages: {
    rate: exactNumber(averages.rate),
    term: exactNumber(averages.term),
    score: exactNumber(averages.score),
  },
});
