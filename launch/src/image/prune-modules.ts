import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, installedPackages, MAX_IMAGE_MB } from './modules.ts';

/**
 * Deletes from a folder of modules what no program of the image loads, and fails if too much is left:
 * prune-modules.ts FOLDER. The Dockerfile runs it.
 */
const [modules = 'node_modules'] = process.argv.slice(2);
let before = 0;
let after = 0;
for (const { name, folder } of installedPackages(modules)) {
  for (const { path, isNeeded, size } of filesOf(name, folder)) {
    before += size;
    if (isNeeded) after += size;
    else rmSync(path);
  }
  removeEmptyFolders(folder);
}
const inMb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
process.stdout.write(`modules: ${inMb(before)}, ${inMb(after)} of them needed\n`);
if (after > MAX_IMAGE_MB * 1e6) {
  process.stderr.write(`at most ${MAX_IMAGE_MB} MB of modules go into the image\n`);
  process.exitCode = 1;
}

/** @returns whether the folder itself was removed */
function removeEmptyFolders(folder: string): boolean {
  const entries = readdirSync(folder, { withFileTypes: true });
  const left = entries.filter((entry) => !(entry.isDirectory() && removeEmptyFolders(join(folder, entry.name))));
  if (left.length > 0) return false;
  rmdirSync(folder);
  return true;
}
