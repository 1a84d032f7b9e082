import { beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { fieldsOf, read, type ScreenClient, screensOf } from './screen-client.ts';
import { secondManager } from './second-manager.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let client: ScreenClient;
let other: ScreenClient;
let borrower: ScreenClient;
let note: string;
let transaction: string;
let company: string;

beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  other = await screensOf(await secondManager(tenant.emails.manager));
  borrower = await screensOf(tenant.emails.borrower);
  const [facility] = (
    await tenant.manager.get('/crud/transactions', { filter: { title: 'Northwind warehouse facility' } })
  ).json;
  transaction = facility.id;
  note = facility.notes[0].id;
  const [northwind] = (
    await tenant.manager.get('/crud/companies', { filter: { 'entity.name': 'Northwind Consumer Loans' } })
  ).json;
  company = northwind.id;
});

const TERMS = {
  intent: 'create',
  unit: 'money',
  currency: 'USD',
  bound: 'atLeast',
  'steps[0].from': '2026-09-30',
  'steps[0].limit': '9m',
  frequency: 'quarterly',
  firstTest: '2026-09-30',
  periods: '1',
  daysToReport: '90',
  cureDays: '10',
  consequence: 'drawStop',
};

/** Creates a covenant with the plain form. @returns its address */
async function createCovenant(fields: Record<string, string>): Promise<string> {
  const answer = await client.submit(paths.newCovenant({ note }), { ...TERMS, ...fields });
  expect(answer.status, read(answer).slice(0, 3000)).toBe(302);
  return answer.headers.get('location') as string;
}

/** Enters a figure, which the other person reviews. @returns its id */
async function enterFigure(title: string, value: string): Promise<string> {
  const answer = await client.submit(paths.newFacilityFigure(), {
    ...{ intent: 'create', company, title, date: '30 Sep 2026', value, currency: 'USD' },
  });
  expect(answer.status, read(answer).slice(0, 3000)).toBe(302);
  const [figure] = (await tenant.manager.get('/crud/facilityFigures', { filter: { title } })).json;
  return figure.id;
}

async function breached(title: string): Promise<string> {
  const covenant = await createCovenant({ title, formula: `[${title}]` });
  const figure = await enterFigure(title, '8.4m');
  const reviewed = await other.submit(paths.facilityFigures(), { intent: 'review', figure, confirmed: 'yes' });
  expect(reviewed.status, read(reviewed).slice(0, 3000)).toBe(302);
  return covenant;
}

describe('the form of a covenant without scripts', () => {
  test('says in words what is wrong, and keeps what was entered', async () => {
    const page = await client.get(paths.newCovenant({ note }));
    expect(read(page)).toContain('Relevant pool');
    const answer = await client.submit(paths.newCovenant({ note }), {
      ...TERMS,
      title: 'Tangible net worth',
      formula: 'Relevant pool',
      'steps[0].limit': 'nine',
      firstTest: '2026-09-29',
    });
    expect(answer.status).toBe(422);
    const text = read(answer);
    expect(text).toContain('the last day of a month');
    expect(text).not.toMatch(/Invalid|expected/);
    expect(fieldsOf(answer, 'formula')).toMatchObject({ title: 'Tangible net worth', formula: 'Relevant pool' });
    const between = await client.submit(paths.newCovenant({ note }), {
      ...TERMS,
      ...{ title: 'Tangible net worth', formula: '[Tangible net worth]', currency: '', consequence: 'defaultRate' },
      ...{ 'steps[1].from': '2026-06-30', 'steps[1].limit': '10m' },
    });
    expect(between.status).toBe(422);
    const words = read(between);
    expect(words).toContain('Choose a currency');
    expect(words).toContain('must be after the step before');
    expect(words).toContain('Enter a default advance rate');
  });

  test('adds a limit, creates the covenant and changes it', async () => {
    const added = await client.submit(paths.newCovenant({ note }), { ...TERMS, listEdit: 'add steps 1' });
    expect(read(added)).toContain('Limit 2');
    const address = await createCovenant({ title: 'Cash', formula: '[Cash]' });
    const taken = await client.submit(paths.newCovenant({ note }), { ...TERMS, title: 'cash', formula: '[Cash]' });
    expect(taken.status).toBe(422);
    expect(read(taken)).toContain('is the title of another covenant of this note');
    const form = fieldsOf(await client.get(`${address}/edit`), 'formula');
    expect(form).toMatchObject({ title: 'Cash', 'steps[0].limit': '9,000,000.00', currency: 'USD' });
    const saved = await client.submit(`${address}/edit`, {
      ...{ ...form, intent: 'save', 'steps[1].from': '2027-03-31', 'steps[1].limit': '10,000,000' },
    });
    expect(saved.status, read(saved).slice(0, 3000)).toBe(302);
    expect(read(await client.get(address))).toContain('from 31 Mar 2027 10,000,000.00 USD');
  });
});

