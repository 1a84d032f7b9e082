import { Readable } from 'node:stream';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import type { StoredFile } from '../entities/records.ts';
import { type Bucket, fileStored, registerFile, removeFile } from '../operations/files/files.ts';
import type { Store } from '../store.ts';
import { CONTENT_HEAD_BYTES, checkContent } from './content-check.ts';
import { type ObjectStore, objectKey } from './object-store.ts';

/**
 * Passes bytes on while they may be kept. After a fault it reads on to the end of the part (what follows in the form is still wanted) and
 * then throws, unless there is more than may be taken at all.
 */
async function* checked(
  data: AsyncIterable<Uint8Array>,
  file: { bucket: string; type: string; maxBytes: number },
): AsyncIterable<Uint8Array> {
  let seen = 0;
  let head: Buffer[] | null = [];
  let fault: unknown = null;
  const check = (parts: Buffer[]) => {
    head = null;
    checkContent({ ...file, head: Buffer.concat(parts).subarray(0, CONTENT_HEAD_BYTES) });
  };
  for await (const chunk of data) {
    seen += chunk.length;
    if (seen > file.maxBytes) throw new Refusal('badRequest', `A file has at most ${file.maxBytes} bytes`);
    if (fault) continue;
    try {
      if (head) {
        head.push(Buffer.from(chunk));
        if (seen >= CONTENT_HEAD_BYTES) check(head);
      }
    } catch (error) {
      fault = error;
      continue;
    }
    yield chunk;
  }
  if (fault) throw fault;
  if (head) check(head);
}

/**
 * Takes a file that comes within a form (a browser without JavaScript): streamed to the store, its content checked on the way.
 * @param file.data the part's bytes, read to their end whatever happens
 * @throws Refusal badRequest for what is not taken; nothing of it is kept
 */
export async function receiveFormFile(
  store: Store,
  objects: ObjectStore,
  actor: Actor,
  file: { bucket: Bucket; name: string; type: string; maxBytes: number; data: AsyncIterable<Uint8Array> },
): Promise<StoredFile> {
  const { bucket, name, type } = file;
  // The size is known once the last byte is there.
  const registered = await store.as(actor, (session) => registerFile(session, { bucket, name, type, size: 0 }));
  const key = registered.key;
  try {
    const content = Readable.from(checked(file.data, file), { objectMode: false });
    const stored = await objects.putStream(objectKey(bucket, key), content, { type });
    return await store.as(actor, (session) => fileStored(session, { bucket, key, ...stored }));
  } catch (error) {
    await store.as(actor, (session) => removeFile(session, { bucket, key }));
    throw error;
  }
}
