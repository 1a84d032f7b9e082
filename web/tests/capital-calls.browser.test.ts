import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let fund: string;

async function created(path: string, body: unknown): Promise<string> {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id;
}

beforeAll(async () => {
  fund = await created('/crud/funds', {
    title: 'Harbour Credit Fund II',
    type: 'ComingleFund',
    strategy: 'ABL',
    currency: 'USD',
    targetSize: 40_000_000,
    hardCap: 50_000_000,
  });
  for (const [title, sum] of [
    ['Norrland Pension Fund', 18_000_000],
    ['Cascadia Teachers’ Retirement', 12_000_000],
    ['Adeyemi Foundation', 6_000_000],
  ] as const) {
    const entity = { name: title, formalId: title, nationality: { country: 'US' } };
    const id = await created('/crud/LPs', { title, entity });
    await created('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2026-01-15',
      maxCommitment: { sum, currency: 'USD' },
    });
  }
});

it.each([true, false])(
  'a capital call is reviewed, corrected, saved as a draft and issued (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390, expectedErrors: [/422/] });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.newCapitalCall());
    if (javaScript) await scriptsReady(page);
    await page.getByRole('link', { name: 'Harbour Credit Fund II', exact: true }).click();
    await page.getByRole('heading', { name: 'Purposes', exact: true }).waitFor();
    if (javaScript) await scriptsReady(page);
    const number = javaScript ? 'A1' : 'B1';
    await page.getByLabel('Number', { exact: true }).fill(number);
    await page.getByLabel('Cut-off date', { exact: true }).fill('2026-03-02');
    await page.getByLabel('Due date', { exact: true }).fill('2026-03-06');
    const total = page.getByRole('textbox', { name: 'Amount', exact: true }).first();
    await total.fill('40000000');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Northwind, senior note');
    await page.getByRole('button', { name: 'Add purpose', exact: true }).click();
    const titles = page.getByRole('textbox', { name: 'Title', exact: true });
    await expect.poll(() => titles.count()).toBe(2);
    await titles.nth(1).fill('First quarter');
    await page.getByLabel('Kind', { exact: true }).nth(1).selectOption('managementFee');
    await page.getByRole('textbox', { name: 'Amount', exact: true }).nth(2).fill('60000.01');
    await page.getByRole('button', { name: 'Review', exact: true }).click();

    // Beyond what is unfunded: named, and neither issued nor saved.
    await page.getByRole('heading', { name: 'Checks', exact: true }).waitFor();
    await page.getByText(/^Beyond what is unfunded: Norrland Pension Fund by [\d,.]+ USD on 2 Mar 2026$/).waitFor();
    expect(await page.getByRole('button', { name: 'Save as draft', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('heading', { name: 'Purposes', exact: true }).waitFor();
    await total.waitFor();
    expect(await total.inputValue()).toBe('40,000,000.00');
    await total.fill('6060000.01');
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.getByRole('heading', { name: 'Checks', exact: true }).waitFor();
    await page
      .getByText('The due date is 4 business days after the cut-off date, fewer than 10', { exact: true })
      .waitFor();
    await page.getByRole('cell', { name: '3,030,000.01', exact: true }).waitFor();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    else expect(await overflowsSideways(page)).toBe(false);
    await page.getByRole('button', { name: 'Save as draft', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: `Capital call ${number}`, exact: true }).waitFor();
    const stored = async () =>
      (await tenant.manager.get('/crud/contributions', { filter: { fund, callNumber: number } })).json.map(
        ({ status }: { status: string }) => status,
      );
    expect(await stored()).toEqual(['Draft', 'Draft', 'Draft']);
    if (javaScript) {
      expect(await accessibilityViolations(page)).toEqual([]);
      await scriptsReady(page);
    }

    await page.getByRole('link', { name: 'Issue', exact: true }).click();
    await page.getByText(`Issue call ${number}?`, { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Who is told', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
    expect(await stored()).toEqual(['Active', 'Active', 'Active']);
    await page.goto(paths.capitalCalls());
    await page.getByRole('heading', { level: 1, name: 'Capital calls', exact: true }).waitFor();
    await page
      .getByRole('link', { name: number, exact: true })
      .or(page.getByText(number, { exact: true }))
      .first()
      .waitFor();
  },
);

it.each([true, false])(
  'an investor is excused from a purpose in the review, another pays what is entered, and both can be undone (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390 });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.newCapitalCall({ fund }));
    if (javaScript) await scriptsReady(page);
    await page.getByLabel('Number', { exact: true }).fill(javaScript ? 'E1' : 'E2');
    await page.getByLabel('Cut-off date', { exact: true }).fill('2026-03-02');
    await page.getByLabel('Due date', { exact: true }).fill('2026-03-20');
    await page.getByRole('textbox', { name: 'Amount', exact: true }).first().fill('36,000');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Pool');
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    const cell = (name: string) => page.getByRole('cell', { name, exact: true }).first();
    const applied = async (choose: () => Promise<void>) => {
      await choose();
      await page.getByRole('button', { name: 'Apply', exact: true }).click();
      await page.getByRole('button', { name: 'Apply', exact: true }).waitFor({ state: 'detached' });
    };

    await page.getByRole('button', { name: /^Change Pool of Norrland Pension Fund: 18,000\.00$/ }).click();
    // What is wrong opens the row again, with what was typed.
    const document = page.getByLabel('Document of the excuse (optional)');
    const file = (name: string, mimeType: string, content: string) => ({
      name,
      mimeType,
      buffer: Buffer.from(content),
    });
    await page.getByRole('checkbox', { name: 'Excused' }).check();
    await document.setInputFiles(file('letter.pdf', 'application/pdf', '%PDF-1.4\nNo tobacco'));
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('Enter the reason why the investor is excused, in at most 500 characters').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Excused' }).isChecked()).toBe(true);
    await page.getByText('It has a file. A new one replaces it.').waitFor();
    await applied(() => page.getByLabel('Reason, if the investor is excused').fill('Side letter 4.2'));
    const excused = page.getByText('Excused: Side letter 4.2 Document', { exact: true });
    const stored = await excused.getByRole('link', { name: 'Document' }).getAttribute('href');
    expect((await page.request.get(new URL(stored ?? '', page.url()).href)).status()).toBe(200);
    await cell('24,000.00').waitFor();

    await page.getByRole('button', { name: /^Change Pool of Adeyemi Foundation/ }).click();
    await applied(() => page.getByRole('textbox', { name: 'Pool of Adeyemi Foundation' }).fill('1 000,50'));
    // 34,999.50 less what the other has, of which two thirds are those of the excused investor.
    await cell('34,999.50').waitFor();
    if (javaScript) {
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await overflowsSideways(page)).toBe(false);
    }
    const opened = page.getByRole('button', { name: /^Change Pool of Adeyemi Foundation: 1,000\.50$/ });
    await opened.click();
    await page.getByRole('textbox', { name: 'Pool of Adeyemi Foundation' }).fill('7');
    await page.getByRole('button', { name: 'Cancel', exact: true }).first().click();
    await opened.waitFor();
    await page
      .getByRole('row', { name: /Adeyemi/ })
      .getByRole('button', { name: 'Undo' })
      .click();
    await cell('12,000.00').waitFor();

    await page.getByRole('button', { name: 'Save as draft', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /^Capital call E/ }).waitFor();
    await page.getByText('Excused from 18,000.00', { exact: true }).waitFor();
    const because = page.getByText('Because: Side letter 4.2 Document', { exact: true });
    expect(await because.getByRole('link', { name: 'Document' }).getAttribute('href')).toBe(stored);
    // A draft is opened again with what was set.
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByText('The amounts that you set for 1 investor are kept.').waitFor();
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    expect(await excused.getByRole('link', { name: 'Document' }).getAttribute('href')).toBe(stored);
  },
);
