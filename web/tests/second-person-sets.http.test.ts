import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { fieldsOf, read, type ScreenClient, screensOf } from './screen-client.ts';
import { secondManager } from './second-manager.ts';
import { ownTenant } from './tenant.ts';

/** What has no header, and terms, with two people: without JavaScript, and over REST. */
const tenant = ownTenant();
let preparer: ScreenClient;
let other: ScreenClient;
let fund: string;
let investors: string[];
let commitment: string;

const usd = (sum: number) => ({ sum, currency: 'USD' });
async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

const SETTINGS = paths.secondPerson();
const RULES = {
  'writeOffs.when': 'from',
  'writeOffs.amount.sum': '1,000',
  'writeOffs.amount.currency': 'USD',
  'navs.when': 'from',
  'navs.amount.sum': '1,000',
  'navs.amount.currency': 'USD',
  'statements.when': 'always',
  'terms.when': 'always',
};
const saveRules = async (fields: Record<string, string>) => {
  const form = fieldsOf(await preparer.get(SETTINGS), 'calls.when') as Record<string, string>;
  return preparer.submit(SETTINGS, { ...form, intent: 'rules', ...fields });
};

beforeAll(async () => {
  preparer = await screensOf(tenant.emails.manager);
  other = await screensOf(await secondManager(tenant.emails.manager));
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 400_000, hardCap: 400_000 };
  fund = (await created('/crud/funds', { title: 'Weir Fund', ...terms })).id;
  investors = [];
  for (const name of ['Zambezi Life', 'Rovuma Life']) {
    const entity = { name, formalId: `LP-${name.slice(0, 3)}`, nationality: { country: 'US' } };
    const { id } = await created('/crud/LPs', { title: name, entity });
    investors.push(id);
    const made = await created('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2026-01-15',
      maxCommitment: usd(100_000),
    });
    commitment = made.id;
  }
  await created('/crud/contributions', {
    fund,
    callNumber: '1',
    cutOffDate: '2026-02-02',
    dueDate: '2026-02-20',
    amount: usd(100_000),
    callPurposes: [{ title: 'A loan', kind: 'investments', amount: 100_000 }],
    status: 'Active',
  });
  const saved = await saveRules(RULES);
  expect([saved.status, saved.headers.get('location')]).toEqual([302, paths.secondPerson({ done: 'saved' })]);
  const first = investors.map((id) => navOf(id, 10, '2026-02-28', 'Active'));
  await created('/crud/navs', first);
});

const navOf = (id: string, net: number, cutOffDate: string, status: 'Draft' | 'Active' = 'Draft') => ({
  ...{ fund, investor: { id, kind: 'LP' }, cutOffDate, gross: net, net, currency: 'USD', status },
});
let days = 0;
const nextDay = () => {
  days += 1;
  return new Date(Date.UTC(2026, 2, days)).toISOString().slice(0, 10);
};

type Name = 'writeOffs' | 'navs' | 'capitalAccounts';
type Line = { id: string; version: number; status: string; secondPerson: { submittedAt: string | null } };
const KINDS = {
  writeOffs: { kind: 'writeOff', intent: 'WriteOff' },
  navs: { kind: 'navs', intent: 'Navs' },
  capitalAccounts: { kind: 'statements', intent: 'Statements' },
} as const;
const NAMES = Object.keys(KINDS) as Name[];

/** The body of a document of two investors that adds up to this amount. */
const bodyOf = (name: Name, sum: number, status: 'Draft' | 'Active' = 'Draft', day = nextDay()) => {
  if (name === 'writeOffs') return [{ fund, cutOffDate: day, amount: usd(sum), status }];
  if (name === 'navs') return investors.map((id) => navOf(id, sum / 2, day, status));
  return investors.map((id) => ({ fund, investor: { id, kind: 'LP' }, cutOffDate: day, status }));
};
const prepared = async (name: Name, sum = 1000): Promise<Line[]> => created(`/crud/${name}`, bodyOf(name, sum));
const seen = (lines: readonly Line[]) => lines.map(({ id, version }) => ({ id, version }));
const ask = (client: ScreenClient, name: Name, step: 'submit' | 'return', documents: unknown, more: object = {}) =>
  client.api.post(`/crud/${name}/${step}`, { documents, ...more });
