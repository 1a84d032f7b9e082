import { obligationReference } from '@tapeline/domain/capital/payment-reference.ts';
import { calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';

/**
 * A ledger of calls and what a bank says about their payments. It knows nothing of how payments are matched: each line is
 * generated from what its payer meant, and then spoiled as banks and people do.
 */
export interface GeneratedObligation {
  readonly id: string;
  readonly call: number;
  readonly investor: Investor;
  readonly cents: bigint;
  readonly dueDate: string;
  readonly reference: string;
}

export interface Line {
  readonly id: string;
  readonly month: number;
  readonly direction: 'in' | 'out';
  readonly cents: bigint;
  readonly charges: bigint | null;
  readonly name: string | null;
  readonly account: string | null;
  readonly text: string;
  readonly valuedOn: string;
  /** What the payer meant; null if it meant nothing that is open. */
  readonly right: ReadonlySet<string> | null;
  /** Whether it states the references of all it pays unspoiled, and pays exactly that: with the charges that the bank reports, or with its other parts. */
  readonly isPlain: boolean;
}

export interface Ledger {
  readonly obligations: readonly GeneratedObligation[];
  readonly lines: readonly Line[];
}

export interface Investor {
  readonly id: string;
  readonly name: string;
  /** As its bank spells the name. */
  readonly latin: string;
  readonly group: string | null;
  readonly code: number;
  readonly commitment: bigint;
  /** From which it pays. */
  readonly account: string;
  /** Whether the account is on file from the beginning. */
  readonly isKnown: boolean;
}

/** How well payers and the people who keep the accounts work. */
export interface Noise {
  /** The share of payers of one call who copy its reference whole. The others damage it or forget it, one half each. */
  readonly wholeReferences: number;
  /** The share of investors whose account is on file from the beginning. */
  readonly knownAccounts: number;
}

const CALLS = 12;
const FUND = { title: 'Harbour Credit Fund II LP', code: 2 };

/** Each as it is on file, and as banks spell it in Latin letters. */
const PLACES = [
  'Norrland|Norrland',
  'Bayani|Bayani',
  'Kowhai|Kowhai',
  'Okavango|Okavango',
  'Sakura|Sakura',
  'Cascadia|Cascadia',
  'Málaga|Malaga',
  'Zürich|Zuerich',
  'Köln|Koeln',
  'Tromsø|Tromso',
  'Łódź|Lodz',
  'Århus|Aarhus',
  'Genève|Geneve',
  'São Paulo|Sao Paulo',
  'Сибирь|Sibir',
  'Харьков|Kharkov',
  'Щукин|Shchukin',
  'Ελλάς|Ellas',
  'Αθηνών|Athinon',
  'Yorkshire|Yorkshire',
  'Ontario|Ontario',
  'Texas|Texas',
  'Meridian|Meridian',
  'Adeyemi|Adeyemi',
  'Lindqvist|Lindqvist',
  'Rao|Rao',
  'Whitlock|Whitlock',
  'Petrović|Petrovic',
  'Møller|Moeller',
  'Fjällräven|Fjallraven',
  'Dvořák|Dvorak',
  'St Brendan’s|St Brendans',
  'O’Connor|OConnor',
  'Al Noor|Al Noor',
  'Nguyễn|Nguyen',
  'Björk|Bjoerk',
  'Weiß|Weiss',
].map((pair) => pair.split('|') as [string, string]);
const KINDS = [
  'Pension Fund',
  'Teachers’ Retirement',
  'Cooperative Insurance',
  'Life Insurance',
  'Endowment',
  'Family Trust',
  'Foundation',
  'Community Trust',
  'Fund of Funds',
  'Investment Holding',
  'Mutual Life',
  'Capital Partners',
  'Reinsurance',
  'Savings Bank',
  'Sovereign Wealth',
  'Family Office',
];
const FORMS = ['', '', ' LP', ' Ltd', ' GmbH', ' S.A.', ' Inc.', ' AB', ' B.V.', ' plc'];
const NUMERALS = ['', '', '', ' II', ' III', ' IV'];
const STRANGERS = [
  'H Whitlock and Sons',
  'City Water Works',
  'First Tidewater Bank',
  'Acme Office Supplies',
  'J Smith',
  'Custody Services',
];

/** The generator of Tommy Ettinger: 32 bits of state, the same on every machine. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Dice {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = mulberry32(seed);
  }

  isTrue(share: number): boolean {
    return this.#next() < share;
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}

const dayOf = (month: number, day: number): string => calendarDateOf(new Date(Date.UTC(2026, month, day)));

function investorsOf(dice: Dice, count: number, { knownAccounts }: Noise): Investor[] {
  const names = new Set<string>();
  const investors: Investor[] = [];
  let group: { name: string; account: string; left: number } | null = null;
  while (investors.length < count) {
    const [place, latinPlace] = dice.of(PLACES);
    const rest = dice.of(KINDS) + dice.of(NUMERALS) + dice.of(FORMS);
    const name = `${place} ${rest}`;
    if (names.has(name)) continue;
    names.add(name);
    const code = investors.length + 1;
    const ownAccount = `DE${String(10 + dice.below(80))}${String(50_000_000 + dice.below(9_999_999))}${String(1_000_000_000 + code * 7919)}`;
    if (group === null && dice.isTrue(0.06)) {
      group = { name: `${latinPlace} Group ${code}`, account: ownAccount, left: 2 + dice.below(4) };
    }
    // Some groups pay from one account.
    const account: string = group !== null && code % 2 === 0 ? group.account : ownAccount;
    investors.push({
      id: `investor-${code}`,
      name,
      latin: `${latinPlace} ${rest}`.replaceAll('’', ''),
      group: group?.name ?? null,
      code,
      // Half of them have round commitments, so that many amounts are the same.
      commitment: dice.isTrue(0.5)
        ? BigInt(dice.of([1, 2, 3, 5, 10, 20, 25, 50])) * 100_000_000n
        : BigInt(50_000_000 + dice.below(2_000_000_000)),
      account,
      isKnown: dice.isTrue(knownAccounts),
    });
    if (group !== null) group = group.left > 1 ? { ...group, left: group.left - 1 } : null;
  }
  return investors;
}

const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** How a bank and whoever typed it write a name: at most 35 characters, often in capitals. */
function spoiledName(dice: Dice, { latin }: Investor): string {
  let words = withoutAccents(latin).split(' ');
  if (dice.isTrue(0.4)) words = words.filter((word) => !/^(?:LP|Ltd|GmbH|S\.A\.|Inc\.|AB|B\.V\.|plc)$/.test(word));
  if (dice.isTrue(0.1)) words = [...words.slice(1), words[0]!];
  if (dice.isTrue(0.1)) words = words.map((word) => (word.length > 7 ? word.slice(0, 4) : word));
  let name = words.join(' ');
  if (dice.isTrue(0.06) && name.length > 10) {
    const at = 1 + dice.below(name.length - 3);
    name = name.slice(0, at) + name[at + 1]! + name[at]! + name.slice(at + 2);
  }
  if (dice.isTrue(0.05)) name = `${name} ${dice.of(['Stockholm', 'London EC2', 'Escrow account', 'Treasury'])}`;
  return (dice.isTrue(0.8) ? name.toUpperCase() : name).slice(0, 35).trim();
}

/** The reference as people copy it, still with all its characters. */
function copiedReference(dice: Dice, reference: string): string {
  const [way, before, after] = [
    dice.below(7),
    dice.of(['', 'Capital call ', 'REF ', '/INV/', 'ROC:', 'Payment of ']),
    dice.of(['', ' thank you', ' value today', ' 500,000.00 USD', '/2026']),
  ];
  const written = [
    reference,
    reference.toLowerCase(),
    reference.replaceAll('-', ''),
    reference.replaceAll('-', ' '),
    reference.replaceAll('-', '/'),
    reference.toLowerCase().replaceAll('-', ''),
    reference.replaceAll('-', ' - '),
  ][way]!;
  return `${before}${written}${after}`;
}

/** The reference with an error in it: its check digit is wrong, or it is not whole. */
function damagedReference(dice: Dice, reference: string): string {
  const digits = [...reference.matchAll(/\d/g)].map(({ index }) => index);
  const at = dice.of(digits);
  const wrong = String((Number(reference[at]) + 1 + dice.below(9)) % 10);
  return dice.of([
    reference.slice(0, at) + wrong + reference.slice(at + 1),
    reference.slice(0, -2),
    reference.slice(0, 4),
  ]);
}

/** The lines of a ledger, month after month: a call falls due in each, and is paid then, later or never. */
export function generateLedger(seed: number, size: { investors: number; lines: number }, noise: Noise): Ledger {
  const dice = new Dice(seed);
  // What is rare has dice of its own, so that it changes nothing else.
  const odd = new Dice(seed + 1_000_000);
  const investors = investorsOf(dice, size.investors, noise);
  const obligations: GeneratedObligation[] = [];
  const lines: Line[] = [];
  const late = new Map<Investor, GeneratedObligation>();
  /** The same of the call before. */
  const earlier = ({ call, investor }: GeneratedObligation): GeneratedObligation =>
    obligations[(call - 2) * investors.length + investor.code - 1]!;
  const percents = Array.from({ length: CALLS }, () => BigInt(dice.of([2, 3, 4, 5, 5, 6, 8, 10])));

  const add = (line: Omit<Line, 'id'>): void => void lines.push({ ...line, id: `line-${lines.length + 1}` });
  const paid = (
    month: number,
    by: Investor,
    meant: readonly GeneratedObligation[],
    more: Partial<Line> & Pick<Line, 'text'>,
  ): void => {
    const line: Omit<Line, 'id'> = {
      month,
      direction: 'in',
      cents: meant.reduce((sum, { cents }) => sum + cents, 0n),
      charges: null,
      name: dice.isTrue(0.97) ? spoiledName(dice, by) : null,
      account: dice.isTrue(0.03)
        ? `GB${String(20 + dice.below(70))}NEWB${String(10 ** 13 + dice.below(10 ** 12))}`
        : by.account,
      valuedOn: dayOf(month, 10 + dice.below(10)),
      right: new Set(meant.map(({ id }) => id)),
      isPlain: false,
      ...more,
    };
    add(line);
    // Somebody pays the same once more, in the same month or later, when it is not open any longer.
    if (dice.isTrue(0.02)) {
      const again = dice.isTrue(0.5) ? month : Math.min(CALLS, month + 1);
      add({ ...line, month: again, valuedOn: dayOf(again, 21 + dice.below(5)), right: null, isPlain: false });
    }
    // A bank returns what came in.
    if (dice.isTrue(0.01)) add({ ...line, direction: 'out', text: `RETURN ${line.text}`, right: null, isPlain: false });
  };

  for (let month = 0; month < CALLS; month += 1) {
    const call = month + 1;
    const due = investors.map(
      (investor): GeneratedObligation => ({
        id: `call-${call}-${investor.code}`,
        call,
        investor,
        cents: (investor.commitment * percents[month]!) / 100n,
        dueDate: dayOf(month, 14),
        reference: obligationReference({
          kind: 'contribution',
          source: FUND,
          number: String(call),
          party: { kind: 'LP', code: investor.code },
          classPlace: null,
        }),
      }),
    );
    obligations.push(...due);
    const isPaid = new Set<GeneratedObligation>();
    // Groups that pay for all their members in one amount.
    for (const members of Map.groupBy(due, ({ investor }) => investor.group ?? '').entries()) {
      const [group, parts] = members;
      if (group === '' || parts.length < 2 || !dice.isTrue(0.4)) continue;
      for (const part of parts) isPaid.add(part);
      const isStated = dice.isTrue(0.4);
      const isStale = isStated && month > 0 && odd.isTrue(0.05);
      const stated = isStale ? parts.map((part) => earlier(part)) : parts;
      paid(month, parts[0]!.investor, parts, {
        text: isStated ? stated.map(({ reference }) => reference).join(' ') : `CAPITAL CALL ${call} ${group}`,
        isPlain: isStated && !isStale,
        name: dice.isTrue(0.5) ? group.toUpperCase() : spoiledName(dice, parts[0]!.investor),
      });
    }
    for (const obligation of due) {
      if (isPaid.has(obligation)) continue;
      const { investor, reference, cents } = obligation;
      const before = late.get(investor);
      late.delete(investor);
      const callText = dice.of([
        `CAPITAL CALL ${call}`,
        `Drawdown no. ${call}`,
        'CAPITAL CALL',
        `${investor.latin} call ${call}`,
      ]);
      const copied = copiedReference(dice, reference);
      const text = dice.isTrue(noise.wholeReferences)
        ? copied
        : dice.isTrue(0.5)
          ? damagedReference(dice, reference)
          : callText;
      const isPlain = text === copied;
      if (before !== undefined) {
        if (dice.isTrue(0.4)) {
          const isStated = dice.isTrue(0.5);
          const isStale = isStated && before.call > 1 && odd.isTrue(0.05);
          const older = isStale ? earlier(before) : before;
          paid(month, investor, [before, obligation], {
            text: isStated ? `${older.reference} + ${reference}` : 'CAPITAL CALLS',
            isPlain: isStated && !isStale,
          });
          continue;
        }
        // The older one is paid at last; some copy the wrong reference of the two.
        const isMixedUp = dice.isTrue(0.15);
        paid(month, investor, [before], { text: isMixedUp ? reference : before.reference, isPlain: !isMixedUp });
      }
      const way = dice.below(1000);
      if (way < 30) late.set(investor, obligation);
      else if (way < 45) continue;
      else if (way < 80) {
        // In two payments, some of them halves, and some make the first one twice: each half then looks like the other.
        const share = BigInt(20 + dice.below(60));
        const first = (cents * (odd.isTrue(0.3) ? 50n : share)) / 100n;
        const texts = [1, 2].map((part) => (dice.isTrue(0.5) ? copied : `${callText} part ${part}`));
        const isPlain = texts.every((each) => each === copied);
        const at = lines.length;
        paid(month, investor, [obligation], { text: texts[0]!, cents: first, isPlain });
        paid(month, investor, [obligation], { text: texts[1]!, cents: cents - first, isPlain });
        if (odd.isTrue(0.05)) add({ ...lines[at]!, right: null, isPlain: false });
      } else if (way < 130) {
        // Charges on the way, which the bank reports or not.
        const charges = BigInt(dice.of([1000, 1500, 2500, 3550]));
        const isReported = dice.isTrue(0.5);
        paid(month, investor, [obligation], {
          text,
          cents: cents - charges,
          charges: isReported ? charges : null,
          isPlain: isPlain && isReported,
        });
      } else if (way < 145 && month > 0) {
        // The reference of last month's notice.
        paid(month, investor, [obligation], { text: copiedReference(dice, earlier(obligation).reference) });
      } else if (way < 150) {
        // The reference of somebody else, for example of the next line in a spreadsheet.
        paid(month, investor, [obligation], { text: copiedReference(dice, dice.of(due).reference) });
      } else paid(month, investor, [obligation], { text, isPlain });
    }
    // Payments of strangers, some of which have the amount, or nearly the name, of somebody who owes.
    while (lines.length < Math.round((size.lines * call) / CALLS)) {
      const other = dice.of(due);
      const amount = dice.isTrue(0.3) ? other.cents : BigInt(100 + dice.below(90_000_000));
      const foreign = obligationReference({
        kind: 'contribution',
        source: { title: 'Other Fund', code: 31 },
        number: String(call),
        party: { kind: 'LP', code: other.investor.code },
        classPlace: null,
      });
      add({
        month,
        direction: dice.isTrue(0.9) ? 'in' : 'out',
        cents: amount,
        charges: null,
        name: dice.isTrue(0.15)
          ? `${other.investor.latin.replace(/ (?:II|III|IV)\b/, '')} VII`.slice(0, 35)
          : dice.of(STRANGERS),
        account: `FR${String(10 + dice.below(80))}STRANGE${dice.below(10 ** 9)}`,
        text: dice.of([
          foreign,
          'INVOICE 2026-1102',
          'RETURN OF DISTRIBUTION',
          `20261102-${dice.below(99)}`,
          'CAPITAL CALL',
        ]),
        valuedOn: dayOf(month, 1 + dice.below(27)),
        right: null,
        isPlain: false,
      });
    }
  }
  return { obligations, lines };
}