test('figures are pasted as a workbook has them, all or none', async () => {
  const address = paths.pasteFigures({ company });
  const paste = (lines: string) => client.submit(address, { intent: 'create', company, lines });
  const refused = await paste('Total debt\t30 Sep 2026\t12,500,000.00\tUSD\nLiquidity\t30 Feb 2026\t1\tUSD');
  expect(refused.status).toBe(422);
  expect(read(refused)).toContain('Line 2, date: Enter a date');
  const late = await paste('Total debt;2026-09-30;12500000;USD\nLiquidity;2149-12-31;1;USD');
  expect(read(late)).toContain('Line 2, date: must not be in the future');
  const listed = async () =>
    (await tenant.manager.get('/crud/facilityFigures', { filter: { title: { in: ['Total debt', 'Liquidity'] } } }))
      .json;
  expect(await listed()).toEqual([]);
  const stored = await paste(
    'Name;As of;Figure\nTotal debt;2026-09-30;12500000;USD;From the accounts\nLiquidity;2026-09-30;1.4',
  );
  expect(stored.status, read(stored).slice(0, 3000)).toBe(302);
  expect(
    (await listed())
      .map(({ title, value, currency, status }: Record<string, unknown>) => [title, value, currency, status])
      .sort(),
  ).toEqual([
    ['Liquidity', 1.4, null, 'Entered'],
    ['Total debt', 12_500_000, 'USD', 'Entered'],
  ]);
});

test('a figure is reviewed by someone else, and its covenant is then breached', async () => {
  const address = await createCovenant({ title: 'Tangible net worth', formula: '[Tangible net worth]' });
  expect(read(await client.get(address))).toContain('Not tested yet');
  const figure = await enterFigure('Tangible net worth', '8.4m');
  const own = await client.submit(paths.facilityFigures(), { intent: 'review', figure, confirmed: 'yes' });
  expect(own.status).toBe(422);
  expect(read(own)).toContain('someone else must review it');
  expect(read(await client.get(paths.facilityFigure(figure)))).toContain('someone else must review it');
  const asked = await other.submit(paths.facilityFigures(), { intent: 'review', figure });
  expect(read(await other.get(asked.headers.get('location') as string))).toContain('Mark as reviewed');
  const reviewed = await other.submit(paths.facilityFigures(), { intent: 'review', figure, confirmed: 'yes' });
  expect(reviewed.status).toBe(302);
  const text = read(await client.get(address));
  expect(text).toContain('Breached');
  expect(text).toContain('Below the limit by 600,000.00');
  expect(text).toContain('10 of 10 business days left');
  expect(read(await client.get(paths.facilityFigures({ tab: 'reviewed' })))).toContain('8,400,000.00 USD');
  const again = await client.submit(address, { intent: 'testAgain' });
  expect(read(await client.get(again.headers.get('location') as string))).toContain('Test Tangible net worth again?');
  expect((await client.submit(address, { intent: 'testAgain', confirmed: 'yes' })).status).toBe(302);
  expect(read(await client.get(address))).toContain('tested again later');
});

