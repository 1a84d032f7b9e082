import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import type { ReadSession } from '../../read-session.ts';

/** How a document that asked for a decision was decided, and by whom. */
export interface DecidedDocument {
  /** Of the document: "Approved", "Declined", "Removed". */
  readonly status: string;
  /** Null if it is not known. */
  readonly by: string | null;
}

interface About {
  readonly resource: string;
  readonly documentId: string;
}

const keyOf = ({ resource, documentId }: About): string => `${resource}/${documentId}`;

/** The decided ones of the documents that notifications are about and that the actor can see, by "draws/65f0…". */
export async function decisionsAbout(
  session: ReadSession,
  notifications: readonly About[],
): Promise<ReadonlyMap<string, DecidedDocument>> {
  const idsOf = (resource: string) =>
    notifications.flatMap((one) => (one.resource === resource ? [one.documentId] : []));
  const [draws, proposals] = [idsOf('draws'), idsOf('correctionProposals')];
  if (draws.length === 0 && proposals.length === 0) return new Map();
  const rows = await session.query<About & { status: string; changedBy: ChangedBy | null; decidedBy: string | null }>(
    `select 'draws' as resource, id as "documentId", status, metadata -> 'changedBy' as "changedBy", null as "decidedBy"
     from draws where id = any ($1) and status in ('Approved', 'Rejected', 'Removed')
     union all select 'correctionProposals', id, status, null, decided_by
     from correction_proposals where id = any ($2) and status <> 'Proposed'`,
    [draws, proposals],
  );
  return new Map(
    rows.map(({ status, changedBy, decidedBy, ...about }) => [
      keyOf(about),
      { status, by: decidedBy ?? (changedBy ? makerOf({ iat: '', createdBy: changedBy }) : null) },
    ]),
  );
}

/** The decision about the document of a notification. */
export const decisionOf = (
  decisions: ReadonlyMap<string, DecidedDocument>,
  notification: About,
): DecidedDocument | null => decisions.get(keyOf(notification)) ?? null;
