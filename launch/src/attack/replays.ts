import { createHash, createHmac, randomBytes } from 'node:crypto';
import { type Answer, Caller, CSRF_COOKIE, type Target, waitForCode } from '../client/caller.ts';
import { mailsTo } from '../client/sign-in-mail.ts';
import { forgedTokens, type TestIdentityProvider } from '../testing/identity-provider.ts';
import { bodyProblemOf, problemOf } from './judge.ts';
import { sendRaw } from './send-raw.ts';

/** A product with everything that the attacks need. */
export interface AttackTarget extends Target {
  readonly identity: TestIdentityProvider;
}

/** An attack that once succeeded, or that any product of this kind must withstand. */
export interface Replay {
  readonly name: string;
  /** Waits for the product's timeouts. */
  readonly isSlow?: boolean;
  /** Changes the product for good. */
  readonly isHarmful?: boolean;
  /** @throws Error describing what the product allowed */
  run(stage: Stage): Promise<void>;
}

/** The callers available to an attack. Attacks must not sign them out. */
export interface Stage {
  readonly target: AttackTarget;
  readonly manager: Caller;
  readonly borrower: Caller;
  readonly stranger: Caller;
  /** How long other callers may wait for a trivial answer during an attack on the time of the server. */
  readonly maxWaitMs: number;
}

function check(isRight: boolean, message: string): asserts isRight {
  if (!isRight) throw new Error(message);
}

/** The response must be an error. For the REST API, its body must match the error catalogue. */
function refused(answer: Answer, statuses: readonly number[], { isScreen = false } = {}): void {
  const problem = problemOf(answer) ?? (isScreen ? null : bodyProblemOf(answer));
  check(problem === null, problem ?? '');
  check(statuses.includes(answer.status), `answered ${answer.status} instead of ${statuses.join(' or ')}`);
}

/**
 * Runs `attack` while another caller makes a trivial request repeatedly.
 * @throws if a request of that caller takes too long
 */
async function othersAreServed<T>({ target }: Stage, attack: () => Promise<T>, maxMs: number): Promise<T> {
  const other = await Caller.anonymous(target);
  let isOver = false;
  let slowestMs = 0;
  const asking = (async () => {
    while (!isOver) {
      const { status, elapsedMs } = await other.call('GET', '/healthz');
      check(status === 200, `/healthz answered ${status} meanwhile`);
      slowestMs = Math.max(slowestMs, elapsedMs);
    }
  })();
  const done = await attack().finally(() => {
    isOver = true;
  });
  await asking;
  check(slowestMs < maxMs, `others waited ${Math.round(slowestMs)} ms for an answer`);
  return done;
}

/** A streamed body of the given size that is never fully in memory. */
function zeros(bytes: number, start = ''): ReadableStream<Uint8Array> {
  let left = bytes;
  let isStarted = false;
  return new ReadableStream({
    pull(controller) {
      if (!isStarted && start !== '') controller.enqueue(Buffer.from(start));
      isStarted = true;
      if (left <= 0) return controller.close();
      const piece = new Uint8Array(Math.min(left, 2 ** 20)).fill(0x61);
      left -= piece.length;
      controller.enqueue(piece);
    },
  });
}

/** The response to a body that is too large must be an error or a connection that closes during the upload. */
async function tooLarge(call: Promise<Answer>, isScreen = false): Promise<void> {
  const answer = await call.catch((error: Error) => error);
  if (answer instanceof Error) {
    check(answer.name !== 'TimeoutError', 'a body that is too large was neither taken nor refused');
    return;
  }
  refused(answer, [400, 403, 413], { isScreen });
}

interface Tape {
  readonly id: string;
  readonly cutOffDate: string;
  readonly assetsETL: string;
  readonly metadata: { readonly attachment: { readonly key: string } };
}
/** The signed-in user, or a user or role as a call returns it. */
interface SignedIn {
  readonly id: string;
  readonly version: number;
  readonly email: string;
  readonly pendingEmail: string | null;
  readonly managerId: string;
  readonly level: number;
}
interface Mapping {
  readonly id: string;
  readonly rules: readonly { readonly originCol: string }[];
  readonly loanTapeSheetName: string;
}

const publishedTape = async (caller: Caller): Promise<Tape> => {
  const [tape] = await caller.list<Tape>('/crud/loanTape?limit=1');
  check(tape !== undefined, 'there is no tape to attack with');
  return tape;
};

/** A preview request for the newest tape with its mapping, plus extra rules that run the steps. */
async function previewBody(caller: Caller, steps: readonly object[]): Promise<object> {
  const tape = await publishedTape(caller);
  const mapping = (await caller.list<Mapping>('/crud/assetsETLs')).find(({ id }) => id === tape.assetsETL);
  check(mapping !== undefined, "the tape's mapping is not listed");
  const more = mapping.rules.slice(0, 20).map(({ originCol }, index) => ({
    originCol,
    targetCol: `attacked ${index}`,
    serializations: steps,
  }));
  return {
    rules: [...mapping.rules, ...more],
    currency: 'USD',
    fileUrl: tape.metadata.attachment.key,
    sheetName: mapping.loanTapeSheetName,
    cutOffDate: tape.cutOffDate,
  };
}

