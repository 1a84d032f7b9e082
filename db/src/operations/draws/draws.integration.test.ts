import { covenantCreateSchema } from '@tapeline/domain/covenants/covenant.schema.ts';
import { type DrawUpdate, drawCreateSchema, drawUpdateSchema } from '@tapeline/domain/draws/draw.schema.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { facilityFigureCreateSchema } from '@tapeline/domain/facility-figures/facility-figure.schema.ts';
import type { PermissionKey, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, type Store, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { approveWaiver, requestWaiver } from '../covenants/breaches.ts';
import { createCovenant, removeCovenant } from '../covenants/covenants.ts';
import { createFacilityFigure, reviewFacilityFigure } from '../covenants/facility-figures.ts';
import { getTransaction, removeTransaction, updateTransaction } from '../transactions/transactions.ts';
import { removeDraws, updateDraw, updateDraws } from './change-draws.ts';
import { type DrawView, getDraw, listDraws } from './draw-views.ts';
import { recheckDraw, reviewDraw } from './recheck-draws.ts';
import { createDraw } from './request-draws.ts';
import { UnapprovedDraw } from './unapproved-draw.ts';

const TERMS = {
  commitments: [{ amount: { sum: '1000', currency: 'USD' } }],
  drawLimits: { draw: { amountRange: { currency: 'USD', min: '10', max: '400' }, dueDateLimit: { min: 3, max: 30 } } },
};

let database: TestDatabase;
let store: Store;
let tenant: TestTenant;
let transactionId: string;
let borrower: UserActor;
let manager: UserActor;
let analyst: UserActor;

beforeAll(async () => {
  database = await createTestDatabase();
  store = database.store;
  tenant = await store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    return makeTenant(session);
  });
  const [company] = tenant.companies;
  const [row] = await database.query<{ id: string }>('select id from transactions where company_id = $1', [
    company!.id,
  ]);
  transactionId = row!.id;
  await database.query(
    `update transactions set notes = jsonb_set(notes, '{0,tranches,0,terms}', (notes #> '{0,tranches,0,terms}') || $2) where id = $1`,
    [transactionId, JSON.stringify(TERMS)],
  );
  borrower = testActor({ type: 'company', managerId: tenant.managerId, companyId: company!.id });
  manager = testActor({ type: 'manager', managerId: tenant.managerId, firstName: 'Mara', lastName: 'Reyes' });
  analyst = testActor({ type: 'manager', managerId: tenant.managerId });
});
afterAll(() => database.close());

/** A note without draws or repayments, a commitment of 1,000 and a net borrowing base of 900. */
beforeEach(async () => {
  await database.query('delete from draws');
  await database.query('delete from repayments');
  await setBase('900');
});
const setBase = (netBB: string) => database.query(`update borrowing_bases set net_bb = $1, result = '{}'`, [netBB]);
/** What the contract holds back of the base; null if it is unknown. */
const setReserve = (amount: string | null, availableBase: string | null) =>
  database.query(
    `update borrowing_bases set result = jsonb_build_object('totals', jsonb_build_object(
       'reserves', jsonb_build_array(jsonb_build_object('title', 'Interest', 'amount', jsonb_build_object('sum', $1::text, 'currency', 'USD'))),
       'availableBase', jsonb_build_object('sum', $2::text, 'currency', 'USD')))`,
    [amount, availableBase],
  );

// Tests repeat requests on purpose.
const as = <T>(actor: UserActor | typeof SYSTEM, work: (session: Session) => Promise<T>, isKeyed = true) =>
  store.as(actor, work, { isKeyed });
const request = (sum: number, more: object = {}) =>
  drawCreateSchema.parse({
    transaction: transactionId,
    noteTitle: 'Senior',
    cutOffDate: '2026-11-02',
    dueDate: '2026-11-09',
    draws: [{ type: 'Regular', amounts: [{ sum, currency: 'USD' }] }],
    ...more,
  });
const ask = (sum: number, more: object = {}, actor = borrower) =>
  as(actor, (session) => createDraw(session, request(sum, more)));
