import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEnvironment } from '@tapeline/db/environment.ts';
import {
  activateContract,
  copyContract,
  createFirstContract,
  editContract,
} from '@tapeline/db/operations/transactions/contracts.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { openStore, SYSTEM } from '@tapeline/db/store.ts';
import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { signIn } from '@tapeline/launch/demonstration/api-client.ts';
import { createLaunch } from '@tapeline/launch/product/start-product.ts';
import { publish } from '../grid/product.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** The whole product, with a published tape and a note that has a contract in force and a draft. */
export interface TrialProduct {
  /** Requests the trial of the draft as the contract's page does. @returns the length of the answer */
  tryDraft(): Promise<number>;
  close(): Promise<void>;
}

export async function openProduct(
  assetsFile: string,
  tape: { rows: number; columns: readonly string[] },
  contracts: { active: TransactionContract; draft: TransactionContract },
): Promise<TrialProduct> {
  await mkdir(DATA_FOLDER, { recursive: true });
  const folder = await mkdtemp(join(DATA_FOLDER, 'trial-'));
  const ports = { PORT: '0', POSTGRES_PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0', DEV_SERVICE_PORTS: 'off' };
  const variables = {
    ...process.env,
    ...ports,
    NODE_ENV: 'development' as const,
    TAPELINE_HOME: folder,
    LOG_LEVEL: 'warn',
  };
  const launch = createLaunch({ root: ROOT, variables, say: () => {}, extent: 'all' });
  const close = async (): Promise<void> => {
    await launch.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { environment, url, home } = await launch.start();
    const columns = tape.columns.map((name) => ({ name }));
    const published = await publish(environment, assetsFile, { rows: tape.rows, columns, customFields: [] });
    const draftId = await addContracts(environment, published, contracts);
    const client = await signIn(url, 'manager@tapeline.test', home.mail);
    return {
      async tryDraft() {
        const response = await client.open(`/monitoring/contracts/${draftId}/trial?tape=${published.tapeId}`);
        const text = await response.text();
        if (!response.ok || !(JSON.parse(text) as { trial: unknown }).trial) {
          throw new Error(`the trial failed: ${text.slice(0, 500)}`);
        }
        return text.length;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function addContracts(
  environment: NodeJS.ProcessEnv,
  { companyId, mappingId }: { companyId: string; mappingId: string },
  { active, draft }: { active: TransactionContract; draft: TransactionContract },
): Promise<string> {
  const store = await openStore(readEnvironment(environment));
  try {
    return await store.as(SYSTEM, async (session) => {
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
  } finally {
    await store.close();
  }
}
