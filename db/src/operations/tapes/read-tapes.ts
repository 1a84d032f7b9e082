import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import { Mapping } from '../../entities/lending.ts';
import { LoanTape } from '../../entities/tapes.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';

// What a job reads of its tape: without managing the documents, whose JSON would be compared when they are written.

/**
 * A tape and the version of the mapping that it is processed with.
 * @param mappingId another version to process it with; null for the tape's own
 * @throws Refusal notFound if one of them is unknown or removed
 */
export async function readTapeAndMapping(
  session: ReadSession,
  tapeId: string,
  mappingId: string | null = null,
): Promise<{ tape: LoanTape; mapping: Mapping }> {
  const [tapes, mappings] = [session.shapeOf(LoanTape), session.shapeOf(Mapping)];
  const [tapeRows, mappingRows] = await session.queries<[Row[], Row[]]>([
    {
      sql: `select ${tapes.columns} from ${tapes.table} t where t.id = $1 and t.status <> 'Removed'`,
      values: [tapeId],
      kept: true,
    },
    {
      sql: `select ${mappings.columns} from ${mappings.table} t
        where t.id = coalesce($2, (select mapping_id from loan_tapes where id = $1)) and t.status <> 'Removed'`,
      values: [tapeId, mappingId],
      kept: true,
    },
  ]);
  const [[tape], [mapping]] = [tapes.read(tapeRows), mappings.read(mappingRows)];
  if (!tape || !mapping) throw new Refusal('notFound');
  return { tape, mapping };
}

export interface PublishedParts {
  readonly generationId: string;
  readonly manifest: GenerationManifest;
}

/** What is published of a tape. Null if nothing is. */
export async function readPublishedParts(session: ReadSession, tapeId: string): Promise<PublishedParts | null> {
  const [found] = await session.query<PublishedParts>(
    `select id as "generationId", manifest from tape_generations
     where tape_id = $1 and status = 'Published' and manifest is not null`,
    [tapeId],
    { kept: true },
  );
  return found ?? null;
}
