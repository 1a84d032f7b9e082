import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Lake, openLake } from '@tapeline/lake/lake.ts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from './context.ts';
import { type JobLimits, withinLimits } from './job-limits.ts';
import { withScratchFolder } from './scratch.ts';

/** A DuckDB of one job, with what else of the job ends at its limits. */
interface JobLake extends Lake {
  /** Watches a connection of another engine, until the returned function is called. */
  readonly watch: (connection: DuckDBConnection) => () => void;
  /** Aborts when the work is to end. */
  readonly stop: AbortSignal;
}

/** A DuckDB for this activity and a folder for its files; both end with it. @throws Refusal as `withinLimits` */
export async function withJobLake<T>(
  context: Pick<WorkerContext, 'scratchFolder' | 'jobMemory' | 'jobSpill'>,
  limits: Omit<JobLimits, 'signal'>,
  work: (lake: JobLake, folder: string) => Promise<T>,
): Promise<T> {
  const { cancellationSignal: signal } = Context.current();
  return withScratchFolder(context, async (folder) => {
    const spillFolder = join(folder, 'spill');
    await mkdir(spillFolder);
    const lake = await openLake({ spillFolder, memoryLimit: context.jobMemory, spillLimit: context.jobSpill });
    try {
      return await withinLimits({ ...limits, signal }, (watch, stop) =>
        work({ ...lake, connected: (each) => lake.connected(watchedBy(watch, each)), watch, stop }, folder),
      );
    } finally {
      lake.close();
    }
  });
}

const watchedBy =
  <T>(watch: (connection: DuckDBConnection) => () => void, work: (connection: DuckDBConnection) => Promise<T>) =>
  async (connection: DuckDBConnection): Promise<T> => {
    const unwatch = watch(connection);
    try {
      return await work(connection);
    } finally {
      unwatch();
    }
  };
