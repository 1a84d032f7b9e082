import { Chat } from '@tapeline/db/entities/chats.ts';
import { Contract } from '@tapeline/db/entities/lending.ts';
import { copyContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { productStore } from './product-store.ts';
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
    // The question names funds, so it is about documents.
    expect(await page.getByLabel('About', { exact: true }).inputValue()).toBe('');
    await page
      .getByLabel('Question', { exact: true })
      .fill(`funds in dollars with a hard cap under ${javaScript ? 500 : 600}`);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText(/^Currency is USD and Hard cap is less than/).waitFor();
    await ready();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);

    // The filter is kept as a view, which opens with it.
    const saveTo = await page.getByRole('link', { name: 'Save as a view', exact: true }).getAttribute('href');
    const view = new URL(saveTo ?? '', page.url()).searchParams;
    expect(view.get('grid')).toBe('funds');
    expect(JSON.parse(new URLSearchParams(view.get('search') ?? '').get('filter') ?? '')).toMatchObject({
      currency: 'USD',
    });
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

it.each([true, false])(
  'a filter of assets is reviewed in a contract, then saved (JavaScript: %s)',
  async (javaScript) => {
    const started = await tenant.manager.post('/crud/chats', { task: 'mongoFilter', text: 'funds in euros' });
    expect(started.status, started.text).toBe(201);
    const store = await productStore();
    const contractId = await store.as(systemActor('Test fixture'), async (session) => {
      const chat = await session.em.findOneOrFail(Chat, { id: started.json.id });
      chat.title = `Late in Texas ${javaScript}`;
      chat.tasks = [
        {
          type: 'assetTargetFilter',
          messages: [],
          list: 'assets',
          filter: { daysPastDue: { gt: 60 } },
          sentence: 'Days past due is more than 60',
          count: 0,
          links: [],
        },
      ];
      const ofTenant = { managerId: chat.managerId };
      const draft = await session.em.findOne(Contract, { ...ofTenant, status: 'Draft' });
      if (draft) return draft.id;
      const active = await session.em.findOneOrFail(Contract, { ...ofTenant, status: 'Active' });
      return (await copyContract(session, { id: active.id })).id;
    });
    const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390 });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.chat(started.json.id));
    if (javaScript) await scriptsReady(page);
    await page.getByLabel('Put in a contract', { exact: true }).selectOption(contractId);
    await page.getByLabel('Part', { exact: true }).selectOption('Performance');
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);
    await page.getByRole('button', { name: 'Review in the contract', exact: true }).click();
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.waitFor();
    expect(await title.inputValue()).toBe(`Late in Texas ${javaScript}`);
    const rules = async () =>
      store.as(systemActor('Test fixture'), async (session) => {
        const { body } = await session.em.findOneOrFail(Contract, { id: contractId });
        return body.performanceRules.filter((rule) => rule.title === `Late in Texas ${javaScript}`);
      });
    expect(await rules()).toEqual([]);
    if (javaScript) await scriptsReady(page);
    await page.getByRole('button', { name: 'Save rule', exact: true }).click();
    await title.waitFor({ state: 'detached' });
    expect(await rules()).toMatchObject([{ filter: { daysPastDue: { gt: 60 } }, enabled: true }]);
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
  const draws = await tenant.manager.post('/crud/chats', { task: 'mongoFilter', text: 'largest draws over $1' });
  const [link] = draws.json.tasks[0].links;
  expect(link).toMatchObject({ title: 'Open in draws' });
  expect(Object.fromEntries(new URL(link.path, 'http://localhost').searchParams)).toEqual({
    filter: '{"valueInUsd":{"gt":1}}',
    sort: '{"valueInUsd":-1}',
  });
  const only = await tenant.manager.call('PUT', `/crud/chats/${draws.json.id}/message`, {
    body: { text: 'only those due in 2026' },
  });
  expect(only.json.tasks[0]).toMatchObject({
    filter: { valueInUsd: { gt: 1 }, dueDate: { gte: '2026-01-01', lte: '2026-12-31' } },
    sort: { valueInUsd: -1 },
  });
  const back = await tenant.manager.call('PUT', `/crud/chats/${draws.json.id}/message`, {
    body: { text: 'of those, shiny' },
  });
  expect(back.json.tasks[0].messages.at(-1).text).toMatch(/“shiny”.* The previous filter still applies\.$/);
  const removed = await tenant.manager.call('DELETE', `/crud/chats?ids=${started.json.id}`);
  expect(removed.json).toEqual({ ids: [started.json.id] });
  expect((await tenant.manager.get(`/crud/chats/${started.json.id}`)).status).toBe(404);
});

it('answers with a figure, its date and a link, and counts calls', async () => {
  const ask = async (text: string) => {
    const { status, json, text: body } = await tenant.manager.post('/crud/chats', { task: 'mongoFilter', text });
    expect(status, body).toBe(201);
    return json;
  };
  const today = new Date().toISOString().slice(0, 10);
  const [utilization] = (
    await tenant.manager.get('/crud/transactions/notes/utilization', {
      filter: { title: 'Northwind warehouse facility' },
    })
  ).json;
  const balance = await ask('What is the balance of Northwind?');
  expect(balance.tasks[0]).toMatchObject({
    figures: [
      {
        label: 'Balance',
        of: 'Northwind warehouse facility, Senior',
        value: utilization.balance ? String(utilization.balance.sum) : null,
        date: today,
      },
    ],
    links: [{ path: expect.stringMatching(/^\/monitoring\/transactions\/[0-9a-f]{24}\?note=/) }],
  });
  expect(balance.tasks[0].filter).toBeUndefined();
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.chat(balance.id));
  await page.getByRole('link', { name: 'Northwind warehouse facility, Senior', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Northwind warehouse facility' }).waitFor();

  const [fund] = (await tenant.manager.get('/crud/funds', { sort: { title: -1 }, limit: 1 })).json;
  const figures = (await tenant.manager.get('/crud/funds/counts/netCapitalCalled', { fundId: fund.id })).json;
  const called = await ask(`how much has ${fund.title} called so far?`);
  expect(called.tasks[0]).toMatchObject({
    figures: [{ label: 'Called', of: fund.title, unit: figures.called.currency, date: today }],
    links: [{ title: fund.title, path: `/funds/${fund.id}` }],
  });
  expect(Number(called.tasks[0].figures[0].value)).toBe(Number(figures.called.sum));
  const calls = await ask('all capital calls');
  const { notices, bundles } = await callsOf();
  expect(calls.tasks[0]).toMatchObject({ count: bundles, filter: {} });
  if (notices > bundles) expect(calls.tasks[0].messages.at(-1).text).toContain(`With ${notices} notices to investors`);
});

/** How many notices of calls there are, and how many calls. */
async function callsOf() {
  const parts: { id: string; metadata: { bundleId?: string } }[] = (
    await tenant.manager.get('/crud/contributions', { limit: 1_000 })
  ).json;
  return { notices: parts.length, bundles: new Set(parts.map(({ id, metadata }) => metadata.bundleId ?? id)).size };
}
