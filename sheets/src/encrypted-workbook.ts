import { createDecipheriv, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ByteSource } from './byte-source.ts';
import { CompoundFile } from './compound-file.ts';
import { refuseDamaged, refuseSheet } from './limits.ts';
import { Markup, MarkupReader } from './markup.ts';
import { SheetError } from './sheet-error.ts';

/** The password that Excel uses if a workbook is only protected against changes, and that it tries itself. */
const DEFAULT_PASSWORD = 'VelvetSweatshop';
const SEGMENT_BYTES = 4096;
/** Excel uses 100,000 rounds; each costs a hash. */
const MAX_ROUNDS = 1_000_000;
const ROUNDS_AT_ONCE = 5_000;
const MAX_INFO_BYTES = 64 << 10;
const HASHES = new Set(['SHA1', 'SHA256', 'SHA384', 'SHA512']);

const BLOCK_KEYS = {
  input: Buffer.from('fea7d2763b4b9e79', 'hex'),
  value: Buffer.from('d7aa0f6d3061344e', 'hex'),
  key: Buffer.from('146e0be7abacd0d6', 'hex'),
};

type DecryptSegment = (segment: number, bytes: Buffer) => Buffer;

/**
 * Opens the workbook in an OLE2 container as if it were not encrypted, if it has Excel's default password. Bytes are
 * decrypted on demand.
 * @throws SheetError for a legacy .xls, and for a workbook with another password
 */
export async function openEncrypted(file: ByteSource): Promise<ByteSource> {
  const compound = await openCompound(file);
  if (!compound?.has('EncryptionInfo') || !compound.has('EncryptedPackage')) {
    throw refuseSheet(
      'This is a legacy Excel file (.xls) or an encrypted workbook. Open it in Excel, save it as .xlsx without a password and open that file.',
    );
  }
  const info = compound.stream('EncryptionInfo');
  if (info.size < 8 || info.size > MAX_INFO_BYTES) {
    throw refuseDamaged('it does not say how it is encrypted');
  }
  const bytes = await info.read(0, info.size);
  const [major, minor] = [bytes.readUInt16LE(0), bytes.readUInt16LE(2)];
  const decrypt =
    major === 4 && minor === 4
      ? await agileDecryption(bytes.subarray(8))
      : minor === 2
        ? await standardDecryption(bytes)
        : undefined;
  if (decrypt === undefined) {
    throw refuseSheet(
      'The workbook is protected by a password. Open it in Excel, remove the password (File, Info, Protect Workbook), save it and open it again.',
    );
  }
  const encrypted = compound.stream('EncryptedPackage');
  const start = await encrypted.read(0, 8);
  const size = start.length === 8 ? Number(start.readBigUInt64LE()) : Number.NaN;
  if (!(size <= encrypted.size - 8)) {
    throw refuseDamaged('its encrypted part is cut short');
  }
  return {
    size,
    async read(position, length) {
      const end = Math.min(size, position + length);
      if (end <= position) {
        return Buffer.alloc(0);
      }
      const first = Math.floor(position / SEGMENT_BYTES);
      const from = first * SEGMENT_BYTES;
      const padded = Math.ceil(end / SEGMENT_BYTES) * SEGMENT_BYTES;
      const packed = await encrypted.read(8 + from, padded - from);
      const pieces: Buffer[] = [];
      for (let at = 0; at < packed.length; at += SEGMENT_BYTES) {
        // a cipher works on whole blocks
        const segment = packed.subarray(at, at + SEGMENT_BYTES);
        pieces.push(decrypt(first + at / SEGMENT_BYTES, segment.subarray(0, segment.length & ~15)));
      }
      return Buffer.concat(pieces).subarray(position - from, end - from);
    },
    close: () => file.close(),
  };
}

/** @returns undefined for a container that contradicts itself */
async function openCompound(file: ByteSource): Promise<CompoundFile | undefined> {
  try {
    return await CompoundFile.open(file);
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    return undefined;
  }
}

