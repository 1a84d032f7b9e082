import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { readEnvironment } from '@tapeline/db/environment.ts';
import { createMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { readPublishedParts } from '@tapeline/db/operations/tapes/read-tapes.ts';
import { beginRerun, type FindErrored, rerunRequestKey } from '@tapeline/db/operations/tapes/rerun-errored.ts';
import { createTape, removeTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { openStore, type Session, type Store, SYSTEM } from '@tapeline/db/store.ts';
import { addCompanies } from '@tapeline/db/testing/many-documents.ts';
import type { Mapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { findErroredRows } from '@tapeline/lake/errored-assets.ts';
import { type Lake, openLake } from '@tapeline/lake/lake.ts';
import { localPaths, type ObjectStore, objectKey } from '@tapeline/lake/storage/object-store.ts';
import { openObjectStore } from '@tapeline/lake/storage/open-object-store.ts';
import { scheduleEndOfStranded } from '@tapeline/workers/sweep/schedule.ts';
import { tapesAlone } from '@tapeline/workers/testing/tape-alone.ts';
import type { loanTape, rerunErrored, rerunPreview } from '@tapeline/workflows/all-workflows.ts';
import { rerunStartOf } from '@tapeline/workflows/corrections/start.ts';
import { tapeStartOf } from '@tapeline/workflows/loan-tape/start.ts';
import { awaitedFor } from '@tapeline/workflows/priorities.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { openProduct } from '../measuring/product.ts';
import { addTenant, type BenchTenant } from '../measuring/tenant.ts';
import { TAPE_FACTS } from '../tape-data/mapping.ts';

export interface Borrower {
  readonly companyId: string;
  readonly mappingId: string;
}

interface RegisteredTape {
  readonly id: string;
  start(): Promise<WorkflowHandle<typeof loanTape>>;
}

/** Each takes one errored row as it is, and returns when it is done. */
export interface PersonAtWork {
  correct(): Promise<void>;
  preview(): Promise<void>;
}

/** PostgreSQL, Temporal and the object store as in `npm start`, in a temporary home folder. */
export interface Cluster {
  /** The environment of a worker process. */
  readonly variables: NodeJS.ProcessEnv;
  readonly store: Store;
  readonly objects: ObjectStore;
  /** The company of its tapes, and the mapping. */
  readonly borrower: Borrower;
  /** Processes small tapes in this process, without Temporal. */
  tapesAlone(): ReturnType<typeof tapesAlone>;
  /** A company of another tenant, with the same mapping. */
  otherTenant(): Promise<Borrower>;
  /**
   * What a person corrects and previews on a tape of another tenant, which is published at once. Tapes that are
   * registered meanwhile and not started are not taken for stranded: call it before workers start.
   */
  personAtWork(file: string): Promise<PersonAtWork>;
  /** Adds companies with the same mapping. */
  addBorrowers(count: number): Promise<Borrower[]>;
  /** Registers a tape of the file, and returns a function that starts its workflow. */
  makeTape(file: string, of?: Partial<Borrower> & { cutOffDate?: string }): Promise<RegisteredTape>;
  tape(id: string): Promise<LoanTape>;
  /** Removes a tape after it was measured. */
  removeTape(id: string): Promise<void>;
  close(): Promise<void>;
}

/** @param mapping the mapping of its tapes */
export async function openCluster(mapping: Mapping): Promise<Cluster> {
  const { environment: variables, home, close: closeServices } = await openProduct({ extent: 'services' });
  const environment = readEnvironment(variables);
  const store = await openStore(environment);
  const [objects, connection] = await Promise.all([
    openObjectStore(environment, store),
    Connection.connect(environment.temporalConnection),
  ]);
  const client = new Client({ connection, namespace: environment.temporalNamespace });
  const map = async (session: Session, companyId: string): Promise<Borrower> => ({
    companyId,
    mappingId: (await createMapping(session, { companyId, body: mapping })).id,
  });
  const tenant = await addTenant(variables);
  const borrower = await store.as(SYSTEM, (session) => map(session, tenant.companyId));
  let other: BenchTenant | undefined;
  let files = 0;
  const lakes: Lake[] = [];

  const cluster: Cluster = {
    variables,
    store,
    objects,
    borrower,
    tapesAlone: () =>
      tapesAlone({
        instance: environment.instanceName,
        store,
        objects,
        temporal: client,
        scratchFolder: join(home, 'scratch', 'alone'),
      }),
    async otherTenant() {
      other ??= await addTenant(variables);
      const { companyId } = other;
      return store.as(SYSTEM, (session) => map(session, companyId));
    },
    addBorrowers: (count) =>
      store.as(SYSTEM, async (session) => {
        await addCompanies(session, { like: borrower.companyId, from: 1, count });
        const rows = await session.query<{ id: string }>(`select id from companies where name like 'Borrower %'`);
        const added: Borrower[] = [];
        for (const { id } of rows) added.push(await map(session, id));
        return added;
      }),
    async makeTape(file, of = {}) {
      const { companyId, mappingId, cutOffDate } = { ...borrower, cutOffDate: TAPE_FACTS.cutOffDate, ...of };
      files += 1;
      const attachment = { bucket: 'loanTapes', key: `bench/${files}/${basename(file)}`, name: basename(file) };
      const { size, checksum } = await objects.putFile(objectKey(attachment.bucket, attachment.key), file);
      const tape = await store.as(SYSTEM, (session) =>
        createTape(session, {
          companyId,
          cutOffDate,
          mainCurrency: 'USD',
          exchangeRates: { USD: '1' },
          calculateBB: false,
          attachment: { ...attachment, size, checksum, type: 'application/octet-stream' },
          mappingId,
        }),
      );
      return {
        id: tape.id,
        start: () => client.workflow.start<typeof loanTape>('loanTape', tapeStartOf(environment.instanceName, tape)),
      };
    },
    async personAtWork(file) {
      await scheduleEndOfStranded(client, environment.instanceName, { paused: true });
      const { id } = await cluster.makeTape(file, { ...(await cluster.otherTenant()), cutOffDate: '2019-12-31' });
      await (await cluster.tapesAlone())(id);
      const { managerId } = await cluster.tape(id);
      const person = { managerId, userId: managerId };
      const lake = await openLake({ threads: 1 });
      lakes.push(lake);
      const findErrored: FindErrored = async (parts, rows) =>
        findErroredRows(lake, await localPaths(objects, parts), rows);
      const published = await store.read(SYSTEM, (session) => readPublishedParts(session, id));
      const [row] = published ? await findErrored(published.manifest.errored, null) : [];
      if (row === undefined) throw new Error('the tape has no errored row');
      const rows = [{ row, cells: {} }];
      const instance = environment.instanceName;
      const by = 'A person';
      return {
        async correct() {
          const attempt = await store.as(SYSTEM, (session) =>
            beginRerun(session, { tapeId: id, rows: [row], on: null, by, findErrored }),
          );
          const key = rerunRequestKey(attempt);
          await objects.putStream(key, Readable.from([JSON.stringify(rows)]));
          const command = { attempt, corrections: { key }, by, at: new Date().toISOString() };
          const { failure } = await client.workflow.execute<typeof rerunErrored>(
            'rerunErrored',
            rerunStartOf(instance, person, command),
          );
          if (failure !== null) throw new Error(failure);
        },
        async preview() {
          await client.workflow.execute<typeof rerunPreview>('rerunPreview', {
            taskQueue: taskQueuesOf(instance).awaited,
            workflowId: workflowIdOf(instance, WORKFLOW_IDS.preview(person.userId, 0)),
            priority: awaitedFor(person),
            args: [{ tapeId: id, corrections: { rows }, shownRows: 1 }],
          });
        },
      };
    },
    tape: (id) => store.as(SYSTEM, (session) => session.em.findOneOrFail(LoanTape, { id })),
    removeTape: (id) => store.as(SYSTEM, (session) => removeTape(session, { id })).then(() => undefined),
    async close() {
      for (const lake of lakes) lake.close();
      for (const each of other ? [tenant, other] : [tenant]) await each.end();
      await Promise.all([store.close(), objects.close(), connection.close()]);
      await closeServices();
    },
  };
  return cluster;
}
