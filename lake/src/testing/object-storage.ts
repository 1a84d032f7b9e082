import { createHash, type Hash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { S3Settings } from '@tapeline/db/environment.ts';
import { type SignatureKeys, signatureError } from './object-storage-signature.ts';

const BUCKET = 'tapes';
const STATUS: Record<string, number> = {
  AccessDenied: 403,
  InvalidAccessKeyId: 403,
  SignatureDoesNotMatch: 403,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  InsufficientStorage: 507,
  MethodNotAllowed: 405,
  PreconditionFailed: 412,
  InvalidRange: 416,
};

interface Stored {
  path: string;
  /** Bytes. */
  size: number;
  etag: string;
  type: string;
  storedAt: Date;
}

interface Upload {
  key: string;
  type: string;
  startedAt: Date;
  parts: Map<number, Stored>;
}

/**
 * An S3-compatible server for one test file, with one bucket: it checks signatures, and shows an object whole or not at
 * all.
 */
export interface TestObjectStorage {
  readonly settings: S3Settings & { readonly keys: SignatureKeys };
  /** Stops without warning: requests in progress are cut off, and it does not respond until it is up again. */
  goDown(): Promise<void>;
  /** Responds again, at the same address, with all its objects. */
  comeUp(): Promise<void>;
  /** From now on its keys are rejected, as after a rotation; or accepted again. */
  revokeKeys(): void;
  restoreKeys(): void;
  /** From now on it is full; or has space again. */
  fillUp(): void;
  makeRoom(): void;
  /** From now on scripts of this origin can call it, as by a CORS rule for these methods. */
  allowOrigin(origin: string, methods?: string): void;
  /** Its clock differs by this from ours. */
  setClock(aheadMs: number): void;
  /** Keys of multipart uploads that were started, and neither completed nor aborted. */
  unfinishedUploads(): string[];
  close(): Promise<void>;
}

class Problem extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** @param options.pageSize maximum number of keys in one listing */
export async function startObjectStorage({ pageSize = 1000 }: { pageSize?: number } = {}): Promise<TestObjectStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'object-storage-'));
  const keys: SignatureKeys = {
    accessKeyId: `tests${randomBytes(6).toString('hex')}`,
    secretAccessKey: randomBytes(20).toString('hex'),
  };
  let known: SignatureKeys | null = keys;
  let isFull = false;
  let cors: { origin: string; methods: string } | null = null;
  let aheadMs = 0;
  const objects = new Map<string, Stored>();
  const uploads = new Map<string, Upload>();

  async function keep(content: Readable, type: string, expected?: string): Promise<Stored> {
    const path = join(folder, randomBytes(12).toString('hex'));
    const [md5, sha256] = [createHash('md5'), createHash('sha256')];
    let size = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        for (const hash of [md5, sha256] satisfies Hash[]) hash.update(chunk);
        size += chunk.length;
        done(null, chunk);
      },
    });
    try {
      await pipeline(content, measure, createWriteStream(path));
      if (/^[0-9a-f]{64}$/.test(expected ?? '') && sha256.digest('hex') !== expected) throw new Problem('BadDigest');
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return { path, size, etag: `"${md5.digest('hex')}"`, type, storedAt: new Date() };
  }

  function replace(key: string, stored: Stored): void {
    const before = objects.get(key);
    objects.set(key, stored);
    // A request that is reading it continues: the file is open.
    if (before) void rm(before.path, { force: true });
  }

  function list(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? '';
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString();
    const wanted = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = wanted.slice(0, pageSize);
    const cut = wanted.length > page.length;
    const next = Buffer.from(page.at(-1) ?? '').toString('base64url');
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><Size>${objects.get(key)?.size}</Size><LastModified>${objects.get(key)?.storedAt.toISOString()}</LastModified><ETag>x</ETag></Contents>`,
    );
    return `<ListBucketResult><KeyCount>${page.length}</KeyCount><IsTruncated>${cut}</IsTruncated>${contents.join('')}${cut ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}</ListBucketResult>`;
  }

  async function complete(uploadId: string, key: string, body: string): Promise<string> {
    const upload = uploads.get(uploadId);
    if (!upload || upload.key !== key) throw new Problem('NoSuchUpload');
    const named = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => Number(number));
    const parts = named.map((number) => upload.parts.get(number));
    if (parts.length === 0 || parts.some((part) => !part)) throw new Problem('InvalidPart');
    async function* whole() {
      for (const part of parts as Stored[]) yield* createReadStream(part.path);
    }
    const stored = await keep(Readable.from(whole(), { objectMode: false }), upload.type);
    replace(key, stored);
    await forget(uploadId);
    return `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>${stored.etag}</ETag></CompleteMultipartUploadResult>`;
  }

  async function copy(source: string, key: string, call: IncomingMessage): Promise<string> {
    const [bucket, ...rest] = source.replace(/^\//, '').split('/');
    if (bucket !== BUCKET) throw new Problem('NoSuchBucket');
    const found = objects.get(rest.join('/'));
    if (!found) throw new Problem('NoSuchKey');
    const wanted = call.headers['x-amz-copy-source-if-match'];
    if (wanted && wanted !== found.etag) throw new Problem('PreconditionFailed');
    const stored = await keep(createReadStream(found.path), found.type);
    replace(key, stored);
    return `<CopyObjectResult><ETag>${stored.etag}</ETag></CopyObjectResult>`;
  }

  async function forget(uploadId: string): Promise<void> {
    const upload = uploads.get(uploadId);
    if (!upload) throw new Problem('NoSuchUpload');
    uploads.delete(uploadId);
    for (const part of upload.parts.values()) await rm(part.path, { force: true });
  }

  function listUploads(prefix: string): string {
    const begun = [...uploads]
      .filter(([, { key }]) => key.startsWith(prefix))
      .map(
        ([id, { key, startedAt }]) =>
          `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`,
      );
    return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${begun.join('')}</ListMultipartUploadsResult>`;
  }

  async function give(call: IncomingMessage, answer: ServerResponse, key: string, query: URLSearchParams) {
    const stored = objects.get(key);
    if (!stored) throw new Problem('NoSuchKey');
    if (call.headers['if-match'] && call.headers['if-match'] !== stored.etag) throw new Problem('PreconditionFailed');
    answer.setHeader('ETag', stored.etag);
    answer.setHeader('Accept-Ranges', 'bytes');
    answer.setHeader('Content-Type', query.get('response-content-type') ?? stored.type);
    const disposition = query.get('response-content-disposition');
    if (disposition) answer.setHeader('Content-Disposition', disposition);
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(call.headers.range ?? '') ?? [];
    const start = Number(from ?? 0);
    const end = Math.min(to ? Number(to) : stored.size - 1, stored.size - 1);
    if (from !== undefined) {
      if (start > end) throw new Problem('InvalidRange');
      answer.setHeader('Content-Range', `bytes ${start}-${end}/${stored.size}`);
      answer.statusCode = 206;
    }
    answer.setHeader('Content-Length', end + 1 - start);
    if (call.method === 'HEAD' || stored.size === 0) answer.end();
    else await pipeline(createReadStream(stored.path, { start, end }), answer);
  }

  async function serve(call: IncomingMessage, answer: ServerResponse): Promise<void> {
    answer.setHeader('Date', new Date(Date.now() + aheadMs).toUTCString());
    if (call.method === 'OPTIONS') {
      if (!cors || cors.origin !== call.headers.origin) throw new Problem('AccessDenied');
      answer.setHeader('Access-Control-Allow-Origin', cors.origin);
      answer.setHeader('Access-Control-Allow-Methods', cors.methods);
      answer.setHeader('Access-Control-Allow-Headers', 'content-type');
      return void answer.end();
    }
    const error = signatureError(call, known);
    if (error) throw new Problem(error);
    const url = new URL(call.url ?? '/', 'http://any');
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    if (bucket !== BUCKET) throw new Problem('NoSuchBucket');
    const key = rest.join('/');
    const query = url.searchParams;
    const uploadId = query.get('uploadId');
    const type = call.headers['content-type'] ?? 'binary/octet-stream';
    const expected = String(call.headers['x-amz-content-sha256'] ?? '');
    const xml = (content: string) => void answer.setHeader('Content-Type', 'application/xml').end(content);
    if (key === '') {
      if (call.method === 'HEAD') return void answer.end();
      if (call.method === 'GET')
        return xml(query.has('uploads') ? listUploads(query.get('prefix') ?? '') : list(query));
      throw new Problem('MethodNotAllowed');
    }
    switch (call.method) {
      case 'GET':
      case 'HEAD':
        return give(call, answer, key, query);
      case 'PUT': {
        if (isFull) throw new Problem('InsufficientStorage');
        if (uploadId === null) {
          const refuseExisting = () => {
            if (call.headers['if-none-match'] === '*' && objects.has(key)) throw new Problem('PreconditionFailed');
          };
          refuseExisting();
          const source = call.headers['x-amz-copy-source'];
          if (source !== undefined) return xml(await copy(decodeURIComponent(String(source)), key, call));
          const stored = await keep(call, type, expected);
          // Another call may have written the object while the body was read.
          refuseExisting();
          replace(key, stored);
          return void answer.setHeader('ETag', stored.etag).end();
        }
        const part = await keep(call, type, expected);
        const upload = uploads.get(uploadId);
        if (!upload) throw new Problem('NoSuchUpload');
        upload.parts.set(Number(query.get('partNumber')), part);
        return void answer.setHeader('ETag', part.etag).end();
      }
      case 'POST': {
        if (uploadId !== null) return xml(await complete(uploadId, key, await text(call)));
        if (!query.has('uploads')) throw new Problem('MethodNotAllowed');
        const id = randomBytes(12).toString('hex');
        uploads.set(id, { key, type, startedAt: new Date(), parts: new Map() });
        return xml(
          `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        );
      }
      case 'DELETE': {
        if (uploadId !== null) await forget(uploadId);
        else {
          const stored = objects.get(key);
          objects.delete(key);
          if (stored) await rm(stored.path, { force: true });
        }
        return void answer.writeHead(204).end();
      }
      default:
        throw new Problem('MethodNotAllowed');
    }
  }

  const server: Server = createServer((call, answer) => {
    serve(call, answer).catch((error: unknown) => {
      if (answer.headersSent || answer.destroyed) return void answer.destroy();
      const code = error instanceof Problem ? error.code : 'InternalError';
      answer.statusCode = error instanceof Problem ? (STATUS[code] ?? 400) : 500;
      answer.setHeader('Content-Type', 'application/xml');
      answer.setHeader('Connection', 'close');
      answer.end(call.method === 'HEAD' ? '' : `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    });
  });
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve((server.address() as { port: number }).port);
      });
    });
  const goDown = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  const port = await listen(0);
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    settings: {
      endpoint,
      publicEndpoint: endpoint,
      region: 'us-east-1',
      bucket: BUCKET,
      prefix: '',
      keys,
      cacheBytes: 1e9,
    },
    goDown,
    async comeUp() {
      await listen(port);
    },
    revokeKeys() {
      known = null;
    },
    restoreKeys() {
      known = keys;
    },
    fillUp() {
      isFull = true;
    },
    makeRoom() {
      isFull = false;
    },
    allowOrigin(origin, methods = 'GET, PUT') {
      cors = { origin, methods };
    },
    setClock(ahead) {
      aheadMs = ahead;
    },
    unfinishedUploads: () => [...uploads.values()].map(({ key }) => key),
    async close() {
      await goDown();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
