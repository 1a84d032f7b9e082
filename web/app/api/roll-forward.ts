import { assetIdOf } from '@tapeline/db/ids.ts';
import type { CsvCell } from '@tapeline/domain/files/csv-text.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { CHANGE_KINDS, CHANGE_SENTENCES } from '@tapeline/domain/pools/changes.ts';
import {
  changedAssetsQuerySchema,
  rolledAssetsQuerySchema,
  tapePairQuerySchema,
  tapeQuerySchema,
} from '@tapeline/domain/pools/pool-query.schema.ts';
import { SCORE_PARTS } from '@tapeline/domain/pools/reporting-score.ts';
import {
  type CountedBalance,
  type CurrencyRoll,
  POOL_PARTS,
  ROLL_LINES,
  type RollChange,
} from '@tapeline/domain/pools/roll-forward.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import type { RolledAsset, RolledSide } from '@tapeline/lake/roll-forward.ts';
import { z } from 'zod';
import { readScores } from '../commands/reporting-score.server.ts';
import {
  assetsOfChange,
  assetsOfLine,
  convertedTotal,
  loanChangesOf,
  type RolledPair,
  rollPair,
} from '../commands/roll-forward.server.ts';
import { CSV_TYPE, csvResponse } from './csv.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { type Calling, inSightOf, lacks, pairOrRefuse } from './pool-analytics.ts';
import { amount, fileName, pairShape, share, tapeHeadOf } from './pool-bodies.ts';

const lineSchema = z.enum(ROLL_LINES);
const partSchema = z.enum(POOL_PARTS);
const sizeSchema = z.object({ count: z.int(), balance: wireAmountSchema });
const changeSchema = z.object({
  line: lineSchema,
  before: z.int().meta({ description: 'Assets on the earlier tape with a known balance' }),
  after: z.int().meta({ description: 'Assets on the later tape with a known balance' }),
  change: wireAmountSchema,
});
const coveredSchema = z.object({
  count: z.int().meta({ description: 'Assets of the tape' }),
  known: z.int().meta({ description: 'Those with a known balance. The others are in no balance' }),
});

const forwardSchema = z
  .object({
    ...pairShape,
    opening: coveredSchema,
    closing: coveredSchema,
    lines: z
      .array(z.object({ line: lineSchema, before: z.int(), after: z.int() }))
      .meta({ description: 'Assets of each line on each tape, also those without a balance' }),
    currencies: z
      .array(
        z.object({
          currency: z.string(),
          opening: sizeSchema,
          changes: z.array(changeSchema),
          closing: sizeSchema,
          parts: z.array(
            z.object({
              part: partSchema,
              opening: sizeSchema,
              changes: z.array(changeSchema),
              movedIn: sizeSchema,
              movedOut: sizeSchema,
              closing: sizeSchema,
            }),
          ),
          moves: z.array(z.object({ from: partSchema, to: partSchema, count: z.int(), balance: wireAmountSchema })),
        }),
      )
      .meta({ description: 'In each currency, opening and all changes add up to closing exactly' }),
    total: z
      .object({
        currency: z.string(),
        opening: wireAmountSchema,
        changes: z.array(z.object({ line: lineSchema, change: wireAmountSchema })),
        exchange: wireAmountSchema.meta({
          description: 'The closing balance at the rates of the later tape, less that at the rates of the earlier one',
        }),
        closing: wireAmountSchema,
        leftOut: z.array(z.string()).meta({ description: 'Currencies for which a tape has no rate' }),
      })
      .meta({
        description: 'In the main currency of the later tape: opening and changes at the rates of the earlier tape',
      }),
  })
  .meta({ id: 'RollForward' });

const sideSchema = z
  .object({ assetId: z.string(), rowNumber: z.int(), part: partSchema, balance: wireAmountSchema.nullable() })
  .nullable()
  .meta({ description: 'Null: not on this tape. `assetId` is the id of its document' });

const rolledAssetSchema = z
  .object({ id: z.string().nullable(), line: lineSchema, before: sideSchema, after: sideSchema })
  .meta({ id: 'RolledAsset' });

