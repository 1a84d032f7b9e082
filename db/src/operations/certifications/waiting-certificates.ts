import type { CalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { ReadSession } from '../../read-session.ts';
import { isBorrower } from '../permission.ts';

/** A certificate that waits for the actor's side. */
export interface WaitingCertificate {
  readonly baseId: string;
  readonly companyName: string;
  readonly noteTitle: string | null;
  readonly cutOffDate: CalendarDate;
  /** `Due`: the contract requires a certificate of the base, and there is none. */
  readonly state: 'Due' | 'Draft' | 'Disputed' | 'Submitted' | 'InReview';
  readonly submittedBy: string | null;
  /** ISO instant. */
  readonly submittedAt: string | null;
}

const NAMES = `b.id as "baseId", c.name as "companyName", b.cut_off_date::text as "cutOffDate",
  (select note.value ->> 'title' from transactions t cross join lateral jsonb_array_elements(t.notes) as note
    where t.id = b.transaction_id and note.value ->> 'id' = b.note_id) as "noteTitle"`;

/** What the lender reviews: the page of the version that is certified. */
const OF_LENDER = `
  select count(*) over ()::int as total, ${NAMES}, k.status as state, k.signed_name as "submittedBy", k.submitted_at as "submittedAt"
  from certifications k join borrowing_bases b on b.id = k.base_id join companies c on c.id = k.company_id
  where k.status in ('Submitted', 'InReview') and b.status <> 'Removed' order by k.submitted_at, k.id limit $1`;

/**
 * What the borrower submits: disputed certificates and drafts, and of each note whose contract requires it the latest base without a
 * certificate that was submitted.
 */
const OF_BORROWER = `
  with latest as (
    select distinct on (note_id) id from borrowing_bases where status = 'Active' order by note_id, cut_off_date desc, code desc
  ), waiting as (
    select distinct on (b.id) b.*, coalesce(k.status, 'Due') as state, k.signed_name, k.submitted_at
    from borrowing_bases b
      left join certifications k on k.tape_id = b.tape_id and k.contract_id = b.contract_id and k.status in ('Draft', 'Disputed')
    where b.status = 'Active' and (k.id is not null or b.id in (select id from latest)
        and b.contract_id in (select id from contracts where body ? 'certification')
        and not exists (select from certifications other where other.base_id = b.id and other.status in ('Submitted', 'InReview', 'Accepted')))
    order by b.id, k.status = 'Disputed' desc
  )
  select count(*) over ()::int as total, ${NAMES}, b.state, b.signed_name as "submittedBy", b.submitted_at as "submittedAt"
  from waiting b join companies c on c.id = b.company_id order by b.cut_off_date desc, b.id limit $1`;

/** The certificates that wait for the actor's side, and how many: the oldest submission first; for a borrower the latest cut-off date. */
export async function waitingCertificates(
  session: ReadSession,
  { limit }: { limit: number },
): Promise<{ certificates: WaitingCertificate[]; total: number }> {
  const { actor } = session;
  const ofBorrower = isBorrower(session);
  const permission = ofBorrower ? 'transactionDraw/write' : 'transactions/write';
  if (actor.kind !== 'user' || !can(actor, 'borrowingBase/read') || !can(actor, permission)) {
    return { certificates: [], total: 0 };
  }
  const rows = await session.query<WaitingCertificate & { total: number }>(ofBorrower ? OF_BORROWER : OF_LENDER, [
    limit,
  ]);
  return { certificates: rows.map(({ total: _, ...certificate }) => certificate), total: rows[0]?.total ?? 0 };
}
