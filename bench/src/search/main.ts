import { readEnvironment } from '@tapeline/db/environment.ts';
import { searchDocuments } from '@tapeline/db/operations/search/search.ts';
import { openStore } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import pg from 'pg';
import { openProduct } from '../measuring/product.ts';
import { median, numberOption, percentile95, printLoad, say } from '../measuring/rounds.ts';
import { fillPortfolio, MANAGER_ID, queriesOf } from './portfolio.ts';

const documents = numberOption('documents', 100_000);
const assets = numberOption('rows', 1_000_000);
const rounds = numberOption('rounds', 5);
const QUERIES = 100;
const MOST = 40;
const KINDS = ['start of a word', 'two words', 'a number and a word', 'id of an asset'];

/** The floor: the words and the ids of assets in two plain tables with b-trees, for one tenant, without policies. */
const BARE = {
  name: 'bare',
  text: `(select d.kind, d.id, d.title, d.detail from bare_words w join bare_documents d on d.id = w.document_id
      where w.word >= $1 and w.word < $2 and w.line like all ($5) order by w.word limit ${MOST})
    union all (select 'asset', company_id, asset_id, null from bare_assets where key >= $3 and key < $4 order by key limit ${MOST})`,
};
const bounds = (start: string): string[] => [start, `${start}\u{10ffff}`];

const MANAGER = testActor({ type: 'manager', managerId: MANAGER_ID });

async function timed<T>(work: Promise<T>, times: number[]): Promise<T> {
  const started = performance.now();
  const result = await work;
  times.push(performance.now() - started);
  return result;
}

const product = await openProduct({ extent: 'database' });
const client = new pg.Client({ connectionString: product.superuserUrl });
// A server that is stopped reports it here; the next query throws.
client.on('error', () => {});
await client.connect();
try {
  const seconds = await fillPortfolio(client, { documents, assets });
  const store = await openStore({ ...readEnvironment(product.environment), databasePoolSize: 2 });
  try {
    printLoad();
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      for (const { text, expected } of queriesOf(round, QUERIES, documents)) {
        const [mine, floor]: [number[], number[]] = round === 0 ? [[], []] : [ours, bare];
        const words = text
          .toLowerCase()
          .split(' ')
          .sort((a, b) => b.length - a.length);
        const plain = await timed(
          client.query<{ title: string }>({
            ...BARE,
            values: [
              ...bounds(words[0] ?? ''),
              ...bounds(text.toLowerCase()),
              words.slice(1).map((word) => `% ${word}%`),
            ],
          }),
          floor,
        );
        const found = await timed(
          store.read(MANAGER, (session) => searchDocuments({ ...session, actor: MANAGER }, text)),
          mine,
        );
        const titles = found.flatMap((kind) => kind.documents.map(({ title }) => title));
        if (plain.rows.length === 0 || !titles.some((title) => title.includes(expected)))
          throw new Error(`${text} did not find ${expected}`);
      }
    }
    const count = (value: number): string => value.toLocaleString('en');
    say(
      `${count(documents)} documents and ${count(assets)} assets, indexed in ${seconds.toFixed(0)} s; ${rounds} rounds of ${QUERIES} searches`,
    );
    for (const [name, times] of [
      ['the search', ours],
      ['bare indexed query', bare],
    ] as const) {
      say(`${name.padEnd(20)} median ${median(times).toFixed(2)} ms   p95 ${percentile95(times).toFixed(2)} ms`);
    }
    for (const [kind, name] of KINDS.entries()) {
      const of = (times: readonly number[]): string =>
        median(times.filter((_, at) => at % KINDS.length === kind)).toFixed(2);
      say(`  ${name}: ${of(ours)} against ${of(bare)} ms`);
    }
    say(
      `ratio search ${(median(ours) / median(bare)).toFixed(2)} (time of a search of all kinds with row-level security: times a bare indexed query)`,
    );
  } finally {
    await store.close();
  }
} finally {
  await client.end();
  await product.close();
}
