import type { CalendarDate } from '../dates/calendar-date.ts';
import { add, type DecimalText, isZero, negate, sum } from '../money/decimal.ts';
import type { CAPITAL_ACTIONS } from './capital-document.ts';
import {
  type CapitalFigures,
  type CapitalLedger,
  callAmount,
  capitalFigures,
  distributedBy,
  interestOf,
  isPartPaidBefore,
  type LedgerCall,
  type LedgerDistribution,
  type LedgerWriteOff,
} from './capital-figures.ts';

export type CapitalAction = (typeof CAPITAL_ACTIONS)[number];

/** What a person calls the entries of an activity statement. */
export const CAPITAL_ACTION_LABELS: Readonly<Record<CapitalAction, string>> = {
  cont: 'Capital call',
  dist: 'Distribution',
  commitment: 'Commitment',
  writeOff: 'Write-off',
};

/** One entry of an activity statement, in the currency of the fund. */
export interface ActivityEntry {
  /** A commitment counts from its closing or change, a call from its due date, the others from their cut-off date. */
  readonly date: CalendarDate;
  readonly actionType: CapitalAction;
  /** The number of the call or distribution, or the title of the change; null if it has none. */
  readonly title: string | null;
  /** Set for what a transfer of the interest moved. */
  readonly isTransfer?: true;
  /** Of a commitment that is reduced it is negative. */
  readonly amount: DecimalText;
  /** What was unfunded after the entry. A call that is issued and not yet due has reduced it already. */
  readonly unfunded: DecimalText;
  /** Calls due, less recallable capital and write-offs, after the entry. */
  readonly netCapitalCalled: DecimalText;
}

/** What happened between an investor and a fund up to a day, and the figures of that day. */
export interface ActivityStatement {
  readonly cutOffDate: CalendarDate;
  readonly entries: readonly ActivityEntry[];
  readonly closing: Pick<
    CapitalFigures,
    'activeCommitment' | 'called' | 'distributed' | 'writtenOff' | 'unfunded' | 'netCapitalCalled'
  >;
}

/** Of one day, the commitment comes first: what is called must have been committed. */
const ORDER: readonly CapitalAction[] = ['commitment', 'cont', 'dist', 'writeOff'];

interface Event extends Pick<ActivityEntry, 'date' | 'actionType' | 'title' | 'isTransfer' | 'amount'> {
  /** When a call was issued: from this day it has reduced what is unfunded. */
  readonly issued?: CalendarDate;
  /** What was paid on top of a call, for having closed later or paid late. */
  readonly interest?: DecimalText;
  readonly without: (ledger: CapitalLedger) => CapitalLedger;
}

const except = <Item>(items: readonly Item[], one: Item): readonly Item[] => items.filter((item) => item !== one);

/** What a transfer of the interest moved of what was paid before it: one entry for calls, distributions and write-offs. */
function transferEvents({ navs, commitment, ...ledger }: CapitalLedger): Event[] {
  return navs.flatMap(({ transfer, cutOffDate: date }) => {
    if (!transfer) return [];
    const title = commitment.deltas.find((delta) => delta.transfer === transfer.id)?.title ?? 'Transfer';
    const ofTransfer = <Line extends { cutOffDate: CalendarDate; transfer?: string }>(lines: readonly Line[]) =>
      lines.filter((line) => line.transfer === transfer.id && isPartPaidBefore(line));
    const calls = ofTransfer(ledger.calls);
    const distributions = ofTransfer(ledger.distributions);
    const writeOffs = ofTransfer(ledger.writeOffs);
    const event = (actionType: CapitalAction, lines: readonly unknown[], amounts: readonly DecimalText[]): Event[] =>
      lines.length === 0
        ? []
        : [
            {
              date,
              actionType,
              title,
              isTransfer: true,
              amount: sum(amounts),
              without: (all) => ({
                ...all,
                calls: all.calls.filter((line) => !lines.includes(line)),
                distributions: all.distributions.filter((line) => !lines.includes(line)),
                writeOffs: all.writeOffs.filter((line) => !lines.includes(line)),
              }),
            },
          ];
    return [
      ...event('cont', calls, calls.map(callAmount)),
      ...event('dist', distributions, distributions.map(distributedBy)),
      ...event(
        'writeOff',
        writeOffs,
        writeOffs.map(({ amount }) => amount),
      ),
    ];
  });
}

