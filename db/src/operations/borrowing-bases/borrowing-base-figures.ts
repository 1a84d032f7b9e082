import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { Session } from '../../store.ts';

/** The figures of a stored borrowing base that lists and charts show, without its long parts. */
export interface BorrowingBaseFigures {
  id: string;
  transactionId: string;
  noteId: string;
  contractId: string;
  tapeId: string;
  cutOffDate: string;
  currency: string;
  netBB: DecimalText;
  firstBB: DecimalText;
  excess: Amount;
  pool: Amount;
  weightedAdvanceRatePercent: DecimalText | null;
  balance: Amount | null;
  commitments: Amount | null;
  availability: Amount | null;
}

/**
 * Every borrowing base in sight, the earliest first; one a tape and contract.
 * @param command which notes or contract; all where left out
 */
export async function listBorrowingBaseFigures(
  session: Session,
  command: { noteIds?: readonly string[]; contractId?: string } = {},
): Promise<BorrowingBaseFigures[]> {
  return session.query<BorrowingBaseFigures>(
    `select id, transaction_id as "transactionId", note_id as "noteId", contract_id as "contractId",
       tape_id as "tapeId", cut_off_date::text as "cutOffDate", currency, net_bb::text as "netBB",
       first_bb::text as "firstBB", result -> 'totals' -> 'excess' as excess,
       result -> 'totals' -> 'pools' -> 'eligibleOrPerforming' -> 'amount' as pool,
       result -> 'totals' ->> 'weightedAdvanceRatePercent' as "weightedAdvanceRatePercent",
       nullif(result -> 'totals' -> 'balance', 'null') as balance,
       nullif(result -> 'totals' -> 'commitments', 'null') as commitments,
       nullif(result -> 'totals' -> 'availability', 'null') as availability
     from borrowing_bases
     where status = 'Active' and ($1::text[] is null or note_id = any($1)) and ($2::text is null or contract_id = $2)
     order by cut_off_date, code`,
    [command.noteIds ? [...command.noteIds] : null, command.contractId ?? null],
  );
}
