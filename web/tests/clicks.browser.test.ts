import { ALDER_COMPANY } from '@tapeline/demonstration/names.ts';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type Acts, actsOn } from './acts.ts';
import { signedIn } from './api-client.ts';
import { openPage, scriptsReady, signIn } from './browser.ts';
import { type DrawnNote, drawBody, drawnNote } from './drawn-note.ts';
import { northwindLoan, northwindTapes } from './northwind-tapes.ts';
import type { SentFile } from './review-upload.ts';
import { ownTenant } from './tenant.ts';
import { sheetXml, workbookBytes } from './workbook-bytes.ts';

const tenant = ownTenant();
const NORTHWIND = 'Northwind Consumer Loans';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** The cells of a loan that the contract of the facility advances at its usual rate. */
const ELIGIBLE = {
  Product: 'Unsecured personal',
  'FICO at Origination': 700,
  'Origination Date': 45_600,
  'Maturity Date': 47_400,
  'Months on Book': 12,
  'Remaining Term': 24,
  Grade: 'C',
  State: 'CA',
  DTI: 0.2,
};

let note: DrawnNote;
beforeAll(async () => {
  const tapes = await northwindTapes(tenant.manager);
  const loan = tapes.loan({ ...ELIGIBLE, 'Loan ID': 'WHY-1' });
  await tapes.publish([loan], { cutOffDate: '2026-07-31', calculateBB: true });
  note = await drawnNote(tenant.manager, '40000000');
});

/** Home, as a person who has just signed in finds it. */
async function atHome(options: Parameters<typeof openPage>[0] = {}): Promise<{ page: Page; acts: Acts }> {
  const page = await openPage(options);
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.home());
  await scriptsReady(page);
  return { page, acts: actsOn(page) };
}
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' });

const chosenIn = (page: Page, name: string) =>
  page.getByRole('combobox', { name, exact: true }).locator('option:checked').textContent();

const UNKNOWN_HEADERS = [
  'Loan No',
  'Customer',
  'Start Date',
  'Maturity',
  'Original Principal',
  'Current Balance',
  'Rate %',
];
/** A tape of another system, whose name does not say whose it is. */
const unknownTape: SentFile = {
  name: 'servicer extract.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      UNKNOWN_HEADERS,
      ...Array.from({ length: 40 }, (_, at) => [
        `UN-${1000 + at}`,
        `Customer ${at}`,
        '2024-05-15',
        '2029-05-15',
        `${20_000 + 250 * at}.00`,
        `${15_000 + 175 * at}.50`,
        `${(6 + at / 10).toFixed(2)}`,
      ]),
    ]
      .map((row) => row.join(','))
      .join('\n'),
  ),
};

/** A facility of another company, under an Active contract from August on. */
async function addFacility(company: string): Promise<void> {
  const { manager } = tenant;
  const [{ id }] = (await manager.get('/crud/companies', { filter: { 'entity.name': company } })).json;
  const [mapping] = (await manager.get('/crud/assetsETLs', { filter: { company: id }, sort: { code: -1 }, limit: 1 }))
    .json;
  const [known] = (await manager.get('/crud/transactions', { filter: { title: 'Northwind warehouse facility' } })).json;
  const [{ security, priority, holdings }] = known.notes;
  const contract = {
    cutOffDate: '2026-08-01',
    assetsETL: mapping.id,
    status: 'Active',
    advanceRate: { cases: [], defaultRate: 85 },
    eligibilityRules: [{ title: 'Interest rate is at least 7%', filter: { interestRate: { gte: 7 } } }],
  };
  const created = await manager.post('/crud/transactions', {
    title: `${company} facility`,
    type: known.type,
    industries: known.industries,
    company: id,
    notes: [{ title: 'Senior', mainCurrency: 'USD', security, priority, holdings, contracts: [contract] }],
  });
  expect(created.status, created.text).toBe(201);
}

/** The next tape of the facility, as the borrower sends it each month. */
async function knownTape(): Promise<SentFile> {
  const { headers } = await northwindTapes(tenant.manager);
  const loans = ['K-1', 'K-2'].map((id) => northwindLoan({ ...ELIGIBLE, 'Loan ID': id }));
  const rows = [headers, ...loans.map((row) => headers.map((header) => row[header] ?? null))];
  return {
    name: 'Northwind loan tape 2026-09-30.xlsx',
    mimeType: XLSX,
    buffer: workbookBytes({ name: 'Loan Tape', xml: sheetXml(rows) }),
  };
}

/** The result card of the tape, once its borrowing base is calculated. */
const result = (page: Page) => page.getByRole('region', { name: 'Result' });

