import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { StoredFile } from '../entities/records.ts';
import { fileStored, findFile } from '../operations/files/files.ts';
import { type Session, type Store, SYSTEM } from '../store.ts';
import { CONTENT_HEAD_BYTES, checkContent } from './content-check.ts';
import { type ObjectStore, objectKey, type SignedGrant } from './object-store.ts';

const tooLong = (size: number) =>
  new Refusal('badRequest', `The file must have exactly ${size} bytes, as announced`, { flags: { size: 'differs' } });

/** Passes bytes on while they are what was announced; fails the stream as soon as they are not. */
function inspect(grant: { key: string; size: number; type: string }): Transform {
  const bucket = grant.key.slice(0, grant.key.indexOf('/'));
  let seen = 0;
  let head: Buffer[] = [];
  let checked = false;
  const check = () => {
    checked = true;
    checkContent({ bucket, type: grant.type, head: Buffer.concat(head).subarray(0, CONTENT_HEAD_BYTES) });
    head = [];
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      try {
        if (seen > grant.size) throw tooLong(grant.size);
        if (!checked) {
          head.push(chunk);
          if (seen >= CONTENT_HEAD_BYTES) check();
        }
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        if (seen !== grant.size) throw tooLong(grant.size);
        if (!checked) check();
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/**
 * Takes the bytes of a signed PUT (embedded store) once: of the announced size and kind, or nothing is kept.
 * @param contentType the Content-Type header of the call
 */
export async function receiveUpload(
  store: Store,
  objects: ObjectStore,
  upload: { grant: SignedGrant; contentType: string | undefined; body: Readable; now: Date },
): Promise<StoredFile> {
  const { grant } = upload;
  if (grant.method !== 'PUT' || grant.size === null) throw new Refusal('forbidden', 'This address is not for uploads');
  if (upload.contentType !== grant.type) {
    throw new Refusal('badRequest', `Send the file as ${grant.type}`, { flags: { 'Content-Type': 'differs' } });
  }
  const checked = inspect({ key: grant.key, size: grant.size, type: grant.type });
  const slash = grant.key.indexOf('/');
  const file = { bucket: grant.key.slice(0, slash), key: grant.key.slice(slash + 1) };
  // A tape may have been made of it by now: what was stored is never replaced, and a removed file does not come back.
  const { status } = await store.as(SYSTEM, (session) => findFile(session, file));
  if (status !== 'Pending') throw new Refusal('forbidden', 'This address was used already: ask for a new one');
  upload.body.on('error', (error) => checked.destroy(error));
  const stored = await objects.putStream(grant.key, upload.body.pipe(checked), { type: grant.type });
  return store.as(SYSTEM, (session) => fileStored(session, { ...file, ...stored }), { now: upload.now });
}

/**
 * Makes sure that a registered file is there and is what it was announced as; S3 takes uploads without us, so this is
 * where they are looked at. Quick for a file that was checked before.
 * @throws Refusal badRequest where nothing was uploaded, or something else
 */
export async function confirmUpload(session: Session, objects: ObjectStore, file: StoredFile): Promise<StoredFile> {
  if (file.status === 'Active') return file;
  const key = objectKey(file.bucket, file.key);
  const head = await objects.head(key);
  if (!head)
    throw new Refusal('badRequest', `${file.name} was not uploaded`, { flags: { attachments: 'was not uploaded' } });
  if (head.size !== file.size) throw tooLong(file.size);
  const hash = createHash('sha256');
  const first: Buffer[] = [];
  let size = 0;
  for await (const chunk of (await objects.getStream(key)) as AsyncIterable<Buffer>) {
    if (size < CONTENT_HEAD_BYTES) first.push(chunk);
    size += chunk.length;
    hash.update(chunk);
  }
  checkContent({ bucket: file.bucket, type: file.type, head: Buffer.concat(first).subarray(0, CONTENT_HEAD_BYTES) });
  return fileStored(session, { bucket: file.bucket, key: file.key, size, checksum: hash.digest('hex') });
}
