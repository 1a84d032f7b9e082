import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { callBackFields, calledBack } from './call-back.ts';
import { read, type ScreenClient, screensOf } from './screen-client.ts';
import { inviteUser, ownTenant } from './tenant.ts';

const tenant = ownTenant();
let manager: ScreenClient;
/** Another user of the manager with the same rights. */
let colleague: ScreenClient;

const LEI = '506700GE1G29325QX363';
const bank = { title: 'Main account', accountNumber: '0012345678', address: '1 High Street', type: 'Business' };
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const usd = (sum: number) => ({ sum, currency: 'USD' });

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
const investor = (name: string, fields: object = {}) =>
  created('/crud/LPs', {
    title: name,
    entity: { name, formalId: `LP-${name}`, nationality: { country: 'NO' }, banks: [bank] },
    ...fields,
  });

beforeAll(async () => {
  manager = await screensOf(tenant.emails.manager);
  const { json: roles } = await tenant.manager.get('/crud/roles');
  const role = (roles as { id: string; title: string }[]).find(({ title }) => title === 'Fund manager');
  const { email } = await inviteUser(tenant.emails.manager, {
    roleId: role!.id,
    status: 'Active',
    isReadPrivacyAndTerms: true,
    isConfirmedUserDetails: true,
  });
  colleague = await screensOf(email);
});

describe('the calls of investors', () => {
  it('read and write the record, and filter by it', async () => {
    const record = {
      type: 'pensionFund',
      taxId: 'NO 912 345 678',
      taxResidence: 'NO',
      kycStatus: 'passed',
      kycDate: '2026-01-15',
      kycExpiresOn: '2028-01-15',
      taxForms: [{ form: 'W-8BEN-E', signedOn: '2026-01-10', validUntil: '2028-12-31', file: null }],
    };
    const payoutAccounts = [{ currency: 'USD', account: 'Main account' }];
    const { id } = await investor('Fjord Record', { ...record, lei: '5067 00GE 1G29 325Q X363', payoutAccounts });
    const { json } = await tenant.manager.get(`/crud/LPs/${id}`);
    expect(json).toMatchObject({
      ...record,
      lei: LEI,
      payoutAccounts: [{ ...payoutAccounts[0], ending: '5678', state: 'waiting', confirmedBy: null }],
    });
    expect(JSON.stringify(json.payoutAccounts)).not.toContain('0012345678');
    const same = await tenant.manager.call('PUT', `/crud/LPs/${id}`, { body: json });
    expect([same.status, same.json]).toEqual([200, json]);
    const found = async (filter: object) =>
      (await tenant.manager.get('/crud/LPs', { filter: JSON.stringify(filter) })).json.map(
        (one: { id: string }) => one.id,
      );
    expect(await found({ type: 'pensionFund', kycStatus: 'passed', kycExpiresOn: { lte: '2028-01-15' } })).toEqual([
      id,
    ]);
    expect(await found({ type: 'pensionFund', kycExpiresOn: { lt: '2028-01-15' } })).toEqual([]);
  });

  it.each([
    ['lei', { lei: LEI }, { lei: '506700GE1G29325QX364' }],
    [
      'kycReason',
      { kycStatus: 'refused', kycDate: '2026-01-15', kycReason: 'x' },
      { kycStatus: 'refused', kycDate: '2026-01-15' },
    ],
    [
      'payoutAccounts.0.account',
      { payoutAccounts: [{ currency: 'USD', account: 'Main account' }] },
      { payoutAccounts: [{ currency: 'USD', account: 'Another account' }] },
    ],
  ])('refuse %s beyond its limit, with a flag at the field', async (path, within, beyond) => {
    await investor(`Within ${path}`, within);
    const name = `Beyond ${path}`;
    const body = {
      title: name,
      entity: { name, formalId: name, nationality: { country: 'NO' }, banks: [bank] },
      ...beyond,
    };
    const refused = await tenant.manager.post('/crud/LPs', body);
    expect([refused.status, Object.keys(refused.json.flags ?? {})], refused.text).toEqual([400, [path]]);
  });

  it('confirm a pay-out account by a second person only', async () => {
    const { id } = await investor('Confirmed Pension', {
      payoutAccounts: [{ currency: 'USD', account: 'Main account' }],
    });
    const confirm = (client: ScreenClient, body: object) =>
      client.api.post(`/crud/LPs/${id}/confirmPayoutAccount`, { currency: 'USD', check: calledBack(), ...body });
    expect((await confirm(manager, {})).status).toBe(400);
    expect((await confirm(colleague, { currency: 'EUR' })).status).toBe(400);
    const wrong = [
      ['check', 'Called them'],
      ['check.number', { ...calledBack(), number: '1234' }],
      ['check.contact', { ...calledBack(), contact: 'A' }],
      ['check.readBack', { ...calledBack(), readBack: false }],
      ['check.calledOn', { ...calledBack(), calledOn: '2020-01-01' }],
      ['check.calledOn', { ...calledBack(), calledOn: '2140-01-01' }],
    ] as const;
    for (const [path, check] of wrong) {
      const refused = await confirm(colleague, { check });
      expect([refused.status, Object.keys(refused.json.flags ?? {})], refused.text).toEqual([400, [path]]);
    }
    const done = await confirm(colleague, {});
    expect([done.status, done.json.payoutAccounts[0].state], done.text).toEqual([201, 'confirmed']);
  });

  it('show the record to its own users without the reason of a refusal, and nothing to a borrower', async () => {
    const own = await screensOf(tenant.emails.investor);
    const [mine] = (await own.api.get('/crud/LPs')).json as { id: string; version: number }[];
    const { json } = await tenant.manager.get(`/crud/LPs/${mine!.id}`);
    const kyc = { kycStatus: 'refused', kycDate: '2026-01-15', kycReason: 'Source of funds is not known' };
    const changed = await tenant.manager.call('PUT', `/crud/LPs/${mine!.id}`, { body: { ...json, ...kyc } });
    expect(changed.status, changed.text).toBe(200);
    const seen = await own.api.get(`/crud/LPs/${mine!.id}`);
    expect(seen.json).toMatchObject({ kycStatus: 'refused', kycReason: null });
    const page = read(await own.get(paths.investor(mine!.id, { view: 'details' })));
    expect(page).toContain('Refused');
    expect(page).not.toContain('Source of funds');
    const borrower = await screensOf(tenant.emails.borrower);
    expect([403, 404]).toContain((await borrower.api.get(`/crud/LPs/${mine!.id}`)).status);
  });
});

