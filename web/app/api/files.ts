import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { recordFileReads } from '@tapeline/db/operations/activities/activities.ts';
import { fileMetadata, registerFile } from '@tapeline/db/operations/files/files.ts';
import { readableFileOf } from '@tapeline/db/operations/files/readable-files.ts';
import { DRAW_FILES } from '@tapeline/domain/draws/attachments.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import {
  BUCKETS,
  type Bucket,
  MAX_TAPE_BYTES,
  maxBytesOf,
  tooLarge,
  typeProblem,
} from '@tapeline/domain/files/buckets.ts';
import { UPLOAD_KINDS } from '@tapeline/domain/files/file-types.ts';
import { LETTER_FILES } from '@tapeline/domain/investors/letter-files.ts';
import { can, isOutsider, type PermissionKey, type UserActor } from '@tapeline/domain/people/actor.ts';
import { attachmentSchema, tapeUploadSchema } from '@tapeline/domain/tapes/tape.schema.ts';
import { currencyQuestionSchema } from '@tapeline/domain/tapes/tape-questions.schema.ts';
import { SIGNED_PATH } from '@tapeline/lake/storage/file-store.ts';
import { missingObject, objectKey, type SignedGrant } from '@tapeline/lake/storage/object-store.ts';
import { receiveUpload } from '@tapeline/lake/storage/receive-upload.ts';
import { z } from 'zod';
import { scheduleTapes } from '../commands/upload.server.ts';
import type { RequestContext } from '../http/context.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

/** How far an upload can exceed its announced size before it is cut off. The margin leaves time to report the error. */
const BEYOND_SIZE_BYTES = 1024 * 1024;

const uploadInfoSchema = z.object({
  name: z.string(REQUIRED).min(1, REQUIRED).max(250),
  size: z.int('must be the number of bytes').min(1, 'The file is empty').max(MAX_TAPE_BYTES, 'A file has at most 1 GB'),
  type: z.string(REQUIRED).min(1, REQUIRED).max(255),
});
const downloadInfoSchema = z.object({ key: z.string(REQUIRED).min(1, REQUIRED).max(1024) });

const signedUrlsSchema = z.object({
  directory: z.string().max(200).optional(),
  filesInfo: z
    .array(z.union([uploadInfoSchema, downloadInfoSchema]))
    .min(1, 'Give 1 to 50 files')
    .max(50, 'Give 1 to 50 files'),
});

/**
 * The permission needed to put files into a bucket. Test files are for administrators. Files of draw requests have their own
 * directory.
 */
