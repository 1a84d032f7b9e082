import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createDraw } from '@tapeline/db/operations/draws/request-draws.ts';
import { createImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import { acceptCheck } from '@tapeline/db/operations/importer/run-check.ts';
import { acceptImport } from '@tapeline/db/operations/importer/run-import.ts';
import { listJobFailures } from '@tapeline/db/operations/jobs/job-failures.ts';
import { beginRemap } from '@tapeline/db/operations/tapes/remap-tape.ts';
import { beginRerun, rerunRequestKey } from '@tapeline/db/operations/tapes/rerun-errored.ts';
import { activateContract, createFirstContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { northwindFacility } from '@tapeline/demonstration/facilities.ts';
import { fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { drawCreateSchema } from '@tapeline/domain/draws/draw.schema.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { ImportInput } from '@tapeline/domain/importer/check.ts';
import { emptyDraft } from '@tapeline/domain/importer/draft.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { findErroredRows } from '@tapeline/lake/errored-assets.ts';
import { openLake } from '@tapeline/lake/lake.ts';
import { createMailer } from '@tapeline/mail/mailer.ts';
import type * as workflows from '@tapeline/workflows/all-workflows.ts';
import { drawSignalOf } from '@tapeline/workflows/draw/signal.ts';
import { ACTIVITY_FAILURES } from '@tapeline/workflows/failures.ts';
import { cancelTapeSignal } from '@tapeline/workflows/loan-tape/messages.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import { Context } from '@temporalio/activity';
import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { activitiesByQueue } from './activities.ts';
import type { WorkerContext } from './context.ts';
import { withFailures } from './failures.ts';
import { heartbeats } from './heartbeat.ts';
import { createFailureReport } from './report-failure.ts';
import { workflowSinks } from './telemetry.ts';
import { openTapeCluster, type TapeCluster, TEST_INSTANCE, until } from './testing/tape-cluster.ts';
import { LOAN_MAPPING, writeLoans, writeTapeFile } from './testing/tape-file.ts';
import { keptWorkflowBundle } from './workflow-bundle.ts';
// Its Runtime logs errors of replays only.
import './testing/histories.ts';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 });

const INJECTED = 'an error of the data that was injected';
const DAY = '2020-01-31';
const NOBODY = 'f'.repeat(24);

let cluster: TapeCluster;
let companyId = '';
let managerId = '';
let mappingId = '';
let transactionId = '';
let tapes = 0;
let runs = 0;
let stopWorkers: () => Promise<void>;

/** Activities that ran, and the one that fails. */
const ran = new Set<string>();
let failing: string | null = null;
/** The greatest attempt of the failing activity. */
let attempts = 0;

/** The search that follows each published tape is no part of the job that runs at the same time. */
const isOfBookSearch = (): boolean =>
  Context.current().info.workflowExecution?.workflowId ===
  workflowIdOf(TEST_INSTANCE, WORKFLOW_IDS.duplicates(managerId));

/** The activity as a worker runs it, or, if it is its turn, an error that would come again. */
function injected<Activities extends object>(activities: Activities): Activities {
  return Object.fromEntries(
    Object.entries(activities).map(([name, run]: [string, (input: unknown) => Promise<unknown>]) => [
      name,
      async (input: unknown) => {
        if (isOfBookSearch()) return run(input);
        ran.add(name);
        if (failing !== name) return run(input);
        attempts = Math.max(attempts, Context.current().info.attempt);
        throw new RangeError(INJECTED);
      },
    ]),
  ) as Activities;
}

let activities: ReturnType<typeof activitiesByQueue>;

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 1000 });
  companyId = await cluster.companyId('Alder Auto');
  mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  const [company] = await cluster.database.query<{ managerId: string; fund: string }>(
    `select c.manager_id as "managerId", (select id from funds f where f.manager_id = c.manager_id limit 1) as fund
     from companies c where c.id = $1`,
    [companyId],
  );
  managerId = company!.managerId;
  transactionId = await cluster.asSystem(async (session) => {
    const facility = northwindFacility({ company: companyId, mapping: mappingId, fund: company!.fund });
    const notes = [{ ...facility.notes[0]!, contracts: [] }];
    const { id, notes: stored } = await createTransaction(session, transactionSchema.parse({ ...facility, notes }));
    const contract = transactionContractSchema.parse({
      cutOffDate: '2000-01-01',
      assetsETL: mappingId,
      advanceRate: { defaultRate: 80 },
    });
    const first = await createFirstContract(session, { transactionId: id, noteId: stored[0]!.id, contract });
    await activateContract(session, { id: first.id });
    return id;
  });
  const log = pino({ level: 'silent' });
  const context: WorkerContext = {
    instance: TEST_INSTANCE,
    store: cluster.database.store,
    objects: cluster.objects,
    temporal: cluster.client,
    scratchFolder: join(cluster.home, 'scratch', 'walk'),
    batchRows: 1000,
    jobMemory: '512MiB',
    jobSpill: '1GB',
    log,
  };
  const retention = { mailDays: 1000, notificationDays: 1000, unusedDays: 1000, removedDays: 1000, historyYears: null };
  const secrets = { publicUrl: 'http://localhost', appSecret: 'only for tests', ratesUrl: null };
  const mail = { home: cluster.home, nodeEnv: 'test' as const, smtpUrl: null, mailFrom: 'x@example.test' };
  activities = activitiesByQueue(context, { ...secrets, retention }, createMailer(mail, log));
  const connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  const queues = taskQueuesOf(TEST_INSTANCE);
  const common = { connection, namespace: cluster.namespace, interceptors: { activity: [heartbeats] } };
  const report = createFailureReport(context, () => {});
  const workers = await Promise.all([
    Worker.create({
      ...common,
      taskQueue: queues.workflows,
      sinks: workflowSinks,
      workflowBundle: {
        codePath: await keptWorkflowBundle(join(cluster.home, 'workflow-bundles'), Runtime.instance().logger),
      },
    }),
    ...(['io', 'imports', 'importChecks', 'previews', 'checks', 'compute', 'corrections'] as const).map((queue) =>
      Worker.create({
        ...common,
        taskQueue: queues[queue],
        activities: withFailures(injected<object>(activities[queue]), report),
      }),
    ),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));
  stopWorkers = async () => {
    for (const worker of workers) worker.shutdown();
    await running;
    await connection.close();
  };
});
afterAll(async () => {
  await stopWorkers?.();
  await cluster?.close();
});

