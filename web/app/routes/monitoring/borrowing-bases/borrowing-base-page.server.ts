import { borrowingBaseSeries, getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { contractDocument, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { type TransactionContract, transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { compareBases } from './compare-bases.ts';

/** Reads a document that may be deleted or not visible to the actor. */
async function ifThere<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isRefusal(error) && error.code === 'notFound') return null;
    throw error;
  }
}

/** The label of the field that assets are grouped by. A custom field is shown by its own name. */
export function labelOfField(path: string): string {
  const resolved = assetCatalog().resolve(path);
  return 'field' in resolved ? resolved.field.label : path.replace(/^customFields\./, '');
}

/** The unit of each value that is an average of a field, as the contract names it. */
function unitsOfValues(terms: TransactionContract | null): Record<string, string> {
  return Object.fromEntries(
    (terms?.values ?? []).flatMap(({ title, field, accumulator }) => {
      if (!field || accumulator === '$sum') return [];
      const resolved = assetCatalog().resolve(field);
      return 'field' in resolved && resolved.field.unit ? [[title, resolved.field.unit]] : [];
    }),
  );
}

/** The labels of the fields that concentration rules group and measure by. */
export const ruleLabelsOf = (result: BorrowingBaseResult): Record<string, string> =>
  Object.fromEntries(
    result.excessBreachDistribution
      .flatMap(({ groupBy, accumulatorField }) => [groupBy, accumulatorField ?? null])
      .flatMap((path) => (path === null ? [] : [[path, labelOfField(path)]])),
  );

/** The certificate: the stored result with the names of its sources, and the previous borrowing base. */
export async function readBorrowingBase(session: Session, id: string) {
  const base = await getBorrowingBase(session, id);
  const result = base.result;
  const transaction = await ifThere(getTransaction(session, base.transactionId));
  const contract = await ifThere(getContract(session, base.contractId));
  const tape = await ifThere(getTape(session, base.tapeId));
  const series = await borrowingBaseSeries(session, { noteId: base.noteId });
  const earlier = series.filter((other) => other.id !== base.id && other.cutOffDate < base.cutOffDate).at(-1);
  const terms: TransactionContract | null = contract
    ? transactionContractSchema.parse(contractDocument(contract))
    : null;
  return {
    id: base.id,
    cutOffDate: base.cutOffDate,
    calculatedAt: (base.metadata.changedBy?.timestamp ?? base.metadata.iat) as string,
    result,
    transaction: transaction ? { id: transaction.id, title: transaction.title } : null,
    noteId: base.noteId,
    noteTitle: transaction?.notes.find((note) => note.id === base.noteId)?.title ?? 'Note',
    contract: contract
      ? {
          id: contract.id,
          revision: contract.revision,
          status: contract.status,
          since: contract.cutOffDate,
          defaultRatePercent: terms?.advanceRate.defaultRate ?? null,
          caseCount: terms?.advanceRate.cases.length ?? 0,
        }
      : null,
    tape: tape
      ? {
          id: tape.id,
          name: tape.attachment.name,
          // The tape was republished after the calculation, so its assets no longer carry these results.
          isCounted: tape.generationId === base.generationId,
        }
      : null,
    before: earlier
      ? {
          id: earlier.id,
          cutOffDate: earlier.cutOffDate,
          netBB: earlier.netBB,
          currency: earlier.currency,
          figures: compareBases(earlier.result, result),
        }
      : null,
    trend: series.filter((other) => other.cutOffDate <= base.cutOffDate).map((other) => Number(other.netBB)),
    ruleLabels: ruleLabelsOf(result),
    valueUnits: unitsOfValues(terms),
  };
}

export type BorrowingBasePage = Awaited<ReturnType<typeof readBorrowingBase>>;
