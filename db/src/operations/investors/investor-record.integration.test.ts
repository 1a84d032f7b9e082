import { entityUpdateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import { lpCreateSchema, lpUpdateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { calledBack } from '../../testing/call-back.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { getEntity, updateEntity } from '../entities/entities.ts';
import { fileStored, registerFile } from '../files/files.ts';
import { createLP, getLP, listLPs, updateLP } from './investors.ts';
import { confirmPayoutAccount, payoutStateOf } from './payout-accounts.ts';

const bank = (title: string, accountNumber: string) => ({
  title,
  accountNumber,
  address: '1 High Street',
  type: 'Business',
});
const entity = {
  name: 'Fjord Pension',
  formalId: '912345678',
  nationality: { country: 'NO' },
  banks: [bank('Main account', '0012345678'), bank('Euro account', '0087654321')],
};
const USD = { currency: 'USD', account: 'Main account' };
const CHECK = calledBack();
const LEI = '506700GE1G29325QX363';

let database: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, (session) => makeTenant(session));
});
afterAll(() => database.close());

const manager = (fields: Partial<UserActor> = {}) =>
  testActor({ type: 'manager', managerId: tenant.managerId, firstName: 'Ann', lastName: 'Berg', ...fields });
const as = <Result>(actor: Actor, work: (session: Session) => Promise<Result>) => database.store.as(actor, work);

/** An investor and the person who created it. */
async function investor(fields: object = {}, actor = manager()) {
  const created = await as(actor, (session) =>
    createLP(session, lpCreateSchema.parse({ title: 'Fjord Pension', entity, ...fields })),
  );
  return { actor, id: created.id };
}
const read = (id: string, actor: Actor = manager()) => as(actor, (session) => getLP(session, id));
async function change(id: string, fields: object, actor: Actor = manager()) {
  const { title, domains, version, entityId } = await read(id, actor);
  const body = lpUpdateSchema.parse({ title, domains, version, entity: entityId, ...fields });
  return as(actor, (session) => updateLP(session, { id, body }));
}
async function changeBanks(id: string, banks: object[], actor: Actor = manager()) {
  const { entityId } = await read(id, actor);
  await as(actor, async (session) => {
    const stored = await getEntity(session, entityId);
    await updateEntity(session, { id: entityId, body: entityUpdateSchema.parse({ ...stored, banks }) });
  });
}
const statesOf = ({ payoutAccounts }: Awaited<ReturnType<typeof read>>) =>
  payoutAccounts.map((one) => `${one.currency} ${one.account} ${one.ending} ${payoutStateOf(one)}`);
const confirm = (id: string, actor: Actor) =>
  as(actor, async (session) => {
    const [payout] = (await getLP(session, id)).payoutAccounts;
    return confirmPayoutAccount(session, { id: payout!.id, check: CHECK });
  });

