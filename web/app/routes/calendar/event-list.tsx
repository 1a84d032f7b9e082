import { Link } from '@remix-run/react';
import type { CalendarEvent } from '@tapeline/domain/calendar/calendar-event.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { UserType } from '@tapeline/domain/people/actor.ts';
import { CalendarDays } from 'lucide-react';
import { Money, Name } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { StatusChip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Panel } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';
import { eventKey, eventPath, eventTitle, KIND_WORDS } from './event-words.ts';

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

function Row({ event, type }: { event: CalendarEvent; type: UserType }) {
  const Icon = KIND_WORDS[event.kind].icon;
  const to = eventPath(event, type);
  const title = <Name length={60}>{eventTitle(event)}</Name>;
  const isOutsider = type === 'LP' || type === 'company';
  return (
    <li className="relative flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3 py-2 text-sm hover:bg-hover">
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="flex-none text-ink-3" />
      <span className="min-w-0 flex-1">
        {to ? (
          <Link to={to} prefetch="intent" className="font-medium after:absolute after:inset-0 hover:text-accent">
            {title}
          </Link>
        ) : (
          <span className="font-medium">{title}</span>
        )}
        <span className="block text-xs text-ink-3">
          {event.party ? <Name length={60}>{event.party}</Name> : null}
          {event.investors && !isOutsider ? ` · ${formatCount(event.investors, 'investor')}` : null}
          {event.fileId ? (
            <>
              {' · '}
              <a href={paths.download(event.fileId)} className="tap-text relative z-[1] text-accent hover:underline">
                PDF
              </a>
            </>
          ) : null}
        </span>
      </span>
      {event.amounts ? (
        <span className="text-right max-sm:order-last max-sm:w-full max-sm:pl-7 max-sm:text-left">
          {event.amounts.map((amount) => (
            <span key={amount.currency} className="block">
              <Money value={amount} withCurrency zero="figure" />
            </span>
          ))}
        </span>
      ) : null}
      <span className="w-24 flex-none text-right max-sm:w-auto">
        {event.status ? <StatusChip status={event.status} /> : null}
      </span>
    </li>
  );
}

/** The events day by day. */
export function EventList({ events, type }: { events: readonly CalendarEvent[]; type: UserType }) {
  if (events.length === 0) {
    return (
      <Panel>
        <EmptyState icon={CalendarDays} title="Nothing is due in this month">
          Calls, distributions, draws, tapes and the dates of notes and funds are listed here on the day that they fall
          due.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <ol className="grid gap-4">
      {[...Map.groupBy(events, ({ day }) => day)].map(([day, own]) => (
        <li key={day} id={`day-${day}`} className="scroll-mt-16">
          <Panel>
            <h2 className="flex items-baseline gap-2 bg-canvas px-3 py-1.5 text-sm font-semibold">
              <time dateTime={day}>{formatCalendarDate(day)}</time>
              <span className="text-xs font-normal text-ink-3">{WEEKDAY.format(new Date(`${day}T00:00:00Z`))}</span>
            </h2>
            <ul>
              {own.map((event) => (
                <Row key={eventKey(event)} event={event} type={type} />
              ))}
            </ul>
          </Panel>
        </li>
      ))}
    </ol>
  );
}
