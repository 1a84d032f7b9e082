import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { fieldsOf, read, type ScreenClient, screensOf } from './screen-client.ts';
import { secondManager } from './second-manager.ts';
import { ownTenant } from './tenant.ts';

/** All of it without JavaScript, and over REST. */
const tenant = ownTenant();
let preparer: ScreenClient;
let other: ScreenClient;
let fund: string;
let investor: string;

const usd = (sum: number) => ({ sum, currency: 'USD' });
async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

let calls = 0;
const callBody = (sum: number, more: object = {}) => {
  calls += 1;
  return {
    fund,
    callNumber: `T${calls}`,
    cutOffDate: '2026-03-02',
    dueDate: '2026-03-20',
    amount: usd(sum),
    callPurposes: [{ title: 'A loan', kind: 'investments', amount: sum }],
    ...more,
  };
};
const draft = async (sum: number) => (await created('/crud/contributions', callBody(sum)))[0];

const SETTINGS = paths.secondPerson();
const AT_CALLS = { 'calls.when': 'from', 'calls.amount.sum': '1,000', 'calls.amount.currency': 'USD' };
const settingsForm = async (client: ScreenClient) =>
  fieldsOf(await client.get(SETTINGS), 'calls.when') as Record<string, string>;
async function saveRules(client: ScreenClient, fields: Record<string, string>) {
  const form = await settingsForm(client);
  return client.submit(SETTINGS, { ...form, intent: 'rules', ...fields });
}

beforeAll(async () => {
  preparer = await screensOf(tenant.emails.manager);
  other = await screensOf(await secondManager(tenant.emails.manager));
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 400_000, hardCap: 400_000 };
  fund = (await created('/crud/funds', { title: 'Quay Fund', ...terms })).id;
  const entity = { name: 'Okavango Life', formalId: 'LP-OKA', nationality: { country: 'US' } };
  investor = (await created('/crud/LPs', { title: 'Okavango Life', entity })).id;
  await created('/crud/LPCommitments', {
    fund,
    investor: { id: investor, kind: 'LP' },
    closingDate: '2026-01-15',
    maxCommitment: usd(300_000),
  });
  const saved = await saveRules(preparer, AT_CALLS);
  expect([saved.status, saved.headers.get('location')]).toEqual([302, paths.secondPerson({ done: 'saved' })]);
});

describe('the setting', () => {
  it('applies at once if it asks more often, and otherwise once another person confirms it', async () => {
    expect(await settingsForm(preparer)).toMatchObject({ 'calls.when': 'from', 'calls.amount.sum': '1,000.00' });
    const proposed = await saveRules(preparer, { 'distributions.when': 'never', 'calls.when': 'never' });
    expect(proposed.headers.get('location')).toBe(paths.secondPerson({ done: 'proposed' }));
    const own = await preparer.get(SETTINGS);
    expect(read(own)).toContain('You proposed on');
    expect(own.text).not.toContain('value="confirm"');
    const { managerVersion = '' } = await settingsForm(preparer);
    const forced = await preparer.submit(SETTINGS, { intent: 'confirm', managerVersion });
    expect([forced.status, read(forced)]).toEqual([422, expect.stringContaining('somebody else must confirm it')]);
    expect(read(await other.get(SETTINGS))).toContain('proposed on');
    const declined = await other.submit(SETTINGS, { intent: 'discard', managerVersion });
    expect(declined.headers.get('location')).toBe(paths.secondPerson({ done: 'discarded' }));
    expect(await settingsForm(other)).toMatchObject({ 'calls.when': 'from' });
  });

  it('names the field of an amount that is missing, zero or without a currency', async () => {
    for (const [fields, text] of [
      [{ 'calls.amount.sum': '' }, 'Enter an amount'],
      [{ 'calls.amount.sum': '0' }, 'must be above 0'],
      [{ 'calls.amount.sum': '5', 'calls.amount.currency': '' }, 'currency'],
    ] as const) {
      const answer = await saveRules(preparer, fields);
      expect([answer.status, read(answer)]).toEqual([422, expect.stringContaining(text)]);
    }
  });

  it('is shown and changed over REST by administrators, of whom another one confirms', async () => {
    const admin = await signedIn('admin@tapeline.test');
    const [mine] = (await tenant.manager.get('/crud/managers')).json;
    const manager = (await admin.get(`/crud/managers/${mine.id}`)).json;
    expect(manager).toMatchObject({
      secondPerson: { calls: { when: 'from', amount: usd(1000) }, distributions: { when: 'never', amount: null } },
      secondPersonProposal: null,
    });
    const secondPerson = { ...manager.secondPerson, calls: { when: 'never' } };
    const changed = await admin.call('PUT', `/crud/managers/${mine.id}`, { body: { ...manager, secondPerson } });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.json).toMatchObject({
      secondPerson: { calls: { when: 'from' } },
      secondPersonProposal: { rules: { calls: { when: 'never' } } },
    });
    const again = { ...changed.json, secondPerson };
    const same = await admin.call('PUT', `/crud/managers/${mine.id}`, { body: again });
    expect(same.json).toMatchObject({ secondPerson: { calls: { when: 'from' } } });
    const { managerVersion = '' } = await settingsForm(other);
    await other.submit(SETTINGS, { intent: 'discard', managerVersion });
    const none = await admin.call('PUT', `/crud/managers/${mine.id}`, {
      body: { ...same.json, version: same.json.version + 1, secondPerson: { calls: { when: 'from' } } },
    });
    expect(none.status).toBe(400);
  });
});

