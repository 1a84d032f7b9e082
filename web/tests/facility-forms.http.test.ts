import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ScreenAnswer, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const { manager: MANAGER } = ownTenant().emails;

/** The value shown in an input of the page. */
function shown(answer: ScreenAnswer, name: string): string | undefined {
  const input = answer.text.match(/<input[^>]*>/g)?.find((tag) => tag.includes(`name="${name}"`));
  return input?.match(/ value="([^"]*)"/)?.[1];
}

const refused = (answer: ScreenAnswer, message: string) => {
  expect(answer.status, answer.text.slice(0, 500)).toBe(422);
  expect(answer.text).toContain(message);
};

describe('a form that JavaScript has not checked comes back with what was typed', () => {
  it('where a commitment is negative', async () => {
    const client = await screensOf(MANAGER);
    const companies = (await client.api.get('/crud/companies')).json as { id: string }[];
    const form = {
      intent: 'create',
      step: 'timeline',
      title: 'Dockside facility',
      company: companies[0]!.id,
      type: 'Direct',
      'industries[0]': 'Consumer Lending',
      'notes[0].title': 'Senior',
      'notes[0].currency': 'USD',
      'notes[0].commitment': '-5',
      'notes[0].timeline.contractSigning': '2026-01-15',
      'notes[0].timeline.maturity': '2029-01-15',
    };
    // The step with the error is shown, and the fields of the others are kept.
    const answer = await client.submit(paths.newTransaction(), form);
    refused(answer, 'A commitment cannot be negative');
    expect(shown(answer, 'step')).toBe('terms');
    expect(shown(answer, 'notes[0].commitment')).toBe('−5.00');
    expect(shown(answer, 'title')).toBe('Dockside facility');
    expect(shown(answer, 'notes[0].timeline.maturity')).toBe('2029-01-15');
    const notAnId = await client.submit(paths.newTransaction(), {
      ...form,
      'notes[0].commitment': '5',
      company: 'z'.repeat(24),
    });
    refused(notAnId, 'Borrower must be one of the choices');
    expect(shown(notAnId, 'step')).toBe('deal');
    expect(shown(notAnId, 'notes[0].commitment')).toBe('5');
    // Nothing is created before the last step.
    const filled = { ...form, 'notes[0].commitment': '5' };
    const review = await client.submit(paths.newTransaction(), filled);
    expect([review.status, shown(review, 'step')]).toEqual([200, 'review']);
    const named = () => client.api.get('/crud/transactions', { filter: { title: 'Dockside facility' } });
    expect((await named()).json).toEqual([]);
    expect((await client.submit(paths.newTransaction(), { ...filled, step: 'review' })).status).toBe(302);
    const [created] = (await named()).json as { id: string }[];
    expect((await client.api.call('DELETE', `/crud/transactions/${created!.id}`)).status).toBe(200);
  });

  it('and the currency of the first note follows the company that is chosen after going back, unless it was changed', async () => {
    const client = await screensOf(MANAGER);
    const companyIn = async (currency: string) => {
      const business = { type: 'LLC', formalName: `Lender in ${currency}`, currency };
      const entity = {
        name: `Lender in ${currency}`,
        formalId: `C-${currency}`,
        nationality: { country: 'US' },
        business,
      };
      const answer = await client.api.post('/crud/companies', { entity });
      expect(answer.status, answer.text).toBe(201);
      return answer.json.id as string;
    };
    const [krona, franc] = [await companyIn('SEK'), await companyIn('CHF')];
    const screen = paths.newTransaction();
    const CURRENCY = 'notes[0].currency';
    const form = { intent: 'create', title: 'Currencies', type: 'Direct', 'industries[0]': 'Consumer Lending' };
    const chosen = (answer: ScreenAnswer) =>
      / selected=""[^>]*value="([A-Z]{3})"|value="([A-Z]{3})"[^>]* selected/
        .exec(answer.text.slice(answer.text.indexOf(`name="${CURRENCY}"`)))
        ?.slice(1)
        .find(Boolean);
    const first = { ...form, company: krona, 'notes[0].title': 'Senior' };
    expect(chosen(await client.submit(screen, { ...first, step: 'deal' }))).toBe('SEK');
    const back = (currency: string) =>
      client.submit(screen, { ...first, step: 'notes', [CURRENCY]: currency, otherIntent: 'back' });
    const kept = async (currency: string) => shown(await back(currency), CURRENCY);
    expect([await kept('SEK'), await kept('EUR')]).toEqual([undefined, 'EUR']);
    expect(chosen(await client.submit(screen, { ...first, step: 'deal', company: franc }))).toBe('CHF');
  });

  it('where the rate of a first contract, and then of a draft, has too many decimals, or its limits overlap in no known way', async () => {
    const client = await screensOf(MANAGER);
    const mappings = (await client.api.get('/crud/assetsETLs')).json as { id: string; company: string }[];
    const { id: assetsETL, company } = mappings[0]!;
    const transaction = await client.api.post('/crud/transactions', {
      title: 'Rates of a draft',
      type: 'Direct',
      industries: ['Consumer Lending'],
      company,
      notes: [{ title: 'Senior' }],
    });
    expect(transaction.status, transaction.text).toBe(201);
    const { id, notes } = transaction.json as { id: string; notes: { id: string }[] };
    const screen = paths.transaction(id, { view: 'contract' });
    const form = { intent: 'firstContract', note: notes[0]!.id, cutOffDate: '2026-10-31', assetsETL };
    const answer = await client.submit(screen, { ...form, defaultRate: '0.123456789' });
    refused(answer, 'A rate has at most 8 decimals');
    expect(shown(answer, 'defaultRate')).toBe('0.123456789');
    expect(shown(answer, 'cutOffDate')).toBe('2026-10-31');

    const created = await client.submit(screen, { ...form, defaultRate: '0.12345678' });
    expect(created.status).toBe(302);
    const contract = created.headers.get('location')!;
    const changed = await client.submit(`${contract}?tab=advance&edit=default`, {
      intent: 'defaultRate',
      version: '1',
      defaultRate: '0.123456789',
    });
    refused(changed, 'A rate has at most 8 decimals');
    expect(shown(changed, 'defaultRate')).toBe('0.123456789');

    const setOverlap = (overlap: string) =>
      client.submit(`${contract}?tab=concentration&edit=overlap`, { intent: 'overlap', version: '1', overlap });
    refused(await setOverlap('average'), 'must be one of the choices');
    expect((await setOverlap('maximumPerAsset')).status).toBe(302);
    const { notes: saved } = (await client.api.get(`/crud/transactions/${id}`)).json as {
      notes: { contracts: { overlap: string }[] }[];
    };
    expect(saved[0]!.contracts[0]!.overlap).toBe('maximumPerAsset');
    expect((await client.api.call('DELETE', `/crud/transactions/${id}`)).status).toBe(200);
  });
});
