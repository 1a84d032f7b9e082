import type { BorrowingBase } from '@tapeline/db/entities/lending.ts';
import { BORROWING_BASES, listBorrowingBases } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { resultOf } from '../borrowing-bases/borrowing-base-page.server.ts';
import { amountBodySchema, baseOf, documentSchema } from './documents.ts';
import type { Endpoint } from './endpoint.ts';
import { listEndpoint } from './list-endpoint.ts';

const borrowingBaseSchema = documentSchema
  .extend({
    loanTape: z.string(),
    contract: z.string(),
    transaction: z.string(),
    note: z.string(),
    company: z.string(),
    cutOffDate: z.string(),
    currency: z.string(),
    totals: z.record(z.string(), z.unknown()),
    scopes: z.array(z.unknown()),
    excessBreachDistribution: z.array(z.unknown()),
    rulesTracking: z.record(z.string(), z.unknown()),
    netBB: amountBodySchema,
    firstBB: amountBodySchema,
    warnings: z.array(z.unknown()),
  })
  .meta({ id: 'BorrowingBase' });

/** Figures of a result that are no amounts of money; they go out as numbers with all their digits too. */
const FIGURES = new Set(['percentage', 'measure', 'limit', 'distance', 'value', 'rate', 'weightedAdvanceRatePercent']);

function withNumbers(held: unknown): unknown {
  if (Array.isArray(held)) return held.map(withNumbers);
  if (held === null || typeof held !== 'object') return held;
  return Object.fromEntries(
    Object.entries(held).map(([key, entry]) => [
      key,
      typeof entry === 'string' && FIGURES.has(key) ? exactNumber(entry) : withNumbers(entry),
    ]),
  );
}

function toBody(base: BorrowingBase) {
  const { totals, scopes, excessBreachDistribution, rulesTracking, netBB, firstBB, warnings } = resultOf(base);
  return {
    ...baseOf(base),
    loanTape: base.tapeId,
    contract: base.contractId,
    transaction: base.transactionId,
    note: base.noteId,
    company: base.companyId,
    cutOffDate: base.cutOffDate,
    currency: base.currency,
    totals: withNumbers(totals),
    scopes,
    excessBreachDistribution: withNumbers(excessBreachDistribution),
    rulesTracking: withNumbers(rulesTracking),
    netBB,
    firstBB,
    warnings,
  };
}

export const borrowingBaseEndpoints: readonly Endpoint[] = [
  listEndpoint({
    path: '/crud/borrowingBase',
    access: 'borrowingBase/read',
    summary: 'Borrowing bases in sight; filter by loanTape and contract',
    listable: BORROWING_BASES,
    list: listBorrowingBases,
    toBody,
    response: borrowingBaseSchema,
  }),
];
