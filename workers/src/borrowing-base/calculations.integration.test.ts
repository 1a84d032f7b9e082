import { join } from 'node:path';
import { Readable } from 'node:stream';
import { listBorrowingBases } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { createCovenant, removeCovenant } from '@tapeline/db/operations/covenants/covenants.ts';
import {
  activateContract,
  contractDocument,
  copyContract,
  createFirstContract,
  editContract,
  getContract,
} from '@tapeline/db/operations/transactions/contracts.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { northwindFacility } from '@tapeline/demonstration/facilities.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { covenantCreateSchema } from '@tapeline/domain/covenants/covenant.schema.ts';
import {
  type TransactionContractInput,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { CANCELLED_CALCULATION } from '@tapeline/domain/tapes/calculation-state.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { borrowingBases } from '@tapeline/workflows/all-workflows.ts';
import type { TrialResult } from '@tapeline/workflows/preview/preview.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { recordRun, replayRuns, type WorkflowRun } from '../testing/histories.ts';
import { openTapeCluster, type TapeCluster, TEST_INSTANCE, TEST_QUEUES, until } from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, writeLoans } from '../testing/tape-file.ts';
import { certificateSources, onFiles } from './explain-bases.ts';
import { tryContract } from './try-contract.ts';

vi.setConfig({ testTimeout: 300_000 });

let cluster: TapeCluster;
let companyId = '';
let mappingId = '';
let fund = '';

let tapeId = '';

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 1000 });
  companyId = await cluster.companyId('Alder Auto');
  mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  const [ownFund] = await cluster.asSystem(({ query }) =>
    query<{ id: string }>(
      'select f.id from funds f join companies c on c.manager_id = f.manager_id where c.id = $1 limit 1',
      [companyId],
    ),
  );
  fund = ownFund!.id;
  await cluster.startWorkers(1, { WORKER_QUEUES: 'workflows,io' });
  tapeId = await whileComputing(async () => {
    const path = join(cluster.folder, 'loans.xlsx');
    const loans = [100, 250].map((balance) => ({ id: `L${balance}`, balance }));
    await writeLoans(path, loans);
    const tape = await cluster.createTape({ companyId, mappingId, cutOffDate: '2024-05-31', path });
    await cluster.startTape(tape.id);
    await cluster.finish(tape.id);
    return tape.id;
  });
});
// Each test adds its own notes.
beforeEach(() =>
  cluster.asSystem(async ({ query }) => {
    await query(
      "update contracts set status = 'Closed', closed_at = now() where company_id = $1 and status = 'Active'",
      [companyId],
    );
  }),
);
afterAll(() => cluster?.close());

/** Runs `work` while a worker processes calculations. No worker does so otherwise. */
async function whileComputing<T>(work: () => Promise<T>): Promise<T> {
  const [worker] = await cluster.startWorkers(1, { WORKER_QUEUES: 'compute' });
  try {
    return await work();
  } finally {
    await worker!.end();
  }
}

type Terms = Partial<TransactionContractInput>;

/** Adds a note with an Active contract. @param body written into the stored contract without schema validation */
async function addNote(
  title: string,
  terms: Terms = {},
  body?: object,
): Promise<{ noteId: string; contractId: string }> {
  const facility = northwindFacility({ company: companyId, mapping: mappingId, fund });
  const [senior] = facility.notes;
  return cluster.asSystem(async (session) => {
    const document = { ...facility, title, notes: [{ ...senior!, title, contracts: [] }] };
    const transaction = await createTransaction(session, transactionSchema.parse(document));
    const noteId = transaction.notes[0]!.id;
    const contract = transactionContractSchema.parse({
      cutOffDate: '2024-01-01',
      assetsETL: mappingId,
      advanceRate: { defaultRate: 100 },
      ...terms,
    });
    const { id } = await createFirstContract(session, { transactionId: transaction.id, noteId, contract });
    if (body === undefined) await activateContract(session, { id });
    // Terms that no operation would activate.
    else {
      await session.query(
        `update contracts set body = body || $2::jsonb, status = 'Active', activated_at = now() where id = $1`,
        [id, JSON.stringify(body)],
      );
    }
    return { noteId, contractId: id };
  });
}