/** The panel of the request for these lines, as somebody finds it in the list. */
async function panelOf(client: ScreenClient, name: Name, tab?: 'others'): Promise<string> {
  const { kind } = KINDS[name];
  const list = await client.get(paths.approvals({ only: kind, tab }));
  const id = new RegExp(`/approvals/${kind}/([0-9a-f]{24})`).exec(list.text)?.[1];
  expect(id, read(list).slice(0, 400)).toBeDefined();
  return paths.approval(kind, id!);
}

describe('the setting', () => {
  it('has no amount for statements and terms, on the form and over REST', async () => {
    for (const name of ['statements', 'terms']) {
      const answer = await saveRules({ [`${name}.when`]: 'from' });
      expect([answer.status, read(answer)]).toEqual([422, expect.stringContaining('must be one of the choices')]);
    }
    const admin = await signedIn('admin@tapeline.test');
    const [mine] = (await tenant.manager.get('/crud/managers')).json;
    const manager = (await admin.get(`/crud/managers/${mine.id}`)).json;
    expect(manager.secondPerson).toMatchObject({
      writeOffs: { when: 'from', amount: usd(1000) },
      navs: { when: 'from', amount: usd(1000) },
      statements: { when: 'always', amount: null },
      terms: { when: 'always', amount: null },
    });
    const secondPerson = { ...manager.secondPerson, statements: { when: 'from', amount: usd(1) } };
    const wrong = await admin.call('PUT', `/crud/managers/${mine.id}`, { body: { ...manager, secondPerson } });
    expect([wrong.status, Object.keys(wrong.json.flags)]).toEqual([400, ['secondPerson.statements.when']]);
    // What was written before these kinds leaves them out, and they stay.
    const { calls, distributions } = manager.secondPerson;
    const kept = await admin.call('PUT', `/crud/managers/${mine.id}`, {
      body: { ...manager, secondPerson: { calls, distributions } },
    });
    expect(kept.json.secondPerson).toMatchObject({ navs: { when: 'from' }, terms: { when: 'always' } });
  });
});

it('offers no issue of what needs a second person on the NAVs tab, and does none', async () => {
  const cutOffDate = nextDay();
  await created('/crud/navs', bodyOf('navs', 1000, 'Draft', cutOffDate));
  const tab = paths.fund(fund, { view: 'navs' });
  const page = await preparer.get(tab);
  expect(page.text).not.toContain('value="issueNavs"');
  expect(page.text).toMatch(/href="\/approvals\/navs\/[0-9a-f]{24}"[^>]*>Approvals</);
  const version = /name="version"[^>]* value="(\d+)"/.exec(page.text)?.[1] ?? '';
  for (const client of [preparer, other]) {
    const refused = await client.submit(tab, { intent: 'issueNavs', confirmed: 'yes', cutOffDate, version });
    expect([refused.status, read(refused)]).toEqual([422, expect.stringContaining('These NAVs need a second person')]);
  }
  const discarded = await preparer.submit(tab, { intent: 'discardNavs', confirmed: 'yes', cutOffDate, version });
  expect(discarded.status).toBe(302);
});

