import { Readable } from 'node:stream';
import type { StoredFile } from '@tapeline/db/entities/records.ts';
import { fileStored, registerFile, removeFile } from '@tapeline/db/operations/files/files.ts';
import type { Store } from '@tapeline/db/store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type Bucket, maxBytesOf, tooLarge } from '@tapeline/domain/files/buckets.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { CONTENT_HEAD_BYTES, checkContent } from './content-check.ts';
import { type ObjectStore, objectKey } from './object-store.ts';

/**
 * Passes bytes on while they are valid. After an error it reads to the end of the part and then throws: the rest of the
 * form is still needed. The limit of the whole form ends it earlier.
 */
async function* checked(
  data: AsyncIterable<Uint8Array>,
  file: { bucket: Bucket; directory?: string; key: string; type: string },
): AsyncIterable<Uint8Array> {
  const maxBytes = maxBytesOf(file);
  let seen = 0;
  let head: Buffer[] | null = [];
  let failure: unknown = null;
  const check = (parts: Buffer[]) => {
    head = null;
    checkContent({ ...file, head: Buffer.concat(parts).subarray(0, CONTENT_HEAD_BYTES) });
  };
  for await (const chunk of data) {
    seen += chunk.length;
    if (failure) continue;
    try {
      if (seen > maxBytes) throw new Refusal('badRequest', tooLarge(file));
      if (head) {
        head.push(Buffer.from(chunk));
        if (seen >= CONTENT_HEAD_BYTES) check(head);
      }
    } catch (error) {
      failure = error;
      continue;
    }
    yield chunk;
  }
  if (failure) throw failure;
  if (head) check(head);
}

/**
 * Receives a file within a form (a browser without JavaScript): streams it to the store and checks its content on the
 * way.
 * @param file.data the part's bytes, always read to their end
 * @throws Refusal badRequest for a file that is not accepted; nothing of it is kept
 */
export async function receiveFormFile(
  store: Store,
  objects: ObjectStore,
  actor: Actor,
  file: {
    bucket: Bucket;
    directory?: string;
    name: string;
    type: string;
    data: AsyncIterable<Uint8Array>;
  },
): Promise<StoredFile> {
  const { bucket, directory = null, name, type } = file;
  // The size is known after the last byte.
  const registered = await store.as(actor, (session) =>
    registerFile(session, { bucket, directory, name, type, size: 0 }),
  );
  const key = registered.key;
  try {
    const content = Readable.from(checked(file.data, { ...file, key }), { objectMode: false });
    const stored = await objects.putStream(objectKey(bucket, key), content, { type });
    return await store.as(actor, (session) => fileStored(session, { bucket, key, ...stored }));
  } catch (error) {
    await store.as(actor, (session) => removeFile(session, { bucket, key }));
    throw error;
  }
}
