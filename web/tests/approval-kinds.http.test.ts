import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { drawnNote } from './drawn-note.ts';
import { type NorthwindTapes, northwindTapes } from './northwind-tapes.ts';
import { fieldsOf, read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

/** The kinds besides draws: each is asked once, with what it comes to, decided in its panel, and then listed. */
const tenant = ownTenant();
let manager: ScreenClient;
let fund: string;

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

const usd = (sum: number) => ({ sum, currency: 'USD' });

beforeAll(async () => {
  manager = await screensOf(tenant.emails.manager);
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 4_000_000, hardCap: 4_000_000 };
  fund = (await created('/crud/funds', { title: 'Lantern Fund', ...terms })).id;
  const entity = { name: 'Okavango Life', formalId: 'LP-OKA', nationality: { country: 'US' } };
  const { id } = await created('/crud/LPs', { title: 'Okavango Life', entity });
  await created('/crud/LPCommitments', {
    fund,
    investor: { id, kind: 'LP' },
    closingDate: '2026-01-15',
    maxCommitment: usd(3_000_000),
  });
});

/** Asks and confirms, and returns the question with what the list says afterwards. */
async function approve(kind: 'call' | 'distribution' | 'contract' | 'correction', id: string, intent: string) {
  const at = paths.approval(kind, id);
  const panel = await manager.get(at);
  expect(panel.status, read(panel).slice(0, 500)).toBe(200);
  const { seenVersion } = fieldsOf(panel, 'seenVersion');
  const fields = { intent, seenVersion: seenVersion ?? '' };
  const asked = await manager.submit(at, fields);
  expect([asked.status, asked.headers.get('location')]).toEqual([
    302,
    paths.approval(kind, id, { confirm: 'approve' }),
  ]);
  const question = read(await manager.get(asked.headers.get('location')!));
  const done = await manager.submit(at, { ...fields, confirmed: 'yes' });
  expect([done.status, read(done).slice(0, 300)]).toEqual([302, expect.anything()]);
  const after = read(await manager.get(done.headers.get('location')!));
  const again = await manager.submit(at, { ...fields, confirmed: 'yes' });
  return { question, after, again: again.status };
}

describe('calls and distributions', () => {
  it('a call is issued with its amount, its day and who is told', async () => {
    const [line] = await created('/crud/contributions', {
      fund,
      callNumber: '1',
      cutOffDate: '2026-03-02',
      dueDate: '2026-03-20',
      amount: usd(1_234_500),
      callPurposes: [{ title: 'A loan', kind: 'investments', amount: 1_234_500 }],
    });
    const id = line.metadata.bundleId;
    expect(read(await manager.get(paths.approvals({ only: 'call' })))).toContain('Issue capital call 1');
    const { question, after, again } = await approve('call', id, 'issueCall');
    expect(question).toContain('1,234,500.00 USD');
    expect(question).toContain('20 Mar 2026');
    expect(again).toBe(422);
    expect(after).toContain('Capital call 1 was issued: 1,234,500.00 USD, Lantern Fund, 1 investor.');
    const [issued] = (await tenant.manager.get('/crud/contributions', { filter: { fund } })).json;
    expect(issued.status).not.toBe('Draft');
  });

  it('what may not be issued says why, and cannot be forced', async () => {
    const [line] = await created('/crud/contributions', {
      fund,
      callNumber: '2',
      cutOffDate: '2026-04-02',
      dueDate: '2026-04-20',
      amount: usd(1_400_000),
      callPurposes: [{ title: 'A loan', kind: 'investments', amount: 1_400_000 }],
    });
    const id = line.metadata.bundleId;
    const [commitment] = (await tenant.manager.get('/crud/LPCommitments', { filter: { fund } })).json;
    const reduced = await tenant.manager.call('PUT', `/crud/LPCommitments/${commitment.id}`, {
      body: {
        ...commitment,
        deltas: [...commitment.deltas, { date: '2026-03-25', amount: usd(-1_700_000) }],
      },
    });
    expect(reduced.status, reduced.text).toBe(200);
    const panel = await manager.get(paths.approval('call', id));
    expect(read(panel)).toContain('More would be called than is committed: Okavango Life by');
    const forced = await manager.submit(paths.approval('call', id), {
      intent: 'issueCall',
      seenVersion: String((await manager.api.get('/crud/contributions', { filter: { id: line.id } })).json[0].version),
      confirmed: 'yes',
    });
    expect(forced.status).toBe(422);
    const [draft] = (await tenant.manager.get('/crud/contributions', { filter: { id: line.id } })).json;
    expect(draft.status).toBe('Draft');
  });

  it('a distribution is issued with its amount', async () => {
    const [line] = await created('/crud/distributions', {
      fund,
      callNumber: 'D1',
      cutOffDate: '2026-06-30',
      distributionKind: 'Interest and Principal',
      principal: usd(400_000),
      components: [{ title: 'Interest', actionType: 'INTEREST', amount: usd(8_000) }],
    });
    const { question, after, again } = await approve('distribution', line.metadata.bundleId, 'issueDistribution');
    expect(question).toContain('408,000.00 USD');
    expect(again).toBe(422);
    expect(after).toContain('Distribution D1 was issued: 408,000.00 USD, Lantern Fund, 1 investor.');
    expect(read(await manager.get(paths.approvals({ tab: 'decided' })))).toContain('408,000.00');
  });
});

