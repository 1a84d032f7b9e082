import { filterToSentence } from '@tapeline/domain/filters/sentence.ts';
import { memoryOf } from '@tapeline/launch/processes/usage.ts';
import { median, numberOption, option, percentile95, printLoad, say } from '../measuring/rounds.ts';
import { serveTape } from '../measuring/served-tape.ts';
import { publishedTape } from '../tape/published-tape.ts';
import { openPostgresTable } from './postgres-table.ts';
import { benchTape, type GridQuery, gridQueries } from './queries.ts';

const queries = numberOption('queries', 40);
const rows = numberOption('rows', 1_000_000);
const rounds = numberOption('rounds', 5);

const assetsFile = await publishedTape(rows);
const { catalog, columns, customFields } = benchTape();
const product = await serveTape(assetsFile, { rows, columns, customFields });
const table = await openPostgresTable(product.superuserUrl, assetsFile, columns).catch(async (error) => {
  await product.close();
  throw error;
});

async function timed<T>(work: Promise<T>): Promise<{ ms: number; result: T }> {
  const started = performance.now();
  const result = await work;
  return { ms: performance.now() - started, result };
}
const wordsOf = ({ filter, sort, skip }: GridQuery): string =>
  `${filterToSentence(filter) || 'all'}; by ${sort.map(({ field, direction }) => `${field.path} ${direction === 1 ? 'up' : 'down'}`).join(', ') || 'row'}; from ${skip}`;

interface Times {
  readonly ours: number[];
  readonly theirs: number[];
}

/** Sends the query to both, one after the other, and compares the results. */
async function ask(query: GridQuery, times: Times): Promise<void> {
  const ours = await timed(product.list(query, query.asked));
  const theirs = await timed(table.list(query));
  times.ours.push(ours.ms);
  times.theirs.push(theirs.ms);
  if (ours.result.total !== theirs.result.total || ours.result.ids.join() !== theirs.result.ids.join()) {
    throw new Error(`the two answer differently: ${wordsOf(query)}`);
  }
}

function report(what: string, { ours, theirs }: Times): number {
  for (const [name, each] of [
    ['the REST list', ours],
    ['a PostgreSQL table', theirs],
  ] as const) {
    const figures = `median ${median(each).toFixed(0).padStart(5)} ms   p95 ${percentile95(each).toFixed(0).padStart(5)} ms`;
    say(`${what.padEnd(24)} ${name.padEnd(20)} ${figures}   worst ${Math.max(...each).toFixed(0)} ms`);
  }
  return percentile95(theirs) / percentile95(ours);
}

try {
  printLoad();
  const [first, never, next]: Times[] = Array.from({ length: 3 }, () => ({ ours: [], theirs: [] }));
  // Every round sends 40 new combinations, so no response can be cached. The very first query of either is reported
  // separately.
  for (let round = 0; round <= rounds; round += 1) {
    for (const query of gridQueries(catalog, rows, queries, 40 + round)) {
      await ask(query, round === 0 ? first! : never!);
      if (option('each') !== undefined) {
        const [mine, theirs] = round === 0 ? [first!.ours, first!.theirs] : [never!.ours, never!.theirs];
        say(`${mine.at(-1)!.toFixed(0).padStart(6)} ${theirs.at(-1)!.toFixed(0).padStart(6)} ms  ${wordsOf(query)}`);
      }
      if (round > 0) await ask({ ...query, skip: query.skip + query.limit }, next!);
    }
  }
  say(
    `${rows.toLocaleString('en')} assets, ${queries} new combinations of filter, sort and page a round, ${rounds} rounds`,
  );
  report('the first query', first!);
  report('the next page', next!);
  const ratio = report('new combinations', never!);
  say(`peak memory of the web server ${Math.round(memoryOf(product.webs[0]!.pid).peakBytes / 2 ** 20)} MB`);
  say(
    `ratio grid ${ratio.toFixed(2)} (p95 of pages of ${rows.toLocaleString('en')} assets by GET /crud/assets: times as fast as a PostgreSQL table with b-trees)`,
  );
} finally {
  await table.close();
  await product.close();
}
