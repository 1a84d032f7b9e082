import type { ReadSession } from '../../read-session.ts';
import { isKeptGeneration } from '../tapes/kept-generations.ts';

/** An object that the database refers to. */
export interface Reference {
  readonly key: string;
  /** Bytes; null if none are recorded, as for the parts of a published tape. */
  readonly size: number | null;
  /** SHA-256 of the content, 64 hex digits; null if none is recorded. */
  readonly checksum: string | null;
}

/** The place before the first reference. */
export const FIRST_PLACE = '';

interface Row {
  id: string;
  key: string | null;
  size: string | null;
  checksum: string | null;
}

const FILES = `select id, bucket || '/' || key as key, size::text as size, checksum from files
  where status = 'Active' and id > $1 order by id limit $2`;

// Attachments are files. One whose file was removed is still needed as long as its tape is not.
const TAPES = `with page as (
    select * from loan_tapes where status = 'Active' and id > $1 order by id limit $2
  )
  select page.id, named.key, named.size, named.checksum from page left join lateral (
    select one ->> 'bucket' || '/' || (one ->> 'key') as key, one ->> 'size' as size, one ->> 'checksum' as checksum
    from jsonb_array_elements(jsonb_build_array(page.attachment) || page.other_attachments) as one
    where not exists (
      select from files f where f.bucket = one ->> 'bucket' and f.key = one ->> 'key' and f.status = 'Active'
    )
    union all
    select part, null, null from tape_generations g, jsonb_array_elements_text(
      (g.manifest -> 'assets') || (g.manifest -> 'errored') ||
      case when g.manifest -> 'corrections' is null then '[]' else jsonb_build_array(g.manifest -> 'corrections') end
    ) as part
    where g.tape_id = page.id and ${isKeptGeneration('g', 'page')}
    union all
    select distinct b.result_key, null, null from borrowing_bases b join tape_generations g on g.id = b.generation_id
    where b.tape_id = page.id and b.status <> 'Removed' and ${isKeptGeneration('g', 'page')}
  ) named on true order by page.id`;

/**
 * The objects of the next rows that refer to any, and the place behind them; null behind the last. All that an active row
 * refers to: stored files (uploads, attachments, PDFs, logos), parts of the kept generations of tapes and results of
 * borrowing bases.
 * Called as one who sees everything.
 * @param place `FIRST_PLACE`, or a place that was returned
 * @param most rows
 */
export async function referencesAfter(
  { query }: Pick<ReadSession, 'query'>,
  place: string,
  most: number,
): Promise<{ references: Reference[]; next: string | null }> {
  const [table = '', after = ''] = place.split('/');
  const isOfTapes = table === 'tapes';
  const rows = await query<Row>(isOfTapes ? TAPES : FILES, [after, most]);
  const references = rows.flatMap(({ key, size, checksum }) =>
    key === null ? [] : [{ key, size: size === null ? null : Number(size), checksum }],
  );
  const ids = new Set(rows.map(({ id }) => id));
  if (ids.size === most) return { references, next: `${isOfTapes ? 'tapes' : 'files'}/${rows.at(-1)?.id}` };
  return { references, next: isOfTapes ? null : 'tapes/' };
}