const workflowId = () => workflowIdOf(TEST_INSTANCE, WORKFLOW_IDS.borrowingBases(tapeId));
const handle = () => cluster.client.workflow.getHandle<typeof borrowingBases>(workflowId());
const runs: WorkflowRun[] = [];
/** Records the finished run for a later replay. */
async function keepRun(name: string): Promise<void> {
  const run = { workflowId: workflowId(), history: await handle().fetchHistory() };
  runs.push(run);
  await recordRun(run, name);
}
/** Requests a calculation in the same way as the web app. */
async function calculate(): Promise<void> {
  await cluster.client.workflow.signalWithStart<typeof borrowingBases>('borrowingBases', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: workflowId(),
    signal: 'calculateAgain',
    args: [{ tapeId }],
  });
}
/** The status entries of notes that had an Active contract. */
const statuses = async () =>
  (await cluster.tape(tapeId)).borrowingBaseStatuses.filter(({ contractId }) => contractId !== null);
const basesOf = async (contractId: string) =>
  (await cluster.asSystem((session) => listBorrowingBases(session, { filter: { contract: contractId } }))).documents;

/** The number of times each activity was scheduled, and the highest attempt number of any of them. */
async function activities() {
  const { events } = await handle().fetchHistory();
  const asked: Record<string, number> = {};
  let attempts = 0;
  for (const event of events ?? []) {
    const name = event.activityTaskScheduledEventAttributes?.activityType?.name;
    if (name) asked[name] = (asked[name] ?? 0) + 1;
    attempts = Math.max(attempts, event.activityTaskStartedEventAttributes?.attempt ?? 0);
  }
  return { asked, attempts };
}

test('a note that cannot be calculated from its data fails at once, with its reason, and stops no other', async () => {
  const broken = await addNote('Broken', {}, { title: 'x'.repeat(251) });
  await addNote('Unmapped', {
    eligibilityRules: [{ title: 'FICO is at least 640', filter: { 'creditScores.origination': { gte: 640 } } }],
  });
  const sound = await addNote('Sound');
  await calculate();
  const { made, notices } = await whileComputing(() => handle().result());
  expect(made.map(({ noteId }) => noteId)).toEqual([sound.noteId]);
  // Each stands with its note, below, and is not said again in the tape's notice.
  expect(notices).toEqual([]);
  expect(await statuses()).toMatchObject([
    {
      noteTitle: 'Broken',
      status: 'Pending',
      failure:
        'The contract is not valid (title: Too big: expected string to have <=250 characters). Correct it in a new version of the contract.',
    },
    {
      noteTitle: 'Unmapped',
      status: 'Pending',
      failure:
        'The contract cannot be used with this tape. FICO is at least 640: the tape’s mapping has no rule for Origination credit score (creditScores.origination)',
    },
    { noteTitle: 'Sound', status: 'Completed', failure: null },
  ]);
  expect((await basesOf(sound.contractId)).map(({ netBB }) => Number(netBB))).toEqual([350]);
  expect(await basesOf(broken.contractId)).toEqual([]);
  expect(await activities()).toEqual({
    asked: { notesToCompute: 1, calculateBorrowingBase: 3, endCalculations: 2 },
    attempts: 1,
  });
  await keepRun('failed');
});

test('reserves, offsets and rules about whole groups are stored with the result, and the base that they leave', async () => {
  const { contractId } = await addNote('Reserved', {
    eligibilityRules: [
      { title: 'Large', filter: { outstandingSum: { lte: 200 } }, wholeGroup: { groupBy: 'assetId', percent: 100 } },
    ],
    offsets: [{ title: 'Credits', kind: 'negatives', groupBy: 'assetId' }],
    reserves: [
      { title: 'Servicing', kind: 'percentage', percent: 10 },
      { title: 'Interest', kind: 'months', months: 1, percent: 12 },
    ],
  });
  await calculate();
  await whileComputing(() => handle().result());
  const [base] = await basesOf(contractId);
  expect(base?.result).toMatchObject({
    wholeGroups: [{ rule: 0, failedGroupCount: expect.any(Number) }],
    totals: {
      offset: { count: 0 },
      offsets: [{ title: 'Credits', groupCount: 0, groups: [] }],
      reserves: [{ title: 'Servicing' }, { title: 'Interest', amount: null }],
      availableBase: null,
    },
  });
  const [stored] = await cluster.asSystem((session) =>
    session.query<{ available: string | null }>(
      'select available_base::text as available from borrowing_bases where contract_id = $1',
      [contractId],
    ),
  );
  expect(stored).toEqual({ available: null });
});

