import type { Import } from '@tapeline/db/entities/imports.ts';
import { StoredFile } from '@tapeline/db/entities/records.ts';
import { failureFor, seesContent } from '@tapeline/db/operations/importer/import-content.ts';
import { getImport, listImports } from '@tapeline/db/operations/importer/imports.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { rowsDone } from '../../commands/import-jobs.server.ts';
import type { Screen } from '../../http/screen.server.ts';
import { IMPORTS_PER_PAGE } from './kind-words.ts';

/** An import as its pages show it. */
export interface ImportView {
  readonly id: string;
  readonly kind: ImportKind;
  readonly state: 'waiting' | 'running' | 'imported' | 'failed' | 'undone' | 'discarded';
  readonly recordStatus: string;
  readonly fileName: string;
  readonly totalCount: number;
  readonly uploadedCount: number;
  /** Rows written so far, while it is in progress: see `withProgress`. */
  readonly doneCount: number;
  readonly failure: string | null;
  readonly by: string | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
}

function stateOf({ status, failure, finishedAt }: Import): ImportView['state'] {
  if (status === 'Completed') return 'imported';
  if (status === 'Removed') return finishedAt ? 'undone' : 'discarded';
  if (status === 'Processing') return 'running';
  return failure ? 'failed' : 'waiting';
}

function viewOf(record: Import, actor: Actor): ImportView {
  const { id, kind, recordStatus, attachments, totalCount, uploadedCount, finishedAt } = record;
  const { iat, createdBy } = record.metadata;
  const [first] = attachments;
  const entity = createdBy?.entity;
  return {
    id,
    kind,
    state: stateOf(record),
    recordStatus,
    fileName: attachments.length > 1 ? `${first?.name} and ${attachments.length - 1} more` : (first?.name ?? ''),
    totalCount,
    uploadedCount,
    doneCount: 0,
    failure: failureFor(actor, record),
    by: entity && 'firstName' in entity ? `${entity.firstName} ${entity.lastName}` : null,
    startedAt: iat,
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

export async function readImports(
  session: Session,
  skip: number,
): Promise<{ imports: ImportView[]; total: number; isInProgress: boolean }> {
  const { documents, total } = await listImports(session, { skip, limit: IMPORTS_PER_PAGE });
  const imports = documents.map((record) => viewOf(record, session.actor));
  return { imports, total, isInProgress: imports.some(({ state }) => state === 'running' || state === 'waiting') };
}

export async function readImport(session: Session, id: string) {
  const record = await getImport(session, id);
  const keys = record.attachments.map(({ key }) => key);
  const stored = await session.em.find(StoredFile, { key: { $in: keys }, status: 'Active' });
  const idOf = new Map(stored.map((file) => [`${file.bucket}/${file.key}`, file.id]));
  const files = record.attachments.map(({ bucket, key, name, size }) => ({
    id: (seesContent(session.actor, record) && idOf.get(`${bucket}/${key}`)) || null,
    name,
    size: Number(size),
  }));
  return { ...viewOf(record, session.actor), files };
}

/** The import with how far it is. Asked after the transaction, because Temporal answers it. */
export const withProgress = async <View extends ImportView>(
  { context }: Pick<Screen, 'context'>,
  view: View,
): Promise<View> =>
  view.state === 'running' ? { ...view, doneCount: await rowsDone(context, WORKFLOW_IDS.import(view.id)) } : view;
