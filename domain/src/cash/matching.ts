import { findPaymentReferences } from '../capital/payment-reference.ts';
import type { Labels } from '../documents/labels.ts';
import { comparedAccountNumber } from '../entities/account-number.ts';
import { type DecimalText, fromScaled, toScaled } from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { accountFits } from './account-rule.ts';
import { exactSums, MAX_SUMMANDS } from './exact-sums.ts';
import type { Direction } from './labels.ts';
import { indexNames, type LikeParty, NAME_AGREES, NAME_SIMILAR, type NameIndex } from './party-names.ts';

/**
 * What payments probably pay. Rules only find candidates: sets of obligations. What speaks for a candidate is assessed in
 * one place (`evidenceFor`), whichever rule found it, and its reason, its confidence and whether it needs a person follow
 * from that evidence alone. The order of payments and obligations changes nothing.
 */

export interface MatchedPayment {
  readonly id: string;
  readonly direction: Direction;
  /** What of the payment is not allocated yet; positive. */
  readonly amount: DecimalText;
  readonly currency: string;
  /** What the banks deducted on the way, if they report it: the payer sent so much more. */
  readonly charges: DecimalText | null;
  readonly counterpartyName: string | null;
  readonly counterpartyAccount: string | null;
  readonly remittance: string;
  /** What the bank returns of the payer's order, or of ours. */
  readonly endToEndId: string | null;
  /** The fund that its bank account belongs to; null for one of the manager. */
  readonly accountFund: string | null;
  readonly valuedOn: string;
  /** Of its bank account: up to so much may be missing. */
  readonly tolerance: DecimalText;
}

export interface OpenObligation {
  readonly id: string;
  readonly direction: Direction;
  readonly open: DecimalText;
  readonly currency: string;
  readonly dueDate: string;
  /** Null if the obligation has none, or one without a check digit. */
  readonly reference: string | null;
  readonly party: string;
  readonly partyName: string;
  /** Parties of a group may pay for each other. */
  readonly groupName: string | null;
  /** From which the party has paid, or which are in its confirmed bank details. */
  readonly partyAccounts: readonly string[];
  /** The funds whose accounts can pay it; null if those of every fund can. */
  readonly fundIds: readonly string[] | null;
}

/** In the order in which they count. */
export const MATCH_REASON_LABELS = {
  reference: 'The payment states the reference',
  account: 'Amount and known account agree',
  name: 'Amount and name agree',
  sum: 'The amount is the sum of several open items',
  short: 'The amount is short by charges or within the tolerance',
  part: 'The payment pays a part',
} as const satisfies Labels<string>;
export type MatchReason = keyof typeof MATCH_REASON_LABELS;
const REASONS = Object.keys(MATCH_REASON_LABELS);

/** What speaks for a suggestion and against it, as a screen lists it. */
export interface MatchEvidence {
  /** The amount is what is open, or is with the charges; is short within the tolerance; is a part, or part of a whole with other payments; is more. */
  readonly amount: 'open' | 'charges' | 'short' | 'part' | 'together' | 'over';
  /** The payment states the reference, states another or states none. */
  readonly reference: 'stated' | 'other' | 'none';
  /** Known: the party has paid from it. Unknown: it has only paid from others. None: there is nothing to compare. */
  readonly account: 'known' | 'unknown' | 'none';
  readonly name: 'agrees' | 'similar' | 'differs' | 'none';
  /** The text names the call by its number, as in "capital call 8". */
  readonly namesCall: boolean;
}

export interface MatchSuggestion {
  readonly reason: MatchReason;
  /** In percent. */
  readonly confidence: number;
  /** Needs no person: reference, currency, amount and account agree, and nothing else could be meant. Of several payments of one item, all or none. */
  readonly isAutomatic: boolean;
  readonly evidence: MatchEvidence;
  readonly allocations: readonly { readonly obligation: string; readonly amount: DecimalText }[];
  /** What of the obligations stays open. */
  readonly short: DecimalText;
  /** What of the payment is left: a credit of the party. */
  readonly rest: DecimalText;
  /** Other payments that make up the whole with this one. */
  readonly together: readonly string[];
}

