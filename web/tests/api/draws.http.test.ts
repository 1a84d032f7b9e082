import { SYSTEM } from '@tapeline/db/store.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type ApiAnswer, type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { type DrawnNote, drawBody, drawnNote } from '../drawn-note.ts';
import { productStore } from '../product-store.ts';
import { ownTenant } from '../tenant.ts';

const DRAWS = '/crud/transactionDraws';
const tenant = ownTenant();
let borrower: ApiClient;
let analyst: ApiClient;
let note: DrawnNote;

beforeAll(async () => {
  note = await drawnNote(tenant.manager, '6000000');
  borrower = await signedIn(tenant.emails.borrower);
  analyst = await signedIn(tenant.emails.analyst);
});

/** Each test has its own month, so that the frequency of one does not count the draws of another. */
let month = 0;
const nextMonth = () => {
  month += 1;
  const day = (number: number) => `2027-${String(month).padStart(2, '0')}-${String(number).padStart(2, '0')}`;
  return { cutOffDate: day(2), dueDate: day(9) };
};

async function request(sum: number, more: object = {}, client = borrower) {
  const answer = await client.post(DRAWS, drawBody(note, sum, more));
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
/** A refusal with these flags. */
const expectFlags = (answer: ApiAnswer, details: { flags: Record<string, string> }) =>
  expect(expectRefusal(answer, 400)).toMatchObject(details);
const put = (client: ApiClient, draw: { id: string }, body: object) =>
  client.call('PUT', `${DRAWS}/${draw.id}`, { body: { ...draw, ...body } });
const approve = (client: ApiClient, draw: { id: string }) => put(client, draw, { status: 'Approved' });

describe('a draw request', () => {
  it('is answered with its values and exceptions, listed and read', async () => {
    const draw = await request(12_000_000.25, nextMonth());
    expect(draw).toMatchObject({
      status: 'In Review',
      transaction: { id: note.transaction, title: 'Northwind warehouse facility' },
      noteTitle: 'Senior',
      valueInUsd: 12_000_000.25,
      amountInMainCurrency: { sum: 12_000_000.25, currency: 'USD' },
      draws: [{ type: 'Regular', amounts: [{ sum: 12_000_000.25, currency: 'USD' }], valueInUSD: 12_000_000.25 }],
      exceptions: [
        {
          exception: {
            message: 'Draw limits exceeded',
            stage: 'request',
            drawType: 'Regular',
            amount: 10_000_000,
            exceededBy: 2_000_000.25,
            currency: 'USD',
          },
          status: 'Pending',
          reason: null,
        },
        { exception: { message: 'Draw in deficit', amount: 6_000_000 }, status: 'Pending' },
      ],
    });
    expect((await borrower.get(`${DRAWS}/${draw.id}`)).json).toEqual(draw);
    const listed = await borrower.get(DRAWS, {
      filter: { status: 'In Review', noteTitle: 'Senior', id: draw.id },
    });
    expect([listed.json, listed.headers.get('x-docs-count')]).toEqual([[draw], '1']);
    const groups = await tenant.manager.get(DRAWS, {
      filter: { id: draw.id },
      groupBy: { by: 'status', accumulator: '$sum', field: 'valueInUsd' },
    });
    expect(groups.json).toMatchObject([{ key: 'In Review', count: 1, value: 12_000_000.25 }]);
  });

  it('is skipped and approved with the document as it was returned, and its workflow ends', async () => {
    const draw = await request(500_000, { ...nextMonth(), dueDate: '2027-02-03' });
    expect(draw.exceptions).toMatchObject([{ exception: { message: 'Due Date limits exceeded', exceededBy: 2 } }]);
    expectFlags(await approve(tenant.manager, draw), { flags: { 'exceptions.0.status': 'must be Skipped' } });
    const skipped = draw.exceptions.map((each: object) => ({ ...each, status: 'Skipped', reason: 'Agreed' }));
    expectRefusal(await put(borrower, draw, { exceptions: skipped }), 403);
    const done = await put(tenant.manager, draw, { exceptions: skipped });
    expect(done.json).toMatchObject({ status: 'In Review', exceptions: [{ status: 'Skipped', reason: 'Agreed' }] });
    expectFlags(await approve(tenant.manager, draw), { flags: { version: 'is not the latest' } });
    expectRefusal(await approve(borrower, done.json), 403);
    const approved = await approve(tenant.manager, done.json);
    expect([approved.status, approved.json.status]).toEqual([200, 'Approved']);
    expectFlags(await put(tenant.manager, approved.json, { status: 'Removed' }), {
      flags: { status: 'cannot go from Approved to Removed' },
    });
  });

  it('due after maturity is refused; after the revolving period or on an old base it gets an exception', async () => {
    const late = { cutOffDate: '2029-06-02', dueDate: '2029-07-01' };
    expectFlags(await borrower.post(DRAWS, drawBody(note, 300_000, late)), {
      flags: { dueDate: 'is after the maturity on 30 Jun 2029' },
    });
    const { exceptions } = await request(300_000, { cutOffDate: '2028-06-25', dueDate: '2028-07-03' });
    expect(exceptions).toMatchObject([
      { exception: { message: 'Missing data', amount: 500, exceededBy: 111, currency: null }, status: 'Pending' },
      { exception: { message: 'Availability period ended', exceededBy: 3 }, status: 'Pending' },
    ]);
  });

  it('is rejected with a message, by status or by flag', async () => {
    const draws = [await request(500_000, nextMonth()), await request(500_000, nextMonth())];
    expectFlags(await put(tenant.manager, draws[0], { reject: true }), {
      flags: { rejectionMessage: 'Enter the reason for the rejection' },
    });
    const flagged = await put(tenant.manager, draws[0], { reject: true, rejectionMessage: 'Late tape' });
    const stated = await put(tenant.manager, draws[1], { status: 'Rejected', rejectionMessage: 'Late tape' });
    for (const { json } of [flagged, stated]) {
      expect(json).toMatchObject({ status: 'Rejected', rejectionMessage: 'Late tape' });
    }
    expectFlags(await approve(analyst, flagged.json), {
      flags: { status: 'cannot go from Rejected to Approved' },
    });
  });

  it('that another approval made impossible goes back to review, with a clear error', async () => {
    const balance = async () => {
      const { json } = await tenant.manager.get(DRAWS, { filter: { status: 'Approved' }, limit: 1000 });
      return json.reduce((sum: number, { valueInUsd }: { valueInUsd: number }) => sum + valueInUsd, 0);
    };
    const left = 6_000_000 - (await balance());
    const sum = Math.floor(left * 0.6);
    const draws = [await request(sum, nextMonth()), await request(sum, nextMonth())];
    expect(draws.map(({ status }) => status)).toEqual(['Pending', 'Pending']);
    // The workflow has checked both: otherwise, its check could find the deficit before the second approval does.
    const store = await productStore();
    await vi.waitFor(async () => {
      const watched = await store.read(SYSTEM, ({ query }) =>
        query('select from draws where id = any ($1) and watched_version = version', [draws.map(({ id }) => id)]),
      );
      expect(watched).toHaveLength(2);
    }, 60_000);
    const answers = await Promise.all([approve(tenant.manager, draws[0]), approve(analyst, draws[1])]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.json.message).toContain('Draw in deficit');
    const loser = answers[0]?.status === 400 ? draws[0] : draws[1];
    await vi.waitFor(async () => {
      const { json } = await tenant.manager.get(`${DRAWS}/${loser.id}`);
      expect(json).toMatchObject({
        status: 'In Review',
        exceptions: [{ exception: { message: 'Draw in deficit', stage: 'approval' }, status: 'Pending' }],
      });
    });
  });
});

describe('several draw requests', () => {
  it('are created, changed and removed together, or not at all', async () => {
    const [first, second] = [nextMonth(), nextMonth()];
    const bodies = [drawBody(note, 300_000, first), drawBody(note, 300_000, second)];
    expectFlags(await borrower.post(DRAWS, [bodies[0], { ...bodies[1], noteTitle: 'Mezz' }]), {
      flags: { '1.noteTitle': 'is not a note of this facility' },
    });
    const made = await borrower.post(DRAWS, bodies);
    expect([made.status, made.json.length]).toEqual([201, 2]);
    const changes = made.json.map(({ id, version }: { id: string; version: number }) => ({
      id,
      version,
      description: 'Originations',
    }));
    const stale = [changes[0], { ...changes[1], version: 99 }];
    expectRefusal(await borrower.call('PUT', `${DRAWS}/bulk`, { body: stale }), 400);
    const changed = await borrower.call('PUT', `${DRAWS}/bulk`, { body: changes });
    expect(changed.json).toMatchObject([{ description: 'Originations' }, { description: 'Originations' }]);
    const ids = changes.map(({ id }: { id: string }) => id);
    const removed = await borrower.call('DELETE', DRAWS, { query: { ids } });
    expect([removed.status, removed.json]).toEqual([200, { ids }]);
    for (const id of ids) expectRefusal(await borrower.get(`${DRAWS}/${id}`), 404);
  });
});

it('takes documents of a draw: a file of the draws’ directory may be a PDF', async () => {
  const bytes = new TextEncoder().encode('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
  const info = { name: 'Draw request 5.pdf', size: bytes.length, type: 'application/pdf' };
  const signed = await borrower.post('/files/signedUrls/loanTapes', { directory: 'draws', filesInfo: [info] });
  const [{ fileMetadata }] = signed.json;
  const sent = await fetch(fileMetadata.signedUrl, {
    method: 'PUT',
    body: bytes,
    headers: { 'content-type': info.type },
  });
  expect(sent.status).toBeLessThan(300);
  const draw = await request(300_000, { ...nextMonth(), attachments: [fileMetadata] });
  expect(draw.attachments).toMatchObject([{ name: info.name, size: bytes.length, type: info.type }]);
  const download = { filesInfo: [{ key: draw.attachments[0].key }] };
  const seen = await tenant.manager.call('POST', '/files/signedUrls/loanTapes', {
    query: { operation: 'download' },
    body: download,
  });
  expect(seen.json).toMatchObject([{ fileMetadata: { name: info.name } }]);
});
