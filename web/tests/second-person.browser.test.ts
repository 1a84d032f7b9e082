import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { secondManager } from './second-manager.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let fund: string;
let other: string;

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

beforeAll(async () => {
  other = await secondManager(tenant.emails.manager);
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 400_000, hardCap: 400_000 };
  fund = (await created('/crud/funds', { title: 'Quay Fund', ...terms })).id;
  const entity = { name: 'Okavango Life', formalId: 'LP-OKA', nationality: { country: 'US' } };
  const { id } = await created('/crud/LPs', { title: 'Okavango Life', entity });
  await created('/crud/LPCommitments', {
    fund,
    investor: { id, kind: 'LP' },
    closingDate: '2026-01-15',
    maxCommitment: { sum: 300_000, currency: 'USD' },
  });
});

it.each([true, false])(
  'the rule is set, a call is submitted, returned, submitted again and issued by somebody else (JavaScript: %s)',
  async (javaScript) => {
    const options = { javaScript, widthPx: javaScript ? 1440 : 390 };
    const preparer = await openPage(options);
    await signIn(preparer, tenant.emails.manager);
    const ready = (page: typeof preparer) => (javaScript ? scriptsReady(page) : Promise.resolve());
    const fits = async (page: typeof preparer) => {
      expect(await overflowsSideways(page)).toBe(false);
      if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    };

    await preparer.goto(paths.secondPerson());
    await ready(preparer);
    await preparer.getByLabel('Capital calls', { exact: true }).selectOption('from');
    await preparer
      .getByRole('textbox', { name: /^Amount/ })
      .first()
      .fill('10,000');
    await preparer.getByLabel('Amount, currency', { exact: true }).first().selectOption('USD');
    await preparer.getByRole('button', { name: 'Save', exact: true }).click();
    await preparer.getByText('The rules are saved and apply now.').waitFor();
    await fits(preparer);

    const [line] = await created('/crud/contributions', {
      fund,
      callNumber: javaScript ? 'J1' : 'N1',
      cutOffDate: '2026-03-02',
      dueDate: '2026-03-20',
      amount: { sum: 12_500, currency: 'USD' },
      callPurposes: [
        { title: 'A loan', kind: 'investments', amount: 12_000 },
        { title: 'Audit', kind: 'fundExpenses', amount: 500 },
      ],
    });
    const id = line.metadata.bundleId;
    await preparer.goto(paths.capitalCall(id));
    await ready(preparer);
    await preparer.getByText('You prepared this call, so somebody else must issue it.').waitFor();
    expect(await preparer.getByRole('link', { name: 'Issue', exact: true }).count()).toBe(0);
    await fits(preparer);
    await preparer.getByRole('button', { name: 'Submit', exact: true }).click();
    await preparer.getByText(/^You submitted this call on/).waitFor();

    const second = await openPage(options);
    await signIn(second, other);
    await second.goto(paths.approval('call', id));
    await ready(second);
    await second.getByText('Audit', { exact: true }).waitFor();
    await second.getByRole('region', { name: 'Request' }).getByText('Mara Holt', { exact: true }).waitFor();
    await fits(second);
    await second.getByRole('link', { name: 'Return', exact: true }).click();
    await second.getByLabel('Reason').fill('The fee is missing.');
    await second.getByRole('button', { name: 'Return it', exact: true }).click();
    await second.getByText('It was returned to who prepared it, with your reason.').first().waitFor();

    await preparer.goto(paths.approval('call', id));
    await ready(preparer);
    await preparer.getByText('The fee is missing.').waitFor();
    await preparer.getByRole('button', { name: 'Submit', exact: true }).click();
    await preparer
      .getByText(/^It was submitted/)
      .first()
      .waitFor();

    await second.goto(paths.approval('call', id));
    await ready(second);
    await second.getByRole('button', { name: 'Issue', exact: true }).click();
    await second.getByRole('button', { name: 'Issue 12,500.00 USD', exact: true }).click();
    await second
      .getByText(/was issued: 12,500\.00 USD, Quay Fund/)
      .first()
      .waitFor();
  },
);
