import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bundleWorkflowCode, type Logger } from '@temporalio/worker';

const { resolve } = createRequire(import.meta.url);
/** A bundle that no worker used for this long belongs to an earlier version. */
const FORGOTTEN_MS = 7 * 24 * 3_600_000;

/**
 * The workflows as one script, which Temporal runs in isolation. It is bundled once for each state of their sources and
 * kept in the folder, so that a restarted worker is ready at once.
 * @returns its path
 */
export async function keptWorkflowBundle(folder: string, logger: Logger): Promise<string> {
  await mkdir(folder, { recursive: true });
  const workflowsPath = resolve('@tapeline/workflows/all-workflows.ts');
  const path = join(folder, `${await fingerprint(dirname(workflowsPath))}.cjs`);
  const now = new Date();
  const isKept = await utimes(path, now, now).then(
    () => true,
    () => false,
  );
  if (isKept) return path;
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [resolve('@tapeline/workflows/tracing/interceptors.ts')],
    logger,
  });
  // Workers that start at once each create it, and the last one's stays: they are identical.
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, code, { mode: 0o600 });
  await rename(temporary, path);
  await forgetOthers(folder, now);
  return path;
}

/**
 * Hash of everything that goes into a bundle: the workflows, the domain modules that they may import, and Temporal's
 * own code.
 */
async function fingerprint(workflowsFolder: string): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  hash.update(await readFile(resolve('@temporalio/worker/package.json')));
  const domainFolder = dirname(dirname(resolve('@tapeline/domain/errors/refusal.ts')));
  for (const folder of [workflowsFolder, domainFolder]) {
    const names = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name)).sort();
    for (const name of names) hash.update(`\n${name}\n`).update(await readFile(join(folder, name)));
  }
  return hash.digest('hex').slice(0, 32);
}

async function forgetOthers(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && now.getTime() - found.mtimeMs > FORGOTTEN_MS) await rm(join(folder, name), { force: true });
  }
}
