import { managerToSearch } from '@tapeline/db/operations/duplicates/duplicates.ts';
import { systemActor } from '@tapeline/db/store.ts';
import type { duplicatesOfManager } from '@tapeline/workflows/all-workflows.ts';
import { bookChanged, bookSearchOf } from '@tapeline/workflows/duplicates/messages.ts';
import type { WorkerContext } from '../context.ts';

const PUBLISHER = systemActor('Search for the same loan twice');

/** Has the book of a tape searched, if a search reads the tape. Never rejects: the night searches the book as well. */
export async function searchAfterTape(
  { store, temporal, instance, log }: Pick<WorkerContext, 'store' | 'temporal' | 'instance' | 'log'>,
  tapeId: string,
): Promise<void> {
  try {
    const managerId = await store.read(PUBLISHER, (session) => managerToSearch(session, tapeId));
    if (managerId === null) return;
    await temporal.workflow.signalWithStart<typeof duplicatesOfManager>(
      'duplicatesOfManager',
      bookSearchOf(instance, managerId, bookChanged),
    );
  } catch (error) {
    log.warn({ err: error, tapeId }, 'the book of a tape is not searched for the same loan twice before the night');
  }
}
