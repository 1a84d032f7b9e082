import { calculateReference } from '@tapeline/domain/borrowing-base/testing/reference.ts';
import {
  WORKED_CASE_ASSETS,
  WORKED_CASE_CONTRACT,
  WORKED_CASE_TAPE,
} from '@tapeline/domain/borrowing-base/testing/worked-case.ts';
import { certifiedLines } from '@tapeline/domain/certifications/certified-lines.ts';
import type { OwnLine } from '@tapeline/domain/certifications/own-lines.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import type { Actor, PermissionKey, UserActor } from '@tapeline/domain/people/actor.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BorrowingBase } from '../../entities/lending.ts';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listBorrowingBases, saveBorrowingBase } from '../borrowing-bases/borrowing-bases.ts';
import { runChecks } from '../draws/run-checks.ts';
import { registerFile } from '../files/files.ts';
import { readNotesOverview } from '../monitoring/note-overview.ts';
import { utilizationOfNotes } from '../transactions/note-utilization.ts';
import { getTransaction } from '../transactions/transactions.ts';
import {
  acceptCertification,
  assignedLines,
  disputeCertification,
  listCertifications,
  namedLines,
  requireAcceptable,
  reviewCertification,
  saveCertificationDraft,
} from './certifications.ts';
import { requestSigningCode, submitCertification } from './sign-certification.ts';
import { countVerification, isAcceptedFile } from './verify-file.ts';
import { waitingCertificates } from './waiting-certificates.ts';

let database: TestDatabase;
let tenant: TestTenant;
let ada: UserActor;
let ben: UserActor;
let borrower: UserActor;
let colleague: UserActor;
let otherBorrower: UserActor;
let stranger: UserActor;

const TODAY = new Date('2026-11-10T12:00:00Z');
const as = <T>(actor: Actor, work: (session: Session) => Promise<T>, now = TODAY) =>
  database.store.as(actor, work, { now });
const asSystem = <T>(work: (session: Session) => Promise<T>) => as(SYSTEM, work);

beforeAll(async () => {
  database = await createTestDatabase();
  await asSystem(seedFoundations);
  tenant = await asSystem(makeTenant);
  const another = await asSystem(makeTenant);
  const { managerId } = tenant;
  ada = testActor({ type: 'manager', managerId, firstName: 'Ada' });
  ben = testActor({ type: 'manager', managerId, firstName: 'Ben' });
  const userOf = async (index: number) => {
    const { id, userId } = tenant.companies[index]!;
    const [user] = await database.query<{ email: string }>('select email from users where id = $1', [userId]);
    return testActor({ type: 'company', managerId, companyId: id, userId, email: user!.email });
  };
  [borrower, otherBorrower] = [await userOf(0), await userOf(1)];
  // A second person of the same borrower.
  colleague = testActor({
    ...{ type: 'company', managerId, companyId: borrower.companyId, email: 'colleague@example.test' },
  });
  // They are told of what they may see.
  await asSystem(async ({ em }) => {
    const roleId = newId();
    const permissions: PermissionKey[] = ['borrowingBase/read', 'transactions/read', 'transactions/write'];
    em.create(Role, { id: roleId, title: `Lending ${roleId.slice(-8)}`, level: 12, permissions });
    const user = await em.findOneOrFail(User, { id: borrower.userId });
    user.roleId = roleId;
    const add = ({ userId: id, type, email, companyId }: UserActor, firstName: string, assoc: typeof user.assoc) =>
      em.create(User, { ...{ id, email, firstName, lastName: 'Ray', roleId, type, assoc, managerId, companyId } });
    add(colleague, 'Cal', user.assoc);
    add({ ...ada, email: 'ada@example.test' }, 'Ada', { manager: { id: managerId } });
  });
  stranger = testActor({ type: 'manager', managerId: another.managerId });
});
afterAll(() => database.close());

const USD = (sum: string) => ({ sum, currency: 'USD' });
const { result: RESULT } = calculateReference({
  assets: WORKED_CASE_ASSETS,
  tape: WORKED_CASE_TAPE,
  contract: transactionContractSchema.parse(WORKED_CASE_CONTRACT),
  catalog: assetCatalog(),
  facility: { currency: 'USD', balances: [USD('400')], commitments: [USD('700')] },
});

