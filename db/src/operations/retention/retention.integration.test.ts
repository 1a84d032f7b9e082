import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RetentionLimits } from '../../environment.ts';
import { newId } from '../../ids.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { type RetentionKind, removeExpired } from './retention.ts';

const NOW = new Date();
const DAY_MS = 86_400_000;
const LIMITS: RetentionLimits = {
  unusedDays: 90,
  removedDays: 365,
  mailDays: 100,
  notificationDays: 60,
  historyYears: 10,
};

let database: TestDatabase;
let tenant: TestTenant;
let users: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, makeTenant);
  users = (await database.query<{ id: string }>('select id from users order by id')).map(({ id }) => id);
});
afterAll(() => database?.close());

const remove = (kind: RetentionKind, { most = 100, limits = LIMITS } = {}) =>
  database.store.as(SYSTEM, (session) => removeExpired(session, { kind, limits, most }), { now: NOW });

/** A minute on either side of the limit. */
const past = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS - 60_000);
const within = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS + 60_000);
const longAgo = past(4000);

type Row = Readonly<Record<string, unknown>>;

async function insert(table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  await database.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
}

/** Inserts the rows, removes what is due, and expects exactly the others to be left. */
async function expectKept(
  kind: RetentionKind,
  { table, key = 'id', gone, kept }: { table: string; key?: string; gone: Row[]; kept: Row[] },
): Promise<void> {
  for (const row of [...gone, ...kept]) await insert(table, row);
  expect(await remove(kind)).toBe(gone.length);
  const ids = [...gone, ...kept].map((row) => row[key]);
  const left = await database.query<{ id: string }>(`select ${key} as id from ${table} where ${key} = any($1)`, [ids]);
  expect(left.map(({ id }) => id).sort()).toEqual(kept.map((row) => row[key]).sort());
  expect(await remove(kind)).toBe(0);
}

const id = () => newId(NOW);
const hash = () => randomBytes(20).toString('hex');

describe('secrets and counters of sign-in are removed a day after their end', () => {
  const email = 'mia@example.test';
  const pairOf = (row: (at: Date) => Row) => ({ gone: [row(past(1))], kept: [row(within(1)), row(new Date())] });

  test.each<[RetentionKind, string, string, (at: Date) => Row]>([
    [
      'signInCodes',
      'sign_in_codes',
      'id',
      (at) => ({ id: id(), email, client_hash: hash(), code_hash: hash(), created_at: longAgo, expires_at: at }),
    ],
    [
      'ownershipTokens',
      'ownership_tokens',
      'token_hash',
      (at) => ({ token_hash: hash(), email, created_at: longAgo, expires_at: at }),
    ],
    [
      'refreshTokens',
      'refresh_tokens',
      'token_hash',
      (at) => ({
        token_hash: hash(),
        family_id: id(),
        user_id: users[0],
        successor_salt: 'salt',
        signed_in_at: at,
        created_at: longAgo,
        expires_at: at,
      }),
    ],
    ['usedIdTokens', 'used_id_tokens', 'token_hash', (at) => ({ token_hash: hash(), expires_at: at })],
    [
      'secretMails',
      'secret_mails',
      'id',
      (at) => ({
        id: id(),
        email,
        sealed: 'sealed',
        is_wanted: true,
        next_attempt_at: longAgo,
        created_at: longAgo,
        expires_at: at,
      }),
    ],
    [
      'addressChanges',
      'address_changes',
      'id',
      (at) => ({
        id: id(),
        user_id: users[0],
        kind: 'recoveryEmail',
        by_name: 'Ann Bay',
        created_at: longAgo,
        expires_at: at,
      }),
    ],
    ['limitedCalls', 'limited_calls', 'id', (at) => ({ id: id(), limit_key: 'code/address', called_at: at })],
  ])('%s', async (kind, table, key, row) => {
    await expectKept(kind, { table, key, ...pairOf(row) });
  });

  test('magicLinks', async () => {
    const link = (user: string | undefined, at: Date) => ({
      id: id(),
      user_id: user,
      email,
      token_hash: hash(),
      time_to_remove: at,
      created_at: longAgo,
    });
    await expectKept('magicLinks', {
      table: 'magic_links',
      gone: [link(users[0], past(1))],
      kept: [link(users[1], within(1))],
    });
  });
});