describe('over REST', () => {
  it('who prepared a call issues it below the amount only', async () => {
    const below = await tenant.manager.post('/crud/contributions', callBody(999, { status: 'Active' }));
    expect(below.status, below.text).toBe(201);
    const reaching = await tenant.manager.post('/crud/contributions', callBody(1000, { status: 'Active' }));
    expect([reaching.status, reaching.json.flags]).toEqual([400, { status: 'needs a second person' }]);

    const line = await draft(1000);
    expect(line.secondPerson).toEqual({
      isNeeded: true,
      preparedBy: 'Mara Holt',
      submittedAt: null,
      returned: null,
    });
    // As it was read, and with the status alone.
    const step = { id: line.id, version: line.version, status: 'Active' };
    const issue = (client: ScreenClient, body: object = { ...line, status: 'Active' }) =>
      client.api.call('PUT', '/crud/contributions/bulk', { body: [body] });
    for (const body of [undefined, step]) {
      const refused = await issue(preparer, body);
      expect([refused.status, refused.json.flags]).toEqual([400, { status: 'needs a second person' }]);
    }
    // Changing it and issuing it is preparing it.
    const changed = await issue(other, { ...line, status: 'Active', trailingDescription: 'Pay by noon.' });
    expect(changed.status).toBe(400);
    const issued = await issue(other);
    expect(issued.status, issued.text).toBe(200);
    expect(issued.json[0]).toMatchObject({ secondPerson: null });
    const dry = await tenant.manager.post('/crud/contributions', callBody(1000, { dryRun: true }));
    expect(dry.json[0].warnings).toContain('Somebody else must issue it: your firm requires a second person');
  });
});

