import { NOBODY_TOLD } from '@tapeline/domain/communication/announcement.schema.ts';
import { beforeAll, expect, it, vi } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenantWithoutMappings } from './tenant.ts';

const tenant = ownTenantWithoutMappings();
let manager: ScreenClient;
let investor: ScreenClient;
let borrower: ScreenClient;
beforeAll(async () => {
  [manager, investor, borrower] = (await Promise.all(
    [tenant.emails.manager, tenant.emails.investor, tenant.emails.borrower].map(screensOf),
  )) as [ScreenClient, ScreenClient, ScreenClient];
});

const PATIENT = { timeout: 60_000, interval: 500 };

type Fields = Readonly<Record<string, string>>;

/** Previews by the form, and returns the fields with which what was shown is published. */
async function preview(fields: Fields, file?: { name: string; text: string }): Promise<Fields> {
  const form = new FormData();
  form.append('csrf', manager.token);
  for (const [name, value] of Object.entries({ intent: 'preview', ...fields })) form.append(name, value);
  if (file) form.append('files', new File([file.text], file.name));
  const shown = await manager.send(paths.newAnnouncement(), form);
  expect(shown.status, shown.text).toBe(200);
  const kept = (shown.text.match(/<input[^>]*>/g) ?? []).flatMap((input) => {
    const [name = '', value = ''] = ['name', 'value'].map((one) => new RegExp(` ${one}="([^"]*)"`).exec(input)?.[1]);
    return /^(previewed|attachments)/.test(name) ? [[name, value] as const] : [];
  });
  return { ...fields, ...Object.fromEntries(kept), intent: 'preview', otherIntent: 'publish' };
}

/** Publishes by the form after its preview, and returns the address of the announcement. */
async function publish(fields: Fields, file?: { name: string; text: string }): Promise<string> {
  const answer = await manager.submit(paths.newAnnouncement(), await preview(fields, file));
  expect(answer.status, answer.text).toBe(302);
  return answer.headers.get('location') ?? '';
}

