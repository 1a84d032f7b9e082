import type { CalendarEvent } from '@tapeline/domain/calendar/calendar-event.ts';
import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import type { UserType } from '@tapeline/domain/people/actor.ts';
import ical, { ICalEventTransparency } from 'ical-generator';
import { eventAmounts, eventKey, eventPath, eventTitle, KIND_WORDS } from './event-words.ts';

/**
 * Events as an iCalendar file (RFC 5545), each for a whole day. Its `UID` names the document and the day, so a calendar
 * program that reads the file again has no event twice.
 * @param options.note what the calendar says about itself
 */
export function icalendarOf(
  events: readonly CalendarEvent[],
  { origin, type, now, note }: { origin: string; type: UserType; now: Date; note?: string },
): string {
  const calendar = ical({
    name: 'Tapeline',
    prodId: { company: 'Tapeline', product: 'Calendar', language: 'EN' },
    ...(note ? { description: note } : {}),
  });
  for (const event of events) {
    const start = new Date(`${event.day}T00:00:00Z`);
    const path = eventPath(event, type);
    calendar.createEvent({
      id: `${eventKey(event).replaceAll(/[^\w/-]/g, '_')}@tapeline`,
      start,
      end: new Date(start.getTime() + 86_400_000),
      allDay: true,
      stamp: now,
      summary: [eventTitle(event), event.party].filter(Boolean).join(', '),
      description: [...eventAmounts(event), ...(event.status ? [codeLabel(event.status)] : [])].join('\n'),
      categories: [{ name: KIND_WORDS[event.kind].label }],
      // A date that something is due blocks nobody's day.
      transparency: ICalEventTransparency.TRANSPARENT,
      ...(path ? { url: `${origin}${path}` } : {}),
    });
  }
  return calendar.toString();
}
