import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listBorrowingBases } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { restartTape } from '@tapeline/db/operations/tapes/generations.ts';
import { contractDocument, findApplyingContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { listTransactions } from '@tapeline/db/operations/transactions/transactions.ts';
import { type TapeSheet, tapesOf } from '@tapeline/demonstration/tapes.ts';
import { calculateReference } from '@tapeline/domain/borrowing-base/testing/reference.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { MISFIT_PROBLEM } from '@tapeline/domain/tapes/tape.schema.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { recordHistory, replayTapes } from '../testing/histories.ts';
import { readPublished } from '../testing/published-tape.ts';
import { openTapeCluster, type TapeCluster } from '../testing/tape-cluster.ts';
import { LOAN_CSV_MAPPING, LOAN_MAPPING, type Loan, writeLoans, writeTapeFile } from '../testing/tape-file.ts';

const BATCH_ROWS = 1000;

// These tests process whole tapes with real workers, possibly on busy machines.
vi.setConfig({ testTimeout: 300_000 });

let cluster: TapeCluster;
let companyId = '';
let mappingId = '';
let files = 0;

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: BATCH_ROWS });
  companyId = await cluster.companyId('Alder Auto');
  mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  await cluster.startWorkers(1);
});
afterAll(() => cluster?.close());

const nextPath = () => {
  files += 1;
  return join(cluster.folder, `${files}.xlsx`);
};
async function makeTape(cutOffDate: string, loans: Iterable<Loan | null>, calculateBB = false) {
  const path = nextPath();
  await writeLoans(path, loans);
  return cluster.createTape({ companyId, mappingId, cutOffDate, path, calculateBB });
}
const run = async (tapeId: string) => {
  await cluster.startTape(tapeId);
  return cluster.finish(tapeId);
};
const loan = (at: number, change: Partial<Loan> = {}): Loan => ({ id: `L${at}`, balance: 100 + at, ...change });
const loansTo = (count: number) => Array.from({ length: count }, (_, at) => loan(at));

describe('what of a file is not read', () => {
  test('rows with more fields than the header are errored, and values without a header are counted on the tape', async () => {
    const path = join(cluster.folder, 'misfits.csv');
    const rows = Array.from({ length: 2400 }, (_, at) => `${at},M${at},1000,${100 + at},CA,2022-01-15,current,`);
    rows[3] = '3,M3,1000,1,234.50,CA,2022-01-15,current';
    rows[5] = '5,M5,1000,1,234,567.89,CA,2022-01-15,current';
    rows[2300] = '2300,M2300,1000,1,234,567.89,CA,2022-01-15,current';
    await writeFile(path, `,Loan,Original,Balance,State,Financed,Status,\n${rows.join('\n')}\n`);
    const csvMappingId = await cluster.createMapping(companyId, LOAN_CSV_MAPPING);
    const tape = await cluster.createTape({ companyId, mappingId: csvMappingId, cutOffDate: '2023-01-31', path });
    await run(tape.id);
    expect(await cluster.tape(tape.id)).toMatchObject({ failure: null });
    const { assets, errored } = await readPublished(cluster, tape.id);
    expect([assets.length, errored.length]).toEqual([2397, 3]);
    expect(errored.map(({ row, errors }) => [row, errors.length, errors[0]?.rule])).toEqual([
      [5, 1, 0],
      [7, 1, 0],
      [2302, 1, 0],
    ]);
    expect(errored[1]).toMatchObject({
      origin: { Loan: 'M5', Balance: '1', State: '234' },
      errors: [{ column: null, target: 'row', value: '2022-01-15,current', reason: MISFIT_PROBLEM.reason }],
    });
    expect((await cluster.tape(tape.id)).counts).toEqual({
      dataRows: 2400,
      assets: 2397,
      errored: 3,
      discarded: 0,
      blankRows: 0,
      sheet: { formulasWithoutResult: 0, unnamedCells: 2400, unnamedColumns: 'A' },
    });
  });
});

