import { contractDocument } from '@tapeline/db/operations/transactions/contracts.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { describeCode } from '@tapeline/domain/filters/spoken-value.ts';
import type { ExportTable } from '@tapeline/lake/exports/export-table.ts';
import type { TrialResult } from '@tapeline/workflows/preview/preview.ts';
import { type Asker, tryContract } from '../../../commands/previews.server.ts';
import type { readContract } from './contract-page.server.ts';
import { type TrialAnswer, trialOf } from './trial.ts';

const NO_TAPE = 'This company has no published tape to test the contract on.';

type Page = Awaited<ReturnType<typeof readContract>>;

const ask = (asker: Asker, { contract }: Page, tapeId: string): Promise<TrialResult> =>
  tryContract(asker, {
    tapeId,
    contract: contractDocument(contract),
    against: { transactionId: contract.transactionId, noteId: contract.noteId },
  });

const COLUMNS = [
  ['assetId', 'Asset'],
  ['from', 'Status in force'],
  ['to', 'Status in this version'],
] as const;

/**
 * The assets that change status, as a table to export.
 * @throws Refusal as the trial does
 */
export async function changedAssetsTable(asker: Asker, page: Page): Promise<ExportTable> {
  const { tape } = page;
  if (!tape) throw new Refusal('badRequest', NO_TAPE);
  const { changedAssets, draft } = await ask(asker, page, tape.id);
  const { currency } = draft as BorrowingBaseResult;
  const literal = (value: string | null) =>
    value === null ? 'CAST(NULL AS VARCHAR)' : `'${value.replaceAll("'", "''")}'`;
  const rows = changedAssets.map(
    ({ assetId, from, to, amount }, place) =>
      `(${[String(place), literal(assetId), literal(describeCode(from)), literal(describeCode(to)), literal(amount)].join(', ')})`,
  );
  const names = 'place, "assetId", "from", "to", "amount"';
  // A table of values cannot be empty.
  const none = `(0, ${Array(4).fill(literal(null)).join(', ')})`;
  const from = `FROM (VALUES ${rows.length > 0 ? rows.join(', ') : none}) AS lines(${names})${
    rows.length > 0 ? '' : ' WHERE false'
  } ORDER BY place`;
  return {
    columns: [
      ...COLUMNS.map(([name, label]) => ({
        name,
        label,
        kind: 'text' as const,
        sql: `"${name}"`,
        type: 'VARCHAR' as const,
      })),
      {
        name: 'amount',
        label: `Amount (${currency})`,
        kind: 'amount',
        sql: 'CAST("amount" AS DECIMAL(38,4))',
        type: 'DECIMAL(38,4)' as const,
      },
    ],
    rows: changedAssets.length,
    queries: [{ from, values: [] }],
  };
}

/**
 * Asks a worker for the contract's results on a published tape. If no worker answers, returns a message and does not
 * throw.
 */
export async function tryOnTape(asker: Asker, page: Awaited<ReturnType<typeof readContract>>): Promise<TrialAnswer> {
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
