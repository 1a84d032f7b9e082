import { Link } from '@remix-run/react';
import type { CalendarEvent } from '@tapeline/domain/calendar/calendar-event.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type CalendarMonth, weeksOfMonth } from '@tapeline/domain/dates/calendar-month.ts';
import type { UserType } from '@tapeline/domain/people/actor.ts';
import { classNames } from '../../components/class-names.ts';
import { formatShort } from '../../components/figures/format.ts';
import { Panel } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';
import { eventAmounts, eventKey, eventPath, eventTitle, KIND_WORDS } from './event-words.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Events that a day of the month shows. The others are in the list, which the day links to. */
const MAX_OF_DAY = 3;

function DayEvent({ event, type }: { event: CalendarEvent; type: UserType }) {
  const Icon = KIND_WORDS[event.kind].icon;
  const title = eventTitle(event);
  const to = eventPath(event, type);
  const inside = (
    <>
      <Icon aria-hidden="true" size={13} strokeWidth={1.75} className="mt-px flex-none text-ink-3" />
      <span className="min-w-0">
        <span className="block truncate font-medium text-ink">{title}</span>
        {event.amounts ? (
          <span className="figures block truncate text-ink-2">
            {event.amounts.map(({ sum, currency }) => `${formatShort(sum)} ${currency}`).join(' and ')}
          </span>
        ) : null}
        {event.party ? <span className="block truncate text-ink-3">{event.party}</span> : null}
      </span>
    </>
  );
  const look = 'flex gap-1.5 rounded-sm px-1 py-0.5 text-2xs leading-[15px]';
  const full = [title, event.party, ...eventAmounts(event)].filter(Boolean).join(', ');
  return to ? (
    <Link to={to} title={full} className={classNames(look, 'hover:bg-hover')}>
      {inside}
    </Link>
  ) : (
    <span title={full} className={look}>
      {inside}
    </span>
  );
}

/** The month as a table of whole weeks. */
export function MonthTable({
  month,
  today,
  events,
  type,
  kind,
}: {
  month: CalendarMonth;
  today: string;
  events: readonly CalendarEvent[];
  type: UserType;
  kind: string | undefined;
}) {
  const byDay = Map.groupBy(events, ({ day }) => day);
  return (
    <Panel>
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">Events of the month</caption>
        <thead>
          <tr className="border-b border-line">
            {WEEKDAYS.map((day) => (
              <th key={day} scope="col" className="h-8 px-2 text-left text-xs font-medium text-ink-3">
                <span aria-hidden="true">{day.slice(0, 3)}</span>
                <span className="sr-only">{day}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOfMonth(month).map((week) => (
            <tr key={week[0]} className="border-b border-line last:border-b-0">
              {week.map((day, index) => {
                const own = byDay.get(day) ?? [];
                const isOutside = !day.startsWith(month);
                return (
                  <td
                    key={day}
                    aria-current={day === today ? 'date' : undefined}
                    className={classNames(
                      'h-[100px] border-l border-line p-1 align-top first:border-l-0',
                      (isOutside || index > 4) && 'bg-canvas',
                    )}
                  >
                    {isOutside ? null : (
                      <>
                        <time
                          dateTime={day}
                          className={classNames(
                            'figures mb-0.5 inline-grid h-5 min-w-5 place-items-center rounded-full px-1 text-xs',
                            day === today ? 'bg-accent font-semibold text-accent-ink' : 'text-ink-2',
                          )}
                        >
                          <span aria-hidden="true">{Number(day.slice(8))}</span>
                          <span className="sr-only">{formatCalendarDate(day)}</span>
                        </time>
                        {own.slice(0, MAX_OF_DAY).map((event) => (
                          <DayEvent key={eventKey(event)} event={event} type={type} />
                        ))}
                        {own.length > MAX_OF_DAY ? (
                          <Link
                            to={paths.calendar({ month, kind, view: 'list', day })}
                            className="block rounded-sm px-1 py-0.5 text-2xs font-medium text-accent hover:underline"
                          >
                            {own.length - MAX_OF_DAY} more
                          </Link>
                        ) : null}
                      </>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