describe('checks that no batch can finalize alone', () => {
  test('an id used twice keeps its first row, in whichever batch the second is', async () => {
    const loans = loansTo(2500);
    loans[1200] = loan(5);
    loans[2400] = loan(5);
    loans[2401] = loan(1100);
    const tape = await makeTape('2024-01-31', loans);
    expect(await run(tape.id)).toMatchObject({ stage: 'done', batches: 3, rowsErrored: 3 });
    await recordHistory(cluster, tape.id, 'published');
    const { assets, errored } = await readPublished(cluster, tape.id);
    expect(assets).toHaveLength(2497);
    expect(assets.find(({ assetId }) => assetId === 'L5')).toMatchObject({ row: 7 });
    expect(errored.map(({ row, errors }) => [row, errors[0]?.target, errors[0]?.value, errors[0]?.reason])).toEqual([
      [1202, 'assetId', 'L5', 'Asset id L5 is already used by row 7'],
      [2402, 'assetId', 'L5', 'Asset id L5 is already used by row 7'],
      [2403, 'assetId', 'L1100', 'Asset id L1100 is already used by row 1102'],
    ]);
    expect(errored[0]?.origin).toMatchObject({ Loan: 'L5', Balance: 105, State: 'CA', Status: 'current' });
  });

  test('a tape is held against the one of the earlier date, also where the later one was uploaded first', async () => {
    const changed = loansTo(40);
    changed[7] = loan(7, { original: 26_000 });
    changed[39] = loan(5000);
    // Start both at once: both are registered before either is processed, and the earlier one takes much longer.
    const later = await makeTape('2024-04-30', changed);
    const earlier = await makeTape('2024-03-31', loansTo(6000));
    await cluster.startTape(later.id);
    await cluster.startTape(earlier.id);
    expect(await cluster.finish(later.id)).toMatchObject({ stage: 'done', rowsErrored: 1 });
    await recordHistory(cluster, later.id, 'waited');
    const [first, second] = [await cluster.tape(earlier.id), await cluster.tape(later.id)];
    expect(first.publishedAt?.getTime()).toBeLessThan(second.publishedAt?.getTime() ?? 0);
    const { errored } = await readPublished(cluster, later.id);
    const reason = 'Original principal was 25000 USD on the tape of 31 Mar 2024 and is now 26000 USD';
    expect(errored).toMatchObject([{ row: 9, errors: [{ target: 'sums.sum', value: '26000 USD', reason }] }]);
  });
});

describe('a tape that cannot be read to its end', () => {
  test('is Pending with the reason and stores nothing; once the file is whole, trying again publishes it', async () => {
    const whole = nextPath();
    const loans = loansTo(5000);
    await writeLoans(whole, loans, 0);
    // Change a digit in a late row without updating the part's checksum: the head of the file is valid, the whole tape
    // is not.
    const bytes = await readFile(whole);
    const at = bytes.lastIndexOf('<v>25000</v>');
    bytes[at + 4] = '9'.charCodeAt(0);
    const damaged = nextPath();
    await writeFile(damaged, bytes);
    const tape = await cluster.createTape({ companyId, mappingId, cutOffDate: '2021-01-31', path: damaged });
    expect(await run(tape.id)).toMatchObject({ stage: 'failed', rowsRead: expect.any(Number) });
    await recordHistory(cluster, tape.id, 'failed');
    const failed = await cluster.tape(tape.id);
    expect(failed).toMatchObject({ schedulerStatus: 'Completed', processStatus: 'Pending', generationId: null });
    expect(failed.failure).toMatch(/damaged/);
    expect(failed.progress).toMatchObject({ stage: 'failed', failure: failed.failure });
    expect(await cluster.keys(`lake/${tape.id}/`)).toEqual([]);

    await cluster.objects.putFile(objectKey(tape.attachment.bucket, tape.attachment.key), whole);
    await cluster.asSystem((session) => restartTape(session, { tapeId: tape.id }));
    expect(await run(tape.id)).toMatchObject({ stage: 'done', rowsErrored: 0 });
    expect(await cluster.tape(tape.id)).toMatchObject({
      processStatus: 'Completed',
      failure: null,
      counts: { dataRows: 5000, assets: 5000 },
    });
  });

  test('a mapped header that is not there is refused before a row is read', async () => {
    const path = nextPath();
    await writeTapeFile(path, 'Loans', [
      ['Loan', 'Original', 'Balance', 'State', 'Status'],
      ['L1', 1, 1, 'CA', 'current'],
    ]);
    const tape = await cluster.createTape({ companyId, mappingId, cutOffDate: '2021-02-28', path });
    expect(await run(tape.id)).toMatchObject({ stage: 'failed', rowsRead: 0 });
    expect(await cluster.tape(tape.id)).toMatchObject({
      processStatus: 'Pending',
      failure: expect.stringContaining('Financed'),
    });
    expect(await cluster.keys(`lake/${tape.id}/`)).toEqual([]);
  });
});

