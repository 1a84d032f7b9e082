import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentityProvider, openIdentityProvider } from './identity-provider.ts';

const CLIENT_ID = 'tapeline';
const NONCE = 'the-nonce-of-this-client';
const EMAIL = 'ann@example.com';

const ours = await generateKeyPair('RS256', { extractable: true });
const theirs = await generateKeyPair('RS256');
const publicKey = { ...(await exportJWK(ours.publicKey)), kid: 'one', use: 'sig' };

let issuer = '';
const asked: string[] = [];
let padding = '';
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const body = request.url?.endsWith('/keys')
    ? { keys: [publicKey], padding }
    : {
        issuer,
        authorization_endpoint: `${issuer}/auth?tenant=1`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
});

const open = (settings = {}): IdentityProvider =>
  openIdentityProvider({ issuer, clientId: CLIENT_ID, clientSecret: null, name: 'Example', ...settings });
let provider: IdentityProvider;

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider = open();
});
afterAll(() => new Promise((closed) => server.close(closed)));

const now = () => Math.floor(Date.now() / 1000);
const claims = (more: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: CLIENT_ID,
  sub: 'person-1',
  iat: now(),
  exp: now() + 300,
  nonce: NONCE,
  email: EMAIL,
  email_verified: true,
  ...more,
});
const signed = (payload: JWTPayload, { key = ours.privateKey as Parameters<SignJWT['sign']>[0], alg = 'RS256' } = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg, kid: 'one' }).sign(key);
const verify = (idToken: string, expected = { nonce: NONCE, email: EMAIL }) =>
  provider.verifyIdToken(idToken, expected);
const flagged = (field: string, reason: string) =>
  expect.objectContaining({ code: 'unauthorized', flags: { [`externalIdentity.${field}`]: reason } });
const INVALID = flagged('idToken', 'is not a valid token of the identity provider');

test('a token of the issuer gives its verified email, whatever its case', async () => {
  const found = await verify(await signed(claims({ email: 'Ann@Example.com' })));
  expect(found.email).toBe(EMAIL);
  expect(found.tokenHash).toHaveLength(64);
  expect(found.expiresAt.getTime()).toBeGreaterThan(Date.now() + 600_000);
});

test('a token is refused for another issuer, audience or time, and without the claims it needs', async () => {
  const wrong: JWTPayload[] = [
    { iss: 'https://issuer.example' },
    { aud: 'another' },
    { exp: now() - 61 },
    { iat: now() - 661 },
    { iat: now() + 120 },
    { nbf: now() + 120 },
  ];
  for (const more of wrong)
    await expect(verify(await signed(claims(more))), JSON.stringify(more)).rejects.toEqual(INVALID);
  for (const name of ['sub', 'exp', 'iat', 'nonce', 'iss', 'aud']) {
    const { [name]: _, ...rest } = claims();
    await expect(verify(await signed(rest)), name).rejects.toEqual(INVALID);
  }
  expect(await verify(await signed(claims({ exp: now() - 55, iat: now() - 640 })))).toHaveProperty('email', EMAIL);
});

test('a token is refused that nobody signed, that someone else signed, or that uses the public key as a secret', async () => {
  const unsigned = new UnsecuredJWT(claims()).encode();
  const symmetric = await signed(claims(), {
    key: new TextEncoder().encode(JSON.stringify(publicKey)),
    alg: 'HS256',
  });
  const foreign = await signed(claims(), { key: theirs.privateKey });
  const [header, , signature] = (await signed(claims())).split('.');
  const body = Buffer.from(JSON.stringify(claims({ email: 'boss@example.com' }))).toString('base64url');
  for (const token of [unsigned, symmetric, foreign, `${header}.${body}.${signature}`, 'a.b.c', '']) {
    await expect(verify(token), token).rejects.toEqual(INVALID);
  }
});

test('a token works only for the client that requested it, and for the email that it confirms', async () => {
  const token = await signed(claims());
  await expect(verify(token, { nonce: 'of another client', email: EMAIL })).rejects.toEqual(
    flagged('idToken', 'was not requested by this client'),
  );
  await expect(verify(token, { nonce: NONCE, email: 'boss@example.com' })).rejects.toEqual(
    flagged('email', 'is not the email of the token'),
  );
  for (const more of [
    { email_verified: false },
    { email_verified: 'true' },
    { email_verified: undefined },
    { email: 7 },
  ]) {
    await expect(verify(await signed(claims(more)))).rejects.toEqual(
      flagged('email', 'is not verified by the provider'),
    );
  }
});

test('a token for several audiences must have been issued to us', async () => {
  const several = { aud: [CLIENT_ID, 'another'] };
  const refused = flagged('idToken', 'was issued to another program');
  for (const more of [several, { ...several, azp: 'another' }, { azp: 'another' }]) {
    await expect(verify(await signed(claims(more)))).rejects.toEqual(refused);
  }
  expect(await verify(await signed(claims({ ...several, azp: CLIENT_ID })))).toHaveProperty('email', EMAIL);
});

test('the configuration and the keys are fetched once for many calls', async () => {
  const fresh = open();
  asked.length = 0;
  const token = await signed(claims());
  await Promise.all([1, 2, 3].map(() => fresh.verifyIdToken(token, { nonce: NONCE })));
  expect(asked.sort()).toEqual(['/.well-known/openid-configuration', '/keys']);
});

test('answers of the issuer are bounded, and it must call itself what it is configured as', async () => {
  padding = 'x'.repeat(300_000);
  await expect(open().verifyIdToken(await signed(claims()), { nonce: NONCE })).rejects.toThrow('answers more than');
  padding = '';
  await expect(open({ issuer: `${issuer}/` }).verifyIdToken('a.b.c', { nonce: NONCE })).rejects.toThrow('calls itself');
});

test('the address that asks to sign in carries state, nonce and the hash of the code verifier', async () => {
  const redirectUri = 'http://localhost/login/external/callback';
  const url = new URL(await provider.authorizationUrl({ state: 's', nonce: 'n', codeVerifier: 'v', redirectUri }));
  expect(Object.fromEntries(url.searchParams)).toEqual({
    tenant: '1',
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    scope: 'openid email',
    state: 's',
    nonce: 'n',
    // SHA-256 of "v" in base64url.
    code_challenge: 'TJRIXgwhrmxBzh3-e2v6zupato5AokdvUCCOUm9QYIA',
    code_challenge_method: 'S256',
  });
});
