import type { WorkerContext } from '../context.ts';
import { withJobLake } from '../job-lake.ts';
import type { JobLimits } from '../job-limits.ts';
import { type BorrowingBaseCalculation, type BorrowingBaseInput, calculateBorrowingBase } from './engine.ts';

/**
 * Calculates the borrowing base in the activity's own DuckDB, within the limits of a job.
 * @throws Refusal as `withinLimits` does
 */
export const computeWithin = (
  context: Pick<WorkerContext, 'scratchFolder' | 'jobMemory'>,
  limits: Omit<JobLimits, 'signal'>,
  input: BorrowingBaseInput,
): Promise<BorrowingBaseCalculation> =>
  withJobLake(context, limits, (lake) =>
    lake.connected(async (connection) => {
      await connection.run('SET preserve_insertion_order = false');
      return calculateBorrowingBase(input, connection);
    }),
  );