/** The borrowing base of the company, calculated again with other inputs. */
async function calculate(netBB = '689.53', company = 0): Promise<BorrowingBase> {
  const { tapeId } = tenant.companies[company]!;
  return asSystem(async (session) => {
    const { documents } = await listBorrowingBases(session, { filter: { loanTape: tapeId } });
    const { generationId, contractId } = documents[0]!;
    return saveBorrowingBase(session, {
      ...{ tapeId, generationId, contractId, currency: 'USD', netBB, firstBB: '700.00', resultKey: null },
      result: { ...RESULT, inputsHash: `${Math.random()}`, totals: { ...RESULT.totals, netBB: USD(netBB) } },
    });
  });
}

const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (found: unknown) => found,
  );
  if (!isRefusal(error)) throw error ?? new Error('nothing was refused');
  return `${error.code}: ${
    Object.entries(error.flags ?? {})
      .flat()
      .join(' ') || error.message
  }`;
};

const draft = (actor: Actor, baseId: string, lines: OwnLine[] | null = null) =>
  as(actor, (session) => saveCertificationDraft(session, { baseId, body: { lines } }));

const BROWSER = 'a'.repeat(43);
const client = (clientToken = BROWSER, now = TODAY) => ({ clientToken, address: '10.0.0.1', now, limitFactor: 100 });
const codeFor = async (actor: UserActor, id: string, now = TODAY) =>
  (await requestSigningCode(database.store, actor, { of: { id }, ...client(BROWSER, now) })).toSend!.code;
const submit = (actor: UserActor, { id, version }: { id: string; version: number }, code: string, more: object = {}) =>
  submitCertification(database.store, actor, {
    ...client(),
    of: { id },
    code,
    signature: { name: 'Bea Lind', title: 'CFO', version },
    origin: {} as never,
    ...more,
  });
const submitted = async (base: BorrowingBase, lines: OwnLine[] | null = null) => {
  const saved = await draft(borrower, base.id, lines);
  return submit(borrower, saved, await codeFor(borrower, saved.id));
};

const review = (actor: Actor, id: string) => as(actor, (session) => reviewCertification(session, { id }));
const SHA = 'ab'.repeat(32);
async function accept(actor: UserActor, id: string, { sha256 = SHA, verification = `${id}${'v'.repeat(19)}` } = {}) {
  const { version } = (await as(actor, (session) => requireAcceptable(session, { id }))).certification;
  const file = await as(actor, (session) =>
    registerFile(session, {
      ...{ bucket: 'capitalAccounts', name: 'certificate.pdf', size: 10, type: 'application/pdf' },
      companyId: borrower.companyId,
    }),
  );
  const seal = { verification, sha256, fileId: file.id, acceptedAt: TODAY };
  return as(actor, (session) => acceptCertification(session, { id }, { version, seal }));
}

const told = (kind: string) =>
  database.query<{ title: string; user: string; isOpen: boolean }>(
    `select title, user_id as "user", action_required as "isOpen" from notifications where kind = $1 order by id`,
    [kind],
  );

test('the borrower submits with a new code of its own, and with no other', async () => {
  const base = await calculate();
  const saved = await draft(borrower, base.id);
  const WRONG = 'badRequest: code is wrong or no longer valid';
  const code = await codeFor(borrower, saved.id);
  const wrong = code === '000000' ? '000001' : '000000';
  expect(await refusalOf(submit(borrower, saved, wrong))).toBe(WRONG);
  // Of a colleague, whose code this is not; and the colleague's, which is not this person's.
  expect(await refusalOf(submit(colleague, saved, code))).toBe(WRONG);
  expect(await refusalOf(submit(borrower, saved, await codeFor(colleague, saved.id)))).toBe(WRONG);
  // In another browser, or where none was requested.
  expect(await refusalOf(submit(borrower, saved, code, client('b'.repeat(43))))).toBe(WRONG);
  expect(await refusalOf(submit(borrower, saved, code, { clientToken: null }))).toBe(WRONG);
  // Ten minutes later it is too old; a second before it is not.
  const later = (seconds: number) => client(BROWSER, new Date(TODAY.getTime() + seconds * 1000));
  expect(await refusalOf(submit(borrower, saved, code, later(600)))).toBe(WRONG);
  // A code that signs in is no signature, and the code of another certificate neither.
  const other = await calculate('100.00', 1);
  const otherDraft = await draft(otherBorrower, other.id);
  expect(await refusalOf(submit(otherBorrower, otherDraft, code))).toBe(WRONG);
  await database.query(`update sign_in_codes set purpose = 'sign-in' where purpose = $1 and email = $2`, [
    `certification/${saved.id}`,
    borrower.email,
  ]);
  expect(await refusalOf(submit(borrower, saved, code))).toBe(WRONG);

  const again = await codeFor(borrower, saved.id);
  const signed = await submit(borrower, saved, again, later(599));
  expect(signed).toMatchObject({
    status: 'Submitted',
    signedName: 'Bea Lind',
    signedTitle: 'CFO',
    submittedBy: { id: borrower.userId },
    text: expect.stringContaining('certifies'),
  });
  // It works once, and what was submitted is not submitted again.
  expect(await refusalOf(submit(borrower, saved, again))).toContain('cannot go from Submitted to Submitted');
  expect(await told('certificateSubmitted')).toEqual([
    { title: expect.stringContaining('submitted: A company'), user: ada.userId, isOpen: true },
  ]);
});

