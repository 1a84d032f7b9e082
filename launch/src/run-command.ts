/**
 * Runs a command (given as a file path) with its arguments, as `npm run sweep` does. It uses the database in
 * DATABASE_URL or the embedded one, either of the running copy or started only for this command.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openHome } from './home/home.ts';
import { HomeTaken } from './home/lock.ts';
import { readRunning } from './product/running.ts';
import { readLaunchSettings } from './product/settings.ts';
import { createLaunch, RESTORED } from './product/start-product.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const [command = '', ...words] = process.argv.slice(2);
/** It examines Temporal too. */
const isDoctor = command.includes('/doctor/');
const say = (line: string) => process.stdout.write(`${line}\n`);

function run(environment: NodeJS.ProcessEnv): number {
  const args = [join(root, command), ...words];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: environment }).status ?? 1;
}

async function runInHome(): Promise<number> {
  // A backup contains its own version of the tables, and no other program can use them during a restore.
  const isRestore = command.endsWith('/restore.ts');
  // Tables that differ are backed up and repaired as they are.
  const usesTablesAsTheyAre = isRestore || command.endsWith('/migrate.ts') || command.endsWith('/backup.ts');
  const extent = usesTablesAsTheyAre ? 'server' : isDoctor ? 'examined' : 'database';
  const launch = createLaunch({ root, variables: process.env, say, extent });
  try {
    const { environment, home } = await launch.start();
    const code = run(environment);
    if (isRestore && code === 0) writeFileSync(join(home.folder, RESTORED), '{}\n', { mode: 0o600 });
    return code;
  } catch (error) {
    if (!(error instanceof HomeTaken) || isRestore) throw error;
    const home = openHome(readLaunchSettings(process.env, root).homeFolder);
    return run({ ...process.env, ...readRunning(home) });
  } finally {
    await launch.stop();
  }
}

/** Whether the command needs the embedded database. */
function isEmbedded(): boolean {
  try {
    const settings = readLaunchSettings(process.env, root);
    // In production, the doctor says that no database is set instead of examining an embedded one.
    return settings.database === null && !(settings.production && isDoctor);
  } catch (error) {
    // The doctor reports wrong settings itself, in the form of its other findings.
    if (isDoctor) return false;
    throw error;
  }
}

try {
  process.exitCode = isEmbedded() ? await runInHome() : run(process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
// The lock and the channel to the parent process would keep this process alive.
process.exit();
