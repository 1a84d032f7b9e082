import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { fieldsOf, screensOf } from './screen-client.ts';
import { secondManager } from './second-manager.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let fund: string;
let investor: string;
let other: string;

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

beforeAll(async () => {
  other = await secondManager(tenant.emails.manager);
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 400_000, hardCap: 400_000 };
  fund = (await created('/crud/funds', { title: 'Weir Fund', ...terms })).id;
  const entity = { name: 'Zambezi Life', formalId: 'LP-ZAM', nationality: { country: 'US' } };
  ({ id: investor } = await created('/crud/LPs', { title: 'Zambezi Life', entity }));
  await created('/crud/LPCommitments', {
    fund,
    investor: { id: investor, kind: 'LP' },
    closingDate: '2026-01-15',
    maxCommitment: { sum: 300_000, currency: 'USD' },
  });
  const preparer = await screensOf(tenant.emails.manager);
  const form = fieldsOf(await preparer.get(paths.secondPerson()), 'calls.when') as Record<string, string>;
  const rules = { ...form, intent: 'rules', 'navs.when': 'always', 'terms.when': 'always' };
  expect((await preparer.submit(paths.secondPerson(), rules)).status).toBe(302);
});

it.each([
  { javaScript: true, widthPx: 1440, colorScheme: 'light', day: '2026-03-31', rate: 1 },
  { javaScript: true, widthPx: 390, colorScheme: 'dark', day: '2026-04-30', rate: 2 },
  { javaScript: false, widthPx: 390, colorScheme: 'light', day: '2026-05-31', rate: 3 },
] as const)(
  'NAVs are submitted and issued, and terms proposed and confirmed, by two people ($widthPx px, JavaScript: $javaScript)',
  async ({ day, rate, ...options }) => {
    const { javaScript } = options;
    const nav = { gross: 500, net: 450, currency: 'USD', status: 'Draft' };
    await created('/crud/navs', [{ fund, investor: { id: investor, kind: 'LP' }, cutOffDate: day, ...nav }]);
    const ready = (page: Awaited<ReturnType<typeof openPage>>) => (javaScript ? scriptsReady(page) : Promise.resolve());
    const fits = async (page: Awaited<ReturnType<typeof openPage>>) => {
      expect(await overflowsSideways(page)).toBe(false);
      if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    };
    const preparer = await openPage(options);
    await signIn(preparer, tenant.emails.manager);
    await preparer.goto(paths.fund(fund, { view: 'navs' }));
    await fits(preparer);
    await preparer.getByRole('link', { name: 'Open in Approvals' }).click();
    await preparer.getByRole('heading', { name: 'Submit NAVs of' }).waitFor();
    await ready(preparer);
    await fits(preparer);
    await preparer.getByRole('button', { name: 'Submit', exact: true }).click();
    await preparer.getByText('It was submitted.').waitFor();

    const issuer = await openPage(options);
    await signIn(issuer, other);
    await issuer.goto(paths.fund(fund, { view: 'navs' }));
    await issuer.getByRole('link', { name: 'Open in Approvals' }).click();
    await issuer.getByText('Net NAV by investor').waitFor();
    await ready(issuer);
    await fits(issuer);
    await issuer.getByRole('button', { name: 'Issue', exact: true }).click();
    await issuer.getByRole('button', { name: 'Issue NAVs' }).click();
    await issuer.getByText('NAVs of').first().waitFor();
    const stored = await tenant.manager.get('/crud/navs', { filter: { fund, cutOffDate: day } });
    await expect
      .poll(async () => (await tenant.manager.get('/crud/navs', { filter: { fund, cutOffDate: day } })).json[0].status)
      .toBe('Active');
    expect(stored.json).toHaveLength(1);

    await preparer.goto(paths.feeTerms(fund));
    await ready(preparer);
    await preparer.getByLabel('From', { exact: true }).fill(day);
    await preparer.getByLabel('Management fee on committed capital', { exact: true }).fill(String(rate));
    await preparer.getByRole('button', { name: 'Add fee terms' }).click();
    await preparer.getByText('You proposed a change of these terms').waitFor();
    await fits(preparer);
    await issuer.goto(paths.approval('fundTerms', fund));
    await issuer.getByText(`${rate}% on committed capital`).waitFor();
    await ready(issuer);
    await fits(issuer);
    await issuer.getByRole('button', { name: 'Confirm', exact: true }).click();
    await issuer.getByRole('button', { name: 'Confirm the terms' }).click();
    await expect.poll(async () => (await tenant.manager.get(`/crud/funds/${fund}`)).json.feeTerms.length).toBe(rate);
  },
);
