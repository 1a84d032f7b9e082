import type { CalendarDate } from '../dates/calendar-date.ts';
import { type PeriodReading, readDate } from './dates.ts';
import type { Choice } from './question-reader.ts';
import type { Names } from './subjects.ts';
import { stemsOf, type Token, tokenize } from './tokens.ts';
import type { NamedValue } from './vocabulary.ts';
import { COMMON_WORDS } from './words.ts';

const OF_FACILITIES = {
  availability: 'availability, available to draw, still available, available, undrawn availability, headroom',
  balance:
    'balance, outstanding balance, drawn balance, drawn amount, amount drawn, outstanding, owed, owe, amount owed',
  netBB: 'net borrowing base, borrowing base, net bb',
  undrawn: 'undrawn, undrawn amount, undrawn commitment',
  utilization: 'utilization, utilisation, utilization rate, utilized, utilised',
  commitments: 'facility size, facility limit, commitment, commitments, total commitment, maximum commitment',
  maturity: 'maturity, maturity date, mature, due for repayment, due, expire, end date',
} as const;

/** Figures of funds and investors, as of a day. */
const OF_CAPITAL = {
  nav: 'nav, net asset value, net nav',
  grossNav: 'gross nav, gross net asset value, gross asset value',
  netIrr: 'net irr, net internal rate of return, net return',
  grossIrr: 'gross irr, gross internal rate of return, gross return',
  irr: 'irr, internal rate of return',
  tvpi: 'tvpi, total value to paid in, net multiple, multiple',
  dpi: 'dpi, distributed to paid in',
  rvpi: 'rvpi, residual value to paid in',
  called: 'called, called capital, capital called, total called, called amount, total capital called, paid in capital',
  netCapitalCalled: 'net capital called, net called capital, net called',
  distributed:
    'distributed, total distributed, distribute, paid out, total distributions, total distribution, distributed amount',
  unfunded:
    'unfunded, unfunded commitment, unfunded commitments, unfunded amount, uncalled, uncalled capital, uncalled commitment, left to call, remaining commitment',
  activeCommitment: 'committed, total commitments, total commitment, commitment, committed capital',
  recallableCapital: 'recallable capital, recallable',
  writtenOff: 'written off, write offs, total write offs, write-offs',
} as const;

export type FacilityFigure = keyof typeof OF_FACILITIES;
export type CapitalFigure = keyof typeof OF_CAPITAL;

/** What figures are called in answers. */
export const FIGURE_LABELS: Readonly<Record<FacilityFigure | CapitalFigure, string>> = {
  availability: 'Availability',
  balance: 'Balance',
  netBB: 'Net borrowing base',
  undrawn: 'Undrawn',
  utilization: 'Utilization',
  commitments: 'Commitments',
  maturity: 'Maturity',
  nav: 'NAV',
  grossNav: 'Gross NAV',
  netIrr: 'Net IRR',
  grossIrr: 'Gross IRR',
  irr: 'IRR',
  tvpi: 'TVPI',
  dpi: 'DPI',
  rvpi: 'RVPI',
  called: 'Called',
  netCapitalCalled: 'Net capital called',
  distributed: 'Distributed',
  unfunded: 'Unfunded',
  activeCommitment: 'Committed',
  recallableCapital: 'Recallable capital',
  writtenOff: 'Written off',
};

/** Amounts that add up over time: what they were in a period is the difference of two days. */
const CUMULATIVE: ReadonlySet<string> = new Set(['called', 'distributed', 'writtenOff']);
/** Words that are figures only in a question for one: "what is the balance", but not "balance over 5k". */
const ONLY_ASKED: ReadonlySet<string> = new Set(
  'available, balance, outstanding, owed, owe, commitment, commitments, due, called, distributed, distribute, committed, paid out, mature, expire, maturity, recallable, written off, multiple, net return'
    .split(', ')
    .map(stemsOf),
);

