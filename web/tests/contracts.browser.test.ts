import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const { manager: MANAGER, analyst: ANALYST } = ownTenant().emails;
const FACILITY = 'Northwind warehouse facility';
const NOTE = `${FACILITY}, Senior`;

describe('a contract', () => {
  it('is amended by a new version whose rule is edited in place without JavaScript, compared and deleted', async () => {
    const page = await openPage({ javaScript: false, expectedErrors: [/422/] });
    await signIn(page, MANAGER);
    await page.goto(paths.transactions());
    await page.getByRole('link', { name: FACILITY, exact: true }).click();
    await page.getByRole('link', { name: /^Contract v/ }).click();
    await page.getByRole('button', { name: /^New version of v/ }).click();
    await page.getByRole('link', { name: 'Edit FICO is at least 640' }).click();
    await page.getByLabel('Value', { exact: true }).first().fill('many');
    await page.getByRole('button', { name: 'Save rule' }).click();
    // The input is kept, and the error is shown next to its field.
    await page.getByText('must be a number').first().waitFor();
    expect(await page.getByLabel('Value', { exact: true }).first().inputValue()).toBe('many');
    await page.getByLabel('Value', { exact: true }).first().fill('680');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('Origination credit score is at least 680').first().waitFor();
    await page.getByRole('link', { name: /^Compare with v/ }).click();
    await page.getByText('1 change', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete draft' }).click();
    // No confirmation has been given yet, so the page asks.
    await page.getByText('Delete this draft?').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/monitoring/transactions/'));
  });

  it('has reserves, each a sentence, whose figures are checked at their fields', async () => {
    const page = await openPage({ javaScript: false, expectedErrors: [/422/] });
    await signIn(page, MANAGER);
    await page.goto(paths.transactions());
    await page.getByRole('link', { name: FACILITY, exact: true }).click();
    await page.getByRole('link', { name: /^Contract v/ }).click();
    await page.getByRole('button', { name: /^New version of v/ }).click();
    await page.getByRole('link', { name: /^Reserves/ }).click();
    await page.getByText('the whole net borrowing base is available').waitFor();
    await page.getByRole('link', { name: 'Add a reserve' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Interest');
    await page.getByLabel('Kind').selectOption({ label: 'Months of interest or servicing' });
    await page.getByLabel('Months', { exact: true }).fill('2');
    await page.getByRole('button', { name: 'Save reserve' }).click();
    // The rate is missing; what was entered is kept.
    await page.getByText('Enter a percentage').first().waitFor();
    expect(await page.getByLabel('Months', { exact: true }).inputValue()).toBe('2');
    await page.getByLabel('Percentage', { exact: true }).fill('9');
    // Figures of another kind do not count.
    await page.getByLabel(/^Amount/).fill('5');
    await page.getByRole('button', { name: 'Save reserve' }).click();
    await page.getByRole('link', { name: 'Edit Interest' }).waitFor();
    await page.getByText('2 months at 9% on the balance').waitFor();
    await page.getByRole('link', { name: /^Compare with v/ }).click();
    await page.getByText('1 change', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Edit Interest' }).click();
    await page.getByRole('button', { name: 'Remove reserve' }).click();
    await page.getByText('the whole net borrowing base is available').waitFor();
    await page.getByRole('button', { name: 'Delete draft' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/monitoring/transactions/'));
  });

  it('has offsets, each a sentence, whose amount is checked at its field', async () => {
    const page = await openPage({ javaScript: false, expectedErrors: [/422/] });
    await signIn(page, MANAGER);
    await page.goto(paths.transactions());
    await page.getByRole('link', { name: FACILITY, exact: true }).click();
    await page.getByRole('link', { name: /^Contract v/ }).click();
    await page.getByRole('button', { name: /^New version of v/ }).click();
    await page.getByRole('link', { name: /^Offsets/ }).click();
    await page.getByText('negative balances count as zero').waitFor();
    await page.getByRole('link', { name: 'Add an offset' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Payables');
    await page.getByLabel('Per', { exact: true }).selectOption({ label: 'Borrower id' });
    await page.getByRole('button', { name: 'Save offset' }).click();
    await page.getByText('Choose the field with the amount').first().waitFor();
    await page.getByLabel('Amount', { exact: true }).selectOption({ label: 'Arrears' });
    await page.getByRole('button', { name: 'Save offset' }).click();
    await page.getByText('the same on each asset of a').waitFor();
    await page.getByRole('link', { name: /^Compare with v/ }).click();
    await page.getByText('1 change', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Edit Payables' }).click();
    await page.getByLabel('Taken off', { exact: true }).selectOption({ label: 'Amounts in a file of the tape' });
    await page.getByRole('button', { name: 'Save offset' }).click();
    await page.getByText('Enter a part of the file’s name').first().waitFor();
    await page.getByLabel('File name contains').fill('payables');
    await page.getByLabel('Column of groups').fill('Vendor');
    await page.getByLabel('Column of amounts').fill('Vendor');
    await page.getByRole('button', { name: 'Save offset' }).click();
    await page.getByText('Name another column than that of the groups').first().waitFor();
    await page.getByLabel('Column of amounts').fill('Balance');
    await page.getByRole('button', { name: 'Save offset' }).click();
    await page.getByText('Amounts of the file “payables” by').waitFor();
    await page.getByRole('link', { name: 'Edit Payables' }).click();
    await page.getByRole('button', { name: 'Remove offset' }).click();
    await page.getByText('negative balances count as zero').waitFor();
    await page.getByRole('button', { name: 'Delete draft' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/monitoring/transactions/'));
  });

  it('is read by an analyst, who may not change it', async () => {
    const page = await openPage({ widthPx: 390 });
    await signIn(page, ANALYST);
    await page.goto(paths.contracts());
    await page.getByRole('link', { name: NOTE }).first().click();
    await page.getByText('An asset is eligible when it satisfies every rule').waitFor();
    expect(await page.getByRole('button', { name: 'New version' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Add a rule' }).count()).toBe(0);
    expect(await overflowsSideways(page)).toBe(false);
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
