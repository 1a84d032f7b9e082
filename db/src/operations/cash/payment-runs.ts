import { createHash } from 'node:crypto';
import {
  type PaymentFile,
  paymentProblems,
  writePaymentFile,
} from '@tapeline/domain/cash/payment-files/payment-file.ts';
import type { PaymentInstruction, PaymentOrder } from '@tapeline/domain/cash/payment-files/payment-order.ts';
import type { PayableKind, PaymentState } from '@tapeline/domain/cash/payment-runs/kinds.ts';
import type { PaymentRunCreate } from '@tapeline/domain/cash/payment-runs/payment-run.schema.ts';
import { PAYMENT_RUN_TRANSITIONS } from '@tapeline/domain/cash/payment-runs/states.ts';
import { Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { compare, type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';
import { changedBy } from '../../changed-by.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { PaymentRun, type RunFile } from '../../entities/payment-runs.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { changedMetadata, createdMetadata, storeChange } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { lockDocumentsOfCash, reverseAllocations } from './cash-locks.ts';
import { blockText, type Payable, payablesOf, readPayingAccount } from './payables.ts';
import { personOf, tellOfDecision, tellOfWaiting } from './tell-of-runs.ts';

export const PAYMENT_RUNS = listOf('paymentRuns', {
  'bankAccount.title': '(select b.title from bank_accounts b where b.id = t.bank_account_id)',
});

/** A payment of a run. */
export interface RunLine {
  readonly place: number;
  readonly kind: PayableKind;
  readonly id: string;
  readonly payee: PaymentInstruction['payee'];
  /** The last characters of the account's number. */
  readonly ending: string;
  readonly fingerprint: string;
  readonly amount: DecimalText;
  readonly reference: string;
  readonly purpose: string;
  readonly state: PaymentState;
  readonly returnReason: string | null;
}

/** A payment run with its payments. */
export type RunView = PaymentRun & {
  readonly bankAccountTitle: string;
  /** Whether two people must release it. */
  readonly needsTwo: boolean;
  readonly lines: readonly RunLine[];
};

const FACTS = `select page.id, b.title as "bankAccountTitle",
    needs_second_person(m.second_person -> 'payments', page.total, page.currency) as "needsTwo"
  from page join bank_accounts b on b.id = page.bank_account_id join managers m on m.id = page.manager_id`;

const LINES = `select l.run_id as "runId", l.place, l.kind, l.document_id as id, l.payee, right(coalesce(l.payee ->> 'iban', l.payee ->> 'accountNumber'), 4) as ending, l.fingerprint, l.amount::text as amount,
    l.reference, l.purpose, l.return_reason as "returnReason",
    case when page.status = 'Withdrawn' then 'withdrawn' when l.returned is not null then 'returned' when page.status = 'Prepared' then 'prepared'
      when o.open <= 0 then 'paid' else 'sent' end as state
  from page join payment_run_lines l on l.run_id = page.id
    left join obligations o on o.kind = l.kind and o.document_id = l.document_id and o.currency = l.currency
  order by l.run_id, l.place`;

type Line = Pick<RunLine, keyof RunLine> & { readonly runId: string };

export const { list: listPaymentRuns, one: viewRun } = viewsOf(
  PAYMENT_RUNS,
  [FACTS, LINES],
  (runs, [facts = [], lines = []]): RunView[] => {
    const known = new Map(
      (facts as Pick<RunView, 'id' | 'bankAccountTitle' | 'needsTwo'>[]).map((row) => [row.id, row]),
    );
    const linesOf = Map.groupBy(lines as Line[], ({ runId }) => runId);
    return runs.map((run) => ({
      ...run,
      bankAccountTitle: known.get(run.id)?.bankAccountTitle ?? '',
      needsTwo: known.get(run.id)?.needsTwo ?? false,
      lines: linesOf.get(run.id) ?? [],
    }));
  },
);

/** A payment run that the actor can see. @throws Refusal notFound */
export const getPaymentRun = async (session: Session, id: string): Promise<RunView> =>
  viewRun(session, await getDocument(session, PAYMENT_RUNS, id));

/** What the bank is asked to do. It depends on nothing but what was prepared, so the file is always the same. */
const orderOf = (
  run: Pick<PaymentRun, 'id' | 'metadata' | 'executeOn' | 'currency' | 'payer'>,
  lines: readonly Pick<RunLine, 'reference' | 'amount' | 'payee' | 'purpose'>[],
): PaymentOrder => ({
  id: `TL-${run.id}`,
  createdAt: run.metadata.iat,
  executeOn: run.executeOn,
  currency: run.currency,
  payer: run.payer,
  payments: lines.map(({ reference, amount, payee, purpose }) => ({ reference, amount, payee, purpose })),
});

/** A refusal that names every payee with a problem, at the first of them. */
function refuseProblems(what: string, problems: readonly { index: number | null; text: string }[]): void {
  if (problems.length === 0) return;
  refuse(
    `${what}. ${problems.map(({ text }) => text).join('. ')}`,
    Object.fromEntries(problems.map(({ index, text }) => [index === null ? 'payables' : `payables.${index}`, text])),
  );
}

/**
 * Prepares a run: copies what is owed and the confirmed account of each payee. Somebody else releases it.
 * @throws Refusal forbidden without `payments/write`; notFound for the bank account; badRequest for a day in the past, for
 *   what is not owed, is on hold, has no account or is in another run, and for what the bank would refuse
 */
export async function preparePaymentRun(session: Session, body: PaymentRunCreate): Promise<RunView> {
  requirePermission(session, 'payments/write');
  if (body.executeOn < todayOf(session)) {
    refuse('The bank cannot pay on a day in the past', { executeOn: 'must not be in the past' });
  }
  const account = await readPayingAccount(session, body.bankAccount);
  const owed = new Map((await payablesOf(session, account)).map((one) => [`${one.kind} ${one.id}`, one]));
  const chosen = body.payables.map(({ kind, id }, index) => {
    const payable = owed.get(`${kind} ${id}`);
    return payable ?? refuse('One of the payments is no longer owed', { [`payables.${index}`]: 'is not owed' });
  });
  refuseProblems(
    'Nothing was prepared',
    chosen.flatMap((payable, index) => (payable.block ? [{ index, text: blockText(payable) }] : [])),
  );
  const payer = { ...account.payer, originator: body.originator ?? null };
  const id = newId(session.now);
  const metadata = createdMetadata(session);
  const lines = chosen.map((payable) => ({ ...payable, payee: payable.account!.payee }));
  const run = { id, metadata, executeOn: body.executeOn, currency: account.currency, payer };
  refuseProblems('Nothing was prepared', paymentProblems(body.format, orderOf(run, lines)));
  await insertLines(session, id, account.managerId, chosen);
  const stored = session.em.create(PaymentRun, {
    ...run,
    status: 'Prepared',
    managerId: account.managerId,
    bankAccountId: account.id,
    format: body.format,
    originator: payer.originator,
    total: sum(chosen.map(({ amount }) => amount)),
    count: chosen.length,
    prepared: changedBy(session),
    firstReleased: null,
    released: null,
    withdrawn: null,
    withdrawalReason: null,
    file: null,
  });
  await session.em.flush();
  const prepared = await viewRun(session, stored);
  await tellOfWaiting(session, prepared);
  return prepared;
}

/** What is in another open run already was chosen by two people at once. */
async function insertLines(
  session: Session,
  runId: string,
  managerId: string,
  chosen: readonly Payable[],
): Promise<void> {
  await lockDocumentsOfCash(
    session,
    chosen.map(({ id }) => id),
  );
  await session.query(
    `insert into payment_run_lines (run_id, manager_id, place, kind, document_id, fund_id, investor_lp_id, company_id, transaction_id,
       currency, amount, reference, purpose, payee, fingerprint)
     select $1, $2, place - 1, one ->> 'kind', one ->> 'id', one ->> 'fundId', one ->> 'lpId', one ->> 'companyId', one ->> 'transactionId',
       one ->> 'currency', (one ->> 'amount')::numeric, one ->> 'reference', one ->> 'purpose', one #> '{account,payee}', one #>> '{account,fingerprint}'
     from jsonb_array_elements($3) with ordinality as entries (one, place)`,
    [runId, managerId, JSON.stringify(chosen)],
  );
}

/** A run that is locked until the transaction ends. @throws Refusal notFound; badRequest if stale */
async function lockRun(session: Session, { id, version }: { id: string; version: number }): Promise<RunView> {
  await session.query('select from payment_runs where id = $1 for update', [id]);
  const run = await getPaymentRun(session, id);
  if (run.version !== version) throw staleRefusal(run, version);
  return run;
}

const userOf = ({ actor }: Pick<Session, 'actor'>): string | null => (actor.kind === 'user' ? actor.userId : null);

/** How it stands with a run for a person who looks at it. */
function stepsOf(
  session: Pick<Session, 'actor'>,
  run: Pick<RunView, 'status' | 'needsTwo' | 'prepared' | 'firstReleased'>,
) {
  const person = userOf(session);
  const isOpen = run.status === 'Prepared';
  return {
    isOwn: person !== null && personOf(run.prepared) === person,
    /** Whether the actor has released it as the first of two people. */
    hasReleased: isOpen && person !== null && personOf(run.firstReleased) === person,
    /** Whether the next release is the first of two. */
    isFirst: isOpen && run.needsTwo && run.firstReleased == null,
  };
}

/** What changed since the run was prepared, by payment. */
async function changesSince(session: Session, run: RunView): Promise<{ index: number | null; text: string }[]> {
  const account = await readPayingAccount(session, run.bankAccountId);
  const { originator, ...payer } = run.payer;
  const problems: { index: number | null; text: string }[] = [];
  if (JSON.stringify(sorted(account.payer)) !== JSON.stringify(sorted(payer))) {
    problems.push({ index: null, text: `${account.title}: the account was changed since` });
  }
  const owed = new Map((await payablesOf(session, account)).map((one) => [`${one.kind} ${one.id}`, one]));
  for (const [index, line] of run.lines.entries()) {
    const now = owed.get(`${line.kind} ${line.id}`);
    const say = (text: string) => problems.push({ index, text: `${line.payee.name}: ${text}` });
    if (!now) say('this is no longer owed');
    else if (compare(now.amount, line.amount) !== 0) say('another amount is owed now');
    else if (now.account === null && now.ending !== null) {
      say('the bank details were changed and are on hold until a second person confirms them');
    } else if (now.account === null) say('there are no bank details any more');
    else if (
      now.account.fingerprint !== line.fingerprint ||
      JSON.stringify(sorted(now.account.payee)) !== JSON.stringify(sorted(line.payee))
    ) {
      say('the bank details were changed since');
    }
  }
  return problems;
}

const sorted = (record: object) => Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));

