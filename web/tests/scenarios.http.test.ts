import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ApiClient, signedIn } from './api-client.ts';
import { read, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';
import { createTwoNotes } from './two-notes.ts';

const tenant = ownTenant();
const stranger = ownTenant();
let manager: ApiClient;
let base: string;

const keep = (title: string, changes: object[], client = manager) =>
  client.post('/crud/scenarios', { borrowingBase: base, title, changes });
const certificateOf = async () => (await manager.get('/crud/borrowingBase', { filter: { id: base } })).json[0];
interface Line {
  label: string;
  certificate: { sum: number };
  scenario: { sum: number };
  difference: { sum: number };
}

beforeAll(async () => {
  manager = tenant.manager;
  base = (await createTwoNotes(manager)).bases.Senior ?? '';
});

it('shows what a lower rate and a default give beside the certificate, down to the loan', async () => {
  const certificate = await certificateOf();
  const created = await keep('Lower rate and a default', [
    { kind: 'rate', rule: 0, ratePercent: 90 },
    { kind: 'largestDefault', count: 1 },
  ]);
  expect(created.status, created.text).toBe(201);
  const { id } = created.json;
  const result = await manager.get(`/crud/scenarios/${id}/result`);
  expect(result.status, result.text).toBe(200);
  expect(result.json).toMatchObject({
    isScenario: true,
    borrowingBase: base,
    changes: ['Advance rate of Grade A: 100% → 90%', 'Default of the largest by Borrower id'],
  });
  expect(result.json.defaulted[0].keys).toHaveLength(1);
  const net = (result.json.lines as Line[]).find(({ label }) => label === 'Net borrowing base')!;
  expect(net.certificate).toEqual(certificate.netBB);
  expect(net.scenario.sum).toBeLessThan(net.certificate.sum);
  expect(net.difference.sum).toBeCloseTo(net.scenario.sum - net.certificate.sum, 8);
  const assets = await manager.get(`/crud/scenarios/${id}/assets`, { limit: 10 });
  expect(assets.json).toHaveLength(result.json.assets.count);
  expect(assets.json[0]).toMatchObject({
    before: { status: expect.any(String) },
    after: { status: expect.any(String) },
  });
  // The stored result is the same as the one that was just calculated.
  expect((await manager.get(`/crud/scenarios/${id}/result`)).json).toEqual(result.json);
  // The certificate is what it was, and the only borrowing base.
  expect(await certificateOf()).toEqual(certificate);
  const bases = (await manager.get('/crud/borrowingBase', { filter: { note: certificate.note } })).json;
  expect(bases.map((one: { id: string }) => one.id)).not.toContain(id);
});

it('refuses a change that does not fit, and who may not see or change it', async () => {
  const refused = await keep('Wrong', [{ kind: 'limit', rule: 9, value: 10 }]);
  expect(refused.status).toBe(400);
  expect(refused.json.flags).toEqual({ 'changes.0.rule': 'is not a concentration limit of the contract' });
  const created = await keep('Off', [{ kind: 'ruleOff', list: 'eligibilityRules', rule: 0 }]);
  expect(created.status, created.text).toBe(201);
  const borrower = await signedIn(tenant.emails.borrower);
  for (const client of [borrower, stranger.manager]) {
    expect([403, 404]).toContain((await client.get(`/crud/scenarios/${created.json.id}/result`)).status);
    expect([403, 404]).toContain((await keep('Theirs', [{ kind: 'haircut', percent: 5 }], client)).status);
  }
});

it('is composed and shown without JavaScript, and marked as no certificate', async () => {
  const screens = await screensOf(tenant.emails.manager);
  const form = paths.newScenario({ base });
  const stored = await screens.submit(form, {
    intent: 'create',
    kind: 'rate',
    title: 'Typed',
    rule: '-1',
    ratePercent: '70',
  });
  expect(stored.status, read(stored)).toBe(302);
  const page = stored.headers.get('location') as string;
  const id = page.split('/').at(-1) as string;
  const further = await screens.submit(paths.scenarioChange(id), {
    ...{ intent: 'create', kind: 'haircut', percent: '5', path: 'address.state', operator: 'eq', match: 'CA' },
  });
  expect(further.status, read(further)).toBe(302);
  expect(read(await screens.get(page))).toContain('Balances 5% lower where State is CA');
  const wrong = await screens.submit(paths.scenarioChange(id), {
    ...{ intent: 'create', kind: 'rate', rule: '-1', ratePercent: '60' },
  });
  expect(read(wrong)).toContain('repeats an earlier change');
  const shown = read(await screens.get(paths.whatIf(base, { scenario: [id] })));
  for (const text of ['Scenario, not a certificate', 'Default advance rate: 80% → 70%', 'Net borrowing base', 'Typed'])
    expect(shown).toContain(text);
});
