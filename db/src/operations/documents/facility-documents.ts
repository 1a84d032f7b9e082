import { can } from '@tapeline/domain/people/actor.ts';
import type { ReadSession } from '../../read-session.ts';

export const FACILITY_DOCUMENT_KINDS = ['draw', 'tape'] as const;
export type FacilityDocumentKind = (typeof FACILITY_DOCUMENT_KINDS)[number];

/** A file of a facility: attached to a draw request, or the file of a loan tape of its borrower. */
export interface FacilityDocument {
  readonly id: string;
  readonly kind: FacilityDocumentKind;
  /** The draw request or the tape. */
  readonly documentId: string;
  readonly title: string;
  readonly status: string;
  readonly cutOffDate: string;
  readonly file: { id: string; name: string; size: number; type: string };
}

const KINDS: Readonly<Record<FacilityDocumentKind, string>> = {
  draw: `select 'draw' as kind, d.id, 'Draw ' || d.code as title, d.status, d.cut_off_date, file.value ->> 'bucket' as bucket,
      file.value ->> 'key' as key
    from draws d cross join lateral jsonb_array_elements(d.attachments) as file (value)
    where ($1::text is null or d.transaction_id = $1) and d.status <> 'Removed'`,
  tape: `select 'tape', l.id, 'Tape ' || l.code, l.process_status, l.cut_off_date, l.attachment ->> 'bucket', l.attachment ->> 'key'
    from loan_tapes l
    where ($1::text is null or l.company_id in (select company_id from transactions where id = $1)) and l.status <> 'Removed'`,
};

/** What the actor has to read to see files of this kind. */
const PERMISSIONS = { draw: 'transactionDraw/read', tape: 'assets/read' } as const;

export const facilityKindsOf = ({ actor }: Pick<ReadSession, 'actor'>): FacilityDocumentKind[] =>
  FACILITY_DOCUMENT_KINDS.filter((kind) => can(actor, PERMISSIONS[kind]));

/** A page of the visible files of a facility, or of all, the latest first, with the number of all. */
export async function listFacilityDocuments(
  session: ReadSession,
  { transactionId }: { transactionId: string | null },
  page: { skip: number; limit: number; kind?: FacilityDocumentKind | null },
): Promise<{ documents: FacilityDocument[]; total: number }> {
  const kinds = facilityKindsOf(session).filter((kind) => !page.kind || kind === page.kind);
  if (kinds.length === 0) return { documents: [], total: 0 };
  const found = `from (${kinds.map((kind) => KINDS[kind]).join(' union all ')}) d (kind, id, title, status, cut_off_date, bucket, key)
    join files f on f.bucket = d.bucket and f.key = d.key and f.status = 'Active'`;
  const [counted] = await session.query<{ total: number }>(`select count(*)::int as total ${found}`, [transactionId]);
  const documents = await session.query<FacilityDocument>(
    `select f.id, d.kind, d.id as "documentId", d.title, d.status, d.cut_off_date::text as "cutOffDate",
       json_build_object('id', f.id, 'name', f.name, 'size', f.size, 'type', f.type) as file
     ${found} order by d.cut_off_date desc, d.kind, f.id offset $2 limit $3`,
    [transactionId, page.skip, page.limit],
  );
  return { documents, total: counted?.total ?? 0 };
}
