import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  type AccountRequestBody,
  type AccountRequestStatus,
  MAX_REQUESTS_A_DAY,
} from '@tapeline/domain/investors/account-request.schema.ts';
import type { AccountCheck } from '@tapeline/domain/investors/investor-record.schema.ts';
import { LETTER_FILES } from '@tapeline/domain/investors/letter-files.ts';
import { accountDecidedMail, accountWaitsMail, ownAccountWaitsMail } from '@tapeline/domain/mail/account-mails.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import { isOutsider } from '@tapeline/domain/people/actor.ts';
import { nameAgent } from '@tapeline/domain/people/device-name.ts';
import { openRequestRefusal } from '../../database-refusals.ts';
import { AccountRequest } from '../../entities/account-requests.ts';
import { Company, LP } from '../../entities/people.ts';
import type { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import { findDocuments, type ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { banksWith, putBank } from '../entities/entities.ts';
import { uploadedFile } from '../files/files.ts';
import { readableFile } from '../files/readable-files.ts';
import { changedMetadata, createdMetadata, storeChange } from '../metadata.ts';
import { completeAction } from '../notifications/notifications.ts';
import { tell, tellAll } from '../outbox/tell.ts';
import { requirePermission } from '../permission.ts';
import {
  actingPerson,
  type Bank,
  bankOf,
  confirmPayoutAccount,
  endingOf,
  fingerprintOf,
  getPayoutRequest,
  type PayoutRequest,
  type PayoutRow,
  payoutsSql,
  requireCall,
  waitingPayout,
} from './payout-accounts.ts';

/** An investor or a borrower, by its collection. */
export interface PaidParty {
  readonly kind: 'LPs' | 'companies';
  readonly id: string;
}

/** Requests that a page and a call show. */
const MAX_SHOWN = 50;
const DAY_MS = 86_400_000;

export const partyOf = ({ investorLPId, companyId }: AccountRequest): PaidParty =>
  investorLPId ? { kind: 'LPs', id: investorLPId } : { kind: 'companies', id: companyId! };

const columnOf = ({ kind, id }: PaidParty) => (kind === 'LPs' ? { investorLPId: id } : { companyId: id });

type Paid = Pick<LP | Company, 'managerId' | 'entityId' | 'payoutAccounts' | 'metadata'>;

/** The investor or the borrower of a request, which is not removed. @throws Refusal notFound */
async function findParty(session: Session, { kind, id }: PaidParty): Promise<{ paid: Paid; name: string }> {
  const found = { id, status: { $ne: 'Removed' } } as const;
  if (kind === 'LPs') {
    const investor = await session.em.findOne(LP, found);
    if (investor) return { paid: investor, name: investor.title };
  } else {
    const borrower = await session.em.findOne(Company, found);
    if (borrower) return { paid: borrower, name: borrower.name };
  }
  throw new Refusal('notFound');
}

/** @throws Refusal forbidden, with the message, for anyone but the users of investors and borrowers */
export function requireOwnSide(
  { actor }: Pick<ReadSession, 'actor'>,
  message = 'Only investors and borrowers request a different account. Choose it on the record instead',
): void {
  if (actor.kind !== 'user' || !isOutsider(actor.type)) throw new Refusal('forbidden', message);
}

/** A request as calls and pages show it. */
export const shownRequest = (request: AccountRequest) => ({
  id: request.id,
  status: request.status as AccountRequestStatus,
  currency: request.currency,
  account: request.bank.title,
  ending: endingOf(request.bank),
  comment: request.comment ?? null,
  letter: request.letterId ?? null,
  requestedBy: request.requestedBy.name,
  requestedAt: request.requestedAt.toISOString(),
  decidedBy: request.status === 'Withdrawn' ? null : (request.decidedBy?.name ?? null),
  decidedAt: request.decidedAt?.toISOString() ?? null,
  reason: request.reason ?? null,
});

/** The requests of an investor or a borrower that the actor can see: those that wait, then the latest. @throws Refusal notFound; forbidden */
export async function listAccountRequests(session: ReadSession, { kind, id }: PaidParty): Promise<AccountRequest[]> {
  requirePermission(session, `${kind}/read`);
  const [table, column] = kind === 'LPs' ? ['lps', 'investor_lp_id'] : ['companies', 'company_id'];
  const [party] = await session.query(`select 1 from ${table} where id = $1 and status <> 'Removed'`, [id]);
  if (!party) throw new Refusal('notFound');
  return findDocuments(
    session,
    AccountRequest,
    `where t.${column} = $1 order by t.status <> 'Requested', t.requested_at desc, t.id limit $2`,
    [id, MAX_SHOWN],
  );
}

/** The id of a file that the actor has just uploaded. From then on it belongs to the party, so the manager sees it. */
async function ownLetter(
  session: Session,
  keyOrId: string,
  { managerId, party }: { managerId: string; party: PaidParty },
): Promise<string> {
  const file = await uploadedFile(session, { bucket: LETTER_FILES.bucket, keyOrId }).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    return null;
  });
  const isOwn = file?.createdByUserId === actingPerson(session).id && file.lpId === null;
  if (!file || !isOwn) {
    throw new Refusal('badRequest', 'Upload the bank letter, then send its key', {
      flags: { letter: 'is not a file that you uploaded' },
    });
  }
  await asProgram(session, () =>
    session.query('update files set manager_id = $2, lp_id = $3, company_id = $4 where id = $1', [
      file.id,
      managerId,
      party.kind === 'LPs' ? party.id : null,
      party.kind === 'companies' ? party.id : null,
    ]),
  );
  return file.id;
}

