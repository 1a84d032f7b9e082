import {
  createScenario,
  getScenario,
  listScenarios,
  removeScenario,
  SCENARIOS,
  type ScenarioView,
  updateScenario,
} from '@tapeline/db/operations/scenarios/scenarios.ts';
import { compareBases } from '@tapeline/domain/borrowing-base/compare-bases.ts';
import { callsOf } from '@tapeline/domain/collections/collections.ts';
import { documentSchema } from '@tapeline/domain/documents/document.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { listQuerySchema } from '@tapeline/domain/filters/list-query.schema.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import {
  scenarioChangeSchema,
  scenarioCreateSchema,
  scenarioUpdateSchema,
} from '@tapeline/domain/scenarios/scenario.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { assetsOfScenario, type OpenScenario, openScenario } from '../commands/scenarios.server.ts';
import { affectedAssetBody, affectedAssetSchema } from './base-comparison.ts';
import { baseOf, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { inSightOf } from './pool-analytics.ts';
import { ofCollection, resource } from './resource.ts';

const responseSchema = documentSchema
  .extend({
    borrowingBase: idSchema
      .nullable()
      .meta({ description: 'The borrowing base that it changes, as it was calculated last' }),
    loanTape: idSchema,
    contract: idSchema,
    company: idSchema,
    transaction: idSchema,
    transactionTitle: z.string(),
    note: idSchema,
    noteTitle: z.string(),
    cutOffDate: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    changes: z.array(scenarioChangeSchema).meta({
      description:
        'Applied together. Rules and cases are named by their position in the contract, from 0; -1 is the default rate. Percentages are per cent: 5 is 5%',
    }),
  })
  .meta({ id: 'Scenario' });

const toBody = (scenario: ScenarioView) => ({
  ...baseOf(scenario),
  borrowingBase: scenario.baseId,
  loanTape: scenario.tapeId,
  contract: scenario.contractId,
  company: scenario.companyId,
  transaction: scenario.transactionId,
  note: scenario.noteId,
  ...pick(scenario, 'transactionTitle', 'noteTitle', 'cutOffDate', 'title', 'changes'),
  description: scenario.description ?? null,
});

const amount = wireAmountSchema.nullable().meta({ description: 'Null if it is unknown' });
const percent = z.number().nullable();
const resultSchema = z
  .object({
    scenario: idSchema,
    borrowingBase: idSchema,
    isScenario: z.literal(true).meta({ description: 'It is no borrowing base: nothing can be drawn against it' }),
    currency: z.string(),
    changes: z.array(z.string()).meta({ description: 'In words: "Advance rate of Current: 85% → 80%"' }),
    lines: z
      .array(
        z.object({
          label: z.string(),
          kind: z.enum(['level', 'change']),
          certificate: amount,
          scenario: amount,
          difference: amount,
        }),
      )
      .meta({ description: 'From the relevant pool to availability: changes lead from each level to the next' }),
    weightedAdvanceRatePercent: z.object({ certificate: percent, scenario: percent }),
    assets: z.object({
      count: z.int().meta({ description: 'Assets that it affects' }),
      ownCount: z.int().meta({
        description:
          'Those of them whose own amount, status or rate differs. The others are advanced another amount because limits measure another pool',
      }),
      effect: wireAmountSchema.meta({ description: 'On what is advanced, before it is rounded' }),
      statusChanges: z.array(z.object({ from: z.string(), to: z.string(), assets: z.int() })),
    }),
    defaulted: z
      .array(z.object({ change: z.int(), keys: z.array(z.string()) }))
      .meta({ description: 'The obligors that default, by the position of the change, the largest first' }),
  })
  .meta({ id: 'ScenarioResult' });

function resultBody({ scenario, base, words, calculated }: OpenScenario) {
  const { currency } = base;
  const money = (sum: string | null) => (sum === null ? null : { sum, currency });
  const figures = compareBases(base.result, calculated.result);
  const rate = figures.find(({ unit }) => unit === 'percent');
  return {
    scenario: scenario.id,
    borrowingBase: base.id,
    isScenario: true as const,
    currency,
    changes: [...words],
    lines: figures
      .filter(({ unit }) => unit === 'money')
      .map(({ label, isLevel, before, now, change }) => ({
        label,
        kind: isLevel ? ('level' as const) : ('change' as const),
        certificate: money(before),
        scenario: money(now),
        difference: money(change),
      })),
    weightedAdvanceRatePercent: {
      certificate: exactNumber(rate?.before ?? null),
      scenario: exactNumber(rate?.now ?? null),
    },
    assets: {
      count: calculated.assets.count,
      ownCount: calculated.assets.ownCount,
      effect: { sum: calculated.assets.effect, currency },
      statusChanges: calculated.assets.statusChanges.map((one) => ({ ...one })),
    },
    defaulted: calculated.defaulted.map(({ change, keys }) => ({ change, keys: [...keys] })),
  };
}

const PATH = callsOf('scenarios');

/** Scenarios of borrowing bases, and what they give. */
export const scenarioEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('scenarios'),
    response: responseSchema,
    toBody,
    list: { listable: SCENARIOS, load: listScenarios },
    get: getScenario,
    create: {
      body: scenarioCreateSchema,
      run: createScenario,
      summary: 'Keep a scenario of a borrowing base: a named list of changes. Also needs borrowingBase/read',
      example: {
        borrowingBase: '65f0c2a1b3d4e5f601234567',
        title: 'Lower rate, two defaults',
        changes: [
          { kind: 'rate', rule: -1, ratePercent: 80 },
          { kind: 'limit', rule: 0, value: 10 },
          { kind: 'haircut', filter: { daysPastDue: { gte: 30 } }, percent: 5 },
          { kind: 'largestDefault', field: 'borrowerId', count: 2 },
        ],
      },
    },
    update: { body: scenarioUpdateSchema, run: updateScenario },
    remove: { run: removeScenario },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}/result`,
    access: 'borrowingBase/read',
    summary:
      'Show what a scenario gives beside its borrowing base. It is calculated on the assets of the tape. Also needs transactions/read',
    params: idParamsSchema,
    response: resultSchema,
    async handle({ params, ...calling }) {
      return { body: resultBody(await openScenario(calling, inSightOf(calling), params.id)) };
    },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}/assets`,
    access: 'assets/read',
    summary:
      'List the assets that a scenario affects, those with the largest effect first. Also needs borrowingBase/read and transactions/read',
    params: idParamsSchema,
    query: listQuerySchema.pick({ skip: true, limit: true }),
    response: z.array(affectedAssetSchema),
    async handle({ params, query, ...calling }) {
      const asCaller = inSightOf(calling);
      const opened = await openScenario(calling, asCaller, params.id);
      const { assets, total, assetPrefix } = await assetsOfScenario(calling, asCaller, opened, query);
      const prefixes = { before: assetPrefix, after: assetPrefix };
      return {
        count: total,
        body: assets.map((asset) => affectedAssetBody(asset, opened.base.currency, prefixes)),
      };
    },
  }),
];