/** A started job, and the tape whose end it records. */
interface Job {
  readonly handle: WorkflowHandle;
  readonly tapeId?: string;
}

type WorkflowName = keyof typeof workflows;
const queue = taskQueuesOf(TEST_INSTANCE).workflows;

async function start(workflow: WorkflowName, args: readonly unknown[] = [], signal?: string): Promise<Job> {
  runs += 1;
  return startAs(workflow, `walk/${workflow}/${runs}`, args, signal);
}

async function startAs(workflow: WorkflowName, id: string, args: readonly unknown[], signal?: string): Promise<Job> {
  const options = { taskQueue: queue, workflowId: workflowIdOf(TEST_INSTANCE, id), args: [...args] };
  const handle = await (signal
    ? cluster.client.workflow.signalWithStart(workflow, { ...options, signal })
    : cluster.client.workflow.start(workflow, options));
  return { handle: cluster.client.workflow.getHandle(handle.workflowId) };
}

const LOANS = Array.from({ length: 30 }, (_, at) => ({ id: `L${at}`, balance: at < 25 ? ('n/a' as const) : 100 + at }));

/** A tape of its own. Each is older than those before it, so that none waits for another. */
async function newTape(rows: 'loans' | 'nothing'): Promise<string> {
  tapes += 1;
  const path = join(cluster.folder, `walk-${tapes}.xlsx`);
  if (rows === 'loans') await writeLoans(path, LOANS);
  else await writeTapeFile(path, 'Loans', [['no', 'such', 'header']]);
  const cutOffDate = fromEpochDay(toEpochDay(DAY) - tapes);
  return (await cluster.createTape({ companyId, mappingId, cutOffDate, path, calculateBB: true })).id;
}