/** A run with how it stands for the actor, and why it cannot be released now. */
export async function reviewPaymentRun(session: Session, id: string) {
  const run = await getPaymentRun(session, id);
  const problems = run.status === 'Prepared' ? await changesSince(session, run) : [];
  return { run, ...stepsOf(session, run), problems: problems.map(({ text }) => text) };
}

/** The file that a release writes, and where. */
export interface FileToRelease {
  readonly file: RunFile;
  readonly bytes: Buffer;
}

function fileToWrite(run: RunView): FileToRelease {
  const written: PaymentFile = writePaymentFile(run.format, orderOf(run, run.lines));
  const bytes = Buffer.from(written.text, 'utf8');
  const checksum = createHash('sha256').update(bytes).digest('hex');
  const { name, type } = written;
  return { file: { key: `paymentRuns/${run.id}/${checksum}`, name, type, size: bytes.length, checksum }, bytes };
}

/** @throws Refusal as `releasePaymentRun` does */
async function requireRelease(session: Session, run: RunView): Promise<{ isFirst: boolean }> {
  requirePermission(session, 'payments/release');
  PAYMENT_RUN_TRANSITIONS.require(run.status, 'Released');
  const { isOwn, hasReleased, isFirst } = stepsOf(session, run);
  if (isOwn || userOf(session) === null) {
    throw new Refusal('forbidden', 'You prepared this run, so somebody else must release it');
  }
  if (hasReleased)
    throw new Refusal('forbidden', 'You have released this run already. A second person must release it too');
  const problems = await changesSince(session, run);
  if (problems.length > 0) {
    throw new Refusal(
      'badRequest',
      `${problems.map(({ text }) => text).join('. ')}. Withdraw the run and prepare it again`,
      {
        flags: Object.fromEntries(
          problems.map(({ index, text }) => [index === null ? 'bankAccount' : `payments.${index}`, text]),
        ),
      },
    );
  }
  return { isFirst };
}

