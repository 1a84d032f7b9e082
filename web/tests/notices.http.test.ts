import { beforeAll, expect, test, vi } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant, ownTenantWithoutMappings } from './tenant.ts';

const tenant = ownTenant();
const other = ownTenantWithoutMappings();
let investor: ScreenClient;
let parts: { id: string; investor: { id: string; title: string }; metadata: { bundleId: string } }[];
let ownId: string;

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

const namesIn = (bytes: Uint8Array): string[] =>
  [
    ...new Set(
      Buffer.from(bytes)
        .toString('latin1')
        .match(/CALL-07 [\w ]+\.pdf/g) ?? [],
    ),
  ].sort();

beforeAll(async () => {
  investor = await screensOf(tenant.emails.investor);
  const [own] = (await investor.api.get('/crud/LPs')).json as { id: string }[];
  ownId = own!.id;
  const entity = { name: 'Selkirk Mutual', formalId: 'LP-SEL', nationality: { country: 'GB' } };
  const second = await created('/crud/LPs', { title: 'Selkirk Mutual', entity });
  const terms = { type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 4000, hardCap: 4000 };
  const fund = (await created('/crud/funds', { title: 'Notice Fund', ...terms })).id;
  for (const id of [ownId, second.id]) {
    await created('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2026-01-15',
      maxCommitment: { sum: 2000, currency: 'USD' },
    });
  }
  parts = await created('/crud/contributions', {
    fund,
    cutOffDate: '2026-02-02',
    dueDate: '2099-02-16',
    callNumber: '7',
    amount: { sum: 1000, currency: 'USD' },
    callPurposes: [{ title: 'Investments', kind: 'investments', amount: 1000 }],
    status: 'Active',
  });
  await vi.waitFor(
    async () => {
      for (const { id } of parts)
        expect((await tenant.manager.get(`/crud/contributions/${id}`)).json.pdf).not.toBeNull();
    },
    { timeout: 180_000, interval: 500 },
  );
});

const archive = () => paths.noticeArchive(parts[0]!.metadata.bundleId);

test('a manager downloads all notices of a call in one file, with the list of all investors', async () => {
  const manager = await screensOf(tenant.emails.manager);
  const answer = await manager.api.call('GET', archive());
  expect(answer.status, answer.text.slice(0, 200)).toBe(200);
  expect(Buffer.from(answer.bytes.subarray(0, 2)).toString()).toBe('PK');
  expect(namesIn(answer.bytes)).toEqual(expect.arrayContaining(['CALL-07 all investors.pdf']));
  expect(namesIn(answer.bytes)).toHaveLength(3);
});

test('a manager downloads the shares of all investors as a PDF; an investor does not', async () => {
  const address = paths.listOfAll(parts[0]!.metadata.bundleId);
  const answer = await (await screensOf(tenant.emails.manager)).api.call('GET', address);
  expect(answer.status, answer.text.slice(0, 200)).toBe(200);
  expect(Buffer.from(answer.bytes.subarray(0, 5)).toString()).toBe('%PDF-');
  expect((await investor.api.call('GET', address)).status).toBe(404);
});

test('an investor sees and downloads its own notice, and nobody else’s', async () => {
  const own = parts.find((part) => part.investor.id === ownId)!;
  const others = parts.find((part) => part.investor.id !== ownId)!;
  const listed = (await investor.api.get('/crud/contributions', { filter: { callNumber: '7' } })).json;
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([own.id]);
  expect(listed[0].pdf).toMatchObject({ bucket: 'capitalCalls', type: 'application/pdf' });
  const zipped = await investor.api.call('GET', archive());
  expect(zipped.status).toBe(200);
  expect(namesIn(zipped.bytes)).toHaveLength(1);
  expect((await investor.api.get(`/crud/contributions/${others.id}`)).status).toBe(404);
  const { key } = (await tenant.manager.get(`/crud/contributions/${others.id}`)).json.pdf;
  expect((await investor.api.get('/crud/history', { filter: { documentId: others.id } })).text).not.toContain(key);
});

test('a user of another tenant finds neither the call nor its notices', async () => {
  const stranger = await screensOf(other.emails.manager);
  expect((await stranger.api.call('GET', archive())).status).toBe(404);
  expect((await stranger.api.get(`/crud/contributions/${parts[0]!.id}`)).status).toBe(404);
});

test('a notice that is made again is the same file', async () => {
  const [{ id }] = parts as [(typeof parts)[number]];
  const before = (await tenant.manager.get(`/crud/contributions/${id}`)).json.pdf;
  const again = await tenant.manager.post('/crud/contributions/reGenerateFiles', { ids: [id] });
  expect([again.status, again.json]).toEqual([200, { ids: [id] }]);
  await vi.waitFor(
    async () => expect((await tenant.manager.get(`/crud/contributions/${id}`)).json.pdf).toEqual(before),
    { timeout: 180_000, interval: 500 },
  );
  const borrower = await signedIn(tenant.emails.borrower);
  expect((await borrower.post('/crud/contributions/reGenerateFiles', { ids: [id] })).status).toBe(403);
});
