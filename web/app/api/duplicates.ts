import type { DuplicatePair } from '@tapeline/db/entities/duplicates.ts';
import {
  DUPLICATE_PAIRS,
  decideDuplicates,
  getDuplicate,
  lastSearch,
  listDuplicates,
  MAX_DECIDED,
} from '@tapeline/db/operations/duplicates/duplicates.ts';
import { callsOf } from '@tapeline/domain/collections/collections.ts';
import { documentSchema } from '@tapeline/domain/documents/document.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { duplicateDecisionSchema, duplicateLoanSchema } from '@tapeline/domain/duplicates/duplicate.schema.ts';
import { CERTAINTIES } from '@tapeline/domain/duplicates/rules.ts';
import { z } from 'zod';
import { searchDuplicates } from '../commands/duplicates.server.ts';
import { baseOf } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

const responseSchema = documentSchema
  .extend({
    status: z.enum(['Open', 'Same', 'Different', 'Explained', 'Removed']),
    certainty: z.enum(CERTAINTIES),
    obligor: z.string().nullable(),
    countedTwice: z
      .string()
      .nullable()
      .meta({ description: 'The smaller of both balances; null if they are unknown or in two currencies' }),
    currency: z.string().nullable(),
    foundAt: z.string(),
    loans: z
      .array(duplicateLoanSchema.extend({ loanTape: z.string(), company: z.string() }))
      .meta({ description: 'Both loans, as their tapes state them' }),
    reason: z.string().nullable(),
    decidedBy: z.string().nullable(),
    decidedAt: z.string().nullable(),
  })
  .meta({ id: 'PairOfLoans' });

function toBody(pair: DuplicatePair): z.infer<typeof responseSchema> {
  const [first, second] = pair.loans;
  return {
    ...baseOf(pair),
    status: pair.status,
    certainty: pair.certainty,
    obligor: pair.obligor ?? null,
    countedTwice: pair.countedTwice ?? null,
    currency: pair.currency ?? null,
    foundAt: pair.foundAt.toISOString(),
    loans: [
      { ...first, loanTape: pair.firstTapeId, company: pair.firstCompanyId },
      { ...second, loanTape: pair.secondTapeId, company: pair.secondCompanyId },
    ],
    reason: pair.reason ?? null,
    decidedBy: pair.decidedBy ?? null,
    decidedAt: pair.decidedAt?.toISOString() ?? null,
  };
}

const searchSchema = z
  .object({
    startedAt: z.string(),
    progressPercent: z.int(),
    endedAt: z.string().nullable(),
    failure: z.string().nullable(),
    tapes: z.int().nullable(),
    companies: z.int().nullable(),
    loans: z.int().nullable(),
    pairCount: z.int().nullable().meta({ description: 'All pairs; at most 5,000 are kept' }),
    notCompared: z.int().nullable().meta({ description: 'Loans whose values too many others share' }),
  })
  .meta({ id: 'DuplicateSearch' });

/** Loans that may be on two tapes, the decisions on them, and the search for them. */
export const duplicateEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('duplicates'),
    response: responseSchema,
    toBody,
    list: { listable: DUPLICATE_PAIRS, load: listDuplicates },
    get: getDuplicate,
  }),
  endpoint({
    method: 'POST',
    path: `${callsOf('duplicates')}/decide`,
    access: 'assets/write',
    summary: 'Decide whether pairs of loans are the same loan, all of them or none. Not available to borrowers',
    body: z.object({ ids: z.array(idSchema).min(1).max(MAX_DECIDED) }).and(duplicateDecisionSchema),
    response: z.array(responseSchema),
    handle: ({ body, db }) => db(async (session) => ({ body: (await decideDuplicates(session, body)).map(toBody) })),
  }),
  endpoint({
    method: 'GET',
    path: '/LTP/duplicateSearch',
    access: 'assets/read',
    summary: 'Get the last search of the book for the same loan twice; null before the first one',
    response: z.object({ search: searchSchema.nullable() }),
    handle: ({ db }) =>
      db(async (session) => {
        const search = await lastSearch(session);
        if (!search) return { body: { search: null } };
        const { id: _, managerId: __, startedAt, endedAt, ...figures } = search;
        return {
          body: {
            search: {
              ...figures,
              startedAt: startedAt.toISOString(),
              endedAt: endedAt?.toISOString() ?? null,
            },
          },
        };
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/LTP/duplicateSearch',
    access: 'assets/write',
    summary: 'Search the book for the same loan twice now. Not available to borrowers',
    body: z.object({}),
    response: z.object({ started: z.literal(true) }),
    async handle({ context, actor }) {
      await searchDuplicates(context, actor);
      return { status: 201, body: { started: true } };
    },
  }),
];
