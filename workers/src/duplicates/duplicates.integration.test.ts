import { join } from 'node:path';
import { countDuplicatesOf, lastSearch, listDuplicates } from '@tapeline/db/operations/duplicates/duplicates.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import type { MappingInput } from '@tapeline/domain/tapes/mapping.schema.ts';
import type { everyDuplicate } from '@tapeline/workflows/all-workflows.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ALL_QUEUES, openTapeCluster, type TapeCluster, TEST_QUEUES, until } from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, writeLoans } from '../testing/tape-file.ts';

vi.setConfig({ testTimeout: 240_000 });

let cluster: TapeCluster;
beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 5000 });
  await cluster.startWorkers(1, ALL_QUEUES);
});
afterAll(() => cluster?.close());

/** The tape of a borrower, whose loans all have the same id and original amount as those of the other borrowers. */
async function publish(company: string, ids: readonly string[], mapping: MappingInput = LOAN_MAPPING): Promise<string> {
  const companyId = await cluster.companyId(company);
  const path = join(cluster.folder, `${ids.join('-')}.xlsx`);
  await writeLoans(
    path,
    ids.map((id) => ({ id, balance: 1000.25, original: 2000 })),
  );
  const mappingId = await cluster.createMapping(companyId, mapping);
  const tape = await cluster.createTape({ companyId, mappingId, cutOffDate: '2026-10-31', path });
  await cluster.startTape(tape.id);
  expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done' });
  return tape.id;
}

test('the book is searched after each tape that is published, and nobody asks for it', async () => {
  const alder = await publish('Alder Auto', ['A-1', 'A-2']);
  const { managerId } = await cluster.tape(alder);
  const mara = testActor({ type: 'manager', managerId });
  const as = cluster.database.store.as.bind(cluster.database.store);
  const searched = (loans: number) =>
    until(async () => {
      const search = await as(mara, lastSearch);
      return search?.endedAt && search.loans === loans ? search : null;
    });
  expect(await searched(2)).toMatchObject({ companies: 1, pairCount: 0, failure: null });
  const northwind = await publish('Northwind Consumer Loans', ['A-2', 'N-1', 'N-2']);
  expect(await searched(5)).toMatchObject({ companies: 2, pairCount: 1, failure: null });
  const { documents } = await as(mara, (session) => listDuplicates(session));
  expect(documents).toMatchObject([{ certainty: 'certain', countedTwice: '1000.25', currency: 'USD' }]);
  expect(documents[0]?.loans.map(({ assetId }) => assetId)).toEqual(['A-2', 'A-2']);
  for (const tape of [alder, northwind]) expect(await as(mara, (session) => countDuplicatesOf(session, tape))).toBe(1);

  // At night as well.
  const night = await cluster.client.workflow.start<typeof everyDuplicate>('everyDuplicate', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: 'every-duplicate',
    args: [],
  });
  const before = (await as(mara, lastSearch))!.startedAt;
  expect((await night.result()).searched).toBe(1);
  const after = await searched(5);
  expect(after!.startedAt.getTime()).toBeGreaterThan(before.getTime());
});