describe('a loan tape of a facility with an Active contract', () => {
  it('of an unknown layout becomes a borrowing base in at most 8 acts', async () => {
    await addFacility(ALDER_COMPANY);
    const { page, acts } = await atHome();
    await acts.click(link(page, 'Upload tapes'));
    await acts.give(page.getByLabel('Files'), [unknownTape]);
    await acts.choose(page.getByRole('combobox', { name: 'Borrower', exact: true }), ALDER_COMPANY);
    await acts.fill(page.getByLabel('Cut-off date'), '2026-08-31');
    await acts.click(button(page, 'Process'));
    await result(page).getByText('Borrowing base calculated.', { exact: false }).waitFor();
    await acts.click(link(page, 'Open borrowing base'));
    await page.waitForURL(/\/monitoring\/borrowing-bases\/[0-9a-f]{24}$/);
    await page.getByText('Net borrowing base').first().waitFor();
    expect(acts.count).toBeLessThanOrEqual(8);
    const id = page.url().split('/').at(-1);
    const [base] = (await tenant.manager.get('/crud/borrowingBase', { filter: { id } })).json;
    // 85% of the 30 loans at 7% or more, of 16,750.50 to 21,825.50.
    expect(base).toMatchObject({ cutOffDate: '2026-08-31', netBB: { sum: 491_844, currency: 'USD' } });
  });

  it('of the known layout becomes a borrowing base in 2 acts', async () => {
    const { page, acts } = await atHome();
    await acts.drop([await knownTape()]);
    await acts.click(button(page, 'Process'));
    await result(page).getByText('Borrowing base calculated.', { exact: false }).waitFor();
    await result(page).getByText('Availability at cut-off').waitFor();
    expect(acts.count).toBeLessThanOrEqual(2);
    const id = page.url().split('/').at(-1);
    expect((await tenant.manager.get('/crud/loanTape', { filter: { id } })).json).toMatchObject([
      { cutOffDate: '2026-09-30', mainCurrency: 'USD', counts: { assets: 2, errored: 0 } },
    ]);
  });
});

it('a capital call is reviewed and issued in at most 7 acts', async () => {
  const title = 'Harbour Clicks Fund';
  const create = async (path: string, body: object) => {
    const answer = await tenant.manager.post(path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.json.id as string;
  };
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 40_000_000, hardCap: 50_000_000 };
  const fund = await create('/crud/funds', { title, ...terms });
  for (const investor of ['Norrland Pension Fund', 'Adeyemi Foundation']) {
    const entity = { name: investor, formalId: investor, nationality: { country: 'US' } };
    const id = await create('/crud/LPs', { title: investor, entity });
    await create('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2026-01-15',
      maxCommitment: { sum: 10_000_000, currency: 'USD' },
    });
  }

  const { page, acts } = await atHome();
  await acts.click(link(page, 'New capital call'));
  await page.getByRole('heading', { name: 'Choose a fund', exact: true }).waitFor();
  await acts.click(link(page, title));
  await page.getByRole('heading', { name: 'Purposes', exact: true }).waitFor();
  await acts.fill(page.getByRole('textbox', { name: 'Amount', exact: true }).first(), '3m');
  await acts.fill(page.getByRole('textbox', { name: 'Title', exact: true }), 'Northwind, senior note');
  await acts.click(button(page, 'Review'));
  await page.getByRole('heading', { name: 'Who is told', exact: true }).waitFor();
  const stored = async () => (await tenant.manager.get('/crud/contributions', { filter: { fund } })).json;
  expect(await stored()).toEqual([]);
  // The review names amounts, dates, recipients and open checks. Its button is the confirmation.
  await page.getByText('3,000,000.00', { exact: true }).first().waitFor();
  await acts.click(button(page, /^Issue 3,000,000.00 USD, due /));
  await page.getByRole('heading', { level: 1, name: 'Capital call 1', exact: true }).waitFor();
  expect(acts.count).toBeLessThanOrEqual(7);
  expect((await stored()).map(({ status }: { status: string }) => status)).toEqual(['Upcoming', 'Upcoming']);
});

/** Requests in different months, because a note allows so many draws a month. */
async function requestDraws(months: readonly string[]): Promise<string[]> {
  const borrower = await signedIn(tenant.emails.borrower);
  const ids: string[] = [];
  for (const [index, month] of months.entries()) {
    const days = { cutOffDate: `${month}-02`, dueDate: `${month}-09` };
    const asked = await borrower.post('/crud/transactionDraws', drawBody(note, 500_000 + index, days));
    expect(asked.status, asked.text).toBe(201);
    ids.push(asked.json.id);
  }
  return ids;
}
const statusOf = async (id: string): Promise<string> =>
  (await tenant.manager.get(`/crud/transactionDraws/${id}`)).json.status;

it('a draw is approved in 3 acts, one of which confirms it', async () => {
  const [id] = await requestDraws(['2026-12']);
  const { page, acts } = await atHome();
  await acts.click(link(page, /^Review ?: Draw \d+/).first());
  await page.getByText(/Approve draw \d+: 500,000\.00 USD\?/).waitFor();
  expect(await statusOf(id!)).toBe('Pending');
  await acts.click(button(page, 'Approve 500,000.00 USD'));
  await page
    .getByText(/Draw \d+ was approved: 500,000\.00 USD/)
    .first()
    .waitFor();
  expect(acts.count).toBeLessThanOrEqual(3);
  expect(await statusOf(id!)).toBe('Approved');
});