const UPLOAD_PERMISSION: Partial<Record<Bucket, PermissionKey>> = {
  loanTapes: 'assets/write',
  publicFiles: 'entities/write',
  importerFiles: 'importer/write',
  announcements: 'announcements/write',
  bankStatements: 'payments/write',
  capitalCalls: 'contributions/write',
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
  const problem = typeProblem({ bucket, type: info.type });
  if (problem) throw new Refusal('badRequest', problem);
  if (info.size > maxBytesOf({ bucket, directory })) throw new Refusal('badRequest', tooLarge({ bucket, directory }));
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
  const file = await context.store.as(actor, async (session) => {
    const found = await readableFileOf(session, { bucket, keyOrId: key });
    await recordFileReads(session, [found.id]);
    return found;
  });
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
    summary: `Create signed URLs to upload or download files. Each is valid for 15 minutes and for one object, size and type. Types: ${UPLOAD_KINDS}. Largest file: 1 GB in loanTapes, 20 MB in importerFiles, 16 MB in bankStatements, 512 KB in publicFiles (images), 100 MB elsewhere`,
    params: z.object({ bucket: z.enum(BUCKETS) }),
    query: z.object({ operation: z.enum(['upload', 'download']).default('upload') }),
    body: signedUrlsSchema,
    response: signedSchema,
    status: 200,
    async handle({ params: { bucket }, query: { operation }, body, actor, context }) {
      if (operation === 'upload') {
        const isForDraw = bucket === DRAW_FILES.bucket && body.directory === DRAW_FILES.directory;
        const isLetter = bucket === LETTER_FILES.bucket && body.directory === LETTER_FILES.directory;
        const permission = isForDraw ? 'transactionDraw/write' : UPLOAD_PERMISSION[bucket];
        // Test files belong to no document; administrators try their own storage with them.
        const isAllowed = bucket === 'testFiles' ? actor.type === 'admin' : permission && can(actor, permission);
        // Investors and borrowers send the letter of their bank with a request for an account.
        if (!isAllowed && !(isLetter && isOutsider(actor.type))) {
          throw new Refusal('forbidden', 'You do not have enough permissions to perform this action');
        }
      }
      const answers: z.infer<typeof signedSchema> = [];
      for (const info of body.filesInfo) {
        try {
          if (operation === 'upload') {
            if (!('name' in info)) throw new Refusal('badRequest', 'Give the name, size and type of the file');
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
    summary:
      'Create and process a tape from each uploaded file. A file that was sent before answers the tape that it made. Without a running worker, tapes wait for one',
    body: tapeUploadSchema,
    response: z.object({
      uploadedCount: z.int(),
      errors: z.array(z.object({ attachment: z.string(), message: z.string() })),
      warnings: z
        .array(
          z.object({
            attachment: z.string(),
            message: z.string(),
            code: currencyQuestionSchema.shape.code.optional(),
            data: currencyQuestionSchema.shape.data.optional(),
          }),
        )
        .meta({
          description:
            'Files where the mapping fails on most of the first rows, produces implausible values, whose currency is in doubt (code and data of the question that was not asked), whose day is in the future, or whose rates are far from earlier ones; they are still processed',
        }),
      loanTapes: z.array(
        z.object({
          id: z.string(),
          workflowId: z.string(),
          existed: z.boolean().meta({
            description:
              'An earlier upload of the same file, company, cut-off date, sheet and mapping made this tape, which is being processed, waits for answers or is published. Upload the file again and send again: true for another one',
          }),
        }),
      ),
      waitsForWorker: z.boolean().meta({
        description: 'No worker is running. The tapes are stored and start when one is available',
      }),
    }),
    async handle({ body, actor, context, origin }) {
      return { body: await scheduleTapes(context, actor, [body], origin) };
    },
  }),
];

/**
 * Serves the embedded store's own addresses. The signature is the permission, so neither a sign-in nor a CSRF token is
 * required. Returns null for any other path.
 */
export async function serveSignedObject(request: Request, context: RequestContext): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith(SIGNED_PATH)) return null;
  const now = new Date();
  const grant = context.objects.verifySigned(pathname.slice(SIGNED_PATH.length), { method: request.method, now });
  if (grant.method === 'GET') return sendObject(request, context, grant);
  if (!request.body) throw new Refusal('badRequest', 'The file is empty');
  context.allowBody((grant.size ?? 0) + BEYOND_SIZE_BYTES);
  const body = Readable.fromWeb(request.body as NodeReadableStream);
  const contentType = request.headers.get('content-type') ?? undefined;
  await receiveUpload(context.store, context.objects, { grant, contentType, body, now });
  return new Response(null, { status: 200 });
}

async function sendObject(request: Request, context: RequestContext, grant: SignedGrant): Promise<Response> {
  const head = await context.objects.head(grant.key);
  if (!head) throw missingObject(grant.key);
  const headers = {
    'content-type': grant.type,
    'content-length': String(head.size),
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(grant.name ?? 'file')}`,
    'cache-control': 'private, no-store',
  };
  if (request.method === 'HEAD') return new Response(null, { headers });
  return new Response(Readable.toWeb(await context.objects.getStream(grant.key)) as ReadableStream, { headers });
}