const signed = (payload: object, secret: string, header: object = { alg: 'HS256', typ: 'JWT' }): string => {
  const body = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
};

interface Colleague {
  readonly name: string;
  /** Of a role of their own. Default: the role of the manager who invites. */
  readonly permissions?: readonly string[];
  readonly exclusiveResources?: readonly string[];
}

/** A new user of the manager's who has signed in. */
async function colleagueOf(
  { target, manager }: Stage,
  { name, permissions, exclusiveResources = [] }: Colleague,
): Promise<{ caller: Caller; created: SignedIn; role: string }> {
  const me = JSON.parse((await manager.call('GET', '/auth/me')).text) as SignedIn;
  const own = JSON.parse((await manager.call('GET', `/crud/users/${me.id}`)).text) as { role: string };
  const ofPermissions = async (): Promise<string> => {
    const title = `${name} of the replays`;
    const made = await manager.json('POST', '/crud/roles', { title, level: me.level, permissions });
    return (JSON.parse(made.text) as SignedIn).id;
  };
  const role = permissions ? await ofPermissions() : own.role;
  const email = `${name.toLowerCase()}@harbour.test`;
  const person = {
    email,
    firstName: 'Clara',
    lastName: name,
    type: 'manager',
    assoc: { manager: { id: me.managerId } },
  };
  const invited = await manager.json('POST', '/crud/users', { ...person, role, exclusiveResources });
  check(invited.status === 201, `there is no ${name}: ${invited.text.slice(0, 300)}`);
  const created = JSON.parse(invited.text) as SignedIn;
  const active = { version: created.version, status: 'Active' };
  const activated = await manager.json('PUT', `/crud/users/${created.id}`, active);
  check(activated.status === 200, `${name} is not active: ${activated.text.slice(0, 300)}`);
  const caller = await Caller.signedIn(target, email);
  for (const path of ['/auth/privacyAndTerms', '/auth/confirmUserDetails']) await caller.json('PUT', path, {});
  return { caller, created, role };
}

interface Titled {
  readonly id: string;
  readonly title: string;
}
const of = (list: string, filter: object): string =>
  `/crud/${list}?limit=500&filter=${encodeURIComponent(JSON.stringify(filter))}`;

/** A fund with calls, and a facility with draws: the ids of what belongs to each. */
async function ownersOf(manager: Caller, kind: 'funds' | 'transactions'): Promise<{ owner: Titled; ids: string[] }> {
  const lists =
    kind === 'funds'
      ? ['contributions', 'distributions', 'navs', 'LPCommitments']
      : ['transactionDraws', 'repayments', 'borrowingBase'];
  for (const owner of await manager.list<Titled>(`/crud/${kind}?limit=100`)) {
    const filter = { [kind === 'funds' ? 'fund' : 'transaction']: owner.id };
    const parts = await Promise.all(lists.map((list) => manager.list(of(list, filter))));
    if (parts.every((documents) => documents.length > 0)) {
      return { owner, ids: parts.flat().map(({ id }) => id) };
    }
  }
  throw new Error(`there are no ${kind} to attack with`);
}

interface SignedFile {
  readonly key: string;
  readonly signedUrl: string;
}
const csvNamed = (name: string, text: string) => ({ name: `${name}.csv`, size: text.length, type: 'text/csv' });

/** A signed address for a file of a tape, with the file's key. */
async function signedAddress(caller: Caller, operation: 'upload' | 'download', file: object): Promise<SignedFile> {
  const path = `/files/signedUrls/loanTapes?operation=${operation}`;
  const { text } = await caller.json('POST', path, { filesInfo: [file] });
  const [answer] = JSON.parse(text) as { fileMetadata?: SignedFile }[];
  check(answer?.fileMetadata?.signedUrl !== undefined, `no address was given: ${text.slice(0, 200)}`);
  return answer.fileMetadata;
}

/** A request to the object storage, which gets nothing but the address. */
const storage = (method: string, address: string, body?: string): Promise<Response> =>
  fetch(address, {
    method,
    signal: AbortSignal.timeout(30_000),
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'text/csv' } }),
  });

/** Whether an address is of the product's own storage, which is a folder, and not of an S3 service. */
const isOfFolder = (signedUrl: string): boolean => new URL(signedUrl).search === '';

/** The text with another character in its middle: the last one of an encoded text may not count. */
const otherCharacter = (text: string): string => {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (text[middle] === '0' ? '1' : '0') + text.slice(middle + 1);
};