/**
 * What the request is sent from. It is new if the user has sign-ins that are older than a day, as far as they are still kept,
 * and none of them is from such a device.
 */
async function deviceOf({ origin, now, query }: Session): Promise<Pick<AccountRequest, 'device' | 'isNewDevice'>> {
  if (!origin.agent) return { device: null, isNewDevice: null };
  const device = nameAgent(origin.agent).slice(0, MAX_DEVICE);
  const earlier = await query<{ agent: string | null }>(
    'select distinct agent from refresh_tokens where user_id = (select actor_user()) and signed_in_at < $1',
    [new Date(now.getTime() - DAY_MS)],
  );
  const isNewDevice =
    earlier.length === 0 ? null : earlier.every(({ agent }) => nameAgent(agent).slice(0, MAX_DEVICE) !== device);
  return { device, isNewDevice };
}
const MAX_DEVICE = 100;

/**
 * Asks that payments to the actor's investor or borrower in a currency go to another account. Nothing changes until
 * somebody of the manager accepts it; both sides are told.
 * @throws Refusal notFound; forbidden for the manager's people; badRequest if the account is paid to already, if another
 *   request in the currency waits, or after too many requests in a day
 */
export async function requestAccount(
  session: Session,
  { party, body }: { party: PaidParty; body: AccountRequestBody },
): Promise<AccountRequest> {
  requirePermission(session, `${party.kind}/read`);
  requireOwnSide(session);
  const { now } = session;
  const { paid, name } = await findParty(session, party);
  const [entity] = await session.query<{ banks: Bank[] }>('select banks from entities where id = $1', [paid.entityId]);
  banksWith(entity?.banks ?? [], body.bank);
  const { currency, bank, comment, letter } = body;
  const isPaid = paid.payoutAccounts.some(
    (one) => one.currency === currency && one.confirmedBy !== null && one.fingerprint === fingerprintOf(bank),
  );
  if (isPaid) throw new Refusal('badRequest', `${currency} payments already go to this account`);
  // Two requests at once count both.
  await session.query(`select pg_advisory_xact_lock(hashtextextended('account request/' || $1, 0))`, [party.id]);
  const earlier = await session.em.find(AccountRequest, {
    ...columnOf(party),
    $or: [{ status: 'Requested' }, { requestedAt: { $gt: new Date(now.getTime() - DAY_MS) } }],
  });
  if (earlier.some((one) => one.status === 'Requested' && one.currency === currency)) throw openRequestRefusal();
  if (earlier.length >= MAX_REQUESTS_A_DAY) {
    throw new Refusal(
      'tooMany',
      `You can request a different account up to ${MAX_REQUESTS_A_DAY} times a day. Call your manager instead`,
    );
  }
  const request = session.em.create(AccountRequest, {
    id: newId(now),
    managerId: paid.managerId,
    ...columnOf(party),
    currency,
    bank,
    comment: comment || null,
    letterId: letter ? await ownLetter(session, letter, { managerId: paid.managerId, party }) : null,
    ...(await deviceOf(session)),
    requestedBy: actingPerson(session),
    requestedAt: now,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  await tellOfRequest(session, request, name);
  return request;
}

const mailed = (request: AccountRequest, party: string) => ({
  id: request.id,
  party,
  currency: request.currency,
  by: request.requestedBy.name,
});

const pageOf = ({ kind, id }: PaidParty): string =>
  `${kind === 'LPs' ? MAIL_PAGES.investor(id) : MAIL_PAGES.company(id)}?view=details`;

/** A party can have a request in each currency. Each is told, and done, by itself. */
const waitsKey = ({ id }: AccountRequest): string => `account-waits/${id}`;

async function tellOfRequest(session: Session, request: AccountRequest, party: string): Promise<void> {
  const { kind, id } = partyOf(request);
  const about = { resource: kind, documentId: id } as const;
  const mail = mailed(request, party);
  await tellAll(session, [
    {
      ...accountWaitsMail(mail),
      ...about,
      kind: 'accountWaits',
      key: waitsKey(request),
      to: { manager: request.managerId, can: 'entities/write' },
    },
    {
      ...ownAccountWaitsMail(mail, pageOf({ kind, id }), 'Open your bank accounts'),
      ...about,
      kind: 'bankDetailsChanged',
      key: `account-asked/${request.id}`,
      to:
        kind === 'LPs'
          ? { LP: id, ofManager: request.managerId, can: 'LPs/read' }
          : { company: id, can: 'companies/read' },
    },
  ]);
}

/** A request by its id, and whose it must be if the caller names the party. */
export interface RequestOf {
  readonly id: string;
  readonly of?: PaidParty;
}

/** A request that the actor can see, locked until the transaction ends. @throws Refusal notFound; badRequest if it is decided */
async function openRequest(session: Session, { id, of }: RequestOf): Promise<AccountRequest> {
  await session.query('select 1 from account_requests where id = $1 for update', [id]);
  const request = await session.em.findOne(AccountRequest, { id, ...(of && columnOf(of)) }, { refresh: true });
  if (!request) throw new Refusal('notFound');
  if (request.status !== 'Requested') {
    throw new Refusal('badRequest', `This request was already ${request.status.toLowerCase()}. Reload the page`);
  }
  return request;
}

async function decided(
  session: Session,
  request: AccountRequest,
  fields: Pick<AccountRequest, 'status'> & { reason?: string },
): Promise<void> {
  await storeChange(session, request, {
    ...fields,
    decidedBy: actingPerson(session),
    decidedAt: session.now,
  });
  const { kind, id } = partyOf(request);
  const key = waitsKey(request);
  await completeAction(session, { resource: kind, documentIds: [id], kinds: ['accountWaits'], key });
}

/** For somebody of the manager who may see account numbers and change the party. */
async function requestToDecide(session: Session, wanted: RequestOf) {
  requirePermission(session, 'entities/write');
  const request = await openRequest(session, wanted);
  const party = partyOf(request);
  requirePermission(session, `${party.kind}/write`);
  if (request.requestedBy.id === actingPerson(session).id) {
    throw new Refusal('badRequest', 'You requested this account, so someone else must decide');
  }
  return { request, ...(await findParty(session, party)) };
}

/** Whoever invited a user of the party could ask in its name, and accept it alone. */
async function requireNotInvited(session: Session, { requestedBy }: AccountRequest): Promise<void> {
  const [invited] = await asProgram(session, () =>
    session.query(`select 1 from users where id = $1 and metadata #>> '{createdBy,entity,id}' = $2`, [
      requestedBy.id,
      actingPerson(session).id,
    ]),
  );
  if (invited)
    throw new Refusal('badRequest', 'You invited the user who requested this account, so someone else must accept it');
}

async function tellWhoAsked(session: Session, request: AccountRequest, name: string): Promise<void> {
  const party = partyOf(request);
  const { decidedBy, reason = null, requestedBy } = request;
  await tell(session, {
    ...accountDecidedMail(mailed(request, name), { by: decidedBy?.name ?? '', reason }, pageOf(party)),
    resource: party.kind,
    documentId: party.id,
    kind: 'accountDecided',
    level: reason === null ? 'info' : 'warning',
    key: `account-decided/${request.id}`,
    to: { users: [requestedBy.id] },
  });
}

/**
 * Accepts a request: the account is added to the entity, or takes the place of the one with its title, and payments in the
 * currency go to it. Who accepts is the second person, and says how they checked it.
 * @throws Refusal notFound; forbidden without `entities/write` and `LPs/write` or `companies/write`; badRequest for a
 *   request that is decided, or if the entity has no room for another account
 */
export async function acceptAccountRequest(
  session: Session,
  { check, ...wanted }: RequestOf & { readonly check: AccountCheck },
): Promise<AccountRequest> {
  const { request, paid, name } = await requestToDecide(session, wanted);
  await requireNotInvited(session, request);
  requireCall(session, check, request.requestedAt.toISOString());
  const { currency, bank, requestedBy, requestedAt } = request;
  await putBank(session, { id: paid.entityId, bank });
  const confirmed = {
    // The account keeps the id of its request: in Approvals, both are one.
    ...waitingPayout(bank, { id: request.id, currency, chosenBy: requestedBy, at: requestedAt }),
    confirmedBy: actingPerson(session),
    confirmedAt: session.now.toISOString(),
    check,
  };
  paid.payoutAccounts = [...paid.payoutAccounts.filter((one) => one.currency !== currency), confirmed];
  paid.metadata = changedMetadata(session, paid.metadata);
  await decided(session, request, { status: 'Accepted' });
  await tellWhoAsked(session, request, name);
  return request;
}

/** Declines a request, with a reason that whoever asked is told. @throws Refusal as `acceptAccountRequest` */
export async function declineAccountRequest(
  session: Session,
  { reason, ...wanted }: RequestOf & { readonly reason: string },
): Promise<AccountRequest> {
  const { request, name } = await requestToDecide(session, wanted);
  await decided(session, request, { status: 'Declined', reason });
  await tellWhoAsked(session, request, name);
  return request;
}

/** Takes a request back. @throws Refusal notFound; forbidden for the manager's people; badRequest for one that is decided */
export async function withdrawAccountRequest(session: Session, wanted: RequestOf): Promise<AccountRequest> {
  const request = await openRequest(session, wanted);
  const { kind } = partyOf(request);
  requirePermission(session, `${kind}/read`);
  requireOwnSide(session, 'Only the investor or the borrower can withdraw its request. Decline it instead');
  await decided(session, request, { status: 'Withdrawn' });
  return request;
}

/** A pay-out account that waits or was decided, or the request for one, with what is paid to until then. */
export interface AccountApproval extends PayoutRequest {
  /** Of a request; null for an account that the manager's people chose. */
  readonly request:
    | (Pick<AccountRequest, 'status' | 'comment' | 'reason' | 'device' | 'isNewDevice'> & {
        readonly letter: StoredFile | null;
      })
    | null;
  /** The account that payments go to now, of a request; null if there is none. */
  readonly onFile: { readonly bank: Bank; readonly confirmedAt: string | null } | null;
  /** Of the entity, whom a person may call back. */
  readonly contacts: readonly KnownContact[];
}

interface KnownContact {
  readonly name: string;
  readonly phone: string | null;
}

const contactsOf = ({ query }: ReadSession, { kind, id }: PaidParty): Promise<KnownContact[]> =>
  query<KnownContact & Record<string, unknown>>(
    `select contact ->> 'name' as name, contact ->> 'phone' as phone
     from ${kind.toLowerCase()} p join entities e on e.id = p.entity_id cross join lateral jsonb_array_elements(e.contacts) as contact
     where p.id = $1`,
    [id],
  );

/** What the approvals show of an account, by its id. @throws Refusal notFound; forbidden as `getPayoutRequest` */
export async function getAccountApproval(session: Session, id: string): Promise<AccountApproval> {
  requirePermission(session, 'entities/write');
  const [request] = await findDocuments(session, AccountRequest, `where t.id = $1 and t.status <> 'Accepted'`, [id]);
  if (!request) {
    const found = await getPayoutRequest(session, id);
    return { ...found, request: null, onFile: null, contacts: await contactsOf(session, found.party) };
  }
  const party = partyOf(request);
  const [row] = await session.query<PayoutRow & Record<string, unknown>>(payoutsSql(party.kind, 'p.id = $1'), [
    party.id,
  ]);
  if (!row) throw new Refusal('notFound');
  const { bank, currency, requestedBy, requestedAt } = request;
  const now = row.payouts.find((one) => one.currency === currency && one.confirmedBy !== null);
  const onFile = now && bankOf(row.banks, now);
  return {
    party: row.party,
    payout: waitingPayout(bank, { id, currency, chosenBy: requestedBy, at: requestedAt }),
    bank,
    request: { ...request, letter: request.letterId ? await readableFile(session, request.letterId) : null },
    onFile: onFile ? { bank: onFile, confirmedAt: now.confirmedAt } : null,
    contacts: await contactsOf(session, party),
  };
}

/** Confirms a pay-out account, or accepts the request for one, by its id. @throws Refusal as these two */
export async function confirmAccount(session: Session, command: { id: string; check: AccountCheck }): Promise<void> {
  if ((await session.em.count(AccountRequest, { id: command.id, status: { $ne: 'Accepted' } })) > 0) {
    await acceptAccountRequest(session, command);
  } else await confirmPayoutAccount(session, command);
}
