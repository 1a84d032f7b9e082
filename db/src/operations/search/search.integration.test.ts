import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { MAX_SEARCH_LETTERS, type SearchKindName } from '@tapeline/domain/search/search-kinds.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { addAssetIds } from './asset-ids.ts';
import { searchDocuments } from './search.ts';

let database: TestDatabase;
let one: TestTenant;
let two: TestTenant;

/** A name that only documents of this tenant have. */
const nameAll = (tenant: TestTenant, name: string) =>
  database.query(
    `do $$ begin
      perform set_config('tapeline.actor_type', 'system', true);
      update funds set title = 'Canary ${name} Fünd 50%' where manager_id = '${tenant.managerId}';
      update main_funds set title = 'Canary ${name} main' where manager_id = '${tenant.managerId}';
      update lps set title = 'Canary ${name} O''Brien\\_' || code where manager_id = '${tenant.managerId}';
      update lp_groups set title = 'Canary ${name} group' where manager_id = '${tenant.managerId}';
      update entities set name = 'Canary ${name} ' || code where manager_id = '${tenant.managerId}';
      update transactions set title = 'Canary ${name} facility' where manager_id = '${tenant.managerId}';
      update service_providers set title = 'Canary ${name} auditors' where manager_id = '${tenant.managerId}';
      update users set last_name = 'Canary${name}' where manager_id = '${tenant.managerId}';
      update announcements set title = 'Canary ${name} news', status = 'Active', kind = 'all', fund_id = null, lp_id = null,
        company_id = null, class = null where manager_id = '${tenant.managerId}';
      update reports set status = 'Active' where manager_id = '${tenant.managerId}';
      update capital_accounts set status = 'Active' where manager_id = '${tenant.managerId}';
    end $$`,
  );

const search = (actor: UserActor, text: string) =>
  database.store.read(actor, (session) => searchDocuments({ ...session, actor }, text));
const kindsOf = async (actor: UserActor, text: string): Promise<SearchKindName[]> =>
  (await search(actor, text)).map(({ kind }) => kind);

const manager = () => testActor({ type: 'manager', managerId: one.managerId });
const borrower = () => testActor({ type: 'company', managerId: one.managerId, companyId: one.companies[0]!.id });
const investor = () => testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[0]!] });

beforeAll(async () => {
  database = await createTestDatabase();
  [one, two] = await database.store.as(
    SYSTEM,
    async (session) => [await makeTenant(session), await makeTenant(session)] as const,
  );
  await nameAll(one, 'One');
  await nameAll(two, 'Two');
  await database.store.as(SYSTEM, async (session) => {
    await addAssetIds(session, {
      tapeId: one.companies[0]!.tapeId,
      ids: ['Canary-0001', 'CANARY-0002', 'canary-0001'],
    });
    await addAssetIds(session, { tapeId: one.companies[1]!.tapeId, ids: ['Canary-0003'] });
    await addAssetIds(session, { tapeId: two.companies[0]!.tapeId, ids: ['Canary-0009'] });
  });
});
afterAll(() => database.close());

describe('each user type finds what it can see, and nothing of another tenant', () => {
  test('a manager', async () => {
    expect(await kindsOf(manager(), 'canary')).toEqual([
      ...[
        'fund',
        'mainFund',
        'investor',
        'investorGroup',
        'company',
        'facility',
        'contract',
        'draw',
        'invoice',
        'tape',
        'asset',
      ],
      ...['mapping', 'call', 'distribution', 'report', 'statement', 'announcement', 'person', 'serviceProvider'],
      ...['entity', 'manager'],
    ]);
    const texts = (await search(manager(), 'canary')).flatMap(({ documents }) =>
      documents.map(({ title, detail }) => `${title} ${detail}`),
    );
    expect(texts.filter((text) => /two|0009/i.test(text))).toEqual([]);
    expect(await search(manager(), 'canary two')).toEqual([]);
    expect(await search(manager(), 'Canary-0009')).toEqual([]);
  });

  test('an administrator finds both', async () => {
    const found = await search(testActor({ type: 'admin' }), 'canary');
    expect(found.find(({ kind }) => kind === 'fund')?.documents).toHaveLength(2);
    expect(found.find(({ kind }) => kind === 'asset')?.documents.map(({ title }) => title)).toContain('Canary-0009');
  });

  test('a borrower', async () => {
    const found = await search(borrower(), 'canary');
    expect(found.map(({ kind }) => kind)).toEqual([
      ...['company', 'facility', 'contract', 'draw', 'tape', 'asset', 'mapping', 'announcement'],
    ]);
    expect(found.find(({ kind }) => kind === 'asset')?.documents.map(({ title }) => title)).toEqual([
      'Canary-0001',
      'CANARY-0002',
    ]);
  });

  test('an investor, without drafts', async () => {
    expect(await kindsOf(investor(), 'canary')).toEqual([
      ...['fund', 'investor', 'call', 'distribution', 'report', 'statement', 'announcement'],
    ]);
    const [statements] = (await search(investor(), 'canary')).filter(({ kind }) => kind === 'statement');
    expect(statements?.documents).toHaveLength(1);
  });

  test('a user without the permission, or with the document blocked, does not find it', async () => {
    expect(await kindsOf({ ...manager(), permissions: ['funds/read'] }, 'canary')).not.toContain('company');
    const blocked = { ...manager(), blockedDocuments: [`funds/${one.fundId}`] };
    expect(await kindsOf(blocked, 'canary')).not.toContain('fund');
  });
});

