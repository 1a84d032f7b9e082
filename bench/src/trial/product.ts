import { removeTape } from '@tapeline/db/operations/tapes/tapes.ts';
import {
  activateContract,
  copyContract,
  createFirstContract,
  editContract,
} from '@tapeline/db/operations/transactions/contracts.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { openProduct } from '../measuring/product.ts';
import { publish } from '../measuring/served-tape.ts';
import { addTenant, type BenchTenant } from '../measuring/tenant.ts';

/** The whole product, with a published tape and a note that has a contract in force and a draft. */
export interface TrialProduct {
  /** Requests the trial of the draft as the contract's page does. */
  tryDraft(): Promise<Tried>;
  close(): Promise<void>;
}

/** What a trial finds. */
interface Tried {
  /** Assets that the rules are applied to. */
  readonly pool: number;
  readonly figures: readonly { readonly label: string; readonly draft: string | null }[];
}

export async function openTrial(
  assetsFile: string,
  tape: { rows: number; columns: readonly string[] },
  contracts: { active: TransactionContract; draft: TransactionContract },
): Promise<TrialProduct> {
  const product = await openProduct({ extent: 'all' });
  const tenant = await addTenant(product.environment);
  const columns = tape.columns.map((name) => ({ name }));
  const published = await publish(product.environment, tenant, assetsFile, {
    rows: tape.rows,
    columns,
    customFields: [],
  });
  const draftId = await addContracts(tenant, published.mappingId, contracts);
  const [caller] = await tenant.callers(
    product.webs.map(({ url }) => url),
    1,
  );
  return {
    async tryDraft() {
      const { trial } = await caller!.get<{ trial: Tried | null }>(
        `/monitoring/contracts/${draftId}/trial?tape=${published.tapeId}`,
      );
      if (!trial) throw new Error('the draft was not tried');
      return trial;
    },
    async close() {
      await tenant.store.as(SYSTEM, (session) => removeTape(session, { id: published.tapeId }));
      await tenant.end();
      await product.close();
    },
  };
}

const addContracts = (
  { store, companyId }: BenchTenant,
  mappingId: string,
  { active, draft }: { active: TransactionContract; draft: TransactionContract },
): Promise<string> =>
  store.as(SYSTEM, async (session) => {
    const document = transactionSchema.parse({
      title: 'Trial of a contract',
      type: 'Direct',
      industries: ['Consumer Lending'],
      company: companyId,
      notes: [{ title: 'Senior', mainCurrency: 'USD' }],
    });
    const { id: transactionId, notes } = await createTransaction(session, document);
    const first = await createFirstContract(session, {
      transactionId,
      noteId: notes[0]!.id,
      contract: { ...active, assetsETL: mappingId },
    });
    await activateContract(session, { id: first.id });
    const copy = await copyContract(session, { id: first.id });
    await editContract(session, {
      id: copy.id,
      version: copy.version,
      contract: { ...draft, assetsETL: mappingId },
    });
    return copy.id;
  });
