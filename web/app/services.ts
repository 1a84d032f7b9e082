import type { Environment } from '@tapeline/db/environment.ts';
import type { ObjectStore } from '@tapeline/db/files/object-store.ts';
import type { Lake } from '@tapeline/db/lake/lake.ts';
import type { Store } from '@tapeline/db/store.ts';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';

/** Sends a mail; outside production it is also a file that /mailbox shows. */
export type SendMail = (mail: { to: string; subject: string; text: string }) => Promise<void>;

/** What loaders, actions and endpoints work with; made once by the server process and handed over by the load context. */
export interface Services {
  readonly environment: Environment;
  readonly store: Store;
  readonly objects: ObjectStore;
  readonly lake: Lake;
  readonly temporal: Client;
  readonly sendMail: SendMail;
  readonly log: Logger;
  readonly now: () => Date;
}
