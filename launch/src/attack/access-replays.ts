import { Caller } from '../client/caller.ts';
import {
  check,
  publishedTape,
  type Replay,
  refused,
  type SignedIn,
  type Stage,
  standing,
  type Titled,
} from './stage.ts';

interface Colleague {
  readonly name: string;
  /** Of a role of their own. Default: the role of the manager who invites. */
  readonly permissions?: readonly string[];
  readonly exclusiveResources?: readonly string[];
}

/** A new user of the manager's who has signed in. */
export async function colleagueOf(
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

export const of = (list: string, filter: object): string =>
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

/** Attacks on what somebody may read, change and give. */
export const ACCESS_REPLAYS: readonly Replay[] = [
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
];
