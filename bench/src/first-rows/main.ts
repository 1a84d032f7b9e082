import { benchTape, gridQueries } from '../grid/queries.ts';
import { median, numberOption, percentile95, printLoad, say } from '../measuring/rounds.ts';
import { serveTape } from '../measuring/served-tape.ts';
import { publishedTape } from '../tape/published-tape.ts';

// What a person waits for the first rows of a tape's assets, against the REST call that reads the same rows: the page as
// the server draws it, and its tab as the app opens it. Both run the same query; what is added is the page around the rows.

/** As many as the page has before the grid takes over. */
const FIRST_ROWS = 50;

const rows = numberOption('rows', 100_000);
const queries = numberOption('queries', 20);
const rounds = numberOption('rounds', 3);

const assetsFile = await publishedTape(rows);
const { catalog, columns, customFields } = benchTape();
const product = await serveTape(assetsFile, { rows, columns, customFields });

const times: Record<'page' | 'tab' | 'call', number[]> = { page: [], tab: [], call: [] };

async function timed<T>(of: keyof typeof times, isCounted: boolean, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  if (isCounted) times[of].push(performance.now() - started);
  return result;
}

try {
  printLoad();
  // The first round compiles what runs, and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, each] of gridQueries(catalog, rows, queries, 900 + round).entries()) {
      const query = { ...each, skip: 0, limit: FIRST_ROWS };
      const isCounted = round > 0;
      let ids: readonly string[] = [];
      const texts: string[] = [];
      const asks = [
        async () => {
          ({ ids } = await timed('call', isCounted, () => product.list(query, query.asked)));
        },
        async () => void texts.push(await timed('page', isCounted, () => product.open(query, query.asked, 'page'))),
        async () => void texts.push(await timed('tab', isCounted, () => product.open(query, query.asked, 'tab'))),
      ];
      // Whoever asks first finds the order of the rows: each does so as often as the others.
      for (let turn = 0; turn < asks.length; turn += 1) await asks[(at + turn) % asks.length]!();
      const missing = ids.filter((id) => texts.some((text) => !text.includes(id)));
      if (missing.length > 0) throw new Error(`the page lacks ${missing.length} of ${ids.length} assets of the call`);
    }
  }
  for (const [name, of] of [
    ['GET /crud/assets', times.call],
    ['the tab', times.tab],
    ['the page', times.page],
  ] as const) {
    say(
      `${name.padEnd(18)} median ${median(of).toFixed(0).padStart(5)} ms   p95 ${percentile95(of).toFixed(0).padStart(5)} ms`,
    );
  }
  say(`the page ${(median(times.page) / median(times.call)).toFixed(2)} times the call`);
  say(
    `ratio first-rows ${(median(times.tab) / median(times.call)).toFixed(2)} (median of the tab with the first ${FIRST_ROWS} of ${rows.toLocaleString('en')} assets against GET /crud/assets)`,
  );
} finally {
  await product.close();
}
