import { randomUUID } from 'node:crypto';

import { Readable } from 'node:stream';
import type { Environment, S3Settings } from '@tapeline/db/environment.ts';
import { connectionProblem } from '@tapeline/db/service-problems.ts';
import { requireHome } from '@tapeline/db/start-up.ts';
import { waitFor } from '@tapeline/db/wait-for.ts';
import { reason, textOf } from '@tapeline/domain/errors/reason.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { requireFreeSpace } from './disk-space.ts';
import type { ObjectStore } from './object-store.ts';
import { openAnyObjectStore } from './open-object-store.ts';

type Settings = Pick<Environment, 's3' | 'home' | 'appSecret' | 'publicUrl'>;

export interface StorageCheck {
  /** One sentence for each problem. */
  readonly problems: string[];
  /** The time of the storage; null if it did not say. */
  readonly now: Date | null;
}

const ANSWER_MS = 10_000;

/** What is wrong with the object storage and how to correct it, in one sentence. */
export function storageProblem(error: unknown, s3: S3Settings | null): string {
  const message = error instanceof Error ? error.message : String(error);
  if (isRefusal(error)) return message;
  if (!s3) return `Files cannot be stored in TAPELINE_HOME: ${message}.`;
  const { hostname: host, port, protocol } = new URL(s3.endpoint);
  const address = { service: 'The object storage', host, port: port || (protocol === 'https:' ? 443 : 80) };
  const network = connectionProblem(error, { ...address, setting: 'S3_ENDPOINT' });
  if (network) return network;
  const { name } = error as Error;
  if (name === 'RequestTimeTooSkewed') {
    return 'The object storage refuses calls because the clock of this machine is wrong. Synchronize it (timedatectl set-ntp true).';
  }
  if (name === 'CredentialsProviderError') {
    return 'This machine has no credentials for the object storage. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give the machine a role.';
  }
  if (name === 'NotFound' || name === 'NoSuchBucket') {
    return textOf(reason('noBucket', { bucket: s3.bucket }));
  }
  return `The object storage cannot be used: ${name}: ${message}. Check S3_ENDPOINT, S3_REGION and S3_BUCKET.`;
}

/** Whether the program and browsers can use the object storage. It writes one small object and removes it again. */
export async function checkStorage(environment: Settings): Promise<StorageCheck> {
  const { s3 } = environment;
  const problems: string[] = [];
  try {
    requireHome(environment.home, 0o700);
    await requireFreeSpace(environment.home);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    problems.push(
      isRefusal(error)
        ? `TAPELINE_HOME has ${message}.`
        : `This user cannot write to TAPELINE_HOME, ${environment.home} (${code ?? message}). Correct it, or the rights of the folder.`,
    );
    if (!isRefusal(error)) return { problems, now: null };
  }
  const objects = await openAnyObjectStore(environment);
  try {
    await objects.ping();
    await tryToWrite(objects);
    if (s3) problems.push(...(await corsProblems(s3, environment.publicUrl)));
  } catch (error) {
    problems.push(storageProblem(error, s3));
  } finally {
    await objects.close();
  }
  return { problems, now: s3 ? await timeOf(s3.endpoint) : null };
}

/** One sentence for each problem of the object storage that keeps a command from working. */
export async function storageProblems(environment: Settings): Promise<readonly string[]> {
  const { s3 } = environment;
  const objects = await openAnyObjectStore(environment);
  try {
    await objects.ping();
    return [];
  } catch (error) {
    return [storageProblem(error, s3)];
  } finally {
    await objects.close();
  }
}

async function tryToWrite(objects: ObjectStore): Promise<void> {
  const key = `instance/doctor-${randomUUID()}`;
  await objects.putStream(key, Readable.from([Buffer.from('A check of the settings')]));
  await objects.delete(key);
}

/** Asks as a browser does before it uploads a file. */
async function corsProblems({ publicEndpoint, bucket, prefix }: S3Settings, publicUrl: string): Promise<string[]> {
  const { origin } = new URL(publicUrl);
  const { hostname: host, port, protocol } = new URL(publicEndpoint);
  const advice = `Give the bucket ${bucket} the rule of deploy/s3/cors.json.`;
  try {
    const answer = await fetch(`${publicEndpoint.replace(/\/+$/, '')}/${bucket}/${prefix}uploads/doctor`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-type',
      },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const allowed = answer.headers.get('access-control-allow-origin');
    if (!answer.ok || (allowed !== '*' && allowed !== origin)) {
      return [`Browsers cannot upload files: the object storage does not allow calls from ${origin} (CORS). ${advice}`];
    }
    const methods = answer.headers.get('access-control-allow-methods') ?? '';
    if (!/\bPUT\b|\*/.test(methods)) {
      return [`Browsers cannot upload files: the CORS rule of the object storage does not allow PUT. ${advice}`];
    }
    const headers = answer.headers.get('access-control-allow-headers') ?? '';
    if (!/content-type|\*/i.test(headers)) {
      return [`Browsers cannot upload files: the CORS rule does not allow the header Content-Type. ${advice}`];
    }
    return [];
  } catch (error) {
    const address = {
      service: 'The object storage for browsers',
      host,
      port: port || (protocol === 'https:' ? 443 : 80),
    };
    return [
      connectionProblem(error, { ...address, setting: 'S3_PUBLIC_ENDPOINT' }) ??
        `Browsers cannot reach the object storage at ${publicEndpoint}. Check S3_PUBLIC_ENDPOINT.`,
    ];
  }
}

/** The time of an HTTP server, to the second. */
async function timeOf(url: string): Promise<Date | null> {
  const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null);
  const date = Date.parse(answer?.headers.get('date') ?? '');
  return Number.isNaN(date) ? null : new Date(date);
}

/** Waits until the object storage answers and is this database's. @throws ServiceUnavailable */
export function waitForStorage(
  { s3, startupWaitSeconds: seconds }: Pick<Environment, 's3' | 'startupWaitSeconds'>,
  objects: Pick<ObjectStore, 'ping'>,
  log: Parameters<typeof waitFor>[0]['log'],
): Promise<void> {
  const explain = (error: unknown) => storageProblem(error, s3);
  // A refusal explains what someone must correct. A missing bucket is one too, although it may still be created.
  const isFinal = (error: unknown) => isRefusal(error) && error.reason?.code !== 'noBucket';
  return waitFor({ service: 'the object storage', seconds, explain, isFinal, log }, () => objects.ping());
}
