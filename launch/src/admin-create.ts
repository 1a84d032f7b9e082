/**
 * `npm run admin:create -- EMAIL`: makes an administrator, the first account of a production system. Works on the
 * database that DATABASE_URL names, or on the embedded one: that of the running copy, or started for this alone.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openHome } from './home/home.ts';
import { HomeTaken } from './home/lock.ts';
import { readRunning } from './product/running.ts';
import { readLaunchSettings } from './product/settings.ts';
import { createLaunch } from './product/start-product.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = join(root, 'db/src/commands/admin-create.ts');
const say = (line: string) => process.stdout.write(`${line}\n`);

function createAdmin(environment: NodeJS.ProcessEnv): number {
  const words = [program, ...process.argv.slice(2)];
  return spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit', env: environment }).status ?? 1;
}

async function createAdminInHome(): Promise<number> {
  const launch = createLaunch({ root, variables: process.env, say, extent: 'database' });
  try {
    const { environment } = await launch.start();
    return createAdmin(environment);
  } catch (error) {
    if (!(error instanceof HomeTaken)) throw error;
    const home = openHome(readLaunchSettings(process.env, root).homeFolder);
    return createAdmin({ ...process.env, ...readRunning(home) });
  } finally {
    await launch.stop();
  }
}

try {
  const settings = readLaunchSettings(process.env, root);
  process.exitCode = settings.database === null ? await createAdminInHome() : createAdmin(process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
// The lock and the channel to the starting process would keep this one alive.
process.exit();