test('a code ends after five wrong tries', async () => {
  const saved = await draft(borrower, (await calculate()).id);
  const code = await codeFor(borrower, saved.id);
  const wrong = code === '000000' ? '000001' : '000000';
  for (let tries = 0; tries < 5; tries += 1) await refusalOf(submit(borrower, saved, wrong));
  expect(await refusalOf(submit(borrower, saved, code))).toContain('is wrong');
  expect(await submit(borrower, saved, await codeFor(borrower, saved.id))).toMatchObject({ status: 'Submitted' });
});

test('the lender disputes lines with a reason, the borrower corrects them, and the correction supersedes', async () => {
  const base = await calculate();
  const lines = [
    { label: 'Pool', amount: '1200', line: 'relevant' },
    { label: 'Our base', amount: '700', line: 'netBB' },
  ];
  const first = await submitted(base, lines);
  expect(await refusalOf(as(ada, (s) => disputeCertification(s, { id: first.id }, { lines: [] })))).toContain(
    'cannot go from Submitted to Disputed',
  );
  await review(ada, first.id);
  const dispute = (line: string, more: { line: string; reason: string }[] = []) =>
    as(ada, (session) =>
      disputeCertification(session, { id: first.id }, { lines: [{ line, reason: 'Loan 6 is ineligible' }, ...more] }),
    );
  expect(await refusalOf(dispute('nothing'))).toBe('badRequest: lines.0.line is not a line of this certificate');
  expect(await refusalOf(dispute('netBB', [{ line: 'netBB', reason: 'once more' }]))).toBe(
    'badRequest: lines.1.line is named twice',
  );
  expect(await dispute('netBB')).toMatchObject({ status: 'Disputed', decidedBy: { id: ada.userId } });
  expect(await as(borrower, (session) => waitingCertificates(session, { limit: 5 }))).toMatchObject({
    certificates: [{ state: 'Disputed', baseId: base.id }],
    total: 1,
  });

  const second = await submitted(base, [lines[0]!, { ...lines[1]!, amount: '689.53' }]);
  expect(
    (await as(ada, (session) => listCertifications(session, base.id)))
      .map(({ number, status }) => [number, status])
      .slice(0, 2),
  ).toEqual([
    [second.number, 'Submitted'],
    [first.number, 'Superseded'],
  ]);
  // Next month, its lines are assigned as this month.
  const next = await calculate('650.00');
  expect(await as(borrower, (session) => namedLines(session, next))).toEqual([
    { label: 'Pool', line: 'relevant' },
    { label: 'Our base', line: 'netBB' },
  ]);
  expect(
    await as(borrower, (session) => assignedLines(session, next, [{ label: 'our base:', amount: '650' }])),
  ).toMatchObject([{ line: 'netBB' }]);
});

test('its figures have a net borrowing base, lines that exist and the decimals of the currency', async () => {
  const base = await calculate();
  const line = (amount: string, key: string | null) => [{ label: 'Line', amount, line: key }];
  expect(await refusalOf(draft(borrower, base.id, line('1.005', 'netBB')))).toBe(
    'badRequest: lines.0.amount must have at most 2 decimals',
  );
  expect(await refusalOf(draft(borrower, base.id, line('1', 'gone')))).toBe(
    'badRequest: lines.0.line is not a line of this certificate',
  );
  const without = await draft(borrower, base.id, line('1.00', null));
  expect(await refusalOf(codeFor(borrower, without.id))).toBe(
    'badRequest: Assign one of your lines to Net borrowing base',
  );
  const saved = await draft(borrower, base.id, line('1.00', 'netBB'));
  expect(saved.id).toBe(without.id);
  const code = await codeFor(borrower, saved.id);
  // The draft was changed after the code was requested: the person signs what they saw.
  expect(await refusalOf(submit(borrower, without, code))).toContain('version');
  expect(await submit(borrower, saved, code)).toMatchObject({ status: 'Submitted' });
});

