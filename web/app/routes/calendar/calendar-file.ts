import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { readScreen } from '../../http/screen.server.ts';
import { askedEvents } from './calendar.server.ts';
import { icalendarOf } from './icalendar.server.ts';

/** Calendar programs take files of this size without trouble. */
const MAX_EVENTS = 5000;

/** The events that the address asks for as an iCalendar file. */
export const loader = readScreen(null, async (screen) => {
  const { events, total, month } = await askedEvents(screen, { limit: MAX_EVENTS });
  if (total > MAX_EVENTS) {
    throw new Refusal('badRequest', `The month has more than ${MAX_EVENTS} events. Choose one kind of event`);
  }
  const body = icalendarOf(events, { origin: screen.url.origin, type: screen.actor.type, now: new Date() });
  return new Response(body, {
    headers: {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': `attachment; filename="tapeline-${month}.ics"`,
      'cache-control': 'no-store',
    },
  });
});
