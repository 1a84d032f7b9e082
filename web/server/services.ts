import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '@tapeline/db/environment.ts';
import type { Store } from '@tapeline/db/store.ts';
import { openStoreWhenReady } from '@tapeline/db/wait-for.ts';
import { type Exporter, openExporter } from '@tapeline/lake/exports/exporter.ts';
import { bytesForDuckDb, type Lake, openLake } from '@tapeline/lake/lake.ts';
import { waitForStorage } from '@tapeline/lake/storage/check-storage.ts';
import type { ObjectStore } from '@tapeline/lake/storage/object-store.ts';
import { openObjectStore } from '@tapeline/lake/storage/open-object-store.ts';
import { processFolder, removeStaleFolders } from '@tapeline/lake/storage/process-folder.ts';
import { createMailer, type Mailer } from '@tapeline/mail/mailer.ts';
import { currentTraceparent } from '@tapeline/telemetry/traces.ts';
import type { makeNotices, sendMail } from '@tapeline/workflows/all-workflows.ts';
import { mailRunOf } from '@tapeline/workflows/mail/messages.ts';
import { noticeRunOf } from '@tapeline/workflows/notices/messages.ts';
import { traceOfCaller } from '@tapeline/workflows/tracing/client.ts';
import { Client, Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { type IdentityProvider, openIdentityProvider } from './identity-provider.ts';
import { type JsonReader, openJsonReader } from './json-reader.ts';
import { type NotificationStreams, openNotificationStreams } from './notification-streams.ts';

/** What every request can use. Opened once per process and shared by screens and REST calls. */
export interface Services {
  readonly environment: Environment;
  readonly store: Store;
  readonly objects: ObjectStore;
  /** Queries over published assets. */
  readonly lake: Lake;
  /** Exports whole lists of assets to files. */
  readonly exporter: Exporter;
  readonly temporal: Client;
  readonly mailer: Mailer;
  /** Null if none is configured. */
  readonly identityProvider: IdentityProvider | null;
  /** Reads the bodies of REST calls. */
  readonly jsonReader: JsonReader;
  /** Tell browsers at once when a person's notifications change. */
  readonly notificationStreams: NotificationStreams;
  readonly log: Logger;
}

export interface OpenServices {
  readonly services: Services;
  close(): Promise<void>;
}

/**
 * Opens the store and the object storage, once both answer, and the Temporal client (which connects on first use, and
 * reconnects after an outage).
 * @throws ServiceUnavailable if one of them does not become available
 */
export async function openServices(environment: Environment, log: Logger): Promise<OpenServices> {
  const store = await openStoreWhenReady(environment, log);
  const objects = await openObjectStore(environment, store);
  await waitForStorage(environment, objects, log);
  // DuckDB uses the same spill file names in every process, so each process needs its own folder.
  const spillRoot = join(environment.home, 'spill');
  const spillFolder = processFolder(spillRoot, 'web');
  await removeStaleFolders(spillRoot, spillFolder);
  const { budgets } = environment;
  const spillLimit = bytesForDuckDb(budgets.spill);
  const lake = await openLake({
    memoryLimit: bytesForDuckDb(budgets.queryMemory),
    spillFolder,
    spillLimit,
    cacheBytes: budgets.queryCache,
    rowFileBytes: budgets.rowFiles,
  });
  const exporter = openExporter({ memoryLimit: bytesForDuckDb(budgets.exportMemory), spillFolder, spillLimit });
  const connection = Connection.lazy({ ...environment.temporalConnection, connectTimeout: '5s' });
  const temporal = new Client({
    connection,
    namespace: environment.temporalNamespace,
    interceptors: { workflow: [traceOfCaller(currentTraceparent)] },
  });
  const mailer = createMailer(environment, log);
  store.on('mailQueued', () => {
    temporal.workflow
      .signalWithStart<typeof sendMail>('sendMail', { ...mailRunOf(environment.instanceName), args: [] })
      .catch((err) => log.warn({ err }, 'sending emails waits for the schedule'));
  });
  store.on('noticesDue', () => {
    temporal.workflow
      .signalWithStart<typeof makeNotices>('makeNotices', { ...noticeRunOf(environment.instanceName), args: [] })
      .catch((err) => log.warn({ err }, 'making notices waits for the schedule'));
  });
  const identityProvider = environment.oidc ? openIdentityProvider(environment.oidc) : null;
  const jsonReader = openJsonReader();
  const notificationStreams = openNotificationStreams(environment, store, log);
  return {
    services: {
      environment,
      store,
      objects,
      lake,
      exporter,
      temporal,
      mailer,
      identityProvider,
      jsonReader,
      notificationStreams,
      log,
    },
    async close() {
      await notificationStreams.close();
      await connection.close().catch(() => undefined);
      await exporter.close();
      await jsonReader.close();
      lake.close();
      await rm(spillFolder, { recursive: true, force: true });
      await objects.close();
      await store.close();
    },
  };
}
