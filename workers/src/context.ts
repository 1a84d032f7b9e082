import type { Store } from '@tapeline/db/store.ts';
import type { ObjectStore } from '@tapeline/lake/storage/object-store.ts';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';

/** What activities need; created once per process and passed in. */
export interface WorkerContext {
  /** The names of this instance's task queues and workflows. */
  readonly instance: string;
  readonly store: Store;
  readonly objects: ObjectStore;
  /** For signals to the workflow of an activity. */
  readonly temporal: Client;
  /** This process's folder for temporary files; emptied at startup. */
  readonly scratchFolder: string;
  /** Rows of a tape that are staged and transformed at once. */
  readonly batchRows: number;
  /** DuckDB's memory limit for one job, for example '2GiB'. */
  readonly jobMemory: string;
  /** What one job may write to disk beyond its memory, for DuckDB. */
  readonly jobSpill: string;
  readonly log: Logger;
}
