import { NORTHWIND_MAPPING } from '@tapeline/demonstration/facilities.ts';
import {
  MAX_CONTRACTS_PER_NOTE,
  type TransactionContract,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { type TransactionDocument, transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { PermissionKey, UserActor } from '@tapeline/domain/people/actor.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { SEEDED_ROLES } from '../../seed/roles.ts';
import { type Session, type Store, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { addCalculatedTape } from '../../testing/calculated-tape.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createMapping, listMappings, saveMappingVersion } from '../mappings/mappings.ts';
import {
  activateContract,
  closeContract,
  contractDocument,
  copyContract,
  createContract,
  deleteDraft,
  editContract,
} from './contracts.ts';
import {
  closeTransaction,
  createTransaction,
  getTransaction,
  listTransactions,
  removeTransaction,
  type TransactionView,
  updateTransaction,
} from './transactions.ts';

let database: TestDatabase;
let store: Store;
let facility: TransactionView;
let foreignMapping: string;
const asSystem = <T>(work: (session: Session) => Promise<T>) => store.as(SYSTEM, work);
const documentOf = (view: TransactionView): TransactionDocument =>
  transactionSchema.parse(JSON.parse(JSON.stringify(view)));
const contractsIn = (view: TransactionView) =>
  view.notes[0]!.contracts as { id: string; version: number; status: string }[];
const current = () => asSystem((session) => getTransaction(session, facility.id));
const update = (view: TransactionView, document = documentOf(view)) =>
  asSystem((session) => updateTransaction(session, { id: view.id, version: view.version, document }));
const stale = { code: 'badRequest', flags: { version: 'is not the latest' } };

beforeAll(async () => {
  database = await createTestDatabase({ demonstration: true });
  store = database.store;
  const mappings = await asSystem((session) => listMappings(session));
  const seeded = await asSystem(
    async (session) => (await listTransactions(session, { sort: '{"code":1}' })).documents[0]!,
  );
  foreignMapping = mappings.documents.find((mapping) => mapping.companyId !== seeded.company)!.id;
});
afterAll(() => database.close());
// Each test has its own facility, under one Active contract.
beforeEach(async () => {
  facility = await asSystem(async (session) => {
    const seeded = (await listTransactions(session, { sort: '{"code":1}' })).documents[0]!;
    const document = documentOf(seeded);
    const notes = document.notes.map(({ id, ...note }) => ({
      ...note,
      contracts: note.contracts.map(({ id: _id, version, ...contract }) => contract),
    }));
    return createTransaction(session, { ...document, notes });
  });
});

describe('Terms change only at the hand of who may write transactions', () => {
  const withRole = (title: string, more: Partial<UserActor> = {}) => {
    const role = SEEDED_ROLES.find((seeded) => seeded.title === title)!;
    return testActor({ type: 'manager', managerId: facility.managerId, permissions: role.permissions, ...more });
  };
  const changes = (view: TransactionView): [string, (session: Session) => Promise<unknown>][] => {
    const [contract] = contractsIn(view);
    const { id: transactionId, managerId, company: companyId } = view;
    const note = { transactionId, noteId: view.notes[0]!.id, managerId, companyId };
    const terms = transactionContractSchema.parse(contract);
    return [
      ['create a transaction', (session) => createTransaction(session, documentOf(view))],
      [
        'change it',
        (session) => updateTransaction(session, { id: view.id, version: view.version, document: documentOf(view) }),
      ],
      ['close it', (session) => closeTransaction(session, view)],
      ['remove it', (session) => removeTransaction(session, view)],
      ['create a contract', (session) => createContract(session, { note, contract: terms })],
      ['edit it', (session) => editContract(session, { ...contract!, contract: terms })],
      ['copy it', (session) => copyContract(session, contract!)],
      ['activate it', (session) => activateContract(session, contract!)],
      ['close it', (session) => closeContract(session, contract!)],
      ['delete it', (session) => deleteDraft(session, contract!)],
    ];
  };

  test('an analyst may do none of it, nor a borrower', async () => {
    const borrower = withRole('Borrower', { type: 'company', companyId: facility.company });
    for (const actor of [withRole('Analyst'), borrower]) {
      for (const [what, change] of changes(facility)) {
        await expect(store.as(actor, change), what).rejects.toMatchObject({ code: 'forbidden' });
      }
    }
    expect(await current()).toEqual(facility);
  });

  test('a fund manager may', async () => {
    const copy = await store.as(withRole('Fund manager'), (session) =>
      copyContract(session, contractsIn(facility)[0]!),
    );
    expect(copy.status).toBe('Draft');
  });

  test('a mapping is an analyst’s to save, and not a borrower’s', async () => {
    const [mapping] = await asSystem(
      async (session) =>
        (await listMappings(session, { filter: { company: facility.company }, sort: '{"mappingVersion":-1}' }))
          .documents,
    );
    const body = { ...parseMapping(NORTHWIND_MAPPING), loanTapeSheetName: 'Another tape' };
    const save = (session: Session) =>
      saveMappingVersion(session, { id: mapping!.id, mappingVersion: mapping!.mappingVersion, body });
    const borrower = withRole('Borrower', { type: 'company', companyId: facility.company });
    await expect(store.as(borrower, save)).rejects.toMatchObject({ code: 'forbidden' });
    const make = (session: Session) => createMapping(session, { companyId: facility.company, body });
    await expect(store.as(borrower, make)).rejects.toMatchObject({ code: 'forbidden' });
    const permissions: PermissionKey[] = ['assets/ETL/write'];
    // The policies apply whatever a role grants.
    await expect(store.as({ ...borrower, permissions }, save)).rejects.toThrow('row-level security');
    await expect(store.as(withRole('Analyst'), save, { rollback: true })).resolves.toMatchObject({
      familyId: mapping!.familyId,
    });
  });
});

describe('A transaction that somebody has open is not written over what happened to its contracts', () => {
  test('a draft that was added meanwhile is not deleted by leaving it out', async () => {
    const open = await current();
    await asSystem((session) => copyContract(session, contractsIn(open)[0]!));
    await expect(update(open)).rejects.toMatchObject(stale);
    expect(contractsIn(await current())).toHaveLength(2);
  });

  test('a draft that was edited, activated or closed meanwhile makes the open one stale', async () => {
    const draft = await asSystem((session) => copyContract(session, contractsIn(facility)[0]!));
    const terms = transactionContractSchema.parse(contractDocument(draft));
    const steps: ((session: Session) => Promise<unknown>)[] = [
      (session) =>
        editContract(session, { id: draft.id, version: draft.version, contract: { ...terms, title: 'Amended' } }),
      (session) => activateContract(session, { id: draft.id }),
      (session) => closeContract(session, { id: draft.id }),
    ];
    for (const step of steps) {
      const open = await current();
      await asSystem(step);
      await expect(update(open)).rejects.toMatchObject(stale);
    }
    await expect(update(await current())).resolves.toMatchObject({ id: facility.id });
  });

  test('a draft in the body must be the version that is stored', async () => {
    await asSystem((session) => copyContract(session, contractsIn(facility)[0]!));
    const view = await current();
    const document = documentOf(view);
    const draft = document.notes[0]!.contracts.find(({ status }) => status === 'Draft')!;
    draft.title = 'Amended';
    const before = draft.version!;
    draft.version = before + 1;
    await expect(update(view, document)).rejects.toMatchObject(stale);
    draft.version = before;
    await expect(update(view, document)).resolves.toBeTruthy();
  });
});

test('A contract stored before overlapping limits were a setting is sequential, and stays as it is', async () => {
  const [active] = contractsIn(facility);
  await asSystem((session) =>
    session.query(`update contracts set body = body - 'overlap' where id = $1`, [active!.id]),
  );
  const view = await current();
  expect(contractsIn(view)[0]).toMatchObject({ status: 'Active', overlap: 'sequential' });
  const document = documentOf(view);
  document.notes[0]!.contracts[0]!.overlap = 'maximumPerAsset';
  await expect(update(view, document)).rejects.toMatchObject({ code: 'badRequest' });
  await expect(update(view)).resolves.toMatchObject({ id: facility.id });
});

test('Changing a whole transaction and one of its contracts at once never waits for each other in a circle', async () => {
  for (let round = 0; round < 4; round += 1) {
    const view = await current();
    const draft = await asSystem((session) => copyContract(session, contractsIn(view)[0]!));
    const open = await current();
    const document = documentOf(open);
    const { id, version, ...fresh } = document.notes[0]!.contracts[0]!;
    document.notes[0]!.contracts.push({ ...fresh, status: 'Draft' });
    const outcomes = await Promise.allSettled([
      update(open, document),
      asSystem((session) => activateContract(session, draft)),
      asSystem((session) => copyContract(session, draft)),
    ]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(stale);
    }
    expect(contractsIn(await current()).filter(({ status }) => status === 'Active')).toHaveLength(1);
  }
});

test('A transaction is removed or put into force, never both', async () => {
  const active = contractsIn(facility)[0]!;
  await asSystem((session) => closeContract(session, active));
  const draft = await asSystem((session) => copyContract(session, active));
  const outcomes = await Promise.allSettled([
    asSystem((session) => removeTransaction(session, facility)),
    asSystem((session) => activateContract(session, draft)),
  ]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('A removed transaction is not found, and nothing of it can be put into force', async () => {
  const active = contractsIn(facility)[0]!;
  await asSystem((session) => closeContract(session, active));
  const draft = await asSystem((session) => copyContract(session, active));
  await asSystem((session) => removeTransaction(session, facility));
  await expect(current()).rejects.toMatchObject({ code: 'notFound' });
  await expect(asSystem((session) => activateContract(session, draft))).rejects.toMatchObject({ code: 'notFound' });
});

describe('A transaction with borrowing bases', () => {
  beforeEach(() =>
    asSystem((session) => {
      const { managerId, company: companyId } = facility;
      return addCalculatedTape(session, { managerId, companyId, contractId: contractsIn(facility)[0]!.id });
    }),
  );

  test('is not removed but closed, with its contracts, and never changes again', async () => {
    await expect(asSystem((session) => removeTransaction(session, facility))).rejects.toMatchObject({
      code: 'badRequest',
      message: 'This facility has borrowing bases, so it cannot be removed. Close it instead',
    });
    const draft = await asSystem((session) => copyContract(session, contractsIn(facility)[0]!));
    const { id, version } = await current();
    await expect(asSystem((session) => closeTransaction(session, facility))).rejects.toMatchObject(stale);
    await asSystem((session) => closeTransaction(session, { id, version }));
    const closed = await current();
    expect([closed.status, contractsIn(closed).map(({ status }) => status)]).toEqual(['Closed', ['Closed', 'Draft']]);

    const changes: ((session: Session) => Promise<unknown>)[] = [
      (session) => updateTransaction(session, { id, version: closed.version, document: documentOf(closed) }),
      (session) =>
        updateTransaction(session, { id, version: closed.version, status: 'Active', document: documentOf(closed) }),
      (session) => closeTransaction(session, closed),
      (session) => removeTransaction(session, closed),
      (session) => activateContract(session, draft),
      (session) => copyContract(session, draft),
    ];
    for (const change of changes) await expect(asSystem(change)).rejects.toMatchObject({ code: 'badRequest' });
    expect(await current()).toEqual(closed);
  });

  test('is closed by an update that names the status, together with its other changes', async () => {
    const document = { ...documentOf(facility), title: 'Repaid facility' };
    const closed = await asSystem((session) =>
      updateTransaction(session, { id: facility.id, version: facility.version, document, status: 'Closed' }),
    );
    expect(closed).toMatchObject({ status: 'Closed', title: 'Repaid facility', version: facility.version + 1 });
    expect(contractsIn(closed).map(({ status }) => status)).toEqual(['Closed']);
    expect(await current()).toEqual(closed);
  });
});

test('A contract speaks of a mapping of its own company', async () => {
  const view = await current();
  const document = documentOf(view);
  const { id, version, ...fresh } = document.notes[0]!.contracts[0]!;
  document.notes[0]!.contracts.push({ ...fresh, status: 'Draft', assetsETL: foreignMapping });
  await expect(update(view, document)).rejects.toMatchObject({
    code: 'badRequest',
    flags: { 'notes.0.contracts.1.assetsETL': 'is not a mapping of this borrower' },
  });
});

describe('A contract that names a field that no asset has', () => {
  const rule = { title: 'Minimum score', filter: { ficoScore: { gte: 600 } }, exceptions: [], enabled: true };
  const message =
    'The contract "New terms" cannot become Active. Minimum score: ficoScore is not a field that can be filtered by';
  const reason = 'Minimum score: ficoScore is not a field that can be filtered by';
  const withTerms = (view: TransactionView, more: Partial<TransactionContract>) => {
    const document = documentOf(view);
    const { id, version, ...terms } = document.notes[0]!.contracts[0]!;
    document.notes[0]!.contracts.push({
      ...terms,
      title: 'New terms',
      cutOffDate: '2027-01-31',
      eligibilityRules: [rule],
      ...more,
    });
    return document;
  };

  test('cannot be Active when its transaction is changed, and the error names contract, rule and field', async () => {
    const view = await current();
    await expect(update(view, withTerms(view, { status: 'Active' }))).rejects.toMatchObject({
      code: 'badRequest',
      message,
      flags: { 'notes.0.contracts.1.eligibilityRules.0.filter.filter.ficoScore': reason },
    });
    expect(await current()).toEqual(facility);
    const known = [{ ...rule, filter: { 'creditScores.origination': { gte: 600 } } }];
    await expect(update(view, withTerms(view, { status: 'Active', eligibilityRules: known }))).resolves.toMatchObject({
      id: facility.id,
    });
  });

  test('can be a Draft, which cannot be activated', async () => {
    const saved = await update(facility, withTerms(facility, { status: 'Draft' }));
    const draft = contractsIn(saved).find(({ status }) => status === 'Draft')!;
    await expect(asSystem((session) => activateContract(session, draft))).rejects.toMatchObject({
      code: 'badRequest',
      message,
    });
    const document = documentOf(saved);
    document.notes[0]!.contracts.find(({ id }) => id === draft.id)!.status = 'Active';
    await expect(update(saved, document)).rejects.toMatchObject({ code: 'badRequest', message });
    expect(contractsIn(await current()).map(({ status }) => status)).toEqual(['Active', 'Draft']);
  });

  test('cannot be created Active with a new transaction', async () => {
    const document = withTerms(facility, { status: 'Active' });
    const notes = document.notes.map(({ id: _, ...note }) => ({
      ...note,
      contracts: note.contracts.map(({ id: _id, version, ...contract }) => contract),
    }));
    await expect(asSystem((session) => createTransaction(session, { ...document, notes }))).rejects.toMatchObject({
      code: 'badRequest',
      message,
    });
  });
});

test('A note takes 200 contracts and refuses the next in words', async () => {
  const { id } = contractsIn(facility)[0]!;
  await asSystem(({ query }) =>
    query(
      `insert into contracts (id, status, metadata, manager_id, company_id, transaction_id, note_id, revision, cut_off_date, body)
       select lpad(to_hex(n), 24, 'e'), 'Draft', '{}', manager_id, company_id, transaction_id, note_id, 1 + n, cut_off_date, '{}'
       from contracts, generate_series(1, $2::int) as n where id = $1`,
      [id, MAX_CONTRACTS_PER_NOTE - 2],
    ),
  );
  await expect(asSystem((session) => copyContract(session, { id }))).resolves.toMatchObject({ status: 'Draft' });
  await expect(asSystem((session) => copyContract(session, { id }))).rejects.toMatchObject({
    code: 'badRequest',
    message: 'A note has at most 200 contracts',
  });
});

describe('A holding of a note names a fund of the manager', () => {
  const held = (view: TransactionView, fund: string): TransactionDocument => {
    const document = documentOf(view);
    const holdings = [{ fund, targetPercentage: 100, actualPercentage: 100 }];
    return { ...document, notes: document.notes.map((note) => ({ ...note, holdings })) };
  };
  const unknown = {
    code: 'badRequest',
    flags: { 'notes.0.holdings.0.fund': 'is not a fund of this manager' },
  };

  test('and no other one, whether it is created or changed', async () => {
    const [foreign] = await asSystem(({ query }) =>
      query<{ id: string }>('select id from funds where manager_id <> $1', [facility.managerId]),
    );
    for (const fund of [newId(), foreign!.id]) {
      await expect(update(facility, held(facility, fund))).rejects.toMatchObject(unknown);
      const { notes, ...document } = held(facility, fund);
      const fresh = notes.map(({ id, ...note }) => ({ ...note, contracts: [] }));
      await expect(
        asSystem((session) => createTransaction(session, { ...document, notes: fresh })),
      ).rejects.toMatchObject(unknown);
    }
    expect(await current()).toEqual(facility);
  });

  test('its own may be removed since: the note stays as it is', async () => {
    const fund = facility.notes[0]!.holdings![0]!.fund!;
    await expect(update(facility, held(facility, fund))).resolves.toMatchObject({ id: facility.id });
    const now = await current();
    await asSystem(({ query }) => query(`update funds set status = 'Removed' where id = $1`, [fund]));
    await expect(update(now)).resolves.toMatchObject({ id: facility.id });
    await asSystem(({ query }) => query(`update funds set status = 'Active' where id = $1`, [fund]));
  });
});