/**
 * The file that the actor's release writes; null for the first of two releases.
 * @throws Refusal as `releasePaymentRun` does
 */
export async function fileToRelease(
  session: Session,
  command: { id: string; version: number },
): Promise<FileToRelease | null> {
  const run = await lockRun(session, command);
  const { isFirst } = await requireRelease(session, run);
  return isFirst ? null : fileToWrite(run);
}

/**
 * Releases a run, or notes the first of two releases. Its file is in the object storage already.
 * @throws Refusal notFound; forbidden without `payments/release`, for who prepared it and for who released it first; badRequest
 *   if stale, if the run is not Prepared, and if an account or what is owed was changed since
 */
export async function releasePaymentRun(session: Session, command: { id: string; version: number }): Promise<RunView> {
  const seen = await lockRun(session, command);
  const { isFirst } = await requireRelease(session, seen);
  const run = await session.em.findOneOrFail(PaymentRun, { id: command.id });
  const by = changedBy(session);
  if (isFirst) run.firstReleased = by;
  else {
    run.status = PAYMENT_RUN_TRANSITIONS.enter(run.status, 'Released');
    run.released = by;
    run.file = fileToWrite(seen).file;
  }
  run.metadata = changedMetadata(session, run.metadata);
  await session.em.flush();
  const released = await viewRun(session, run);
  await (isFirst ? tellOfWaiting(session, released) : tellOfDecision(session, released, { as: 'released' }));
  return released;
}

