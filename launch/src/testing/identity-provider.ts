import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import Provider from 'oidc-provider';

/** Where a client of the REST API, such as a mobile app, gets its code. */
const APP_ADDRESS = 'https://app.example/callback';
/** Where browsers return to in the product. */
const RETURN_PATH = '/login/external/callback';
const MAX_REDIRECTS = 10;

/** A product as an identity provider knows it. */
export interface IdentityClient {
  /** http://127.0.0.1:PORT, where the provider listens. */
  readonly issuer: string;
  readonly id: string;
  readonly secret: string;
}

/** A real OpenID Connect provider. It lets everyone in as the person that the caller chooses. */
export interface TestIdentityProvider {
  /** Who signs in next. */
  person: { email: string; isVerified: boolean };
  /** An id token for the product's client, as a program gets one that has asked with this nonce. */
  idTokenFor(nonce: string): Promise<string>;
  /** Follows the provider's redirects as a browser of its own, until they leave the provider. Returns that address. */
  followRedirects(start: string): Promise<URL>;
  stop(): Promise<void>;
}

/**
 * Starts an identity provider at its issuer's address.
 * @param productUrl of the only product that it knows, without a trailing slash
 */
export async function startIdentityProvider(
  { issuer, id, secret }: IdentityClient,
  productUrl: string,
): Promise<TestIdentityProvider> {
  const provider = new Provider(issuer, {
    clients: [{ client_id: id, client_secret: secret, redirect_uris: [productUrl + RETURN_PATH, APP_ADDRESS] }],
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
  const followRedirects = async (start: string): Promise<URL> => {
    const cookies = new Map<string, string>();
    let url = new URL(start);
    for (let steps = 0; steps < MAX_REDIRECTS && url.origin === issuer; steps += 1) {
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
  };
  const identity: Omit<TestIdentityProvider, 'stop'> = {
    person: { email: '', isVerified: true },
    async idTokenFor(nonce) {
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
    },
    followRedirects,
  };
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next();
    const { email, isVerified } = identity.person;
    const login = { accountId: JSON.stringify([email, isVerified]) };
    await provider.interactionFinished(context.req, context.res, { login });
    context.respond = false;
  });
  const { hostname, port } = new URL(issuer);
  const server = provider.listen(Number(port), hostname);
  await once(server, 'listening');
  return Object.assign(identity, { stop: () => new Promise<void>((closed) => server.close(() => closed())) });
}

/** An id token that was changed in every way that a careless check lets pass. */
export function forgedTokens(idToken: string, emailOfAnother: string): string[] {
  const [header = '', payload = '', signature = ''] = idToken.split('.');
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  return [
    `${encoded({ alg: 'none' })}.${payload}.`,
    `${encoded({ alg: 'HS256', kid: decoded(header).kid })}.${payload}.${signature}`,
    `${header}.${encoded({ ...decoded(payload), email: emailOfAnother })}.${signature}`,
    `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
  ];
}
