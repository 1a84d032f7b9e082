import { describe, expect, it } from 'vitest';
import { paths } from '../app/routes/paths.ts';
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
      title: 'Dockside facility',
      company: companies[0]!.id,
      loanType: 'Direct',
      industry: 'Consumer Lending',
      noteTitle: 'Senior',
      currency: 'USD',
      commitment: '-5',
      contractSigning: '2026-01-15',
      maturity: '2029-01-15',
    };
    const answer = await client.submit(paths.newTransaction(), form);
    refused(answer, 'A commitment cannot be negative');
    expect(shown(answer, 'commitment')).toBe('-5');
    expect(shown(answer, 'title')).toBe('Dockside facility');
    const notAnId = await client.submit(paths.newTransaction(), { ...form, commitment: '5', company: 'z'.repeat(24) });
    refused(notAnId, 'Ids are exactly 24 characters');
    expect(shown(notAnId, 'commitment')).toBe('5');
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
    const screen = paths.transaction(id);
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
    refused(await setOverlap('average'), 'Invalid option');
    expect((await setOverlap('maximumPerAsset')).status).toBe(302);
    const { notes: saved } = (await client.api.get(`/crud/transactions/${id}`)).json as {
      notes: { contracts: { overlap: string }[] }[];
    };
    expect(saved[0]!.contracts[0]!.overlap).toBe('maximumPerAsset');
    expect((await client.api.call('DELETE', `/crud/transactions/${id}`)).status).toBe(200);
  });
});
