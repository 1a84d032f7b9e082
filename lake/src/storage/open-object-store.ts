import type { Environment } from '@tapeline/db/environment.ts';
import type { Store } from '@tapeline/db/store.ts';
import { claimStorage, guardStorage } from './claim.ts';
import { openFileStore } from './file-store.ts';
import type { ObjectStore } from './object-store.ts';
import { confirmUpload } from './receive-upload.ts';
import { openS3Store } from './s3-store.ts';

const TIDY_EVERY_MS = 3_600_000;

type StorageSettings = Pick<Environment, 's3' | 'home' | 'appSecret' | 'publicUrl'>;

/**
 * S3 if it is configured, else files in the home folder, without checking whose they are: for claiming, backing up and
 * restoring.
 */
export const openAnyObjectStore = (environment: StorageSettings): Promise<ObjectStore> =>
  environment.s3 ? openS3Store(environment.s3, environment.home) : openFileStore(environment);

/**
 * The object storage of the database; it refuses changes unless it is marked as this database's. Its local files are
 * cleaned up now and every hour until it is closed.
 */
export async function openObjectStore(environment: StorageSettings, database: Store): Promise<ObjectStore> {
  const any = await openAnyObjectStore(environment);
  const store = guardStorage(any, () => claimStorage(database, any));
  database.completeUploadsWith((session, file) => confirmUpload(session, store, file));
  // Cleaning up may fail: the next run will do it.
  const tidy = () => {
    store.renew();
    void store.tidy(new Date()).catch(() => {});
  };
  tidy();
  const timer = setInterval(tidy, TIDY_EVERY_MS);
  timer.unref();
  return {
    ...store,
    close() {
      clearInterval(timer);
      return store.close();
    },
  };
}