describe.each(NAMES)('%s over REST', (name) => {
  it('are issued at once below the amount only', async () => {
    if (name !== 'capitalAccounts') {
      const below = await tenant.manager.post(`/crud/${name}`, bodyOf(name, 999.98, 'Active'));
      expect(below.status, below.text).toBe(201);
      expect(below.json[0]).toMatchObject({ status: 'Active', secondPerson: null });
    }
    const reaching = await tenant.manager.post(`/crud/${name}`, bodyOf(name, 1000, 'Active'));
    expect([reaching.status, reaching.json.flags]).toEqual([400, { status: 'needs a second person' }]);
  });

  it('go from who prepared them to another, back with a reason, and to the issue', async () => {
    const lines = await prepared(name);
    expect(lines.map(({ secondPerson }) => secondPerson)).toEqual(
      Array(2).fill({ isNeeded: true, preparedBy: 'Mara Holt', submittedAt: null, returned: null }),
    );
    const own = await preparer.api.call('PUT', `/crud/${name}/bulk`, {
      body: seen(lines).map((line) => ({ ...line, status: 'Active' })),
    });
    expect([own.status, own.json.flags]).toEqual([400, { status: 'needs a second person' }]);
    const half = await ask(preparer, name, 'submit', seen(lines).slice(0, 1));
    expect([half.status, half.json.flags]).toEqual([400, { documents: 'must name all parts' }]);
    const foreign = await ask(other, name, 'submit', seen(lines));
    expect([foreign.status, foreign.json.flags]).toEqual([400, { status: 'needs no other person' }]);
    const submitted = await ask(preparer, name, 'submit', seen(lines));
    expect(submitted.status, submitted.text).toBe(200);
    const twice = await ask(preparer, name, 'submit', seen(lines));
    expect([twice.status, twice.json.flags]).toEqual([400, { status: 'is submitted' }]);
    const returned = await ask(other, name, 'return', seen(lines), { reason: 'A value is missing.' });
    expect(returned.json[1].secondPerson).toMatchObject({
      submittedAt: null,
      returned: { by: 'Ines Roca', reason: 'A value is missing.' },
    });
    for (const email of [tenant.emails.analyst, tenant.emails.investor]) {
      const client = await signedIn(email);
      const answer = await client.post(`/crud/${name}/submit`, { documents: seen(lines) });
      expect([email, answer.status]).toEqual([email, 403]);
    }
    const issued = await other.api.call('PUT', `/crud/${name}/bulk`, {
      body: seen(lines).map((line) => ({ ...line, status: 'Active' })),
    });
    expect(issued.status, issued.text).toBe(200);
    const late = await ask(other, name, 'return', seen(issued.json), { reason: 'Too late.' });
    expect([late.status, late.json.message]).toEqual([400, expect.stringContaining('It was issued already')]);
  });

  it('are submitted, returned and issued in Approvals', async () => {
    await prepared(name);
    const { intent } = KINDS[name];
    const view = name === 'capitalAccounts' ? 'documents' : 'navs';
    expect(read(await preparer.get(paths.fund(fund, { view })))).toContain('so somebody else must issue');
    const panel = await panelOf(preparer, name);
    expect((await other.get(panel)).status).toBe(404);
    const { seenVersion = '' } = fieldsOf(await preparer.get(panel), 'seenVersion');
    const submitted = await preparer.submit(panel, { intent: `submit${intent}`, seenVersion });
    expect([submitted.status, submitted.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('handed=submitted'),
    ]);
    expect(read(await preparer.get(panel))).toMatch(/somebody else must issue (it|them)\./);
    const asked = await other.get(panel);
    expect(read(asked)).toMatch(/Prepared by Mara Holt/);
    expect(read(asked)).toContain('Zambezi Life');
    expect(read(await other.get(paths.fund(fund, { view })))).toContain('Mara Holt prepared');
    const empty = await other.submit(panel, { intent: `return${intent}`, seenVersion, reason: ' ' });
    expect(empty.status).toBe(422);
    const returned = await other.submit(panel, { intent: `return${intent}`, seenVersion, reason: 'A value is wrong.' });
    expect(returned.headers.get('location')).toContain('handed=returned');
    expect(read(await preparer.get(panel))).toContain('A value is wrong.');
    expect(read(await preparer.get(paths.notifications()))).toContain('returned');
    await preparer.submit(panel, { intent: `submit${intent}`, seenVersion });
    const stale = await other.submit(panel, { intent: `issue${intent}`, seenVersion: '99', confirmed: 'yes' });
    expect(stale.status).toBe(422);
    const issued = await other.submit(panel, { intent: `issue${intent}`, seenVersion, confirmed: 'yes' });
    expect([issued.status, issued.headers.get('location')]).toEqual([302, expect.stringContaining('done=')]);
    expect(read(await preparer.get(paths.approvals({ tab: 'decided' })))).toContain('Ines Roca');
  });
});

it('a form that issues at once says at the status that another must issue it', async () => {
  const at = paths.newWriteOff({ fund });
  const form = fieldsOf(await preparer.get(at), 'cutOffDate') as Record<string, string>;
  const entered = { ...form, intent: 'create', cutOffDate: nextDay(), amount: '1000', status: 'Active' };
  const refused = await preparer.submit(at, entered);
  expect([refused.status, read(refused)]).toEqual([422, expect.stringContaining('somebody else must issue it')]);
  expect((await preparer.submit(at, { ...entered, status: 'Draft' })).status).toBe(302);
});

