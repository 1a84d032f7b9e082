import type { CalendarDate } from '../dates/calendar-day.ts';
import { defaultEventsIn, termsInForce } from '../facilities/in-force.ts';
import type { DefaultEvent } from '../facilities/pricing.schema.ts';
import type { NoteWithoutContracts } from '../facilities/transaction.schema.ts';
import type { InterestStep } from '../interest/accrual.ts';
import { type NoteAmendment, noteVersions, stepsByDay } from './versions.ts';

/** A note with the amendments of its terms. */
export interface AmendedNote {
  /** With the terms of today. */
  readonly note: NoteWithoutContracts;
  /** None if the terms never changed. */
  readonly amendments?: readonly NoteAmendment[];
}

/** Every version of the terms of a note. */
export const versionsOf = ({ note, amendments = [] }: AmendedNote) => noteVersions(note, amendments);

/** The interest terms of each day. Empty if the terms never have any. */
export function interestSteps(amended: AmendedNote): InterestStep[] {
  const steps = stepsByDay(versionsOf(amended), (note) => termsInForce(note).interest ?? null);
  return steps.some(({ value }) => value !== null) ? withDefaults(steps, defaultEventsIn(amended.note)) : [];
}

const lastsOn = (day: CalendarDate, events: readonly DefaultEvent[]): boolean =>
  events.some(({ from, to }) => from <= day && (!to || day < to));

/** The steps divided where an event of default begins or ends, if it costs anything. Several at a time count once. */
function withDefaults(steps: readonly InterestStep[], events: readonly DefaultEvent[]): InterestStep[] {
  if (events.length === 0 || !steps.some(({ value }) => value?.defaultMargin)) return [...steps];
  const days = new Set([
    ...steps.flatMap(({ from }) => from ?? []),
    ...events.flatMap(({ from, to }) => [from, to ?? []].flat()),
  ]);
  const first = steps[0]!;
  const divided = [...days].sort().map((day): InterestStep => {
    const { value } = steps.findLast(({ from }) => from === null || from <= day) ?? first;
    return { from: day, value, ...(lastsOn(day, events) ? { isDefault: true } : {}) };
  });
  return [first, ...divided.filter(({ from }) => first.from === null || from! > first.from)];
}