describe('a text', () => {
  const titles = async (text: string) =>
    (await search(manager(), text)).flatMap(({ documents }) => documents.map(({ title }) => title));

  test('matches the starts of words in any order, whatever the case and the accents', async () => {
    expect(await titles('fund ONE can')).toContain('Canary One Fünd 50%');
    expect(await titles('fünd')).toContain('Canary One Fünd 50%');
    expect(await titles('anary')).toEqual([]);
    expect(await titles('canary zebra')).toEqual([]);
  });

  test('with special characters is only text', async () => {
    expect(await titles('Fünd 50%')).toContain('Canary One Fünd 50%');
    expect(await titles("o'brien")).toContain("Canary One O'Brien\\_1");
    for (const text of ['%', '_', '\\', "'", '"', '%%%', "'; drop table funds; --", '\u0000']) {
      expect(await titles(text)).toEqual([]);
    }
    expect(await titles('Canary%')).not.toEqual([]);
    expect(await titles('C_nary')).toEqual([]);
    expect(await titles('Canary_0001')).toEqual([]);
  });

  test('has at most the letters that are allowed', async () => {
    expect(await titles('x'.repeat(MAX_SEARCH_LETTERS))).toEqual([]);
    await expect(titles('x'.repeat(MAX_SEARCH_LETTERS + 1))).rejects.toMatchObject({ code: 'badRequest' });
  });
});

test('the versions of a contract, the parts of a call and the versions of a mapping are found as one', async () => {
  const documents = async (kind: SearchKindName) =>
    (await search(manager(), 'canary')).find((found) => found.kind === kind)?.documents ?? [];
  const [newest] = await database.query<{ id: string; revision: number }>(
    'select id, revision from contracts where manager_id = $1 order by id desc limit 1',
    [one.managerId],
  );
  const before = await documents('contract');
  await database.query(
    `insert into contracts (id, manager_id, company_id, transaction_id, note_id, revision, cut_off_date, mapping_id, body, status, version, metadata)
     select substr(md5(id), 1, 24), manager_id, company_id, transaction_id, note_id, revision + 50, cut_off_date, mapping_id, body, 'Draft', 1, metadata
     from contracts where id = $1`,
    [newest?.id],
  );
  const after = await documents('contract');
  expect(after).toHaveLength(before.length);
  expect(after.map(({ detail }) => detail)).toContainEqual(
    expect.stringMatching(`^v${(newest?.revision ?? 0) + 50}, Draft`),
  );
  // Borrowers do not see the draft: they find the version before it.
  const ofBorrower = (await search(borrower(), 'canary')).find(({ kind }) => kind === 'contract');
  expect(ofBorrower?.documents.map(({ detail }) => detail)).not.toContainEqual(expect.stringMatching(/Draft/));
  const [call] = await documents('call');
  const parts = await database.query('select id from contributions where activity_id = $1', [call?.id]);
  expect(parts.length).toBeGreaterThan(0);
});

