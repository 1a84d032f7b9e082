import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';

/**
 * A sealed file is a header and chunks. Each chunk is encrypted with AES-256-GCM, by a key that is made of the operator's
 * key, a random salt and the name of the file. The nonce of a chunk is its number and whether it is the last one (the
 * STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár): a chunk that is changed, missing, repeated or moved, also
 * into another file, cannot be opened. At most two chunks are in memory.
 */
const MAGIC = Buffer.from('tapeline-sealed-1\n');
const SALT_BYTES = 32;
const CHECK_BYTES = 16;
const TAG_BYTES = 16;
const HEADER_BYTES = MAGIC.length + SALT_BYTES + CHECK_BYTES;
const CHUNK_BYTES = 64 * 1024;
const ALGORITHM = 'aes-256-gcm';

const fileKey = (key: Buffer, salt: Buffer, name: string) =>
  Buffer.from(hkdfSync('sha256', key, salt, `tapeline backup: ${name}`, 32));

/** Tells a wrong key from a damaged file. */
const keyCheck = (key: Buffer, salt: Buffer) =>
  createHmac('sha256', key).update('tapeline backup key').update(salt).digest().subarray(0, CHECK_BYTES);

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Collects what it is written, and passes on chunks of `size` bytes; the last one when it ends. */
abstract class Chunks extends Transform {
  readonly #size: number;
  #waiting: Buffer[] = [];
  #length = 0;
  #number = 0;

  constructor(size: number) {
    super();
    this.#size = size;
  }

  protected abstract convert(chunk: Buffer, number: number, isLast: boolean): Buffer;

  /** How many bytes come before the chunks. */
  protected readHeader(bytes: Buffer): Buffer {
    return bytes;
  }

  override _transform(bytes: Buffer, _: BufferEncoding, done: TransformCallback): void {
    try {
      const rest = this.readHeader(bytes);
      this.#waiting.push(rest);
      this.#length += rest.length;
      // A chunk that may be the last one waits.
      if (this.#length > this.#size) {
        let all = Buffer.concat(this.#waiting);
        while (all.length > this.#size) {
          this.push(this.convert(all.subarray(0, this.#size), this.#number, false));
          this.#number += 1;
          all = all.subarray(this.#size);
        }
        this.#waiting = [all];
        this.#length = all.length;
      }
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      this.push(this.convert(Buffer.concat(this.#waiting), this.#number, true));
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}

class Sealing extends Chunks {
  readonly #key: Buffer;

  constructor(key: Buffer, name: string) {
    super(CHUNK_BYTES);
    const salt = randomBytes(SALT_BYTES);
    this.#key = fileKey(key, salt, name);
    this.push(Buffer.concat([MAGIC, salt, keyCheck(key, salt)]));
  }

  protected override convert(chunk: Buffer, number: number, isLast: boolean): Buffer {
    const cipher = createCipheriv(ALGORITHM, this.#key, nonceOf(number, isLast));
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  }
}

class Opening extends Chunks {
  readonly #operatorKey: Buffer;
  readonly #name: string;
  #header = Buffer.alloc(0);
  #key: Buffer | null = null;

  constructor(key: Buffer, name: string) {
    super(CHUNK_BYTES + TAG_BYTES);
    this.#operatorKey = key;
    this.#name = name;
  }

  protected override readHeader(bytes: Buffer): Buffer {
    if (this.#key) return bytes;
    this.#header = Buffer.concat([this.#header, bytes]);
    if (this.#header.length < HEADER_BYTES) return Buffer.alloc(0);
    const salt = this.#header.subarray(MAGIC.length, MAGIC.length + SALT_BYTES);
    if (!this.#header.subarray(0, MAGIC.length).equals(MAGIC)) throw this.#damaged();
    const check = this.#header.subarray(MAGIC.length + SALT_BYTES, HEADER_BYTES);
    if (!timingSafeEqual(check, keyCheck(this.#operatorKey, salt))) {
      throw new Refusal('badRequest', 'BACKUP_KEY is not the key that this backup was made with');
    }
    this.#key = fileKey(this.#operatorKey, salt, this.#name);
    return this.#header.subarray(HEADER_BYTES);
  }

  protected override convert(chunk: Buffer, number: number, isLast: boolean): Buffer {
    if (!this.#key || chunk.length < TAG_BYTES) throw this.#damaged();
    const decipher = createDecipheriv(ALGORITHM, this.#key, nonceOf(number, isLast));
    decipher.setAuthTag(chunk.subarray(chunk.length - TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(chunk.subarray(0, chunk.length - TAG_BYTES)), decipher.final()]);
    } catch {
      throw this.#damaged();
    }
  }

  #damaged() {
    return new Refusal('badRequest', `The backup is damaged: ${this.#name} was changed or cut`);
  }
}

/**
 * Encrypts a file of a backup.
 * @param key 32 bytes
 * @param name of the file in the backup; it opens under this name only
 */
export const seal = (key: Buffer, name: string): Transform => new Sealing(key, name);

/**
 * Opens what `seal` has encrypted. Bytes that it passes on are authentic; whether all have come is known at the end.
 * The stream fails with a Refusal badRequest for another key, and for a file that was changed or cut.
 */
export const open = (key: Buffer, name: string): Transform => new Opening(key, name);
