import type { ReadSession } from '../../read-session.ts';

/** A file that is attached to a draw request. */
export interface DrawFile {
  readonly drawId: string;
  /** Position among the attachments of its request. */
  readonly place: number;
  readonly code: number;
  readonly status: string;
  readonly cutOffDate: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

const FILES = `from draws d cross join lateral jsonb_array_elements(d.attachments) with ordinality as file (value, place)
  where d.note_id = $1 and d.status <> 'Removed'`;

/** The files of the draw requests of a note that the actor can see, the latest request first, with the number of all. */
export async function listDrawFiles(
  session: ReadSession,
  { noteId, limit }: { noteId: string; limit: number },
): Promise<{ files: DrawFile[]; total: number }> {
  const [counted] = await session.query<{ total: number }>(`select count(*)::int as total ${FILES}`, [noteId]);
  const files = await session.query<DrawFile>(
    `select d.id as "drawId", (file.place - 1)::int as place, d.code::int as code, d.status,
       d.cut_off_date::text as "cutOffDate", file.value ->> 'name' as name, (file.value ->> 'size')::float8 as size
     ${FILES} order by d.cut_off_date desc, d.id desc, file.place limit $2`,
    [noteId, limit],
  );
  return { files, total: counted?.total ?? 0 };
}