it('five requests are decided in at most 10 acts, each with its confirmation', async () => {
  const ids = await requestDraws(['2027-01', '2027-02', '2027-03', '2027-04', '2027-05']);
  const { page, acts } = await atHome();
  await acts.click(link(page, /^Review ?: Draw \d+/).first());
  for (const [index, id] of ids.entries()) {
    if (index > 0) await acts.click(button(page, 'Approve'));
    await page.getByText(new RegExp(`Approve draw \\d+: 500,00${index}\\.00 USD\\?`)).waitFor();
    expect(await statusOf(id)).toBe('Pending');
    await acts.click(button(page, `Approve 500,00${index}.00 USD`));
    await page.waitForURL((url) => url.searchParams.get('done') === `draw-${id}`);
  }
  expect(acts.count).toBeLessThanOrEqual(10);
  expect(await Promise.all(ids.map(statusOf))).toEqual(Array(5).fill('Approved'));
});

it('a person is invited in at most 6 acts', async () => {
  const [company] = (await tenant.manager.get('/crud/companies', { filter: { 'entity.name': NORTHWIND } })).json;
  const domain = `northwind-${tenant.emails.manager.replace(/\W|manager|tapeline|test/g, '')}.example`;
  const saved = await tenant.manager.call('PUT', `/crud/companies/${company.id}`, {
    body: { ...company, domains: [domain] },
  });
  expect(saved.status, saved.text).toBe(200);
  const email = `amina@${domain}`;

  const { page, acts } = await atHome();
  await acts.click(link(page, 'Settings').first());
  await acts.click(link(page, 'Invite a user'));
  await acts.fill(page.getByLabel('Email', { exact: true }), email);
  // Leaving the field is part of filling it.
  await page.keyboard.press('Tab');
  // Filled in from the email, for the person to check.
  await expect.poll(() => chosenIn(page, 'Organization')).toBe(NORTHWIND);
  await acts.fill(page.getByLabel('First name'), 'Amina');
  await acts.fill(page.getByLabel('Last name'), 'Farouk');
  // The users of a borrower can have one role only.
  await expect.poll(() => chosenIn(page, 'Role')).toBe('Borrower (level 15)');
  await acts.click(button(page, 'Create user'));
  await page.getByRole('heading', { level: 1, name: 'Amina Farouk' }).waitFor();
  expect(acts.count).toBeLessThanOrEqual(6);
  expect((await tenant.manager.get('/crud/users', { filter: { email } })).json).toMatchObject([
    {
      firstName: 'Amina',
      lastName: 'Farouk',
      type: 'company',
      assoc: { company: { id: company.id } },
      magicLink: true,
    },
  ]);
});

it('a person of the manager, whose role is chosen, is invited in at most 6 acts', async () => {
  const domain = `manager-${tenant.emails.manager.replace(/\W|manager|tapeline|test/g, '')}.example`;
  const admin = await signedIn('admin@tapeline.test');
  const [manager] = (await admin.get('/crud/managers', { filter: { 'entity.name': tenant.managerName } })).json;
  const saved = await admin.call('PUT', `/crud/managers/${manager.id}`, {
    body: { ...manager, domains: [domain] },
  });
  expect(saved.status, saved.text).toBe(200);
  const email = `lena@${domain}`;

  const { page, acts } = await atHome();
  await acts.click(link(page, 'Settings').first());
  await acts.click(link(page, 'Invite a user'));
  await acts.fill(page.getByLabel('Email', { exact: true }), email);
  await page.keyboard.press('Tab');
  await expect.poll(() => chosenIn(page, 'Organization')).toBe(tenant.managerName);
  // A whole name is taken apart when the field is left.
  await acts.fill(page.getByLabel('First name'), 'Lena Marie Fischer');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.getByLabel('Last name').inputValue()).toBe('Fischer');
  expect(await page.getByLabel('First name').inputValue()).toBe('Lena Marie');
  const role = page.getByLabel('Role');
  await acts.choose(role, (await role.locator('option').nth(1).textContent()) ?? '');
  await acts.click(button(page, 'Create user'));
  await page.getByRole('heading', { level: 1, name: 'Lena Marie Fischer' }).waitFor();
  expect(acts.count).toBeLessThanOrEqual(6);
  expect((await tenant.manager.get('/crud/users', { filter: { email } })).json).toMatchObject([
    { firstName: 'Lena Marie', lastName: 'Fischer', type: 'manager', magicLink: true },
  ]);
});

it('an asset is found, and why it advances what it does, in at most 3 acts', async () => {
  const { page, acts } = await atHome();
  await acts.press('Control+k');
  await acts.fill(page.getByRole('combobox', { name: 'Search or jump to' }), 'WHY-1');
  await page.getByRole('option', { name: /^WHY-1/ }).waitFor();
  await acts.press('Enter');
  const panel = page.getByRole('region', { name: 'Borrowing base' });
  for (const term of ['Advance rate', 'Rate set by', 'Advanced amount']) {
    await panel.getByText(term, { exact: true }).waitFor();
  }
  await panel.getByText('80.00%', { exact: false }).waitFor();
  expect(acts.count).toBeLessThanOrEqual(3);
});
