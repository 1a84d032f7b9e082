import { cpuMsOf } from '@tapeline/launch/processes/usage.ts';
import { benchTape, gridQueries } from '../grid/queries.ts';
import { median, numberOption, percentile95, printLoad, say } from '../measuring/rounds.ts';
import { type PageReader, serveTape } from '../measuring/served-tape.ts';
import { publishedTape } from '../tape/published-tape.ts';

// Many users page through the assets of one tape and sort them at the same time, none of them pausing to read. Each has
// combinations of filter and sort of their own, so that no answer is another user's.

/** Pages that a user reads of each combination. */
const PAGES = 3;
const COMBINATIONS = 10;
/** What a person is willing to wait for a page. */
const MAX_MS = 1000;

const rows = numberOption('rows', 800_000);
const users = numberOption('users', 20);
const rounds = numberOption('rounds', 3);
const webs = numberOption('webs', 1);

const assetsFile = await publishedTape(rows);
const { catalog, columns, customFields } = benchTape();
const product = await serveTape(assetsFile, { rows, columns, customFields }, { webs, readers: users });

interface Reading {
  readonly times: number[];
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

/** Each reader goes through combinations of their own, one page after the other. */
async function readAll(readers: readonly PageReader[], seed: number): Promise<Reading> {
  const cpu = () => product.webs.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
  const [before, started, times] = [cpu(), performance.now(), [] as number[]];
  await Promise.all(
    readers.map(async (read, at) => {
      for (const query of gridQueries(catalog, rows, COMBINATIONS, seed * 1000 + at)) {
        for (let page = 0; page < PAGES; page += 1) {
          const asked = performance.now();
          const total = await read({ ...query, skip: query.skip + page * query.limit }, query.asked);
          times.push(performance.now() - asked);
          if (!(total >= 0 && total <= rows)) throw new Error(`${total} of ${rows} assets`);
        }
      }
    }),
  );
  return { times, elapsedMs: performance.now() - started, cpuMs: cpu() - before };
}

function report(who: string, readings: readonly Reading[]): number {
  const times = readings.flatMap((reading) => reading.times);
  const sum = (read: (reading: Reading) => number) => readings.reduce((all, reading) => all + read(reading), 0);
  const pace = (times.length * 1000) / sum(({ elapsedMs }) => elapsedMs);
  const p95 = percentile95(times);
  say(
    `${who.padEnd(10)} median ${median(times).toFixed(0).padStart(5)} ms   p95 ${p95.toFixed(0).padStart(5)} ms   worst ${Math.max(...times).toFixed(0)} ms   ${pace.toFixed(1)} pages/s, ${(sum(({ cpuMs }) => cpuMs) / times.length).toFixed(0)} ms of CPU each`,
  );
  return p95;
}

try {
  const [first] = product.readers;
  if (!first) throw new Error('nobody reads');
  printLoad();
  const cold = await readAll(product.readers, 1);
  const alone: Reading[] = [];
  const together: Reading[] = [];
  for (let round = 2; round < 2 + rounds; round += 1) {
    alone.push(await readAll([first], round * 2));
    together.push(await readAll(product.readers, round * 2 + 1));
  }
  say(
    `${rows.toLocaleString('en')} assets, ${COMBINATIONS} combinations of ${PAGES} pages for each of ${users} users a round, ${webs} web server${webs === 1 ? '' : 's'}`,
  );
  report('cold', [cold]);
  const one = report('one user', alone);
  const many = report(`${users} users`, together);
  say(`p95 of ${users} users ${many.toFixed(0)} ms: ${many <= MAX_MS ? 'within' : 'above'} ${MAX_MS} ms`);
  printLoad();
  say(`ratio users ${(many / one).toFixed(2)} (p95 of ${users} users at once, without pauses, against one alone)`);
} finally {
  await product.close();
}