async function startTape(rows: 'loans' | 'nothing', signal?: string, input: { bytes?: number } = {}): Promise<Job> {
  const tapeId = await newTape(rows);
  return { ...(await startAs('loanTape', WORKFLOW_IDS.tape(tapeId), [{ tapeId, ...input }], signal)), tapeId };
}

let corrected: Promise<string> | null = null;
let correctedRow = 1;

/** A tape whose rows are corrected one by one. */
const tapeToCorrect = (): Promise<string> => {
  corrected ??= (async () => {
    const { handle, tapeId } = await startTape('loans');
    await handle.result();
    return tapeId!;
  })();
  return corrected;
};

async function startRerun(): Promise<Job> {
  const tapeId = await tapeToCorrect();
  correctedRow += 1;
  const lake = await openLake({ threads: 1 });
  const attempt = await cluster.asSystem((session) =>
    beginRerun(session, {
      tapeId,
      rows: [correctedRow],
      on: null,
      by: 'Mara Ellis',
      findErrored: async (parts, rows) =>
        findErroredRows(lake, await Promise.all(parts.map((key) => cluster.objects.localPath(key))), rows),
    }),
  );
  lake.close();
  const key = rerunRequestKey(attempt);
  await cluster.objects.putStream(key, Readable.from([JSON.stringify([{ row: correctedRow, cells: { Balance: 5 } }])]));
  const command = { attempt, corrections: { key }, by: 'Mara Ellis', at: '2026-11-21T12:00:00.000Z' };
  return { ...(await startAs('rerunErrored', WORKFLOW_IDS.rerun(tapeId, attempt.generationId), [command])), tapeId };
}

async function startRemap(): Promise<Job> {
  const tapeId = await tapeToCorrect();
  const other = await cluster.createMapping(companyId, LOAN_MAPPING);
  const command = { tapeId, mappingId: other, on: null, by: 'Mara Ellis' };
  const attempt = await cluster.asSystem((session) => beginRemap(session, command));
  const workflowId = WORKFLOW_IDS.rerun(tapeId, attempt.generationId);
  return { ...(await startAs('remapTape', workflowId, [{ attempt, mappingId: other }])), tapeId };
}

async function startDraw(): Promise<Job> {
  const actor = testActor({ type: 'company', managerId, companyId });
  const today = new Date().toISOString().slice(0, 10);
  const dueDate = fromEpochDay(toEpochDay(today) + 1);
  const draw = await cluster.database.store.as(
    actor,
    (session) =>
      createDraw(
        session,
        drawCreateSchema.parse({
          transaction: transactionId,
          noteTitle: northwindFacility({ company: companyId, mapping: mappingId, fund: NOBODY }).notes[0]!.title,
          cutOffDate: today,
          dueDate,
          draws: [{ type: 'Regular', amounts: [{ sum: 100, currency: 'USD' }] }],
        }),
      ),
    // Each activity fails for a request of its own.
    { isKeyed: true },
  );
  const change = { drawId: draw.id, version: draw.version, stage: 'change' as const };
  const handle = await cluster.client.workflow.signalWithStart('drawRequest', drawSignalOf(TEST_INSTANCE, change, 0));
  return { handle: cluster.client.workflow.getHandle(handle.workflowId) };
}

let codes = 90_000;

/** An import of an investor, by the manager of the demonstration. */
async function importOf(rows: readonly ('new' | 'taken')[]): Promise<{ actor: UserActor; input: ImportInput }> {
  const [user] = await cluster.database.query<{ id: string; managerId: string; taken: number }>(
    `select id, manager_id as "managerId", (select min(code) from lps where manager_id = u.manager_id) as taken
     from users u where email = 'manager@tapeline.test'`,
  );
  const actor = { ...testActor({ type: 'manager', managerId: user!.managerId }), userId: user!.id };
  const file = {
    bucket: 'importerFiles',
    key: 'x/lps.csv',
    name: 'lps.csv',
    size: 1,
    type: 'text/csv',
    checksum: null,
  };
  codes += 1;
  const cells = { entityName: `Pension ${codes}`, formalId: `P-${codes}`, country: 'NO' };
  const codeOf = (row: 'new' | 'taken') => String(row === 'new' ? codes : user!.taken);
  return {
    actor,
    input: {
      kind: 'LPs',
      rows: rows.map((row, index) => ({ file: 0, row: index + 2, cells: { ...cells, code: codeOf(row) } })),
      attachments: [file],
    },
  };
}

