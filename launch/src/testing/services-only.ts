/**
 * Runs only the two embedded servers, as `npm start` does, for the recovery tests. Prints one JSON line when they are
 * ready.
 */
import { fileURLToPath } from 'node:url';
import { createLaunch } from '../product/start-product.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const say = (line: string) => process.stderr.write(`${line}\n`);
const launch = createLaunch({ root, variables: process.env, say, extent: 'services' });
process.on('SIGTERM', () => void launch.stop().then(() => process.exit(0)));

try {
  const { environment, temporalUiUrl, supervisor } = await launch.start();
  const pids = { postgres: supervisor.pidOf('postgres'), temporal: supervisor.pidOf('temporal') };
  const { DATABASE_URL, DATABASE_ADMIN_URL, TEMPORAL_ADDRESS, INSTANCE_NAME } = environment;
  process.stdout.write(
    `${JSON.stringify({ DATABASE_URL, DATABASE_ADMIN_URL, TEMPORAL_ADDRESS, INSTANCE_NAME, temporalUiUrl, pids })}\n`,
  );
} catch (error) {
  say(String(error));
  process.exit(1);
}
