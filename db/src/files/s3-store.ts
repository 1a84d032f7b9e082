import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { S3Settings } from '../environment.ts';
import { checkKey, type ObjectStore, SIGNED_LIFETIME_MS } from './object-store.ts';

const isMissing = (error: unknown) =>
  ['NotFound', 'NoSuchKey'].includes((error as Error).name) ||
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404;

// Read when called: the two modules import each other.
const expiresIn = () => SIGNED_LIFETIME_MS / 1000;

/** Objects in an S3-compatible bucket; what is read by path is kept in a local cache, by key and content. */
export async function openS3Store(settings: S3Settings, home: string): Promise<ObjectStore> {
  const cache = join(home, 'object-cache');
  await mkdir(cache, { recursive: true });
  const clientFor = (endpoint: string) =>
    new S3Client({
      endpoint,
      region: settings.region,
      forcePathStyle: true,
      credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
      // Many compatible services refuse the checksums that newer SDKs add unasked, and a signed address cannot carry them.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  const client = clientFor(settings.endpoint);
  // Browsers reach the service at another address than we do; the signature covers the address.
  const signer = settings.publicEndpoint === settings.endpoint ? client : clientFor(settings.publicEndpoint);
  const Bucket = settings.bucket;

  const store: ObjectStore = {
    kind: 's3',
    async putStream(key, content, options = {}) {
      checkKey(key);
      const hash = createHash('sha256');
      let size = 0;
      const measured = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk);
          size += chunk.length;
          done(null, chunk);
        },
      });
      const upload = new Upload({
        client,
        params: { Bucket, Key: key, Body: measured, ContentType: options.type ?? 'application/octet-stream' },
      });
      const fed = pipeline(content, measured).catch(async (error) => {
        await upload.abort();
        throw error;
      });
      await Promise.all([fed, upload.done()]);
      return { size, checksum: hash.digest('hex') };
    },
    putFile: (key, path, options) => store.putStream(key, createReadStream(path), options),
    async getStream(key, range) {
      try {
        const Range = range ? `bytes=${range.start}-${range.end}` : undefined;
        const answer = await client.send(new GetObjectCommand({ Bucket, Key: checkKey(key), Range }));
        return answer.Body as Readable;
      } catch (error) {
        if (isMissing(error)) throw new Refusal('notFound');
        throw error;
      }
    },
    async head(key) {
      try {
        const answer = await client.send(new HeadObjectCommand({ Bucket, Key: checkKey(key) }));
        return { size: answer.ContentLength ?? 0, etag: answer.ETag ?? '' };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: checkKey(key) }));
    },
    async *list(prefix) {
      let token: string | undefined;
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: token }));
        for (const object of page.Contents ?? []) yield { key: object.Key ?? '', size: object.Size ?? 0 };
        token = page.NextContinuationToken;
      } while (token);
    },
    async localPath(key) {
      const head = await store.head(key);
      if (!head) throw new Refusal('notFound');
      const path = join(cache, createHash('sha256').update(`${key}\n${head.etag}\n${head.size}`).digest('hex'));
      const cached = await stat(path).catch(() => null);
      if (cached?.size === head.size) return path;
      const temporary = `${path}.${randomBytes(6).toString('hex')}`;
      try {
        await pipeline(await store.getStream(key), createWriteStream(temporary, { flags: 'wx' }));
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      return path;
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
      await client.send(new HeadBucketCommand({ Bucket }));
    },
    async close() {
      client.destroy();
      if (signer !== client) signer.destroy();
    },
  };
  return store;
}
