import { History } from '../../entities/records.ts';
import type { Session } from '../../store.ts';

/** The changes of one document in sight, the latest first. */
export async function historyOf(
  session: Session,
  command: { resource: string; documentId: string; limit?: number },
): Promise<History[]> {
  return session.em.find(
    History,
    { resource: command.resource, documentId: command.documentId },
    { orderBy: [{ changedAt: 'desc' }, { id: 'desc' }], limit: command.limit ?? 50 },
  );
}
