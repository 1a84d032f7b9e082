import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import type { LoanTape } from '../entities/tapes.ts';
import { saveBorrowingBase } from '../operations/borrowing-bases/borrowing-bases.ts';
import { registerFile } from '../operations/files/files.ts';
import { beginGeneration, publishGeneration } from '../operations/tapes/generations.ts';
import { createTape } from '../operations/tapes/tapes.ts';
import type { Session } from '../store.ts';

/** A published tape of the company, without rows, with the borrowing base of a contract. */
export async function addCalculatedTape(
  session: Session,
  { managerId, companyId, contractId }: { managerId: string; companyId: string; contractId: string },
): Promise<{ tape: LoanTape; generationId: string }> {
  const name = 'tape.xlsx';
  const file = await registerFile(session, {
    bucket: 'loanTapes',
    name,
    size: 10,
    type: 'text/csv',
    managerId,
    companyId,
  });
  const tape = await createTape(session, {
    companyId,
    cutOffDate: '2026-10-31',
    mainCurrency: 'USD',
    exchangeRates: { USD: '1' },
    calculateBB: true,
    attachment: { bucket: file.bucket, key: file.key, name, size: 10, type: file.type, checksum: null },
  });
  const attempt = await beginGeneration(session, { tapeId: tape.id });
  await publishGeneration(session, {
    tapeId: tape.id,
    ...attempt,
    manifest: { assets: [], errored: [], columns: [], customFields: [] },
    counts: { dataRows: 0, assets: 0, errored: 0, discarded: 0, blankRows: 0 },
    statistics: { assetsStatuses: [], sum: [], outstandingSum: [] },
  });
  await saveBorrowingBase(session, {
    tapeId: tape.id,
    generationId: attempt.generationId,
    contractId,
    currency: 'USD',
    netBB: '1.00',
    firstBB: '2.00',
    result: {} as BorrowingBaseResult,
    resultKey: null,
  });
  return { tape, generationId: attempt.generationId };
}
