import { jwtVerify, SignJWT } from 'jose';

export const ACCESS_TOKEN_LIFETIME_SECONDS = 600;

export interface AccessClaims {
  readonly userId: string;
  /** The sign-in that the token belongs to. The token must not outlive it. */
  readonly familyId: string;
}

const ISSUER = 'tapeline';
const ALGORITHM = 'HS256';
const keyOf = (secret: string) => new TextEncoder().encode(`access-token/${secret}`);

/** Issues a JWT that is valid for ten minutes, for the `Authorization: Bearer` header and the screens' own cookie. */
export function issueAccessToken(secret: string, claims: AccessClaims, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ fam: claims.familyId })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuer(ISSUER)
    .setSubject(claims.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_LIFETIME_SECONDS)
    .sign(keyOf(secret));
}

interface Verified {
  readonly secret: string;
  readonly claims: AccessClaims;
  /** Unix time in seconds. */
  readonly expiresAt: number;
}

/**
 * Tokens whose signature has been verified. The result depends only on the token and the secret, and a client sends the
 * same token with every call for ten minutes. The oldest entry is evicted first. Whether the sign-in has ended is not
 * cached.
 */
const verified = new Map<string, Verified>();
const MAX_VERIFIED = 5_000;

/** Returns the claims of a token. Null if the token is not ours, was altered or has expired. */
export async function readAccessToken(secret: string, token: string, now: Date): Promise<AccessClaims | null> {
  const known = verified.get(token);
  if (known?.secret === secret) return Math.floor(now.getTime() / 1000) < known.expiresAt ? known.claims : null;
  try {
    const { payload } = await jwtVerify(token, keyOf(secret), {
      issuer: ISSUER,
      algorithms: [ALGORITHM],
      currentDate: now,
    });
    const { sub, fam, exp } = payload;
    if (!sub || typeof fam !== 'string') return null;
    const claims = { userId: sub, familyId: fam };
    if (exp !== undefined) keepVerified(token, { secret, claims, expiresAt: exp });
    return claims;
  } catch {
    return null;
  }
}

function keepVerified(token: string, found: Verified): void {
  if (verified.size >= MAX_VERIFIED) verified.delete(verified.keys().next().value as string);
  verified.set(token, found);
}
