import type { PaymentCreate } from '@tapeline/domain/cash/cash.schema.ts';
import { type Direction, OBLIGATION_KINDS } from '@tapeline/domain/cash/labels.ts';
import { MAX_MATCHES, type Match } from '@tapeline/domain/cash/match.schema.ts';
import { type MatchSuggestion, type OpenObligation, suggestMatches } from '@tapeline/domain/cash/matching.ts';
import type { PartyKind } from '@tapeline/domain/cash/party.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { compare, type DecimalText, isZero, max, sum } from '@tapeline/domain/money/decimal.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { Payment } from '../../entities/cash.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { splitInvoicePayments } from '../invoices/invoice-payments.ts';
import { touchedMetadata } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { lockCash } from './cash-locks.ts';
import { insertDifferences, listObligations, type Obligation, readableObligations } from './obligations.ts';
import {
  allocatePayments,
  createPayment,
  eachOfSeveral,
  getPayment,
  insertAllocations,
  nameParty,
  type PaymentView,
  updatePayment,
  viewPayments,
} from './payments.ts';

/** A payment of which something is left, and of which nobody said with whom it is. */
export interface UnmatchedPayment {
  readonly id: string;
  readonly version: number;
  readonly direction: Direction;
  readonly amount: DecimalText;
  /** What is not allocated yet. */
  readonly left: DecimalText;
  readonly currency: string;
  readonly charges: DecimalText | null;
  readonly bookedOn: CalendarDate;
  readonly valuedOn: CalendarDate;
  readonly counterpartyName: string | null;
  readonly counterpartyAccount: string | null;
  readonly remittance: string;
  /** Of its lines in bank statements. */
  readonly endToEndId: string | null;
  /** The fund that its bank account belongs to; null for one of the manager. */
  readonly accountFund: string | null;
  readonly accountId: string;
  readonly accountTitle: string;
  readonly tolerance: DecimalText;
}

/** A suggestion with what it pays. */
export interface PaymentSuggestion extends Omit<MatchSuggestion, 'allocations'> {
  readonly allocations: readonly { readonly obligation: Obligation; readonly amount: DecimalText }[];
}

export interface PaymentToMatch {
  readonly payment: UnmatchedPayment;
  readonly suggestions: readonly PaymentSuggestion[];
}

/** So many are compared at once, the earliest first; whoever has more first matches these. */
const MAX_UNMATCHED = 8000;

const LEFT = `p.amount - coalesce((select sum(a.amount) from allocations a where a.payment_id = p.id and a.reversed_at is null), 0)`;
const UNMATCHED = `p.manager_id = $1 and p.status = 'Active' and p.own_item is null and num_nonnulls(p.investor_lp_id, p.investor_fund_id, p.company_id) = 0`;

const UNMATCHED_PAYMENTS = `from payments p join bank_accounts b on b.id = p.bank_account_id where ${UNMATCHED} and ${LEFT} > 0`;
const READ_UNMATCHED = `
  select p.id, p.version, p.direction, p.amount::text, (${LEFT})::text as left, p.currency, p.charges::text, p.booked_on::text as "bookedOn",
    p.valued_on::text as "valuedOn", p.counterparty_name as "counterpartyName", p.counterparty_account as "counterpartyAccount",
    p.remittance, (select string_agg(distinct l.end_to_end_id, ' / ') from bank_statement_lines l where l.payment_id = p.id) as "endToEndId",
    b.fund_id as "accountFund", b.id as "accountId", b.title as "accountTitle", b.tolerance::text
  ${UNMATCHED_PAYMENTS} order by p.booked_on, p.id limit $2`;

/** From which accounts a party has paid, or was paid: what a person confirmed, as long as it is not reversed. */
const KNOWN_ACCOUNTS = `
  select coalesce(a.investor_lp_id, a.investor_fund_id, a.company_id) as party, array_agg(distinct p.counterparty_account) as accounts
  from allocations a join payments p on p.id = a.payment_id
  where a.manager_id = $1 and a.reversed_at is null and p.counterparty_account is not null group by 1`;

const GROUPS = `select l.id as party, g.title from lps l join lp_groups g on g.id = l.group_id where l.manager_id = $1`;

const idOf = ({ kind, documentId, currency }: Obligation): string => `${kind} ${documentId} ${currency}`;

