import { afterAll, beforeAll, expect, test } from 'vitest';
import { LoanTape } from '../../entities/tapes.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { findSameTape, type TapeIdentity } from './same-tape.ts';

const CHECKSUM = 'c'.repeat(64);
const OF_MAPPING = 'Oct-24 Pool';

let database: TestDatabase;
let tenant: TestTenant;
let tape: LoanTape;

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await database.store.as(SYSTEM, makeTenant);
  tape = await database.store.as(SYSTEM, ({ em }) => em.findOneOrFail(LoanTape, { generationId: { $ne: null } }));
});
afterAll(() => database.close());

/** Whether an upload of the same bytes finds the tape, which has this sheet. */
async function isSame(stored: string | null, upload: Partial<TapeIdentity>): Promise<boolean> {
  await database.query(
    `update loan_tapes set sheet_name = $2, attachment = attachment || jsonb_build_object('checksum', $3::text) where id = $1`,
    [tape.id, stored, CHECKSUM],
  );
  const { companyId, cutOffDate, mappingId } = tape;
  const mapping = { id: mappingId, loanTapeSheetName: OF_MAPPING };
  const identity = {
    companyId,
    cutOffDate,
    checksum: CHECKSUM,
    sheetName: null,
    namesSheet: false,
    mapping,
    ...upload,
  };
  const found = await database.store.as(testActor({ type: 'manager', managerId: tenant.managerId }), (session) =>
    findSameTape(session, identity),
  );
  return found?.id === tape.id;
}

test.each<[string | null, string | null, boolean, boolean]>([
  // The sheet of the tape; that of the upload; whether the upload names it; whether they are the same.
  [null, OF_MAPPING, false, true],
  [null, 'oct-24 pool', true, true],
  ['Nov-24 Pool', 'Nov-24 Pool', false, true],
  ['Nov-24 Pool', 'nov-24 pool', true, true],
  ['Nov-24 Pool', OF_MAPPING, true, false],
  [OF_MAPPING, 'Nov-24 Pool', true, false],
  // The first one was not looked at yet. Nobody named a sheet, so both read the same one.
  [null, 'Nov-24 Pool', false, true],
  [null, 'Nov-24 Pool', true, false],
  // The second one cannot be looked at.
  ['Nov-24 Pool', null, false, true],
])(
  'a tape of the sheet %s and an upload of %s (named: %s) are the same: %s',
  async (stored, sheetName, namesSheet, same) => {
    expect(await isSame(stored, { sheetName, namesSheet })).toBe(same);
  },
);

test('other bytes, another day, another mapping and an unknown checksum are another tape', async () => {
  expect(await isSame(null, {})).toBe(true);
  expect(await isSame(null, { checksum: 'd'.repeat(64) })).toBe(false);
  expect(await isSame(null, { checksum: null })).toBe(false);
  expect(await isSame(null, { cutOffDate: '1999-01-31' })).toBe(false);
  expect(await isSame(null, { mapping: { id: tape.id, loanTapeSheetName: OF_MAPPING } })).toBe(false);
});

test('a tape that waits for answers or is processed is found; one that failed is not, so that its file can be sent again', async () => {
  const become = (set: string) =>
    database.query(`update loan_tapes set generation_id = null, published_at = null, ${set} where id = $1`, [tape.id]);
  const waits = `process_status = 'Pending', questions = '[{"code":"mainCurrency"}]'`;
  await become(`scheduler_status = 'Completed', ${waits}`);
  expect(await isSame(null, {})).toBe(true);
  await become(`scheduler_status = 'Processing', questions = '[]'`);
  expect(await isSame(null, {})).toBe(true);
  await become(`scheduler_status = 'Completed'`);
  expect(await isSame(null, {})).toBe(false);
});
