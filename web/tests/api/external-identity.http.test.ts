import { createHash } from 'node:crypto';
import { forgedTokens } from '@tapeline/launch/testing/identity-provider.ts';
import { expect, inject, it } from 'vitest';
import { paths } from '../../app/paths.ts';
import { type ApiAnswer, type ApiClient, anonymous, expectRefusal } from '../api-client.ts';
import { ownIdentityProvider } from '../identity-provider.ts';
import { inviteUser, ownTenant } from '../tenant.ts';

const tenant = ownTenant();
const provider = ownIdentityProvider();

const nonceOf = (client: ApiClient) =>
  createHash('sha256')
    .update(client.cookies.get('tapeline_csrf') as string)
    .digest('base64url');
const signIn = (client: ApiClient, idToken: string, email: string) =>
  client.post('/auth/signIn', { externalIdentity: { idToken, email } });

it('signs in with an id token of the provider, once, for the client that asked for it', async () => {
  const email = tenant.emails.analyst;
  provider().person = { email, isVerified: true };
  const [client, thief] = [await anonymous(), await anonymous()];
  const idToken = await provider().idTokenFor(nonceOf(client));

  const stolen = expectRefusal(await signIn(thief, idToken, email), 401, 'did not confirm who you are');
  expect(stolen.flags).toEqual({ 'externalIdentity.idToken': 'was not requested by this client' });
  const other = expectRefusal(await signIn(client, idToken, tenant.emails.manager), 401);
  expect(other.flags).toEqual({ 'externalIdentity.email': 'is not the email of the token' });

  const csrf = client.cookies.get('tapeline_csrf') as string;
  const signedIn = await signIn(client, idToken, email.toUpperCase());
  expect(signedIn.json.user).toMatchObject({ email, roleTitle: 'Analyst' });
  expect(signedIn.headers.getSetCookie().join()).toContain('_refresh=');
  // The same client, as it was before, cannot use the token again.
  client.cookies.clear();
  client.cookies.set('tapeline_csrf', csrf);
  expectRefusal(await signIn(client, idToken, email), 401);
});

it('refuses emails that the provider has not verified or that have no account, and forged tokens', async () => {
  const client = await anonymous();
  const email = tenant.emails.analyst;
  provider().person = { email, isVerified: false };
  const unverified = expectRefusal(await signIn(client, await provider().idTokenFor(nonceOf(client)), email), 401);
  expect(unverified.flags).toEqual({ 'externalIdentity.email': 'is not verified by the provider' });

  provider().person = { email: 'stranger@example.com', isVerified: true };
  const stranger = await signIn(client, await provider().idTokenFor(nonceOf(client)), 'stranger@example.com');
  expect(expectRefusal(stranger, 401).flags).toEqual({ 'externalIdentity.email': 'has no account' });

  provider().person = { email, isVerified: true };
  const keys = await (await fetch(`${inject('oidcClient').issuer}/jwks`)).text();
  expect(keys).toContain('"n"');
  const forged = forgedTokens(await provider().idTokenFor(nonceOf(client)), tenant.emails.manager);
  for (const idToken of forged) {
    const refused = expectRefusal(await signIn(client, idToken, email), 401);
    expect(refused.flags).toEqual({ 'externalIdentity.idToken': 'is not a valid token of the identity provider' });
  }
  const long = await signIn(client, 'x'.repeat(10_001), email);
  expect(expectRefusal(long, 400).flags).toHaveProperty(['externalIdentity.idToken']);
});

/** Opens an address of the product as a browser does: keeps cookies, and does not follow redirects. */
async function open(jar: Map<string, string>, address: string): Promise<Pick<ApiAnswer, 'status'> & { to: URL }> {
  const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
  const answer = await fetch(new URL(address, inject('productUrl')), { headers: { cookie }, redirect: 'manual' });
  for (const line of answer.headers.getSetCookie()) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
    if (/max-age=0\b/i.test(line)) jar.delete(name);
    else jar.set(name, value);
  }
  return { status: answer.status, to: new URL(answer.headers.get('location') ?? '', inject('productUrl')) };
}
const refreshOf = (jar: Map<string, string>) => [...jar.keys()].filter((name) => name.endsWith('_refresh'));

it('signs in a browser with the authorization code flow, and makes an invited user Active', async () => {
  const { email } = await inviteUser(tenant.emails.manager);
  provider().person = { email, isVerified: true };
  const jar = new Map<string, string>();
  const asked = await open(jar, paths.externalSignIn({ next: '/monitoring/tapes' }));
  expect([asked.status, asked.to.origin]).toEqual([302, inject('oidcClient').issuer]);
  expect(asked.to.searchParams.get('code_challenge_method')).toBe('S256');
  const answered = await provider().followRedirects(asked.to.href);
  expect(answered.origin + answered.pathname).toBe(inject('productUrl') + paths.externalCallback());

  // The answer is of no use to another browser, and not with another state.
  const stranger = new Map<string, string>();
  await open(stranger, paths.externalSignIn());
  for (const [browser, address] of [
    [new Map(), answered.href],
    [stranger, answered.href],
    [new Map(jar), answered.href.replace(/state=[^&]+/, 'state=forged')],
    [new Map(jar), answered.href.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example')],
  ] as const) {
    expect((await open(browser, address)).to.href).toContain('/login?problem=external');
    expect(refreshOf(browser)).toEqual([]);
  }

  const signedIn = await open(jar, answered.href);
  expect(signedIn.to.pathname).toBe('/monitoring/tapes');
  expect(refreshOf(jar)).toHaveLength(1);
  expect([...jar.keys()].some((name) => name.endsWith('_external'))).toBe(false);
  // Nothing else opens before the terms are accepted.
  expect((await open(jar, '/monitoring/tapes')).to.pathname).toBe('/welcome');
});

it('leads back to the sign-in if there is no account, or the person declines, and never to another site', async () => {
  provider().person = { email: 'stranger@example.com', isVerified: true };
  const jar = new Map<string, string>();
  const asked = await open(jar, paths.externalSignIn({ next: '//evil.example' }));
  expect(decodeURIComponent([...jar].find(([name]) => name.endsWith('_external'))?.[1] ?? '')).toContain('"next":"/"');
  const unknown = await open(jar, (await provider().followRedirects(asked.to.href)).href);
  expect(unknown.to.href).toContain('/login?problem=unknown');
  const declined = await open(jar, `${paths.externalCallback()}?error=access_denied`);
  expect(declined.to.href).toContain('/login?problem=external');
  const page = await (await fetch(new URL(unknown.to, inject('productUrl')))).text();
  expect(page).toContain('No account has the email of your identity provider');
  expect(page).toContain('Continue with');
});
