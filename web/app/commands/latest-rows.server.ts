import { newId } from '@tapeline/db/ids.ts';
import { fileMetadata, registerFile, uploadedFile } from '@tapeline/db/operations/files/files.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { mayHoldSheet, NO_TAPE, typeOfFile } from '@tapeline/domain/files/file-types.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { latestRowsName } from '@tapeline/domain/tapes/latest-rows/in-words.ts';
import type { LatestRowCounts } from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { objectKey, uploadKeyOf } from '@tapeline/lake/storage/object-store.ts';
import {
  type KeepLatestRowsInput,
  type KeptRows,
  LATEST_ROWS_SECONDS,
} from '@tapeline/workflows/latest-rows/activities.ts';
import type { LatestRowsInput } from '@tapeline/workflows/preview/activities.ts';
import type { RequestContext } from '../http/context.ts';
import { type AskedKind, type Asker, askWorkers } from './previews.server.ts';

const LATEST_ROWS: AskedKind = { noun: 'row selection', slots: 2, workflowId: WORKFLOW_IDS.latestRows };
/** The work ends earlier, with a refusal that says what to do. */
const WITHIN_MS = (LATEST_ROWS_SECONDS + 15) * 1000;
const COUNT_WITHIN_MS = 30_000;
const BUCKET = 'loanTapes';

/**
 * What `keepLatestRows` would keep of a file; null if it is too large to be counted while a person waits.
 * @throws Refusal for columns that are not those of loans and months, and as `askWorkers`
 */
export const countLatestRows = (asker: Asker, input: LatestRowsInput): Promise<LatestRowCounts | null> =>
  askWorkers(asker, 'latestRowsCount', input, { withinMs: COUNT_WITHIN_MS });

/** A file with the latest row of each loan of another one. */
export interface LatestRowsFile extends Pick<KeptRows, 'counts' | 'notices' | 'sheetName'> {
  readonly id: string;
  readonly attachment: FileMetadata;
  /** The file that the rows are from. */
  readonly source: FileMetadata;
}

/**
 * Stores a new file of the user, with the latest row of each loan of a file that they uploaded. Its columns are those of
 * the sheet.
 * @throws Refusal for a file that the user cannot see or that is not a sheet, for columns that are not those of loans and
 *   months, and as `askWorkers`
 */
export async function keepLatestRows(
  { context, actor }: { context: RequestContext; actor: UserActor },
  input: Omit<LatestRowsInput, 'fileId'> & { readonly keyOrId: string },
  signal?: AbortSignal,
): Promise<LatestRowsFile> {
  const { keyOrId, ...asked } = input;
  const source = await context.store.as(actor, (session) => uploadedFile(session, { bucket: BUCKET, keyOrId }));
  if (!mayHoldSheet(source.type)) throw new Refusal('badRequest', NO_TAPE);
  // Until the file is registered, the object is an upload that nothing refers to, and is deleted as one.
  const target = uploadKeyOf(objectKey(BUCKET, `${newId(new Date())}/latest-rows`));
  try {
    const kept: KeptRows = await askWorkers<KeepLatestRowsInput, KeptRows>(
      { context, actor },
      'latestRows',
      { ...asked, fileId: source.id, target },
      { withinMs: WITHIN_MS, kind: LATEST_ROWS, memo: { fileId: source.id }, signal },
    );
    const { kind, size, ...about } = kept;
    const name = latestRowsName(source.name, kind);
    const file = await context.store.as(actor, async (session) => {
      const { key } = await registerFile(session, { bucket: BUCKET, name, size, type: typeOfFile(name, '') });
      await context.objects.move(target, uploadKeyOf(objectKey(BUCKET, key)));
      return uploadedFile(session, { bucket: BUCKET, keyOrId: key });
    });
    return { ...about, id: file.id, attachment: fileMetadata(file), source: fileMetadata(source) };
  } catch (error) {
    await context.objects.delete(target).catch(() => undefined);
    throw error;
  }
}