/** So many suggestions are worth showing. */
const MAX_SUGGESTIONS = 5;
/** So many are kept while payments that claim the same are compared. */
const MAX_CANDIDATES = 20;
/** Of so many open items of one party, parts and differences are suggested. */
const MAX_OPEN_OF_PARTY = 12;
/** So many payments of one party are tried as parts of one whole. */
const MAX_PARTS = 8;
/** Of so many parts that all state the reference, no person is needed. */
const MAX_CERTAIN_PARTS = 3;
/** Shorter ones, such as the last digits of an account, identify nobody. */
const SHORTEST_ACCOUNT = 6;

/** What each piece of evidence adds to the confidence. The bench `matching` prints how often each confidence is right. */
const POINTS = {
  amount: { open: 42, charges: 40, together: 32, short: 30, over: 20, part: 8 },
  reference: { stated: 50, none: 0, other: -20 },
  account: { known: 40, none: 0, unknown: -5 },
  name: { agrees: 33, similar: 15, none: 0, differs: -10 },
  namesCall: 20,
  /** A sum says less than one amount: others may have the same. */
  several: -12,
  /** Another candidate has as much evidence. */
  rival: -15,
  /** Another payment claims the obligation with better evidence. */
  claimed: -40,
} as const;
/** Without the reference nothing is certain, and without the number of the call still less. */
const CEILING = { stated: 99, namesCall: 96, other: 88 } as const;
const LOWEST = 5;

interface Open {
  readonly obligation: OpenObligation;
  readonly amount: bigint;
  readonly accounts: ReadonlySet<string>;
  /** The reference without what may be missing from it. */
  readonly key: string | null;
  /** The number of the call in the reference. */
  readonly call: string | null;
}

/** All that is open, by what payments are compared with. */
interface Book {
  readonly byKey: ReadonlyMap<string, readonly Open[]>;
  readonly byAmount: ReadonlyMap<string, readonly Open[]>;
  readonly byParty: ReadonlyMap<string, readonly Open[]>;
  readonly byGroup: ReadonlyMap<string, readonly Open[]>;
  readonly byAccount: ReadonlyMap<string, readonly Open[]>;
  readonly names: NameIndex;
}

/** A payment with all that its fields say about who paid and for what. */
interface Read {
  readonly payment: MatchedPayment;
  readonly digits: number;
  readonly amount: bigint;
  readonly charges: bigint;
  readonly tolerance: bigint;
  readonly keys: readonly string[];
  readonly calls: ReadonlySet<string>;
  readonly account: string | null;
  readonly likeness: ReadonlyMap<string, number>;
  /** Whether the name or the text names anybody who owes or is owed something. */
  readonly hasName: boolean;
}

interface Candidate {
  /** Oldest first. */
  readonly opens: readonly Open[];
  /** False if other sets may have the same sum. */
  readonly isOnlySum: boolean;
  readonly together: readonly string[];
}

interface Assessed extends Candidate {
  readonly evidence: MatchEvidence;
  readonly reason: MatchReason;
  readonly points: number;
}

const isBefore = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
const oldestFirst = (left: Open, right: Open): number =>
  isBefore(left.obligation.dueDate, right.obligation.dueDate) || isBefore(left.obligation.id, right.obligation.id);

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);
const openOf = (opens: readonly Open[]): bigint => sumOf(opens.map(({ amount }) => amount));

const plainAccount = (account: string | null): string | null => {
  const plain = comparedAccountNumber(account ?? '');
  return plain.length < SHORTEST_ACCOUNT ? null : plain;
};

/** A group pays like a party; no party has such an id. */
const groupParty = (groupName: string): string => `group ${groupName}`;

/** Amounts are compared only within a direction and a currency. */
const kindOf = ({ direction, currency }: { direction: Direction; currency: string }): string =>
  `${direction} ${currency}`;

function listed<Item>(items: readonly Item[], keysOf: (item: Item) => Iterable<string>): Map<string, Item[]> {
  const lists = new Map<string, Item[]>();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      const list = lists.get(key);
      if (list) list.push(item);
      else lists.set(key, [item]);
    }
  }
  return lists;
}