test('a breach is waived by two people, and cured by one', async () => {
  const address = await breached('Unrestricted cash');
  const id = address.split('/').at(-1) as string;
  const waive = (fields: Record<string, string>) =>
    client.submit(paths.waiveCovenant(id), {
      intent: 'create',
      until: '2026-12-30',
      reason: 'Capital was raised',
      ...fields,
    });
  expect(read(await client.get(paths.waiveCovenant(id)))).toContain('Until then nothing changes');
  const far = await waive({ until: '2030-12-31' });
  expect(far.status).toBe(422);
  expect(read(far)).toContain('366 days ahead');
  expect(read(await waive({ reason: 'No' }))).toContain('Reason');
  expect((await waive({})).status).toBe(302);
  const text = read(await client.get(address));
  expect(text).toContain('Pending until 30 Dec 2026');
  expect(text).toContain('Breached');
  expect(text).not.toContain('A waiver needs a reason');
  const [waiver] = (await tenant.manager.get(`/crud/covenants/${id}/waivers`)).json;
  const own = await tenant.manager.post(`/crud/covenantWaivers/${waiver.id}/approve`, {});
  expect(own.status).toBe(400);
  expect(own.text).toContain('someone else must decide');
  expect((await client.submit(address, { intent: 'withdrawWaiver', waiver: waiver.id })).status).toBe(302);
  expect(read(await client.get(address))).toContain('Withdrawn until 30 Dec 2026');
  const cured = await client.submit(paths.cureCovenant(id), { intent: 'create', reason: 'Equity was paid in' });
  expect(cured.status, read(cured).slice(0, 2000)).toBe(302);
  expect(read(await client.get(address))).toContain('Equity was paid in');
  expect((await client.get(paths.cureCovenant(id))).status).toBe(404);
});

test('the list counts and filters by state and facility, the most urgent first', async () => {
  const address = await breached('Sales');
  await createCovenant({ title: 'Headcount', formula: '[Headcount]' });
  const all = read(await client.get(paths.covenants()));
  expect(all).toMatch(/\d+ tests of 1 note/);
  expect(all.indexOf('Sales')).toBeLessThan(all.indexOf('Headcount'));
  expect(all).toContain('figures due by 29 Dec 2026');
  const only = read(await client.get(paths.covenants({ state: 'breached', facility: transaction })));
  expect(only).toContain('Sales');
  expect(only).not.toContain('Headcount');
  expect(read(await client.get(paths.covenants({ facility: '0'.repeat(24) })))).toContain('No covenants here');
  const { version } = (await tenant.manager.get(`/crud/covenants/${address.split('/').at(-1)}`)).json;
  const ended = await client.submit(address, { intent: 'end', version: String(version), confirmed: 'yes' });
  expect(ended.status, read(ended).slice(0, 2000)).toBe(302);
  expect(read(await client.get(paths.covenants({ state: 'ended' })))).toContain('Sales');
  expect(read(await client.get(paths.covenants({ state: 'breached' })))).not.toContain('Sales');
});

test('a borrower reads its own covenants and has no buttons', async () => {
  const address = await breached('Net debt');
  const id = address.split('/').at(-1) as string;
  const list = read(await borrower.get(paths.covenants()));
  expect(list).toContain('Net debt');
  expect(list).not.toContain('Enter figures');
  expect(list).not.toContain('New covenant');
  const page = read(await borrower.get(address));
  expect(page).toContain('Below the limit by');
  const buttons = ['Waive', 'Record cure', 'Test again', 'Remove'];
  const shownTo = (text: string) => buttons.filter((button) => text.includes(button));
  expect(shownTo(read(await client.get(address)))).toEqual(buttons);
  expect(shownTo(page)).toEqual([]);
  for (const closed of [
    paths.newCovenant({ note }),
    paths.editCovenant(id),
    paths.waiveCovenant(id),
    paths.newFacilityFigure(),
  ]) {
    expect((await borrower.get(closed)).status, closed).toBe(403);
  }
  expect((await borrower.submit(address, { intent: 'remove', confirmed: 'yes' })).status).toBe(403);
  const [demonstration] = (await (await screensOf('manager@tapeline.test')).api.get('/crud/covenants', { limit: 1 }))
    .json as { id: string }[];
  if (demonstration) expect((await borrower.get(paths.covenant(demonstration.id))).status).toBe(404);
});
