import { findPaymentReferences } from '@tapeline/domain/capital/payment-reference.ts';
import {
  type MatchedPayment,
  type MatchSuggestion,
  type OpenObligation,
  suggestMatches,
} from '@tapeline/domain/cash/matching.ts';
import { fromScaled, toScaled } from '@tapeline/domain/money/decimal.ts';
import { median, numberOption, printLoad, say } from '../measuring/rounds.ts';
import { type GeneratedObligation, generateLedger, type Ledger, type Line, type Noise } from './ledger.ts';

const ledgers = numberOption('ledgers', 20);
const size = { investors: numberOption('investors', 500), lines: numberOption('lines', 8000) };

/** Payers who mostly copy what the notice says, and payers who often do not. */
const ORDINARY: Noise = { wholeReferences: 0.9, knownAccounts: 0.88 };
const HARD: Noise = { wholeReferences: 0.8, knownAccounts: 0.88 };

/** Of the payments with a right answer in ordinary ledgers, month by month. */
const LEAST_AUTOMATIC = 0.7;
/** Month by month, in both. */
const LEAST_RIGHT = 0.95;
const MAX_MS = 2000;

const paymentOf = ({ id, direction, cents, charges, name, account, text, valuedOn }: Line): MatchedPayment => ({
  id,
  direction,
  amount: fromScaled(cents, 2),
  currency: 'USD',
  charges: charges === null ? null : fromScaled(charges, 2),
  counterpartyName: name,
  counterpartyAccount: account,
  remittance: text,
  endToEndId: null,
  accountFund: null,
  valuedOn,
  tolerance: '50.00',
});

/** What is open in the course of a ledger, and from which accounts who has paid. */
class Book {
  readonly #open = new Map<GeneratedObligation, bigint>();
  readonly #byId = new Map<string, GeneratedObligation>();
  readonly #accounts = new Map<string, Set<string>>();

  constructor(obligations: readonly GeneratedObligation[]) {
    for (const obligation of obligations) {
      this.#open.set(obligation, obligation.cents);
      this.#byId.set(obligation.id, obligation);
      const { id, account, isKnown } = obligation.investor;
      this.#accounts.set(id, new Set(isKnown ? [account] : []));
    }
  }

