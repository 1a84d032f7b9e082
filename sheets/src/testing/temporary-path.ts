import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string | undefined;
let fileCount = 0;

/** A path in a temporary folder of this test file, removed after its tests. */
export function temporaryPath(ending: string): string {
  folder ??= mkdtempSync(join(tmpdir(), 'sheets-'));
  fileCount += 1;
  return join(folder, `${fileCount}${ending}`);
}

export function removeTemporaryFolder(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}