function decipher(mode: 'cbc' | 'ecb', key: Buffer, iv: Buffer | null, bytes: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-${mode}`, key, iv).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

const hashOf = (algorithm: string, ...pieces: Buffer[]): Buffer => hash(algorithm, Buffer.concat(pieces), 'buffer');

const littleEndian = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** The hash of the password, hashed repeatedly so that guessing is slow. */
async function spunHash(algorithm: string, salt: Buffer, rounds: number): Promise<Buffer> {
  let spun = hashOf(algorithm, salt, Buffer.from(DEFAULT_PASSWORD, 'utf16le'));
  for (let round = 0; round < rounds; round += 1) {
    spun = hashOf(algorithm, littleEndian(round), spun);
    if (round % ROUNDS_AT_ONCE === 0) {
      await setImmediate();
    }
  }
  return spun;
}

/** Bytes cut or padded to a length. */
const fitted = (bytes: Buffer, length: number, filling: number): Buffer =>
  bytes.length >= length
    ? bytes.subarray(0, length)
    : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, filling)]);

interface AgileKey {
  readonly hash: string;
  readonly keyBytes: number;
  readonly blockBytes: number;
  readonly salt: Buffer;
  readonly attribute: (name: string) => string;
}

/** Encryption of Excel 2010 and later. @returns undefined if the password is another one */
async function agileDecryption(xml: Buffer): Promise<DecryptSegment | undefined> {
  let data: AgileKey | undefined;
  let password: AgileKey | undefined;
  const markup = new MarkupReader().over(xml, xml.length);
  for (let at = markup.read(0); at !== -1; at = markup.read(at)) {
    if (markup.kind === Markup.close || markup.kind > Markup.empty) {
      continue;
    }
    if (markup.is('keyData')) {
      data = readKey(markup);
    } else if (markup.is('encryptedKey')) {
      password = readKey(markup);
    }
  }
  if (data === undefined || password === undefined) {
    return undefined;
  }
  const { attribute, salt, keyBytes, blockBytes } = password;
  const rounds = Number(attribute('spinCount'));
  if (!(rounds >= 0 && rounds <= MAX_ROUNDS)) {
    throw refuseDamaged('it does not say how it is encrypted');
  }
  const spun = await spunHash(password.hash, salt, rounds);
  const iv = fitted(salt, blockBytes, 0x36);
  const open = (name: string, blockKey: Buffer): Buffer => {
    const bytes = Buffer.from(attribute(name), 'base64');
    if (bytes.length === 0 || bytes.length % 16 !== 0) {
      throw refuseDamaged('it does not say how it is encrypted');
    }
    return decipher('cbc', fitted(hashOf(password.hash, spun, blockKey), keyBytes, 0x36), iv, bytes);
  };
  const expected = hashOf(password.hash, fitted(open('encryptedVerifierHashInput', BLOCK_KEYS.input), salt.length, 0));
  if (!open('encryptedVerifierHashValue', BLOCK_KEYS.value).subarray(0, expected.length).equals(expected)) {
    return undefined;
  }
  const key = fitted(open('encryptedKeyValue', BLOCK_KEYS.key), keyBytes, 0);
  const { hash: algorithm, salt: dataSalt, blockBytes: dataBlockBytes } = data;
  return (segment, bytes) =>
    decipher('cbc', key, fitted(hashOf(algorithm, dataSalt, littleEndian(segment)), dataBlockBytes, 0x36), bytes);
}

function readKey(markup: MarkupReader): AgileKey | undefined {
  const values = new Map(
    [
      'hashAlgorithm',
      'cipherAlgorithm',
      'cipherChaining',
      'keyBits',
      'blockSize',
      'saltValue',
      'spinCount',
      'encryptedVerifierHashInput',
      'encryptedVerifierHashValue',
      'encryptedKeyValue',
    ].map((name) => [name, markup.attribute(name) ?? '']),
  );
  const attribute = (name: string): string => values.get(name) ?? '';
  const algorithm = attribute('hashAlgorithm').replace('-', '').toUpperCase();
  const [keyBits, blockBytes] = [Number(attribute('keyBits')), Number(attribute('blockSize'))];
  const isKnown =
    HASHES.has(algorithm) &&
    attribute('cipherAlgorithm') === 'AES' &&
    attribute('cipherChaining') === 'ChainingModeCBC' &&
    [128, 192, 256].includes(keyBits) &&
    blockBytes === 16;
  return isKnown
    ? {
        hash: algorithm,
        keyBytes: keyBits / 8,
        blockBytes,
        salt: Buffer.from(attribute('saltValue'), 'base64'),
        attribute,
      }
    : undefined;
}

const STANDARD_ROUNDS = 50_000;
const AES_128 = 0x660e;
const AES_256 = 0x6610;

/** Encryption of Excel 2007. @returns undefined if the password is another one, or the cipher is not AES */
async function standardDecryption(info: Buffer): Promise<DecryptSegment | undefined> {
  const headerBytes = info.readUInt32LE(8);
  const verifier = 12 + headerBytes;
  if (headerBytes < 32 || verifier + 72 > info.length) {
    throw refuseDamaged('it does not say how it is encrypted');
  }
  const algorithm = info.readUInt32LE(20);
  const keyBits = info.readUInt32LE(28);
  if (algorithm < AES_128 || algorithm > AES_256 || ![128, 192, 256].includes(keyBits)) {
    return undefined;
  }
  const salt = info.subarray(verifier + 4, verifier + 20);
  const spun = hashOf('SHA1', await spunHash('SHA1', salt, STANDARD_ROUNDS), littleEndian(0));
  const derive = (filling: number): Buffer => {
    const pad = Buffer.alloc(64, filling);
    for (const [at, byte] of spun.entries()) {
      pad[at]! ^= byte;
    }
    return hashOf('SHA1', pad);
  };
  const key = Buffer.concat([derive(0x36), derive(0x5c)]).subarray(0, keyBits / 8);
  const input = decipher('ecb', key, null, info.subarray(verifier + 20, verifier + 36));
  const expected = hashOf('SHA1', input);
  const value = decipher('ecb', key, null, info.subarray(verifier + 40, verifier + 72));
  return value.subarray(0, expected.length).equals(expected)
    ? (_, bytes) => decipher('ecb', key, null, bytes)
    : undefined;
}
