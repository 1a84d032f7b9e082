import { listCalendarEvents } from '@tapeline/db/operations/calendar/calendar-events.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { EVENT_KIND_NAMES, type EventKind } from '@tapeline/domain/calendar/calendar-event.ts';
import { daysOfMonth, isCalendarMonth, monthOf } from '@tapeline/domain/dates/calendar-month.ts';
import type { Screen } from '../../http/screen.server.ts';

/**
 * The events that the address asks for: those of its month (`?month=2026-11`, otherwise the current one), of one kind
 * (`?kind=`) or of all.
 */
export const askedEvents = ({ url, db }: Pick<Screen, 'url' | 'db'>, { limit }: { limit: number }) =>
  db(async (session) => {
    const today = todayOf(session);
    const given = url.searchParams.get('month');
    const month = isCalendarMonth(given) ? given : monthOf(today);
    const kind: EventKind | undefined = EVENT_KIND_NAMES.find((name) => name === url.searchParams.get('kind'));
    const found = await listCalendarEvents(session, { ...daysOfMonth(month), kind, limit });
    return { ...found, month, kind, today };
  });
