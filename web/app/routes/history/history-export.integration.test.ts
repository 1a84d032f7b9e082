import { Manager } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { countStatements } from '@tapeline/db/testing/count-statements.ts';
import { addEntity } from '@tapeline/db/testing/entities.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { historyTable, MAX_EXPORTED_CHANGES } from './history-export.server.ts';
import { filtersOf, readHistory } from './history-list.server.ts';

let database: TestDatabase;
let managerId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  managerId = newId();
  await database.store.as(SYSTEM, async ({ em }) => {
    em.create(Manager, { id: managerId, entityId: addEntity(em, managerId, 'A manager') });
  });
  // Every tenth change is of a title, and the others are of two fields.
  await database.query(
    `insert into history (id, resource, document_id, operation, updated_fields, changed_by, changed_at, manager_id)
     select lpad(to_hex(n), 24, '0'), 'companies', lpad(to_hex(n), 24, 'e'), 'Update',
       case when n % 10 = 0 then '[{"field": "title", "old": "a", "new": "=b"}]'::jsonb
         else '[{"field": "domains", "old": [], "new": ["a.example", "b.example"]}]'::jsonb end,
       '{"agent": null, "ip": null, "locale": null, "timestamp": "2026-01-01T00:00:00.000Z", "entity": {"apiName": "Importer"}}',
       timestamptz '2026-01-01' + n * interval '1 second', $2
     from generate_series(1, $1::int) as n`,
    [MAX_EXPORTED_CHANGES + 1, managerId],
  );
  // One of the same kind by somebody else.
  await database.query(
    `insert into history (id, resource, document_id, operation, updated_fields, changed_by, changed_at, manager_id)
     select lpad('1', 24, 'f'), resource, lpad('1', 24, 'd'), operation, updated_fields,
       jsonb_set(changed_by, '{entity,apiName}', '"Auditor"'), timestamptz '2026-02-01', manager_id
     from history where changed_by #>> '{entity,apiName}' = 'Importer' and updated_fields @> '[{"field": "domains"}]' limit 1`,
  );
});
afterAll(() => database.close());

const read = <Result>(work: (session: ReadSession) => Promise<Result>) =>
  database.store.read(testActor({ type: 'manager', managerId }), work);
const filters = (search: string) => filtersOf(new URLSearchParams(search));

test('a file has a row for each field, up to its limit; more changes are refused, never left out', async () => {
  await expect(read((session) => historyTable(session, filters('who=importer')))).rejects.toMatchObject({
    code: 'badRequest',
    message: 'A file has at most 10,000 changes, and these are 10,001. Narrow the filter, for example by date.',
  });
  const titles = await read((session) => historyTable(session, filters('field=title')));
  expect(titles.rows).toBe(MAX_EXPORTED_CHANGES / 10);
  expect(titles.columns.filter(({ kind }) => kind === 'number').map(({ label }) => label)).toEqual([
    'Number before',
    'Number after',
  ]);
  const domains = await read((session) => historyTable(session, filters('field=domains&to=2026-01-01')));
  const changes = MAX_EXPORTED_CHANGES + 1 - MAX_EXPORTED_CHANGES / 10;
  expect(domains.rows).toBe(2 * changes);
  const rows = domains.queries.flatMap(({ values }) => JSON.parse(String(values[0])) as (string | null)[][]);
  expect(rows).toHaveLength(domains.rows);
  expect(rows[0]?.slice(7, 10)).toEqual(['Domains', 'domains[0]', null]);
  expect(rows[0]?.slice(0, 5)).toEqual(['2026-01-01 02:46:41', expect.any(String), 'Importer', 'Changed', 'Borrower']);
});

test('a page sends as many statements for one change as for fifty', async () => {
  const statements = async (search: string) =>
    countStatements(() => read((session) => readHistory(session, new URLSearchParams(search))));
  expect(await statements('who=importer')).toBe(await statements('who=auditor'));
});

test('filters in the address that mean nothing are ignored', () => {
  expect(filters('by=x&collection=none&operation=Delete&from=2026-02-30&to=2026-02-28&who=%20a%20')).toEqual({
    by: '',
    who: 'a',
    collection: '',
    operation: 'Delete',
    from: '',
    to: '2026-02-28',
    field: '',
    action: '',
  });
});
