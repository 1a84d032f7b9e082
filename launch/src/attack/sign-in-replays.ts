import { createHash, createHmac, randomBytes } from 'node:crypto';
import { type Answer, Caller, CSRF_COOKIE, waitForCode } from '../client/caller.ts';
import { mailsTo } from '../client/sign-in-mail.ts';
import { forgedTokens } from '../testing/identity-provider.ts';
import { colleagueOf } from './access-replays.ts';
import { check, type Replay, refused, type SignedIn, standing } from './stage.ts';

export const signed = (payload: object, secret: string, header: object = { alg: 'HS256', typ: 'JWT' }): string => {
  const body = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
};

/** Attacks on signing in, and on what somebody is signed in with. */
export const SIGN_IN_REPLAYS: readonly Replay[] = [
  {
    name: 'a redirect to another site after signing in',
    async run({ manager }) {
      const fields = [
        '/.//evil.test',
        '/x/../..//evil.test',
        '/\\evil.test',
        '/\t/evil.test',
        '//evil.test',
        'https://evil.test',
      ];
      for (const next of fields) {
        const answer = await manager.form('/preferences', [['next', next]]);
        const location = answer.headers.get('location') ?? '/';
        const place = new URL(location, 'http://here.test');
        check(place.host === 'here.test' && !/^\/[/\\]/.test(location), `"${next}" led to "${location}"`);
      }
    },
  },
  {
    name: 'code requests that lock the owner of an account out',
    async run({ target }) {
      const email = 'analyst@tapeline.test';
      const owner = await Caller.anonymous(target);
      const code = await owner.requestCode(email);
      for (let request = 0; request < 6; request += 1) {
        const attacker = await Caller.anonymous(target);
        standing(await attacker.json('POST', '/auth/code', { email }));
        standing(await attacker.json('POST', '/auth/code/verification', { email, code: '000000' }));
      }
      await owner.signInWith(email, code).catch(() => {
        throw new Error('the code that the owner asked for first is not taken any more');
      });
    },
  },
  {
    name: 'a recovery email that is not confirmed, is of somebody else, or was removed',
    isHarmful: true,
    async run(stage) {
      const { target, manager } = stage;
      const { caller: owner } = await colleagueOf(stage, { name: 'Owner', permissions: ['users/read'] });
      const { caller: thief } = await colleagueOf(stage, { name: 'Thief', permissions: ['users/read'] });
      const address = 'recovery@harbour.test';
      const account = (caller: Caller, intent: string, fields: Record<string, string> = {}) =>
        caller.form('/account', Object.entries({ intent, ...fields }));
      const codeTo = async (caller: Caller): Promise<string> => {
        const before = new Set(await mailsTo(target.mailFolder, address));
        const asked = await account(caller, 'requestRecovery', { email: address });
        check(asked.status === 302, `no recovery code was asked for: ${asked.status}`);
        return waitForCode(target.mailFolder, address, before);
      };
      const isConfirmed = async (caller: Caller, code: string) =>
        (await account(caller, 'confirmRecovery', { email: address, code })).status === 302;

      const code = await codeTo(owner);
      // Not confirmed yet: the same answer as for any address, and no code.
      const sent = (await mailsTo(target.mailFolder, address)).length;
      const nobody = await Caller.anonymous(target);
      check(
        (await nobody.json('POST', '/auth/code', { email: address })).status === 200,
        'the answer gives away that the address is not confirmed',
      );
      await nobody.requestCode('analyst@tapeline.test');
      check((await mailsTo(target.mailFolder, address)).length === sent, 'an address signs in that nobody confirmed');
      check(!(await isConfirmed(thief, code)), 'the code of somebody else was taken');
      check(!(await isConfirmed(manager, code)), 'the code of somebody else was taken');
      check(await isConfirmed(owner, code), 'the code of the owner was refused');
      check(!(await isConfirmed(owner, code)), 'a code was taken twice');
      // The address belongs to one account, whoever can read its emails.
      check(!(await isConfirmed(thief, await codeTo(thief))), 'two accounts have one recovery email');

      const email = ({ text }: Answer) => (JSON.parse(text) as SignedIn).email;
      const recovered = await Caller.signedIn(target, address);
      check(email(await recovered.call('GET', '/auth/me')) === 'owner@harbour.test', 'it signs in to another account');
      const late = await Caller.anonymous(target);
      const lateCode = await late.requestCode(address);
      check((await account(owner, 'removeRecovery')).status === 302, 'the address was not removed');
      refused(await late.json('POST', '/auth/code/verification', { email: address, code: lateCode }), [400, 401]);
    },
  },
  {
    name: 'an access token that was made up',
    async run({ target, manager }) {
      const nobody = await Caller.anonymous(target);
      const [, payload = ''] = (manager.accessToken ?? '').split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
      const secrets = ['a development secret that is never used in production', 'change me', 'secret', ''];
      const tokens = [
        ...secrets.map((secret) => signed(claims, secret)),
        signed(claims, 'x', { alg: 'none' }).replace(/[^.]*$/, ''),
        signed({ ...claims, exp: 2 ** 40 }, randomBytes(16).toString('hex')),
        'x.y.z',
      ];
      for (const token of tokens) {
        const answer = await nobody.call('GET', '/auth/me', { headers: { authorization: `Bearer ${token}` } });
        refused(answer, [401]);
      }
    },
  },
  {
    name: 'an id token that somebody else asked for, that is forged, or whose email nobody verified',
    async run({ target }) {
      const { identity } = target;
      const email = 'analyst@tapeline.test';
      const [browser, thief] = [await Caller.anonymous(target), await Caller.anonymous(target)];
      const nonce = createHash('sha256')
        .update(browser.jar.get(CSRF_COOKIE) ?? '')
        .digest('base64url');
      const signIn = (caller: Caller, idToken: string) =>
        caller.json('POST', '/auth/signIn', { externalIdentity: { idToken, email } });
      identity.person = { email, isVerified: true };
      const idToken = await identity.idTokenFor(nonce);
      refused(await signIn(thief, idToken), [401]);
      for (const forged of forgedTokens(idToken, 'manager@tapeline.test'))
        refused(await signIn(browser, forged), [401]);
      identity.person = { email, isVerified: false };
      refused(await signIn(browser, await identity.idTokenFor(nonce)), [401]);
      check((await signIn(browser, idToken)).status === 200, 'the token of the browser that asked was refused');
      refused(await signIn(thief, idToken), [401]);
    },
  },
  {
    name: 'the answer of the identity provider, brought by another browser or with another state',
    async run({ target }) {
      target.identity.person = { email: 'analyst@tapeline.test', isVerified: true };
      const [browser, thief] = [await Caller.anonymous(target), await Caller.anonymous(target)];
      const startsAt = async (caller: Caller) =>
        (await caller.call('GET', '/login/external?next=//evil.example')).headers.get('location') ?? '';
      const { href } = await target.identity.followRedirects(await startsAt(browser));
      await startsAt(thief);
      const { pathname, search } = new URL(href);
      const answer = pathname + search;
      const isSignedIn = async (caller: Caller, address: string): Promise<boolean> => {
        const { status, headers } = await caller.call('GET', address);
        check(status === 302, `the return answers ${status}`);
        const to = new URL(headers.get('location') ?? '', target.url);
        check(to.hostname !== 'evil.example', 'the return leads to another site');
        return headers.getSetCookie().some((line) => /_refresh=[^;]/.test(line));
      };
      check(!(await isSignedIn(thief, answer)), 'another browser was signed in');
      check(!(await isSignedIn(await Caller.anonymous(target), answer)), 'a browser that asked nothing was signed in');
      const forged = answer.replace(/state=[^&]+/, 'state=forged');
      check(!(await isSignedIn(thief, forged)), 'an answer with another state was taken');
      check(await isSignedIn(browser, answer), 'the browser that asked was not signed in');
      check(!(await isSignedIn(browser, answer)), 'an answer was taken twice');
    },
  },
];
