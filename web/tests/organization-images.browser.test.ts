import { systemActor } from '@tapeline/db/store.ts';
import { expect, inject, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityViolations, openDetails, openPage, scriptsReady, signIn } from './browser.ts';
import { productStore } from './product-store.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
/** One transparent pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });

it.each([true, false])('a logo is uploaded, shown, kept and removed (JavaScript: %s)', async (javaScript) => {
  const { manager, emails } = tenant;
  const [company] = (await manager.get('/crud/companies', { filter: { 'entity.name': 'Alder Auto' } })).json;
  const business = async () => (await manager.get(`/crud/companies/${company.id}`)).json.entity.business;
  const page = await openPage({ javaScript, expectedErrors: [/422/] });
  await signIn(page, emails.manager);
  await page.goto(paths.editCompany(company.id));
  if (javaScript) await scriptsReady(page);
  await openDetails(page);
  const save = () => page.getByRole('button', { name: 'Save' }).click();

  // What calls itself an image, and what is too large.
  await page.getByLabel('Logo').setInputFiles(file('logo.png', 'image/png', Buffer.from('<svg onload="alert(1)"/>')));
  await page
    .getByLabel('Icon')
    .setInputFiles(file('icon.png', 'image/png', Buffer.concat([PNG, Buffer.alloc(512 * 1024)])));
  await page.getByLabel('City').fill('Reno');
  await save();
  await page.getByText('Choose a PNG, JPEG, GIF or WebP image').first().waitFor();
  await page.getByText('An image has at most 512 KB').first().waitFor();
  expect(await page.getByLabel('City').first().inputValue()).toBe('Reno');
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);

  await page.goto(paths.editCompany(company.id));
  if (javaScript) await scriptsReady(page);
  await openDetails(page);
  await page.getByLabel('Logo').setInputFiles(file('logo.png', 'image/png', PNG));
  await save();
  await page.waitForURL((url) => url.pathname === paths.company(company.id));
  const logo = page.getByRole('img', { name: 'Logo of Alder Auto' });
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  const { logo: key } = await business();
  expect(key).toMatch(/logo\.png$/);

  // Saving again keeps it.
  await page.goto(paths.editCompany(company.id));
  if (javaScript) await scriptsReady(page);
  await openDetails(page);
  await page.getByLabel('City').first().fill('Carson City');
  await save();
  await logo.waitFor();
  expect((await business()).logo).toBe(key);

  await page.goto(paths.editCompany(company.id));
  if (javaScript) await scriptsReady(page);
  await openDetails(page);
  await page.getByLabel('Remove the logo').check();
  await save();
  await page.waitForURL((url) => url.pathname === paths.company(company.id));
  expect((await business()).logo ?? null).toBeNull();
});

it('images are uploaded by the API only as images of at most 512 KB, with entities/write', async () => {
  const sign = (client: typeof tenant.manager, info: object) =>
    client.call('POST', '/files/signedUrls/publicFiles', { body: { filesInfo: [info] } });
  const within = { name: 'logo.png', size: 512 * 1024, type: 'image/png' };
  expect((await sign(tenant.manager, within)).json[0].fileMetadata.signedUrl).toMatch(/^http|^\//);
  expect((await sign(tenant.manager, { ...within, size: 512 * 1024 + 1 })).json[0].error).toBe(
    'An image has at most 512 KB',
  );
  expect((await sign(tenant.manager, { ...within, type: 'image/svg+xml' })).json[0].error).toMatch(/PNG, JPEG/);
  const analyst = await signedIn(tenant.emails.analyst);
  expect((await sign(analyst, within)).status).toBe(403);
});

it('the files of an organization are downloaded from its page, and not by another tenant', async () => {
  const { manager, emails } = tenant;
  const [company] = (await manager.get('/crud/companies', { filter: { 'entity.name': 'Alder Auto' } })).json;
  const signed = await manager.call('POST', '/files/signedUrls/loanTapes', {
    body: { filesInfo: [{ name: 'statement.csv', size: 8, type: 'text/csv' }] },
  });
  const [{ fileMetadata }] = signed.json;
  const put = await fetch(new URL(fileMetadata.signedUrl, inject('productUrl')), {
    method: 'PUT',
    headers: { 'content-type': 'text/csv' },
    body: 'a,b\n1,2\n',
  });
  expect(put.status).toBe(200);
  const id = await (await productStore()).as(systemActor('Test fixture'), async (session) => {
    const [row] = await session.query<{ id: string }>(
      'update files set company_id = $1::text, manager_id = (select manager_id from companies where id = $1::text) where key = $2 returning id',
      [company.id, fileMetadata.key],
    );
    return row!.id;
  });
  const page = await openPage({ javaScript: false });
  await signIn(page, emails.manager);
  await page.goto(paths.company(company.id, { view: 'details' }));
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'statement.csv' }).click();
  expect((await download).suggestedFilename()).toBe('statement.csv');

  const stranger = await openPage({ javaScript: false, expectedErrors: [/404/] });
  await signIn(stranger, 'manager@tapeline.test');
  expect((await stranger.goto(paths.download(id)))?.status()).toBe(404);
});