test('offsets from a file are read from the documents of the tape, and again from the file of a certificate', async () => {
  const offset = { title: 'Payables', kind: 'file' as const, groupBy: 'assetId', file: 'Payables' };
  const terms = { offsets: [{ ...offset, groupColumn: 'Vendor', amountColumn: 'Balance' }] };
  const note = await addNote('Offset', terms);
  const keep = async (...files: readonly (readonly [name: string, text: string])[]) => {
    const documents = files.map(([name, text]) => ({ name, text, key: `${name}-${text.length}` }));
    for (const { key, text } of documents) {
      await cluster.objects.putStream(`loanTapes/${key}`, Readable.from([text]), { type: 'text/csv' });
    }
    const attachments = documents.map(({ name, key }) => ({
      bucket: 'loanTapes',
      key,
      name,
      size: 1,
      type: 'text/csv',
    }));
    await cluster.asSystem(({ query }) =>
      query('update loan_tapes set other_attachments = $2::jsonb where id = $1', [tapeId, JSON.stringify(attachments)]),
    );
  };
  const calculated = async () => {
    await calculate();
    await whileComputing(() => handle().result());
    const [status] = await statuses();
    const [base] = await basesOf(note.contractId);
    return { failure: status?.failure, base };
  };
  expect((await calculated()).failure).toBe(
    "Payables: no document of the tape has 'Payables' in its name. Add it to the tape, or close the offset",
  );
  await keep(['payables-2024-05.csv', 'Vendor,Balance\nL100,30\nL100,much\n']);
  expect((await calculated()).failure).toMatch(/^Payables: row 3 of payables-2024-05.csv, column 'Balance' has 'much'/);
  await keep(['payables-2024-05.csv', 'Vendor,Balance\nL100,30\nL250,300\nL9,5.5\n'], ['notes.pdf', 'x']);
  const first = await calculated();
  expect(first.failure).toBeNull();
  const file = { name: 'payables-2024-05.csv', key: expect.stringMatching(/^payables-2024-05.csv-/) };
  expect(first.base?.result).toMatchObject({
    netBB: { sum: '70.00' },
    totals: { offsets: [{ kind: 'file', file, groupCount: 3, owed: { sum: '335.50' }, taken: { sum: '280.00' } }] },
    warnings: [{ code: 'offsetWithoutAssets', count: 1 }],
  });
  const context = {
    store: cluster.database.store,
    objects: cluster.objects,
    jobMemory: '1GiB',
    jobSpill: '20GB',
    scratchFolder: join(cluster.folder, 'trials'),
  };
  const stored = await cluster.asSystem((session) => getContract(session, note.contractId));
  const contract = transactionContractSchema.parse(contractDocument(stored));
  const against = { transactionId: stored.transactionId, noteId: note.noteId };
  const asked = () =>
    tryContract(context, { tapeId, contract: { ...contract, advanceRate: { defaultRate: 50 } }, against });
  const tried = () => new MockActivityEnvironment().run<[], TrialResult, typeof asked>(asked);
  expect(await tried()).toMatchObject({ draft: { netBB: { sum: '35.00' } }, active: { netBB: { sum: '70.00' } } });

  // The same amounts give the same certificate, others another one.
  const again = await calculated();
  expect(again.base?.result.inputsHash).toBe(first.base?.result.inputsHash);
  await keep(['payables-2024-05.csv', 'Vendor,Balance\nL100,40.00\n']);
  expect(await tried()).toMatchObject({ draft: { netBB: { sum: '155.00' } }, active: { netBB: { sum: '310.00' } } });
  // The certificate keeps the file that it was calculated from.
  const sources = await cluster.asSystem((session) => certificateSources(session, again.base!));
  const certificate = await onFiles(context, sources);
  expect([...certificate.offsetLists![0]!.groups]).toEqual([
    ['L100', '30'],
    ['L250', '300'],
    ['L9', '5.5'],
  ]);
  const other = await calculated();
  expect(other.base?.result).toMatchObject({ netBB: { sum: '310.00' }, warnings: [] });
  expect(other.base?.result.inputsHash).not.toBe(first.base?.result.inputsHash);
  await keep();
  await expect(tried()).rejects.toThrow(/no document of the tape/);
  // A certificate whose file is no longer stored is not calculated from anything else.
  await cluster.objects.delete(`loanTapes/${again.base!.result.totals.offsets![0]!.file!.key}`);
  await expect(onFiles(context, sources)).rejects.toThrow(
    'Payables: payables-2024-05.csv cannot be read. The file is no longer stored',
  );
});

