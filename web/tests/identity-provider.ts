import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, inject } from 'vitest';
import { paths } from '../app/routes/paths.ts';

/** Where a client of the REST API, such as a mobile app, gets its code. */
const APP_ADDRESS = 'https://app.example/callback';

/** A real OpenID Connect provider. It lets everyone in as the person that the test chooses. */
export interface TestIdentityProvider {
  /** Who signs in next. */
  person: { email: string; isVerified: boolean };
  /** An id token for the product's client, as a program gets one that has asked with this nonce. */
  idTokenFor(nonce: string): Promise<string>;
}

/** Starts the provider that the product is configured with, for all tests of the calling file. */
export function startIdentityProvider(): TestIdentityProvider {
  const identity: TestIdentityProvider = { person: { email: '', isVerified: true }, idTokenFor };
  let server: Server;
  beforeAll(async () => {
    const { issuer, id, secret } = inject('oidcClient');
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: id,
          client_secret: secret,
          redirect_uris: [inject('productUrl') + paths.externalCallback(), APP_ADDRESS],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      // The email is in the id token itself.
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => {
          const [email, verified] = JSON.parse(sub) as [string, boolean];
          return { sub, email, email_verified: verified };
        },
      }),
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      async loadExistingGrant(context) {
        const { client, session } = context.oidc;
        const grant = new context.oidc.provider.Grant({
          clientId: client?.clientId,
          accountId: session?.accountId,
        } as ConstructorParameters<typeof context.oidc.provider.Grant>[0]);
        grant.addOIDCScope('openid email');
        await grant.save();
        return grant;
      },
      pkce: { required: () => false },
    });
    provider.use(async (context, next) => {
      if (!context.path.startsWith('/interaction/')) return next();
      const { email, isVerified } = identity.person;
      const login = { accountId: JSON.stringify([email, isVerified]) };
      await provider.interactionFinished(context.req, context.res, { login });
      context.respond = false;
    });
    const { hostname, port } = new URL(issuer);
    server = provider.listen(Number(port), hostname);
    await once(server, 'listening');
  });
  afterAll(() => new Promise((closed) => server.close(closed)));
  return identity;
}

async function idTokenFor(nonce: string): Promise<string> {
  const { issuer, id, secret } = inject('oidcClient');
  const search = { client_id: id, redirect_uri: APP_ADDRESS, response_type: 'code', scope: 'openid email', nonce };
  const answer = await followRedirects(`${issuer}/auth?${new URLSearchParams(search)}`);
  const token = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${encodeURIComponent(secret)}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code') ?? '',
      redirect_uri: APP_ADDRESS,
    }),
  });
  return ((await token.json()) as { id_token: string }).id_token;
}

/** Follows the provider's redirects as a browser of its own, until they leave the provider. Returns that address. */
export async function followRedirects(start: string): Promise<URL> {
  const { issuer } = inject('oidcClient');
  const cookies = new Map<string, string>();
  let url = new URL(start);
  for (let steps = 0; steps < 10 && url.origin === issuer; steps++) {
    const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
    const answer = await fetch(url, { headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`the identity provider answers ${answer.status}: ${await answer.text()}`);
    url = new URL(location, url);
  }
  return url;
}
