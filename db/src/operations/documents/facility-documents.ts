import { can } from '@tapeline/domain/people/actor.ts';
import type { ReadSession } from '../../read-session.ts';

export const FACILITY_DOCUMENT_KINDS = ['draw', 'tape', 'base', 'contract'] as const;
export type FacilityDocumentKind = (typeof FACILITY_DOCUMENT_KINDS)[number];

/**
 * A document of a facility: a file attached to a draw request or a loan tape of its borrower, the certificate of a
 * borrowing base, or a version of a note's contract that was activated.
 */
export interface FacilityDocument {
  readonly kind: FacilityDocumentKind;
  /** The draw request, the tape, the borrowing base or the contract. */
  readonly documentId: string;
  /** What it belongs to: "Draw 5", or the facility. */
  readonly title: string;
  /** The note of a certificate or contract. */
  readonly note: string | null;
  /** The version of a contract. */
  readonly revision: number | null;
  readonly status: string;
  readonly cutOffDate: string;
  /** Null for a certificate and a contract, which are printed or shown from what is stored. */
  readonly file: { id: string; name: string; size: number; type: string } | null;
}

const FILE = `file.value ->> 'bucket' as bucket, file.value ->> 'key' as key`;
const NOTE = `(select note.value ->> 'title' from jsonb_array_elements(t.notes) as note where note.value ->> 'id' = d.note_id)`;
// Each has all types, because any of them can come first.
const kindsSql = (of: (facility: string) => string): Readonly<Record<FacilityDocumentKind, string>> => ({
  draw: `select 'draw' as kind, d.id, 'Draw ' || d.code as title, null::text as note, null::integer as revision, d.status, d.cut_off_date, ${FILE}
    from draws d cross join lateral jsonb_array_elements(d.attachments) as file (value)
    where ${of('d.transaction_id = $1')} and d.status <> 'Removed'`,
  tape: `select 'tape', l.id, 'Tape ' || l.code, null::text, null::integer, l.process_status, l.cut_off_date, ${FILE}
    from loan_tapes l cross join lateral jsonb_array_elements(jsonb_build_array(l.attachment) || l.other_attachments) as file (value)
    where ${of('l.company_id in (select company_id from transactions where id = $1)')} and l.status <> 'Removed'`,
  base: `select 'base', d.id, t.title, ${NOTE}, null::integer, d.status, d.cut_off_date, null::text, null::text
    from borrowing_bases d join transactions t on t.id = d.transaction_id
    where ${of('d.transaction_id = $1')} and d.status = 'Active'`,
  contract: `select 'contract', d.id, t.title, ${NOTE}, d.revision, d.status, d.cut_off_date, null::text, null::text
    from contracts d join transactions t on t.id = d.transaction_id
    where ${of('d.transaction_id = $1')} and d.status <> 'Removed' and d.activated_at is not null`,
});
/** Texts of their own, because a statement that is kept has one plan for all values. */
const KINDS_OF_ONE = kindsSql((facility) => facility);
const KINDS_OF_ALL = kindsSql(() => '$1::text is null');

/** What the actor has to read to see documents of this kind. */
const PERMISSIONS = {
  draw: 'transactionDraw/read',
  tape: 'assets/read',
  base: 'borrowingBase/read',
  contract: 'transactions/read',
} as const;

export const facilityKindsOf = ({ actor }: Pick<ReadSession, 'actor'>): FacilityDocumentKind[] =>
  FACILITY_DOCUMENT_KINDS.filter((kind) => can(actor, PERMISSIONS[kind]));

/**
 * A page of the visible documents of a facility, or of all, the latest first.
 * @returns `total` of the asked kind or of all; `kinds` those of which there is a document
 */
export async function listFacilityDocuments(
  session: ReadSession,
  { transactionId }: { transactionId: string | null },
  page: { skip: number; limit: number; kind?: FacilityDocumentKind | null },
): Promise<{ documents: FacilityDocument[]; total: number; kinds: FacilityDocumentKind[] }> {
  const permitted = facilityKindsOf(session);
  if (permitted.length === 0) return { documents: [], total: 0, kinds: [] };
  const kinds = transactionId === null ? KINDS_OF_ALL : KINDS_OF_ONE;
  // A file that was never stored, or was removed, is no document.
  const found = `from (${permitted.map((kind) => kinds[kind]).join(' union all ')}) d (kind, id, title, note, revision, status, cut_off_date, bucket, key)
    left join files f on f.bucket = d.bucket and f.key = d.key and f.status = 'Active'
    where (d.bucket is null or f.id is not null)`;
  const counted = await session.query<{ kind: FacilityDocumentKind; count: number }>(
    `select d.kind, count(*)::int as count ${found} group by d.kind`,
    [transactionId],
    { kept: true },
  );
  const documents = await session.query<FacilityDocument>(
    `select d.kind, d.id as "documentId", d.title, d.note, d.revision, d.status, d.cut_off_date::text as "cutOffDate",
       case when f.id is not null then json_build_object('id', f.id, 'name', f.name, 'size', f.size, 'type', f.type) end as file
     ${found} and ($4::text is null or d.kind = $4)
     order by d.cut_off_date desc, d.kind, coalesce(f.id, d.id) offset $2 limit $3`,
    [transactionId, page.skip, page.limit, page.kind ?? null],
    { kept: true },
  );
  const counts = new Map(counted.map(({ kind, count }) => [kind, count]));
  return {
    documents,
    total: counted.filter(({ kind }) => !page.kind || kind === page.kind).reduce((sum, { count }) => sum + count, 0),
    kinds: permitted.filter((kind) => counts.has(kind)),
  };
}