/** Every part of a signed address counts: none can be changed, taken away, or moved to another file. */
async function changedAddressesAreRefused(signed: string, ofAnother: string, method: string, body?: string) {
  const [url, other] = [new URL(signed), new URL(ofAnother)];
  const changed = new Map<string, URL>();
  const add = (what: string, change: (copy: URL) => void): void => {
    const copy = new URL(url);
    change(copy);
    changed.set(what, copy);
  };
  add('of a file beside it', (copy) => {
    copy.pathname = `${copy.pathname}0`;
  });
  if (isOfFolder(signed)) {
    // The address ends with what it allows and its signature.
    const [, otherSignature = ''] = other.pathname.split('.').slice(-2);
    const [allowed = '', signature = ''] = url.pathname.split('.').slice(-2);
    const withParts = (first: string, second: string) => (copy: URL) => {
      copy.pathname = `${first}.${second}`;
    };
    add('with the signature of another file', withParts(allowed, otherSignature));
    add('with another signature', withParts(allowed, otherCharacter(signature)));
    add('that allows something else', withParts(otherCharacter(allowed), signature));
  } else {
    add('of another file', (copy) => {
      copy.pathname = other.pathname;
    });
    add('of a folder above it', (copy) => {
      copy.pathname = copy.pathname.replace(/\/([^/]+)$/, '/..%2f$1');
    });
  }
  for (const [name, value] of url.searchParams) {
    // The name of the SDK's call is the same for all addresses.
    if (name === 'x-id') continue;
    add(`without ${name}`, (copy) => copy.searchParams.delete(name));
    add(`with another ${name}`, (copy) => copy.searchParams.set(name, otherCharacter(value)));
  }
  for (const [what, address] of changed) {
    const { status } = await storage(method, address.href, body);
    check(status >= 400 && status < 500, `${method} with an address ${what} was answered ${status}`);
  }
  const folder = new URL(url.pathname.split('/').slice(0, 2).join('/'), url).href;
  const unsigned = isOfFolder(signed) ? [] : [folder, `${folder}?list-type=2`, url.origin + url.pathname];
  for (const address of unsigned) {
    const { status } = await storage('GET', address);
    check(status >= 400 && status < 500, `GET ${address} without a signature was answered ${status}`);
  }
}

