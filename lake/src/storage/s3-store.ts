import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3Settings } from '@tapeline/db/environment.ts';
import { reason, type Why } from '@tapeline/domain/errors/reason.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { cacheBytes, storageOutages } from '@tapeline/telemetry/metrics.ts';
import { createMeter } from './meter.ts';
import { openObjectCache } from './object-cache.ts';
import {
  checkKey,
  missingObject,
  type ObjectHead,
  type ObjectStore,
  SIGNED_LIFETIME_MS,
  type StoredObject,
  UPLOAD_REST_MS,
  UPLOADS,
  uploadKeyOf,
} from './object-store.ts';

const statusOf = (error: unknown) => (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
const isMissing = (error: unknown) =>
  (error as Error).name !== 'NoSuchBucket' &&
  (['NotFound', 'NoSuchKey'].includes((error as Error).name) || statusOf(error) === 404);

/** Explains errors that retrying cannot fix to operators; returns other errors as they are. */
function explained(error: unknown, settings: S3Settings): unknown {
  if (isRefusal(error)) return error;
  const { name } = error as Error;
  const refuse = (why: Why) => new Refusal('serverError', why, { cause: error });
  if (name === 'NoSuchBucket') {
    return refuse(reason('noBucket', { bucket: settings.bucket }));
  }
  // Clock skew may be temporary and does not mean that the keys are wrong.
  if (name !== 'RequestTimeTooSkewed' && [401, 403].includes(statusOf(error) ?? 0)) {
    return refuse(
      'The object storage denied access: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are wrong or cannot access the bucket. Correct them, restart and try again.',
    );
  }
  return error;
}

/**
 * Files up to this size are sent in one request, so that a killed writer leaves no parts behind; larger ones in parts.
 */
const ONE_CALL_BYTES = 32 * 2 ** 20;
/** Maximum size of a copy within the storage in one request. */
const ONE_COPY_BYTES = 5 * 2 ** 30;
/** A multipart upload that was started this long ago has been abandoned. */
const UNFINISHED_MS = 24 * 3_600_000;
/** How long the storage can take to say which version of an object is current, if there is a local copy. */
const ASKED_MS = 2_000;
/** After it did not respond, local copies are used without asking for this long. */
const OUTAGE_MS = 10_000;
/** Waits before retrying to send a file; the caller's own retries come after them. */
const SEND_AGAIN_MS = [250, 1000, 4000];

// Evaluated lazily: the two modules import each other.
const expiresIn = () => SIGNED_LIFETIME_MS / 1000;

/** Objects in an S3-compatible bucket; objects that are read by path are cached locally, by key and content. */
export async function openS3Store(settings: S3Settings, home: string): Promise<ObjectStore> {
  const cache = await openObjectCache({ folder: join(home, 'object-cache'), maxBytes: settings.cacheBytes });
  const clientFor = (endpoint: string) =>
    new S3Client({
      endpoint,
      region: settings.region,
      forcePathStyle: true,
      // A service that has stopped responding is an error to retry, not one to wait for.
      requestHandler: { connectionTimeout: 10_000, socketTimeout: 60_000 },
      // Without keys, the SDK asks the machine, and renews what it got: the role of an instance, container or pod.
      ...(settings.keys ? { credentials: settings.keys } : {}),
      // Many compatible services reject the checksums that newer SDKs add by default, and a signed address cannot carry
      // them.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  const client = clientFor(settings.endpoint);
  // Browsers reach the service at a different address than we do, and the signature covers the address.
  const signer = settings.publicEndpoint === settings.endpoint ? client : clientFor(settings.publicEndpoint);
  const Bucket = settings.bucket;
  /** The object's key in the bucket; only keys below the prefix are ours. */
  const keyOf = (key: string): string => settings.prefix + checkKey(key);

  const answered = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      throw explained(error, settings);
    }
  };

  /** Passes the content to `send`, and measures it. */
  async function sendMeasured(content: Readable, send: (body: Readable) => Promise<unknown>): Promise<StoredObject> {
    const { through: body, measured } = createMeter();
    // The code below awaits the error; without this listener an error after the last byte would be unhandled.
    body.on('error', () => {});
    const sent = send(body).catch((error) => {
      // The content is no longer read, so its source must end as well.
      body.destroy(error);
      throw error;
    });
    await Promise.all([pipeline(content, body), sent]);
    return measured();
  }

  /** Aborts multipart uploads of killed processes: their parts are not listed, but are stored and billed. */
  async function giveUpUploads(prefix: string, now: Date): Promise<number> {
    const Prefix = settings.prefix + prefix;
    let given = 0;
    let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    for (;;) {
      const page = await answered(client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...from })));
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (!Key?.startsWith(Prefix)) continue;
        if (!Initiated || now.getTime() - Initiated.getTime() <= UNFINISHED_MS) continue;
        await answered(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
        given += 1;
      }
      if (!page.IsTruncated) return given;
      from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  /** Removes uploads to signed addresses that were never used, or were sent again after they were. */
  async function removeUnusedUploads(now: Date): Promise<number> {
    let removed = 0;
    let token: string | undefined;
    do {
      const page = await answered(
        client.send(new ListObjectsV2Command({ Bucket, Prefix: settings.prefix + UPLOADS, ContinuationToken: token })),
      );
      for (const { Key, LastModified } of page.Contents ?? []) {
        if (!Key || !LastModified || now.getTime() - LastModified.getTime() <= UPLOAD_REST_MS) continue;
        await answered(client.send(new DeleteObjectCommand({ Bucket, Key })));
        removed += 1;
      }
      token = page.NextContinuationToken;
    } while (token);
    return removed;
  }

  async function headOf(key: string, options: { abortSignal?: AbortSignal } = {}): Promise<ObjectHead | null> {
    try {
      const answer = await client.send(new HeadObjectCommand({ Bucket, Key: keyOf(key) }), options);
      return { size: answer.ContentLength ?? 0, etag: answer.ETag ?? '' };
    } catch (error) {
      if (isMissing(error)) return null;
      throw explained(error, settings);
    }
  }

  let outageUntil = Number.NEGATIVE_INFINITY;
  const stopObserving = cacheBytes.observe(() => [[cache.bytes(), { cache: 'objects' }]]);

  /** The object's head; or its latest local copy if the storage does not respond, because written objects rarely change. */
  async function headOrLatest(key: string, latest: string | null): Promise<ObjectHead | string | null> {
    if (latest === null) return headOf(key);
    if (performance.now() < outageUntil) return served(latest);
    try {
      return await headOf(key, { abortSignal: AbortSignal.timeout(ASKED_MS) });
    } catch (error) {
      // Wrong keys and a missing bucket are not an outage.
      if (isRefusal(error)) throw error;
      outageUntil = performance.now() + OUTAGE_MS;
      return served(latest);
    }
  }

  const served = (path: string): string => {
    storageOutages.add(1, {});
    return path;
  };

  const store: ObjectStore = {
    kind: 's3',
    place: `s3://${Bucket}/${settings.prefix}`,
    async putStream(key, content, options = {}) {
      const Key = keyOf(key);
      const ContentType = options.type ?? 'application/octet-stream';
      return answered(
        sendMeasured(content, async (Body) => {
          const upload = new Upload({ client, params: { Bucket, Key, Body, ContentType } });
          Body.once('error', () => void upload.abort());
          await upload.done();
        }),
      );
    },
    async putFile(key, path, options = {}) {
      const Key = keyOf(key);
      const { size: ContentLength } = await stat(path);
      if (ContentLength > ONE_CALL_BYTES) return store.putStream(key, createReadStream(path), options);
      const ContentType = options.type ?? 'application/octet-stream';
      const send = () =>
        answered(
          sendMeasured(createReadStream(path), (Body) =>
            client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength, ContentType })),
          ),
        );
      // The client cannot retry a stream, but the file can be read again.
      for (const waitMs of SEND_AGAIN_MS) {
        try {
          return await send();
        } catch (error) {
          if (isRefusal(error)) throw error;
          await sleep(waitMs);
        }
      }
      return send();
    },
    async getStream(key, range) {
      try {
        const Range = range ? `bytes=${range.start}-${range.end}` : undefined;
        const answer = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(key), Range }));
        return answer.Body as Readable;
      } catch (error) {
        if (isMissing(error)) throw missingObject(key);
        throw explained(error, settings);
      }
    },
    head: (key) => headOf(key),
    async putOnce(key, content) {
      const put = { Bucket, Key: keyOf(key), Body: content, ContentType: 'application/json' };
      if (await store.head(key)) return false;
      try {
        await client.send(new PutObjectCommand({ ...put, IfNoneMatch: '*' }));
        return true;
      } catch (error) {
        if ([409, 412].includes(statusOf(error) ?? 0)) return false;
        if (statusOf(error) !== 501) throw explained(error, settings);
      }
      // The service has no conditional writes; the object did not exist a moment ago.
      await answered(client.send(new PutObjectCommand(put)));
      return true;
    },
    async move(from, to) {
      const head = await store.head(from);
      if (!head) return false;
      if (head.size > ONE_COPY_BYTES) await store.putStream(to, await store.getStream(from));
      else {
        const CopySource = encodeURI(`${Bucket}/${keyOf(from)}`);
        await answered(
          client.send(new CopyObjectCommand({ Bucket, Key: keyOf(to), CopySource, CopySourceIfMatch: head.etag })),
        );
      }
      await store.delete(from);
      return true;
    },
    async delete(key) {
      await answered(client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(key) })));
    },
    async *list(prefix) {
      let token: string | undefined;
      do {
        const page = await answered(
          client.send(new ListObjectsV2Command({ Bucket, Prefix: settings.prefix + prefix, ContinuationToken: token })),
        );
        for (const object of page.Contents ?? []) {
          const key = (object.Key ?? '').slice(settings.prefix.length);
          yield { key, size: object.Size ?? 0, storedAt: object.LastModified ?? new Date() };
        }
        token = page.NextContinuationToken;
      } while (token);
    },
    async localPath(key) {
      const found = await headOrLatest(key, await cache.latest(key));
      if (!found) throw missingObject(key);
      return typeof found === 'string' ? found : cache.path({ key, ...found }, () => store.getStream(key));
    },
    signUpload: ({ key, size, type, now }) =>
      getSignedUrl(
        signer,
        new PutObjectCommand({ Bucket, Key: keyOf(uploadKeyOf(key)), ContentType: type, ContentLength: size }),
        {
          expiresIn: expiresIn(),
          signingDate: now,
          signableHeaders: new Set(['content-type', 'content-length', 'host']),
        },
      ),
    async signDownload({ key, name, type, now }) {
      // At the address, the storage would answer with an error of its own that says nothing to whoever opens it.
      if (!(await headOf(key))) throw missingObject(key);
      return getSignedUrl(
        signer,
        new GetObjectCommand({
          Bucket,
          Key: keyOf(key),
          ResponseContentType: type,
          ResponseContentDisposition: `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        }),
        { expiresIn: expiresIn(), signingDate: now },
      );
    },
    verifySigned() {
      throw new Refusal('forbidden', 'Files are served by the object storage itself');
    },
    async ping() {
      await answered(client.send(new HeadBucketCommand({ Bucket })));
    },
    async tidy(now) {
      const { files } = await cache.trim(now);
      return files + (await giveUpUploads('', now)) + (await removeUnusedUploads(now));
    },
    giveUpUploads,
    async close() {
      stopObserving();
      client.destroy();
      if (signer !== client) signer.destroy();
    },
  };
  return store;
}
