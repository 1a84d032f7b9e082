import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
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
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { S3Settings } from '../environment.ts';
import { createMeter } from './meter.ts';
import { openObjectCache } from './object-cache.ts';
import { checkKey, type ObjectStore, SIGNED_LIFETIME_MS, type StoredObject } from './object-store.ts';

const statusOf = (error: unknown) => (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
const isMissing = (error: unknown) =>
  (error as Error).name !== 'NoSuchBucket' &&
  (['NotFound', 'NoSuchKey'].includes((error as Error).name) || statusOf(error) === 404);

/** What a wait does not mend, in words for whoever runs the product; anything else as it is. */
function explained(error: unknown, settings: S3Settings): unknown {
  if (isRefusal(error)) return error;
  const { name } = error as Error;
  const refuse = (why: string) => new Refusal('serverError', why, { cause: error });
  if (name === 'NoSuchBucket') {
    return refuse(`The object storage has no bucket ${settings.bucket}: make it, or set S3_BUCKET; then try again.`);
  }
  // A clock that is wrong for a moment is no wrong key.
  if (name !== 'RequestTimeTooSkewed' && [401, 403].includes(statusOf(error) ?? 0)) {
    return refuse(
      'The object storage refuses our access: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are wrong, or may not use the bucket. Set them right and start again; then try again.',
    );
  }
  return error;
}

/** Files up to this many bytes go in one call, so that a killed writer leaves no parts behind; larger ones in parts. */
const ONE_CALL_BYTES = 32 * 2 ** 20;
/** An upload in parts that was begun so long ago goes on no more. */
const UNFINISHED_MS = 24 * 3_600_000;
/** Waits between the tries to send a file; the caller's own tries come after them. */
const SEND_AGAIN_MS = [250, 1000, 4000];

// Read when called: the two modules import each other.
const expiresIn = () => SIGNED_LIFETIME_MS / 1000;

/** Objects in an S3-compatible bucket; what is read by path is kept in a local cache, by key and content. */
export async function openS3Store(settings: S3Settings, home: string): Promise<ObjectStore> {
  const cache = await openObjectCache({ folder: join(home, 'object-cache'), maxBytes: settings.cacheBytes });
  const clientFor = (endpoint: string) =>
    new S3Client({
      endpoint,
      region: settings.region,
      forcePathStyle: true,
      // A service that has stopped answering is a fault to try again, not one to wait for.
      requestHandler: { connectionTimeout: 10_000, socketTimeout: 60_000 },
      credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
      // Many compatible services refuse the checksums that newer SDKs add unasked, and a signed address cannot carry them.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  const client = clientFor(settings.endpoint);
  // Browsers reach the service at another address than we do; the signature covers the address.
  const signer = settings.publicEndpoint === settings.endpoint ? client : clientFor(settings.publicEndpoint);
  const Bucket = settings.bucket;

  const answered = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      throw explained(error, settings);
    }
  };

  /** Passes the content on to `send`, and gives what went by. */
  async function sendMeasured(content: Readable, send: (body: Readable) => Promise<unknown>): Promise<StoredObject> {
    const { through: body, measured } = createMeter();
    // Heard by who waits below; an error after the last byte has nobody else.
    body.on('error', () => {});
    const sent = send(body).catch((error) => {
      // Nobody reads on: what feeds it must end as well.
      body.destroy(error);
      throw error;
    });
    await Promise.all([pipeline(content, body), sent]);
    return measured();
  }

  /** Gives up uploads in parts that a killed process left: their parts show nowhere, and are stored and paid for. */
  async function giveUpUploads(now: Date): Promise<number> {
    let given = 0;
    let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    for (;;) {
      const page = await answered(client.send(new ListMultipartUploadsCommand({ Bucket, ...from })));
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (!Initiated || now.getTime() - Initiated.getTime() <= UNFINISHED_MS) continue;
        await answered(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
        given += 1;
      }
      if (!page.IsTruncated) return given;
      from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  const store: ObjectStore = {
    kind: 's3',
    async putStream(key, content, options = {}) {
      checkKey(key);
      const ContentType = options.type ?? 'application/octet-stream';
      return answered(
        sendMeasured(content, async (Body) => {
          const upload = new Upload({ client, params: { Bucket, Key: key, Body, ContentType } });
          Body.once('error', () => void upload.abort());
          await upload.done();
        }),
      );
    },
    async putFile(key, path, options = {}) {
      checkKey(key);
      const { size: ContentLength } = await stat(path);
      if (ContentLength > ONE_CALL_BYTES) return store.putStream(key, createReadStream(path), options);
      const ContentType = options.type ?? 'application/octet-stream';
      const send = () =>
        answered(
          sendMeasured(createReadStream(path), (Body) =>
            client.send(new PutObjectCommand({ Bucket, Key: key, Body, ContentLength, ContentType })),
          ),
        );
      // The client cannot send a stream twice; the file can be read again.
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
        const answer = await client.send(new GetObjectCommand({ Bucket, Key: checkKey(key), Range }));
        return answer.Body as Readable;
      } catch (error) {
        if (isMissing(error)) throw new Refusal('notFound');
        throw explained(error, settings);
      }
    },
    async head(key) {
      try {
        const answer = await client.send(new HeadObjectCommand({ Bucket, Key: checkKey(key) }));
        return { size: answer.ContentLength ?? 0, etag: answer.ETag ?? '' };
      } catch (error) {
        if (isMissing(error)) return null;
        throw explained(error, settings);
      }
    },
    async delete(key) {
      await answered(client.send(new DeleteObjectCommand({ Bucket, Key: checkKey(key) })));
    },
    async *list(prefix) {
      let token: string | undefined;
      do {
        const page = await answered(
          client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: token })),
        );
        for (const object of page.Contents ?? []) yield { key: object.Key ?? '', size: object.Size ?? 0 };
        token = page.NextContinuationToken;
      } while (token);
    },
    async localPath(key) {
      const head = await store.head(key);
      if (!head) throw new Refusal('notFound');
      return cache.path({ key, ...head }, () => store.getStream(key));
    },
    signUpload: ({ key, size, type, now }) =>
      getSignedUrl(
        signer,
        new PutObjectCommand({ Bucket, Key: checkKey(key), ContentType: type, ContentLength: size }),
        {
          expiresIn: expiresIn(),
          signingDate: now,
          signableHeaders: new Set(['content-type', 'content-length', 'host']),
        },
      ),
    signDownload: ({ key, name, type, now }) =>
      getSignedUrl(
        signer,
        new GetObjectCommand({
          Bucket,
          Key: checkKey(key),
          ResponseContentType: type,
          ResponseContentDisposition: `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        }),
        { expiresIn: expiresIn(), signingDate: now },
      ),
    verifySigned() {
      throw new Refusal('forbidden', 'Files are served by the object storage itself');
    },
    async ping() {
      await answered(client.send(new HeadBucketCommand({ Bucket })));
    },
    async tidy(now) {
      const { files } = await cache.trim(now);
      return files + (await giveUpUploads(now));
    },
    async close() {
      client.destroy();
      if (signer !== client) signer.destroy();
    },
  };
  return store;
}
