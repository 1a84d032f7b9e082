import { expect, it } from 'vitest';
import { paths } from '../app/routes/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

it.each([true, false])(
  'a question is answered, asked back and opened as a list, and its funds are saved (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390 });
    const ready = () => (javaScript ? scriptsReady(page) : Promise.resolve());
    await tenant.manager.post('/crud/funds', {
      title: `Chatted fund ${javaScript}`,
      type: 'SMA',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: 100,
      hardCap: 200,
    });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.chats());
    await ready();
    await page.getByLabel('About', { exact: true }).selectOption('Documents');
    await page
      .getByLabel('Question', { exact: true })
      .fill(`funds in dollars with a hard cap under ${javaScript ? 500 : 600}`);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText(/^Currency is USD and Hard cap is less than/).waitFor();
    await ready();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);

    await page.getByLabel('Message', { exact: true }).fill('shiny funds');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(/I did not understand “shiny”/).waitFor();
    await ready();
    const title = `From a chat ${javaScript}`;
    await page.getByLabel('Name', { exact: true }).fill(title);
    await page.getByRole('button', { name: 'Save as filter', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Saved filters' }).waitFor();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);
    await page.getByRole('link', { name: `Its funds of ${title}`, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Funds' }).waitFor();
    const [saved] = (await tenant.manager.get('/crud/groupFilters', { filter: { title } })).json;
    expect(JSON.parse(new URL(page.url()).searchParams.get('filter') ?? '')).toEqual({
      id: { in: saved.filters.funds },
    });
  },
);

it('answers over REST under the caller’s own visibility, and refuses what is over the limits', async () => {
  const started = await tenant.manager.post('/crud/chats', { task: 'mongoFilter', text: 'funds in euros' });
  expect(started.status, started.text).toBe(201);
  expect(started.json.tasks[0]).toMatchObject({ filter: { currency: 'EUR' }, sentence: 'Currency is EUR', count: 0 });
  const long = await tenant.manager.call('PUT', `/crud/chats/${started.json.id}/message`, {
    body: { text: 'x'.repeat(4_001) },
  });
  expect(long.status).toBe(400);
  const more = await tenant.manager.call('PUT', `/crud/chats/${started.json.id}/message`, {
    body: { text: 'funds in dollars' },
  });
  expect(more.json.tasks[0].messages).toHaveLength(4);
  const removed = await tenant.manager.call('DELETE', `/crud/chats?ids=${started.json.id}`);
  expect(removed.json).toEqual({ ids: [started.json.id] });
  expect((await tenant.manager.get(`/crud/chats/${started.json.id}`)).status).toBe(404);
});
