import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { draftPair } from './netted-pair.ts';
import { screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

it.each([true, false])(
  'a call and a distribution are netted, issued and withdrawn together (JavaScript: %s)',
  async (javaScript) => {
    const { api } = await screensOf(tenant.emails.investor);
    const [{ id }] = (await api.get('/crud/LPs')).json;
    const pair = await draftPair(tenant, javaScript ? 'Mylor' : 'Feock', id);
    const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390 });
    await signIn(page, tenant.emails.manager);
    const main = page.getByRole('main');
    const looksRight = async () => {
      expect(await overflowsSideways(page)).toBe(false);
      if (!javaScript) return;
      await scriptsReady(page);
      expect(await accessibilityViolations(page)).toEqual([]);
    };
    await page.goto(paths.distribution(pair.distribution));
    if (javaScript) await scriptsReady(page);
    await looksRight();
    await main.getByRole('button', { name: 'Net them' }).click();
    await main.getByRole('button', { name: 'Settle separately' }).waitFor();
    await looksRight();
    await main.getByRole('button', { name: 'Settle separately' }).click();
    await main.getByRole('button', { name: 'Net them' }).click();
    await main.getByRole('link', { name: 'call 8', exact: true }).click();
    await page.waitForURL(`**${paths.capitalCall(pair.call)}`);
    const table = main.getByRole('table', { name: 'Net amount of each investor' });
    await table.waitFor();
    expect((await table.textContent())!.replaceAll(/\s+/g, ' ')).toMatch(
      /800\.00.*1,100\.00.*500\.00.*300\.00.*600\.00/,
    );

    await main.getByRole('link', { name: 'Issue', exact: true }).click();
    await main.getByText('Issue call 8 and distribution 4?').waitFor();
    await looksRight();
    await main.getByRole('button', { name: 'Issue both' }).click();
    await main.getByText('Upcoming', { exact: true }).first().waitFor();
    await page.goto(paths.distribution(pair.distribution));
    await main.getByText('Upcoming', { exact: true }).first().waitFor();
    if (javaScript) await scriptsReady(page);
    await looksRight();

    await main.getByRole('link', { name: 'Remove', exact: true }).click();
    await main.getByRole('heading', { name: 'Withdraw distribution 4 and call 8?' }).waitFor();
    await main.getByLabel('Reason').fill('The amounts were wrong.');
    await main.getByRole('button', { name: 'Withdraw both' }).click();
    await page.waitForURL(`**${paths.distributions()}`);
    await page.goto(paths.capitalCall(pair.call));
    await main.getByText('withdrew capital call 8').waitFor();
    await page.close();
  },
);