test('covenants can name figures of the pool, which are completed when an earlier tape arrives', async () => {
  const { noteId, contractId } = await addNote('Pool');
  const covenant = (formula: string, transaction: string) =>
    covenantCreateSchema.parse({
      ...{ transaction, note: noteId, title: formula, formula, unit: 'percent' },
      ...{ bound: 'atMost', steps: [{ from: '2024-05-31', limit: 5 }], frequency: 'yearly', firstTest: '2024-05-31' },
    });
  const covenants = await cluster.asSystem(async (session) => {
    const [facility] = await session.query<{ id: string }>(
      `select id from transactions where notes @> jsonb_build_array(jsonb_build_object('id', $1::text))`,
      [noteId],
    );
    const [defaults, speed, late] = ['[Default share]', '[CPR]', '[Delinquent share 30+]'];
    const ids: string[] = [];
    for (const formula of [defaults, speed, late]) {
      ids.push((await createCovenant(session, covenant(formula!, facility!.id))).id);
    }
    return ids;
  });
  const calculated = () =>
    whileComputing(async () => {
      await calculate();
      await handle().result();
    });
  const found = async () => {
    const [base] = await basesOf(contractId);
    const results = await cluster.asSystem((session) =>
      session.query<{ value: string; outcome: string }>(
        `select r.value::text as value, r.outcome from covenant_results r join covenants c on c.id = r.covenant_id
         where c.id = any ($1) and r.status = 'Active' order by c.code`,
        [covenants],
      ),
    );
    return { id: base?.id, figures: base?.poolFigures, results };
  };
  await calculated();
  const first = await found();
  // The tape has no days past due, and is the first of its borrower.
  expect(first.figures).toMatchObject({ defaulted: '0.00000000', delinquent30: null, cpr: null, yield: null });
  expect(first.results).toEqual([{ value: '0', outcome: 'met' }]);

  await whileComputing(async () => {
    const path = join(cluster.folder, 'april.xlsx');
    await writeLoans(
      path,
      [100, 250].map((balance) => ({ id: `L${balance}`, balance })),
    );
    const tape = await cluster.createTape({ companyId, mappingId, cutOffDate: '2024-04-30', path });
    await cluster.startTape(tape.id);
    await cluster.finish(tape.id);
  });
  await calculated();
  const second = await found();
  expect(second.id).toBe(first.id);
  expect(second.figures).toEqual({
    ...first.figures,
    smm: '0.00000000',
    cpr: '0.00000000',
    mdr: '0.00000000',
    cdr: '0.00000000',
  });
  expect(second.results).toEqual([...first.results, { value: '0', outcome: 'met' }]);
});

test('a note that is added while others are calculated is calculated too', async () => {
  const first = await addNote('First');
  await calculate();
  await until(async () => (await activities()).asked.calculateBorrowingBase === 1);
  const second = await addNote('Second');
  await calculate();
  await until(async () => (await activities()).asked.calculateBorrowingBase === 2);
  const { made } = await whileComputing(() => handle().result());
  expect(made.map(({ noteId }) => noteId).sort()).toEqual([first.noteId, second.noteId].sort());
  expect(await statuses()).toMatchObject([
    { noteTitle: 'First', status: 'Completed', failure: null },
    { noteTitle: 'Second', status: 'Completed', failure: null },
  ]);
  // The first note was requested again while it was waiting, so it is calculated once more.
  expect((await activities()).asked).toEqual({ notesToCompute: 2, calculateBorrowingBase: 3 });
  await keepRun('asked-again');
});

