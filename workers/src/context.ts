import type { ObjectStore } from '@tapeline/db/files/object-store.ts';
import type { Store } from '@tapeline/db/store.ts';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';

/** What activities work with; made once a process and passed in. */
export interface WorkerContext {
  readonly store: Store;
  readonly objects: ObjectStore;
  /** For signals to the workflow that an activity belongs to. */
  readonly temporal: Client;
  /** A folder of this process for files in work; emptied at its start. */
  readonly scratchFolder: string;
  /** Rows of a tape that are staged and transformed at once. */
  readonly batchRows: number;
  readonly log: Logger;
}
