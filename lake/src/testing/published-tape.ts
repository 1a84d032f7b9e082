import { Readable } from 'node:stream';
import { listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { beginGeneration, publishGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { createTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { type Store, SYSTEM } from '@tapeline/db/store.ts';
import type { ObjectStore } from '../storage/object-store.ts';

/** A tape of the demonstration, and where its current attempt stored its objects. */
export interface StoredTape {
  tapeId: string;
  generationId: string;
  fencingToken: number;
  objectPrefix: string;
}

/** Registers a tape and starts an attempt that stores one object. Requires the demonstration's companies. */
export async function makeStoredTape(store: Store, objects: ObjectStore, cutOffDate: string): Promise<StoredTape> {
  const attempt = await store.as(SYSTEM, async (session) => {
    const { documents } = await listCompanies(session, { filter: { 'entity.name': 'Northwind Consumer Loans' } });
    const tape = await createTape(session, {
      companyId: documents[0]!.id,
      cutOffDate,
      mainCurrency: 'USD',
      exchangeRates: { USD: '1' },
      calculateBB: false,
      attachment: { bucket: 'loanTapes', key: 'k', name: 'tape.xlsx', size: 1, type: 'text/csv', checksum: null },
    });
    return { tapeId: tape.id, ...(await beginGeneration(session, { tapeId: tape.id })) };
  });
  await objects.putStream(`${attempt.objectPrefix}assets.parquet`, Readable.from(['assets']));
  return attempt;
}

/** Publishes what the attempt stored, and ends the tape's job. */
export async function publishStoredTape(store: Store, attempt: StoredTape): Promise<void> {
  await store.as(SYSTEM, async (session) => {
    await publishGeneration(session, {
      ...attempt,
      manifest: { assets: [`${attempt.objectPrefix}assets.parquet`], errored: [], columns: ['id'], customFields: [] },
      counts: { dataRows: 1, assets: 1, errored: 0, discarded: 0, blankRows: 0 },
      statistics: { assetsStatuses: [], sum: [], outstandingSum: [] },
    });
    await session.query(`update loan_tapes set scheduler_status = 'Completed' where id = $1`, [attempt.tapeId]);
  });
}
