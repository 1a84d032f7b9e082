import { beforeAll, expect, test } from 'vitest';
import { type ApiClient, signedIn } from './api-client.ts';
import { ownTenant } from './tenant.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

const tenant = ownTenant();
let investor: ApiClient;
let borrower: ApiClient;
let investorId: string;
let borrowerId: string;

beforeAll(async () => {
  [investor, borrower] = await Promise.all([signedIn(tenant.emails.investor), signedIn(tenant.emails.borrower)]);
  [{ id: investorId }] = (
    await tenant.manager.get('/crud/LPs', { filter: { title: 'Calder Valley Pension Scheme' } })
  ).json;
  const companies: { id: string; entity: { name: string } }[] = (await tenant.manager.get('/crud/companies')).json;
  borrowerId = companies.find(({ entity }) => entity.name === 'Northwind Consumer Loans')!.id;
});

/** Uploads the letter of a bank, as a program does. @returns its key */
async function uploadLetter(client: ApiClient): Promise<string> {
  const type = 'application/pdf';
  const asked = await client.post('/files/signedUrls/capitalAccounts?operation=upload', {
    directory: 'bank-letters',
    filesInfo: [{ name: 'Bank letter.pdf', size: PDF.byteLength, type }],
  });
  expect(asked.status, asked.text).toBe(200);
  const { key, signedUrl } = asked.json[0].fileMetadata;
  const stored = await fetch(signedUrl, { method: 'PUT', headers: { 'content-type': type }, body: PDF });
  expect(stored.status).toBe(200);
  return key;
}

const request = (letter: string, ending: string, currency: string) => ({
  currency,
  bank: {
    title: `Custody ${ending}`,
    accountNumber: `0001234577${ending}`,
    accountName: 'Calder Valley Pension Scheme',
    bankName: 'Straits Harbour Bank',
    address: '1 Marina View, Singapore',
    type: 'Business',
    swiftCode: 'STHBSGSG',
  },
  letter,
});
const download = async (client: ApiClient, key: string) =>
  (await client.post('/files/signedUrls/capitalAccounts?operation=download', { filesInfo: [{ key }] })).json;

test.each([
  ['an investor', 'LPs', '14', 'USD', 'EUR'],
  ['a borrower', 'companies', '15', 'GBP', 'CHF'],
] as const)(
  '%s sends the letter of its bank with a request for an account, and only it and its manager read it',
  async (_, kind, ending, currency, another) => {
    const [asking, id, other] = kind === 'LPs' ? [investor, investorId, borrower] : [borrower, borrowerId, investor];
    const key = await uploadLetter(asking);
    // What somebody else has uploaded is no letter of theirs.
    const stolen = await other.post(
      `/crud/${kind === 'LPs' ? 'companies' : 'LPs'}/${kind === 'LPs' ? borrowerId : investorId}/accountRequests`,
      request(key, ending, another),
    );
    expect([stolen.status, stolen.json.error?.flags ?? stolen.json.flags]).toEqual([
      400,
      { letter: 'is not a file that you uploaded' },
    ]);
    const made = await asking.post(`/crud/${kind}/${id}/accountRequests`, request(key, ending, currency));
    expect(made.status, made.text).toBe(201);
    expect(made.json).toMatchObject({ status: 'Requested', ending: expect.stringMatching(`${ending}$`) });
    expect(made.json.letter).toMatch(/^[0-9a-f]{24}$/);
    for (const client of [asking, tenant.manager]) {
      const [{ fileMetadata }] = await download(client, key);
      const file = await fetch(fileMetadata.signedUrl);
      expect(Buffer.from(await file.arrayBuffer()).equals(PDF)).toBe(true);
    }
    expect(await download(other, key)).toEqual([{ error: 'The file does not exist, or its upload is incomplete' }]);
  },
);