export const REPLAYS: readonly Replay[] = [
  {
    name: 'somebody for whom a fund and a facility are blocked, and who reads them in what is left',
    isHarmful: true,
    async run(stage) {
      const { manager } = stage;
      const hidden = [await ownersOf(manager, 'funds'), await ownersOf(manager, 'transactions')];
      const [fund, facility] = hidden.map(({ owner }) => owner.id);
      const { caller } = await colleagueOf(stage, {
        name: 'Outsider',
        exclusiveResources: [`funds/${fund}`, `transactions/${facility}`],
      });
      const ids = hidden.flatMap((one) => one.ids);
      const places = [
        '/crud/history?limit=500',
        '/history',
        '/history/export?format=csv',
        ...['contributions', 'distributions', 'navs', 'draws', 'repayments', 'borrowingBases'].map(
          (name) => `/history?collection=${name}`,
        ),
        `/history/documents/funds/${fund}`,
        `/history/documents/transactions/${facility}`,
        '/notifications',
        '/filters',
        '/calendar',
        '/capital/calls',
        '/monitoring/draws',
        '/crud/contributions?limit=500',
        '/crud/transactionDraws?limit=500',
        '/crud/borrowingBase?limit=500',
      ];
      let isSeenByOthers = false;
      for (const path of places) {
        const answer = await caller.call('GET', path);
        standing(answer);
        // The address itself is repeated by links and titles.
        const shown = ids.find((id) => answer.text.includes(id) && !path.includes(id));
        check(shown === undefined, `${path} shows ${shown}`);
        if (!isSeenByOthers) {
          const { text } = await manager.call('GET', path);
          isSeenByOthers = ids.some((id) => text.includes(id) && !path.includes(id));
        }
      }
      check(isSeenByOthers, 'nobody was shown what was hidden');
      const entries = of('history', { documentId: { in: ids.slice(0, 50) } });
      check((await manager.list(entries)).length > 0, 'what is hidden has no history');
      check((await caller.list(entries)).length === 0, 'the history of what is hidden is listed');
    },
  },
  {
    name: 'a call that is refused, and names an investor who is blocked',
    isHarmful: true,
    async run(stage) {
      const { manager } = stage;
      const { owner: fund } = await ownersOf(manager, 'funds');
      const [commitment] = await manager.list<{ investor: Titled }>(of('LPCommitments', { fund: fund.id }));
      check(commitment !== undefined, 'the fund has no investor');
      const { investor } = commitment;
      const { caller } = await colleagueOf(stage, { name: 'Caller', exclusiveResources: [`LPs/${investor.id}`] });
      const amount = 900_000_000_000;
      const body = {
        fund: fund.id,
        cutOffDate: '2026-11-01',
        dueDate: '2026-12-01',
        callNumber: 'Replay',
        amount: { sum: amount, currency: 'USD' },
        callPurposes: [{ title: 'All', kind: 'investments', amount }],
        status: 'Active',
      };
      const seen = await manager.json('POST', '/crud/contributions', body);
      refused(seen, [400]);
      check(seen.text.includes(investor.title), `the refusal names nobody: ${seen.text.slice(0, 300)}`);
      const answer = await caller.json('POST', '/crud/contributions', body);
      refused(answer, [400]);
      check(!answer.text.includes(investor.title), `the refusal names ${investor.title}`);
    },
  },
  {
    name: 'saved filters that name every fund and investor to somebody who may read neither',
    isHarmful: true,
    async run(stage) {
      const { manager } = stage;
      const { caller } = await colleagueOf(stage, { name: 'Reader', permissions: ['announcements/read'] });
      const [funds, investors] = [
        await manager.list<Titled>('/crud/funds?limit=100'),
        await manager.list<Titled>('/crud/LPs?limit=100'),
      ];
      check(funds.length > 0 && investors.length > 0, 'there are no funds and investors');
      for (const path of [
        '/filters',
        '/',
        '/chats',
        '/search/results?q=fund',
        '/calendar',
        '/history',
        '/documents/archive',
      ]) {
        const answer = await caller.call('GET', path);
        standing(answer);
        const named = [...funds, ...investors].find(({ id }) => answer.text.includes(id));
        check(named === undefined, `${path} names ${named?.title}`);
      }
      for (const list of ['funds', 'LPs', 'contributions', 'history', 'users']) {
        refused(await caller.call('GET', `/crud/${list}`), [403]);
      }
    },
  },
  {
    name: 'a form field whose name is a list of ninety million entries',
    async run(stage) {
      const nobody = await Caller.anonymous(stage.target);
      for (const name of ['x[90000000]', 'x[0][4294967294]', 'a.b.c.d.e.f.g.h.i.j.k', '__proto__.x', '__intent__']) {
        const answer = await othersAreServed(stage, () => nobody.form('/login', [[name, '{']]), 5_000);
        refused(answer, [400], { isScreen: true });
      }
    },
  },
  {
    name: 'a body that is too large, from somebody who is not signed in',
    async run(stage) {
      const nobody = await Caller.anonymous(stage.target);
      const json = { 'content-type': 'application/json' };
      const text = JSON.stringify({ email: 'x'.repeat(15 * 2 ** 20) });
      await othersAreServed(stage, () => tooLarge(nobody.json('POST', '/auth/code', text)), 2_000);
      await tooLarge(nobody.call('POST', '/auth/code', { headers: json, body: zeros(200 * 2 ** 20, '{"email":"') }));
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      await tooLarge(nobody.call('POST', '/login', { headers: form, body: zeros(200 * 2 ** 20, 'email=') }), true);
      const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
      const part = '--x\r\ncontent-disposition: form-data; name="email"\r\n\r\n';
      await tooLarge(nobody.call('POST', '/login', { headers: multipart, body: zeros(200 * 2 ** 20, part) }), true);
    },
  },
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
    name: 'a borrower who raises a borrowing base',
    async run({ borrower }) {
      const tape = await publishedTape(borrower);
      const answer = await borrower.json('POST', '/LTP/calculateBB', { loanTapeId: tape.id });
      refused(answer, [403]);
    },
  },
  {
    name: 'a clerk who may edit users, and makes the sign-in of a fund manager their own',
    isHarmful: true,
    async run(stage) {
      const { target, manager } = stage;
      const me = JSON.parse((await manager.call('GET', '/auth/me')).text) as SignedIn;
      const permissions = ['users/read', 'users/write', 'roles/read'];
      const { caller: clerk, created, role } = await colleagueOf(stage, { name: 'Clerk', permissions });
      const victim = JSON.parse((await clerk.call('GET', `/crud/users/${me.id}`)).text) as SignedIn;
      for (const change of [{ email: 'taken@harbour.test' }, { recoveryEmail: 'taken@harbour.test' }, { role }]) {
        const { version } = victim;
        refused(await clerk.json('PUT', `/crud/users/${me.id}`, { version, ...change }), [403]);
        refused(await clerk.json('PUT', '/crud/users/bulk', [{ id: me.id, version, ...change }]), [403]);
      }
      // Even who may change it cannot use a new address before it is confirmed.
      const stored = JSON.parse((await manager.call('GET', `/crud/users/${created.id}`)).text) as SignedIn;
      const moved = await manager.json('PUT', `/crud/users/${created.id}`, {
        version: stored.version,
        email: 'unconfirmed@harbour.test',
      });
      const after = JSON.parse(moved.text) as SignedIn;
      check(after.email === created.email && after.pendingEmail === 'unconfirmed@harbour.test', moved.text);
      for (const token of [`${created.id}.${'a'.repeat(43)}`, '.', 'x']) {
        const fields: [string, string][] = [['link', 'confirm']];
        const nobody = await Caller.anonymous(target);
        refused(await nobody.form('/login/address', [...fields, ['token', token]]), [400, 422], { isScreen: true });
      }
    },
  },
  {
    name: 'a clerk who may edit users and roles, and gives more than they have',
    isHarmful: true,
    async run(stage) {
      const { manager, stranger } = stage;
      const permissions = ['users/read', 'users/write', 'roles/read', 'roles/write'];
      const { caller: clerk, created: self, role: own } = await colleagueOf(stage, { name: 'Registrar', permissions });
      const { created: friend } = await colleagueOf(stage, { name: 'Friend', permissions: ['users/read'] });
      const meBefore = (await clerk.call('GET', '/auth/me')).text;
      const { managerId, level } = JSON.parse(meBefore) as SignedIn;
      const roles = await manager.list<SignedIn & Titled>('/crud/roles?limit=500');
      const roleOf = (title: string) => {
        const found = roles.find((role) => role.title === title);
        check(found !== undefined, `there is no role ${title}`);
        return found;
      };
      const foreign = await stranger.json('POST', '/crud/roles', {
        title: 'Of the stranger',
        level: 20,
        permissions: [],
      });
      check(foreign.status === 201, `there is no role of another manager: ${foreign.text}`);
      const ofStranger = JSON.parse(foreign.text) as SignedIn;

      // A role with more permissions, or of a higher level, is neither made nor made of one's own.
      const greedy = { title: 'Greedy', level, permissions: [...permissions, 'funds/write'] };
      refused(await clerk.json('POST', '/crud/roles', greedy), [403]);
      refused(await clerk.json('POST', '/crud/roles', { ...greedy, permissions: [], level: 1 }), [403]);
      const ownRole = JSON.parse((await clerk.call('GET', `/crud/roles/${own}`)).text) as SignedIn & Titled;
      const { version, title } = ownRole;
      for (const change of [{ permissions: greedy.permissions }, { permissions, level: 1 }]) {
        const body = { title, level, version, ...change };
        refused(await clerk.json('PUT', `/crud/roles/${own}`, body), [403]);
        const fields = Object.entries({
          intent: 'save',
          title,
          level: String(body.level),
          roleVersion: String(version),
        });
        const keys = body.permissions.map((key): [string, string] => ['permissions', key]);
        const answer = await clerk.form(`/admin/roles/${own}`, [...fields, ...keys]);
        check(answer.status !== 302, `the form saved the role: ${answer.status}`);
        standing(answer);
      }
      for (const role of [roleOf('Administrator'), roleOf('Fund manager'), ofStranger]) {
        const body = { title: 'Mine', level: role.level, version: role.version, permissions };
        refused(await clerk.json('PUT', `/crud/roles/${role.id}`, body), [403, 404]);
        for (const user of [self, friend]) {
          const { version: shown } = JSON.parse((await clerk.call('GET', `/crud/users/${user.id}`)).text) as SignedIn;
          const change = { version: shown, role: role.id };
          refused(await clerk.json('PUT', `/crud/users/${user.id}`, change), [400, 403, 404]);
          refused(await clerk.json('PUT', '/crud/users/bulk', [{ id: user.id, ...change }]), [400, 403, 404]);
        }
        const person = {
          firstName: 'Clara',
          lastName: 'Invited',
          type: 'manager',
          assoc: { manager: { id: managerId } },
        };
        const invited = { ...person, email: 'invited@harbour.test', role: role.id };
        refused(await clerk.json('POST', '/crud/users', invited), [400, 403, 404]);
      }
      // A fund manager does not give an administrator's role, nor one of another manager.
      for (const role of [roleOf('Administrator'), ofStranger]) {
        const { version: shown } = JSON.parse((await manager.call('GET', `/crud/users/${friend.id}`)).text) as SignedIn;
        refused(
          await manager.json('PUT', `/crud/users/${friend.id}`, { version: shown, role: role.id }),
          [400, 403, 404],
        );
      }
      for (const user of [self, friend]) {
        const { version: shown } = JSON.parse((await clerk.call('GET', `/crud/users/${user.id}`)).text) as SignedIn;
        for (const change of [{ inclusiveResources: ['funds/write'] }, { type: 'admin', assoc: { admin: {} } }]) {
          refused(await clerk.json('PUT', `/crud/users/${user.id}`, { version: shown, ...change }), [400, 403]);
        }
      }
      check((await clerk.call('GET', '/auth/me')).text === meBefore, 'the rights of the clerk changed');
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
    name: 'a group of investors that reads those who are not its members',
    async run({ target, manager, stranger }) {
      const group = await Caller.signedIn(target, 'victor.lambert@endowments.test');
      const members = await group.list<Titled>('/crud/LPs?limit=500');
      const all = await manager.list<Titled>('/crud/LPs?limit=500');
      const others = all.filter(({ id }) => members.every((member) => member.id !== id));
      check(members.length > 0 && others.length > 0, 'the group has no members, or all investors');
      const isOther = (id: string) => others.some((one) => one.id === id);
      const commitments = await manager.list<{ id: string; investor: Titled }>('/crud/LPCommitments?limit=500');
      const foreign = commitments.filter(({ investor }) => isOther(investor.id));
      check(foreign.length > 0, 'nobody else has a commitment');
      for (const { id } of others) {
        refused(await group.call('GET', `/crud/LPs/${id}`), [404]);
        refused(await group.call('GET', `/crud/LPs/${id}/activity`), [404]);
        refused(await group.call('GET', '/crud/LPCommitments', { headers: { 'x-lp-id': id } }), [403]);
        const answer = await group.call('GET', `/investors/${id}`);
        check(answer.status === 404, `/investors/${id} was answered ${answer.status}`);
      }
      for (const { id } of foreign) refused(await group.call('GET', `/crud/LPCommitments/${id}`), [404]);
      const { managerId } = JSON.parse((await stranger.call('GET', '/auth/me')).text) as SignedIn;
      refused(await group.call('GET', '/crud/LPs', { headers: { 'x-manager-id': managerId } }), [403]);
      const titles = others.map(({ title }) => title);
      for (const path of [
        '/crud/LPCommitments?limit=500',
        '/crud/contributions?limit=500',
        '/crud/distributions?limit=500',
        '/crud/funds?limit=500',
        '/crud/announcements/all',
        '/',
        '/funds',
        '/capital/calls',
        '/capital/distributions',
        '/documents/archive',
        '/notifications',
        '/calendar',
        '/filters',
        ...titles.slice(0, 3).map((title) => `/search/results?q=${encodeURIComponent(title)}`),
      ]) {
        const answer = await group.call('GET', path);
        standing(answer);
        const text = path.startsWith('/search') ? answer.text.replace(/"q(uery)?":"[^"]*"/g, '') : answer.text;
        const shown = [...others, ...foreign].find(({ id }) => text.includes(id));
        check(shown === undefined, `${path} shows the group ${JSON.stringify(shown)}`);
        const title = path.startsWith('/search') ? undefined : titles.find((one) => text.includes(one));
        check(title === undefined, `${path} names ${title} to the group`);
      }
      const groups = JSON.parse((await group.call('GET', '/auth/me')).text) as SignedIn;
      const joined = { version: groups.version, LPs: others.map(({ id }) => id) };
      refused(await group.json('PUT', `/crud/users/${groups.id}`, joined), [403]);
      // Fields of the user as it is read are ignored.
      standing(await group.json('PUT', '/auth/confirmUserDetails', { LPs: joined.LPs }));
      const seen = await group.list<Titled>('/crud/LPs?limit=500');
      check(
        seen.every(({ id }) => !isOther(id)),
        'the group reads investors that it added itself',
      );
    },
  },
  {
    name: 'a group of investors that still reads a member who left',
    isHarmful: true,
    async run({ target, manager }) {
      const group = await Caller.signedIn(target, 'victor.lambert@endowments.test');
      for (const { id } of await group.list('/crud/LPs?limit=500')) {
        const member = JSON.parse((await manager.call('GET', `/crud/LPs/${id}`)).text) as { version: number };
        const left = await manager.json('PUT', `/crud/LPs/${id}`, { ...member, group: null });
        check(left.status === 200, `the member did not leave: ${left.text.slice(0, 300)}`);
        refused(await group.call('GET', `/crud/LPs/${id}`), [404]);
      }
      for (const list of ['LPs', 'LPCommitments', 'contributions', 'distributions'])
        check((await group.list(`/crud/${list}`)).length === 0, `${list} of who left are listed`);
    },
  },
  {
    name: 'names that are written over two lines or backwards',
    async run({ manager }) {
      for (const text of [
        'Harbour\nPartners',
        'Harbour\r\nBcc: x',
        'Har\u0007bour',
        'Harbour \u202Efdp.exe',
        'a\u2066b',
      ]) {
        for (const [path, body] of [
          ['/crud/roles', { title: text, level: 30, permissions: [] }],
          ['/crud/mainFunds', { title: text }],
          ['/crud/serviceProviders', { title: text, type: 'Bank' }],
        ] as const) {
          refused(await manager.json('POST', path, body), [400]);
        }
        refused(await manager.json('PUT', '/auth/confirmUserDetails', { firstName: text }), [400]);
      }
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
    name: 'a host or an address that the caller made up',
    async run({ target }) {
      const { host } = new URL(target.url);
      for (const name of ['evil.test', `${host}@evil.test`, 'a b', '']) {
        const { status } = await sendRaw(target, `GET /login HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
        check(status >= 400 && status < 500, `the host "${name}" was answered ${status}`);
      }
    },
  },
  {
    name: 'characters that no text may hold',
    async run({ manager }) {
      for (const text of ['a\u0000b', 'a\ud800b']) {
        const answer = await manager.json('POST', '/LTP/calculateBB', { loanTapeId: text });
        refused(answer, [400, 404]);
        const title = await manager.json('POST', '/crud/transactions', { title: text, type: 'Direct' });
        refused(title, [400]);
      }
      refused(await manager.call('GET', '/crud/companies?filter=%7B%22id%22%3A%22%5Cu0000%22%7D'), [400]);
    },
  },
  {
    name: 'requests that are no HTTP, or not of a kind that is served',
    async run({ target }) {
      const { host } = new URL(target.url);
      const line = (text: string, headers = '', body = ''): string =>
        `${text} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n${body}`;
      const multipart = 'Content-Type: multipart/form-data; boundary=x\r\n';
      const requests: Record<string, string> = {
        TRACE: line('TRACE /'),
        'an unknown method': line('BREW /login'),
        'a header beyond all bounds': line('GET /login', `X-Long: ${'a'.repeat(100_000)}\r\n`),
        'two lengths': line('POST /auth/code', 'Content-Length: 2\r\nContent-Length: 3\r\n', '{}'),
        'a length and chunks': line(
          'POST /auth/code',
          'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n',
          '0\r\n\r\n',
        ),
        'broken multipart': line('POST /login', `${multipart}Content-Length: 12\r\n`, '--x\r\nbroken\r\n'),
        'a form of no known type': line('POST /login', 'Content-Type: text/plain\r\nContent-Length: 1\r\n', 'a'),
        'an address that cannot be decoded': line('GET /%E0%A4%A'),
        'no HTTP at all': '\u0016\u0003\u0001\u0002\u0000\r\n\r\n',
      };
      for (const [name, bytes] of Object.entries(requests)) {
        const { status, isClosed } = await sendRaw(target, bytes);
        check(
          (status >= 400 && status < 500) || (status === 0 && isClosed),
          `${name} was answered ${status || 'nothing'}`,
        );
      }
    },
  },
  {
    name: 'a patter of exports that nobody reads',
    async run({ target, manager, borrower }) {
      const stop = new AbortController();
      const open = () =>
        fetch(new URL('/crud/assets', target.url), {
          headers: { accept: 'text/csv', authorization: `Bearer ${manager.accessToken}` },
          signal: stop.signal,
        }).catch(() => null);
      const unread = await Promise.all(Array.from({ length: 40 }, open));
      check(
        unread.every((answer) => answer === null || [200, 429].includes(answer.status)),
        'an export failed instead of being refused',
      );
      const whole = await borrower.call('GET', '/crud/assets', { headers: { accept: 'text/csv' } });
      stop.abort();
      check(whole.status === 200, `the export of somebody else was answered ${whole.status}`);
    },
  },
  {
    name: 'steps that lengthen a text a thousandfold each',
    async run(stage) {
      const { manager } = stage;
      const lengthen = { type: 'replaceStrings', value: ['0', '0'.repeat(1_000)] };
      const body = await previewBody(manager, [{ type: 'text' }, lengthen, lengthen, lengthen, lengthen]);
      const answer = await othersAreServed(stage, () => manager.json('POST', '/LTP/preview/ETL', body), 5_000);
      check(answer.status === 200, `answered ${answer.status}: ${answer.text.slice(0, 300)}`);
      check(answer.text.includes('32,767'), 'no cell was said to be too long');
    },
  },
  {
    name: 'more previews at once than anyone can look at',
    async run(stage) {
      const { manager, borrower } = stage;
      const body = JSON.stringify(await previewBody(manager, [{ type: 'text' }]));
      const answers = await othersAreServed(
        stage,
        () => Promise.all(Array.from({ length: 40 }, () => manager.json('POST', '/LTP/preview/ETL', body))),
        5_000,
      );
      for (const answer of answers) {
        standing(answer);
        check([200, 429].includes(answer.status), `a preview was answered ${answer.status}`);
      }
      check(
        answers.some(({ status }) => status === 200) && answers.some(({ status }) => status === 429),
        'nothing limits them',
      );
      standing(await borrower.call('GET', '/crud/loanTape'));
    },
  },
  {
    name: 'an upload address that is used again',
    async run({ manager }) {
      const bytes = 'Loan,Balance\nA-1,100\n';
      const { signedUrl } = await signedAddress(manager, 'upload', csvNamed('attack', bytes));
      const put = (body: string) => storage('PUT', signedUrl, body);
      check((await put(bytes.replace('100', '10'))).status >= 400, 'a file of another size was taken');
      check((await put(bytes)).status < 300, 'the file was not taken');
      // An S3 service lets it be replaced until a document refers to it. Then it is checked and kept elsewhere.
      if (isOfFolder(signedUrl)) check((await put(bytes.replace('100', '999'))).status >= 400, 'the file was replaced');
    },
  },
  {
    name: 'a signed address that is changed, sent otherwise, or used for another file',
    async run({ manager }) {
      const texts = ['Loan,Balance\nA-1,100\n', 'Loan,Balance\nB-1,200\n'];
      const uploads = await Promise.all(
        texts.map((text) => signedAddress(manager, 'upload', csvNamed('signed', text))),
      );
      for (const [index, { key, signedUrl }] of uploads.entries()) {
        const text = texts[index]!;
        const other = uploads[1 - index]!;
        await changedAddressesAreRefused(signedUrl, other.signedUrl, 'PUT', text);
        for (const method of ['GET', 'DELETE', 'POST']) {
          check((await storage(method, signedUrl)).status >= 400, `${method} works with an address to upload to`);
        }
        check((await storage('PUT', signedUrl, text)).status < 300, `the file ${key} was not taken`);
      }
      const tapes = await manager.list<Tape>('/crud/loanTape?limit=2');
      const [first, second] = await Promise.all(
        tapes.map(({ metadata }) => signedAddress(manager, 'download', { key: metadata.attachment.key })),
      );
      check(first !== undefined && second !== undefined, 'there are no two tapes to attack with');
      const before = await (await storage('GET', first.signedUrl)).text();
      await changedAddressesAreRefused(first.signedUrl, second.signedUrl, 'GET');
      for (const method of ['PUT', 'DELETE', 'POST']) {
        const { status } = await storage(method, first.signedUrl, method === 'DELETE' ? undefined : 'x');
        check(status >= 400, `${method} works with an address to download from`);
      }
      const read = await storage('GET', first.signedUrl);
      check(read.status === 200 && (await read.text()) === before, 'the file was changed or cannot be read');
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
  {
    name: 'requests that are never sent to their end',
    isSlow: true,
    async run(stage) {
      const { host } = new URL(stage.target.url);
      const start = `POST /auth/code HTTP/1.1\r\nHost: ${host}\r\n`;
      const json = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
      const halves = await othersAreServed(
        stage,
        () =>
          Promise.all(
            [start, `${start}${json}`].flatMap((half) =>
              Array.from({ length: 50 }, () => sendRaw(stage.target, half, 90_000)),
            ),
          ),
        2_000,
      );
      for (const { status, isClosed } of halves) check(isClosed || status >= 400, 'a connection was kept open');
    },
  },
  {
    name: "another tenant's documents, by their ids",
    async run({ manager, stranger }) {
      for (const path of [
        '/crud/loanTape',
        '/crud/assetsETLs',
        '/crud/transactions',
        '/crud/companies',
        '/crud/borrowingBase',
      ]) {
        const own = await manager.list(`${path}?limit=3`);
        const seen = new Set((await stranger.list(`${path}?limit=500`)).map(({ id }) => id));
        check(
          own.every(({ id }) => !seen.has(id)),
          `${path} lists another tenant's documents`,
        );
        for (const { id } of own) {
          const answer = await stranger.call('GET', `${path}/${id}`);
          check(answer.status === 404, `${path}/{id} of another tenant was answered ${answer.status}`);
        }
      }
    },
  },
  {
    name: 'a transaction with two notes of one id, and one with lists without end',
    async run({ manager }) {
      const [document] = await manager.list<Record<string, unknown> & { id: string; notes: object[] }>(
        '/crud/transactions',
      );
      check(document !== undefined, 'there is no transaction');
      const twice = { ...document, notes: [...document.notes, ...document.notes] };
      refused(await manager.json('PUT', `/crud/transactions/${document.id}`, twice), [400]);
      const endless = { ...document, industries: Array.from({ length: 20_000 }, (_, at) => `Industry ${at}`) };
      refused(await manager.json('PUT', `/crud/transactions/${document.id}`, endless), [400]);
    },
  },
  {
    name: 'JSON that is deep, or whose numbers are long',
    async run(stage) {
      const { manager } = stage;
      const bodies = [
        '['.repeat(100_000) + ']'.repeat(100_000),
        `{"a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
        `{"loanTapeId":1e${'9'.repeat(8)}}`,
        `{"loanTapeId":${'9'.repeat(500_000)}}`,
        `{"loanTapeId":0.${'1'.repeat(500_000)}}`,
      ];
      for (const body of bodies) {
        refused(await othersAreServed(stage, () => manager.json('POST', '/LTP/calculateBB', body), 3_000), [400, 404]);
      }
    },
  },
  {
    name: 'eight bodies at once that take long to parse',
    async run(stage) {
      const { manager } = stage;
      const fields = `{${Array.from({ length: 90_000 }, (_, at) => `"unknown${at}":1`).join()}}`;
      const rule = { originCol: 'Loan', targetCol: 'assetId', serializations: Array(20).fill({ type: 'trim' }) };
      const mapping = JSON.stringify({ loanTapeSheetName: 'Loans', rules: Array(14_000).fill(rule) });
      const bodies: [path: string, body: string][] = [
        ['/crud/transactions', fields],
        ['/crud/assetsETLs', mapping],
      ];
      for (const [path, body] of bodies) {
        // Encoded once: the time of this process counts in the waits that it measures.
        const call = { headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
        const send = () => Promise.all(Array.from({ length: 8 }, () => manager.call('POST', path, call)));
        const answers = await othersAreServed(stage, send, stage.maxWaitMs);
        for (const answer of answers) {
          refused(answer, [400]);
          check(answer.text.length < 10_000, `the answer is ${answer.text.length} characters long`);
        }
      }
    },
  },
  {
    name: 'the description of the API, again and again, by nobody',
    async run(stage) {
      const { target } = stage;
      for (const path of ['/docs', '/openapi.json']) {
        const ask = (headers: Record<string, string> = {}) => fetch(new URL(path, target.url), { headers });
        const first = await ask();
        const etag = first.headers.get('etag') ?? '';
        check(etag !== '', `${path} has no ETag`);
        await first.arrayBuffer();
        const many = () => Promise.all(Array.from({ length: 40 }, async () => (await ask()).arrayBuffer()));
        await othersAreServed(stage, many, stage.maxWaitMs);
        const again = await ask({ 'if-none-match': etag });
        check(again.status === 304, `${path} was answered ${again.status} to a caller that has it`);
      }
    },
  },
  {
    name: 'patterns that take for ever',
    async run(stage) {
      const { manager } = stage;
      for (const pattern of ['(a+)+$', '(a|a)*b', `${'a{1,500}'.repeat(10)}`, '(.*)*x']) {
        const filter = encodeURIComponent(JSON.stringify({ assetId: { regex: pattern } }));
        const answer = await othersAreServed(stage, () => manager.call('GET', `/crud/assets?filter=${filter}`), 5_000);
        check(problemOf(answer) === null, `${pattern}: ${problemOf(answer)}`);
      }
    },
  },
];

/** Any response is allowed unless it is a failure of the product. */
function standing(answer: Answer): void {
  check(problemOf(answer) === null, problemOf(answer) ?? '');
}