const change = (actor: UserActor, draw: DrawView, body: object) =>
  as(actor, (session) =>
    updateDraw(session, { id: draw.id, body: drawUpdateSchema.parse({ version: draw.version, ...body }) }),
  );
const approve = (draw: DrawView, actor = manager) => change(actor, draw, { status: 'Approved' });
const skipAll = (draw: DrawView, reason = 'Agreed by the credit committee', actor = manager) =>
  change(actor, draw, { exceptions: draw.exceptions.map(() => ({ status: 'Skipped', reason })) });
const found = (draw: DrawView) =>
  draw.exceptions.map(({ exception: { message, exceededBy }, status }) => [message, Number(exceededBy), status]);
const reload = (draw: DrawView) => as(SYSTEM, (session) => getDraw(session, draw.id));

describe('a request', () => {
  test('within every limit waits, with its values, and is approved by someone of the manager', async () => {
    const draw = await ask(100);
    expect(draw).toMatchObject({
      status: 'Pending',
      exceptions: [],
      valueInUsd: '100.00',
      amountInMainCurrency: { sum: '100.00', currency: 'USD' },
      draws: [{ type: 'Regular', valueInUSD: '100.00' }],
      transactionTitle: 'Northwind warehouse facility',
      noteTitle: 'Senior',
      companyName: 'A company',
      requestedBy: borrower.userId,
    });
    expect(await approve(draw)).toMatchObject({
      status: 'Approved',
      decidedBy: manager.userId,
      decidedAt: expect.any(Date),
    });
    expect((await reload(draw)).checked).toMatchObject({
      stage: 'approval',
      figures: { balance: { before: { sum: '0.00' }, after: { sum: '100.00' } } },
    });
  });

  test('beyond a limit is in review with its exceptions', async () => {
    const draw = await ask(500, { dueDate: '2026-11-04' });
    expect(draw.status).toBe('In Review');
    expect(found(draw)).toEqual([
      ['Draw limits exceeded', 100, 'Pending'],
      ['Due Date limits exceeded', 1, 'Pending'],
    ]);
  });

  test('is measured against what reserves leave of the borrowing base', async () => {
    await setReserve('750', '150.00');
    expect(found(await ask(150))).toEqual([]);
    const beyond = await ask(150.01);
    expect(found(beyond)).toEqual([['Draw in deficit', 0.01, 'Pending']]);
    expect((await reload(beyond)).checked?.figures).toMatchObject({
      netBB: { sum: '900.00' },
      availableBase: { sum: '150.00' },
    });
  });

  test.each([
    [{ noteTitle: 'Mezz' }, { code: 'badRequest', flags: { noteTitle: 'is not a note of this facility' } }],
    [{ transaction: 'f'.repeat(24) }, { code: 'notFound' }],
    [
      { attachments: [{ key: 'other' }] },
      { code: 'badRequest', flags: { 'attachments.0': 'is not an uploaded file' } },
    ],
  ])('%o is refused', async (more, refusal) => {
    await expect(ask(100, more)).rejects.toMatchObject(refusal);
  });

  test('due after maturity is refused on request, change and approval; on the day itself it is not', async () => {
    const dated = (maturity: string) =>
      database.query(
        `update transactions set notes = jsonb_set(notes, '{0,tranches,0,terms,timeline,maturity}', to_jsonb($2::text)) where id = $1`,
        [transactionId, maturity],
      );
    const [row] = await database.query<{ maturity: string }>(
      `select notes #>> '{0,tranches,0,terms,timeline,maturity}' as maturity from transactions where id = $1`,
      [transactionId],
    );
    const refusal = { code: 'badRequest', flags: { dueDate: 'is after the maturity on 9 Nov 2026' } };
    await dated('2026-11-09');
    const draw = await ask(100);
    await expect(ask(100, { dueDate: '2026-11-10' })).rejects.toMatchObject(refusal);
    await expect(change(borrower, draw, { dueDate: '2026-11-10' })).rejects.toMatchObject(refusal);
    await dated('2026-11-08');
    await expect(approve(draw)).rejects.toMatchObject({ flags: { dueDate: 'is after the maturity on 8 Nov 2026' } });
    // The database holds the same, whoever writes.
    const due = (date: string) => database.query(`update draws set due_date = '${date}' where id = '${draw.id}'`);
    await due('2026-11-08');
    await expect(due('2026-11-09')).rejects.toThrow('after maturity or termination on 2026-11-08');
    await dated('2026-11-07');
    await expect(database.query(`update draws set status = 'Approved' where id = '${draw.id}'`)).rejects.toThrow(
      'after maturity or termination on 2026-11-07',
    );
    await dated('2026-11-08');
    await due('2026-11-08');
    await dated(row!.maturity);
    expect((await approve(draw)).status).toBe('Approved');
  });

  test('that is sent twice at once is recorded once, unless its key says that it is meant', async () => {
    const send = (sum: number, isKeyed = false) =>
      as(borrower, (session) => createDraw(session, request(sum)), isKeyed);
    const sent = await Promise.allSettled([send(77), send(77)]);
    expect(sent.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(send(77)).rejects.toMatchObject({ flags: { draws: 'was saved a moment ago' } });
    await send(78);
    await send(77, true);
    expect((await as(SYSTEM, (session) => listDraws(session))).documents).toHaveLength(3);
  });

  test('that is approved keeps the commitments from going below it, in the program and in the database', async () => {
    const draw = await approve(await ask(300));
    expect(draw.status).toBe('Approved');
    const { document, version } = await as(SYSTEM, async (session) => {
      const view = await getTransaction(session, transactionId);
      return { document: transactionSchema.parse(JSON.parse(JSON.stringify(view))), version: view.version };
    });
    const committing = (sum: string) => {
      const [note] = document.notes;
      const [tranche] = note!.tranches;
      const commitments = [{ amount: { sum, currency: 'USD' } }];
      const notes = [{ ...note!, tranches: [{ ...tranche!, terms: { ...tranche!.terms, commitments } }] }];
      return { id: transactionId, version, document: { ...document, notes } as typeof document };
    };
    const write = (sum: string) =>
      database.query(
        `update transactions set notes = jsonb_set(notes, '{0,tranches,0,terms,commitments,0,amount,sum}', $2) where id = $1`,
        [transactionId, JSON.stringify(sum)],
      );
    const update = (sum: string, actor: UserActor | typeof SYSTEM = SYSTEM) =>
      store.as(actor, (session) => updateTransaction(session, committing(sum)), { rollback: true });
    expect((await update('300')).notes[0]!.maxCommitments).toEqual([{ sum: '300', currency: 'USD' }]);
    await expect(update('299.99')).rejects.toThrow(
      'The commitments to Senior would be 299.99 USD, below its balance and approved draws of 300.00 USD',
    );
    const blind = { ...manager, blockedDocuments: [`draws/${draw.id}`] };
    await expect(update('299.99', blind)).rejects.toThrow('approved draws of 300.00 USD');
    await expect(write('299.99')).rejects.toThrow('below what is drawn on it and approved');
    await write('300');
    // What was below before can be raised, also step by step.
    await database.query('alter table transactions disable trigger transactions_commitments');
    await write('100');
    await database.query('alter table transactions enable trigger transactions_commitments');
    await write('200');
    await write('1000');
  });

  test('on an old base needs a reason, and shows the exceptions of now once the base is replaced', async () => {
    const old = await ask(100, { cutOffDate: '2027-02-01', dueDate: '2027-02-08' });
    expect(found(old)).toEqual([['Missing data', expect.any(Number), 'Pending']]);
    await setBase('40');
    const reviewed = await as(SYSTEM, (session) => reviewDraw(session, old.id));
    expect(reviewed.hasChanged).toBe(true);
    expect(reviewed.exceptions.map(({ exception }) => [exception.message, exception.exceededBy])).toEqual([
      ['Missing data', old.exceptions[0]!.exception.exceededBy],
      ['Draw in deficit', '60'],
    ]);
    expect(reviewed.checked?.checks.flatMap(({ exceptions }) => exceptions)).toEqual(
      reviewed.exceptions.map(({ exception }) => ({ ...exception, stage: 'change' })),
    );
  });

  test('shows what other requests add up to, of those that its reader can see, and stores no such sum', async () => {
    const draw = await ask(100);
    const other = await ask(150);
    await ask(20);
    const others = async (actor: UserActor) => (await as(actor, (session) => reviewDraw(session, draw.id))).requested;
    expect(await others(manager)).toEqual({ sum: '170.00', currency: 'USD' });
    const blocked = { ...manager, blockedDocuments: [`draws/${other.id}`] };
    expect(await others(blocked)).toEqual({ sum: '20.00', currency: 'USD' });
    const decided = await approve(draw);
    expect(await others(manager)).toBeNull();
    const zero = { sum: '0.00', currency: 'USD' };
    expect((await reload(decided)).checked?.figures.position).toEqual({ balance: zero, approved: zero });
    // The limits count what is drawn, whoever asks.
    const rest = await as(blocked, (session) => reviewDraw(session, decided.id));
    expect(rest.checked?.figures.balance.after).toEqual({ sum: '100.00', currency: 'USD' });
  });

  test('of another company does not exist for a borrower', async () => {
    const draw = await ask(100);
    const other = { ...borrower, companyId: tenant.companies[1]!.id };
    await expect(ask(100, {}, other)).rejects.toMatchObject({ code: 'notFound' });
    await expect(change(other, draw, { description: 'x' })).rejects.toMatchObject({ code: 'notFound' });
    expect((await as(other, (session) => listDraws(session))).documents).toEqual([]);
  });

  test('needs transactionDraw/write', async () => {
    const reader = { ...borrower, permissions: ['transactionDraw/read'] as PermissionKey[] };
    await expect(ask(100, {}, reader)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('skipping and approving', () => {
  test('needs every exception skipped with a reason', async () => {
    const draw = await ask(500, { dueDate: '2026-11-04' });
    await expect(approve(draw)).rejects.toMatchObject({
      code: 'badRequest',
      flags: {
        status: expect.any(String),
        'exceptions.0.status': 'must be Skipped',
        'exceptions.1.status': 'must be Skipped',
      },
    });
    await expect(skipAll(draw, ' ')).rejects.toMatchObject({ flags: { 'exceptions.0.reason': 'is required' } });
    const one = await change(manager, draw, {
      exceptions: [{ status: 'Skipped', reason: 'Larger for year-end' }, { status: 'Pending' }],
    });
    expect(one.exceptions[0]).toMatchObject({
      status: 'Skipped',
      reason: 'Larger for year-end',
      skippedBy: { id: manager.userId, name: 'Mara Reyes' },
    });
    await expect(approve(one)).rejects.toMatchObject({ flags: { 'exceptions.1.status': 'must be Skipped' } });
    const both = await skipAll(one);
    expect((await approve(both)).status).toBe('Approved');
  });

  test('takes the document as a call returns it, also in one call', async () => {
    const draw = await ask(500);
    const body = {
      ...draw,
      exceptions: draw.exceptions.map((each) => ({ ...each, status: 'Skipped', reason: 'Agreed' })),
    };
    expect((await change(manager, draw, { ...body, status: 'Approved' })).status).toBe('Approved');
  });

  test('is not the borrower’s', async () => {
    const draw = await ask(500);
    await expect(skipAll(draw, 'Please', borrower)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(approve(draw, borrower)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(change(borrower, draw, { reject: true, rejectionMessage: 'x' })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await change(borrower, draw, { exceptions: draw.exceptions, description: 'Note' })).toMatchObject({
      description: 'Note',
      status: 'In Review',
    });
  });

  test('is not for whoever requested the draw or last changed its amounts or dates', async () => {
    const own = await ask(100, {}, manager);
    await expect(approve(own)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('requested'),
    });
    expect((await approve(own, analyst)).status).toBe('Approved');
    const theirs = await ask(100);
    const changed = await change(manager, theirs, { dueDate: '2026-11-10' });
    await expect(approve(changed)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('changed'),
    });
    const described = await change(analyst, changed, { description: 'A text is no term' });
    expect((await approve(described, analyst)).status).toBe('Approved');
  });

  test('a change makes every exception pending again', async () => {
    const skipped = await skipAll(await ask(500));
    const changed = await change(borrower, skipped, { dueDate: '2026-11-10' });
    expect(found(changed)).toEqual([['Draw limits exceeded', 100, 'Pending']]);
    expect(changed.exceptions[0]?.exception.stage).toBe('change');
    const smaller = await change(borrower, changed, { draws: request(200).draws });
    expect(smaller).toMatchObject({ status: 'In Review', exceptions: [], valueInUsd: '200.00' });
  });

  test('a skip can be undone, and stays while the request is unchanged', async () => {
    const skipped = await skipAll(await ask(500));
    const described = await change(borrower, skipped, { description: 'More' });
    expect(found(described)).toEqual([['Draw limits exceeded', 100, 'Skipped']]);
    expect(found(await change(manager, described, { exceptions: [{ status: 'Pending' }] }))).toEqual([
      ['Draw limits exceeded', 100, 'Pending'],
    ]);
  });
});

describe('approval runs the checks again', () => {
  test('a draw that another approval made impossible goes back to review', async () => {
    const [first, second] = [await ask(400), await ask(400)];
    const third = await ask(400);
    expect([first, second, third].map(found)).toEqual([[], [], []]);
    await approve(first);
    await approve(second);
    const refused = await approve(third).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnapprovedDraw);
    expect(refused).toMatchObject({ code: 'badRequest', isNew: true, drawId: third.id, drawVersion: third.version });
    expect((await reload(third)).status).toBe('Pending');
    await as(SYSTEM, (session) =>
      recheckDraw(session, { drawId: third.id, version: third.version, stage: 'approval' }),
    );
    const inReview = await reload(third);
    expect(inReview.status).toBe('In Review');
    expect(found(inReview)).toEqual([
      ['Currency commitment exceeded', 200, 'Pending'],
      ['Total commitment exceeded', 200, 'Pending'],
      ['Draw in deficit', 300, 'Pending'],
    ]);
    expect(inReview.exceptions.map(({ exception }) => exception.stage)).toEqual(Array(3).fill('approval'));
  });

  test('a skip does not cover a limit that is exceeded by more than when it was skipped', async () => {
    await setBase('300');
    const draw = await skipAll(await ask(400));
    expect(found(draw)).toEqual([['Draw in deficit', 100, 'Skipped']]);
    await setBase('250');
    await expect(approve(draw)).rejects.toMatchObject({ isNew: true });
    await setBase('350');
    expect((await approve(draw)).status).toBe('Approved');
  });

  test('counts draws that are blocked for the person who approves', async () => {
    await approve(await ask(400));
    const hidden = await ask(400);
    await approve(hidden);
    const third = await ask(400);
    const blind = { ...analyst, blockedDocuments: [`draws/${hidden.id}`] };
    await expect(as(blind, (session) => getDraw(session, hidden.id))).rejects.toMatchObject({ code: 'notFound' });
    await expect(approve(third, blind)).rejects.toBeInstanceOf(UnapprovedDraw);
  });

  test('of two approvals at once that together overdraw, exactly one wins', async () => {
    await setBase('400');
    for (let round = 0; round < 5; round += 1) {
      await database.query('delete from draws');
      const draws = [await ask(300), await ask(300)];
      const results = await Promise.allSettled([approve(draws[0]!), approve(draws[1]!, analyst)]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const refused = results.find((result) => result.status === 'rejected');
      expect(refused).toMatchObject({
        reason: { code: 'badRequest', message: expect.stringContaining('Draw in deficit') },
      });
    }
  });

  test('one draw is approved once, however often it is asked at once', async () => {
    const draw = await ask(100);
    const results = await Promise.allSettled([approve(draw), approve(draw, analyst), approve(draw)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ flags: { version: 'is not the latest' } });
    }
  });
});

describe('states', () => {
  test('a rejection needs a message and is final', async () => {
    const draw = await ask(500);
    const rejected = await change(manager, draw, { reject: true, rejectionMessage: ' Late tape ' });
    expect(rejected).toMatchObject({ status: 'Rejected', rejectionMessage: 'Late tape', decidedBy: manager.userId });
    await expect(approve(rejected)).rejects.toMatchObject({
      code: 'badRequest',
      flags: { status: 'cannot go from Rejected to Approved' },
    });
    await expect(change(borrower, rejected, { dueDate: '2026-11-12' })).rejects.toMatchObject({
      flags: { status: 'is Rejected' },
    });
    await expect(as(borrower, (session) => removeDraws(session, [draw.id]))).rejects.toMatchObject({
      code: 'forbidden',
    });
    await as(manager, (session) => removeDraws(session, [draw.id]));
  });

  test('an approved draw stays', async () => {
    const draw = await approve(await ask(100));
    await expect(as(manager, (session) => removeDraws(session, [draw.id]))).rejects.toMatchObject({
      flags: { status: 'cannot go from Approved to Removed' },
    });
    await expect(change(manager, draw, { dueDate: '2026-11-12' })).rejects.toMatchObject({
      flags: { status: 'is Approved' },
    });
    expect((await change(manager, draw, { ...draw })).version).toBe(draw.version);
  });

  test('a borrower withdraws a request that waits', async () => {
    const draw = await ask(100);
    await as(borrower, (session) => removeDraws(session, [draw.id]));
    await expect(reload(draw)).rejects.toMatchObject({ code: 'notFound' });
    expect((await as(borrower, (session) => listDraws(session))).total).toBe(0);
  });

  test('a stale version is refused', async () => {
    const draw = await ask(100);
    await change(borrower, draw, { description: 'x' });
    await expect(approve(draw)).rejects.toMatchObject({ flags: { version: 'is not the latest' } });
  });

  test('a transaction with draws is closed, not removed', async () => {
    await ask(100);
    await database.query('alter table borrowing_bases disable trigger all');
    await database.query(`update borrowing_bases set status = 'Removed'`);
    try {
      await expect(as(manager, (session) => removeTransaction(session, { id: transactionId }))).rejects.toMatchObject({
        message: expect.stringContaining('draw requests'),
      });
    } finally {
      await database.query(`update borrowing_bases set status = 'Active'`);
      await database.query('alter table borrowing_bases enable trigger all');
    }
  });
});

describe('bulk', () => {
  const item = (draw: DrawView, body: Partial<DrawUpdate>) => ({ id: draw.id, version: draw.version, ...body });

  test('approves several, or none of them', async () => {
    const draws = [await ask(400), await ask(400), await ask(400)];
    const all = draws.map((draw) => item(draw, { status: 'Approved' }));
    await expect(as(manager, (session) => updateDraws(session, all))).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringMatching(/^Item 3: /),
    });
    expect((await Promise.all(draws.map(reload))).map(({ status }) => status)).toEqual(Array(3).fill('Pending'));
    const two = await as(manager, (session) => updateDraws(session, all.slice(0, 2)));
    expect(two.map(({ status }) => status)).toEqual(['Approved', 'Approved']);
  });

  test('removes several, or none of them', async () => {
    const [open, approved] = [await ask(100), await approve(await ask(100))];
    await expect(as(manager, (session) => removeDraws(session, [open.id, approved.id]))).rejects.toMatchObject({
      message: expect.stringMatching(/^Item 2: /),
    });
    expect((await reload(open)).status).toBe('Pending');
  });
});

test('running the checks again changes nothing unless they find something else', async () => {
  const draw = await ask(500);
  const again = () =>
    as(SYSTEM, (session) => recheckDraw(session, { drawId: draw.id, version: draw.version, stage: 'request' }));
  const state = { isOpen: true, version: draw.version, dueDate: '2026-11-09', requestedAt: draw.metadata.iat };
  expect(await again()).toEqual(state);
  expect(await again()).toEqual(state);
  await setBase('100');
  expect(await again()).toMatchObject({ version: draw.version + 1 });
  // The version is no longer the one that is asked about, so that nothing happens twice.
  await setBase('50');
  expect(await again()).toMatchObject({ version: draw.version + 1 });
  expect(found(await reload(draw))).toEqual([
    ['Draw limits exceeded', 100, 'Pending'],
    ['Draw in deficit', 400, 'Pending'],
  ]);
});

test.each([
  ['status', 'In Review', 1],
  ['transaction.title', 'Northwind warehouse facility', 2],
  ['noteTitle', 'Senior', 2],
  ['noteTitle', 'Mezz', 0],
  ['dueDate', '2026-11-09', 2],
  ['valueInUsd', '500', 1],
  ['amountInMainCurrency.currency', 'USD', 2],
  ['draws.type', 'Regular', 2],
  ['draws.type', 'Prefunding', 0],
  ['draws.type', { neq: 'Prefunding' }, 2],
  ['exceptions.pending', 1, 1],
  ['exceptions.skipped', 1, 0],
])('a list filters on %s', async (field, value, total) => {
  await ask(100);
  await ask(500);
  const filter = JSON.stringify({ [field]: value });
  expect((await as(manager, (session) => listDraws(session, { filter }))).total).toBe(total);
});

test('a breached covenant stops a draw: it is requested with an exception that only who may waive covenants skips', async () => {
  const { companyId, noteId } = (
    await database.query<{ companyId: string; noteId: string }>(
      `select company_id as "companyId", notes #>> '{0,id}' as "noteId" from transactions where id = $1`,
      [transactionId],
    )
  )[0]!;
  const now = new Date();
  const monthEnd = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0)).toISOString().slice(0, 10);
  const figure = { company: companyId, title: 'Cash', date: monthEnd, value: 1, currency: 'USD' };
  const { id } = await as(manager, (session) =>
    createFacilityFigure(session, facilityFigureCreateSchema.parse(figure)),
  );
  await as(analyst, (session) => reviewFacilityFigure(session, id));
  const terms = {
    ...{ transaction: transactionId, note: noteId, title: 'Cash', formula: '[Cash]', unit: 'money', currency: 'USD' },
    ...{ bound: 'atLeast', steps: [{ from: monthEnd, limit: 2 }], frequency: 'monthly', firstTest: monthEnd },
  };
  const covenant = await as(manager, (session) =>
    createCovenant(session, covenantCreateSchema.parse({ ...terms, consequence: 'drawStop' })),
  );
  const draw = await ask(100);
  expect(found(draw)).toEqual([['Covenant breached', 1, 'Pending']]);
  expect(draw.exceptions[0]?.exception.covenant).toEqual({
    id: covenant.id,
    title: 'Cash',
    testDate: monthEnd,
    stops: true,
  });
  await expect(approve(draw)).rejects.toBeInstanceOf(UnapprovedDraw);
  const approver = testActor({
    ...{ type: 'manager', managerId: tenant.managerId },
    permissions: ['transactionDraw/read', 'transactionDraw/write', 'transactions/read'],
  });
  await expect(skipAll(await reload(draw), 'Agreed', approver)).rejects.toThrow('Only people who may waive covenants');
  const skipped = await skipAll(await reload(draw));
  expect(await approve(skipped)).toMatchObject({ status: 'Approved' });

  const second = await ask(50);
  const body = { until: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10), reason: 'Capital follows' };
  const waiver = await as(manager, (session) => requestWaiver(session, { covenantId: covenant.id, body }));
  await expect(approve(second)).rejects.toBeInstanceOf(UnapprovedDraw);
  await as(analyst, (session) => approveWaiver(session, waiver.id));
  expect(await approve(await reload(second))).toMatchObject({ status: 'Approved', exceptions: [] });
  await as(manager, (session) => removeCovenant(session, covenant.id));
});