test('calculations that are cancelled end at once and store nothing, and may be asked for again', async () => {
  const note = await addNote('Cancelled');
  await calculate();
  await until(async () => (await activities()).asked.calculateBorrowingBase === 1);
  await handle().signal('cancel');
  expect(await handle().result()).toMatchObject({ made: [] });
  expect(await statuses()).toMatchObject([
    { status: 'Pending', failure: CANCELLED_CALCULATION, borrowingBaseId: null },
  ]);
  expect(await basesOf(note.contractId)).toEqual([]);
  await keepRun('cancelled');

  await calculate();
  expect((await whileComputing(() => handle().result())).made).toMatchObject([{ noteId: note.noteId }]);
  expect(await statuses()).toMatchObject([{ status: 'Completed', failure: null }]);
});

test('a trial compares a draft with the contract in force at the time, however often it is asked', async () => {
  const note = await addNote('Tried');
  const stored = await cluster.asSystem((session) => getContract(session, note.contractId));
  const terms = transactionContractSchema.parse(contractDocument(stored));
  const draft = {
    ...terms,
    eligibilityRules: [{ title: 'Small', filter: { outstandingSum: { lte: 200 } } }],
    overlap: 'maximumPerAsset',
  };
  const context = {
    store: cluster.database.store,
    objects: cluster.objects,
    jobMemory: '1GiB',
    jobSpill: '20GB',
    scratchFolder: join(cluster.folder, 'trials'),
  };
  const against = { transactionId: stored.transactionId, noteId: note.noteId };
  const tried = async () => {
    const asked = () => tryContract(context, { tapeId, contract: draft, against });
    const found = await new MockActivityEnvironment().run<[], TrialResult, typeof asked>(asked);
    const netOf = (result: unknown) => Number((result as BorrowingBaseResult).netBB.sum);
    return { net: [netOf(found.active), netOf(found.draft)], changes: found.statusChanges };
  };
  const changes = [{ from: 'eligible', to: 'inEligible', assets: 1 }];
  expect(await tried()).toEqual({ net: [350, 100], changes });
  expect(await tried()).toEqual({ net: [350, 100], changes });
  await cluster.asSystem(async (session) => {
    const next = await copyContract(session, { id: note.contractId });
    const contract = { ...terms, advanceRate: { cases: [], defaultRate: 80 } };
    const edited = await editContract(session, { id: next.id, version: next.version, contract });
    await activateContract(session, { id: edited.id });
  });
  expect(await tried()).toEqual({ net: [280, 100], changes });
});

test('every workflow would do the same when it is replayed', async () => {
  expect(await replayRuns(runs)).toBe(runs.length);
});

test('while a covenant is breached, its other default advance rate is lent at, and the result says why', async () => {
  const { noteId, contractId } = await addNote('Covenant');
  const covenant = await cluster.asSystem(async (session) => {
    const [facility] = await session.query<{ id: string }>(
      `select id from transactions where notes @> jsonb_build_array(jsonb_build_object('id', $1::text))`,
      [noteId],
    );
    await session.query(
      `insert into facility_figures (id, manager_id, company_id, status, title, date, value, entered_by, reviewed_by, reviewed_at)
       select reverse(id), manager_id, id, 'Reviewed', 'Leverage', '2024-05-31', 7, '{"id": "a"}', '{"id": "b"}', now() from companies where id = $1`,
      [companyId],
    );
    const body = {
      ...{ transaction: facility!.id, note: noteId, title: 'Leverage', formula: '[Leverage]', unit: 'times' },
      ...{ bound: 'atMost', steps: [{ from: '2024-05-31', limit: 6 }], frequency: 'yearly', firstTest: '2024-05-31' },
    };
    return createCovenant(
      session,
      covenantCreateSchema.parse({ ...body, consequence: 'defaultRate', defaultRate: 50 }),
    );
  });
  expect(covenant.state).toBe('breached');
  const calculated = async () => {
    await whileComputing(async () => {
      await calculate();
      await until(async () => (await statuses()).every(({ status }) => status === 'Completed'));
      await handle().result();
    });
    const [latest] = await basesOf(contractId);
    return [latest?.netBB, latest?.result.warnings.filter(({ code }) => code === 'covenantRate')];
  };
  expect(await calculated()).toEqual([
    '175.00',
    [
      {
        code: 'covenantRate',
        message: 'The default advance rate is 50.00% instead of 100.00%, because Leverage was breached on 31 May 2024',
        count: null,
      },
    ],
  ]);
  await cluster.asSystem((session) => removeCovenant(session, covenant.id));
  expect(await calculated()).toEqual(['350.00', []]);
});
