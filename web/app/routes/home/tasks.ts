import { businessDaysBetween, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { TapeDueState } from '@tapeline/domain/tapes/tape-due.ts';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { paths } from '../../paths.ts';
import { ageWords } from '../monitoring/overview/age-words.ts';
import { dueWords } from '../monitoring/overview/tape-due-words.ts';

/** Something that waits for the person, and where to do it. */
export interface Task {
  readonly kind: 'draw' | 'tape' | 'errors' | 'call' | 'distribution';
  readonly isUrgent: boolean;
  readonly title: string;
  readonly text: string;
  /** How long it has waited, or until when it has time. */
  readonly when: string;
  readonly to: string;
}

export interface TaskSources {
  readonly draws: readonly {
    id: string;
    status: string;
    company: string;
    amounts: readonly Amount[];
    exceptions: readonly string[];
    waitedDays: number;
  }[];
  readonly tapes: readonly {
    companyId: string;
    companyName: string;
    cutOffDate: string;
    state: TapeDueState;
    daysLeft: number;
    isProcessing: boolean;
  }[];
  readonly errors: readonly {
    id: string;
    name: string;
    schedulerStatus: 'Processing' | 'Completed';
    generationId: string | null;
    failure: string | null;
    counts: { errored: number } | null;
  }[];
  /** Drafts, which have no notices yet. */
  readonly calls: readonly { id: string; callNumber: string; fundTitle: string | null; dueDate: string }[];
  readonly distributions: readonly { id: string; callNumber: string; fundTitle: string | null; cutOffDate: string }[];
  readonly today: string;
}

/** Drafts of calls and distributions: their notices are sent when they are issued. */
function draftTasks({ calls, distributions, today }: Pick<TaskSources, 'calls' | 'distributions' | 'today'>): Task[] {
  const noticesWords = (day: string): string => {
    if (day < today) return 'draft, its date has passed';
    return `notices due in ${formatCount(businessDaysBetween(today, day), 'business day')}`;
  };
  return [
    ...calls.map(
      ({ id, callNumber, fundTitle, dueDate }): Task => ({
        kind: 'call',
        isUrgent: dueDate < today,
        title: [`Capital call ${callNumber}`, fundTitle].filter(Boolean).join(', '),
        text: noticesWords(dueDate),
        when: formatCalendarDate(dueDate),
        to: paths.capitalCall(id),
      }),
    ),
    ...distributions.map(
      ({ id, callNumber, fundTitle, cutOffDate }): Task => ({
        kind: 'distribution',
        isUrgent: cutOffDate < today,
        title: [`Distribution ${callNumber}`, fundTitle].filter(Boolean).join(', '),
        text: noticesWords(cutOffDate),
        when: formatCalendarDate(cutOffDate),
        to: paths.distribution(id),
      }),
    ),
  ];
}

function errorTasks(errors: TaskSources['errors']): Task[] {
  return errors.map((tape) => {
    const failed = tape.generationId === null;
    const rows = tape.counts?.errored ?? 0;
    return {
      kind: 'errors',
      isUrgent: failed,
      title: tape.name,
      text: failed ? (tape.failure ?? 'could not be processed') : `${formatCount(rows, 'errored row')} to correct`,
      when: '',
      to: failed ? paths.tape(tape.id) : paths.tape(tape.id, { view: 'errored' }),
    };
  });
}

/** Tapes that are late or due. One that is being processed has arrived. */
const expected = (tapes: TaskSources['tapes']) =>
  tapes.filter(({ state, isProcessing }) => state !== 'Upcoming' && !isProcessing);

/**
 * What waits for a manager's people: draws to decide, late tapes, tapes with errors, and drafts to issue, in this order.
 */
export function managerTasks({ draws, tapes, errors, ...drafts }: TaskSources): Task[] {
  return [
    ...draws.map((draw): Task => {
      const amounts = draw.amounts.map(({ sum, currency }) => `${formatFigure(sum, 2)} ${currency}`).join(' and ');
      return {
        kind: 'draw',
        isUrgent: false,
        title: `Draw of ${amounts} for ${draw.company}`,
        text: draw.exceptions.length > 0 ? `in review: ${draw.exceptions.join(', ')}` : 'waits for approval',
        when: ageWords(draw.waitedDays),
        to: paths.draw(draw.id),
      };
    }),
    ...expected(tapes)
      .filter(({ state }) => state === 'Late')
      .map(
        (tape): Task => ({
          kind: 'tape',
          isUrgent: true,
          title: `Tape of ${tape.companyName}`,
          text: `for ${formatCalendarDate(tape.cutOffDate)}, not delivered`,
          when: dueWords(tape),
          to: paths.company(tape.companyId),
        }),
      ),
    ...errorTasks(errors),
    ...draftTasks(drafts),
  ];
}

/** What waits for a borrower's people: the tape to upload, and errored rows to correct. */
export function borrowerTasks({ tapes, errors }: Pick<TaskSources, 'tapes' | 'errors'>): Task[] {
  return [
    ...expected(tapes).map(
      (tape): Task => ({
        kind: 'tape',
        isUrgent: tape.state === 'Late',
        title: `Upload the tape for ${formatCalendarDate(tape.cutOffDate)}`,
        text: tape.companyName,
        when: dueWords(tape),
        to: paths.newTape({ company: tape.companyId }),
      }),
    ),
    ...errorTasks(errors),
  ];
}
