import type { Environment } from '../environment.ts';
import { openFileStore } from './file-store.ts';
import type { ObjectStore } from './object-store.ts';
import { openS3Store } from './s3-store.ts';

const TIDY_EVERY_MS = 3_600_000;

/** S3 where it is configured, else files in the home folder. Its local files are tidied now and every hour until it is closed. */
export async function openObjectStore(
  environment: Pick<Environment, 's3' | 'home' | 'appSecret' | 'publicUrl'>,
): Promise<ObjectStore> {
  const { s3, home } = environment;
  const store = await (s3 ? openS3Store(s3, home) : openFileStore(environment));
  // Tidying is never worth a failure: the next time comes.
  const tidy = () => void store.tidy(new Date()).catch(() => {});
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
