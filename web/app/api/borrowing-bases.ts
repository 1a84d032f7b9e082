import type { BorrowingBase } from '@tapeline/db/entities/lending.ts';
import { BORROWING_BASES, listBorrowingBases } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { DEFAULT_LIMIT_OVERLAP } from '@tapeline/domain/facilities/contract.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { borrowingBaseSchema } from './borrowing-base-bodies.ts';
import { baseOf } from './documents.ts';
import type { Endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

/** Figures of a result that are not amounts of money. They are also sent as numbers with all their digits. */
const FIGURES = new Set([
  'percentage',
  'measure',
  'limit',
  'balance',
  'distance',
  'value',
  'rate',
  'percent',
  'months',
  'creditsSum',
  'salesSum',
  'ratioPercent',
  'weightedAdvanceRatePercent',
]);

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
  const { totals, scopes, excessBreachDistribution, rulesTracking, netBB, firstBB, warnings, wholeGroups } =
    base.result;
  return {
    ...baseOf(base),
    loanTapeId: base.tapeId,
    contract: base.contractId,
    transaction: base.transactionId,
    note: base.noteId,
    company: base.companyId,
    cutOffDate: base.cutOffDate,
    currency: base.currency,
    overlap: base.result.overlap ?? DEFAULT_LIMIT_OVERLAP,
    totals: withNumbers(totals),
    scopes,
    excessBreachDistribution: withNumbers(excessBreachDistribution),
    ...(wholeGroups ? { wholeGroups: withNumbers(wholeGroups) } : {}),
    rulesTracking: withNumbers(rulesTracking),
    netBB,
    firstBB,
    inputsHash: base.result.inputsHash ?? null,
    supersededBy: base.supersededBy ?? null,
    warnings,
  };
}

export const borrowingBaseEndpoints: readonly Endpoint[] = resource({
  ...ofCollection('borrowingBases'),
  response: borrowingBaseSchema,
  toBody,
  list: { listable: BORROWING_BASES, load: listBorrowingBases },
});
