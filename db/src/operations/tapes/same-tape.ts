import type { LoanTape } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';
import { getTape } from './tapes.ts';

/** What makes two uploads the same tape. */
export interface TapeIdentity {
  readonly companyId: string;
  readonly cutOffDate: string;
  /** SHA-256 of the file; null for a file of an earlier version, which equals no other. */
  readonly checksum: string | null;
  /** The sheet that is read; null for that of the mapping. */
  readonly sheetName: string | null;
  readonly mapping: { readonly id: string; readonly loanTapeSheetName: string };
}

/**
 * The latest tape that an upload of the same file made, and that is being processed, waits for answers or is published.
 * Until the transaction ends, no other upload of the company and cut-off date looks: of two at once, the second finds the
 * tape of the first.
 */
export async function findSameTape(session: Session, identity: TapeIdentity): Promise<LoanTape | null> {
  const { companyId, cutOffDate, checksum, sheetName, mapping } = identity;
  if (checksum === null) return null;
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`tapes/${companyId}/${cutOffDate}`]);
  const [found] = await session.query<{ id: string }>(
    `select t.id from loan_tapes t
     where t.company_id = $1 and t.cut_off_date = $2 and t.status = 'Active' and t.mapping_id = $3
       and t.attachment ->> 'checksum' = $4 and coalesce(t.sheet_name, $5) = $6
       and (t.generation_id is not null or t.scheduler_status = 'Processing' or jsonb_array_length(t.questions) > 0)
     order by t.code desc limit 1`,
    [companyId, cutOffDate, mapping.id, checksum, mapping.loanTapeSheetName, sheetName ?? mapping.loanTapeSheetName],
  );
  return found ? getTape(session, found.id) : null;
}