/** How many payments of a bank account nobody has matched. */
export interface AccountCount {
  readonly account: string;
  readonly count: number;
}

interface Matching {
  /** The earliest, and at most `MAX_UNMATCHED`. */
  readonly payments: readonly UnmatchedPayment[];
  /** How many there are of each bank account. */
  readonly counts: readonly AccountCount[];
  readonly suggestions: ReadonlyMap<string, readonly PaymentSuggestion[]>;
}

/** Reads everything once, and compares it. @param most how many payments are compared */
async function readMatching(session: ReadSession, managerId: string, most = MAX_UNMATCHED): Promise<Matching> {
  const payments = await session.query<UnmatchedPayment>(READ_UNMATCHED, [managerId, most]);
  if (payments.length === 0) return { payments, counts: [], suggestions: new Map() };
  const counts = await session.query<AccountCount & Record<string, unknown>>(
    `select b.id as account, count(*)::int as count ${UNMATCHED_PAYMENTS} group by b.id`,
    [managerId],
  );
  const { obligations } = await listObligations(session, { manager: managerId, isOpen: true });
  const known = await session.query<{ party: string; accounts: string[] }>(KNOWN_ACCOUNTS, [managerId]);
  const groups = await session.query<{ party: string; title: string }>(GROUPS, [managerId]);
  const accountsOf = new Map(known.map(({ party, accounts }) => [party, accounts]));
  const groupOf = new Map(groups.map(({ party, title }) => [party, title]));
  const byId = new Map(obligations.map((obligation) => [idOf(obligation), obligation]));
  const open = obligations.flatMap((obligation): OpenObligation[] => {
    const { party } = obligation;
    if (party === null) return [];
    return [
      {
        id: idOf(obligation),
        ...pick(obligation, 'direction', 'open', 'currency', 'dueDate', 'reference'),
        party: party.id,
        partyName: party.title ?? '',
        groupName: groupOf.get(party.id) ?? null,
        partyAccounts: accountsOf.get(party.id) ?? [],
        fundIds: obligation.fundIds,
      },
    ];
  });
  const found = suggestMatches(
    payments.map(({ left, ...payment }) => ({ ...payment, amount: left })),
    open,
  );
  const suggestions = new Map(
    [...found].map(([id, ofPayment]) => [
      id,
      ofPayment.map((suggestion) => ({
        ...suggestion,
        allocations: suggestion.allocations.map(({ obligation, amount }) => ({
          obligation: byId.get(obligation)!,
          amount,
        })),
      })),
    ]),
  );
  return { payments, counts, suggestions };
}

/**
 * The payments that nobody has matched, the latest first, with what they probably pay. Of `total` payments the earliest
 * `compared` are listed; the others follow once these are matched.
 * @param page.most how many are compared at once
 */
export async function listPaymentsToMatch(
  session: Session,
  { skip = 0, limit, most }: { skip?: number; limit: number; most?: number },
): Promise<{ rows: PaymentToMatch[]; counts: readonly AccountCount[]; total: number; compared: number }> {
  requirePermission(session, 'payments/read');
  const { payments, counts, suggestions } = await readMatching(session, await tenantOf(session, undefined), most);
  const rows = payments
    .toReversed()
    .slice(skip, skip + limit)
    .map((payment) => ({ payment, suggestions: suggestions.get(payment.id) ?? [] }));
  const total = counts.reduce((sofar, { count }) => sofar + count, 0);
  return { rows, counts, total, compared: payments.length };
}

/** One payment that nobody has matched. @throws Refusal notFound, also for one that is matched */
export async function paymentToMatch(session: Session, id: string): Promise<PaymentToMatch> {
  const { managerId } = await getPayment(session, id);
  const { payments, suggestions } = await readMatching(session, managerId);
  const payment = payments.find((one) => one.id === id);
  if (!payment) throw new Refusal('notFound');
  return { payment, suggestions: suggestions.get(id) ?? [] };
}

/** What one payment probably pays; nothing if it is matched. @throws Refusal notFound */
export async function suggestionsOfPayment(session: Session, id: string): Promise<readonly PaymentSuggestion[]> {
  const { managerId } = await getPayment(session, id);
  return (await readMatching(session, managerId)).suggestions.get(id) ?? [];
}

