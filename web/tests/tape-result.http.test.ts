import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { northwindTapes } from './northwind-tapes.ts';
import { read, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

it('a published tape shows its result and the next step', async () => {
  const tapes = await northwindTapes(tenant.manager);
  const loans = [
    tapes.loan({ 'Loan ID': 'R-1', 'Principal Balance': 1_200_000 }),
    tapes.loan({ 'Loan ID': 'R-2', 'Principal Balance': 300_000 }),
    tapes.loan({ 'Loan ID': 'R-3', 'Principal Balance': 250_500, 'Loan Status': 'Unheard of' }),
  ];
  const id = await tapes.publish(loans, { cutOffDate: '2018-05-31' });
  const screens = await screensOf(tenant.emails.manager);
  const page = await screens.get(paths.tape(id));
  const text = read(page);
  expect(text).toContain('2 assets, 1 row needs correction');
  expect(text).toContain('No borrowing base was calculated for this tape.');
  expect(text).toMatch(/Pool 1\.50 ?M USD/);
  expect(text).toMatch(/Left out, 1 row 250\.50 ?K/);
  expect(page.text).toContain(`href="${paths.tape(id, { view: 'errored' })}"`);
  await tapes.remove(id);
});

it('the foot of the assets has the totals of what the filter finds, and says of how many assets', async () => {
  const tapes = await northwindTapes(tenant.manager);
  const loans = [
    tapes.loan({ 'Loan ID': 'F-1', 'Original Amount': 1000.25, 'Principal Balance': 900, 'Interest Rate': 0.1 }),
    tapes.loan({ 'Loan ID': 'F-2', 'Original Amount': 500.5, 'Principal Balance': 300.01, 'Interest Rate': 0.2 }),
  ];
  const id = await tapes.publish(loans, { cutOffDate: '2018-06-30' });
  const screens = await screensOf(tenant.emails.manager);
  const foot = async (filter?: object) => {
    const text = read(await screens.get(paths.tape(id, filter ? { filter: JSON.stringify(filter) } : {})));
    return (
      /(?:\d+ of )?\d+ assets? (?=Original principal)/.exec(text)![0] + text.split(/assets? (?=Original principal)/)[1]
    );
  };
  // (900.00 x 10 + 300.01 x 20) / 1,200.01
  expect(await foot()).toMatch(
    /^2 assets Original principal 1,500\.75 USD Current balance 1,200\.01 USD Average rate by balance 12\.50%/,
  );
  expect(await foot({ interestRate: { gt: 15 } })).toMatch(
    /^1 of 2 assets Original principal 500\.50 USD Current balance 300\.01 USD Average rate by balance 20\.00%/,
  );
  expect(read(await screens.get(paths.tape(id, { filter: JSON.stringify({ assetId: 'none' }) })))).toContain(
    '0 of 2 assets',
  );
  await tapes.remove(id);
});

it('a tape that cannot be seen is not found, whichever of its parts is asked for', async () => {
  const screens = await screensOf(tenant.emails.manager);
  for (const id of ['6a1c00000000000000000000', 'junk']) {
    for (const view of ['assets', 'migration', 'bases'] as const) {
      expect((await screens.get(paths.tape(id, { view }))).status, `${id} ${view}`).toBe(404);
    }
  }
});
