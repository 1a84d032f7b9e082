/** The second half of `npm start`: runs the whole product until it is told to stop. The first half is start.mjs. */
import { fileURLToPath } from 'node:url';
import { announcement } from './product/announcement.ts';
import { createLaunch } from './product/start-product.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const say = (line: string) => process.stdout.write(`${line}\n`);
// Closing the output pipe (head, a closed terminal) must not crash the product.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const launch = createLaunch({ root, variables: process.env, say });
/** When stopping began. Null while the product is running. */
let stoppingSince: number | null = null;

async function stop(why: string, code: number): Promise<void> {
  if (stoppingSince !== null) return;
  stoppingSince = Date.now();
  say(`${why}: stopping`);
  await launch.stop();
  say('stopped');
  process.exit(code);
}

/**
 * Handles a second Ctrl-C, which stops immediately. One key press can arrive several times within a moment (from the
 * terminal and npm), so repeats within a second are ignored.
 */
function stopAtOnce(): void {
  if (stoppingSince === null || Date.now() - stoppingSince < 1000) return;
  say('stopping immediately');
  launch.kill();
  process.exit(1);
}

process.on('SIGINT', stopAtOnce);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal, 0));
// The other end of this channel is the process that `npm start` runs. If it is killed, the user could no longer stop
// us.
process.once('disconnect', () => void stop('the parent process has ended', 1));

try {
  const product = await launch.start();
  say(announcement(product));
  await launch.loadDemonstration().catch((error: Error) => {
    if (stoppingSince === null)
      say(`the demonstration portfolio is incomplete and continues at the next start: ${error.message}`);
  });
} catch (error) {
  if (stoppingSince === null) {
    process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}
