import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AssetQuery, assetListCatalog, listAssets, type TapeSource } from '@tapeline/db/lake/assets.ts';
import { openLake } from '@tapeline/db/lake/lake.ts';
import { filterToSentence } from '@tapeline/domain/filters/sentence.ts';
import { median, numberOption, option, say, sayLoad } from '../measuring/rounds.ts';
import { publishTape } from '../tape/publish-tape.ts';
import { TAPE_FACTS } from '../tape-data/mapping.ts';
import { DATA_FOLDER, makeTapeWorkbook } from '../tape-data/workbook.ts';
import { compileTapeMapping } from '../transform/staged-parts.ts';
import { openPostgresTable } from './postgres-table.ts';
import { gridQueries } from './queries.ts';

const QUERIES = 40;
const rows = numberOption('rows', 1_000_000);
const rounds = numberOption('rounds', 5);

/** The generated tape as published; made once and kept. */
async function publishedTape(): Promise<string> {
  const kept = join(DATA_FOLDER, `published-${rows}-1.parquet`);
  if (!existsSync(kept)) {
    const folder = join(DATA_FOLDER, `publishing-${rows}`);
    const { assetsFile } = await publishTape(await makeTapeWorkbook(rows), folder);
    await rename(assetsFile, kept);
    await rm(folder, { recursive: true });
  }
  return kept;
}

const assetsFile = await publishedTape();
const { columns, fields } = compileTapeMapping();
const source: TapeSource = {
  tapeId: '0'.repeat(24),
  companyId: '0'.repeat(24),
  cutOffDate: TAPE_FACTS.cutOffDate,
  assetPrefix: '0'.repeat(16),
  mappingVersion: 1,
  paths: [assetsFile],
  columns: columns.map(({ name }) => name),
  customFields: fields.filter(({ custom }) => custom).map(({ path, kind, label }) => ({ path, kind, label })),
  borrowingBase: null,
};
const queries = gridQueries(assetListCatalog([source]), rows, QUERIES);
const lake = await openLake();
const table = await openPostgresTable(assetsFile, columns);

async function timed<T>(work: Promise<T>): Promise<{ ms: number; result: T }> {
  const started = performance.now();
  const result = await work;
  return { ms: performance.now() - started, result };
}
const percentile95 = (times: readonly number[]): number =>
  [...times].sort((left, right) => left - right)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;
const wordsOf = ({ filter, sort, skip }: AssetQuery): string =>
  `${filterToSentence(filter) || 'all'}; by ${sort.map(({ field, direction }) => `${field.path} ${direction === 1 ? 'up' : 'down'}`).join(', ') || 'row'}; from ${skip}`;

try {
  sayLoad();
  const times = queries.map(() => ({ ours: [] as number[], theirs: [] as number[] }));
  // The first round warms both and is not counted; it is where the answers are compared.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, query] of queries.entries()) {
      const ours = await timed(listAssets(lake, [source], query));
      const theirs = await timed(table.list(query));
      if (round > 0) {
        times[at]!.ours.push(ours.ms);
        times[at]!.theirs.push(theirs.ms);
        continue;
      }
      const ids = ours.result.columns.get('assetId') ?? [];
      if (ours.result.total !== theirs.result.total || ids.join() !== theirs.result.ids.join()) {
        throw new Error(`the two answer differently: ${wordsOf(query)}`);
      }
    }
  }
  if (option('each') !== undefined) {
    for (const [at, query] of queries.entries()) {
      const { ours, theirs } = times[at]!;
      say(`${median(ours).toFixed(0).padStart(6)} ${median(theirs).toFixed(0).padStart(6)} ms  ${wordsOf(query)}`);
    }
  }
  const [ours, theirs] = [times.flatMap((each) => each.ours), times.flatMap((each) => each.theirs)];
  say(`${rows.toLocaleString('en')} assets, ${QUERIES} combinations of filter, sort and page, ${rounds} rounds`);
  for (const [name, each] of [
    ['listAssets over Parquet', ours],
    ['PostgreSQL table', theirs],
  ] as const) {
    say(
      `${name.padEnd(24)} median ${median(each).toFixed(0).padStart(6)} ms   p95 ${percentile95(each).toFixed(0).padStart(6)} ms   worst ${Math.max(...each).toFixed(0)} ms`,
    );
  }
  say(
    `ratio grid ${(percentile95(theirs) / percentile95(ours)).toFixed(2)} (p95 of pages of ${rows.toLocaleString('en')} assets: times as fast as a PostgreSQL table with b-trees)`,
  );
} finally {
  await table.close();
  lake.close();
}