/**
 * Withdraws a run that is not released, so that its payments can be chosen again.
 * @throws Refusal notFound; forbidden without `payments/write`; badRequest if stale or not Prepared
 */
export async function withdrawPaymentRun(
  session: Session,
  { reason, ...command }: { id: string; version: number; reason: string },
): Promise<RunView> {
  requirePermission(session, 'payments/write');
  const seen = await lockRun(session, command);
  PAYMENT_RUN_TRANSITIONS.require(seen.status, 'Withdrawn', 'its file may be with the bank. Record returned payments');
  const run = await session.em.findOneOrFail(PaymentRun, { id: command.id });
  await storeChange(session, run, { status: 'Withdrawn', withdrawn: changedBy(session), withdrawalReason: reason });
  const withdrawn = await viewRun(session, run);
  await tellOfDecision(session, withdrawn, { as: 'withdrawn', reason });
  return withdrawn;
}

/**
 * The file of a released run, which is the same each time; the history records each download.
 * @throws Refusal notFound, also for a run without a file; forbidden without `payments/release`
 */
export async function downloadedFile(session: Session, id: string): Promise<RunFile> {
  requirePermission(session, 'payments/release');
  const run = await getDocument(session, PAYMENT_RUNS, id);
  if (run.file == null) throw new Refusal('notFound', 'A payment run has a file once it is released');
  await session.query('update payment_runs set downloads = downloads + 1 where id = $1', [id]);
  return run.file;
}

/** The allocations by which a payment of a run was made: from its account, after its release, up to its amount, the newest first. */
const PAID_BY_LINE = `
  select id from (
    select a.id, l.amount, sum(a.amount) over (order by a.created_at desc, a.id desc) as until
    from payment_run_lines l join payment_runs r on r.id = l.run_id
      join allocations a on a.obligation_kind = l.kind and a.document_id = l.document_id and a.currency = l.currency
      join payments p on p.id = a.payment_id
    where l.run_id = $1 and l.place = $2 and a.reversed_at is null and p.bank_account_id = r.bank_account_id
      and a.created_at >= r.released_at) as made
  where until <= amount`;

/**
 * Records that the bank sent a payment back: what it paid is owed again, and can be chosen for another run.
 * @throws Refusal notFound, also for a payment that is none of the run; forbidden without `payments/write`; badRequest if stale,
 *   if the run is not released, and for a payment that was returned before
 */
export async function returnPayment(
  session: Session,
  { place, reason, ...command }: { id: string; version: number; place: number; reason: string },
): Promise<RunView> {
  requirePermission(session, 'payments/write');
  const seen = await lockRun(session, command);
  const line = seen.lines.find((one) => one.place === place);
  if (!line) throw new Refusal('notFound');
  if (line.state !== 'sent' && line.state !== 'paid') {
    refuse('Only a payment of a released run can come back, and only once', { payments: 'was not sent' });
  }
  await lockDocumentsOfCash(session, [line.id]);
  const made = await session.query<{ id: string }>(PAID_BY_LINE, [seen.id, place]);
  await reverseAllocations(
    session,
    made.map(({ id }) => id),
    reason,
  );
  await session.query(
    `update payment_run_lines set is_open = false, returned = change_author(), return_reason = $3 where run_id = $1 and place = $2`,
    [seen.id, place, reason],
  );
  const run = await session.em.findOneOrFail(PaymentRun, { id: seen.id });
  run.returns += 1;
  run.metadata = changedMetadata(session, run.metadata);
  await session.em.flush();
  const returned = await viewRun(session, run);
  await tellOfDecision(session, returned, { as: 'returned', reason: `${line.payee.name}: ${reason}` });
  return returned;
}

/** What the bank called the payer in the latest NACHA file from an account; null if there is none. */
export async function lastOriginator(session: ReadSession, bankAccountId: string): Promise<string | null> {
  const [row] = await session.query<{ originator: string }>(
    'select originator from payment_runs where bank_account_id = $1 and originator is not null order by code desc limit 1',
    [bankAccountId],
  );
  return row?.originator ?? null;
}