describe('a change of terms', () => {
  const letter = { from: '2026-04-01', title: 'Founder', terms: { management: { committed: 1 } } };

  it('of a fund is proposed with a warning, and confirmed over REST by another', async () => {
    const before = (await tenant.manager.get(`/crud/funds/${fund}`)).json;
    const feeTerms = [{ Class: null, from: '2026-04-01', terms: { management: { committed: 2 } } }];
    const put = await preparer.api.call('PUT', `/crud/funds/${fund}`, { body: { ...before, feeTerms } });
    expect([put.status, put.json.feeTerms]).toEqual([200, []]);
    expect(put.json.warnings).toEqual([expect.stringContaining('The change of terms is proposed')]);
    const at = `/crud/funds/${fund}/terms`;
    const proposal = await other.api.get(`${at}/proposal`);
    expect(proposal.json).toMatchObject({ feeTerms, preparedBy: 'Mara Holt', returned: null });
    const { version } = proposal.json;
    expect((await other.api.get(`/crud/LPCommitments/${fund}/terms/proposal`)).status).toBe(404);
    const now = (await tenant.manager.get(`/crud/funds/${fund}`)).json;
    for (const committed of [2, 3]) {
      const terms = [{ ...feeTerms[0], terms: { management: { committed } } }];
      const second = await preparer.api.call('PUT', `/crud/funds/${fund}`, { body: { ...now, feeTerms: terms } });
      expect([second.status, second.json.flags], second.text).toEqual([400, { terms: 'are proposed already' }]);
    }
    const own = await preparer.api.post(`${at}/confirm`, { version });
    expect([own.status, own.json.flags]).toEqual([400, { terms: 'needs a second person' }]);
    expect((await other.api.post(`${at}/confirm`, { version: version + 1 })).status).toBe(400);
    expect((await other.api.post(`${at}/return`, { version, reason: ' ' })).status).toBe(400);
    expect((await (await signedIn(tenant.emails.analyst)).post(`${at}/confirm`, { version })).status).toBe(403);
    expect((await (await signedIn('manager@tapeline.test')).post(`${at}/confirm`, { version })).status).toBe(404);
    const confirmed = await other.api.post(`${at}/confirm`, { version });
    expect([confirmed.status, confirmed.json]).toEqual([200, { id: fund }]);
    expect((await other.api.get(`${at}/proposal`)).status).toBe(404);
    expect((await tenant.manager.get(`/crud/funds/${fund}`)).json.feeTerms).toMatchObject(feeTerms);
  });

  it('of an investor is returned, withdrawn and confirmed on the screens', async () => {
    const propose = async () => {
      const before = (await tenant.manager.get(`/crud/LPCommitments/${commitment}`)).json;
      const { irr: _i, netCapitalCalled: _n, recallableCapital: _r, percentage: _p, ...stored } = before;
      const put = await preparer.api.call('PUT', `/crud/LPCommitments/${commitment}`, {
        body: { ...stored, sideLetters: [letter] },
      });
      expect([put.status, put.json.sideLetters], put.text).toEqual([200, []]);
    };
    const page = paths.commitment(fund, commitment);
    const panel = paths.approval('investorTerms', commitment);
    await propose();
    expect((await other.api.get(`/crud/funds/${commitment}/terms/proposal`)).status).toBe(404);
    expect(read(await preparer.get(page))).toContain('You proposed a change of these terms');
    const own = await preparer.get(panel);
    expect(read(own)).toContain('You proposed these terms, so somebody else must confirm them.');
    let { seenVersion = '' } = fieldsOf(own, 'seenVersion');
    const forced = await preparer.submit(panel, { intent: 'confirmInvestorTerms', seenVersion, confirmed: 'yes' });
    expect(forced.status).toBe(422);
    expect(read(await other.get(panel))).toContain('1% on committed capital');
    const returned = await other.submit(panel, { intent: 'returnInvestorTerms', seenVersion, reason: 'Not signed.' });
    expect(returned.headers.get('location')).toContain('handed=returned');
    expect(read(await preparer.get(page))).toContain('Not signed.');
    await propose();
    ({ seenVersion = '' } = fieldsOf(await preparer.get(panel), 'seenVersion'));
    const withdrawn = await preparer.submit(panel, { intent: 'withdrawInvestorTerms', seenVersion });
    expect(withdrawn.headers.get('location')).toContain('handed=withdrawn');
    await propose();
    ({ seenVersion = '' } = fieldsOf(await other.get(panel), 'seenVersion'));
    const confirmed = await other.submit(panel, { intent: 'confirmInvestorTerms', seenVersion, confirmed: 'yes' });
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([302, expect.stringContaining('done=')]);
    const after = (await tenant.manager.get(`/crud/LPCommitments/${commitment}`)).json;
    expect(after.sideLetters).toMatchObject([letter]);
  });
});
