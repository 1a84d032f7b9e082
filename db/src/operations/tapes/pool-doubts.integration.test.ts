import type { ChangesQuestion } from '@tapeline/domain/tapes/tape-questions.schema.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LoanTape } from '../../entities/tapes.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { beginGeneration, publishGeneration } from './generations.ts';
import { tapeLimitsOf } from './pool-doubts.ts';
import { createTape } from './tapes.ts';

let database: TestDatabase;
let tenant: TestTenant;
let tapeId = '';
/** The contract of the tape's note, in force from the first day. */
let contract: { id: string; note_id: string; mapping_id: string };

const asSystem = <T>(work: (session: Session) => Promise<T>) => database.store.as(SYSTEM, work);

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  tenant = await asSystem(makeTenant);
  tapeId = tenant.companies[0]!.tapeId;
  [contract] = (await database.query(
    `select id, note_id, mapping_id from contracts where company_id = $1 and status = 'Active' limit 1`,
    [tenant.companies[0]!.id],
  )) as [typeof contract];
});

const limit = (id: string, tapeLimits: object) =>
  database.query(`update contracts set body = body || jsonb_build_object('tapeLimits', $2::jsonb) where id = $1`, [
    id,
    JSON.stringify(tapeLimits),
  ]);

/** A copy of the contract from a later day, without limits. */
async function replaceFrom(day: string): Promise<void> {
  const columns = (await database.query(
    `select column_name from information_schema.columns where table_name = 'contracts' and is_generated = 'NEVER'`,
  )) as { column_name: string }[];
  const changed: Record<string, string> = {
    id: 'overlay(id placing left(md5(id), 6) from 1)',
    code: 'code + 1000',
    revision: 'revision + 1000',
    cut_off_date: `date '${day}'`,
    body: `(body - 'tapeLimits') || '{"cutOffDate": "${day}"}'`,
  };
  const names = columns.map(({ column_name: name }) => name);
  await database.query(
    `insert into contracts (${names.join()}) select ${names.map((name) => changed[name] ?? name).join()}
     from contracts where id = $1`,
    [contract.id],
  );
}

const limitsOn = (cutOffDate: string) =>
  asSystem(async (session) => {
    const tape = await session.em.findOneOrFail(LoanTape, { id: tapeId });
    const unpublished = {
      ...tape,
      generationId: null,
      settledQuestions: [],
      cutOffDate,
      mappingId: contract.mapping_id,
    };
    return tapeLimitsOf(session, unpublished as unknown as LoanTape);
  });

test('only the contract that applies on the cut-off date limits a tape', async () => {
  expect(await limitsOn('2140-01-01')).toBeNull();
  await limit(contract.id, { changedPercent: 1, leftPercent: null });
  expect(await limitsOn('2140-01-01')).toEqual({ changed: '1', left: null });
  expect(await limitsOn('1990-01-01')).toBeNull();
  await replaceFrom('2130-01-01');
  expect(await limitsOn('2129-12-31')).toEqual({ changed: '1', left: null });
  expect(await limitsOn('2130-01-01')).toBeNull();
});

test('where nobody is asked, the pool and the changes are both kept', async () => {
  const changes: ChangesQuestion = {
    code: 'changes',
    data: {
      since: '2026-09-30',
      matched: 10,
      changed: 1,
      changes: [{ kind: 'grew', count: 1 }],
      changedPercent: '10',
      changedLimit: '1',
      leftPercent: null,
      leftLimit: null,
      choices: ['publish'],
    },
  };
  const statistics = { assetsStatuses: [], sum: [], outstandingSum: [] };
  const counts = (assets: number) => ({ dataRows: assets, assets, errored: 0, discarded: 0, blankRows: 0 });
  const publish = (id: string, assets: number) =>
    asSystem(async (session) => {
      const attempt = await beginGeneration(session, { tapeId: id });
      const part = (name: string) => `${attempt.objectPrefix}${name}.parquet`;
      const manifest = { assets: [part('assets')], errored: [part('errored')], columns: [], customFields: [] };
      return publishGeneration(session, {
        tapeId: id,
        ...attempt,
        manifest,
        counts: counts(assets),
        statistics,
        changes,
      });
    });
  await publish(tapeId, 40);
  const later = await laterTape();
  expect((await publish(later, 6)).settledQuestions.map(({ code }) => code)).toEqual(['pool', 'changes']);
});

/** A tape of the same borrower two months later, not yet published. */
const laterTape = (): Promise<string> =>
  asSystem(async (session) => {
    const { companyId, mainCurrency, exchangeRates, attachment } = await session.em.findOneOrFail(LoanTape, {
      id: tapeId,
    });
    const values = { companyId, mainCurrency, exchangeRates, attachment, calculateBB: false };
    return (await createTape(session, { ...values, cutOffDate: '2026-12-31', mappingId: contract.mapping_id })).id;
  });