describe('the calls to submit and to return', () => {
  const COLLECTIONS = ['contributions', 'distributions'] as const;
  type Name = (typeof COLLECTIONS)[number];
  type Line = { id: string; version: number; secondPerson: { submittedAt: string | null } };
  /** A part for each of two investors. */
  const prepared = async (name: Name, sum: number): Promise<Line[]> => {
    if (name === 'contributions') return created('/crud/contributions', { ...callBody(sum), fund: shared });
    calls += 1;
    return created('/crud/distributions', {
      fund: shared,
      callNumber: `T${calls}`,
      cutOffDate: '2026-03-02',
      distributionKind: 'Interest',
      principal: usd(0),
      components: [{ title: 'Interest', amount: usd(sum), actionType: 'INTEREST' }],
    });
  };
  const seen = (lines: readonly Line[]) => lines.map(({ id, version }) => ({ id, version }));
  const ask = (client: ScreenClient, name: Name, step: 'submit' | 'return', documents: unknown, more: object = {}) =>
    client.api.post(`/crud/${name}/${step}`, { documents, ...more });
  let shared: string;

  beforeAll(async () => {
    const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 400_000, hardCap: 400_000 };
    shared = (await created('/crud/funds', { title: 'Pier Fund', ...terms })).id;
    const entity = { name: 'Limpopo Life', formalId: 'LP-LIM', nationality: { country: 'US' } };
    const second = (await created('/crud/LPs', { title: 'Limpopo Life', entity })).id;
    for (const id of [investor, second]) {
      const commitment = { investor: { id, kind: 'LP' }, closingDate: '2026-01-15', maxCommitment: usd(50_000) };
      await created('/crud/LPCommitments', { fund: shared, ...commitment });
    }
    await saveRules(preparer, {
      ...AT_CALLS,
      'distributions.when': 'from',
      'distributions.amount.sum': '1,000',
      'distributions.amount.currency': 'USD',
    });
  });

  it.each(COLLECTIONS)(
    'carry %s from who prepared them to another, back with a reason, and to the issue',
    async (name) => {
      const lines = await prepared(name, 1000);
      expect(lines).toHaveLength(2);
      const early = await ask(other, name, 'return', seen(lines), { reason: 'The fee is missing.' });
      expect([early.status, early.json.flags]).toEqual([400, { status: 'does not wait for you' }]);
      const foreign = await ask(other, name, 'submit', seen(lines));
      expect([foreign.status, foreign.json.flags]).toEqual([400, { status: 'needs no other person' }]);

      const submitted = await ask(preparer, name, 'submit', seen(lines));
      expect(submitted.status, submitted.text).toBe(200);
      expect(submitted.json.map(({ id }: Line) => id)).toEqual(lines.map(({ id }) => id));
      expect(submitted.json.map((line: Line) => typeof line.secondPerson.submittedAt)).toEqual(['string', 'string']);
      expect(read(await other.get(paths.approvals()))).toContain(`T${calls}`);
      const twice = await ask(preparer, name, 'submit', seen(lines));
      expect([twice.status, twice.json.flags]).toEqual([400, { status: 'is submitted' }]);

      const own = await ask(preparer, name, 'return', seen(lines), { reason: 'The fee is missing.' });
      expect([own.status, own.json.flags]).toEqual([400, { status: 'does not wait for you' }]);
      const returned = await ask(other, name, 'return', seen(lines), { reason: ' The fee is missing. ' });
      expect(returned.status, returned.text).toBe(200);
      expect(returned.json[1].secondPerson).toMatchObject({
        submittedAt: null,
        returned: { by: 'Ines Roca', reason: 'The fee is missing.' },
      });
      const again = await ask(preparer, name, 'submit', seen(lines));
      expect(again.json[0].secondPerson).toMatchObject({ returned: null });
      const body = seen(lines).map((line) => ({ ...line, status: 'Active' }));
      const issued = await other.api.call('PUT', `/crud/${name}/bulk`, { body });
      expect(issued.status, issued.text).toBe(200);
      const late = await ask(other, name, 'return', seen(issued.json), { reason: 'Too late.' });
      expect([late.status, late.json.message]).toEqual([400, expect.stringContaining('It was issued already')]);
    },
  );

  it.each(COLLECTIONS)(
    'of %s need the amount, all parts, their versions, a reason and the right to issue',
    async (name) => {
      const small = await ask(preparer, name, 'submit', seen(await prepared(name, 999.99)));
      expect([small.status, small.json.flags]).toEqual([400, { status: 'needs no other person' }]);
      const lines = await prepared(name, 1000);
      const [first] = seen(lines);
      const half = await ask(preparer, name, 'submit', [first]);
      expect([half.status, half.json.flags]).toEqual([400, { documents: 'must name all parts' }]);
      const stale = await ask(preparer, name, 'submit', [{ ...first!, version: first!.version + 1 }, seen(lines)[1]]);
      expect([stale.status, stale.json.flags]).toEqual([400, { 'documents.0.version': 'is not the latest' }]);
      for (const documents of [[], [first, first], undefined]) {
        const wrong = await ask(preparer, name, 'submit', documents);
        expect([wrong.status, Object.keys(wrong.json.flags)]).toEqual([400, ['documents']]);
      }
      for (const reason of [undefined, ' ', 'x'.repeat(501)]) {
        const wrong = await ask(other, name, 'return', seen(lines), { reason });
        expect([wrong.status, Object.keys(wrong.json.flags)]).toEqual([400, ['reason']]);
      }
      // One that fails leaves the others as they were.
      const both = await ask(preparer, name, 'submit', [...seen(lines), ...seen(await prepared(name, 999.99))]);
      expect(both.status).toBe(400);
      expect((await ask(preparer, name, 'submit', seen(lines))).status).toBe(200);
      expect((await ask(other, name, 'return', seen(lines), { reason: 'x'.repeat(500) })).status).toBe(200);

      for (const email of [tenant.emails.analyst, tenant.emails.investor, tenant.emails.borrower]) {
        const client = await signedIn(email);
        for (const step of ['submit', 'return']) {
          const answer = await client.post(`/crud/${name}/${step}`, { documents: seen(lines), reason: 'No.' });
          expect([email, answer.status]).toEqual([email, 403]);
        }
      }
      const stranger = await signedIn('manager@tapeline.test');
      expect((await stranger.post(`/crud/${name}/submit`, { documents: seen(lines) })).status).toBe(404);
    },
  );

  it('answer one of two people at once', async () => {
    const lines = seen(await prepared('contributions', 1000));
    const both = await Promise.all([1, 2].map(() => ask(preparer, 'contributions', 'submit', lines)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const body = lines.map((line) => ({ ...line, status: 'Active' }));
    const [returned, issued] = await Promise.all([
      ask(other, 'contributions', 'return', lines, { reason: 'Wait.' }),
      other.api.call('PUT', '/crud/contributions/bulk', { body }),
    ]);
    const [stored] = (await tenant.manager.get('/crud/contributions', { filter: { id: lines[0]!.id } })).json;
    // A returned draft can still be issued by another; what is issued is never returned.
    expect(issued.status, issued.text).toBe(200);
    expect([200, 400]).toContain(returned.status);
    expect(stored).toMatchObject({ status: 'Active', secondPerson: null });
  });
});

describe('on the screens', () => {
  it('a call is submitted, returned with a reason, submitted again and issued', async () => {
    const line = await draft(2500);
    const id = line.metadata.bundleId;
    const page = paths.capitalCall(id);
    const panel = paths.approval('call', id);
    const own = await preparer.get(page);
    expect(read(own)).toContain('You prepared this call, so somebody else must issue it.');
    expect(own.text).not.toContain('ask=issue');
    expect((await other.get(panel)).status).toBe(404);

    const { headerVersion = '' } = fieldsOf(own, 'headerVersion');
    const forced = await preparer.submit(page, { intent: 'issue', headerVersion, confirmed: 'yes' });
    expect([forced.status, read(forced)]).toEqual([422, expect.stringContaining('somebody else must issue it')]);
    const submitted = await preparer.submit(page, { intent: 'submit', headerVersion });
    expect([submitted.status, submitted.headers.get('location')]).toEqual([302, page]);
    expect(read(await preparer.get(page))).toContain('You submitted this call on');
    expect(read(await preparer.get(paths.approvals({ tab: 'others' })))).toContain('2,500.00');

    const asked = await other.get(panel);
    expect(read(asked)).toMatch(/Prepared by Mara Holt/);
    expect(read(await other.get(page))).toContain('Mara Holt prepared this call. You can issue it');
    const { seenVersion = '' } = fieldsOf(asked, 'seenVersion');
    const empty = await other.submit(panel, { intent: 'returnCall', seenVersion, reason: ' ' });
    expect(empty.status).toBe(422);
    expect(read(await other.get(paths.approval('call', id, { ask: 'reject' })))).toContain('gets the reason by email');
    const returned = await other.submit(panel, { intent: 'returnCall', seenVersion, reason: 'The fee is missing.' });
    expect([returned.status, returned.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('handed=returned'),
    ]);
    expect(read(await other.get(returned.headers.get('location')!))).toContain('It was returned to who prepared it');
    expect(read(await preparer.get(page))).toContain('Ines Roca returned this call on');
    expect(read(await preparer.get(paths.notifications()))).toContain('was returned');

    const again = await preparer.submit(panel, { intent: 'submitCall', seenVersion });
    expect([again.status, again.headers.get('location')]).toEqual([302, expect.stringContaining('handed=submitted')]);
    const blocked = await preparer.get(panel);
    expect(read(blocked)).toContain('You prepared it, so somebody else must issue it.');
    const issued = await other.submit(panel, { intent: 'issueCall', seenVersion, confirmed: 'yes' });
    expect([issued.status, issued.headers.get('location')]).toEqual([302, expect.stringContaining(`done=call-${id}`)]);
    expect(read(await preparer.get(paths.notifications()))).toContain('was issued');
    const decided = read(await preparer.get(paths.approvals({ tab: 'decided' })));
    expect(decided).toContain('Ines Roca');
  });

  it('a new call is saved and submitted from its review', async () => {
    const at = paths.newCapitalCall({ fund });
    const { callNumber: _, ...entered } = fieldsOf(await preparer.get(at), 'callNumber') as Record<string, string>;
    const form = {
      ...entered,
      callNumber: 'R1',
      amount: '3000',
      cutOffDate: '2026-03-02',
      dueDate: '2026-03-20',
      'callPurposes[0].title': 'A loan',
      'callPurposes[0].kind': 'investments',
      'callPurposes[0].amount': '3000',
      intent: 'review',
    };
    const review = await preparer.submit(at, form);
    expect(review.status, read(review).slice(0, 600)).toBe(200);
    expect(read(review)).toContain('Somebody else must issue it');
    expect(read(review)).toContain('Save and submit');
    expect(read(review)).not.toContain('Issue 3,000.00 USD');
    const saved = await preparer.submit(at, { ...form, intent: 'submit' });
    expect(saved.status, read(saved).slice(0, 600)).toBe(302);
    expect(read(await preparer.get(saved.headers.get('location')!))).toContain('You submitted this call on');
    const small = { ...form, callNumber: 'R2', amount: '999.99', 'callPurposes[0].amount': '999.99' };
    expect(read(await preparer.submit(at, small))).toContain('Issue 999.99 USD, due ');
  });
});
