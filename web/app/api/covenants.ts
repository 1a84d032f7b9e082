import {
  approveWaiver,
  declineWaiver,
  listWaivers,
  recordCure,
  requestWaiver,
  shownWaiver,
  testAgain,
  withdrawWaiver,
} from '@tapeline/db/operations/covenants/breaches.ts';
import {
  COVENANTS,
  type CovenantView,
  createCovenant,
  getCovenant,
  listCovenants,
  type ResultView,
  removeCovenant,
  resultsOfCovenant,
  updateCovenant,
} from '@tapeline/db/operations/covenants/covenants.ts';
import { requestDeclineSchema } from '@tapeline/domain/approvals/decline.schema.ts';
import { callsOf } from '@tapeline/domain/collections/collections.ts';
import { cureSchema, shownWaiverSchema, waiverSchema } from '@tapeline/domain/covenants/breach.schema.ts';
import { covenantCreateSchema, covenantUpdateSchema } from '@tapeline/domain/covenants/covenant.schema.ts';
import {
  CONSEQUENCES,
  COVENANT_BOUNDS,
  COVENANT_STATES,
  COVENANT_UNITS,
  OUTCOMES,
} from '@tapeline/domain/covenants/covenant-labels.ts';
import { FREQUENCIES } from '@tapeline/domain/dates/reporting-periods.ts';
import { documentSchema } from '@tapeline/domain/documents/document.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { baseOf, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';
import { stepsOf } from './steps.ts';

const nullable = z.string().nullable();
const figure = z.number().nullable();

const resultSchema = z
  .object({
    id: idSchema,
    testDate: z.string(),
    outcome: z.enum([...OUTCOMES, 'notApplicable']),
    value: z.number().meta({ description: 'The average over the periods' }),
    limit: figure,
    headroom: figure.meta({ description: 'How far the value is from the limit; negative beyond it' }),
    periods: z.array(
      z.object({
        after: z.string(),
        to: z.string(),
        value: figure,
        figures: z.array(
          z.object({
            name: z.string(),
            value: z.number(),
            currency: nullable,
            on: z.string(),
            source: z.object({ resource: z.enum(['facilityFigures', 'borrowingBases']), id: z.string() }),
          }),
        ),
      }),
    ),
    testedAt: z.string(),
    cureUntil: nullable,
    curedOn: nullable,
    curedBy: nullable,
    cureReason: nullable,
    waivedUntil: nullable,
  })
  .meta({ id: 'CovenantResult' });

const resultBody = (result: ResultView) => ({
  id: result.id,
  testDate: result.testDate,
  outcome: result.outcome,
  value: exactNumber(result.value),
  limit: exactNumber(result.limitValue),
  headroom: exactNumber(result.headroom),
  periods: result.periods.map(({ after, to, value, figures }) => ({
    after,
    to,
    value: exactNumber(value),
    figures: figures.map(({ name, currency, on, source, value: read }) => ({
      name,
      value: exactNumber(read),
      currency,
      on,
      source,
    })),
  })),
  testedAt: result.testedAt,
  cureUntil: result.cureUntil,
  curedOn: result.curedOn,
  curedBy: result.curedBy,
  cureReason: result.cureReason,
  waivedUntil: result.waivedUntil,
});

const boundSchema = z.enum(COVENANT_BOUNDS);
const responseSchema = documentSchema
  .extend({
    company: idSchema,
    companyName: z.string(),
    transaction: idSchema,
    transactionTitle: z.string(),
    note: idSchema,
    noteTitle: z.string(),
    title: z.string(),
    clause: nullable,
    clauseText: nullable,
    formula: z.string().meta({ description: 'Figures in square brackets: [60+ days] / [Relevant pool] * 100' }),
    unit: z.enum(COVENANT_UNITS),
    currency: nullable,
    bound: boundSchema,
    steps: z.array(z.object({ from: z.string(), limit: z.number() })),
    frequency: z.enum(FREQUENCIES),
    firstTest: z.string(),
    periods: z.int(),
    daysToReport: z.int(),
    warningDistance: figure,
    cureDays: z.int(),
    consequence: z.enum(CONSEQUENCES),
    defaultRate: figure,
    springing: z.object({ formula: z.string(), bound: boundSchema, limit: z.number() }).nullable(),
    state: z.enum(COVENANT_STATES).meta({ description: 'How the covenant stands today' }),
    nextTest: z.string(),
    results: z.array(resultSchema).meta({ description: 'The last 12 results, the latest first' }),
  })
  .meta({ id: 'Covenant' });

