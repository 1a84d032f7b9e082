import type { WorkerContext } from '../context.ts';
import { withJobLake } from '../job-lake.ts';
import type { JobLimits } from '../job-limits.ts';
import { type BorrowingBaseCalculation, type BorrowingBaseInput, calculateBorrowingBase } from './engine.ts';

/**
 * Calculates borrowing bases in the activity's own DuckDB, within the limits of one job.
 * @throws Refusal as `withinLimits` does
 */
export const computeEachWithin = (
  context: Pick<WorkerContext, 'scratchFolder' | 'jobMemory' | 'jobSpill'>,
  limits: Omit<JobLimits, 'signal'>,
  inputs: readonly BorrowingBaseInput[],
): Promise<BorrowingBaseCalculation[]> =>
  withJobLake(context, limits, (lake) =>
    Promise.all(
      inputs.map((input) =>
        lake.connected(async (connection) => {
          await connection.run('SET preserve_insertion_order = false');
          return calculateBorrowingBase(input, connection);
        }),
      ),
    ),
  );

/** A single one, as `computeEachWithin`. */
export async function computeWithin(
  context: Pick<WorkerContext, 'scratchFolder' | 'jobMemory' | 'jobSpill'>,
  limits: Omit<JobLimits, 'signal'>,
  input: BorrowingBaseInput,
): Promise<BorrowingBaseCalculation> {
  const [calculation] = await computeEachWithin(context, limits, [input]);
  return calculation!;
}
