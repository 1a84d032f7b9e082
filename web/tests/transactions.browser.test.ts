import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityViolations, openDetails, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, value] of Object.entries(values)) await field(page, name).fill(value);
};
const choose = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, value] of Object.entries(values)) await field(page, name).selectOption(value);
};
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

interface Stored {
  id: string;
  version: number;
  title: string;
  notes: { id: string; title: string; tranches: { title: string; sequenceActivated: boolean }[] }[];
}
const stored = async (id: string): Promise<Stored> => (await tenant.manager.get(`/crud/transactions/${id}`)).json;

describe.each([true, false])('a facility (JavaScript: %s)', (javaScript) => {
  it('is created step by step and then edited in every part', async () => {
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, tenant.emails.manager);
    const title = javaScript ? 'Tamar equipment facility' : 'Exe equipment facility';

    await page.goto(paths.newTransaction());
    if (javaScript) await scriptsReady(page);
    await press(page, 'Continue');
    await page.getByText('Enter a title').first().waitFor();
    await fill(page, { title, 'industries[0]': 'Equipment Finance' });
    await field(page, 'company').selectOption({ label: 'Alder Auto' });
    await press(page, 'Continue');

    await field(page, 'notes[0].priority.attachmentPoint').waitFor();
    await fill(page, { 'notes[0].priority.attachmentPoint': '80', 'notes[0].priority.detachmentPoint': '80' });
    await press(page, 'Add note');
    await field(page, 'notes[1].title').fill('Mezzanine');
    await choose(page, { 'notes[1].currency': 'EUR' });
    await press(page, 'Continue');
    await page.getByText('Attachment Point should be less then Detachment Point').first().waitFor();
    await fill(page, { 'notes[0].priority.attachmentPoint': '0' });
    await press(page, 'Continue');

    await field(page, 'notes[0].commitment').waitFor();
    await fill(page, {
      'notes[0].commitment': '12,500,000',
      'notes[0].interest.spread': '4.25',
      'notes[0].interest.minimumInterest': '7',
      'notes[1].commitment': '3000000',
    });
    await choose(page, { 'notes[0].interest.baseRate': 'SOFR', 'notes[1].interest.kind': 'fix' });
    await field(page, 'notes[1].interest.value').fill('11.5');
    await press(page, 'Continue');
    await field(page, 'notes[0].timeline.maturity').waitFor();
    // What was entered on earlier steps is still there.
    await press(page, 'Back');
    expect(await field(page, 'notes[0].commitment').inputValue()).toBe('12,500,000.00');
    await press(page, 'Continue');
    for (const note of [0, 1])
      await fill(page, {
        [`notes[${note}].timeline.contractSigning`]: '2026-03-02',
        [`notes[${note}].timeline.maturity`]: '2030-03-02',
      });
    await press(page, 'Continue');
    await page.getByText('SOFR + 4.25%', { exact: false }).first().waitFor();
    expect((await tenant.manager.get('/crud/transactions', { filter: { title } })).json).toEqual([]);
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    await press(page, 'Create facility');
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const [senior] = (await stored(id)).notes;

    await follow(page, 'Terms');
    await follow(page, 'Edit');
    await press(page, 'Add amount');
    await field(page, 'managerMaxCommitments[0].sum').fill('9000000');
    await choose(page, { 'managerMaxCommitments[0].currency': 'USD' });
    await press(page, 'Save');
    await page.getByRole('heading', { level: 1, name: title }).waitFor();

    await follow(page, 'Edit Senior');
    await press(page, 'Add holding');
    await field(page, 'note.holdings[0].fund').selectOption({ index: 1 });
    await fill(page, { 'note.holdings[0].targetPercentage': '100.1', 'note.holdings[0].actualPercentage': '60' });
    await press(page, 'Add manager counsel');
    await field(page, 'note.counselsManager[0]').selectOption({ label: 'Northwind Consumer Loans' });
    await press(page, 'Add security');
    await field(page, 'note.security[0]').fill('First lien on the leases');
    await press(page, 'Add legal agreement');
    await fill(page, {
      'note.legalAgreements[0]': 'Facility agreement',
      'note.futureInvestmentRights.amount.sum': '500000',
      'note.futureInvestmentRights.description': 'Pro rata',
    });
    await choose(page, { 'note.futureInvestmentRights.amount.currency': 'USD' });
    await press(page, 'Save');
    await page.getByText('must be at most 100', { exact: false }).first().waitFor();
    await field(page, 'note.holdings[0].targetPercentage').fill('60');
    await press(page, 'Save');
    await page.getByText('First lien on the leases').first().waitFor();
    await page.getByText('Northwind Consumer Loans', { exact: true }).first().waitFor();

    await follow(page, 'Edit terms of the note');
    await page.locator('main form details > summary').first().waitFor();
    await openDetails(page);
    await press(page, 'Add fee');
    await fill(page, {
      'terms.fees[0].title': 'Agency fee',
      'terms.fees[0].kind': 'Agency',
      'terms.fees[0].rate.sum': '-2500',
      'terms.fees[0].payee.name': 'Harbour Agency',
      'terms.drawLimits.prefunding.maxPercentage': '15',
      'terms.drawLimits.draw.dueDateLimit.min': '2',
      'terms.drawLimits.draw.dueDateLimit.max': '12',
    });
    await choose(page, {
      'terms.fees[0].rate.currency': 'USD',
      'terms.fees[0].frequency': 'Quarterly',
      'terms.fees[0].dateRangeType.start': 'contractSigning',
      'terms.fees[0].dateRangeType.end': 'maturity',
    });
    await press(page, 'Save');
    await page.getByText('at most 15% of the commitments').first().waitFor();

    await follow(page, 'New tranche');
    await fill(page, {
      title: 'Tranche B',
      type: 'ROFO',
      condition: 'Two tapes in a row without a breach',
      'terms.commitments[0].amount.sum': '5000000',
    });
    await field(page, 'isDiscretional').check();
    await page.locator('main form details > summary').first().waitFor();
    await openDetails(page);
    await press(page, 'Add warrant');
    await fill(page, { 'terms.warrants[0].shareClass': 'Ordinary', 'terms.warrants[0].actual.percentage': '2.5' });
    await choose(page, { 'terms.warrants[0].actual.kind': 'future' });
    await press(page, 'Create tranche');
    await page.getByText('Ordinary: future, 2.5%').first().waitFor();
    expect((await stored(id)).notes[0]?.tranches.map((one) => one.sequenceActivated)).toEqual([true, false]);

    await follow(page, 'Edit Tranche B');
    await field(page, 'terms.commitments[0].additionalCurrencies').fill('EUR');
    await press(page, 'Save');
    await page.getByText('also in EUR', { exact: false }).first().waitFor();

    await follow(page, 'Move to it');
    await page.getByText('Two tapes in a row without a breach').first().waitFor();
    await press(page, 'Approve and move');
    await page.getByText('Confirm that you approve the move into this tranche').first().waitFor();
    await field(page, 'approve').check();
    await press(page, 'Approve and move');
    await page.getByText(/^Approved by Mara Holt, /).waitFor();

    expect((await tenant.manager.get(`/crud/transactions/${id}`)).json).toMatchObject({
      managerMaxCommitments: [{ sum: 9_000_000, currency: 'USD' }],
      maxCommitments: [
        { sum: 17_500_000, currency: 'USD' },
        { sum: 3_000_000, currency: 'EUR' },
      ],
      notes: [
        {
          id: senior?.id,
          holdings: [{ targetPercentage: 60, actualPercentage: 60 }],
          security: ['First lien on the leases'],
          legalAgreements: ['Facility agreement'],
          futureInvestmentRights: { description: 'Pro rata', amount: { sum: 500_000, currency: 'USD' } },
          terms: {
            fees: [{ rate: { sum: -2500, currency: 'USD' }, payee: { name: 'Harbour Agency' } }],
            drawLimits: { prefunding: { maxPercentage: 15 }, draw: { dueDateLimit: { min: 2, max: 12 } } },
          },
          tranches: [
            {
              sequenceActivated: false,
              terms: { interest: { kind: 'variable', baseRate: 'SOFR', spread: 4.25, minimumInterest: 7 } },
            },
            {
              sequenceActivated: true,
              isDiscretional: true,
              approval: { condition: 'Two tapes in a row without a breach' },
              terms: {
                commitments: [{ amount: { sum: 5_000_000, currency: 'USD' }, additionalCurrencies: ['EUR'] }],
                warrants: [{ shareClass: 'Ordinary', actual: { kind: 'future', percentage: 2.5 } }],
              },
            },
          ],
        },
        {
          title: 'Mezzanine',
          tranches: [{ terms: { interest: { kind: 'fix', value: 11.5 } } }],
        },
      ],
    });
  });

  it('shows what another user changed instead of overwriting it', async () => {
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, tenant.emails.manager);
    const [facility] = (
      await tenant.manager.get('/crud/transactions', { filter: { title: 'Northwind warehouse facility' } })
    ).json as Stored[];
    const before = await stored(facility!.id);
    const note = before.notes[0]!;
    await page.goto(paths.editNote(facility!.id, note.id));
    if (javaScript) await scriptsReady(page);
    const theirs = javaScript ? 'Lending' : 'Small Business Lending';
    const other = { ...before, industries: [theirs] };
    expect((await tenant.manager.call('PUT', `/crud/transactions/${before.id}`, { body: other })).status).toBe(200);

    await press(page, 'Add security');
    await field(page, 'note.security[1]').fill('Second security');
    await press(page, 'Save');
    await page.getByText('The facility was changed while you were editing.').waitFor();
    await page.getByText(theirs, { exact: false }).first().waitFor();
    expect(await field(page, 'note.security[1]').inputValue()).toBe('Second security');
    expect((await stored(before.id)).version).toBe(before.version + 1);
    await press(page, 'Save');
    await page.getByText('Second security').first().waitFor();
    const after = (await tenant.manager.get(`/crud/transactions/${before.id}`)).json;
    expect(after).toMatchObject({
      industries: [theirs],
      notes: [{ security: [expect.any(String), 'Second security'] }],
    });
    const { notes, ...rest } = after;
    const reset = { ...rest, notes: notes.map((one: object) => ({ ...one, security: ['First lien'] })) };
    expect((await tenant.manager.call('PUT', `/crud/transactions/${before.id}`, { body: reset })).status).toBe(200);
  });

  it('is found among others by what its notes state', async () => {
    const page = await openPage({ javaScript });
    await signIn(page, 'manager@tapeline.test');
    const filter = JSON.stringify({ 'maxCommitments.GBP': { gte: 1 } });
    await page.goto(`${paths.transactions()}?filter=${encodeURIComponent(filter)}`);
    if (javaScript) await scriptsReady(page);
    await page.getByRole('link', { name: 'Severn motor receivables facility' }).waitFor();
    await page.getByRole('list', { name: 'Filters' }).getByText('Commitments in GBP').waitFor();
    expect(await page.getByText('Keystone dental term loan').count()).toBe(0);
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  });
});

describe.each(['light', 'dark'] as const)('the screens of a facility in the %s theme', (colorScheme) => {
  it.each([1440, 390])('are accessible and fit %s px', async (widthPx) => {
    const page = await openPage({ colorScheme, widthPx });
    await signIn(page, 'manager@tapeline.test');
    const client = await signedIn('manager@tapeline.test');
    const filter = { title: 'Severn motor receivables facility' };
    const [severn] = (await client.get('/crud/transactions', { filter })).json as Stored[];
    const { id, notes } = severn!;
    const note = notes[0]!.id;
    for (const path of [
      paths.transactions(),
      ...[undefined, 'bases', 'draws', 'contract', 'terms', 'documents', 'history'].map((view) =>
        paths.transaction(id, { view }),
      ),
      paths.editTransaction(id),
      paths.editNote(id, note),
      paths.editNoteTerms(id, note),
      paths.editTranche(id, note, 2),
      paths.activateTranche(id, note, 2),
      paths.newTransaction(),
    ]) {
      await page.goto(path);
      await scriptsReady(page);
      expect([path, await accessibilityViolations(page)]).toEqual([path, []]);
      expect([path, await overflowsSideways(page)]).toEqual([path, false]);
    }
  });
});