  open(upToCall: number): OpenObligation[] {
    return [...this.#open]
      .filter(([{ call }, cents]) => call <= upToCall && cents > 0n)
      .map(([{ id, dueDate, reference, investor }, cents]) => ({
        id,
        direction: 'in',
        open: fromScaled(cents, 2),
        currency: 'USD',
        dueDate,
        reference,
        party: investor.id,
        partyName: investor.name,
        groupName: investor.group,
        partyAccounts: [...this.#accounts.get(investor.id)!],
        fundIds: null,
      }));
  }

  /** As a person does in the end: what the payer meant is paid, and its account is remembered. */
  settle({ cents, charges, right, account }: Line): void {
    if (right === null) return;
    let left = cents + (charges ?? 0n);
    const parties = new Set<string>();
    for (const id of right) {
      const obligation = this.#byId.get(id)!;
      const open = this.#open.get(obligation)!;
      const part = open < left ? open : left;
      left -= part;
      // What is short within the tolerance is closed with a difference.
      this.#open.set(obligation, open - part <= 5000n ? 0n : open - part);
      parties.add(obligation.investor.id);
    }
    if (account !== null) for (const party of parties) this.#accounts.get(party)!.add(account);
  }

  statesAll({ right, text }: Line): boolean {
    const stated = new Set(findPaymentReferences(text));
    return [...(right ?? [])].every((id) =>
      findPaymentReferences(this.#byId.get(id)!.reference).every((key) => stated.has(key)),
    );
  }

  isKnown(line: Line): boolean {
    return [...(line.right ?? [])].every((id) =>
      this.#accounts.get(this.#byId.get(id)!.investor.id)!.has(line.account ?? ''),
    );
  }
}

interface Score {
  automatic: number;
  /** Automatic ones of those that are permitted. */
  automaticPermitted: number;
  readonly wrong: string[];
  /** With a right answer. */
  answerable: number;
  firstRight: number;
  /** With a right answer, its references unspoiled, the exact amount, and an account that is known for each party. */
  permitted: number;
  /** With a right answer, and all its references unspoiled. */
  stated: number;
  /** By the confidence of first suggestions, in tens. */
  readonly bands: Map<number, { right: number; all: number }>;
}

const isRight = (line: Line, suggestion: MatchSuggestion | undefined): boolean =>
  suggestion !== undefined &&
  line.right !== null &&
  suggestion.allocations.length === line.right.size &&
  suggestion.allocations.every(({ obligation }) => line.right!.has(obligation));

function score(total: Score, lines: readonly Line[], book: Book, open: readonly OpenObligation[]): void {
  const suggestions = suggestMatches(lines.map(paymentOf), open);
  const openById = new Map(open.map((each) => [each.id, toScaled(each.open, 2)]));
  const taken = new Map<string, bigint>();
  for (const line of lines) {
    const found = suggestions.get(line.id) ?? [];
    const first = found[0];
    // What was paid before is open no longer, so there is nothing that could be found.
    const hasAnswer = line.right !== null && [...line.right].every((id) => openById.has(id));
    const right = isRight(line, first);
    if (first !== undefined) {
      const band = Math.floor(first.confidence / 10) * 10;
      const counts = total.bands.get(band) ?? { right: 0, all: 0 };
      total.bands.set(band, { right: counts.right + Number(right), all: counts.all + 1 });
    }
    if (hasAnswer) {
      total.answerable += 1;
      total.firstRight += Number(right);
      total.stated += Number(book.statesAll(line));
      if (line.isPlain && book.isKnown(line)) {
        total.permitted += 1;
        total.automaticPermitted += Number(first?.isAutomatic ?? false);
      }
      if (!right && process.argv.includes('--misses')) {
        say(
          `missed ${line.id} ${line.text.replaceAll('\n', '|')} ${line.name} ${line.cents}: ${[...line.right!]} but ${JSON.stringify(found.slice(0, 2))}`,
        );
      }
    }
    for (const suggestion of found.filter(({ isAutomatic }) => isAutomatic)) {
      total.automatic += 1;
      if (!isRight(line, suggestion)) total.wrong.push(`${line.id} (${line.text}, ${line.name})`);
      for (const { obligation, amount } of suggestion.allocations) {
        taken.set(obligation, (taken.get(obligation) ?? 0n) + toScaled(amount, 2));
      }
    }
  }
  for (const [id, amount] of taken) if (amount > openById.get(id)!) throw new Error(`${id} is paid twice`);
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} % (${part} of ${whole})`;

function monthly(total: Score, { obligations, lines }: Ledger): void {
  const book = new Book(obligations);
  for (const [month, ofMonth] of Map.groupBy(lines, (line) => line.month)) {
    score(total, ofMonth, book, book.open(month + 1));
    for (const line of ofMonth) book.settle(line);
  }
}

const emptyScore = (): Score => ({
  automatic: 0,
  automaticPermitted: 0,
  wrong: [],
  answerable: 0,
  firstRight: 0,
  permitted: 0,
  stated: 0,
  bands: new Map(),
});

/** The least that must be done with the same lines: find the references in each, and look them up. */
function floor(lines: readonly Line[], open: readonly OpenObligation[]): number {
  const byReference = new Map(
    open.flatMap(({ id, reference }) => findPaymentReferences(reference ?? '').map((key) => [key, id] as const)),
  );
  return lines.filter(({ text }) => findPaymentReferences(text).some((key) => byReference.has(key))).length;
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const times: number[] = [];
const floors: number[] = [];

function measure(noise: Noise): { byMonth: Score; atOnce: Score } {
  const [byMonth, atOnce] = [emptyScore(), emptyScore()];
  for (let seed = 1; seed <= ledgers; seed += 1) {
    const ledger = generateLedger(seed, size, noise);
    monthly(byMonth, ledger);
    // A year's lines that nobody looked at: all that is open, and all lines, in one call.
    const book = new Book(ledger.obligations);
    const open = book.open(Number.POSITIVE_INFINITY);
    score(atOnce, ledger.lines, book, open);
    const payments = ledger.lines.map(paymentOf);
    times.push(timed(() => suggestMatches(payments, open)));
    floors.push(timed(() => floor(ledger.lines, open)));
  }
  return { byMonth, atOnce };
}

function print(name: string, total: Score): void {
  say(name);
  say(`  wrong automatic matches   ${total.wrong.length} of ${total.automatic}`);
  say(`  automatic of all          ${percent(total.automatic, total.answerable)}: with a right answer`);
  say(
    `  automatic of permitted    ${percent(total.automaticPermitted, total.permitted)}: references unspoiled, exact amount, known account`,
  );
  say(`  right as first suggestion ${percent(total.firstRight, total.answerable)}`);
  say(`  all references unspoiled  ${percent(total.stated, total.answerable)}`);
  for (const [band, { right, all }] of [...total.bands].sort(([left], [other]) => other - left)) {
    say(`    confidence from ${String(band).padStart(2)} %    right ${percent(right, all)}`);
  }
  if (total.wrong.length > 0) throw new Error(`wrong automatic matches: ${total.wrong.slice(0, 10).join('; ')}`);
}

printLoad();
for (const [name, noise] of [
  ['ordinary', ORDINARY],
  ['hard', HARD],
] as const) {
  const { byMonth, atOnce } = measure(noise);
  say(`${name}: ${JSON.stringify(noise)}`);
  print(`${name}, month by month`, byMonth);
  print(`${name}, a year at once`, atOnce);
  if (noise === ORDINARY && byMonth.automatic < byMonth.answerable * LEAST_AUTOMATIC)
    throw new Error('fewer than 70 % are automatic');
  if (byMonth.firstRight < byMonth.answerable * LEAST_RIGHT)
    throw new Error('fewer than 95 % of first suggestions are right');
}
say(
  `${size.lines} lines and ${size.investors * 12} open items in one call: ${median(times).toFixed(0)} ms (at most ${Math.max(...times).toFixed(0)} ms; ${MAX_MS} ms are allowed)`,
);
say(
  `ratio matching ${(median(times) / median(floors)).toFixed(1)} (time to match all lines, against finding and looking up their references)`,
);
