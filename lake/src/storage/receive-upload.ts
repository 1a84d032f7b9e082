import { createHash, randomBytes } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import type { StoredFile } from '@tapeline/db/entities/records.ts';
import { fileStored, findFile, lockFile } from '@tapeline/db/operations/files/files.ts';
import { type Session, type Store, SYSTEM } from '@tapeline/db/store.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Bucket } from '@tapeline/domain/files/buckets.ts';
import { CONTENT_HEAD_BYTES, checkContent } from './content-check.ts';
import { type ObjectStore, objectKey, type SignedGrant, uploadKeyOf } from './object-store.ts';

const tooLong = (size: number) =>
  new Refusal('badRequest', `The file must have exactly ${size} bytes, as declared`, { flags: { size: 'differs' } });

/** Passes bytes on while they match the declaration; fails the stream as soon as they do not. */
function inspect(grant: { key: string; size: number; type: string }): Transform {
  const slash = grant.key.indexOf('/');
  const [bucket, key] = [grant.key.slice(0, slash) as Bucket, grant.key.slice(slash + 1)];
  let seen = 0;
  let head: Buffer[] = [];
  let checked = false;
  const check = () => {
    checked = true;
    checkContent({ bucket, key, type: grant.type, head: Buffer.concat(head).subarray(0, CONTENT_HEAD_BYTES) });
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
 * Stores the bytes of a signed PUT (embedded store) once. They must have the declared size and type, otherwise nothing
 * is kept.
 * @param contentType the Content-Type header of the request
 */
export async function receiveUpload(
  store: Store,
  objects: ObjectStore,
  upload: { grant: SignedGrant; contentType: string | undefined; body: Readable; now: Date },
): Promise<StoredFile> {
  const { grant } = upload;
  if (grant.method !== 'PUT' || grant.size === null) throw new Refusal('forbidden', 'This URL is not for uploads');
  if (upload.contentType !== grant.type) {
    throw new Refusal('badRequest', `Send the file as ${grant.type}`, { flags: { 'Content-Type': 'differs' } });
  }
  const checked = inspect({ key: grant.key, size: grant.size, type: grant.type });
  const slash = grant.key.indexOf('/');
  const file = { bucket: grant.key.slice(0, slash), key: grant.key.slice(slash + 1) };
  // Checked before the bytes are received, and again afterwards.
  const { status } = await store.as(SYSTEM, (session) => findFile(session, file));
  if (status !== 'Pending') throw usedAlready();
  upload.body.on('error', (error) => checked.destroy(error));
  // Each request writes to its own key: of several at once, one becomes the file.
  const arrived = `${uploadKeyOf(grant.key)}.${randomBytes(6).toString('hex')}`;
  const stored = await objects.putStream(arrived, upload.body.pipe(checked), { type: grant.type });
  try {
    return await store.as(
      SYSTEM,
      async (session) => {
        const pending = await lockFile(session, file);
        // A tape may have been created from it by now: a stored file is never replaced.
        if (pending.status !== 'Pending') throw usedAlready();
        await objects.move(arrived, grant.key);
        return fileStored(session, { ...file, ...stored });
      },
      { now: upload.now },
    );
  } catch (error) {
    await objects.delete(arrived);
    throw error;
  }
}

const usedAlready = () => new Refusal('forbidden', 'This URL has already been used. Request a new one');

/**
 * Makes sure that a registered file exists and is what it was declared as. With S3, uploads go straight to the storage,
 * to separate keys. Here they are checked and moved to the file's own key, which no signed address can reach. Fast for
 * a file that was checked before.
 * @throws Refusal badRequest if nothing or something else was uploaded
 */
export async function confirmUpload(session: Session, objects: ObjectStore, file: StoredFile): Promise<StoredFile> {
  if (file.status === 'Active') return file;
  const { bucket, key: name } = file;
  const locked = await lockFile(session, { bucket, key: name });
  if (locked.status === 'Active') return locked;
  const key = objectKey(bucket, name);
  const arrived = await objects.head(uploadKeyOf(key));
  if (arrived && arrived.size !== file.size) throw tooLong(file.size);
  if (arrived) await objects.move(uploadKeyOf(key), key);
  const head = await objects.head(key);
  if (!head)
    throw new Refusal('badRequest', `${file.name} was not uploaded`, { flags: { attachments: 'was not uploaded' } });
  try {
    return await fileStored(session, { bucket, key: name, ...(await inspectStored(objects, key, file)) });
  } catch (error) {
    // A rejected file is not kept; the address may be used again.
    if (isRefusal(error)) await objects.delete(key);
    throw error;
  }
}

/** Reads the object to its end. @throws Refusal badRequest if it is not what the file was declared as */
async function inspectStored(objects: ObjectStore, key: string, file: StoredFile) {
  const hash = createHash('sha256');
  const first: Buffer[] = [];
  let size = 0;
  for await (const chunk of (await objects.getStream(key)) as AsyncIterable<Buffer>) {
    if (size < CONTENT_HEAD_BYTES) first.push(chunk);
    size += chunk.length;
    hash.update(chunk);
  }
  if (size !== file.size) throw tooLong(file.size);
  checkContent({
    bucket: file.bucket as Bucket,
    key: file.key,
    type: file.type,
    head: Buffer.concat(first).subarray(0, CONTENT_HEAD_BYTES),
  });
  return { size, checksum: hash.digest('hex') };
}