/** Only who sees everything that is open can say that nothing else is meant. */
const seesEverything = (actor: Actor): boolean =>
  actor.kind === 'system' ||
  (actor.blockedDocuments.length === 0 &&
    actor.within === undefined &&
    readableObligations(actor).length === OBLIGATION_KINDS.length);

/** The matches of which nobody has paid, closed or withdrawn anything since it was compared. Called with the locks. */
async function withoutChanged<Found extends { readonly match: PaymentSuggestion }>(
  session: Session,
  found: readonly Found[],
  documents: readonly string[],
): Promise<readonly Found[]> {
  const { obligations } = await listObligations(session, { documents });
  const open = new Map(obligations.map((obligation) => [idOf(obligation), obligation.open]));
  return found.filter(({ match }) =>
    match.allocations.every(({ obligation }) => open.get(idOf(obligation)) === obligation.open),
  );
}

/**
 * The matches that can be recorded: principal that is more than the balance waits for a person, and so do the other
 * payments of what it pays.
 */
async function withoutProblems<Found extends { readonly payment: UnmatchedPayment; readonly match: PaymentSuggestion }>(
  session: Session,
  found: readonly Found[],
): Promise<readonly Found[]> {
  const invoices = found.flatMap(({ payment: { id, valuedOn: paidOn }, match }) =>
    match.allocations.flatMap(({ obligation: { kind, documentId: document }, amount }) =>
      kind === 'invoice' ? [{ id, document, amount, paidOn }] : [],
    ),
  );
  const splits = await splitInvoicePayments(session, invoices);
  const problems = new Set(invoices.flatMap(({ id }, index) => (splits[index]?.problem ? [id] : [])));
  const possible = new Set(found.map(({ payment }) => payment.id).filter((id) => !problems.has(id)));
  return found.filter(({ payment, match }) => [payment.id, ...match.together].every((id) => possible.has(id)));
}

/**
 * Allocates the payments whose match needs no person, after payments were recorded or imported. Charges that the bank
 * reports are closed as such. Nothing happens for an actor to whom something that is open may be hidden, nor if there are so
 * many payments that not all are compared: another one may state the same reference.
 * @param options.most how many payments are compared
 * @param options.manager whose payments they are, if the program matches them
 * @returns the ids of the payments that were matched
 * @throws Refusal forbidden without payments/write
 */
export async function matchPayments(
  session: Session,
  { most = MAX_UNMATCHED, manager }: { most?: number; manager?: string } = {},
): Promise<string[]> {
  requirePermission(session, 'payments/write');
  if (!seesEverything(session.actor)) return [];
  const managerId = await tenantOf(session, manager);
  const rows = await session.query<{ id: string }>(`select p.id ${UNMATCHED_PAYMENTS}`, [managerId]);
  if (rows.length === 0 || rows.length > most) return [];
  const locked = new Set(rows.map(({ id }) => id));
  await lockCash(session, { payments: [...locked], documents: [] });
  const { payments: waiting, suggestions } = await readMatching(session, managerId, most);
  const found = waiting.flatMap((payment) => {
    const [first] = suggestions.get(payment.id) ?? [];
    return first?.isAutomatic && locked.has(payment.id) ? [{ payment, match: first }] : [];
  });
  if (found.length === 0) return [];
  const documents = found.flatMap(({ match }) => match.allocations.map(({ obligation }) => obligation.documentId));
  await lockCash(session, { payments: [], documents });
  const certain = await withoutProblems(session, await withoutChanged(session, found, documents));
  if (certain.length === 0) return [];
  const ids = certain.map(({ payment }) => payment.id);
  const payments = new Map(
    (await session.em.find(Payment, { id: { $in: ids } })).map((payment) => [payment.id, payment]),
  );
  for (const { payment, match } of certain) {
    const stored = payments.get(payment.id)!;
    nameParty(
      stored,
      match.allocations.map(({ obligation }) => obligation),
    );
    stored.metadata = touchedMetadata(session, stored.metadata);
  }
  await session.em.flush();
  await insertAllocations(
    session,
    certain.flatMap(({ payment, match }) =>
      match.allocations.map(({ obligation: { kind, documentId }, amount }) => ({
        payment: payment.id,
        kind,
        document: documentId,
        amount,
      })),
    ),
  );
  await insertDifferences(
    session,
    certain.flatMap(({ match: { evidence, allocations, short } }) => {
      const last = allocations.at(-1);
      // What is missing of a part, another payment pays. Charges are missing of the last of several.
      if (evidence.amount !== 'charges' || last === undefined) return [];
      const { kind, documentId, currency } = last.obligation;
      return [{ kind, document: documentId, currency, amount: short, reason: 'bankCharges' as const }];
    }),
  );
  return ids;
}

