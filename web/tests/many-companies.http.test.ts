import { createTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { addCompanies } from '@tapeline/db/testing/many-documents.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { uploadTape } from './northwind-tapes.ts';
import { productStore } from './product-store.ts';
import { type ScreenAnswer, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const MANY = 600;
const tenant = ownTenant();
let client: ScreenClient;

/** The option labels of a select, as shown by a browser without JavaScript. */
function choices(answer: ScreenAnswer, name: string): string[] {
  const select = answer.text.match(new RegExp(`<select[^>]*name="${name}"[^>]*>(.*?)</select>`, 's'))?.[1] ?? '';
  return [...select.matchAll(/<option[^>]*>([^<]*)<\/option>/g)].map(([, text]) => text!);
}

beforeAll(async () => {
  const companies = (await tenant.manager.get('/crud/companies')).json as { id: string }[];
  const store = await productStore();
  await store.as(systemActor('Test fixture'), (session) =>
    addCompanies(session, { like: companies[0]!.id, from: 1, count: MANY }),
  );
  client = await screensOf(tenant.emails.manager);
});

/** Sixty mappings and sixty tapes of one company, with a contract that uses the first mapping. */
async function companyWithMany() {
  const [like] = (await tenant.manager.get('/crud/assetsETLs')).json as {
    id: string;
    company: string;
    rules: unknown;
  }[];
  const { company, rules } = like!;
  const sheets = Array.from({ length: 60 }, (_, index) => `Sheet ${100 + index}`);
  const created = await tenant.manager.post(
    '/crud/assetsETLs',
    sheets.map((loanTapeSheetName) => ({ company, rules, loanTapeSheetName, primaryCurrency: 'USD' })),
  );
  expect(created.status, created.text).toBe(201);
  const mappings = created.json as { id: string }[];
  const store = await productStore();
  await store.as(systemActor('Test fixture'), async (session) => {
    const attachment = { bucket: 'loanTapes', size: 1, type: 'text/csv', checksum: null };
    for (const [index] of sheets.entries()) {
      const tape = await createTape(session, {
        companyId: company,
        cutOffDate: `2021-${index < 30 ? '01' : '03'}-${String((index % 30) + 1).padStart(2, '0')}`,
        mainCurrency: 'USD',
        exchangeRates: {},
        calculateBB: false,
        attachment: { ...attachment, key: `${company}/${index}`, name: `tape-${100 + index}.csv` },
        mappingId: mappings[0]!.id,
      });
      tape.schedulerStatus = 'Completed';
    }
  });
  return { company, mappings };
}

describe('a company among six hundred is found without JavaScript', () => {
  it.each([
    [paths.newTransaction(), 'company', 'find'],
    [paths.newMapping(), 'companyId', 'find'],
    [paths.tapes(), 'company', 'find'],
    [paths.draws(), 'company', 'findCompany'],
  ])('on %s', async (path, field, find) => {
    const all = await client.get(path);
    expect(all.status).toBe(200);
    expect(choices(all, field)).not.toContain('Borrower 00599');
    expect(choices(all, field).length).toBeLessThan(60);
    expect(all.text).toContain('of 602 borrowers are listed');
    const found = await client.get(`${path}?${find}=borrower+00599`);
    expect(choices(found, field).filter((name) => name.startsWith('Borrower'))).toEqual(['Borrower 00599']);
    expect(found.text).toContain('1 borrower found');
    expect((await client.get(`${path}?${find}=nobody`)).text).toContain('No borrower matches');
  });

  it('and the transaction is created with it; a form that is refused keeps it', async () => {
    const path = `${paths.newTransaction()}?find=borrower+00599`;
    const [, company = ''] = (await client.get(path)).text.match(/<option value="([0-9a-f]{24})">Borrower 00599/) ?? [];
    const form = {
      intent: 'create',
      step: 'review',
      title: 'Far away',
      company,
      type: 'Direct',
      'industries[0]': 'Consumer Lending',
      'notes[0].title': 'Senior',
      'notes[0].currency': 'USD',
      'notes[0].commitment': '1',
      'notes[0].timeline.contractSigning': '2026-01-15',
      'notes[0].timeline.maturity': '2029-01-15',
    };
    const refused = await client.submit(path, { ...form, title: '' });
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/<option value="[0-9a-f]{24}" selected="">Borrower 00599/);
    const created = await client.submit(path, form);
    expect(created.status).toBe(302);
    const page = await client.get(created.headers.get('location')!);
    expect(page.text).toContain('Borrower 00599');
    expect((await client.get(paths.transactions())).text).toContain('Borrower 00599');
  });

  it('and a list that is narrowed to it offers it still', async () => {
    const [, company = ''] =
      (await client.get(`${paths.tapes()}?find=00599`)).text.match(/<option value="([0-9a-f]{24})">Borrower 00599/) ??
      [];
    const narrowed = await client.get(`${paths.tapes()}?company=${company}`);
    expect(narrowed.text).toMatch(/<option value="[0-9a-f]{24}" selected="">Borrower 00599/);
    expect(narrowed.text).toContain('This borrower has no tapes yet');
  });
});

it('a company among six hundred is found without JavaScript on the review of an upload', async () => {
  const key = await uploadTape(tenant.manager, {
    name: 'tape.csv',
    bytes: Buffer.from('a,b\n1,2\n'),
    type: 'text/csv',
  });
  const review = paths.newTape({ files: key.split('/')[0] });
  const all = await client.get(review);
  expect(choices(all, 'tapes\\[0\\].companyId')).not.toContain('Borrower 00599');
  expect(all.text).toContain('of 602 borrowers are listed');
  const found = await client.get(`${review}&find=borrower+00599`);
  expect(choices(found, 'tapes\\[0\\].companyId')).toContain('Borrower 00599');
});

describe('one of sixty mappings and tapes is found without JavaScript', () => {
  it('on the forms of uploads and contracts, and on the mapping itself', async () => {
    const { company, mappings } = await companyWithMany();
    const [first] = mappings;
    const file = { name: 'tape.csv', bytes: Buffer.from('a,b\n1,2\n'), type: 'text/csv' };
    const key = await uploadTape(tenant.manager, file);
    const upload = paths.newTape({ company, files: key.split('/')[0] });
    expect((await client.get(upload)).text).not.toContain('sheet Sheet 100');
    const searched = await client.get(`${upload}&findMapping=sheet+100`);
    expect(choices(searched, 'tapes\\[0\\].mapping').filter((label) => label.includes(', sheet '))).toEqual([
      expect.stringContaining('sheet Sheet 100'),
    ]);
    expect(searched.text).toContain('1 mapping version found');

    const transaction = await tenant.manager.post('/crud/transactions', {
      title: 'Many mappings',
      type: 'Direct',
      industries: ['Consumer Lending'],
      company,
      notes: [{ title: 'Senior' }],
    });
    const { id, notes } = transaction.json as { id: string; notes: { id: string }[] };
    const screen = paths.transaction(id, { view: 'contract', findMapping: 'sheet 100' });
    expect(choices(await client.get(screen), 'assetsETL')).toEqual(['v1, sheet Sheet 100']);
    const form = { intent: 'firstContract', note: notes[0]!.id, cutOffDate: '2026-10-31', defaultRate: '80' };
    const created = await client.submit(screen, { ...form, assetsETL: first!.id });
    // The contract's own mapping is offered, whatever is searched.
    const details = `${created.headers.get('location')}?edit=details&findMapping=sheet+159`;
    expect(choices(await client.get(details), 'assetsETL')).toEqual(['Sheet 159, v1', 'Sheet 100, v1']);

    const mapping = await client.get(paths.mapping(first!.id));
    expect(choices(mapping, 'try')).toHaveLength(50);
    const [, draft = ''] = mapping.text.match(/name="draft" value="([^"]*)"/) ?? [];
    const answer = await client.submit(paths.mapping(first!.id), {
      draft: draft.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&'),
      edit: 'keep',
      findTape: 'tape-100',
    });
    expect(choices(answer, 'try')).toEqual([expect.stringContaining('tape-100.csv')]);
    expect((await client.api.call('DELETE', `/crud/transactions/${id}`)).status).toBe(200);
  });
});
