import { createHash } from 'node:crypto';
import type { OidcSettings } from '@tapeline/db/environment.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';

/** Asymmetric algorithms only: with `none` or HS256, anyone could sign, or sign with the public key. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const FETCH_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 256 * 1024;
const CONFIGURATION_LIFETIME_MS = 3_600_000;
/** An issuer that does not answer is asked again after this time. */
const FAILURE_LIFETIME_MS = 10_000;
const TOKEN_AGE_SECONDS = 600;
const CLOCK_SKEW_SECONDS = 60;

const configurationSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});
type Configuration = z.infer<typeof configurationSchema>;

/** Who the identity provider says someone is. */
export interface ExternalIdentity {
  /** Verified by the provider, in lower case. */
  readonly email: string;
  /** Identifies the token, so that it is used only once. */
  readonly tokenHash: string;
  readonly expiresAt: Date;
}

/** What a browser keeps between the redirect to the provider and its return. */
export interface AuthorizationRequest {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** The OpenID Connect provider that people can sign in with. */
export interface IdentityProvider {
  /** For "Continue with ...". */
  readonly name: string;
  readonly issuer: string;
  /** The address that asks the person to sign in. */
  authorizationUrl(request: AuthorizationRequest): Promise<string>;
  /**
   * Exchanges the code of a returning browser for an id token.
   * @throws Refusal unauthorized if the provider refuses the code
   */
  exchangeCode(code: string, request: AuthorizationRequest): Promise<string>;
  /**
   * Verifies an id token against the issuer's keys: signature, issuer, audience, times, nonce and verified email.
   * @param expected the nonce that the token must have, and the email if the caller specifies one
   * @throws Refusal unauthorized if the token is not valid
   */
  verifyIdToken(idToken: string, expected: { nonce: string; email?: string }): Promise<ExternalIdentity>;
}

const refuse = (field: 'idToken' | 'email', reason: string): Refusal =>
  new Refusal('unauthorized', 'The identity provider did not confirm who you are', {
    flags: { [`externalIdentity.${field}`]: reason },
  });

/** Fetches from the provider, with limits on time and size, and without following redirects. */
async function fetchBounded(url: string | URL, options: RequestInit = {}): Promise<Response> {
  const answer = await fetch(url, { ...options, redirect: 'error', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`${url} answers more than ${MAX_ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status: answer.status, headers: { 'content-type': 'application/json' } });
}

/** Keeps the latest result for a while. Calls that come at the same time share one request. */
function cached<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let held: { value: Promise<Value>; until: number } | null = null;
  return () => {
    if (held && Date.now() < held.until) return held.value;
    const entry = { value: load(), until: Date.now() + CONFIGURATION_LIFETIME_MS };
    held = entry;
    entry.value.catch(() => {
      entry.until = Date.now() + FAILURE_LIFETIME_MS;
    });
    return entry.value;
  };
}

async function discover(issuer: string): Promise<Configuration> {
  const answer = await fetchBounded(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (answer.status !== 200) throw new Error(`${issuer} answers its configuration with ${answer.status}`);
  const found = configurationSchema.parse(await answer.json());
  if (found.issuer !== issuer) throw new Error(`OIDC_ISSUER is ${issuer}, but it calls itself ${found.issuer}`);
  const addresses = [found.authorization_endpoint, found.token_endpoint, found.jwks_uri];
  if (issuer.startsWith('https:') && !addresses.every((address) => address.startsWith('https:'))) {
    throw new Error(`${issuer} has endpoints without https`);
  }
  return found;
}

/** RFC 6749: id and secret are form-encoded before they are joined. */
const basicCredentials = (clientId: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64')}`;

/** Opens the provider. Nothing is fetched before someone signs in with it. */
export function openIdentityProvider({ issuer, clientId, clientSecret, name }: OidcSettings): IdentityProvider {
  const configuration = cached(() => discover(issuer));
  const keys = cached(async () =>
    createRemoteJWKSet(new URL((await configuration()).jwks_uri), {
      timeoutDuration: FETCH_TIMEOUT_MS,
      [customFetch]: (url, options) => fetchBounded(url, options),
    }),
  );

  async function verifiedPayload(idToken: string): Promise<JWTPayload> {
    const keySet = await keys();
    try {
      const { payload } = await jwtVerify(idToken, keySet, {
        issuer,
        audience: clientId,
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
        maxTokenAge: TOKEN_AGE_SECONDS,
        clockTolerance: CLOCK_SKEW_SECONDS,
      });
      return payload;
    } catch (error) {
      // Anything else is the provider's failure, such as keys that cannot be fetched.
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) {
        throw refuse('idToken', 'is not a valid token of the identity provider');
      }
      throw error;
    }
  }

  return {
    name,
    issuer,
    async authorizationUrl({ state, nonce, codeVerifier, redirectUri }) {
      const url = new URL((await configuration()).authorization_endpoint);
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
        code_challenge_method: 'S256',
      };
      for (const [parameter, value] of Object.entries(parameters)) url.searchParams.set(parameter, value);
      return url.href;
    },
    async exchangeCode(code, { codeVerifier, redirectUri }) {
      const { token_endpoint } = await configuration();
      const answer = await fetchBounded(token_endpoint, {
        method: 'POST',
        headers: clientSecret === null ? {} : { authorization: basicCredentials(clientId, clientSecret) },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: codeVerifier,
          ...(clientSecret === null ? { client_id: clientId } : {}),
        }),
      });
      if (answer.status !== 200) throw refuse('idToken', 'could not be had for this code');
      return z.object({ id_token: z.string() }).parse(await answer.json()).id_token;
    },
    async verifyIdToken(idToken, expected) {
      const { nonce, aud, azp, email, email_verified, iat = 0 } = await verifiedPayload(idToken);
      // A token for several audiences must have been issued to us.
      if ((Array.isArray(aud) && aud.length > 1 && azp !== clientId) || (azp !== undefined && azp !== clientId)) {
        throw refuse('idToken', 'was issued to another program');
      }
      if (nonce !== expected.nonce) throw refuse('idToken', 'was not requested by this client');
      if (typeof email !== 'string' || email_verified !== true)
        throw refuse('email', 'is not verified by the provider');
      const verified = email.trim().toLowerCase();
      if (expected.email !== undefined && expected.email !== verified) {
        throw refuse('email', 'is not the email of the token');
      }
      return {
        email: verified,
        tokenHash: createHash('sha256').update(idToken).digest('hex'),
        // No token is accepted that is older.
        expiresAt: new Date((iat + TOKEN_AGE_SECONDS + 2 * CLOCK_SKEW_SECONDS) * 1000),
      };
    },
  };
}
