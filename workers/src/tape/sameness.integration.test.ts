import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readPublished } from '../testing/published-tape.ts';
import { workersOf } from '../testing/tape-activities.ts';
import { claimTape } from '../testing/tape-by-hand.ts';
import { openTapeCluster, type TapeCluster } from '../testing/tape-cluster.ts';
import {
  LOAN_CSV_MAPPING,
  LOAN_MAPPING,
  type Loan,
  manyLoans,
  writeLoans,
  writeLoansCsv,
} from '../testing/tape-file.ts';

const ROWS = 8000;
const BATCH_ROWS = 1000;
const BATCHES = 8;
const CUT_OFF_DATE = '2020-01-31';

// These tests process whole tapes with real workers, possibly on busy machines.
vi.setConfig({ testTimeout: 300_000 });

/** Texts that first appear late and not in alphabetical order, so that their codes depend on what comes before. */
function* loans(): Generator<Loan | null> {
  let at = 0;
  for (const loan of manyLoans(ROWS).loans()) {
    if (loan && at % 13 === 5) yield { ...loan, state: at > 6000 ? 'AA' : at > 3000 ? 'ZZ' : 'MM' };
    else yield loan;
    at += 1;
  }
}
const { counts } = manyLoans(ROWS);

let cluster: TapeCluster;
let companyId = '';
const kinds = { xlsx: { path: '', mappingId: '' }, csv: { path: '', mappingId: '' } };
type Kind = keyof typeof kinds;

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: BATCH_ROWS });
  companyId = await cluster.companyId('Alder Auto');
  for (const kind of ['xlsx', 'csv'] as const) kinds[kind].path = join(cluster.folder, `loans.${kind}`);
  kinds.xlsx.mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  kinds.csv.mappingId = await cluster.createMapping(companyId, LOAN_CSV_MAPPING);
  await writeLoans(kinds.xlsx.path, loans());
  await writeLoansCsv(kinds.csv.path, loans());
});
afterAll(() => cluster?.close());

const makeTape = (kind: Kind) => cluster.createTape({ companyId, cutOffDate: CUT_OFF_DATE, ...kinds[kind] });

/** The complete result of a tape. `bytes` are the published files themselves. */
async function outcome(tapeId: string) {
  const { assets, errored, manifest } = await readPublished(cluster, tapeId);
  const { counts, statistics } = await cluster.tape(tapeId);
  const bytes: string[] = [];
  for (const key of [...manifest.assets, ...manifest.errored]) {
    const content = await buffer(await cluster.objects.getStream(key));
    bytes.push(createHash('sha256').update(content).digest('hex'));
  }
  return { result: { assets, errored, columns: manifest.columns, counts, statistics }, bytes };
}

async function byHand(kind: Kind, options: { batchRows: number; order?: (batches: number) => number[] }) {
  const tape = await makeTape(kind);
  const hand = await claimTape(cluster, tape.id, options);
  const read = await hand.read();
  const transformed = await hand.transform(read, options.order?.(read.batches.length));
  await hand.finalize(read, transformed);
  await hand.end();
  return { ...(await outcome(tape.id)), batches: read.batches.length };
}

async function byWorkers(kind: Kind) {
  const tape = await makeTape(kind);
  await cluster.startTape(tape.id);
  expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done', batches: BATCHES });
  return { ...(await outcome(tape.id)), workers: await workersOf(cluster.client, tape.id, 'transformBatch') };
}

describe.each(['xlsx', 'csv'] as const)('the same .%s file', (kind) => {
  let first: Awaited<ReturnType<typeof byHand>>;

  beforeAll(async () => {
    first = await byHand(kind, { batchRows: BATCH_ROWS });
  });

  test('has in it what this is about: repeated ids in other batches, errored rows, texts by their first appearance', () => {
    expect(first.batches).toBe(BATCHES);
    expect(first.result.counts).toEqual(counts);
    const reasons = first.result.errored.map(({ errors }) => errors[0]?.reason);
    expect(reasons.filter((reason) => reason === 'Asset id L0 is already used by row 2').length).toBe(8);
    expect(new Set(reasons).size).toBeGreaterThan(1);
    const codes = new Map(
      first.result.assets.map((asset) => [asset['address.state'], asset['code:address.state']] as const),
    );
    expect(codes.get('ZZ')).toBeLessThan(Number(codes.get('AA')));
    expect(codes.get('MM')).toBeLessThan(Number(codes.get('ZZ')));
  });

  test.each([
    ['backwards', (batches: number) => Array.from({ length: batches }, (_, at) => batches - 1 - at)],
    ['from the middle', (batches: number) => Array.from({ length: batches }, (_, at) => (at * 5 + 3) % batches)],
  ])('comes to the same files, byte for byte, with its batches transformed %s', async (_words, order) => {
    const { result, bytes } = await byHand(kind, { batchRows: BATCH_ROWS, order });
    expect(result).toEqual(first.result);
    expect(bytes).toEqual(first.bytes);
  });

  test.each([
    [2900, 3],
    [100_000, 1],
  ])('comes to the same assets, errors and statistics in batches of %i rows', async (batchRows, batches) => {
    const other = await byHand(kind, { batchRows });
    expect(other.batches).toBe(batches);
    expect(other.result).toEqual(first.result);
  });
});

test('a workbook and a comma-separated file with the same cells come to the same assets and statistics', async () => {
  const [workbook, text] = [
    await byHand('xlsx', { batchRows: BATCH_ROWS }),
    await byHand('csv', { batchRows: BATCH_ROWS }),
  ];
  expect(text.result.assets).toEqual(workbook.result.assets);
  expect(text.result.statistics).toEqual(workbook.result.statistics);
  expect(text.result.counts).toEqual(workbook.result.counts);
  const problems = (errored: typeof text.result.errored) => errored.map(({ row, errors }) => ({ row, errors }));
  expect(problems(text.result.errored)).toEqual(problems(workbook.result.errored));
});

test('one worker process and four come to the same files, byte for byte', async () => {
  await cluster.startWorkers(1);
  const alone = await byWorkers('xlsx');
  expect(alone.workers.size).toBe(1);
  await cluster.startWorkers(3);
  const together = await byWorkers('xlsx');
  expect(together.workers.size).toBeGreaterThan(1);
  expect(together.result).toEqual(alone.result);
  expect(together.bytes).toEqual(alone.bytes);
  expect(together.result).toEqual((await byHand('xlsx', { batchRows: BATCH_ROWS })).result);
});
