import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

const tenant = ownTenant();
let investor: string;
let borrower: string;
beforeAll(async () => {
  [{ id: investor }] = (
    await tenant.manager.get('/crud/LPs', { filter: '{"title":"Calder Valley Pension Scheme"}' })
  ).json;
  const companies: { id: string; entity: { name: string } }[] = (await tenant.manager.get('/crud/companies')).json;
  borrower = companies.find(({ entity }) => entity.name === 'Northwind Consumer Loans')?.id ?? '';
});

it.each([true, false])(
  'an investor asks for another account, and the manager accepts it in Approvals (JavaScript: %s)',
  async (javaScript) => {
    const ending = javaScript ? '7714' : '7715';
    const asking = await openPage({ javaScript, widthPx: javaScript ? 1280 : 390 });
    await signIn(asking, tenant.emails.investor);
    await asking.goto(paths.account());
    await asking.getByRole('link', { name: 'Where you are paid' }).click();
    await asking.getByRole('link', { name: 'Request a different account' }).click();
    await asking.getByRole('heading', { name: 'Request a different account' }).waitFor();
    if (javaScript) await scriptsReady(asking);
    const main = asking.getByRole('main');
    await main.getByLabel('Payment currency').selectOption('USD');
    await main.getByLabel('Account title').fill(`Custody account ${ending}`);
    await main.getByLabel('Account type').selectOption('Business');
    await main.getByLabel('Account number').fill(`4021${ending}`);
    await main.getByLabel('Address of the bank').fill('18 Marina View, Singapore');
    await main.getByLabel('Comment').fill('We have moved our accounts');
    await main
      .getByLabel('Bank letter')
      .setInputFiles({ name: 'Bank letter.pdf', mimeType: 'application/pdf', buffer: PDF });
    expect(await overflowsSideways(asking)).toBe(false);
    await asking.getByRole('button', { name: 'Send request' }).click();
    await asking.getByText('Pending').first().waitFor();
    if (javaScript) expect(await accessibilityViolations(asking)).toEqual([]);

    const deciding = await openPage({ javaScript });
    await signIn(deciding, tenant.emails.manager);
    await deciding.goto(paths.approvals({ only: 'payoutAccount' }));
    await deciding
      .getByRole('link', { name: /Change the USD account/ })
      .first()
      .click();
    await deciding
      .getByRole('table', { name: /on file and as requested/ })
      .getByText(`4021${ending}`)
      .waitFor();
    if (javaScript) await scriptsReady(deciding);
    await deciding.getByLabel('Number, and where it is from').fill('+44 20 7946 0018, subscription agreement');
    await deciding.getByLabel('Contact').fill('Moira Hale');
    if (javaScript) await deciding.getByText('2 of 3 done').waitFor();
    await deciding.getByLabel('They read out the last four digits').check();
    if (javaScript) await deciding.getByText('3 of 3 done').waitFor();
    const letter = deciding.getByRole('link', { name: 'Bank letter.pdf' });
    const answer = await deciding.request.get((await letter.getAttribute('href')) ?? '');
    expect(answer.status()).toBe(200);
    if (javaScript) expect(await accessibilityViolations(deciding)).toEqual([]);
    await deciding.getByRole('button', { name: 'Accept new account' }).click();
    await deciding.getByText('Bank account USD was confirmed').waitFor();

    await asking.goto(paths.investor(investor, { view: 'details' }));
    await asking.getByText(`…${ending}`).first().waitFor();
    await asking.getByText('Accepted').first().waitFor();
  },
);

it('a borrower asks, withdraws, asks again and reads why it was declined', async () => {
  const asking = await openPage();
  await signIn(asking, tenant.emails.borrower);
  const ask = async () => {
    await asking.goto(paths.companyAccount(borrower));
    await scriptsReady(asking);
    const main = asking.getByRole('main');
    await main.getByLabel('Payment currency').selectOption('USD');
    await main.getByLabel('Account title').fill('Collections account 2');
    await main.getByLabel('Account type').selectOption('Business');
    await main.getByLabel('Account number').fill('88120093');
    await main.getByLabel('Address of the bank').fill('200 Main Street');
    await asking.getByRole('button', { name: 'Send request' }).click();
    await asking.getByText('Pending').first().waitFor();
  };
  await ask();
  await asking.goto(paths.companyAccount(borrower));
  await scriptsReady(asking);
  await asking.getByRole('button', { name: 'Withdraw request' }).click();
  await asking.getByRole('button', { name: 'Withdraw request' }).waitFor({ state: 'detached' });
  await ask();

  const [{ id }] = (await tenant.manager.get(`/crud/companies/${borrower}/accountRequests`)).json;
  const deciding = await openPage();
  await signIn(deciding, tenant.emails.manager);
  await deciding.goto(paths.approval('payoutAccount', id, { ask: 'reject' }));
  await scriptsReady(deciding);
  await deciding.getByLabel('Reason').fill('Nobody there knew of it');
  await deciding.getByRole('button', { name: 'Decline the account' }).click();
  await deciding.getByText('Bank account USD was declined').waitFor();
  await asking.goto(paths.company(borrower, { view: 'details' }));
  await asking.getByText('Nobody there knew of it').waitFor();
});