const changedAssetSchema = rolledAssetSchema
  .extend({
    was: z.string().nullable().meta({ description: 'The value on the earlier tape' }),
    is: z.string().nullable().meta({ description: 'The value on the later tape' }),
  })
  .meta({ id: 'ChangedAsset' });

export async function rolledOrRefuse(calling: Calling, query: { loanTapeId: string; against?: string | undefined }) {
  const { before, after } = await pairOrRefuse(calling, query);
  const rolled = await rollPair(calling.context, inSightOf(calling), before, after);
  if (!rolled) throw lacks('asset ids and current balances, which the earlier tape also needs');
  return rolled;
}

export const headOf = ({ before, after }: RolledPair) => ({ ...tapeHeadOf(after), against: tapeHeadOf(before) });

function currencyBody({ currency, opening, changes, closing, parts, moves }: CurrencyRoll) {
  const size = ({ count, balance }: CountedBalance) => ({ count, balance: { sum: balance, currency } });
  const change = (one: RollChange) => ({ ...one, change: { sum: one.change, currency } });
  return {
    currency,
    opening: size(opening),
    changes: changes.map(change),
    closing: size(closing),
    parts: parts.map((part) => ({
      part: part.part,
      opening: size(part.opening),
      changes: part.changes.map(change),
      movedIn: size(part.movedIn),
      movedOut: size(part.movedOut),
      closing: size(part.closing),
    })),
    moves: moves.map((move) => ({ ...move, balance: { sum: move.balance, currency } })),
  };
}

function totalBody(rolled: RolledPair) {
  const { currency, opening, changes, exchange, closing, leftOut } = convertedTotal(rolled);
  const money = (sum: string) => ({ sum, currency });
  return {
    currency,
    opening: money(opening),
    changes: changes.map(({ line, change }) => ({ line, change: money(change) })),
    exchange: money(exchange),
    closing: money(closing),
    leftOut,
  };
}

const sideBody = (side: RolledSide | null, prefix: string) =>
  side && {
    assetId: assetIdOf(prefix, side.row),
    rowNumber: side.row,
    part: side.part,
    balance: side.currency === null ? null : amount(side.balance, side.currency),
  };

const assetBody = ({ assetId, line, before, after }: RolledAsset, { tapes }: RolledPair) => ({
  id: assetId,
  line,
  before: sideBody(before, tapes.before.assetPrefix),
  after: sideBody(after, tapes.after.assetPrefix),
});