describe('emails and notifications', () => {
  const message = (at: Date) => ({
    id: id(),
    key: hash(),
    user_id: users[0],
    kind: 'drawWaits',
    resource: 'draws',
    document_id: id(),
    page: '/monitoring/draws',
    page_title: 'Open the draw',
    created_at: at,
  });

  test('emails are removed once they have ended, and never while they wait', async () => {
    const mail = (at: Date, status: string) => ({
      ...message(at),
      subject: 'A draw',
      text: 'A draw waits',
      status,
      not_before: at,
      next_attempt_at: at,
      sent_at: status === 'Sent' ? at : null,
    });
    await expectKept('mails', {
      table: 'outbox',
      gone: ['Sent', 'Failed', 'Skipped'].map((status) => mail(past(100), status)),
      kept: [mail(within(100), 'Sent'), mail(within(100), 'Failed'), mail(longAgo, 'Queued')],
    });
  });

  const notification = (at: Date, state: { is_read: boolean; action_required: boolean }) => ({
    ...message(at),
    title: 'A draw',
    description: 'A draw waits',
    level: 'info',
    ...state,
  });
  const [read, unread] = [
    { is_read: true, action_required: false },
    { is_read: false, action_required: false },
  ];

  test('notifications are removed after they were read', async () => {
    await expectKept('readNotifications', {
      table: 'notifications',
      gone: [notification(past(60), read)],
      kept: [
        notification(within(60), read),
        notification(past(60), unread),
        notification(longAgo, { is_read: true, action_required: true }),
      ],
    });
  });

  test('unread ones are kept twice as long, and those that ask for an action until it is done', async () => {
    await expectKept('unreadNotifications', {
      table: 'notifications',
      gone: [notification(past(120), unread)],
      kept: [notification(within(120), unread), notification(longAgo, { is_read: false, action_required: true })],
    });
  });
});

test('chats are removed a year after their last message', async () => {
  const chat = (at: Date) => ({
    id: id(),
    metadata: JSON.stringify({ iat: longAgo.toISOString(), changedBy: { timestamp: at.toISOString() } }),
    manager_id: tenant.managerId,
    user_id: users[0],
    tasks: JSON.stringify([{ type: 'blank', messages: [] }]),
  });
  const untouched = { ...chat(longAgo), metadata: JSON.stringify({ iat: past(365).toISOString() }) };
  await expectKept('chats', { table: 'chats', gone: [chat(past(365)), untouched], kept: [chat(within(365))] });
});

/** The draft's content as far as its files are concerned. */
const draft = (at: Date, content: object = {}) => ({
  id: id(),
  manager_id: tenant.managerId,
  user_id: users[0],
  content: JSON.stringify({ kind: 'funds', sheet: null, pdfs: [], ...content }),
  created_at: longAgo,
  changed_at: at,
});
const file = (bucket: string, at: Date) => ({
  id: id(),
  bucket,
  key: `x/${hash()}`,
  name: 'file.csv',
  size: 1,
  type: 'text/csv',
  checksum: 'none',
  status: 'Active',
  manager_id: tenant.managerId,
  created_at: at,
});

async function expectFilesKept(kind: RetentionKind, gone: Row[], kept: Row[]): Promise<void> {
  expect(await remove(kind)).toBe(gone.length);
  const files = [...gone, ...kept].map((row) => row.id);
  const left = await database.query<{ id: string }>(`select id from files where status = 'Active' and id = any($1)`, [
    files,
  ]);
  expect(left.map((row) => row.id).sort()).toEqual(kept.map((row) => row.id).sort());
  // Their objects are recorded for the sweep.
  const dropped = await database.query('select 1 from dropped_objects where key = any($1)', [
    gone.map((row) => `${row.bucket}/${row.key}`),
  ]);
  expect(dropped).toHaveLength(gone.length);
  expect(await remove(kind)).toBe(0);
}

