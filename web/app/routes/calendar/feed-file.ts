import type { LoaderFunctionArgs } from '@remix-run/node';
import { feedEvents, openFeed } from '@tapeline/db/operations/calendar/calendar-feeds.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { formatFigure } from '../../components/figures/format.ts';
import { refusalAnswer } from '../../http/errors.server.ts';
import { icalendarOf } from './icalendar.server.ts';

const HEADERS = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' };

/**
 * The calendar of the user whose key the address has, for calendar programs, which do not sign in. What it has is what
 * the user may see now.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { store, environment, facts } = context;
  const key = new URL(request.url).searchParams.get('key') ?? '';
  const now = new Date();
  try {
    const actor = await openFeed(store, { appSecret: environment.appSecret, key, now });
    if (!actor) {
      return new Response('This calendar address is not valid. Copy the current one from the calendar page.', {
        status: 404,
        headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' },
      });
    }
    facts.userId = actor.userId;
    const { events, total, until } = await store.read(actor, feedEvents);
    const body = icalendarOf(events, {
      origin: environment.publicUrl,
      type: actor.type,
      now,
      ...(events.length < total
        ? { note: `The first ${formatFigure(events.length)} events, until ${formatCalendarDate(until)}` }
        : {}),
    });
    return new Response(body, { headers: { ...HEADERS, 'content-type': 'text/calendar; charset=utf-8' } });
  } catch (error) {
    if (isRefusal(error)) throw refusalAnswer(context, error);
    throw error;
  }
}