async function startImport(row: 'new' | 'taken'): Promise<Job> {
  const { actor, input } = await importOf([row]);
  const record = await cluster.database.store.as(actor, (session) => acceptImport(session, input));
  return startAs('importRows', WORKFLOW_IDS.import(record.id), [{ importId: record.id }]);
}

/** Without rows, it is refused. */
async function startImportCheck(rows: readonly 'new'[]): Promise<Job> {
  const { actor, input } = await importOf(rows);
  const { id, version } = await cluster.database.store.as(actor, async (session) => {
    const draft = await createImportDraft(session, emptyDraft('LPs', 'Active'));
    return acceptCheck(session, { id: draft.id, version: draft.version, input });
  });
  return startAs('importCheck', WORKFLOW_IDS.importCheck(id, version), [{ draftId: id, version }]);
}

const sheet = { fileId: NOBODY, sheetName: null };
const mapped = { ...sheet, cutOffDate: DAY, primaryCurrency: 'USD', rules: [] };
const latest = { ...sheet, idColumn: 'Loan', monthColumn: 'Month', upTo: null };

/** A job of each workflow, or more if it has several ends. The compiler asks for those of a new workflow. */
const JOBS: Record<WorkflowName, readonly (() => Promise<Job>)[]> = {
  loanTape: [
    () => startTape('loans', undefined, { bytes: 1 }),
    () => startTape('loans'),
    () => startTape('nothing'),
    () => startTape('loans', cancelTapeSignal.name),
  ],
  borrowingBases: [async () => start('borrowingBases', [{ tapeId: await tapeToCorrect() }], cancelTapeSignal.name)],
  rerunErrored: [startRerun],
  remapTape: [startRemap],
  drawRequest: [startDraw],
  importRows: [() => startImport('new'), () => startImport('taken')],
  importCheck: [() => startImportCheck(['new']), () => startImportCheck([])],
  runImports: [() => start('runImports')],
  runImportChecks: [() => start('runImportChecks')],
  sendMail: [() => start('sendMail')],
  lateTapes: [() => start('lateTapes')],
  dueCalls: [() => start('dueCalls')],
  duplicatesOfManager: [() => start('duplicatesOfManager', ['0'.repeat(24)])],
  everyDuplicate: [() => start('everyDuplicate')],
  makeNotices: [() => start('makeNotices')],
  refreshRates: [() => start('refreshRates')],
  retention: [() => start('retention')],
  covenantTests: [() => start('covenantTests')],
  dueAmendments: [() => start('dueAmendments')],
  dueDeliverables: [() => start('dueDeliverables')],
  deliveredStatements: [() => start('deliveredStatements')],
  sweepOrphans: [() => start('sweepOrphans')],
  compareStorage: [() => start('compareStorage')],
  endStranded: [() => start('endStranded', [{ graceMs: 3_600_000 }])],
  restartDraws: [() => start('restartDraws', [{ graceMs: 3_600_000 }])],
  inspectFilePreview: [() => start('inspectFilePreview', [sheet])],
  mappingPreview: [() => start('mappingPreview', [mapped])],
  draftPreview: [() => start('draftPreview', [mapped])],
  tapeCheck: [() => start('tapeCheck', [{ ...mapped, companyId }])],
  latestRowsCount: [() => start('latestRowsCount', [latest])],
  latestRows: [() => start('latestRows', [{ ...latest, target: 'uploads/loanTapes/none' }])],
  contractTrial: [() => start('contractTrial', [{ tapeId: NOBODY, contract: {}, against: null }])],
  basesExplained: [() => start('basesExplained', [{ earlier: NOBODY, later: NOBODY }])],
  scenarioCalculated: [() => start('scenarioCalculated', [{ scenario: NOBODY }])],
  printedDocument: [() => start('printedDocument', [{}])],
  rerunPreview: [() => start('rerunPreview', [{ tapeId: NOBODY, corrections: { rows: [] }, shownRows: 1 }])],
  correctionsOfFile: [() => start('correctionsOfFile', [{ tapeId: NOBODY, fileId: NOBODY }])],
  proposalReview: [() => start('proposalReview', [{ proposalId: NOBODY }])],
  remapReview: [() => start('remapReview', [{ tapeId: NOBODY, mappingId: NOBODY }])],
};

