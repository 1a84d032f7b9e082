import { beforeAll, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let manager: ScreenClient;
let borrower: ScreenClient;
let company: string;
let note: string;

beforeAll(async () => {
  manager = await screensOf(tenant.emails.manager);
  borrower = await screensOf(tenant.emails.borrower);
  const [facility] = (
    await tenant.manager.get('/crud/transactions', { filter: { title: 'Northwind warehouse facility' } })
  ).json;
  company = facility.company;
  note = facility.notes[0].id;
});

const today = new Date().toISOString().slice(0, 10);
/** The last day of the month so many months ago. */
const monthEnd = (monthsAgo: number): string => {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - monthsAgo, 0)).toISOString().slice(0, 10);
};
const PERIOD = monthEnd(3);

const TERMS = {
  intent: 'create',
  kind: 'financialStatements',
  frequency: 'once',
  firstPeriodEnd: PERIOD,
  daysAfter: '10',
  daysUnit: 'calendar',
  businessDayRule: 'none',
  calendar: 'weekdays',
  needsReview: 'on',
  due: 'on',
};

/** Creates a deliverable with the plain form. @returns its id */
async function create(fields: Record<string, string>): Promise<string> {
  const answer = await manager.submit(paths.newDeliverable({ company }), { ...TERMS, ...fields });
  expect(answer.status, read(answer).slice(0, 3000)).toBe(302);
  return answer.headers.get('location')?.split('/').at(-1) ?? '';
}

function send(client: ScreenClient, id: string, file: Blob | null) {
  const form = new FormData();
  form.set('csrf', client.token);
  form.set('intent', 'create');
  form.set('remark', 'Unaudited');
  if (file) form.set('upload', file, 'Accounts.csv');
  return client.send(paths.deliverableStep(id, 'send', { period: PERIOD }), form);
}

const stateOf = async (id: string) => (await tenant.manager.get(`/crud/deliverables/${id}`)).json.items[0];

test('a borrower sends what it owes, the manager returns it with a reason, and then accepts it, without scripts', async () => {
  const id = await create({ title: 'Management accounts' });
  expect((await tenant.manager.get(`/crud/deliverables/${id}`)).json.reminders).toEqual(['due']);
  expect(read(await manager.get(paths.deliverables()))).toContain('Management accounts');
  const home = read(await borrower.get(paths.home()));
  for (const words of ['To deliver', 'Management accounts', 'Send file']) expect(home).toContain(words);
  expect(read(await manager.get(paths.home()))).toContain('Management accounts');

  expect(read(await send(borrower, id, null))).toContain('Choose the file to send');
  const sent = await send(borrower, id, new Blob(['Line,Amount\r\nCash,1'], { type: 'text/csv' }));
  expect(sent.status, read(sent).slice(0, 2000)).toBe(302);
  expect(await stateOf(id)).toMatchObject({ state: 'received', isToReview: true, sent: { fileName: 'Accounts.csv' } });
  const panel = await manager.get(paths.deliverable(id, { period: PERIOD }));
  for (const words of ['Accounts.csv', 'Unaudited', 'Accept', 'Return']) expect(read(panel)).toContain(words);
  const file = /href="([^"]*download[^"]*)"/.exec(panel.text)?.[1] ?? '';
  expect([200, 302]).toContain((await manager.get(file.replaceAll('&amp;', '&'))).status);

  const short = await manager.submit(paths.deliverableStep(id, 'return', { period: PERIOD }), {
    intent: 'create',
    reason: 'No',
  });
  expect(short.status).toBe(422);
  const returned = await manager.submit(paths.deliverableStep(id, 'return', { period: PERIOD }), {
    intent: 'create',
    reason: 'Page 3 is missing',
  });
  expect(returned.status).toBe(302);
  expect(read(await borrower.get(paths.deliverableStep(id, 'send', { period: PERIOD })))).toContain(
    'Page 3 is missing',
  );
  await send(borrower, id, new Blob(['Line,Amount\r\nCash,2'], { type: 'text/csv' }));
  await manager.submit(paths.deliverable(id, { period: PERIOD }), { intent: 'accept', period: PERIOD });
  expect((await stateOf(id)).state).toBe('accepted');
  expect(read(await borrower.get(paths.home()))).not.toContain('Management accounts');
});

test('a period is waived, and who is told of a reminder is shown before it is sent', async () => {
  const id = await create({ title: 'Insurance certificate', kind: 'insurance' });
  const remind = read(await manager.get(paths.deliverableStep(id, 'remind', { period: PERIOD })));
  for (const words of ['Recipients', tenant.emails.borrower]) expect(remind).toContain(words);
  const reminded = await manager.submit(paths.deliverableStep(id, 'remind', { period: PERIOD }), { intent: 'remind' });
  expect(reminded.status).toBe(302);
  expect(read(await manager.get(paths.deliverableStep(id, 'remind', { period: PERIOD })))).toContain(
    'already sent today',
  );
  const waived = await manager.submit(paths.deliverableStep(id, 'waive', { period: PERIOD }), {
    intent: 'create',
    reason: 'The policy is on file',
  });
  expect(waived.status).toBe(302);
  expect((await stateOf(id)).state).toBe('waived');
  expect((await manager.get(paths.deliverableStep(id, 'remind', { period: PERIOD }))).status).toBe(404);
  expect(read(await manager.get(paths.deliverables({ state: 'waived' })))).toContain('Insurance certificate');
});

test('the form refuses what does not fit, and a certificate without a note', async () => {
  const refused = await manager.submit(paths.newDeliverable({ company }), {
    ...TERMS,
    title: 'Certificate',
    kind: 'certificate',
  });
  expect(refused.status).toBe(422);
  expect(read(refused)).toContain('A certificate belongs to one note');
  const id = await create({ title: 'Certificate', kind: 'certificate', note });
  expect((await tenant.manager.get(`/crud/deliverables/${id}`)).json.note).toBe(note);
  const mid = await manager.submit(paths.newDeliverable({ company }), {
    ...TERMS,
    title: 'Monthly accounts',
    frequency: 'monthly',
    firstPeriodEnd: '2026-10-30',
  });
  expect(read(mid)).toContain('must be the last day of a month');
});

test('a borrower has no buttons of the manager, and nobody else sees it', async () => {
  const id = await create({ title: 'Audit report', kind: 'auditReport' });
  const panel = (await borrower.get(paths.deliverable(id, { period: PERIOD }))).text;
  expect(panel).toContain('/send?');
  for (const address of ['/waive?', '/remind?', '/edit"']) expect(panel).not.toContain(address);
  for (const step of ['return', 'waive', 'remind'] as const) {
    expect((await borrower.get(paths.deliverableStep(id, step, { period: PERIOD }))).status).toBe(403);
  }
  const demonstration = await screensOf('borrower@tapeline.test');
  expect((await demonstration.get(paths.deliverable(id))).status).toBe(404);
  expect((await demonstration.get(paths.deliverableStep(id, 'send', { period: PERIOD }))).status).toBe(404);
});