describe('imports and uploads', () => {
  test('drafts that rest are removed', async () => {
    await expectKept('importDrafts', { table: 'import_drafts', gone: [draft(past(90))], kept: [draft(within(90))] });
  });

  test('rows of failed and discarded imports are emptied, the imports stay, and rows that wait are kept', async () => {
    const imported = (at: Date, state: Row) => ({
      id: id(),
      metadata: JSON.stringify({ iat: at.toISOString() }),
      manager_id: tenant.managerId,
      kind: 'funds',
      record_status: 'Active',
      attachments: JSON.stringify([{ bucket: 'importerFiles', key: hash() }]),
      rows: JSON.stringify([{ file: 0, row: 2, cells: { title: 'A fund' } }]),
      total_count: 1,
      ...state,
    });
    const failed = { status: 'Pending', failure: 'Row 2 has no title' };
    const gone = [imported(past(90), failed), imported(past(90), { status: 'Removed' })];
    const kept = [imported(within(90), failed), imported(past(90), { status: 'Pending' })];
    for (const row of [...gone, ...kept]) await insert('imports', row);
    expect(await remove('failedImports')).toBe(2);
    const rows = await database.query<{ id: string; count: number }>(
      'select id, jsonb_array_length(rows) as count from imports where id = any($1)',
      [[...gone, ...kept].map((row) => row.id)],
    );
    expect(new Map(rows.map((row) => [row.id, row.count]))).toEqual(
      new Map([...gone.map((row) => [row.id, 0] as const), ...kept.map((row) => [row.id, 1] as const)]),
    );
    expect(await remove('failedImports')).toBe(0);
  });

  test('uploads that no document, import or draft uses are removed', async () => {
    const [unused, ofAttachment, ofSheet, ofPdf, ofTape, fresh, ofReports, image] = [
      file('importerFiles', past(90)),
      file('importerFiles', past(90)),
      file('importerFiles', past(90)),
      file('importerFiles', past(90)),
      file('loanTapes', past(90)),
      file('importerFiles', within(90)),
      file('fundReports', past(90)),
      file('publicFiles', past(90)),
    ] as const;
    const kept = [ofAttachment, ofSheet, ofPdf, ofTape, fresh, ofReports, image];
    for (const row of [unused, ...kept]) await insert('files', row);
    await insert('imports', {
      id: id(),
      manager_id: tenant.managerId,
      kind: 'funds',
      record_status: 'Active',
      attachments: JSON.stringify([ofAttachment]),
      total_count: 0,
    });
    await insert('import_drafts', draft(NOW, { sheet: { fileId: ofSheet.id }, pdfs: [{ id: ofPdf.id }] }));
    await database.query('update loan_tapes set other_attachments = $2 where id = $1', [
      tenant.companies[0]?.tapeId,
      JSON.stringify([ofTape]),
    ]);
    await expectFilesKept('unusedFiles', [unused], kept);
  });
});

test('files of documents that were made again are removed', async () => {
  const [old, fresh, used] = [
    file('capitalCalls', past(365)),
    file('capitalAccounts', within(365)),
    file('fundReports', past(365)),
  ] as const;
  for (const row of [old, fresh, used]) await insert('files', row);
  await database.query(
    `update reports set file_id = $1 where id = (select id from reports where manager_id = $2 limit 1)`,
    [used.id, tenant.managerId],
  );
  await expectFilesKept('replacedDocuments', [old], [fresh, used]);
});

test('files that excuses, tax forms, side letters, adjustments and statements of loans that left name stay, however old they are', async () => {
  const [excuse, byId, byKey, letter, adjustment, departure, unused] = [1, 2, 3, 4, 5, 6, 7].map(() =>
    file('capitalAccounts', longAgo),
  );
  const named = [excuse!, byId!, byKey!, letter!, adjustment!, departure!];
  for (const row of [...named, unused!]) await insert('files', row);
  const one = (table: string) => `id = (select id from ${table} where manager_id = $2 limit 1)`;
  const form = (name: unknown) => ({ form: 'W-9', signedOn: '2020-01-01', validUntil: null, file: name });
  const writes: [sql: string, value: unknown][] = [
    [
      `update contributions set excuse_reason = 'Sector', excuse_file_id = $1 where ${one('contributions')}`,
      excuse!.id,
    ],
    [`update lps set tax_forms = $1 where ${one('lps')}`, JSON.stringify([form(byId!.id), form(byKey!.key)])],
    [
      `update lp_commitments set side_letters = $1 where ${one('lp_commitments')}`,
      JSON.stringify([{ from: '2020-01-01', title: null, document: letter!.id, terms: {} }]),
    ],
    [
      `insert into base_adjustments (id, manager_id, company_id, tape_id, contract_id, transaction_id, amount, currency, reason, entered_by, entered_at, file_id)
       select reverse(id), manager_id, company_id, tape_id, contract_id, transaction_id, 1, currency, 'A reason', '{"id": "a"}', now(), $1
       from borrowing_bases where manager_id = $2 limit 1`,
      adjustment!.id,
    ],
    [
      `insert into departures (id, manager_id, company_id, tape_id, kind, asset_ids, reason, entered_by, entered_at, file_id)
       select reverse(id), manager_id, company_id, id, 'sold', array['L1'], 'A reason', '{"id": "a"}', now(), $1
       from loan_tapes where manager_id = $2 limit 1`,
      departure!.id,
    ],
  ];
  for (const [sql, value] of writes) await database.query(sql, [value, tenant.managerId]);
  await expectFilesKept('replacedDocuments', [unused!], named);
});