describe('lending', () => {
  let tapes: NorthwindTapes;
  beforeAll(async () => {
    tapes = await northwindTapes(tenant.manager);
    await drawnNote(tenant.manager, '40000000');
  });

  it('a contract is activated from the queue', async () => {
    const [facility] = (
      await manager.api.get('/crud/transactions', { filter: { title: 'Northwind warehouse facility' } })
    ).json;
    const [note] = facility.notes;
    const { id: _, version: __, ...active } = note.contracts[0];
    const changed = structuredClone(facility);
    changed.notes[0].contracts.push({ ...active, title: 'Next', cutOffDate: '2026-12-31', status: 'Draft' });
    const saved = await tenant.manager.call('PUT', `/crud/transactions/${facility.id}`, { body: changed });
    expect(saved.status, saved.text).toBe(200);
    const draft = saved.json.notes[0].contracts.find(({ status }: { status: string }) => status === 'Draft');
    const { after } = await approve('contract', draft.id, 'activateContract');
    expect(after).toMatch(/Contract v\d+ was activated/);
    const [now] = (await manager.api.get('/crud/transactions', { filter: { id: facility.id } })).json;
    const status = now.notes[0].contracts.find(({ id }: { id: string }) => id === draft.id).status;
    expect(status).toBe('Active');
  });

  it('a correction is accepted, or declined with a reason that its borrower reads', async () => {
    const { loan } = tapes;
    const id = await tapes.publish(
      [loan({ 'Loan ID': 'C-1' }), loan({ 'Loan ID': 'C-2', 'Principal Balance': 'TBD' }), loan({ 'Loan ID': null })],
      { cutOffDate: '2018-01-31' },
    );
    const borrower = await screensOf(tenant.emails.borrower);
    const propose = async (row: number, originData: object): Promise<{ id: string }> => {
      const sent = await borrower.api.post('/LTP/assets/errored', {
        loanTapeId: id,
        assets: [{ rowNumber: row, originData }],
      });
      expect(sent.status, sent.text).toBe(201);
      return sent.json.proposal;
    };
    const first = await propose(3, { 'Principal Balance': 250.5 });
    const second = await propose(4, { 'Loan ID': 'C-1' });
    expect(read(await manager.get(paths.approvals({ only: 'correction' })))).toContain('Accept 1 corrected row');
    const declined = await manager.submit(paths.approval('correction', second.id), {
      intent: 'declineCorrection',
      reason: 'C-1 is taken',
    });
    expect(declined.status, read(declined).slice(0, 300)).toBe(302);
    expect(read(await borrower.get(paths.proposal(id, second.id)))).toContain('C-1 is taken');
    const { after } = await approve('correction', first.id, 'acceptCorrection');
    expect(after).toContain('accepted');
    await tapes.finished(id);
    const held = (await tenant.manager.get('/crud/assets', { filter: { loanTape: id } })).json;
    expect(held).toHaveLength(2);
  });
});