function bookOf(obligations: readonly OpenObligation[]): Book {
  const opens = obligations
    .map((obligation): Open => {
      const keys = obligation.reference === null ? [] : findPaymentReferences(obligation.reference);
      const key = keys.length === 1 ? keys[0]! : null;
      return {
        obligation,
        amount: toScaled(obligation.open, minorUnitDigits(obligation.currency)),
        accounts: new Set(obligation.partyAccounts.map(plainAccount).filter((account) => account !== null)),
        key,
        call: key?.split('-')[1]?.slice(1) ?? null,
      };
    })
    .filter(({ amount }) => amount > 0n)
    .sort(oldestFirst);
  const names = new Map<string, string>();
  for (const { obligation } of opens) {
    names.set(obligation.party, obligation.partyName);
    if (obligation.groupName !== null) names.set(groupParty(obligation.groupName), obligation.groupName);
  }
  return {
    byKey: listed(opens, ({ key }) => (key === null ? [] : [key])),
    byAmount: listed(opens, ({ obligation, amount }) => [`${kindOf(obligation)} ${amount}`]),
    byParty: listed(opens, ({ obligation }) => [`${kindOf(obligation)} ${obligation.party}`]),
    byGroup: listed(opens, ({ obligation }) =>
      obligation.groupName === null ? [] : [`${kindOf(obligation)} ${obligation.groupName}`],
    ),
    byAccount: listed(opens, ({ obligation, accounts }) =>
      [...accounts].map((account) => `${kindOf(obligation)} ${account}`),
    ),
    names: indexNames(names),
  };
}

/** "Capital call 8", "drawdown no. 8", "call #8". */
const CALL_NUMBER =
  /\b(?:call|drawdown|draw|distribution|kapitalabruf|appel)\W{0,3}(?:no|nr|number)?\W{0,3}(\d{1,4})\b/gi;

function readPayment(payment: MatchedPayment, book: Book): Read {
  const digits = minorUnitDigits(payment.currency);
  const text = payment.remittance;
  const named = payment.counterpartyName === null ? [] : book.names.named(payment.counterpartyName);
  // A custodian or a bank pays in its own name, and writes for whom.
  const likely: readonly LikeParty[] =
    (named[0]?.likeness ?? 0) >= NAME_AGREES ? named : [...named, ...book.names.within(text)];
  const likeness = new Map<string, number>();
  for (const like of likely) likeness.set(like.party, Math.max(likeness.get(like.party) ?? 0, like.likeness));
  return {
    payment,
    digits,
    amount: toScaled(payment.amount, digits),
    charges: payment.charges === null ? 0n : toScaled(payment.charges, digits),
    tolerance: toScaled(payment.tolerance, digits),
    // Banks break lines after a fixed number of characters, also within a reference.
    keys: [...new Set([text, text.replaceAll(/\r?\n/g, ''), payment.endToEndId ?? ''].flatMap(findPaymentReferences))],
    calls: new Set([...text.matchAll(CALL_NUMBER)].map(([, call = '']) => call)),
    account: plainAccount(payment.counterpartyAccount),
    likeness,
    hasName: payment.counterpartyName !== null || likeness.size > 0,
  };
}

const fits = ({ payment }: Read, { obligation }: Open): boolean => accountFits(payment.accountFund, obligation.fundIds);

const ofKind = (read: Read, opens: readonly Open[] = []): readonly Open[] =>
  opens.filter(({ obligation }) => kindOf(obligation) === kindOf(read.payment));

const statedBy = (read: Read, book: Book): readonly Open[] =>
  read.keys.flatMap((key) => ofKind(read, book.byKey.get(key)));

const likenessTo = ({ likeness }: Read, { party, groupName }: OpenObligation): number =>
  Math.max(likeness.get(party) ?? 0, groupName === null ? 0 : (likeness.get(groupParty(groupName)) ?? 0));

const isKnownAccount = ({ account }: Read, { accounts }: Open): boolean => account !== null && accounts.has(account);

/** What the amount may be meant to be: itself, or with the charges that were deducted. */
const meantBy = ({ amount, charges }: Read): readonly bigint[] =>
  charges > 0n ? [amount, amount + charges] : [amount];