/** Of these, the ones that a name makes a figure: "balance of Acme". */
const BY_NAME: ReadonlySet<string> = new Set(['balance', 'maturity', 'commitment']);

/** A question for one figure, with the ids of what it is about. */
export type FigureReading =
  | {
      readonly kind: 'facility';
      readonly figure: FacilityFigure;
      /** Facilities of these companies, and these; both empty: all. */
      readonly companies: readonly string[];
      readonly transactions: readonly string[];
    }
  | {
      readonly kind: 'capital';
      readonly figure: CapitalFigure;
      readonly fund: string | null;
      readonly investor: string | null;
      /** The days of what happened in a period; otherwise null. */
      readonly from: CalendarDate | null;
      readonly at: CalendarDate | null;
    }
  | { readonly kind: 'asks'; readonly text: string; readonly choices: readonly Choice[] };

export interface FigureContext {
  readonly names: Names;
  readonly today: CalendarDate;
  /** Whether the person sees the whole of a manager, and so has no figures of its own. */
  readonly isManager: boolean;
  /** Which figures the person may read. */
  readonly sees: { readonly facilities: boolean; readonly capital: boolean };
}

const STARTERS =
  /^\s*(what|what's|whats|how much|how large|how big|when|tell|show|give|which date|total|current|my|our)\b/i;
const COUNTING = /\bhow many\b|\bnumber of\b|\bcount of\b/i;
/** Words that say nothing where a figure is asked for. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(
  "what, what's, whats, how, much, large, big, is, are, was, were, be, been, the, a, an, of, for, in, on, at, to, by, from, with, has, have, had, do, does, did, can, could, will, we, i, you, our, my, us, me, it, its, their, they, tell, show, give, please, currently, current, now, still, so, far, already, yet, left, date, capital, money, amount, figure, fund, facility, deal, transaction, investor, company, account, there, right, altogether, overall, total, get, and, when, which, latest, today's, borrower, lp, under, within, against, that, this, paid".split(
    ', ',
  ),
);
const OWN: ReadonlySet<string> = new Set(['my', 'our', 'we', 'i', 'us', 'me']);
const ALL: ReadonlySet<string> = new Set(['all', 'total', 'overall', 'altogether', 'every', 'whole', 'firm']);
const IN_PERIOD: ReadonlySet<string> = new Set(['in', 'during', 'over', 'for', 'within', 'between', 'since', 'from']);

function phrasesOf<Name extends string>(figures: Readonly<Record<Name, string>>): ReadonlyMap<string, Name> {
  const all = Object.entries(figures) as [Name, string][];
  return new Map(
    all.flatMap(([name, phrases]) => phrases.split(', ').map((phrase) => [stemsOf(phrase), name] as const)),
  );
}
const FACILITY_PHRASES = phrasesOf(OF_FACILITIES);
const CAPITAL_PHRASES = phrasesOf(OF_CAPITAL);
const LONGEST_PHRASE = 6;

type Reference = 'fund' | 'investor.id' | 'company' | 'transaction';
const REFERENCES: readonly Reference[] = ['fund', 'investor.id', 'company', 'transaction'];

/** The documents that a name, or the beginning of one, can mean. */
type Named = Readonly<Record<Reference, readonly NamedValue[]>>;

/**
 * Reads a question for a figure: "what is the availability of Northwind", "net IRR of Harbor II at the end of 2025".
 * Every word is accounted for.
 * @returns null if it is none, and so may be a question for a list
 */
export function readFigureQuestion(question: string, context: FigureContext): FigureReading | null {
  if (question.length > 500 || COUNTING.test(question)) return null;
  return new FigureReader(question, context).read();
}

class FigureReader {
  private readonly question: string;
  private readonly tokens: readonly Token[];
  private readonly context: FigureContext;
  private readonly isAsked: boolean;
  private readonly facility = new Set<FacilityFigure>();
  private readonly capital = new Set<CapitalFigure>();
  private readonly named: { said: string; found: Named }[] = [];
  private readonly unknown: string[] = [];
  private isOwn = false;
  private isAll = false;
  /** "All funds", but not "funds with an IRR of 10 %". */
  private isOfSeveral = false;
  /** The figure is one only of what is named: "balance of Acme". */
  private isByName = false;
  private date: { reading: PeriodReading; isPeriod: boolean; isSince: boolean } | null = null;

  constructor(question: string, context: FigureContext) {
    this.question = question;
    this.tokens = tokenize(question);
    this.context = context;
    this.isAsked = STARTERS.test(question);
  }

  read(): FigureReading | null {
    for (let at = 0; at < this.tokens.length; ) at = this.readAt(at);
    const isFigure = this.facility.size + this.capital.size > 0;
    if (!isFigure) return null;
    if (this.isOfSeveral && !this.isAll && !this.isOwn) return null;
    if (this.isByName && this.named.length === 0) return null;
    // "How much of Alder's commitment is unfunded"
    if (this.capital.size > 1) this.capital.delete('activeCommitment');
    if (this.unknown.length === 0) return this.answer();
    // "What is the availability of Zebra": a name that is not known.
    const isName = this.unknown.every((word) => /^\p{Lu}/u.test(word));
    return this.isAsked && isName && this.named.length === 0 ? this.askWho() : null;
  }

  private stems(at: number, length: number): string {
    return this.tokens
      .slice(at, at + length)
      .map(({ kind, stem }) => (kind === 'quoted' ? '“' : stem))
      .join(' ');
  }

  private word(at: number): string {
    return this.tokens[at]?.lower ?? '';
  }

  /** Reads the longest that begins at the token. @returns the token after it */
  private readAt(at: number): number {
    const date = this.readDateAt(at);
    if (date) return date;
    const name = this.readNameAt(at);
    const figure = this.readFigureAt(at);
    if (figure && figure.next >= (name?.next ?? 0)) {
      if (figure.facility) this.facility.add(figure.facility);
      if (figure.capital) this.capital.add(figure.capital);
      return figure.next;
    }
    if (name) {
      this.named.push({ said: name.said, found: name.found });
      return name.next;
    }
    const word = this.word(at);
    if (OWN.has(word)) this.isOwn = true;
    if (ALL.has(word)) this.isAll = true;
    const isKnown = SAYS_NOTHING.has(word) || ALL.has(word) || OWN.has(word);
    if (!isKnown && SAYS_NOTHING.has(this.tokens[at]?.stem ?? '')) this.isOfSeveral = true;
    else if (!isKnown) this.unknown.push(this.tokens[at]?.text ?? '');
    return at + 1;
  }

  private readFigureAt(at: number): { facility?: FacilityFigure; capital?: CapitalFigure; next: number } | null {
    const { sees } = this.context;
    // "How much can Acme still draw"
    if (sees.facilities && this.word(at) === 'draw' && /\bcan\b|\bable to\b/i.test(this.question))
      return { facility: 'availability', next: at + 1 };
    for (let length = Math.min(LONGEST_PHRASE, this.tokens.length - at); length > 0; length--) {
      const phrase = this.stems(at, length);
      const facility = sees.facilities ? FACILITY_PHRASES.get(phrase) : undefined;
      const capital = sees.capital ? CAPITAL_PHRASES.get(phrase) : undefined;
      if (!facility && !capital) continue;
      // "Show the commitments of Alder" asks for a list.
      const isList = phrase === 'commitment' && this.word(at) !== phrase;
      if (phrase === 'due' && !/^\s*when\b/i.test(this.question)) return null;
      if (isList || (ONLY_ASKED.has(phrase) && !this.isAsked && !BY_NAME.has(phrase))) return null;
      if (ONLY_ASKED.has(phrase) && !this.isAsked) this.isByName = true;
      return { ...(facility ? { facility } : {}), ...(capital ? { capital } : {}), next: at + length };
    }
    return null;
  }

  private readDateAt(at: number): number | null {
    const { today } = this.context;
    let from = at;
    const word = this.word(at);
    if (word === 'as' && ['of', 'at', 'on'].includes(this.word(at + 1))) from += 2;
    else if (['at', 'on', 'by', 'until', 'per', ...IN_PERIOD].includes(word)) from += 1;
    const reading = readDate(this.tokens, from, today);
    if (!reading) return null;
    // "Q3 2026" without a word before it is a period.
    const isDay = reading.from === reading.to;
    const isPeriod = IN_PERIOD.has(word) || (from === at && !isDay);
    if (this.date) this.unknown.push(this.tokens[at]?.text ?? '');
    this.date = {
      reading,
      isPeriod: isPeriod && !(isDay && word !== 'since' && word !== 'from'),
      isSince: word === 'since' || word === 'from',
    };
    return reading.next;
  }

  /** The longest name, or beginning of one, at the token. */
  private readNameAt(at: number): { said: string; found: Named; next: number } | null {
    const most = Math.min(12, this.tokens.length - at);
    const first = this.stems(at, 1);
    if (REFERENCES.every((kind) => !namesOf(this.context.names, kind).firsts.has(first))) return null;
    for (let length = most; length > 0; length--) {
      const phrase = this.stems(at, length);
      if (length === 1 && (phrase.length < 3 || COMMON_WORDS.has(phrase) || SAYS_NOTHING.has(phrase))) continue;
      const found = this.documentsNamed(phrase);
      if (REFERENCES.every((kind) => found[kind].length === 0)) continue;
      const said = this.question.slice(this.tokens[at]?.start, this.tokens[at + length - 1]?.end);
      return { said: said.replace(/['’]s$/, ''), found, next: at + length };
    }
    return null;
  }

  /** Whole names win over names that only begin so. */
  private documentsNamed(phrase: string): Named {
    const of = (kind: Reference): readonly NamedValue[] => {
      const { keys } = namesOf(this.context.names, kind);
      const exact = keys.filter(({ key }) => key === phrase);
      return (exact.length > 0 ? exact : keys.filter(({ key }) => key.startsWith(`${phrase} `))).map(
        ({ named }) => named,
      );
    };
    return {
      fund: of('fund'),
      'investor.id': of('investor.id'),
      company: of('company'),
      transaction: of('transaction'),
    };
  }

  private askWho(): FigureReading {
    return {
      kind: 'asks',
      text: `I did not understand ${this.unknown.map((word) => `“${word}”`).join(', ')}. Name a fund, an investor, a company or a facility that you can see.`,
      choices: [],
    };
  }

  private answer(): FigureReading | null {
    const kinds = { facility: this.facility.size > 0, capital: this.capital.size > 0 };
    // "Commitment" is a figure of both: what is named decides.
    const namesCapital = this.named.every(({ found }) => found.fund.length + found['investor.id'].length > 0);
    const namesFacilities = this.named.every(({ found }) => found.company.length + found.transaction.length > 0);
    const isFacility = kinds.facility && (!kinds.capital || (namesFacilities && this.named.length > 0));
    if (isFacility)
      return this.facility.size === 1 && namesFacilities ? this.ofFacilities([...this.facility][0]!) : null;
    return this.capital.size === 1 && namesCapital ? this.ofCapital([...this.capital][0]!) : null;
  }

  private ofFacilities(figure: FacilityFigure): FigureReading | null {
    if (this.date && this.date.reading.to !== this.context.today) {
      // "What matures in 2028"
      if (figure === 'maturity') return null;
      return {
        kind: 'asks',
        text: `${FIGURE_LABELS[figure]} of a facility is known as of today. Ask without a date, or open the borrowing base of that day.`,
        choices: [],
      };
    }
    if (this.named.length > 1) return null;
    const [name] = this.named;
    if (!name && this.context.isManager && !this.isOwn && !this.isAll) return this.askOf('facility', ['transaction']);
    const ids = (values: readonly NamedValue[] = []) => values.map(({ value }) => String(value));
    return {
      kind: 'facility',
      figure,
      companies: ids(name?.found.company),
      transactions: ids(name?.found.transaction),
    };
  }

  private ofCapital(figure: CapitalFigure): FigureReading | null {
    if (this.date?.isPeriod && !CUMULATIVE.has(figure)) {
      const { to } = this.date.reading;
      return {
        kind: 'asks',
        text: `${FIGURE_LABELS[figure]} is the figure of a day. Ask, for example, as of ${to}.`,
        choices: [{ label: `As of ${to}`, question: this.asOf(to) }],
      };
    }
    const chosen: Record<'fund' | 'investor', string | null> = { fund: null, investor: null };
    for (const { said, found } of this.named) {
      const options = (['fund', 'investor'] as const).flatMap((kind) =>
        chosen[kind] ? [] : found[kind === 'fund' ? 'fund' : 'investor.id'].map((document) => ({ kind, document })),
      );
      const [only] = options;
      if (!only) return null;
      if (options.length > 1)
        return this.askWhich(
          said,
          options.map(({ document }) => document),
        );
      chosen[only.kind] = String(only.document.value);
    }
    const isOfAll = this.named.length === 0 && this.context.isManager && !this.isOwn && !this.isAll;
    if (isOfAll) return this.askOf('fund or investor', ['fund', 'investor.id']);
    const { today } = this.context;
    const { reading, isPeriod = false, isSince = false } = this.date ?? {};
    // A period that has not ended yet is known up to today.
    const until = isSince || (isPeriod && reading && reading.to > today) ? today : (reading?.to ?? null);
    if (until !== null && until > today) return this.ask('That day lies ahead. Ask for a day that has passed.');
    const from = isPeriod && reading ? reading.from : null;
    if (from !== null && from > today) return this.ask('That time lies ahead. Ask for one that has begun.');
    return { kind: 'capital', figure, ...chosen, from, at: until };
  }

  private ask(text: string, choices: readonly Choice[] = []): FigureReading {
    return { kind: 'asks', text, choices };
  }

  private asOf(day: CalendarDate): string {
    const said = this.date ? this.question : '';
    const figure = [...this.capital][0];
    return said === '' || !figure
      ? this.question
      : `${FIGURE_LABELS[figure]}${this.named.map((one) => ` of ${one.said}`).join('')} as of ${day}`;
  }

  private askWhich(said: string, options: readonly NamedValue[]): FigureReading {
    const titles = options.map(({ words }) => words[0] ?? '').slice(0, 8);
    return {
      kind: 'asks',
      text: `“${said}” can mean ${titles.join(' or ')}. Which one?`,
      choices: titles.map((title) => ({ label: title, question: this.question.replace(said, title) })),
    };
  }

  private askOf(what: string, kinds: readonly Reference[]): FigureReading {
    const titles = kinds.flatMap((kind) => (this.context.names[kind] ?? []).map(({ words }) => words[0] ?? ''));
    return {
      kind: 'asks',
      text: `Of which ${what}?`,
      choices:
        titles.length > 8
          ? []
          : titles.map((title) => ({ label: title, question: `${this.question.replace(/[?\s]+$/, '')} of ${title}` })),
    };
  }
}

interface NamesByKey {
  readonly keys: readonly { readonly key: string; readonly named: NamedValue }[];
  /** The first words of the names. */
  readonly firsts: ReadonlySet<string>;
}

const known = new WeakMap<readonly NamedValue[], NamesByKey>();
const NONE: readonly NamedValue[] = [];

function namesOf(names: Names, kind: Reference): NamesByKey {
  const values = names[kind] ?? NONE;
  let found = known.get(values);
  if (!found) {
    const keys = values.flatMap((named) => named.words.map((name) => ({ key: stemsOf(name), named })));
    found = { keys, firsts: new Set(keys.map(({ key }) => key.split(' ')[0] ?? '')) };
    known.set(values, found);
  }
  return found;
}
