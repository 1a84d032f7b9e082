import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { contractDocument, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { type AssetExplanation, explainAsset } from '@tapeline/domain/borrowing-base/explain.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { assetCatalog, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import type { AssetPage } from '@tapeline/lake/assets.ts';
import type { RequestContext } from '../http/context.ts';

/**
 * Explains the amount of a page's only asset in the borrowing base shown. Null if there is no borrowing base, or if its
 * contract is not visible to the actor.
 */
export async function explanationOf(
  context: RequestContext,
  actor: UserActor,
  page: AssetPage,
): Promise<AssetExplanation | null> {
  const value = (name: string) => page.columns.get(name)?.[0] ?? null;
  const [source] = page.sources;
  const status = value('borrowingBase.status');
  if (!source?.borrowingBase || status === null) return null;
  const { id } = source.borrowingBase;
  try {
    const { base, contract } = await context.store.as(actor, async (session) => {
      const found = await getBorrowingBase(session, id);
      return { base: found, contract: contractDocument(await getContract(session, found.contractId)) };
    });
    const text = (name: string) => {
      const found = value(`borrowingBase.${name}`);
      return found === null ? null : String(found);
    };
    const asset = {
      sequenceIndex: Number(value(SEQUENCE_COLUMN)),
      read: ({ path }: { path: string }) => value(path),
      result: {
        status: String(status),
        scope: text('scope'),
        failed: text('failed') ?? '',
        amount: text('amount'),
        excessRemoved: text('excessRemoved') ?? '0',
        remaining: text('remaining') ?? '0',
        rate: text('rate'),
        advanced: text('advanced') ?? '0',
      },
    };
    const catalog = assetCatalog(source.customFields);
    return explainAsset(asset, transactionContractSchema.parse(contract), catalog, base.result);
  } catch (error) {
    if (isRefusal(error) && error.code === 'notFound') return null;
    throw error;
  }
}
