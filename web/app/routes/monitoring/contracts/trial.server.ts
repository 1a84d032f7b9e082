import { contractDocument } from '@tapeline/db/operations/transactions/contracts.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { describeCode } from '@tapeline/domain/filters/spoken-value.ts';
import type { ExportTable } from '@tapeline/lake/exports/export-table.ts';
import { amountOfLine, linesTable, textOfLine } from '@tapeline/lake/exports/lines-table.ts';
import type { TrialResult } from '@tapeline/workflows/preview/preview.ts';
import { type Asker, tryContract } from '../../../commands/previews.server.ts';
import type { readContract } from './contract-page.server.ts';
import { type TrialAnswer, trialOf } from './trial.ts';

const NO_TAPE = 'This borrower has no published tape to test the contract on.';

type Page = Awaited<ReturnType<typeof readContract>>;

const ask = (asker: Asker, { contract }: Page, tapeId: string): Promise<TrialResult> =>
  tryContract(asker, {
    tapeId,
    contract: contractDocument(contract),
    against: { transactionId: contract.transactionId, noteId: contract.noteId },
  });

/**
 * The assets that change status, as a table to export.
 * @throws Refusal as the trial does
 */
export async function changedAssetsTable(asker: Asker, page: Page): Promise<ExportTable> {
  const { tape } = page;
  if (!tape) throw new Refusal('badRequest', NO_TAPE);
  const { changedAssets, draft } = await ask(asker, page, tape.id);
  const { currency } = draft as BorrowingBaseResult;
  return linesTable(
    [
      textOfLine('assetId', 'Asset'),
      textOfLine('from', 'Status in force'),
      textOfLine('to', 'Status in this version'),
      amountOfLine('amount', `Amount (${currency})`),
    ],
    changedAssets.map(({ assetId, from, to, amount }) => [assetId, describeCode(from), describeCode(to), amount]),
  );
}

/**
 * Asks a worker for the contract's results on a published tape. If no worker answers, returns a message and does not
 * throw.
 */
export async function tryOnTape(asker: Asker, page: Page): Promise<TrialAnswer> {
  const { tape } = page;
  if (!tape) return { trial: null, problem: NO_TAPE };
  try {
    return { trial: trialOf(await ask(asker, page, tape.id), tape), problem: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const reasons = Object.values(error.flags ?? {}).slice(0, 3);
    return {
      trial: null,
      problem: [error.message, ...reasons.filter((reason) => reason !== error.message)].join('. '),
    };
  }
}