describe('the record of an investor', () => {
  test('is stored, keeps what an update leaves out, and loses what is null', async () => {
    const record = { type: 'pensionFund', taxId: 'NO 912 345 678', taxResidence: 'NO', lei: LEI };
    const kyc = { kycStatus: 'passed', kycDate: '2026-01-15', kycExpiresOn: '2027-01-15' };
    const taxForms = [{ form: 'W-8BEN-E', signedOn: '2026-01-10', validUntil: '2026-12-31' }];
    const { id } = await investor({ ...record, ...kyc, taxForms });
    expect(await read(id)).toMatchObject({ ...record, ...kyc, taxForms, expiresOn: '2026-12-31' });
    await change(id, { externalCode: 'FJ-1' });
    expect(await read(id)).toMatchObject({ ...record, ...kyc, taxForms });
    await change(id, { lei: null, type: null, taxForms: [] });
    expect(await read(id)).toMatchObject({ ...record, lei: null, type: null, taxForms: [], expiresOn: '2027-01-15' });
  });

  test('is filtered by type, by status of the check and by what ends until a day', async () => {
    const { id } = await investor({
      type: 'endowment',
      kycStatus: 'passed',
      kycDate: '2025-03-01',
      kycExpiresOn: '2026-03-01',
    });
    const found = async (filter: object) => {
      const { documents } = await as(manager(), (session) => listLPs(session, { filter: JSON.stringify(filter) }));
      return documents.map((one) => one.id);
    };
    expect(await found({ type: 'endowment' })).toEqual([id]);
    expect(await found({ type: 'endowment', kycStatus: { $in: ['refused', 'inReview'] } })).toEqual([]);
    expect(await found({ type: 'endowment', kycExpiresOn: { $lte: '2026-03-01' } })).toEqual([id]);
    expect(await found({ type: 'endowment', expiresOn: { $lt: '2026-03-01' } })).toEqual([]);
  });

  test('is refused for a check without its reason or date, also where an update changes one of them', async () => {
    await expect(investor({ kycStatus: 'passed' })).rejects.toMatchObject({ flags: { kycDate: expect.any(String) } });
    const { id } = await investor({ kycStatus: 'passed', kycDate: '2026-01-15' });
    await expect(change(id, { kycDate: null })).rejects.toMatchObject({ code: 'badRequest' });
    await expect(change(id, { kycStatus: 'refused' })).rejects.toMatchObject({
      flags: { kycReason: expect.any(String) },
    });
    await change(id, { kycStatus: 'refused', kycReason: 'The source of funds is not known' });
  });

  test('shows why the investor was refused to the people of the manager only, and is nothing to others', async () => {
    const { id } = await investor({ kycStatus: 'refused', kycDate: '2026-01-15', kycReason: 'Source of funds' });
    const own = testActor({ type: 'LP', managerId: tenant.managerId, lpIds: [id], permissions: ['LPs/read'] });
    expect(await read(id)).toMatchObject({ kycReason: 'Source of funds' });
    expect(await read(id, own)).toMatchObject({ kycStatus: 'refused', kycReason: null });
    const other = { ...own, lpIds: [tenant.lpIds[0]!] };
    const [company] = tenant.companies;
    const borrower = testActor({ type: 'company', managerId: tenant.managerId, companyId: company!.id });
    for (const actor of [other, borrower, manager({ blockedDocuments: [`LPs/${id}`] })]) {
      await expect(read(id, actor)).rejects.toMatchObject({ code: 'notFound' });
    }
  });

  test('has the files of tax forms, which its own users read and blocked users do not', async () => {
    const file = await as(manager(), async (session) => {
      const place = { bucket: 'capitalAccounts', name: 'w8.pdf', type: 'application/pdf' } as const;
      const { key } = await registerFile(session, { ...place, size: 1 });
      return fileStored(session, { bucket: place.bucket, key, size: 1, checksum: 'x' });
    });
    const taxForms = [{ form: 'W-9', signedOn: '2026-01-10', file: file.key }];
    const { id } = await investor({ taxForms });
    expect(await read(id)).toMatchObject({ taxForms: [{ file: file.id }] });
    const files = (actor: Actor) => as(actor, ({ query }) => query('select id from files where id = $1', [file.id]));
    const own = testActor({ type: 'LP', managerId: tenant.managerId, lpIds: [id] });
    expect(await files(own)).toHaveLength(1);
    expect(await files(manager({ blockedDocuments: [`LPs/${id}`] }))).toEqual([]);
    await expect(investor({ taxForms: [{ ...taxForms[0], file: 'no/file' }] })).rejects.toMatchObject({
      flags: { 'taxForms.0.file': 'is not an uploaded file' },
    });
  });
});

