import type { Environment } from '../environment.ts';
import { openFileStore } from './file-store.ts';
import type { ObjectStore } from './object-store.ts';
import { openS3Store } from './s3-store.ts';

/** S3 where it is configured, else files in the home folder. */
export function openObjectStore(
  environment: Pick<Environment, 's3' | 'home' | 'appSecret' | 'publicUrl'>,
): Promise<ObjectStore> {
  return environment.s3 ? openS3Store(environment.s3, environment.home) : openFileStore(environment);
}
