import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** 256 random bits as text for a cookie or a header. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The stored hash of a long random token. One round is enough, since the token cannot be guessed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The successor of a token: the same for every caller with the token; not derivable from the database. */
export const successorOf = (token: string, salt: string): string =>
  createHash('sha256').update(`${salt}.${token}`).digest('base64url');

/** The token of a link that is not stored: only the program, which has the secret, can make it. */
export const linkToken = (appSecret: string, purpose: string): string =>
  createHmac('sha256', appSecret).update(purpose).digest('base64url');

export const newSalt = (): string => randomBytes(16).toString('hex');

/** Digits; every code is equally likely. */
export const newCode = (digits: number): string =>
  Array.from({ length: digits }, () => String(randomInt(0, 10))).join('');

/**
 * The stored hash of a code. A code alone has few values and could be found by brute force; the key is the client's
 * token, which only the client has.
 */
export const hashCode = (clientToken: string, code: string): string =>
  createHmac('sha256', clientToken).update(code).digest('hex');

/** Compares in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
