import { createHash } from 'node:crypto';
import { calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  type AccountCheck,
  accountCheckText,
  type PayoutAccount,
  type PayoutState,
} from '@tapeline/domain/investors/investor-record.schema.ts';
import { Company, LP } from '../../entities/people.ts';
import type { LegalEntity } from '../../entities/register.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { changedMetadata, storeChange } from '../metadata.ts';
import { refuseBorrower, requirePermission } from '../permission.ts';

export type Bank = LegalEntity['banks'][number];

/** Characters of an account number that notices and screens state. */
const ENDING = 4;

export const endingOf = ({ accountNumber, IBAN }: Bank): string => (IBAN || accountNumber).slice(-ENDING);

/** An account that was written differently is the same account: missing and empty fields are equal. */
export const fingerprintOf = (bank: Bank): string => {
  const fields = Object.entries(bank).filter(([, value]) => value != null && value !== '');
  return createHash('sha256')
    .update(JSON.stringify(fields.sort(([one], [other]) => (one < other ? -1 : 1))))
    .digest('hex');
};

export const actingPerson = ({ actor }: Pick<ReadSession, 'actor'>): PayoutAccount['chosenBy'] =>
  actor.kind === 'user'
    ? { id: actor.userId, name: `${actor.firstName} ${actor.lastName}` }
    : { id: 'system', name: 'The system' };

/** An account that waits for a second person. */
export const waitingPayout = (
  bank: Bank,
  { at, ...chosen }: Pick<PayoutAccount, 'id' | 'currency' | 'chosenBy'> & { readonly at: Date },
): PayoutAccount => ({
  ...chosen,
  account: bank.title,
  ending: endingOf(bank),
  fingerprint: fingerprintOf(bank),
  chosenAt: at.toISOString(),
  confirmedBy: null,
  confirmedAt: null,
  check: null,
});

/**
 * The pay-out accounts of an investor whose entity has these accounts. One that stays the same keeps its confirmation;
 * one that is new or differs waits for a second person.
 * @throws Refusal badRequest for a title that is not exactly one account of the entity
 */
export function choosePayoutAccounts(
  session: Session,
  banks: readonly Bank[],
  wanted: readonly Pick<PayoutAccount, 'currency' | 'account'>[],
  before: readonly PayoutAccount[] = [],
): PayoutAccount[] {
  return wanted.map(({ currency, account }, index) => {
    const [bank, other] = banks.filter(({ title }) => title === account);
    if (!bank || other) {
      throw new Refusal('badRequest', 'Choose one of the bank accounts of the entity', {
        flags: {
          [`payoutAccounts.${index}.account`]: bank
            ? 'is the title of two bank accounts: rename one'
            : 'is not the title of a bank account of the entity',
        },
      });
    }
    const same = before.find((one) => one.currency === currency && one.fingerprint === fingerprintOf(bank));
    const { now } = session;
    return same ?? waitingPayout(bank, { id: newId(now), currency, chosenBy: actingPerson(session), at: now });
  });
}

/**
 * Chooses the account of a borrower's entity that draws in a currency are paid to. It waits for a second person.
 * @throws Refusal forbidden without `companies/write`; notFound; badRequest for a title that is not one account
 */
export async function chooseBorrowerAccount(
  session: Session,
  { id, ...wanted }: { id: string } & Pick<PayoutAccount, 'currency' | 'account'>,
): Promise<void> {
  requirePermission(session, 'companies/write');
  refuseBorrower(session, 'The lender chooses where draws are paid to');
  const company = await session.em.findOne(Company, { id, status: { $ne: 'Removed' } });
  if (!company) throw new Refusal('notFound');
  const [entity] = await session.query<{ banks: Bank[] }>('select banks from entities where id = $1', [
    company.entityId,
  ]);
  const before = company.payoutAccounts;
  const others = before.filter(({ currency }) => currency !== wanted.currency);
  await storeChange(session, company, {
    payoutAccounts: [...others, ...choosePayoutAccounts(session, entity?.banks ?? [], [wanted], before)],
  });
}

/**
 * The accounts of an entity were changed: for each investor and borrower that it is, those that are paid to wait for a
 * second person again, and those that are no longer there are not paid.
 */
export async function holdChangedPayouts(session: Session, { id, banks }: Pick<LegalEntity, 'id' | 'banks'>) {
  const by = actingPerson(session);
  await asProgram(session, async () => {
    const parties = [
      ...(await session.em.find(LP, { entityId: id, status: { $ne: 'Removed' } })),
      ...(await session.em.find(Company, { entityId: id, status: { $ne: 'Removed' } })),
    ];
    for (const party of parties) {
      const kept = party.payoutAccounts.filter(
        ({ account }) => banks.filter(({ title }) => title === account).length === 1,
      );
      const after = choosePayoutAccounts(session, banks, kept, kept).map((one) =>
        kept.includes(one) ? one : { ...one, chosenBy: by },
      );
      if (after.length === party.payoutAccounts.length && after.every((one) => kept.includes(one))) continue;
      party.payoutAccounts = after;
      party.metadata = changedMetadata(session, party.metadata);
    }
    await session.em.flush();
  });
}

