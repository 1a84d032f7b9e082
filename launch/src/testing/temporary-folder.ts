import { statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** The type of a file system in memory (tmpfs), as Linux numbers it. */
const TMPFS = 0x01_02_19_94;
const GIB = 1024 ** 3;
/** A run needs about 2 GiB for its databases. */
const NEEDED_ROOM = 4 * GIB;
/** What else the run needs is free as well. */
const NEEDED_MEMORY = 10 * GIB;

/**
 * Where a run has files that are deleted after it: in memory, if there is plenty of it. Each database of a test has
 * thousands of small files, and a file system on a disk takes ten times as much processor time to make them.
 */
export function temporaryFolder(): string {
  try {
    const { type, bavail, bsize } = statfsSync(IN_MEMORY);
    if (type === TMPFS && bavail * bsize >= NEEDED_ROOM && freemem() >= NEEDED_MEMORY) return IN_MEMORY;
  } catch {
    // Only Linux has it.
  }
  return tmpdir();
}
