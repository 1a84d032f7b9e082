import { jwtVerify, SignJWT } from 'jose';

export const ACCESS_TOKEN_LIFETIME_SECONDS = 600;

export interface AccessClaims {
  readonly userId: string;
  /** The sign-in it belongs to; the token must not outlive it. */
  readonly familyId: string;
}

const ISSUER = 'tapeline';
const ALGORITHM = 'HS256';
const keyOf = (secret: string) => new TextEncoder().encode(`access-token/${secret}`);

/** A JWT of ten minutes, for the `Authorization: Bearer` header and for the screens' own cookie. */
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

/** Whom the token was issued to; null where it is not ours, was altered or is past its time. */
export async function readAccessToken(secret: string, token: string, now: Date): Promise<AccessClaims | null> {
  try {
    const { payload } = await jwtVerify(token, keyOf(secret), {
      issuer: ISSUER,
      algorithms: [ALGORITHM],
      currentDate: now,
    });
    return payload.sub && typeof payload.fam === 'string' ? { userId: payload.sub, familyId: payload.fam } : null;
  } catch {
    return null;
  }
}