/** The open items, oldest first, of each party and each group that may have paid: by reference, account or name. */
function poolsOf(read: Read, book: Book): readonly (readonly Open[])[] {
  const kind = kindOf(read.payment);
  const byAccount = read.account === null ? [] : (book.byAccount.get(`${kind} ${read.account}`) ?? []);
  const parties = new Set([
    ...statedBy(read, book).map(({ obligation }) => obligation.party),
    ...byAccount.slice(0, MAX_OPEN_OF_PARTY).map(({ obligation }) => obligation.party),
    ...read.likeness.keys(),
  ]);
  const pools = new Map<string, readonly Open[]>();
  const addPool = (all: readonly Open[]): void => {
    const opens = all.filter((open) => fits(read, open));
    if (opens.length > 0) pools.set(opens.map(({ obligation }) => obligation.id).join(' '), opens);
  };
  for (const party of parties) {
    const opens = book.byParty.get(`${kind} ${party}`) ?? [];
    addPool(opens);
    const groupName = opens[0]?.obligation.groupName;
    if (groupName) addPool(book.byGroup.get(`${kind} ${groupName}`) ?? []);
    if (party.startsWith(groupParty('')))
      addPool(book.byGroup.get(`${kind} ${party.slice(groupParty('').length)}`) ?? []);
  }
  // One account of several parties, for example a custodian's.
  addPool(byAccount);
  return [...pools.values()];
}

const alone = (open: Open): Candidate => ({ opens: [open], isOnlySum: true, together: [] });

/** Whatever the payment states by reference: each, and all together. */
function byReference(read: Read, book: Book): readonly Candidate[] {
  const stated = [...statedBy(read, book)].sort(oldestFirst);
  return [...stated.map(alone), ...(stated.length > 1 ? [{ opens: stated, isOnlySum: true, together: [] }] : [])];
}

/** The same amount, by who is known by account or name. */
const byAmount = (read: Read, book: Book): readonly Candidate[] =>
  meantBy(read)
    .flatMap((amount) => book.byAmount.get(`${kindOf(read.payment)} ${amount}`) ?? [])
    .filter((open) => isKnownAccount(read, open) || likenessTo(read, open.obligation) >= NAME_SIMILAR)
    .map(alone);

/** Several open items of one party or group: all of them, those of one day, or those whose sum it is. */
function bySum(read: Read, pools: readonly (readonly Open[])[]): readonly Candidate[] {
  return pools
    .filter((pool) => pool.length > 1)
    .flatMap((pool): Candidate[] => {
      const days = [...listed(pool, ({ obligation }) => [obligation.dueDate]).values()];
      const whole = [pool, ...days].filter((opens) => opens.length > 1 && meantBy(read).includes(openOf(opens)));
      if (whole.length > 0) return whole.map((opens) => ({ opens, isOnlySum: true, together: [] }));
      return meantBy(read).flatMap((amount): Candidate[] => {
        const { sets, isComplete } = exactSums(
          pool.map((open) => open.amount),
          amount,
        );
        const isOnlySum = isComplete && sets.length === 1;
        return sets.map((set) => ({ opens: set.map((index) => pool[index]!), isOnlySum, together: [] }));
      });
    });
}

/** One open item that the payment does not reach. */
const byPart = (read: Read, pools: readonly (readonly Open[])[]): readonly Candidate[] =>
  pools.flatMap((pool) =>
    pool
      .filter(({ amount }) => amount > read.amount)
      .slice(0, MAX_OPEN_OF_PARTY)
      .map(alone),
  );

function amountFit(read: Read, { opens, together }: Candidate): MatchEvidence['amount'] {
  const missing = openOf(opens) - read.amount;
  if (missing === 0n) return 'open';
  if (missing < 0n) return 'over';
  if (missing === read.charges) return 'charges';
  if (together.length > 0) return 'together';
  return missing <= read.tolerance ? 'short' : 'part';
}

function accountFit(read: Read, opens: readonly Open[]): MatchEvidence['account'] {
  if (opens.some((open) => isKnownAccount(read, open))) return 'known';
  const canCompare = read.account !== null && opens.some(({ accounts }) => accounts.size > 0);
  return canCompare ? 'unknown' : 'none';
}

function nameFit(read: Read, opens: readonly Open[]): MatchEvidence['name'] {
  const best = Math.max(...opens.map(({ obligation }) => likenessTo(read, obligation)));
  if (best >= NAME_AGREES) return 'agrees';
  if (best >= NAME_SIMILAR) return 'similar';
  return read.hasName ? 'differs' : 'none';
}

const evidenceFor = (read: Read, candidate: Candidate): MatchEvidence => ({
  amount: amountFit(read, candidate),
  reference: candidate.opens.every(({ key }) => key !== null && read.keys.includes(key))
    ? 'stated'
    : read.keys.length > 0
      ? 'other'
      : 'none',
  account: accountFit(read, candidate.opens),
  name: nameFit(read, candidate.opens),
  namesCall: candidate.opens.every(({ call }) => call !== null && read.calls.has(call)),
});