test('files of tapes and documents that were removed are removed, unless another one uses them', async () => {
  const [first, second] = tenant.companies.map(({ tapeId }) => tapeId);
  const [ofTape, alsoUsed, ofReport, ofFreshlyRemoved, ofAnnouncement] = [
    file('loanTapes', longAgo),
    file('loanTapes', longAgo),
    file('fundReports', longAgo),
    file('capitalAccounts', longAgo),
    file('announcements', longAgo),
  ] as const;
  for (const row of [ofTape, alsoUsed, ofReport, ofFreshlyRemoved, ofAnnouncement]) await insert('files', row);
  const metadata = (at: Date) =>
    JSON.stringify({ iat: longAgo.toISOString(), changedBy: { timestamp: at.toISOString() } });
  const statements: [string, unknown[]][] = [
    [
      `update loan_tapes set status = 'Removed', metadata = $2, attachment = $3, other_attachments = $4 where id = $1`,
      [first, metadata(past(365)), JSON.stringify(ofTape), JSON.stringify([alsoUsed])],
    ],
    ['update loan_tapes set other_attachments = $2 where id = $1', [second, JSON.stringify([alsoUsed])]],
    [`update reports set status = 'Removed', metadata = $1, file_id = $2`, [metadata(past(365)), ofReport.id]],
    [
      `update capital_accounts set status = 'Removed', metadata = $1, file_id = $2`,
      [metadata(within(365)), ofFreshlyRemoved.id],
    ],
    [
      `update announcements set status = 'Removed', metadata = $1, file_ids = $2`,
      [metadata(past(365)), [ofAnnouncement.id]],
    ],
  ];
  for (const [sql, values] of statements) await database.query(sql, values);
  await expectFilesKept('filesOfRemoved', [ofTape, ofReport, ofAnnouncement], [alsoUsed, ofFreshlyRemoved]);
});

describe('history', () => {
  const yearsAgo = (years: number, minutes: number): Date => {
    const at = new Date(NOW.getTime() + minutes * 60_000);
    at.setUTCFullYear(at.getUTCFullYear() - years);
    return at;
  };
  const entry = (at: Date, recordedAt = at) => ({
    id: id(),
    resource: 'funds',
    document_id: id(),
    operation: 'Update',
    updated_fields: '[]',
    changed_by: JSON.stringify({ entity: { apiName: 'Tapeline' } }),
    changed_at: at,
    recorded_at: recordedAt,
  });
  const left = async (rows: Row[]) =>
    (
      await database.query<{ id: string }>('select id from history where id = any($1) order by id', [
        rows.map((row) => row.id),
      ])
    ).map((row) => row.id);

  test('is kept without limit by default', async () => {
    const old = entry(longAgo);
    await insert('history', old);
    expect(await remove('history', { limits: { ...LIMITS, historyYears: null } })).toBe(0);
    expect(await left([old])).toEqual([old.id]);
    await database.query('delete from history where id = $1', [old.id]);
  });

  test('is removed after its limit, and never before seven years, whoever asks', async () => {
    // The tables of an installation belong to a role without special rights; those of the tests to a superuser.
    const owner = `owner_${randomBytes(4).toString('hex')}`;
    await database.query(
      `create role ${owner}; grant usage on schema public to ${owner};
       alter table history owner to ${owner}; alter function forget_history owner to ${owner}`,
    );
    try {
      const [gone, kept, young, lateRecorded] = [
        entry(yearsAgo(10, -1)),
        entry(yearsAgo(10, 1)),
        entry(yearsAgo(7, 60)),
        entry(yearsAgo(12, 0), yearsAgo(6, 0)),
      ] as const;
      for (const row of [gone, kept, young, lateRecorded]) await insert('history', row);
      expect(await remove('history')).toBe(1);
      expect(await left([gone, kept, young, lateRecorded])).toEqual([kept, young, lateRecorded].map((row) => row.id));
      // A limit that no setting allows: the database holds the least one.
      expect(await remove('history', { limits: { ...LIMITS, historyYears: 1 } })).toBe(1);
      expect(await left([kept, young, lateRecorded])).toEqual([young, lateRecorded].map((row) => row.id));

      const { store } = database;
      const forget = `select forget_history(now(), 10)`;
      await expect(store.as(testActor({ type: 'admin' }), ({ query }) => query(forget))).rejects.toThrow(
        'only the program itself',
      );
      await expect(store.as(SYSTEM, ({ query }) => query('delete from history'))).rejects.toThrow('permission denied');
    } finally {
      await database.query(`reassign owned by ${owner} to current_user; drop owned by ${owner}; drop role ${owner}`);
    }
  });
});

test('removes at most a batch at a time, and skips rows that others hold', async () => {
  const calls = Array.from({ length: 5 }, () => ({ id: id(), limit_key: 'batch', called_at: longAgo }));
  for (const row of calls) await insert('limited_calls', row);
  expect(await remove('limitedCalls', { most: 2 })).toBe(2);
  await database.store.as(SYSTEM, async ({ query }) => {
    await query(`select 1 from limited_calls where limit_key = 'batch' limit 1 for update`);
    expect(await remove('limitedCalls')).toBe(2);
  });
  expect(await remove('limitedCalls')).toBe(1);
});
