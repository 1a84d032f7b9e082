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