function reasonFor({ opens }: Candidate, { amount, reference, account }: MatchEvidence): MatchReason {
  if (reference === 'stated') return 'reference';
  if (opens.length > 1) return 'sum';
  if (amount === 'charges' || amount === 'short') return 'short';
  if (amount !== 'open') return 'part';
  return account === 'known' ? 'account' : 'name';
}

const pointsFor = ({ opens, isOnlySum }: Candidate, evidence: MatchEvidence): number =>
  POINTS.amount[evidence.amount] +
  POINTS.reference[evidence.reference] +
  POINTS.account[evidence.account] +
  POINTS.name[evidence.name] +
  (evidence.namesCall ? POINTS.namesCall : 0) +
  (opens.length > 1 && evidence.reference !== 'stated' ? POINTS.several : 0) +
  (isOnlySum ? 0 : POINTS.rival);

/** Whether anything but the amount says who paid; more than what is open is suggested only by its reference. */
const isSupported = ({ amount, reference, account, name }: MatchEvidence): boolean =>
  reference === 'stated' ||
  (amount !== 'over' && (account === 'known' || name === 'agrees' || (name === 'similar' && amount !== 'part')));

const strongestFirst = (left: Assessed, right: Assessed): number =>
  right.points - left.points ||
  REASONS.indexOf(left.reason) - REASONS.indexOf(right.reason) ||
  left.opens.length - right.opens.length ||
  oldestFirst(left.opens[0]!, right.opens[0]!) ||
  isBefore(identityOf(left), identityOf(right));

const identityOf = ({ opens }: Candidate): string => opens.map(({ obligation }) => obligation.id).join(' ');

function assessOne(read: Read, candidate: Candidate): Assessed {
  const evidence = evidenceFor(read, candidate);
  const [reason, points] = [reasonFor(candidate, evidence), pointsFor(candidate, evidence)];
  return { ...candidate, evidence, reason, points };
}

function assess(read: Read, candidates: readonly Candidate[]): readonly Assessed[] {
  const assessed = new Map<string, Assessed>();
  for (const candidate of candidates) {
    if (!candidate.opens.every((open) => fits(read, open))) continue;
    const one = assessOne(read, candidate);
    const before = assessed.get(identityOf(candidate));
    if (isSupported(one.evidence) && (before === undefined || one.points > before.points)) {
      assessed.set(identityOf(candidate), one);
    }
  }
  return [...assessed.values()].sort(strongestFirst).slice(0, MAX_CANDIDATES);
}

/** Payments of one party that together are one open item, each of them with the others. */
function findTogether(reads: readonly Read[], book: Book): ReadonlyMap<string, readonly Candidate[]> {
  const byParty = listed(
    [...reads].sort((left, right) => isBefore(left.payment.id, right.payment.id)),
    (read) => {
      const parties = poolsOf(read, book).map((pool) => pool.map(({ obligation }) => obligation.party));
      return parties.flatMap((pool) => (new Set(pool).size === 1 ? [`${kindOf(read.payment)} ${pool[0]}`] : []));
    },
  );
  const found = new Map<string, Candidate[]>();
  for (const [party, all] of byParty) {
    if (all.length < 2 || all.length > MAX_PARTS) continue;
    for (const open of (book.byParty.get(party) ?? []).slice(0, MAX_OPEN_OF_PARTY)) {
      const parts = all.filter((read) => fits(read, open));
      const { sets, isComplete } = exactSums(
        parts.map(({ amount }) => amount),
        open.amount,
      );
      for (const set of sets) {
        const ids = set.map((index) => parts[index]!.payment.id);
        for (const id of ids) {
          const together = ids.filter((other) => other !== id);
          const candidate = { opens: [open], isOnlySum: isComplete && sets.length === 1, together };
          found.set(id, [...(found.get(id) ?? []), candidate]);
        }
      }
    }
  }
  return found;
}

/**
 * Whether the payment could be meant for anything else: what is open of these parties, or of anybody who has paid from
 * this account, has this amount. If it pays several or a part, sums of these count as well, and as long as not all
 * were tried, there may be another.
 */
