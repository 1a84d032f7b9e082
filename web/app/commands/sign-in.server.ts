import { signInByExternalIdentity } from '@tapeline/db/operations/identity/external-identities.ts';
import { signInByMagicLink } from '@tapeline/db/operations/identity/magic-links.ts';
import { hashToken, isSameHash, newToken } from '@tapeline/db/operations/identity/secrets.ts';
import { type SignedIn, signIn } from '@tapeline/db/operations/identity/sessions.ts';
import { verifySignInCode } from '@tapeline/db/operations/identity/sign-in-codes.ts';
import { findInvitation } from '@tapeline/db/operations/identity/sign-up.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { Authenticator } from 'remix-auth';
import { Strategy } from 'remix-auth/strategy';
import { z } from 'zod';
import type { AuthorizationRequest, IdentityProvider } from '../../server/identity-provider.ts';
import type { RequestContext } from '../http/context.ts';
import { parseCookies, writeCookie } from '../http/cookies.server.ts';
import { cookieNames, originOf } from '../http/session.server.ts';
import { clientTokenOf, limitFactorOf } from '../http/sign-in-client.server.ts';
import { logSignIn } from '../http/sign-in-log.server.ts';
import { paths } from '../paths.ts';

/** The proof that an email belongs to an invited person, who has to sign up next. */
export interface Invitation {
  readonly ownershipToken: string;
}

type Entered = SignedIn | Invitation;

/** A strategy whose credentials come from a form that was already read, and whose token was checked. */
class FormStrategy<User extends Entered, Credentials> extends Strategy<User, Credentials> {
  override readonly name: string;
  readonly #credentials: Credentials;

  constructor(name: string, credentials: Credentials, verify: Strategy.VerifyFunction<User, Credentials>) {
    super(verify);
    this.name = name;
    this.#credentials = credentials;
  }

  override authenticate(): Promise<User> {
    return this.verify(this.#credentials);
  }
}

function authenticateBy<User extends Entered>(strategy: Strategy<User, never>, request: Request): Promise<User> {
  const authenticator = new Authenticator<User>().use(strategy);
  // The authenticator copies the request, but the body of this one was already read with the form.
  return authenticator.authenticate(strategy.name, new Request(request.url, { headers: request.headers }));
}

/**
 * Exchanges a code for an ownership token and then for a sign-in, in one step. An invited person gets the token to sign
 * up with.
 * @throws Refusal badRequest for a wrong or expired code; tooMany
 */
export function signInByCode(
  context: RequestContext,
  request: Request,
  entry: { email: string; code: string },
): Promise<Entered> {
  const strategy = new FormStrategy<Entered, typeof entry>('email-code', entry, async ({ email, code }) => {
    const now = new Date();
    const { store, clientAddress, environment } = context;
    const { ownershipToken } = await verifySignInCode(store, {
      email,
      code,
      clientToken: clientTokenOf(request, context),
      address: clientAddress,
      now,
      limitFactor: limitFactorOf(environment),
    });
    if (await findInvitation(store, { ownershipToken, now })) return { ownershipToken };
    return signIn(store, { ownershipToken, now, ...originOf(request, context) });
  });
  return logSignIn(context, 'email code', () => authenticateBy(strategy, request));
}

/** @throws Refusal unauthorized if the link is not valid */
export function signInByLink(context: RequestContext, request: Request, magicToken: string): Promise<SignedIn> {
  const strategy = new FormStrategy('magic-link', { magicToken }, (entry) =>
    signInByMagicLink(context.store, { ...entry, now: new Date(), ...originOf(request, context) }),
  );
  return logSignIn(context, 'magic link', () => authenticateBy(strategy, request));
}

/**
 * Signs in with an id token of the identity provider.
 * @param expected the nonce that binds the token to this client, and the email if the client names one
 * @throws Refusal unauthorized if the token is not valid or its email has no account; badRequest if no provider is
 *   configured
 */
export async function signInByIdToken(
  context: RequestContext,
  request: Request,
  idToken: string,
  expected: { nonce: string; email?: string },
): Promise<SignedIn> {
  const provider = providerOf(context);
  return logSignIn(context, 'external identity', async () => {
    const identity = await provider.verifyIdToken(idToken, expected);
    return signInByExternalIdentity(context.store, { ...identity, now: new Date(), ...originOf(request, context) });
  });
}

function providerOf({ identityProvider }: RequestContext): IdentityProvider {
  if (identityProvider) return identityProvider;
  throw new Refusal('badRequest', 'Signing in with an identity provider is not set up', {
    flags: { externalIdentity: 'is not set up' },
  });
}

/** The authorization code flow of OpenID Connect, with PKCE, state and nonce, for browsers that return with a code. */
class AuthorizationCodeStrategy extends Strategy<SignedIn, { idToken: string; nonce: string }> {
  override readonly name = 'openid-connect';
  readonly #provider: IdentityProvider;
  readonly #pending: AuthorizationRequest;