test('nobody accepts their own submission, and a borrower accepts nothing', async () => {
  const base = await calculate();
  const { id } = await submitted(base);
  expect(await refusalOf(review(borrower, id))).toContain('forbidden: Only the lender decides');
  await review(ada, id);
  expect(await refusalOf(accept(borrower, id))).toContain('forbidden: Only the lender decides');
  expect(await refusalOf(draft(ada, base.id))).toContain('forbidden: Only the borrower submits');
  // A person of the borrower who works for the lender since.
  const mover = { ...ada, userId: borrower.userId };
  expect(await refusalOf(accept(mover, id))).toContain('You submitted this certificate, so someone else must decide');
  const decide = (actor: Actor, set: string) =>
    as(actor, (session) => session.query(`update certifications set ${set} where id = $1`, [id]));
  const sealed = `verification = repeat('x', 43), sha256 = repeat('a', 64), file_id = (select id from files limit 1)`;
  await expect(
    decide(ada, `status = 'Accepted', decided_by = submitted_by, decided_at = now(), ${sealed}`),
  ).rejects.toThrow('certifications_second');
  await expect(
    decide(borrower, `status = 'Accepted', decided_by = '{"id": "x"}', decided_at = now(), ${sealed}`),
  ).rejects.toThrow('only the lender decides');
  await expect(decide(ada, `status = 'Accepted', decided_by = '{"id": "x"}', decided_at = now()`)).rejects.toThrow(
    'certifications_sealed',
  );
  await expect(decide(ada, `lines = '[{"label": "x"}]', status = 'Disputed'`)).rejects.toThrow(
    'what was submitted stays',
  );
  await expect(decide(ada, `status = 'Draft'`)).rejects.toThrow('cannot go from');
  expect(await accept(ben, id)).toMatchObject({ status: 'Accepted', decidedBy: { id: ben.userId }, sha256: SHA });
  expect(await told('certificateDecided')).toContainEqual(
    expect.objectContaining({ title: expect.stringContaining('accepted'), user: borrower.userId }),
  );
  expect((await told('certificateSubmitted')).filter(({ isOpen }) => isOpen)).toEqual([]);
});

test('the accepted file is verified, another one is not, and an unknown address is answered the same', async () => {
  const { id } = await submitted(await calculate());
  await review(ada, id);
  const verification = 'w'.repeat(43);
  await accept(ada, id, { verification, sha256: 'cd'.repeat(32) });
  const verify = async (sha256: string, of = verification, limitFactor = 1) => {
    await countVerification(database.store, { address: '10.9.9.9', now: TODAY, limitFactor });
    return isAcceptedFile(database.store, { verification: of, sha256, now: TODAY });
  };
  expect(await verify('cd'.repeat(32))).toBe(true);
  expect(await verify(`${'cd'.repeat(31)}ce`)).toBe(false);
  expect(await verify('cd'.repeat(32), 'u'.repeat(43))).toBe(false);
  expect(await verify('0'.repeat(64), 'u'.repeat(43))).toBe(false);
  for (let calls = 4; calls < 30; calls += 1) await verify('cd'.repeat(32));
  expect(await refusalOf(verify('cd'.repeat(32)))).toContain('tooMany');

  // A later one that is accepted takes its place.
  const later = await submitted(await calculate('600.00'));
  await review(ada, later.id);
  await accept(ada, later.id);
  expect(await verify('cd'.repeat(32), verification, 100)).toBe(false);
});

test('a base that is calculated again is not accepted, and must be certified again', async () => {
  const first = await submitted(await calculate());
  await review(ada, first.id);
  const saved = await draft(borrower, (await calculate('640.00')).id);
  expect(await refusalOf(accept(ada, first.id))).toContain('The borrowing base was calculated again or adjusted');
  await calculate('630.00');
  expect(await refusalOf(codeFor(borrower, saved.id))).toContain('The borrowing base was calculated again or adjusted');
});