describe('the screens without scripts', () => {
  it('change the record, and the approval of its account leads to the distribution', async () => {
    const { id } = await investor('Screen Pension');
    const form = paths.investorRecord(id);
    const fields = {
      intent: 'save',
      type: 'endowment',
      kycStatus: 'passed',
      kycDate: day(-400),
      kycExpiresOn: day(-10),
      'taxForms[0].form': 'W-8BEN-E',
      'taxForms[0].signedOn': day(-300),
      'taxForms[0].validUntil': day(30),
      'payoutAccounts[0].currency': 'USD',
      'payoutAccounts[0].account': 'Main account',
      partyVersion: '1',
    };
    const wrong = await manager.submit(form, { ...fields, kycDate: '', lei: 'x' });
    expect([wrong.status, read(wrong)]).toEqual([422, expect.stringContaining('LEI')]);
    const saved = await manager.submit(form, fields);
    expect([saved.status, saved.headers.get('location')], read(saved).slice(0, 800)).toEqual([
      302,
      paths.investor(id, { view: 'details' }),
    ]);
    const details = read(await manager.get(paths.investor(id, { view: 'details' })));
    for (const text of ['Endowment', 'Expired', 'Expires soon', 'Waits for a second person', '…5678']) {
      expect(details).toContain(text);
    }
    expect(read(await manager.get(paths.home()))).toMatch(/Expired Screen Pension .*KYC expired/);

    const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 4e6, hardCap: 4e6 };
    const fund = (await created('/crud/funds', { title: 'Record Fund', ...terms })).id;
    await created('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2026-01-15',
      maxCommitment: usd(3_000_000),
    });
    const [line] = await created('/crud/distributions', {
      fund,
      callNumber: '1',
      cutOffDate: '2026-03-02',
      distributionKind: 'Interest',
      principal: usd(0),
      components: [{ title: 'Interest', actionType: 'INTEREST', amount: usd(1_000) }],
    });
    const distribution = paths.distribution(line.metadata.bundleId);
    const before = read(await manager.get(distribution));
    expect(before).toContain('The pay-out account waits for a second person: Screen Pension');
    expect(before).toContain('…5678 Not confirmed');

    const { json } = await tenant.manager.get(`/crud/LPs/${id}`);
    const panel = paths.approval('payoutAccount', json.payoutAccounts[0].id);
    const own = read(await manager.get(panel));
    expect(own).toContain('A second person confirms the account: you chose it, or changed it last.');
    expect(read(await colleague.get(panel))).toContain('0012345678');
    const confirm = { intent: 'confirmPayoutAccount', ...callBackFields() };
    expect((await manager.submit(panel, confirm)).status).toBe(422);
    // Each of the steps is needed.
    const { 'check.readBack': _, ...unread } = confirm;
    expect(read(await colleague.submit(panel, unread))).toContain('Ask them to read out the last four digits');
    for (const wrong of [
      { 'check.number': '' },
      { 'check.contact': '' },
      { 'check.calledOn': '' },
      { 'check.calledOn': '2020-01-01' },
    ])
      expect((await colleague.submit(panel, { ...confirm, ...wrong })).status, JSON.stringify(wrong)).toBe(422);
    const done = await colleague.submit(panel, confirm);
    expect(done.status, read(done).slice(0, 800)).toBe(302);
    expect(read(await colleague.get(done.headers.get('location')!))).toContain('Bank account USD was confirmed');
    const after = read(await manager.get(distribution));
    expect(after).not.toContain('waits for a second person');
    expect(after).toContain('…5678');
  });
});
