import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { kindsOfType } from '@tapeline/db/files/content-check.ts';
import { SIGNED_PATH } from '@tapeline/db/files/file-store.ts';
import { objectKey, type SignedGrant } from '@tapeline/db/files/object-store.ts';
import { receiveUpload } from '@tapeline/db/files/receive-upload.ts';
import { BUCKETS, type Bucket, fileMetadata, registerFile, resolveFile } from '@tapeline/db/operations/files/files.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can, type PermissionKey, type UserActor } from '@tapeline/domain/people/actor.ts';
import { attachmentSchema, tapeUploadSchema } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';
import type { RequestContext } from '../context.ts';
import { scheduleTapes } from '../tapes/upload.server.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

/** Largest file of each upload: beyond what any spreadsheet or report needs. */
export const MAX_UPLOAD_BYTES = 1024 * 1024 * 1024;

/** How much of a refused upload is still read before the connection is given up. */
const MAX_REFUSED_BYTES = 64 * 1024 * 1024;

const uploadInfoSchema = z.object({
  name: z.string('is required').min(1, 'is required').max(250),
  size: z
    .int('must be the number of bytes')
    .min(1, 'The file is empty')
    .max(MAX_UPLOAD_BYTES, 'A file has at most 1 GB'),
  type: z.string('is required').min(1, 'is required').max(255),
});
const downloadInfoSchema = z.object({ key: z.string('is required').min(1, 'is required').max(1024) });

const signedUrlsSchema = z.object({
  directory: z.string().max(200).optional(),
  filesInfo: z
    .array(
      z.union([uploadInfoSchema, downloadInfoSchema], {
        error: (issue) => {
          const [first] = (issue as { errors?: { path: PropertyKey[]; message: string }[][] }).errors?.[0] ?? [];
          return first ? `${first.path.map(String).join('.')}: ${first.message}` : undefined;
        },
      }),
    )
    .min(1, 'Name 1 to 50 files')
    .max(50, 'Name 1 to 50 files'),
});

/** What one must be allowed to for putting files into a bucket; every other bucket is filled by the product itself. */
const UPLOAD_PERMISSION: Partial<Record<Bucket, PermissionKey>> = {
  loanTapes: 'assets/write',
  importerFiles: 'importer/write',
  announcements: 'announcements/write',
  capitalAccounts: 'funds/write',
  fundReports: 'funds/write',
};

const signedSchema = z.array(z.object({ error: z.string().optional(), fileMetadata: attachmentSchema.optional() }));

async function signUpload(
  context: RequestContext,
  actor: UserActor,
  bucket: Bucket,
  info: z.infer<typeof uploadInfoSchema>,
  directory: string | undefined,
) {
  if (kindsOfType(info.type).length === 0)
    throw new Refusal('badRequest', `Files of the type ${info.type} are not taken`);
  const file = await context.store.as(actor, (session) =>
    registerFile(session, { bucket, ...info, ...(directory === undefined ? {} : { directory }) }),
  );
  const signedUrl = await context.objects.signUpload({
    key: objectKey(file.bucket, file.key),
    size: file.size,
    type: file.type,
    now: new Date(),
  });
  return { ...fileMetadata(file), signedUrl };
}

async function signDownload(context: RequestContext, actor: UserActor, bucket: Bucket, key: string) {
  const file = await context.store.as(actor, (session) => resolveFile(session, { bucket, keyOrId: key }));
  const signedUrl = await context.objects.signDownload({
    key: objectKey(file.bucket, file.key),
    name: file.name,
    type: file.type,
    now: new Date(),
  });
  return { ...fileMetadata(file), signedUrl };
}

export const fileEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/files/signedUrls/{bucket}',
    access: 'signed-in',
    summary:
      'Signed addresses to upload or download files; each lasts 15 minutes and is good for one object, size and type',
    params: z.object({ bucket: z.enum(BUCKETS) }),
    query: z.object({ operation: z.enum(['upload', 'download']).default('upload') }),
    body: signedUrlsSchema,
    response: signedSchema,
    status: 200,
    async handle({ params: { bucket }, query: { operation }, body, actor, context }) {
      if (operation === 'upload') {
        const permission = UPLOAD_PERMISSION[bucket];
        if (!permission || !can(actor, permission)) {
          throw new Refusal('forbidden', 'You do not have enough permissions to perform this action');
        }
      }
      const answers: z.infer<typeof signedSchema> = [];
      for (const info of body.filesInfo) {
        try {
          if (operation === 'upload') {
            if (!('name' in info)) throw new Refusal('badRequest', 'Name the file, its size and its type');
            answers.push({ fileMetadata: (await signUpload(context, actor, bucket, info, body.directory)) as never });
          } else {
            if (!('key' in info)) throw new Refusal('badRequest', 'Give the key of the file');
            answers.push({ fileMetadata: (await signDownload(context, actor, bucket, info.key)) as never });
          }
        } catch (error) {
          if (!isRefusal(error)) throw error;
          answers.push({ error: error.message });
        }
      }
      return { body: answers };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/files/loanTapeScheduler',
    access: 'assets/write',
    summary: 'Make a tape of each uploaded file and process it',
    body: tapeUploadSchema,
    response: z.object({
      uploadedCount: z.int(),
      errors: z.array(z.object({ attachment: z.string(), message: z.string() })),
      loanTapes: z.array(z.object({ id: z.string(), workflowId: z.string() })),
    }),
    async handle({ body, actor, context, origin }) {
      return { body: await scheduleTapes(context, actor, body, origin) };
    },
  }),
];

/**
 * The embedded store's own addresses: the signature is the permission, so neither sign-in nor CSRF token is asked for.
 * Null for any other path.
 */
export async function serveSignedObject(request: Request, context: RequestContext): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith(SIGNED_PATH)) return null;
  const now = new Date();
  const body = request.body ? Readable.fromWeb(request.body as NodeReadableStream) : null;
  try {
    const grant = context.objects.verifySigned(pathname.slice(SIGNED_PATH.length), { method: request.method, now });
    if (grant.method === 'GET') return await sendObject(request, context, grant);
    if (!body) throw new Refusal('badRequest', 'The file is empty');
    const contentType = request.headers.get('content-type') ?? undefined;
    await receiveUpload(context.store, context.objects, { grant, contentType, body, now });
    return new Response(null, { status: 200 });
  } catch (error) {
    if (body) await readOn(body);
    throw error;
  }
}

/** A caller that is cut off while it sends does not hear why: what was refused is read on, within reason. */
async function readOn(body: Readable): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > MAX_REFUSED_BYTES) return;
    }
  } catch {
    // The caller has gone.
  }
}

async function sendObject(request: Request, context: RequestContext, grant: SignedGrant): Promise<Response> {
  const head = await context.objects.head(grant.key);
  if (!head) throw new Refusal('notFound');
  const headers = {
    'content-type': grant.type,
    'content-length': String(head.size),
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(grant.name ?? 'file')}`,
    'cache-control': 'private, no-store',
  };
  if (request.method === 'HEAD') return new Response(null, { headers });
  return new Response(Readable.toWeb(await context.objects.getStream(grant.key)) as ReadableStream, { headers });
}
