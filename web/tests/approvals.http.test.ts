import { Role, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { PERMISSION_KEYS } from '@tapeline/domain/people/actor.ts';
import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type DrawnNote, drawBody, drawnNote } from './drawn-note.ts';
import { productStore } from './product-store.ts';
import { read, type ScreenClient, screensOf } from './screen-client.ts';
import { inviteUser, ownTenant } from './tenant.ts';

const tenant = ownTenant();
const stranger = ownTenant();
let note: DrawnNote;
let manager: ScreenClient;
let borrower: ScreenClient;
beforeAll(async () => {
  note = await drawnNote(tenant.manager, '40000000');
  manager = await screensOf(tenant.emails.manager);
  borrower = await screensOf(tenant.emails.borrower);
});

async function requestDraw(sum: number, more: object = {}): Promise<string> {
  const asked = await borrower.api.post('/crud/transactionDraws', drawBody(note, sum, more));
  expect(asked.status, asked.text).toBe(201);
  return asked.json.id;
}
const stored = async (id: string) => (await manager.api.get(`/crud/transactionDraws/${id}`)).json;
const approve = async (client: ScreenClient, id: string, fields: object = { confirmed: 'yes' }) =>
  client.submit(paths.approval('draw', id), {
    intent: 'approveDraw',
    seenVersion: String((await stored(id)).version),
    ...fields,
  });

/** A person of the manager with some permissions only, or for whom a document is blocked. */
async function person(fields: { without?: string; blocked?: string }): Promise<ScreenClient> {
  const store = await productStore();
  const roleId = newId();
  const ready = { status: 'Active', isReadPrivacyAndTerms: true, isConfirmedUserDetails: true } as const;
  const { id, email } = await inviteUser(tenant.emails.manager, ready);
  await store.as(SYSTEM, async ({ em }) => {
    const user = await em.findOneOrFail(User, { id });
    const permissions = PERMISSION_KEYS.filter((key) => key !== fields.without);
    em.create(Role, {
      id: roleId,
      managerId: user.managerId!,
      title: `Role ${roleId}`,
      level: 5,
      permissions: [...permissions],
    });
    await em.flush();
    user.roleId = roleId;
    if (fields.blocked) user.exclusiveResources = [fields.blocked];
    await em.flush();
  });
  return screensOf(email);
}

it('a request is listed and counted for who decides it, and approved after one confirmation', async () => {
  const id = await requestDraw(1_234_567);
  const list = await manager.get(paths.approvals());
  expect(list.status).toBe(200);
  expect(read(list)).toContain('1,234,567.00');
  expect(read(await manager.get(paths.home()))).toContain('1,234,567.00');

  // Without JavaScript, the panel asks at an address of its own, and names the amount, the date and who is told.
  const asked = await approve(manager, id, {});
  expect([asked.status, asked.headers.get('location')]).toEqual([
    302,
    paths.approval('draw', id, { confirm: 'approve' }),
  ]);
  expect((await stored(id)).status).toBe('Pending');
  const question = read(await manager.get(paths.approval('draw', id, { confirm: 'approve' })));
  expect(question).toMatch(/Approve draw \d+: 1,234,567\.00 USD\?/);
  expect(question).toContain('due 9 Nov 2026');
  expect(question).toContain('The users of Northwind Consumer Loans are told by email');

  const next = await requestDraw(1_000_000, { cutOffDate: '2026-12-02', dueDate: '2026-12-09' });
  const done = await approve(manager, id);
  expect([done.status, done.headers.get('location')]).toEqual([
    302,
    paths.approval('draw', next, { done: `draw-${id}` }),
  ]);
  expect((await stored(id)).status).toBe('Approved');
  const after = read(await manager.get(done.headers.get('location')!));
  expect(after).toMatch(/Draw \d+ was approved: 1,234,567\.00 USD/);
  expect(read(await manager.get(paths.approvals({ tab: 'decided' })))).toContain('1,234,567.00');

  // Whoever decides what was decided meanwhile is told so.
  const again = await approve(manager, id, { confirmed: 'yes', seenVersion: '1' });
  expect([again.status, read(again)]).toEqual([422, expect.stringContaining('Someone else has changed this')]);
  const rejected = await manager.submit(paths.approval('draw', next), {
    intent: 'rejectDraw',
    drawVersion: String((await stored(next)).version),
    rejectionMessage: 'The tape of October is open',
  });
  expect([rejected.status, rejected.headers.get('location')]).toEqual([302, paths.approvals({ done: `draw-${next}` })]);
  expect(await stored(next)).toMatchObject({ status: 'Rejected', rejectionMessage: 'The tape of October is open' });
});

it('needs a reason to reject, the version that was seen, and an intent of its own kind', async () => {
  const id = await requestDraw(1_000_001, { cutOffDate: '2027-01-02', dueDate: '2027-01-09' });
  const { version } = await stored(id);
  const without = await manager.submit(paths.approval('draw', id), {
    intent: 'rejectDraw',
    drawVersion: String(version),
    rejectionMessage: ' ',
  });
  expect(without.status).toBe(422);
  const stale = await approve(manager, id, { confirmed: 'yes', seenVersion: String(version - 1) });
  expect(stale.status).toBe(422);
  const wrong = await manager.submit(paths.approval('draw', id), {
    intent: 'issueCall',
    seenVersion: String(version),
    confirmed: 'yes',
  });
  expect(wrong.status).toBe(404);
  const kind = await manager.get(`/approvals/payment/${id}`);
  expect(kind.status).toBe(404);
  const hostile = await manager.get(
    `${paths.approvals({ done: `draw-${'x'.repeat(3_000)}`, only: 'nothing', tab: 'nothing' })}&skip=-1`,
  );
  expect(hostile.status).toBe(200);
  expect((await stored(id)).status).toBe('Pending');
});

it('shows nothing of a request to those who may not see or decide it', async () => {
  const id = await requestDraw(7_654_321, { cutOffDate: '2027-02-02', dueDate: '2027-02-09' });
  const foreign = await screensOf(stranger.emails.manager);
  const cannotWrite = await person({ without: 'transactionDraw/write' });
  const isBlocked = await person({
    blocked: `companies/${(await manager.api.get('/crud/companies', { filter: { 'entity.name': 'Northwind Consumer Loans' } })).json[0].id}`,
  });
  for (const [name, client] of [
    ['foreign', foreign],
    ['without the permission', cannotWrite],
    ['blocked', isBlocked],
  ] as const) {
    for (const path of [paths.approvals(), paths.approvals({ tab: 'others' }), paths.approvals({ only: 'draw' })]) {
      const list = await client.get(path);
      expect([name, path, list.status]).toEqual([name, path, 200]);
      expect(list.text, `${name} ${path}`).not.toContain('7,654,321');
      expect(list.text, `${name} ${path}`).not.toContain(id);
    }
    expect([name, (await client.get(paths.approval('draw', id))).status]).toEqual([name, 404]);
    expect((await client.get(paths.home())).text, name).not.toContain('7,654,321');
    const tried = await approve(client, id);
    expect([name, [403, 404].includes(tried.status)]).toEqual([name, true]);
  }
  expect((await stored(id)).status).toBe('Pending');
});

it('is closed to borrowers and investors, who have no such item', async () => {
  for (const client of [borrower, await screensOf(tenant.emails.investor)]) {
    expect((await client.get(paths.approvals())).status).toBe(403);
    expect((await client.get(paths.home())).text).not.toContain('href="/approvals"');
  }
  expect((await manager.get(paths.home())).text).toContain('href="/approvals"');
});
