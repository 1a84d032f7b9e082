/** `npm start`, second half: runs the whole product until it is told to stop. The first half is start.mjs. */
import { fileURLToPath } from 'node:url';
import { announcement } from './product/announcement.ts';
import { createLaunch } from './product/start-product.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const say = (line: string) => process.stdout.write(`${line}\n`);
// A reader who closes the pipe (head, a closed terminal) must not bring the product down in disorder.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const launch = createLaunch({ root, variables: process.env, say });
/** When stopping began; null while all runs. */
let stoppingSince: number | null = null;

async function stop(why: string, code: number): Promise<void> {
  if (stoppingSince !== null) return;
  stoppingSince = Date.now();
  say(`${why}: stopping`);
  await launch.stop();
  say('stopped');
  process.exit(code);
}

/** A second Ctrl-C: somebody will not wait. One press may arrive several times (the terminal, npm), all within a moment. */
function stopAtOnce(): void {
  if (stoppingSince === null || Date.now() - stoppingSince < 1000) return;
  say('stopping at once');
  launch.kill();
  process.exit(1);
}

process.on('SIGINT', stopAtOnce);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal, 0));
// The other end of this channel is the process that `npm start` runs; when it is killed, nobody could stop us later.
process.once('disconnect', () => void stop('the starting process is gone', 1));

try {
  const product = await launch.start();
  say(announcement(product));
  await launch.loadDemonstration().catch((error: Error) => {
    if (stoppingSince === null)
      say(`the demonstration portfolio is incomplete, the next start goes on with it: ${error.message}`);
  });
} catch (error) {
  if (stoppingSince === null) {
    process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}