describe('a borrowing base asked for at upload', () => {
  test('is the plain calculation over the published assets of that very tape', async () => {
    const [sheet] = tapesOf('northwind') as [TapeSheet];
    const path = nextPath();
    await writeTapeFile(path, sheet.sheetName, [
      sheet.columns.map((column) => column.header),
      ...sheet.rows.map((row) =>
        row.map((cell, at) =>
          sheet.columns[at]?.kind === 'date' && isCalendarDate(cell) ? { date: cell as string } : cell,
        ),
      ),
    ]);
    const northwind = await cluster.companyId('Northwind Consumer Loans');
    const tape = await cluster.createTape({
      companyId: northwind,
      cutOffDate: sheet.cutOffDate,
      path,
      calculateBB: true,
    });
    expect(await run(tape.id)).toMatchObject({ stage: 'done', notice: null });
    await recordHistory(cluster, tape.id, 'borrowing-base');
    const { assets, manifest } = await readPublished(cluster, tape.id);
    expect(assets.length).toBeGreaterThan(4900);

    const { contract, stored } = await cluster.asSystem(async (session) => {
      const [transaction] = (await listTransactions(session, { filter: { company: northwind } })).documents;
      const found = await findApplyingContract(session, {
        noteId: transaction?.notes[0]?.id as string,
        cutOffDate: sheet.cutOffDate,
      });
      const bases = await listBorrowingBases(session, { filter: { loanTape: tape.id } });
      return {
        contract: found as NonNullable<typeof found>,
        stored: bases.documents,
      };
    });
    const { result } = calculateReference({
      assets,
      tape: { cutOffDate: sheet.cutOffDate, mainCurrency: 'USD', exchangeRates: { USD: '1', EUR: '0.86' } },
      contract: transactionContractSchema.parse(contractDocument(contract)),
      catalog: assetCatalog(manifest.customFields),
      // From the first tranche only, which is the active one. Not the 65 million of both.
      facility: {
        currency: 'USD',
        // The draws of the demonstration that were due by then, less the principal repaid.
        balances: [{ sum: '21750000', currency: 'USD' }],
        commitments: [{ sum: '45000000', currency: 'USD' }],
        limits: [{ sum: '45000000', currency: 'USD' }],
      },
    });
    expect(stored).toHaveLength(1);
    const { inputsHash, ...figures } = stored[0]?.result ?? {};
    expect(inputsHash).toMatch(/^[0-9a-f]{64}$/);
    expect(figures).toEqual(JSON.parse(JSON.stringify(result)));
    expect([stored[0]?.netBB, stored[0]?.firstBB].map(Number)).toEqual(
      [result.netBB.sum, result.firstBB.sum].map(Number),
    );
    expect(Number(result.netBB.sum)).toBeGreaterThan(1_000_000);
    // A calculation on other inputs stores its results beside these.
    expect(stored[0]?.resultKey).toContain(inputsHash);
    expect(await cluster.objects.head(stored[0]?.resultKey ?? '')).not.toBeNull();
    expect((await cluster.tape(tape.id)).borrowingBaseStatuses).toMatchObject([
      { status: 'Completed', borrowingBaseId: stored[0]?.id, failure: null },
    ]);
  });

  test('is told as missing where the company has no contract that applies, and the tape stands published', async () => {
    const tape = await makeTape('2022-01-31', loansTo(10), true);
    const { notice } = await run(tape.id);
    expect(notice).toMatch(/no borrowing base was calculated/);
    expect(await cluster.tape(tape.id)).toMatchObject({
      processStatus: 'Completed',
      schedulerStatus: 'Completed',
      failure: null,
      progress: { stage: 'done', notice },
      counts: { assets: 10 },
    });
  });
});

test('what every one of these workflows did is what it does when it is run again from its history', async () => {
  expect(await replayTapes(cluster, [...cluster.startedTapes])).toBe(cluster.startedTapes.size);
});