function couldMeanOther(read: Read, opens: readonly Open[], book: Book): boolean {
  const kind = kindOf(read.payment);
  const parties = new Set(opens.map(({ obligation }) => obligation.party));
  const isSame = meantBy(read)
    .flatMap((amount) => book.byAmount.get(`${kind} ${amount}`) ?? [])
    .some((open) => !opens.includes(open) && (parties.has(open.obligation.party) || isKnownAccount(read, open)));
  if (isSame || (opens.length === 1 && meantBy(read).includes(openOf(opens)))) return isSame;
  const lists = [
    ...[...parties].map((party) => book.byParty.get(`${kind} ${party}`) ?? []),
    book.byAccount.get(`${kind} ${read.account}`) ?? [],
  ];
  // A custodian's account may be that of thousands.
  if (lists.some((list) => list.length > MAX_SUMMANDS)) return true;
  const pool = [...new Set(lists.flat())];
  return meantBy(read).some((meant) => {
    const { sets, isComplete } = exactSums(
      pool.map(({ amount }) => amount),
      meant,
    );
    const isOwn = (set: readonly number[]): boolean =>
      set.length === opens.length && set.every((index) => opens.includes(pool[index]!));
    return !isComplete || !sets.every(isOwn);
  });
}

/** The payments that state each reference, whatever else they state. */
type Stating = ReadonlyMap<string, readonly Read[]>;

/**
 * Whether no person is needed. A wrong automatic match is never acceptable, so each of these must hold:
 * each reference that the payment states is that of one open item, and it pays all of these; no other payment states one
 * of them; the currency and the direction agree; the amount, with the charges that the bank reports, is what is open to the
 * cent; the charges are within the tolerance, because a payer can write in its text what reads as charges; each party has
 * paid from this account before; and it could mean nothing else.
 */
function isCertain(read: Read, { opens, evidence }: Assessed, book: Book, stating: Stating): boolean {
  const isOnlyReference = ({ key }: Open): boolean =>
    key !== null && read.keys.includes(key) && book.byKey.get(key)?.length === 1 && stating.get(key)?.length === 1;
  return (
    opens.length === read.keys.length &&
    (evidence.amount === 'open' || (evidence.amount === 'charges' && read.charges <= read.tolerance)) &&
    opens.every((open) => isOnlyReference(open) && isKnownAccount(read, open)) &&
    // Charges that are more than the last item would be missing of the one before as well.
    partsOf(read, opens).every((part) => part > 0n) &&
    !couldMeanOther(read, opens, book)
  );
}

/**
 * What all payments that state a reference pay, if no person is needed: two or three that state no other, to the cent
 * what is open of its one item. The rest is as of one payment. Of two equal ones, one may be the other made twice; and
 * charges could be a part of the amount or not.
 */
function certainParts(key: string, parts: readonly Read[], book: Book): Open | null {
  const [open, ...more] = book.byKey.get(key) ?? [];
  if (open === undefined || more.length > 0 || parts.length < 2 || parts.length > MAX_CERTAIN_PARTS) return null;
  const amounts = parts.map(({ amount }) => amount);
  const isWhole = sumOf(amounts) === open.amount && new Set(amounts).size === amounts.length;
  const isPart = (read: Read): boolean =>
    kindOf(read.payment) === kindOf(open.obligation) &&
    fits(read, open) &&
    read.keys.length === 1 &&
    read.charges === 0n &&
    isKnownAccount(read, open);
  return isWhole && parts.every((read) => isPart(read) && !couldMeanOther(read, [open], book)) ? open : null;
}

function confidenceOf({ points, evidence }: Assessed, deduction: number): number {
  const ceiling =
    evidence.reference === 'stated' ? CEILING.stated : evidence.namesCall ? CEILING.namesCall : CEILING.other;
  return Math.max(LOWEST, Math.min(ceiling, points) + deduction);
}

/** How much of the payment each takes, the oldest first, so that what is missing is missing of the last. */
function partsOf({ amount }: Read, opens: readonly Open[]): readonly bigint[] {
  let left = amount;
  return opens.map((open) => {
    const part = left;
    left = left > open.amount ? left - open.amount : 0n;
    return part - left;
  });
}

function allocate(read: Read, opens: readonly Open[]): Pick<MatchSuggestion, 'allocations' | 'short' | 'rest'> {
  const parts = partsOf(read, opens);
  const written = (amount: bigint): DecimalText => fromScaled(amount, read.digits);
  return {
    allocations: opens.flatMap(({ obligation }, index) =>
      parts[index]! > 0n ? [{ obligation: obligation.id, amount: written(parts[index]!) }] : [],
    ),
    short: written(openOf(opens) - sumOf(parts)),
    rest: written(read.amount - sumOf(parts)),
  };
}