test('an invoice is found by its number, facility and borrower once its reader may see it', async () => {
  const [invoice] = await database.query<{ id: string; number: string; facility: string }>(
    'select id, number::text as number, transaction_id as facility from invoices where company_id = $1',
    [one.companies[0]!.id],
  );
  const ids = async (actor: UserActor, text: string) =>
    (await search(actor, text)).flatMap(({ kind, documents }) =>
      kind === 'invoice' ? documents.map(({ id }) => id) : [],
    );
  // A draft is the lender's.
  expect(await ids(manager(), 'canary')).toContain(invoice?.id);
  expect(await ids(borrower(), 'canary')).toEqual([]);
  await database.query(`update invoices set status = 'Active', issued_on = period_to where id = $1`, [invoice?.id]);
  for (const text of ['canary', `invoice ${invoice?.number}`])
    expect(await ids(borrower(), text)).toEqual([invoice?.id]);
  const [best] = await search(borrower(), `Invoice no. ${invoice?.number}`);
  expect(best?.documents[0]).toMatchObject({
    kind: 'invoice',
    title: `Invoice ${invoice?.number}, Canary One facility, Senior`,
    detail: expect.stringMatching(/^due 1 Dec 2026, Active, /),
  });
  const blocked = (document: string) => ({ ...borrower(), blockedDocuments: [document] });
  expect(await ids(blocked(`invoices/${invoice?.id}`), 'canary')).toEqual([]);
  expect(await ids(blocked(`transactions/${invoice?.facility}`), 'canary')).toEqual([]);
  const other = testActor({ type: 'company', managerId: one.managerId, companyId: one.companies[1]!.id });
  expect(await ids(other, 'canary')).toEqual([]);
  expect(await ids(investor(), `invoice ${invoice?.number}`)).toEqual([]);
  expect(await ids({ ...borrower(), permissions: ['transactions/read'] }, 'canary')).toEqual([]);
  expect(await ids(testActor({ type: 'manager', managerId: two.managerId }), 'canary')).not.toContain(invoice?.id);
});

test('exact numbers and names come first, and are found among many that begin alike', async () => {
  await database.query(
    `do $$ begin
      perform set_config('tapeline.actor_type', 'system', true);
      insert into lps (id, manager_id, entity_id, name, title, domains, metadata)
        select left(md5('many' || place), 24), manager_id, entity_id, name, 'XY-' || place, domains, metadata
        from lps, generate_series(1, 40) as place where id = '${one.lpIds[0]}';
    end $$`,
  );
  const [draw] = await database.query<{ id: string; code: string }>(
    `select id, code::text as code from draws where manager_id = $1 and status <> 'Removed' limit 1`,
    [one.managerId],
  );
  for (const text of [`draw ${draw?.code}`, `Draw no. ${draw?.code}`, `DRAW-${draw?.code}`]) {
    const [best] = await search(manager(), text);
    expect(best?.documents[0], text).toMatchObject({ kind: 'draw', id: draw?.id });
  }
  for (const text of ['XY-1', 'xy-1', 'XY-40']) {
    const [best] = await search(manager(), text);
    expect(best?.documents[0]?.title, text).toBe(text.toUpperCase());
  }
  const [investor1] = await database.query<{ id: string; code: string }>(
    'select id, code::text as code from lps where id = $1',
    [one.lpIds[0]],
  );
  const [found] = await search(manager(), `LP-${investor1?.code}`);
  expect(found?.documents[0]).toMatchObject({ kind: 'investor', id: one.lpIds[0] });
  const ofOther = testActor({ type: 'manager', managerId: two.managerId });
  const seen = (await search(ofOther, `draw ${draw?.code}`)).flatMap(({ documents }) => documents);
  expect(seen.map(({ id }) => id)).not.toContain(draw?.id);
  expect(await search(investor(), `draw ${draw?.code}`)).not.toContainEqual(expect.objectContaining({ kind: 'draw' }));
});

test('the index follows its documents', async () => {
  const found = async (text: string) => (await search(manager(), text)).map(({ kind }) => kind);
  await database.query(`update companies set name = 'Zanzibar' where id = $1`, [one.companies[0]!.id]);
  expect(await found('zanzibar')).toEqual(['company', 'contract', 'draw', 'invoice', 'tape', 'mapping']);
  await database.query(`update loan_tapes set status = 'Removed' where company_id = $1`, [one.companies[0]!.id]);
  expect(await found('zanzibar')).not.toContain('tape');
  await database.query(`update companies set name = 'Elsewhere' where id = $1`, [one.companies[0]!.id]);
  expect(await found('zanzibar')).toEqual([]);
});
