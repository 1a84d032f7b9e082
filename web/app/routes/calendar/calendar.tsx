import { redirect } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import {
  feedKey,
  mayHaveFeed,
  ownFeed,
  removeFeed,
  renewFeed,
} from '@tapeline/db/operations/calendar/calendar-feeds.ts';
import { EVENT_KIND_NAMES } from '@tapeline/domain/calendar/calendar-event.ts';
import { type CalendarMonth, monthOf } from '@tapeline/domain/dates/calendar-month.ts';
import { CalendarPlus } from 'lucide-react';
import { z } from 'zod';
import { classNames } from '../../components/class-names.ts';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { buttonClass, LinkButton } from '../../components/forms/button.tsx';
import { CountChips } from '../../components/page/count-chips.tsx';
import { MonthSteps, monthText } from '../../components/page/month-steps.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { ASKED } from '../../http/confirmed.ts';
import { act, confirmedIntent, intent, readScreen, type Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { askedEvents } from './calendar.server.ts';
import { EventList } from './event-list.tsx';
import { KIND_WORDS } from './event-words.ts';
import { MonthTable } from './month-table.tsx';
import { CalendarSubscription, type Subscription } from './subscription.tsx';

/** Events on one page. If the month has more, the page says so. */
const SHOWN = 1000;

export const handle = { title: 'Calendar' };

/** The address of the user's calendar programs; null if there is none. */
async function subscriptionOf({ db, context: { environment } }: Screen): Promise<Subscription | null> {
  const feed = await db(ownFeed);
  if (!feed) return null;
  const { appSecret, publicUrl } = environment;
  return { address: publicUrl + paths.calendarFeed({ key: feedKey(appSecret, feed) }), readAt: feed.readAt };
}

export const loader = readScreen(null, async (screen) => ({
  ...(await askedEvents(screen, { limit: SHOWN })),
  isList: screen.url.searchParams.get('view') === 'list',
  type: screen.actor.type,
  maySubscribe: mayHaveFeed(screen.actor),
  subscription: await subscriptionOf(screen),
}));

const NOTHING = z.object({});
/** Back to the page as it was, without the question in its address. */
const backTo = (url: URL) => {
  url.searchParams.delete(ASKED);
  return redirect(url.pathname + url.search);
};

export const action = act({
  createAddress: intent({
    permission: null,
    schema: NOTHING,
    async run(_, { db, url }) {
      await db(renewFeed);
      return backTo(url);
    },
  }),
  renewAddress: confirmedIntent({
    permission: null,
    schema: NOTHING,
    asks: 'renew',
    async run(_, { db, url }) {
      await db(renewFeed);
      return backTo(url);
    },
  }),
  removeAddress: confirmedIntent({
    permission: null,
    schema: NOTHING,
    asks: 'stop',
    async run(_, { db, url }) {
      await db(removeFeed);
      return backTo(url);
    },
  }),
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

/** Links to the months around, and to the other view. */
function MonthsAndViews({ page: { month, kind, isList, today } }: { page: Page }) {
  const to = (asked: CalendarMonth, list = isList) =>
    paths.calendar({ month: asked, kind, view: list ? 'list' : undefined });
  return (
    <MonthSteps label="Months and views" month={month} to={(asked) => to(asked)}>
      {month === monthOf(today) ? null : <LinkButton to={to(monthOf(today))}>Today</LinkButton>}
      <span className="ml-auto flex max-sm:hidden">
        {(['Month', 'List'] as const).map((label) => {
          const isCurrent = (label === 'List') === isList;
          return (
            <Link
              key={label}
              to={to(month, label === 'List')}
              aria-current={isCurrent ? 'page' : undefined}
              className={buttonClass(
                'plain',
                classNames(
                  label === 'Month' ? 'rounded-r-none' : '-ml-px rounded-l-none',
                  isCurrent && 'bg-selected text-ink',
                ),
              )}
            >
              {label}
            </Link>
          );
        })}
      </span>
    </MonthSteps>
  );
}

/** Links that show one kind of event, with their number. */
function Kinds({ page: { month, kind, isList, counts } }: { page: Page }) {
  const all = Object.values(counts).reduce((total, count) => total + count, 0);
  const items = [
    { name: undefined, label: 'All', count: all },
    ...EVENT_KIND_NAMES.filter((name) => name === kind || (counts[name] ?? 0) > 0).map((name) => ({
      name,
      label: KIND_WORDS[name].label,
      count: counts[name] ?? 0,
    })),
  ];
  return (
    <CountChips
      label="Kinds of events"
      chips={items.map(({ name, label, count }) => ({
        label,
        count,
        to: paths.calendar({ month, kind: name, view: isList ? 'list' : undefined }),
        isCurrent: name === kind,
      }))}
    />
  );
}

export default function Calendar() {
  const page = useLoaderData<typeof loader>();
  const { events, total, month, kind, today, type, isList } = page;
  return (
    <>
      <PageHeader
        title="Calendar"
        facts={[`${formatCount(total, 'event')} in ${monthText(month)}`]}
        actions={
          <LinkButton external icon={CalendarPlus} to={paths.calendarFile({ month, kind })}>
            Download .ics
          </LinkButton>
        }
      />
      <MonthsAndViews page={page} />
      <Kinds page={page} />
      {events.length < total ? (
        <Notice tone="warning">
          The first {formatFigure(events.length)} of {formatFigure(total)} events are shown. Choose one kind of event to
          see the others.
        </Notice>
      ) : null}
      {isList ? null : (
        <div className="max-sm:hidden">
          <MonthTable month={month} today={today} events={events} type={type} kind={kind} />
        </div>
      )}
      <div className={isList ? undefined : 'sm:hidden'}>
        <EventList events={events} type={type} />
      </div>
      {page.maySubscribe ? (
        <div className="no-print mt-[26px]">
          <CalendarSubscription subscription={page.subscription} />
        </div>
      ) : null}
    </>
  );
}