export const payoutStateOf = ({ confirmedBy }: Pick<PayoutAccount, 'confirmedBy'>): PayoutState =>
  confirmedBy === null ? 'waiting' : 'confirmed';

/** A pay-out account as calls and pages show it. */
export const shownPayout = (payout: PayoutAccount) => ({
  ...pick(payout, 'id', 'currency', 'account', 'ending'),
  check: accountCheckText(payout.check),
  state: payoutStateOf(payout),
  chosenBy: payout.chosenBy.name,
  confirmedBy: payout.confirmedBy?.name ?? null,
});

/** A pay-out account with its investor or borrower and the entity's account, for whoever decides about it. */
export interface PayoutRequest {
  readonly party: { readonly kind: 'LPs' | 'companies'; readonly id: string; readonly name: string };
  readonly payout: PayoutAccount;
  /** Null if the entity no longer has the account as it was chosen. */
  readonly bank: Bank | null;
}

/** The account as it was chosen; null if the entity no longer has it. */
export const bankOf = (banks: readonly Bank[], { account, fingerprint }: PayoutAccount): Bank | null =>
  banks.find((one) => one.title === account && fingerprintOf(one) === fingerprint) ?? null;

/** SQL of an investor's or a borrower's pay-out accounts with the accounts of its entity. @param holds its condition */
export const payoutsSql = (kind: PayoutRequest['party']['kind'], holds: string): string =>
  `select jsonb_build_object('kind', '${kind}', 'id', p.id, 'name', p.${kind === 'LPs' ? 'title' : 'name'}) as party,
     p.payout_accounts as payouts, e.banks from ${kind.toLowerCase()} p join entities e on e.id = p.entity_id
   where ${holds} and p.status <> 'Removed'`;

export interface PayoutRow {
  readonly party: PayoutRequest['party'];
  readonly payouts: readonly PayoutAccount[];
  readonly banks: readonly Bank[];
}

/**
 * A pay-out account by its id, with the account in full.
 * @throws Refusal notFound; forbidden without `entities/write`, without which account numbers are masked
 */
export async function getPayoutRequest(session: ReadSession, id: string): Promise<PayoutRequest> {
  requirePermission(session, 'entities/write');
  const holds = "p.payout_accounts @> jsonb_build_array(jsonb_build_object('id', $1::text))";
  const [row] = await session.query<PayoutRow & Record<string, unknown>>(
    `${payoutsSql('LPs', holds)} union all ${payoutsSql('companies', holds)}`,
    [id],
    { kept: true },
  );
  const payout = row?.payouts.find((one) => one.id === id);
  if (!row || !payout) throw new Refusal('notFound');
  return { party: row.party, payout, bank: bankOf(row.banks, payout) };
}

const DAY_MS = 86_400_000;

/**
 * A call back is made after the account was asked for. The day is that of the caller, which may be one before or after that
 * of UTC.
 * @throws Refusal badRequest
 */
export function requireCall({ now }: Pick<Session, 'now'>, { calledOn }: AccountCheck, chosenAt: string): void {
  const dayOf = (time: number): string => calendarDateOf(new Date(time));
  const flag = (problem: string) => new Refusal('badRequest', undefined, { flags: { 'check.calledOn': problem } });
  if (calledOn < dayOf(Date.parse(chosenAt) - DAY_MS)) throw flag('is before the account was requested');
  if (calledOn > dayOf(now.getTime() + DAY_MS)) throw flag('is in the future');
}

/**
 * A second person confirms that an investor or a borrower may be paid to an account.
 * @throws Refusal notFound; forbidden without `LPs/write` or `companies/write`, and `entities/write`; badRequest for whoever chose the account or changed it,
 *   and for one that is confirmed already
 */
export async function confirmPayoutAccount(
  session: Session,
  command: { id: string; check: AccountCheck },
): Promise<PayoutRequest> {
  const request = await getPayoutRequest(session, command.id);
  const { payout, bank, party } = request;
  requirePermission(session, `${party.kind}/write`);
  if (payout.confirmedBy) throw new Refusal('badRequest', 'Somebody else has confirmed this account already');
  if (!bank) throw new Refusal('badRequest', 'The bank account has been changed since. Choose it again first');
  const by = actingPerson(session);
  if (by.id === payout.chosenBy.id) {
    throw new Refusal('badRequest', 'A second person confirms the account: you chose it, or changed it last');
  }
  requireCall(session, command.check, payout.chosenAt);
  const paid =
    party.kind === 'LPs'
      ? await session.em.findOneOrFail(LP, { id: party.id })
      : await session.em.findOneOrFail(Company, { id: party.id });
  const confirmed = { ...payout, confirmedBy: by, confirmedAt: session.now.toISOString(), check: command.check };
  paid.payoutAccounts = paid.payoutAccounts.map((one) => (one.id === payout.id ? confirmed : one));
  paid.metadata = changedMetadata(session, paid.metadata);
  await session.em.flush();
  return { ...request, payout: confirmed };
}