/**
 * Records a payment by hand, and matches it if it says with certainty what it pays.
 * @throws Refusal as `createPayment` does
 */
export async function recordPayment(session: Session, body: PaymentCreate): Promise<PaymentView> {
  const payment = await createPayment(session, body);
  const isDecided = body.allocations.length > 0 || payment.party !== null || payment.remittance === '';
  return !isDecided && (await matchPayments(session)).includes(payment.id) ? getPayment(session, payment.id) : payment;
}

/** Closes what stays open as bank charges. @throws Refusal badRequest for more than the tolerance and the charges */
async function closeCharges(session: Session, payments: readonly Payment[], matches: readonly Match[]): Promise<void> {
  const closing = matches.flatMap((match, index) =>
    match.closesCharges ? [{ match, payment: payments[index]! }] : [],
  );
  if (closing.length === 0) return;
  const documents = closing.flatMap(({ match }) => match.allocations.map(({ document }) => document));
  const { obligations } = await listObligations(session, { documents });
  const known = new Map(
    obligations.map((obligation) => [`${obligation.documentId} ${obligation.currency}`, obligation]),
  );
  const accounts = await session.query<{ id: string; tolerance: DecimalText }>(
    'select id, tolerance::text from bank_accounts where id = any ($1)',
    [closing.map(({ payment }) => payment.bankAccountId)],
  );
  const toleranceOf = new Map(accounts.map(({ id, tolerance }) => [id, tolerance]));
  const short = new Set<Obligation>();
  eachOfSeveral(closing, ({ match, payment }) => {
    const own = new Set(
      match.allocations.flatMap(({ document }) => known.get(`${document} ${payment.currency}`) ?? []),
    );
    const most = max(toleranceOf.get(payment.bankAccountId) ?? '0', payment.charges ?? '0');
    if (compare(sum([...own].map(({ open }) => open)), most) > 0) {
      throw new Refusal('badRequest', 'More is open than the tolerance of the account', {
        flags: { closesCharges: 'is possible only up to the tolerance of the account and the charges' },
      });
    }
    for (const obligation of own) if (!isZero(obligation.open)) short.add(obligation);
  });
  await insertDifferences(
    session,
    [...short].map(({ kind, documentId, currency, open }) => ({
      kind,
      document: documentId,
      currency,
      amount: open,
      reason: 'bankCharges',
    })),
  );
}

/**
 * Allocates several payments as a person confirmed: all of them or none.
 * @throws Refusal forbidden without payments/write; notFound; as `allocatePayments` does
 */
export async function confirmMatches(session: Session, matches: readonly Match[]): Promise<PaymentView[]> {
  requirePermission(session, 'payments/write');
  if (matches.length > MAX_MATCHES) throw new Refusal('badRequest', `At most ${MAX_MATCHES} at once`);
  const payments = await allocatePayments(session, matches);
  await closeCharges(session, payments, matches);
  return viewPayments(session, payments);
}

/**
 * Leaves what is left of a payment as a credit of a party, to apply or return later.
 * @throws Refusal as `updatePayment` does
 */
export async function leaveAsCredit(
  session: Session,
  command: {
    readonly id: string;
    readonly version: number;
    readonly party: { readonly kind: PartyKind; readonly id: string };
  },
): Promise<PaymentView> {
  const payment = await getPayment(session, command.id);
  const { currency } = payment;
  return updatePayment(session, {
    id: command.id,
    body: {
      bankAccount: payment.bankAccountId,
      direction: payment.direction,
      amount: { sum: payment.amount, currency },
      ...pick(payment, 'bookedOn', 'valuedOn', 'counterpartyName', 'counterpartyAccount', 'remittance'),
      charges: payment.charges ? { sum: payment.charges, currency } : null,
      bankReference: payment.bankReference,
      party: command.party,
      note: payment.note,
      version: command.version,
    },
  });
}