test('draws are checked against the accepted base if the contract says so, and against the latest one if not', async () => {
  const latest = await calculate('500.00');
  const checked = async () => {
    const { note, amounts } = await asSystem(async (session) => {
      const transaction = await getTransaction(session, latest.transactionId);
      const one = transaction.notes.find(({ id }) => id === latest.noteId)!;
      const { checks } = await runChecks(session, {
        request: {
          cutOffDate: '2026-12-01',
          dueDate: '2026-12-05',
          draws: [{ type: 'Regular', amounts: [USD('1')] }],
        },
        note: one,
        drawId: null,
        stage: 'Create',
      } as never);
      const rows = checks.flatMap((check) => check.rows);
      return {
        note: one,
        amounts: rows.filter(({ rule }) => rule === 'borrowingBase').map(({ measured }) => measured),
      };
    });
    const [utilization] = await as(ada, (session) =>
      utilizationOfNotes(session, [{ id: latest.transactionId, notes: [note] }], { withBases: true }),
    );
    const overview = await as(ada, (session) =>
      readNotesOverview(session, { withBases: true, limit: 50, exceptions: 5 } as never),
    );
    const shown = overview.notes.find(({ noteId }) => noteId === latest.noteId);
    return [amounts, utilization?.borrowingBase ?? null, shown?.borrowingBase ?? null];
  };
  const setting = (value: boolean | null) =>
    database.query(
      `update contracts set body = case when $2::boolean is null then body - 'certification'
         else body || jsonb_build_object('certification', jsonb_build_object('drawsUseAccepted', $2::boolean)) end where id = $1`,
      [latest.contractId, value],
    );
  await database.query(
    `update certifications set status = 'Superseded' where status in ('Accepted', 'Submitted', 'InReview', 'Disputed')`,
  );
  const byDefault = await checked();
  expect(byDefault).toEqual([['1'], latest.id, latest.id]);
  await setting(false);
  expect(await checked()).toEqual(byDefault);
  // Nothing is accepted yet: there is no base to draw against, which is missing data and not zero.
  await setting(true);
  expect(await checked()).toEqual([['0'], null, null]);
  const { id } = await submitted(latest);
  await review(ada, id);
  expect(await checked()).toEqual([['0'], null, null]);
  await accept(ada, id);
  expect(await checked()).toEqual([['1'], latest.id, latest.id]);
  // The accepted one stays, also after another calculation, until that is accepted.
  const next = await calculate('400.00');
  expect(await checked()).toEqual([['1'], latest.id, latest.id]);
  await setting(null);
  expect(await checked()).toEqual([['1'], next.id, next.id]);
});

test('others see nothing of it: another borrower, another lender, a blocked facility, and the lender no draft', async () => {
  await database.query(
    `update certifications set status = 'Superseded' where status in ('Accepted', 'Submitted', 'InReview', 'Disputed')`,
  );
  const base = await calculate();
  const { id } = await submitted(base);
  const hidden = await draft(borrower, base.id);
  const seen = (actor: Actor) =>
    as(actor, async (session) =>
      (await session.query<{ id: string }>('select id from certifications where id = any ($1)', [[id, hidden.id]])).map(
        (row) => row.id,
      ),
    );
  expect((await seen(borrower)).sort()).toEqual([id, hidden.id].sort());
  expect(await seen(ada)).toEqual([id]);
  for (const actor of [otherBorrower, stranger]) {
    expect(await seen(actor)).toEqual([]);
    expect(await refusalOf(as(actor, (session) => listCertifications(session, base.id)))).toContain('notFound');
    expect(await refusalOf(review(actor, id))).toMatch(actor === stranger ? 'notFound' : 'forbidden');
  }
  for (const blocked of [
    `transactions/${base.transactionId}`,
    `borrowingBases/${base.id}`,
    `companies/${base.companyId}`,
    `contracts/${base.contractId}`,
    `loanTapes/${base.tapeId}`,
  ]) {
    const narrowed = { ...ada, blockedDocuments: [blocked] };
    expect([blocked, await seen(narrowed)]).toEqual([blocked, []]);
    expect(await refusalOf(review(narrowed, id))).toContain('notFound');
    expect(await as(narrowed, (session) => waitingCertificates(session, { limit: 5 }))).toEqual({
      certificates: [],
      total: 0,
    });
  }
  expect(await as(ada, (session) => waitingCertificates(session, { limit: 5 }))).toMatchObject({
    certificates: [{ state: 'Submitted' }],
  });
  expect(certifiedLines(base.result).length).toBeGreaterThan(8);
});