const toBody = (covenant: CovenantView) => ({
  ...baseOf(covenant),
  company: covenant.companyId,
  companyName: covenant.companyName,
  transaction: covenant.transactionId,
  transactionTitle: covenant.transactionTitle,
  note: covenant.noteId,
  noteTitle: covenant.noteTitle,
  title: covenant.title,
  clause: covenant.clause ?? null,
  clauseText: covenant.clauseText ?? null,
  formula: covenant.formula,
  unit: covenant.unit,
  currency: covenant.currency ?? null,
  bound: covenant.bound,
  steps: covenant.steps.map(({ from, limit }) => ({ from, limit: exactNumber(limit) })),
  frequency: covenant.frequency,
  firstTest: covenant.firstTest,
  periods: covenant.periods,
  daysToReport: covenant.daysToReport,
  warningDistance: exactNumber(covenant.warningDistance ?? null),
  cureDays: covenant.cureDays,
  consequence: covenant.consequence,
  defaultRate: exactNumber(covenant.defaultRate ?? null),
  springing: covenant.springing ? { ...covenant.springing, limit: exactNumber(covenant.springing.limit) } : null,
  state: covenant.state,
  nextTest: covenant.nextTest,
  results: covenant.results.map(resultBody),
});

const PATH = callsOf('covenants');
const step = stepsOf({
  path: `${PATH}/{id}`,
  access: 'transactions/write',
  params: idParamsSchema,
  response: responseSchema,
  toBody,
});
const stepOfWaiver = stepsOf({
  path: '/crud/covenantWaivers/{id}',
  access: 'transactions/write',
  params: z.object({ id: idSchema }),
  response: shownWaiverSchema,
  toBody: shownWaiver,
});

/** Covenants of notes, what their tests found, and what was done about breaches. */
export const covenantEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('covenants'),
    response: responseSchema,
    toBody,
    list: { listable: COVENANTS, load: listCovenants },
    get: getCovenant,
    create: {
      body: covenantCreateSchema,
      run: createCovenant,
      summary: 'Create a covenant of a note, or a list of them. Tests whose date has come are made',
      example: {
        transaction: '65f0c2a1b3d4e5f601234567',
        note: '65f0c2a1b3d4e5f601234568',
        title: '60+ days past due',
        clause: '6.3(b)',
        formula: '[60+ days past due] / [Relevant pool] * 100',
        unit: 'percent',
        bound: 'atMost',
        steps: [{ from: '2026-01-31', limit: 5 }],
        frequency: 'monthly',
        firstTest: '2026-01-31',
        periods: 3,
        consequence: 'drawStop',
        cureDays: 10,
      },
    },
    update: {
      body: covenantUpdateSchema,
      run: updateCovenant,
      summary: 'Update a covenant. Earlier results stay as they are',
    },
    remove: { run: removeCovenant },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}/results`,
    access: 'transactions/read',
    summary: 'List the results of a covenant, up to 400, the latest first, with those that were tested again',
    params: idParamsSchema,
    response: z.array(resultSchema.extend({ status: z.enum(['Active', 'Superseded']) })),
    handle: ({ params: { id }, db }) =>
      db(async (session) => {
        await getCovenant(session, id);
        const results = await resultsOfCovenant(session, id);
        return { body: results.map((result) => ({ ...resultBody(result), status: result.status })) };
      }),
  }),
  step({
    name: 'test',
    summary: 'Test the date of the latest result again, from what is known now. The earlier result is superseded',
    run: (session, { id }) => testAgain(session, id),
  }),
  step({
    name: 'cure',
    summary: 'Record that the breach of the latest test is cured, within its days to cure',
    body: cureSchema,
    run: (session, { id }, body) => recordCure(session, { covenantId: id, body }),
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}/waivers`,
    access: 'transactions/read',
    summary: 'List the waivers of a covenant, up to 200, the latest first. Borrowers see approved ones',
    params: idParamsSchema,
    response: z.array(shownWaiverSchema),
    handle: ({ params: { id }, db }) =>
      db(async (session) => ({ body: (await listWaivers(session, id)).map(shownWaiver) })),
  }),
  endpoint({
    method: 'POST',
    path: `${PATH}/{id}/waivers`,
    access: 'transactions/write',
    summary: 'Ask to waive the breach of the latest test until a day. Nothing changes until someone else approves it',
    params: idParamsSchema,
    body: waiverSchema,
    response: shownWaiverSchema,
    example: { body: { until: '2026-12-30', reason: 'Capital was raised after the quarter' } },
    handle: ({ params: { id }, body, db }) =>
      db(async (session) => ({ body: shownWaiver(await requestWaiver(session, { covenantId: id, body })) })),
  }),
  stepOfWaiver({
    name: 'approve',
    summary: 'Approve a waiver. The person who entered it cannot approve it',
    run: (session, { id }) => approveWaiver(session, id),
  }),
  stepOfWaiver({
    name: 'decline',
    summary: 'Decline a waiver with a reason. The person who entered it withdraws it instead',
    body: requestDeclineSchema,
    run: (session, { id }, { reason }) => declineWaiver(session, { id, reason }),
  }),
  stepOfWaiver({
    name: 'withdraw',
    summary: 'Withdraw a waiver that is not decided',
    run: (session, { id }) => withdrawWaiver(session, id),
  }),
];
