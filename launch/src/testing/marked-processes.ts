import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable that names the test run a process belongs to. */
export const RUN_MARK = 'TAPELINE_TEST_RUN';

/** A test run as its guard is told of it. */
export interface RunToMind {
  mark: string;
  folder: string;
  runFolder: string;
  /** The process that runs the tests. */
  pid: number;
  /** The process that started it and whose end ends it; null where a person did. */
  startedBy: { pid: number; identity: string | null } | null;
}

/** Numbers of all processes that carry the mark, by the system's list of them; none where the system keeps no such list in files. */
export function markedProcesses(mark: string): number[] {
  return processNumbers().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${RUN_MARK}=${mark}`);
    } catch {
      // It ended meanwhile, or is not ours.
      return false;
    }
  });
}

function processNumbers(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