/** What payments together may take of each open item: the best evidence first, then the earlier payment. */
class Claims {
  readonly #claimed = new Map<Open, bigint>();

  isTaken({ opens }: Candidate): boolean {
    return opens.some((open) => (this.#claimed.get(open) ?? 0n) >= open.amount);
  }

  take(read: Read, { opens }: Candidate): void {
    const parts = partsOf(read, opens);
    for (const [index, open] of opens.entries()) {
      this.#claimed.set(open, (this.#claimed.get(open) ?? 0n) + parts[index]!);
    }
  }
}

/**
 * For each payment what it probably pays, the most probable first; none if nothing is known. Each suggestion stays within
 * the payment and within what is open, and so do all automatic ones together; others may claim the same.
 */
export function suggestMatches(
  payments: readonly MatchedPayment[],
  obligations: readonly OpenObligation[],
): ReadonlyMap<string, readonly MatchSuggestion[]> {
  const book = bookOf(obligations);
  const reads = payments.map((payment) => readPayment(payment, book)).filter(({ amount }) => amount > 0n);
  const stating: Stating = listed(reads, ({ keys }) => keys);

  const certain = new Map<Read, Assessed>();
  const assessed = new Map<Read, readonly Assessed[]>();
  for (const read of reads) {
    const simple = assess(read, [...byReference(read, book), ...byAmount(read, book)]);
    assessed.set(read, simple);
    const match = simple.find((each) => isCertain(read, each, book, stating));
    if (match !== undefined) certain.set(read, match);
  }
  for (const [key, parts] of stating) {
    const open = certainParts(key, parts, book);
    if (open === null) continue;
    const ids = parts.map(({ payment }) => payment.id).sort(isBefore);
    for (const read of parts) {
      const together = ids.filter((id) => id !== read.payment.id);
      certain.set(read, assessOne(read, { opens: [open], isOnlySum: true, together }));
    }
  }
  // Sums and parts take longer, and are looked for only where one amount explains nothing.
  const isExplained = (read: Read): boolean =>
    (assessed.get(read) ?? []).some(({ evidence }) => evidence.amount === 'open' || evidence.amount === 'charges');
  const unexplained = reads.filter((read) => !certain.has(read) && !isExplained(read));
  const together = findTogether(unexplained, book);
  for (const read of unexplained) {
    const pools = poolsOf(read, book);
    assessed.set(
      read,
      assess(read, [
        ...(assessed.get(read) ?? []),
        ...bySum(read, pools),
        ...byPart(read, pools),
        ...(together.get(read.payment.id) ?? []),
      ]),
    );
  }

  const claims = new Claims();
  for (const [read, match] of certain) claims.take(read, match);
  const suggestions = new Map<string, readonly MatchSuggestion[]>(payments.map(({ id }) => [id, []]));
  const bestFirst = [...assessed].sort(
    ([left, [one]], [right, [other]]) =>
      (other?.points ?? 0) - (one?.points ?? 0) ||
      isBefore(left.payment.valuedOn, right.payment.valuedOn) ||
      isBefore(left.payment.id, right.payment.id),
  );
  for (const [read, candidates] of bestFirst) {
    const match = certain.get(read);
    const ordered = match
      ? [match, ...candidates.filter((each) => identityOf(each) !== identityOf(match))]
      : [...candidates].sort((left, right) => Number(claims.isTaken(left)) - Number(claims.isTaken(right)));
    suggestions.set(
      read.payment.id,
      ordered.slice(0, MAX_SUGGESTIONS).map((each) => {
        const isTaken = each !== match && claims.isTaken(each);
        const hasRival = each !== match && ordered.some((other) => other !== each && other.points === each.points);
        const deduction = (isTaken ? POINTS.claimed : 0) + (hasRival ? POINTS.rival : 0);
        return {
          reason: each.reason,
          confidence: confidenceOf(each, deduction),
          isAutomatic: each === match,
          evidence: each.evidence,
          ...allocate(read, each.opens),
          together: each.together,
        };
      }),
    );
    if (match === undefined && ordered[0] !== undefined) claims.take(read, ordered[0]);
  }
  return suggestions;
}
