import { assetIdOf } from '@tapeline/db/ids.ts';
import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { certificateBefore } from '@tapeline/db/operations/borrowing-bases/compared-bases.ts';
import { borrowingBaseCollection } from '@tapeline/domain/borrowing-base/borrowing-base.collection.ts';
import { CAUSE_MEANINGS, CAUSES } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import {
  affectedAssetsQuerySchema,
  comparisonQuerySchema,
} from '@tapeline/domain/borrowing-base/causes/comparison-query.schema.ts';
import {
  EXPLAINED_FIGURES,
  type ExplainedLine,
  figuresOfLine,
} from '@tapeline/domain/borrowing-base/causes/explain-difference.ts';
import { BORROWING_BASE_STEPS } from '@tapeline/domain/borrowing-base/waterfall.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import type { AssetInStep } from '@tapeline/lake/asset-effects.ts';
import { z } from 'zod';
import {
  assetsOfCause,
  type NamedAsset,
  type OpenComparison,
  openComparedAssets,
  openComparison,
} from '../commands/base-comparison.server.ts';
import { CSV_TYPE, csvResponse } from './csv.ts';
import { idParamsSchema } from './documents.ts';
import { type Call, type Endpoint, endpoint } from './endpoint.ts';
import { type Calling, inSightOf } from './pool-analytics.ts';

const PATH = `${borrowingBaseCollection.calls}/{id}/comparison` as const;

const causeSchema = z.enum(CAUSES).meta({
  description: CAUSES.map((cause) => `${cause}: ${CAUSE_MEANINGS[cause]}`).join(' '),
});
const baseSchema = z.object({ id: z.string(), cutOffDate: z.string(), note: z.string(), loanTapeId: z.string() });
const comparisonSchema = z
  .object({
    earlier: baseSchema,
    later: baseSchema,
    currency: z.string(),
    figure: z.enum(EXPLAINED_FIGURES).meta({
      description:
        'The figure that is explained: availability at cut-off, or what is known of both: availableBase, netBB',
    }),
    earlierFigure: wireAmountSchema,
    laterFigure: wireAmountSchema,
    difference: wireAmountSchema.meta({ description: 'Later less earlier' }),
    notExplained: wireAmountSchema.meta({
      description: 'The difference less all causes. Zero unless a contract or a rate was changed after the calculation',
    }),
    causes: z
      .array(
        z.object({
          cause: causeSchema,
          effect: wireAmountSchema.meta({ description: 'On the figure' }),
          netEffect: wireAmountSchema.meta({ description: 'On netBB' }),
          assets: z
            .object({
              count: z.int().meta({ description: 'Assets that the cause reaches' }),
              ownCount: z.int().meta({
                description:
                  'Those of them whose own value differs, also outside the pool. The others are advanced another amount because limits measure another pool',
              }),
              effect: wireAmountSchema.meta({ description: 'Added up, before netBB is rounded to the minor unit' }),
            })
            .nullable()
            .meta({ description: 'Null for a cause of the note, behind which there are no assets' }),
        }),
      )
      .meta({ description: 'In the order in which the parts of the earlier base are replaced. They add up to it' }),
    lines: z
      .array(
        z.object({
          step: z.enum(BORROWING_BASE_STEPS),
          label: z.string(),
          kind: z.enum(['level', 'change']),
          earlier: wireAmountSchema,
          later: wireAmountSchema,
          difference: wireAmountSchema,
          effects: z.array(z.object({ cause: causeSchema, effect: wireAmountSchema })),
          notExplained: wireAmountSchema,
        }),
      )
      .meta({ description: 'From the relevant pool to the figure: changes lead from each level to the next' }),
  })
  .meta({ id: 'BaseComparison' });

const inStepSchema = z
  .object({
    assetId: z.string().meta({ description: 'Id of the document' }),
    rowNumber: z.int(),
    status: z.string(),
    firstFailed: z.string().nullable().meta({ description: 'Title of the first rule that it fails' }),
    amount: wireAmountSchema.nullable(),
    remaining: wireAmountSchema,
    ratePercent: z.number().nullable(),
    advanced: wireAmountSchema,
  })
  .nullable()
  .meta({ description: 'Null: not in the pool of this step' });

export const affectedAssetSchema = z
  .object({
    id: z.string().nullable(),
    isOwn: z.boolean().meta({ description: 'Whether its own value differs; otherwise limits measure another pool' }),
    before: inStepSchema,
    after: inStepSchema,
    effect: wireAmountSchema.meta({ description: 'On what is advanced against it' }),
  })
  .meta({ id: 'AffectedAsset' });

