import { join } from 'node:path';
import type { Environment } from '@tapeline/db/environment.ts';
import type { ObjectStore } from '@tapeline/db/files/object-store.ts';
import { openObjectStore } from '@tapeline/db/files/open-object-store.ts';
import { type Lake, openLake } from '@tapeline/db/lake/lake.ts';
import { openStore, type Store } from '@tapeline/db/store.ts';
import { Client, Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { createMailer, type Mailer } from './mailer.ts';

/** DuckDB's share of the memory; sorting a long list for an export goes to disk beyond it. */
const LAKE_MEMORY = '1GB';

/** What every request may use; opened once a process and handed to screens and REST alike. */
export interface Services {
  readonly environment: Environment;
  readonly store: Store;
  readonly objects: ObjectStore;
  /** Queries over published assets. */
  readonly lake: Lake;
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
  const lake = await openLake({ memoryLimit: LAKE_MEMORY, spillFolder: join(environment.home, 'spill') });
  const connection = Connection.lazy({ address: environment.temporalAddress, connectTimeout: '5s' });
  const temporal = new Client({ connection, namespace: environment.temporalNamespace });
  const mailer = createMailer(environment, log);
  return {
    services: { environment, store, objects, lake, temporal, mailer, log },
    async close() {
      await connection.close().catch(() => undefined);
      lake.close();
      await objects.close();
      await store.close();
    },
  };
}