  constructor(
    provider: IdentityProvider,
    pending: AuthorizationRequest,
    verify: Strategy.VerifyFunction<SignedIn, { idToken: string; nonce: string }>,
  ) {
    super(verify);
    this.#provider = provider;
    this.#pending = pending;
  }

  override async authenticate(request: Request): Promise<SignedIn> {
    const answer = new URL(request.url).searchParams;
    const [code, issuer] = [answer.get('code'), answer.get('iss')];
    // The answer must belong to the request of this browser, and come from the provider that was asked (RFC 9207).
    const isOurs = isSameText(answer.get('state') ?? '', this.#pending.state);
    if (!isOurs || !code || (issuer !== null && issuer !== this.#provider.issuer)) throw new Refusal('unauthorized');
    const idToken = await this.#provider.exchangeCode(code, this.#pending);
    return this.verify({ idToken, nonce: this.#pending.nonce });
  }
}

const isSameText = (one: string, other: string): boolean => isSameHash(hashToken(one), hashToken(other));

const PENDING_SECONDS = 600;
const pendingSchema = z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string(), next: z.string() });

const redirectUriOf = ({ environment }: RequestContext): string => environment.publicUrl + paths.externalCallback();

/**
 * Returns the address of the identity provider that asks the person to sign in. This browser keeps what the answer has
 * to match.
 * @throws Refusal badRequest if no provider is configured
 */
export async function beginExternalSignIn(context: RequestContext, next: string): Promise<string> {
  const provider = providerOf(context);
  const [state, nonce, codeVerifier] = [newToken(), newToken(), newToken()];
  const redirectUri = redirectUriOf(context);
  const address = await provider.authorizationUrl({ state, nonce, codeVerifier, redirectUri });
  const pending: z.infer<typeof pendingSchema> = { state, nonce, codeVerifier, next };
  const settings = { maxAgeSeconds: PENDING_SECONDS, isSecure: context.isSecure };
  context.setCookie(writeCookie(cookieNames(context.environment).external, JSON.stringify(pending), settings));
  return address;
}

/**
 * Signs in a browser that returns from the identity provider.
 * @returns the sign-in and where to go next
 * @throws Refusal unauthorized if the answer does not belong to this browser, or the email has no account
 */
export async function finishExternalSignIn(
  context: RequestContext,
  request: Request,
): Promise<{ signedIn: SignedIn; next: string }> {
  const name = cookieNames(context.environment).external;
  const held = pendingSchema.safeParse(jsonOf(parseCookies(request.headers.get('cookie'))[name]));
  context.setCookie(writeCookie(name, '', { maxAgeSeconds: 0, isSecure: context.isSecure }));
  if (!held.success) throw new Refusal('unauthorized');
  const { next, ...pending } = held.data;
  const strategy = new AuthorizationCodeStrategy(
    providerOf(context),
    { ...pending, redirectUri: redirectUriOf(context) },
    ({ idToken, nonce }) => signInByIdToken(context, request, idToken, { nonce }),
  );
  return { signedIn: await authenticateBy(strategy, request), next };
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