it('an announcement with a file is read by its audience and nobody else, and can be withdrawn', async () => {
  const address = await publish(
    {
      kind: 'companies',
      title: 'New account',
      description: 'Send payments to the **new** account. <script>alert(1)</script> [x](javascript:alert(1))',
    },
    { name: 'account.csv', text: 'IBAN\nGB29 NWBK 6016 1331 9268 19\n' },
  );
  expect((await borrower.get(paths.announcements())).text).toContain('New account');
  const page = await borrower.get(address);
  expect(page.text).toContain('<strong>new</strong>');
  expect(page.text).not.toMatch(/<script>alert|href="javascript/);
  const download = /href="(\/[^"]*download[^"]*)"/.exec(page.text)?.[1] ?? '';
  expect(download).not.toBe('');
  const fetched = await borrower.get(download);
  expect([200, 302]).toContain(fetched.status);

  expect((await investor.get(address)).status).toBe(404);
  expect((await investor.get(paths.announcements())).text).not.toContain('New account');
  expect((await investor.get(download)).status).toBe(404);
  expect((await investor.get(paths.newAnnouncement())).status).toBe(403);

  expect((await manager.get(address)).text).toContain('Read by');
  // Each email has its result, and can be sent again by the manager only.
  await vi.waitFor(async () => expect(read(await manager.get(address))).toMatch(/Result.*Sent/), PATIENT);
  const delivery = /name="id" value="([0-9a-f]{24})"/.exec((await manager.get(address)).text)?.[1] ?? '';
  expect((await borrower.submit(address, { intent: 'sendAgain', id: delivery })).status).toBe(403);
  expect((await manager.submit(address, { intent: 'sendAgain', id: delivery })).status).toBe(302);
  expect((await manager.get(address)).text).toContain('2 emails');
  expect((await manager.submit(address, { intent: 'tellRest', confirmed: 'yes' })).status).toBe(422);

  // It is asked first, also without scripts.
  const asked = await manager.submit(address, { intent: 'remove' });
  expect([asked.status, asked.headers.get('location')]).toEqual([302, `${address}?ask=remove`]);
  expect(read(await manager.get(`${address}?ask=remove`))).toContain('told of it. Its page and files say that');
  expect((await manager.submit(address, { intent: 'remove', confirmed: 'yes' })).status).toBe(302);
  const withdrawn = read(await borrower.get(address));
  expect(withdrawn).toContain('“New account” was withdrawn on');
  expect(withdrawn).not.toContain('Send payments');
  expect(withdrawn).not.toContain('Emails');
  expect(read(await manager.get(address))).toMatch(/was withdrawn on.*Emails/);
  const file = /\/documents\/([0-9a-f]{24})/.exec(page.text)?.[1] ?? '';
  expect(read(await borrower.get(paths.document(file)))).toContain('“New account” was withdrawn on');
  for (const path of [download, paths.documentContent(file)]) expect((await borrower.get(path)).status, path).toBe(404);
  const notified = (await borrower.api.get('/crud/notifications')).json as { title: string }[];
  const titles = notified.map(({ title }) => title);
  expect([titles.includes('Withdrawn: New account'), titles.includes('New account')]).toEqual([true, false]);
  // It was for nobody else, and says nothing to them.
  for (const path of [address, paths.document(file)]) expect((await investor.get(path)).status, path).toBe(404);
});

it('a preview shows what people would read and how many they are, and publishes nothing', async () => {
  const form = new FormData();
  const fields = {
    csrf: manager.token,
    intent: 'publish',
    otherIntent: 'preview',
    kind: 'companies',
    disableEmail: 'on',
  };
  for (const [name, value] of Object.entries({
    ...fields,
    title: 'Draft of a closing',
    description: 'It is **closed**.',
  })) {
    form.append(name, value);
  }
  form.append('files', new File(['# Agenda'], 'agenda.md', { type: '' }));
  form.append('files', new File(['MZ\0\x01'], 'setup.exe', { type: 'application/x-msdownload' }));
  const refused = await manager.send(paths.newAnnouncement(), form);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('setup.exe: Files of type application/x-msdownload are not accepted');
  form.delete('files');
  form.append('files', new File(['# Agenda'], 'agenda.md', { type: '' }));
  const shown = await manager.send(paths.newAnnouncement(), form);
  expect([shown.status, shown.text.includes('<strong>closed</strong>')]).toEqual([200, true]);
  expect(shown.text).toMatch(/goes to [1-9]\d* (?:person|people)/);
  expect(read(shown)).toMatch(/Who is told [1-9]\d* (?:person|people), in the product, without emails/);
  expect(read(shown)).toContain(tenant.emails.borrower);
  expect(shown.text).toMatch(/With 1 file/);
  // What was entered is kept, with the stored file.
  expect(shown.text).toMatch(/value="Draft of a closing"/);
  expect(shown.text).toMatch(/name="attachments\[0\]\.name" value="agenda\.md"/);
  for (const screens of [manager, borrower]) {
    expect((await screens.get(paths.announcements())).text).not.toContain('Draft of a closing');
  }
});

it('the call warns of an announcement of which nobody is told', async () => {
  const entity = { name: 'Lone Pine', formalId: 'LP-LONE', nationality: { country: 'US' } };
  const { json: lone } = await tenant.manager.post('/crud/LPs', { title: 'Lone Pine', entity });
  const announce = (id?: string) => ({ resource: { kind: 'LPs', id }, title: 'Meeting', description: 'In May.' });
  const answer = await tenant.manager.post('/crud/announcements', [announce(lone.id), announce()]);
  expect([answer.status, answer.json.map((one: { warnings?: string[] }) => one.warnings)], answer.text).toEqual([
    201,
    [[NOBODY_TOLD], undefined],
  ]);
});

it('only what the preview showed is published', async () => {
  const fields = { kind: 'companies', title: 'Moved', description: 'We have moved.' };
  const shown = await preview(fields);
  const changes: Fields[] = [{ description: 'We have not moved.' }, { kind: 'all' }, { previewed: '' }];
  for (const changed of changes) {
    const answer = await manager.submit(paths.newAnnouncement(), { ...shown, ...changed });
    expect([answer.status, read(answer).includes('This is not what the preview showed')]).toEqual([422, true]);
  }
  expect((await manager.submit(paths.newAnnouncement(), shown)).status).toBe(302);
});

it('a form with a mistake says where, and keeps what was entered', async () => {
  const form = new FormData();
  const fields = { csrf: manager.token, intent: 'publish', kind: 'all', title: 'x'.repeat(251), description: 'A text' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const answer = await manager.send(paths.newAnnouncement(), form);
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('x'.repeat(251));
  expect(answer.text).toContain('A text');
  expect(answer.text).toMatch(/250/);
});
