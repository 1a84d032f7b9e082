import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Lake, openLake } from '@tapeline/lake/lake.ts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from './context.ts';
import { type JobLimits, withinLimits } from './job-limits.ts';
import { withScratchFolder } from './scratch.ts';

/** A DuckDB for this activity and a folder for its files; both end with it. @throws Refusal as `withinLimits` */
export async function withJobLake<T>(
  context: Pick<WorkerContext, 'scratchFolder' | 'jobMemory' | 'jobSpill'>,
  limits: Omit<JobLimits, 'signal'>,
  work: (lake: Lake, folder: string) => Promise<T>,
): Promise<T> {
  const { cancellationSignal: signal } = Context.current();
  return withScratchFolder(context, async (folder) => {
    const spillFolder = join(folder, 'spill');
    await mkdir(spillFolder);
    const lake = await openLake({ spillFolder, memoryLimit: context.jobMemory, spillLimit: context.jobSpill });
    try {
      return await withinLimits({ ...limits, signal }, (watch) =>
        work({ ...lake, connected: (each) => lake.connected(watchedBy(watch, each)) }, folder),
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