describe('a pay-out account', () => {
  test('is one of the entity’s and waits until a second person has confirmed it', async () => {
    const { id, actor } = await investor({ payoutAccounts: [USD] });
    expect(statesOf(await read(id))).toEqual(['USD Main account 5678 waiting']);
    await expect(confirm(id, actor)).rejects.toThrow('A second person confirms the account');
    const masked = manager({ permissions: ['LPs/read', 'LPs/write'] });
    await expect(confirm(id, masked)).rejects.toMatchObject({ code: 'forbidden' });
    await confirm(id, manager({ firstName: 'Ben' }));
    expect(statesOf(await read(id))).toEqual(['USD Main account 5678 confirmed']);
    await expect(confirm(id, manager())).rejects.toThrow('has confirmed this account already');
    await change(id, { payoutAccounts: [USD, { currency: 'EUR', account: 'Euro account' }] });
    expect(statesOf(await read(id))).toEqual(['USD Main account 5678 confirmed', 'EUR Euro account 4321 waiting']);
    await expect(change(id, { payoutAccounts: [{ ...USD, account: 'Another' }] })).rejects.toMatchObject({
      flags: { 'payoutAccounts.0.account': 'is not the title of a bank account of the entity' },
    });
  });

  test('waits again once its bank details change, for another person than the one who changed them', async () => {
    const { id } = await investor({ payoutAccounts: [USD] });
    const [ben, eve] = [manager({ firstName: 'Ben' }), manager({ firstName: 'Eve' })];
    await confirm(id, ben);
    await changeBanks(id, [...entity.banks, bank('Third account', '0011112222')], eve);
    expect(statesOf(await read(id))).toEqual(['USD Main account 5678 confirmed']);
    await changeBanks(id, [bank('Main account', '6666666666')], eve);
    expect(statesOf(await read(id))).toEqual(['USD Main account 6666 waiting']);
    await expect(confirm(id, eve)).rejects.toThrow('A second person confirms the account');
    await confirm(id, ben);
    await changeBanks(id, [bank('Another account', '6666666666')], eve);
    expect(statesOf(await read(id))).toEqual([]);
  });

  test('is not confirmed by the database for whoever chose it, or without saying how it was checked', async () => {
    const { id, actor } = await investor({ payoutAccounts: [USD] });
    const set = (by: string, check: unknown) =>
      database.query(
        `update lps set payout_accounts = jsonb_build_array(payout_accounts -> 0 || jsonb_build_object('confirmedAt', now(),
           'confirmedBy', jsonb_build_object('id', $2::text, 'name', 'x'), 'check', $3::jsonb)) where id = $1`,
        [id, by, JSON.stringify(check)],
      );
    await expect(set(actor.userId, CHECK)).rejects.toThrow('lps_payout_accounts');
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    for (const wrong of [
      '',
      'Called Ann Berg',
      { ...CHECK, number: '1234' },
      { ...CHECK, contact: 'A' },
      { ...CHECK, readBack: false },
      { ...CHECK, calledOn: day(-2) },
      { ...CHECK, calledOn: day(2) },
    ])
      await expect(set('another', wrong), JSON.stringify(wrong)).rejects.toThrow('is confirmed by a call back');
    await set('another', { ...CHECK, number: '12345', contact: 'Al' });
    // What is confirmed stays as it is while others change.
    await database.query(
      `update lps set payout_accounts = payout_accounts || jsonb_build_array(payout_accounts -> 0
         || '{"id": "other", "currency": "EUR", "confirmedBy": null, "confirmedAt": null, "check": null}') where id = $1`,
      [id],
    );
    const alter = (fields: object, place = 0) =>
      database.query(
        `update lps set payout_accounts = jsonb_set(payout_accounts, array[$3::text], payout_accounts -> $3::int || $2::jsonb) where id = $1`,
        [id, JSON.stringify(fields), place],
      );
    const changed = [
      { fingerprint: 'f'.repeat(64) },
      { account: 'Euro account' },
      { currency: 'GBP' },
      { ending: '1' },
    ];
    for (const fields of changed)
      await expect(alter(fields), JSON.stringify(fields)).rejects.toThrow('is confirmed by a call back');
    // Nor is what waits confirmed as another account than was chosen.
    const now = new Date().toISOString();
    const confirmed = { confirmedBy: { id: 'another', name: 'x' }, confirmedAt: now, check: CHECK };
    for (const fields of changed)
      await expect(alter({ ...confirmed, ...fields }, 1)).rejects.toThrow('is confirmed by a call back');
    await alter(confirmed, 1);
    // A new row follows the same rule.
    const columns = await database.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_name = 'lps' and is_generated = 'NEVER' and column_name not in ('id', 'code', 'payout_accounts')`,
    );
    const names = columns.map(({ name }) => name).join(', ');
    const copy = (check: unknown) =>
      database.query(
        `insert into lps (id, code, payout_accounts, ${names})
         select $2, code + 100000, jsonb_build_array(payout_accounts -> 0 || jsonb_build_object('check', $3::jsonb)), ${names}
         from lps where id = $1`,
        [id, newId(), JSON.stringify(check)],
      );
    await expect(copy('Called Ann Berg')).rejects.toThrow('is confirmed by a call back');
    await copy(CHECK);
  });

  test('is not confirmed by a call before it was asked for, or in the future', async () => {
    const { id } = await investor({ payoutAccounts: [USD] });
    const { payoutAccounts } = await read(id);
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    const confirmOn = (calledOn: string) =>
      as(manager(), (session) =>
        confirmPayoutAccount(session, { id: payoutAccounts[0]!.id, check: { ...CHECK, calledOn } }),
      );
    await expect(confirmOn(day(-2))).rejects.toMatchObject({
      flags: { 'check.calledOn': 'is before the account was requested' },
    });
    await expect(confirmOn(day(2))).rejects.toMatchObject({ flags: { 'check.calledOn': 'is in the future' } });
    await confirmOn(day(-1));
  });
});

test.each([
  ['lps_lei', `lei = '${LEI}'`, `lei = '506700GE1G29325QX364'`],
  ['lps_type', `type = 'trust'`, `type = 'Trust'`],
  ['lps_kyc_status', `kyc_status = 'inReview'`, `kyc_status = 'expired', kyc_date = '2026-01-01'`],
  ['lps_kyc_decided', `kyc_status = 'passed', kyc_date = '2026-01-01'`, `kyc_status = 'passed', kyc_date = null`],
  [
    'lps_kyc_refused',
    `kyc_status = 'refused', kyc_date = '2026-01-01', kyc_reason = 'x'`,
    `kyc_status = 'refused', kyc_date = '2026-01-01', kyc_reason = null`,
  ],
  [
    'lps_kyc_expires',
    `kyc_date = '2026-01-01', kyc_expires_on = '2026-01-02'`,
    `kyc_date = '2026-01-01', kyc_expires_on = '2026-01-01'`,
  ],
  [
    'lps_tax_forms',
    `tax_forms = '[{"form": "W-9", "signedOn": "2026-01-01", "validUntil": "2026-01-01"}]'`,
    `tax_forms = '[{"form": "W-9", "signedOn": "2026-01-02", "validUntil": "2026-01-01"}]'`,
  ],
])('the database holds %s', async (constraint, within, beyond) => {
  const { id } = await investor();
  await database.query(`update lps set ${within} where id = $1`, [id]);
  await expect(database.query(`update lps set ${beyond} where id = $1`, [id])).rejects.toThrow(constraint);
});