/** Why the balances of one tape became those of another, and which changes between them should not happen. */
export const rollForwardEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/LTP/analytics/rollForward',
    access: 'assets/read',
    summary:
      'Get why the balances of an earlier tape became those of this one: opening, the change of each line, and closing, by currency and by part of the pool',
    query: tapePairQuerySchema,
    files: [CSV_TYPE],
    response: forwardSchema,
    async handle({ query, ...calling }) {
      const rolled = await rolledOrRefuse(calling, query);
      const { opening, closing, lines, currencies } = rolled.forward;
      if (query.format === 'csv') {
        return csvResponse(
          fileName(rolled.after, 'roll-forward'),
          ['currency', 'line', 'before', 'after', 'change'],
          currencies.flatMap((roll): CsvCell[][] => [
            [roll.currency, 'opening', roll.opening.count, null, roll.opening.balance],
            ...roll.changes.map(({ line, before, after, change }): CsvCell[] => [
              roll.currency,
              line,
              before,
              after,
              change,
            ]),
            [roll.currency, 'closing', null, roll.closing.count, roll.closing.balance],
          ]),
        );
      }
      return {
        body: {
          ...headOf(rolled),
          opening,
          closing,
          lines,
          currencies: currencies.map(currencyBody),
          total: totalBody(rolled),
        },
      };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/LTP/analytics/rollForward/assets',
    access: 'assets/read',
    summary: 'List the assets of a line of the roll-forward, those whose balance changed most first',
    query: rolledAssetsQuerySchema,
    response: z.array(rolledAssetSchema),
    async handle({ query, ...calling }) {
      const rolled = await rolledOrRefuse(calling, query);
      const { assets, total } = await assetsOfLine(calling.context, rolled, query, query);
      return { count: total, body: assets.map((asset) => assetBody(asset, rolled)) };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/LTP/analytics/changes',
    access: 'assets/read',
    summary: 'Count the changes since an earlier tape that should not happen, by kind',
    query: tapePairQuerySchema,
    files: [CSV_TYPE],
    response: z
      .object({
        ...pairShape,
        matched: z.int().meta({ description: 'Assets on both tapes, by an id that each lists once' }),
        changed: z.int().meta({ description: 'Those with at least one change' }),
        changes: z.array(
          z.object({
            kind: z.enum(CHANGE_KINDS),
            sentence: z.string(),
            compared: z
              .int()
              .nullable()
              .meta({ description: 'Assets for which both values are known; null if a tape does not have the fields' }),
            count: z.int().nullable(),
          }),
        ),
      })
      .meta({ id: 'ChangesBetweenTapes' }),
    async handle({ query, ...calling }) {
      const rolled = await rolledOrRefuse(calling, query);
      const { matched, changed, changes } = await loanChangesOf(calling.context, rolled);
      if (query.format === 'csv') {
        return csvResponse(
          fileName(rolled.after, 'changes'),
          ['kind', 'compared', 'count'],
          changes.map(({ kind, compared, count }): CsvCell[] => [kind, compared, count]),
        );
      }
      return {
        body: {
          ...headOf(rolled),
          matched,
          changed,
          changes: changes.map((change) => ({ ...change, sentence: CHANGE_SENTENCES[change.kind] })),
        },
      };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/LTP/analytics/changes/assets',
    access: 'assets/read',
    summary: 'List the loans with one kind of change that should not happen, with both values',
    query: changedAssetsQuerySchema,
    response: z.array(changedAssetSchema),
    async handle({ query, ...calling }) {
      const rolled = await rolledOrRefuse(calling, query);
      const { assets, total } = await assetsOfChange(calling.context, rolled, query.kind, query);
      return {
        count: total,
        body: assets.map((asset) => ({ ...assetBody(asset, rolled), was: asset.was, is: asset.is })),
      };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/LTP/analytics/reportingScore',
    access: 'assets/read',
    summary:
      'Get the scores of a borrower’s reporting in the months up to this tape, the latest first; the last 12 months',
    query: tapeQuerySchema,
    files: [CSV_TYPE],
    response: z.array(
      z
        .object({
          loanTapeId: z.string(),
          cutOffDate: z.string(),
          against: z.string().nullable().meta({ description: 'The tape of the month before; null for the first one' }),
          total: share.meta({ description: 'Of 100; null if a part is unknown' }),
          parts: z.array(
            z.object({
              part: z.enum(SCORE_PARTS),
              value: share.meta({
                description:
                  'The share of rows with errors; how often the tape was published again; days after the due date; the share of the opening balance that is not explained; the share of assets with a change that should not happen',
              }),
              points: share.meta({ description: 'Of 20' }),
            }),
          ),
        })
        .meta({ id: 'ReportingScore' }),
    ),
    async handle({ query, actor, context }) {
      const months = await readScores(context, (work) => context.store.as(actor, work), query.loanTapeId);
      if (query.format === 'csv') {
        return csvResponse(
          `reporting-score-${months[0]?.cutOffDate ?? ''}`,
          ['cutOffDate', 'part', 'value', 'points', 'total'],
          months.flatMap(({ cutOffDate, values, points, total }) =>
            SCORE_PARTS.map((part): CsvCell[] => [cutOffDate, part, values[part], points[part], total]),
          ),
        );
      }
      return {
        count: months.length,
        body: months.map(({ tapeId, cutOffDate, against, values, points, total }) => ({
          loanTapeId: tapeId,
          cutOffDate,
          against,
          total: exactNumber(total),
          parts: SCORE_PARTS.map((part) => ({
            part,
            value: exactNumber(values[part]),
            points: exactNumber(points[part]),
          })),
        })),
      };
    },
  }),
];