function eventsOf(ledger: CapitalLedger): Event[] {
  const { commitment } = ledger;
  const { closingDate, activeCommitment, deltas } = commitment;
  // An investor that first takes over from another one.
  const startsWithChange = isZero(activeCommitment) && deltas.some(({ date }) => date === closingDate);
  const isOwn = (line: LedgerCall | LedgerDistribution | LedgerWriteOff) => !isPartPaidBefore(line);
  const calls = ledger.calls.filter(isOwn);
  const distributions = ledger.distributions.filter(isOwn);
  const writeOffs = ledger.writeOffs.filter(isOwn);
  return [
    ...transferEvents(ledger),
    ...(startsWithChange
      ? []
      : [
          {
            date: closingDate,
            actionType: 'commitment' as const,
            title: null,
            amount: activeCommitment,
            without: (all: CapitalLedger) => ({ ...all, commitment: { ...all.commitment, activeCommitment: '0' } }),
          },
        ]),
    ...deltas.map((delta): Event => {
      const { date, amount, title = null } = delta;
      return {
        date,
        actionType: 'commitment',
        title,
        amount,
        without: (ledger) => ({
          ...ledger,
          commitment: { ...ledger.commitment, deltas: except(ledger.commitment.deltas, delta) },
        }),
      };
    }),
    ...calls.map(
      (call): Event => ({
        date: call.dueDate,
        issued: call.cutOffDate,
        actionType: 'cont',
        title: call.callNumber ?? null,
        amount: callAmount(call),
        interest: interestOf(call.purposes),
        without: (ledger) => ({ ...ledger, calls: except(ledger.calls, call) }),
      }),
    ),
    ...distributions.map(
      (distribution): Event => ({
        date: distribution.cutOffDate,
        actionType: 'dist',
        title: distribution.callNumber ?? null,
        amount: distributedBy(distribution),
        without: (ledger) => ({ ...ledger, distributions: except(ledger.distributions, distribution) }),
      }),
    ),
    ...writeOffs.map(
      (writeOff): Event => ({
        date: writeOff.cutOffDate,
        actionType: 'writeOff',
        title: null,
        amount: writeOff.amount,
        without: (ledger) => ({ ...ledger, writeOffs: except(ledger.writeOffs, writeOff) }),
      }),
    ),
  ];
}

/** An entry of several ledgers, whose running figures are of all of them. */
export interface CombinedEntry extends ActivityEntry {
  /** The index of the ledger that has it. */
  readonly ledger: number;
}

/**
 * The activity in several ledgers of one currency up to a day: every entry with what is unfunded and the net capital
 * called in all of them after it. Of entries of one day, each has the figures without those that follow it, except for
 * calls that were issued on an earlier day: they have reduced what is unfunded already.
 */
export function combinedActivity(
  ledgers: readonly CapitalLedger[],
  at: CalendarDate,
): { readonly entries: readonly CombinedEntry[]; readonly closing: ActivityStatement['closing'] } {
  const events = ledgers
    .flatMap((ledger, index) => eventsOf(ledger).map((event) => ({ ...event, ledger: index })))
    .filter(({ date }) => date <= at)
    .sort((a, b) => a.date.localeCompare(b.date) || ORDER.indexOf(a.actionType) - ORDER.indexOf(b.actionType));
  // Most entries are the only one of their day, where the figures of the other ledgers are those of the whole day.
  const ofDay = new Map<string, CapitalFigures>();
  const figuresOn = (index: number, date: CalendarDate): CapitalFigures => {
    const key = `${index} ${date}`;
    const known = ofDay.get(key) ?? capitalFigures(ledgers[index]!, date);
    ofDay.set(key, known);
    return known;
  };
  const entries = events.map(({ without: _, issued: __, interest: ___, ...entry }, index): CombinedEntry => {
    const later = events.slice(index + 1).filter(({ date }) => date === entry.date);
    const totalWithout = (some: typeof events, name: 'unfunded' | 'netCapitalCalled') =>
      sum(
        ledgers.map((ledger, index) => {
          const own = some.filter((event) => event.ledger === index);
          if (own.length === 0) return figuresOn(index, entry.date)[name];
          return capitalFigures(
            own.reduce((held, { without }) => without(held), ledger),
            entry.date,
          )[name];
        }),
      );
    const notIssued = later.filter(({ issued }) => issued === undefined || issued >= entry.date);
    return {
      ...entry,
      unfunded: totalWithout(notIssued, 'unfunded'),
      netCapitalCalled: totalWithout(later, 'netCapitalCalled'),
    };
  });
  const total = (name: keyof ActivityStatement['closing']) =>
    sum(ledgers.map((_, index) => figuresOn(index, at)[name]));
  return {
    entries,
    closing: {
      activeCommitment: total('activeCommitment'),
      called: total('called'),
      distributed: total('distributed'),
      writtenOff: total('writtenOff'),
      unfunded: total('unfunded'),
      netCapitalCalled: total('netCapitalCalled'),
    },
  };
}

/** The activity of an investor in a fund up to a day. */
export function activityStatement(ledger: CapitalLedger, at: CalendarDate): ActivityStatement {
  const { entries, closing } = combinedActivity([ledger], at);
  return { cutOffDate: at, entries: entries.map(({ ledger: _, ...entry }) => entry), closing };
}

/** Money that moved between an investor and a fund. */
export interface CashFlow extends Pick<ActivityEntry, 'date' | 'title'> {
  readonly actionType: Extract<CapitalAction, 'cont' | 'dist'>;
  /** As the investor sees it: negative for a call, which it pays, with interest for having closed later. */
  readonly amount: DecimalText;
}

/** The calls due and the distributions of an activity statement up to a day, the earliest first. */
export const cashFlowsOf = (ledger: CapitalLedger, at: CalendarDate): CashFlow[] =>
  eventsOf({ ...ledger, navs: [] })
    .flatMap(({ date, title, actionType, amount, interest = '0' }): CashFlow[] => {
      if (date > at) return [];
      if (actionType === 'cont') return [{ date, title, actionType, amount: negate(add(amount, interest)) }];
      return actionType === 'dist' ? [{ date, title, actionType, amount }] : [];
    })
    .sort((a, b) => a.date.localeCompare(b.date) || ORDER.indexOf(a.actionType) - ORDER.indexOf(b.actionType));
