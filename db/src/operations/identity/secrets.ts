import { createHash, randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';

/** 256 random bits as text for a cookie or a header. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of a long random token: one round is enough, since it cannot be guessed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The token that follows another: the same for every caller who holds it, and for nobody who reads the database. */
export const successorOf = (token: string, salt: string): string =>
  createHash('sha256').update(`${salt}.${token}`).digest('base64url');

export const newSalt = (): string => randomBytes(16).toString('hex');

/** Six digits, each code as likely as any other. */
export const newCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0');

// A code has only a million values, so its hash must be slow to try.
const SCRYPT = { N: 2 ** 13, r: 8, p: 1 };

const derive = (code: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(code, salt, 32, SCRYPT, (error, key) => (error ? reject(error) : resolve(key)));
  });

export async function hashCode(code: string): Promise<string> {
  const salt = newSalt();
  return `${salt}.${(await derive(code, salt)).toString('hex')}`;
}

/** Whether the code is the one behind the hash; takes the same time either way. */
export async function codeMatches(code: string, hash: string): Promise<boolean> {
  const [salt = '', key = ''] = hash.split('.');
  const expected = Buffer.from(key, 'hex');
  const actual = await derive(code, salt);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
