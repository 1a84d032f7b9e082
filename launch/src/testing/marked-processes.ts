import { readFileSync } from 'node:fs';
import { processNumbers } from '../processes/usage.ts';

/** Environment variable that identifies the test run a process belongs to. */
export const RUN_MARK = 'TAPELINE_TEST_RUN';

/** The description of a test run that is passed to its guard. */
export interface WatchedRun {
  mark: string;
  folder: string;
  runFolder: string;
  /** The process that runs the tests. */
  pid: number;
  /** The process that started the run. The run ends when that process ends. Null if a person started the run. */
  startedBy: { pid: number; identity: string | null } | null;
}

/** IDs of all processes with the mark, found through /proc. Empty on systems without it. */
export function markedProcesses(mark: string): number[] {
  return processNumbers().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${RUN_MARK}=${mark}`);
    } catch {
      // The process has ended or belongs to another user.
      return false;
    }
  });
}