/** Waits until the job has ended, or waits for a person and has no step in progress. @returns its milliseconds */
async function ended({ handle }: Job, waitsForPerson: boolean): Promise<number> {
  const description = await until(async () => {
    const found = await handle.describe();
    if (found.status.name !== 'RUNNING') return found;
    const isIdle = waitsForPerson && (found.raw.pendingActivities ?? []).length === 0 && ran.has('checkDraw');
    return isIdle && (failing === null ? ran.has('remindOfDraw') : attempts > 0) ? found : null;
  });
  if (description.status.name === 'RUNNING') {
    await handle.terminate().catch((error: unknown) => {
      // It ended by itself in the meantime.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
  }
  return (description.closeTime?.getTime() ?? Date.now()) - description.startTime.getTime();
}

/** The end of a tape that its own job could not record, as the schedule looks for it every 30 seconds. */
const endStranded = async (): Promise<void> => void (await activities.io.endStrandedTapes({ graceMs: -60_000 }));

const admin = testActor({ type: 'admin' });
const failuresOf = async (activity: string) =>
  (await cluster.database.store.read(admin, listJobFailures)).filter((failure) => failure.activity === activity);

/** Tapes and runs of imports that were started by an earlier version ask for these. */
const FORMER = ['discardStaged', 'earlierTapesInProgress', 'finalizeTape', 'runDueImports'];

test('whichever activity of whichever workflow fails on its data, its job ends at once and says why and what to do', async () => {
  const known = [...new Set(Object.values(activities).flatMap((each) => Object.keys(each)))];
  expect(known.sort()).toEqual(Object.keys(ACTIVITY_FAILURES).sort());

  // Which job runs which activity is found out, so that a new activity needs nothing here.
  const jobOf = new Map<string, { workflow: WorkflowName; begin: () => Promise<Job> }>();
  const workflowNames = Object.keys(JOBS) as WorkflowName[];
  for (const workflow of workflowNames) {
    for (const begin of JOBS[workflow]) {
      ran.clear();
      await ended(await begin(), workflow === 'drawRequest');
      for (const activity of ran) if (!jobOf.has(activity)) jobOf.set(activity, { workflow, begin });
    }
  }
  expect([...jobOf.keys(), ...FORMER].sort()).toEqual(known);
  expect(await failuresOf('calculateBorrowingBase')).toEqual([]);

  for (const [activity, { workflow, begin }] of jobOf) {
    [failing, attempts] = [null, 0];
    await tapeToCorrect();
    ran.clear();
    failing = activity;
    const job = await begin();
    const tookMs = await ended(job, workflow === 'drawRequest');
    failing = null;
    expect([activity, attempts, tookMs < 60_000]).toEqual([activity, 1, true]);
    const reasons = (await failuresOf(activity)).map(({ reason }) => reason);
    expect(reasons).toContainEqual(expect.stringContaining(`(${INJECTED}). Retrying does not help. `));
    if (!job.tapeId) continue;
    await endStranded();
    const { schedulerStatus, failure, progress, borrowingBaseStatuses } = await cluster.tape(job.tapeId);
    expect([activity, schedulerStatus]).not.toEqual([activity, 'Processing']);
    const said = JSON.stringify([failure, progress?.notice, borrowingBaseStatuses]);
    // The corrected rows, or the assets, are published by then.
    if (!['completeTape', 'rerunFollowUp', 'endRerun'].includes(activity)) {
      expect([activity, said]).toEqual([activity, expect.stringContaining(INJECTED)]);
    }
  }
});
