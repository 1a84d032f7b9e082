import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { Session } from '../../store.ts';

/** The figures of a stored borrowing base that lists and charts show, without its large parts. */
export interface BorrowingBaseFigures {
  id: string;
  transactionId: string;
  noteId: string;
  contractId: string;
  tapeId: string;
  cutOffDate: string;
  currency: string;
  netBB: DecimalText;
  /** netBB without reserves; null if a reserve is unknown. */
  availableBase: DecimalText | null;
  firstBB: DecimalText;
  excess: Amount;
  pool: Amount;
  weightedAdvanceRatePercent: DecimalText | null;
  balance: Amount | null;
  commitments: Amount | null;
  availability: Amount | null;
}

const FIGURES = `id, transaction_id as "transactionId", note_id as "noteId", contract_id as "contractId",
  tape_id as "tapeId", cut_off_date::text as "cutOffDate", currency, net_bb::text as "netBB",
  available_base::text as "availableBase", first_bb::text as "firstBB", result -> 'totals' -> 'excess' as excess,
  result -> 'totals' -> 'pools' -> 'eligibleOrPerforming' -> 'amount' as pool,
  result -> 'totals' ->> 'weightedAdvanceRatePercent' as "weightedAdvanceRatePercent",
  balance, commitments, availability`;

/**
 * The visible borrowing bases of these notes, earliest first; one for each tape and contract.
 * @param command.until the last cut-off date; all if omitted
 * @param command.perNote maximum number for each note, keeping the latest; all if omitted
 */
export async function listBorrowingBaseFigures(
  session: Session,
  command: { noteIds: readonly string[]; perNote?: number; until?: string },
): Promise<BorrowingBaseFigures[]> {
  if (command.noteIds.length === 0) return [];
  return session.query<BorrowingBaseFigures>(
    `select ${FIGURES} from (
       select *, row_number() over (partition by note_id order by cut_off_date desc, code desc) as place
       from borrowing_bases where status = 'Active' and note_id = any ($1) and ($3::date is null or cut_off_date <= $3)
     ) as bases
     where $2::int is null or place <= $2
     order by cut_off_date, code`,
    [[...command.noteIds], command.perNote ?? null, command.until ?? null],
  );
}

/** A page of all visible borrowing bases, latest cut-off date first, and their total number. */
export async function pageOfBorrowingBases(
  session: Session,
  command: { skip: number; limit: number },
): Promise<{ bases: BorrowingBaseFigures[]; total: number }> {
  const [counted] = await session.query<{ total: number }>(
    `select count(*)::int as total from borrowing_bases where status = 'Active'`,
  );
  const bases = await session.query<BorrowingBaseFigures>(
    `select ${FIGURES} from borrowing_bases where status = 'Active'
     order by cut_off_date desc, code desc offset $1 limit $2`,
    [command.skip, command.limit],
  );
  return { bases, total: counted?.total ?? 0 };
}

/** The notes of visible transactions that have a borrowing base, latest cut-off date first, and their total number. */
export async function notesWithBorrowingBases(
  session: Session,
  command: { limit: number },
): Promise<{ noteIds: string[]; total: number }> {
  const based = `
    select b.note_id, max(b.cut_off_date) as latest from borrowing_bases b
    join transactions t on t.id = b.transaction_id and t.status <> 'Removed'
    where b.status = 'Active' group by b.note_id`;
  const [counted] = await session.query<{ total: number }>(`select count(*)::int as total from (${based}) as notes`);
  const notes = await session.query<{ note_id: string }>(
    `select note_id from (${based}) as notes order by latest desc, note_id limit $1`,
    [command.limit],
  );
  return { noteIds: notes.map(({ note_id }) => note_id), total: counted?.total ?? 0 };
}
