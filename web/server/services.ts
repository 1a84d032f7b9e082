import { join } from 'node:path';
import type { Environment } from '@tapeline/db/environment.ts';
import type { ObjectStore } from '@tapeline/db/files/object-store.ts';
import { openObjectStore } from '@tapeline/db/files/open-object-store.ts';
import { type Exporter, openExporter } from '@tapeline/db/lake/exports/exporter.ts';
import { type Lake, openLake } from '@tapeline/db/lake/lake.ts';
import { openStore, type Store } from '@tapeline/db/store.ts';
import { Client, Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { createMailer, type Mailer } from './mailer.ts';

/** DuckDB's share of the memory; sorting a long list goes to disk beyond it. */
const LAKE_MEMORY = '1GB';
/** The same for the thread that makes exports. */
const EXPORT_MEMORY = '768MB';

/** What every request may use; opened once a process and handed to screens and REST alike. */
export interface Services {
  readonly environment: Environment;
  readonly store: Store;
  readonly objects: ObjectStore;
  /** Queries over published assets. */
  readonly lake: Lake;
  /** Makes whole lists of them into files. */
  readonly exporter: Exporter;
  readonly temporal: Client;
  readonly mailer: Mailer;
  readonly log: Logger;
}

export interface OpenServices {
  readonly services: Services;
  close(): Promise<void>;
}

/** Opens the store (which must be there) and the Temporal client (which connects when first used, and again after a fall). */
export async function openServices(environment: Environment, log: Logger): Promise<OpenServices> {
  const store = await openStore(environment);
  const objects = await openObjectStore(environment);
  const spillFolder = join(environment.home, 'spill');
  const lake = await openLake({ memoryLimit: LAKE_MEMORY, spillFolder });
  const exporter = openExporter({ memoryLimit: EXPORT_MEMORY, spillFolder });
  const connection = Connection.lazy({ address: environment.temporalAddress, connectTimeout: '5s' });
  const temporal = new Client({ connection, namespace: environment.temporalNamespace });
  const mailer = createMailer(environment, log);
  return {
    services: { environment, store, objects, lake, exporter, temporal, mailer, log },
    async close() {
      await connection.close().catch(() => undefined);
      await exporter.close();
      lake.close();
      await objects.close();
      await store.close();
    },
  };
}