/** The base of the address, and the other one or the one before. */
async function opened(
  calling: Calling & Pick<Call<unknown, unknown, unknown>, 'request'>,
  id: string,
  against: string | undefined,
): Promise<OpenComparison> {
  const asCaller = inSightOf(calling);
  const other =
    against ?? (await asCaller(async (session) => certificateBefore(session, await getBorrowingBase(session, id))));
  if (other === null) {
    throw new Refusal('badRequest', undefined, {
      flags: { against: 'there is no earlier borrowing base of the note' },
    });
  }
  return openComparison(calling, asCaller, [other, id]);
}

const baseBody = ({ id, cutOffDate, noteId, tapeId }: OpenComparison['earlier']) => ({
  id,
  cutOffDate,
  note: noteId,
  loanTapeId: tapeId,
});

function comparisonBody({ earlier, later, comparison }: OpenComparison) {
  const { currency, figure, total, lines, causes } = comparison.difference;
  const money = (sum: string) => ({ sum, currency });
  const effectsOf = ({ effects }: ExplainedLine) =>
    CAUSES.map((cause, index) => ({ cause, effect: money(effects[index] ?? '0') }));
  return {
    earlier: baseBody(earlier),
    later: baseBody(later),
    currency,
    figure,
    earlierFigure: money(total.earlier),
    laterFigure: money(total.later),
    difference: money(total.difference),
    notExplained: money(total.notExplained),
    causes: causes.map(({ cause, effect, netEffect }) => {
      const assets = comparison.assets.find((one) => one.cause === cause);
      return {
        cause,
        effect: money(effect),
        netEffect: money(netEffect),
        assets: assets ? { count: assets.count, ownCount: assets.ownCount, effect: money(assets.effect) } : null,
      };
    }),
    lines: lines.map((line) => ({
      step: line.step,
      label: line.label,
      kind: line.kind,
      earlier: money(line.earlier),
      later: money(line.later),
      difference: money(line.difference),
      effects: effectsOf(line),
      notExplained: money(line.notExplained),
    })),
  };
}

function csvOf({ earlier, later, comparison }: OpenComparison): Response {
  const { lines } = comparison.difference;
  return csvResponse(
    `comparison-${earlier.cutOffDate}-${later.cutOffDate}`,
    ['step', 'line', 'earlier', 'later', 'difference', ...CAUSES, 'notExplained'],
    lines.map((line) => [line.step, line.label, ...figuresOfLine(line)]),
  );
}

export function affectedAssetBody(asset: NamedAsset, currency: string, prefixes: { before: string; after: string }) {
  const money = (sum: string) => ({ sum, currency });
  const side = (step: AssetInStep | null, prefix: string, rule: string | null) =>
    step && {
      assetId: assetIdOf(prefix, step.row),
      rowNumber: step.row,
      status: step.status,
      firstFailed: rule,
      amount: step.amount === null ? null : money(step.amount),
      remaining: money(step.remaining),
      ratePercent: step.rate === null ? null : exactNumber(step.rate),
      advanced: money(step.advanced),
    };
  return {
    id: asset.assetId,
    isOwn: asset.isOwn,
    before: side(asset.before, prefixes.before, asset.ruleBefore),
    after: side(asset.after, prefixes.after, asset.ruleAfter),
    effect: money(asset.effect),
  };
}

/** Why a borrowing base differs from another one, by cause and down to the asset. */
export const baseComparisonEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'borrowingBase/read',
    summary:
      'Explain by cause why this borrowing base differs from another one of the facility. The later one is that of the later cut-off date, or of one date the one that was calculated last. The causes add up to the difference, later less earlier',
    params: idParamsSchema,
    query: comparisonQuerySchema.extend({ format: z.enum(['json', 'csv']).default('json') }),
    files: [CSV_TYPE],
    response: comparisonSchema,
    async handle({ params, query, ...calling }) {
      const comparison = await opened(calling, params.id, query.against);
      return query.format === 'csv' ? csvOf(comparison) : { body: comparisonBody(comparison) };
    },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/assets`,
    access: 'assets/read',
    summary: 'List the assets behind a cause, those with the largest effect first. Also needs borrowingBase/read',
    params: idParamsSchema,
    query: affectedAssetsQuerySchema,
    response: z.array(affectedAssetSchema),
    async handle({ params, query, ...calling }) {
      const comparison = await opened(calling, params.id, query.against);
      const compared = await openComparedAssets(calling, inSightOf(calling), comparison);
      const { assets, total } = await assetsOfCause(calling, compared, query.cause, query);
      const [before, after] =
        query.cause === 'onlyInOne'
          ? [compared.before.assetPrefix, compared.after.assetPrefix]
          : [compared.after.assetPrefix, compared.after.assetPrefix];
      const { currency } = comparison.comparison.difference;
      return { count: total, body: assets.map((asset) => affectedAssetBody(asset, currency, { before, after })) };
    },
  }),
];
