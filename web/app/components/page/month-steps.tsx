import { Link } from '@remix-run/react';
import { type CalendarMonth, monthAfter } from '@tapeline/domain/dates/calendar-month.ts';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** "November 2026". */
export const monthText = (month: CalendarMonth): string => MONTH.format(new Date(`${month}-01T00:00:00Z`));

/**
 * Links to the months around a month.
 * @param to the address of a month
 * @param children shown next to the links
 */
export function MonthSteps({
  label,
  month,
  to,
  children,
}: {
  label: string;
  month: CalendarMonth;
  to: (month: CalendarMonth) => string;
  children?: ReactNode;
}) {
  const step = (months: number, Icon: typeof ChevronLeft) => {
    const text = monthText(monthAfter(month, months));
    return (
      <Link
        to={to(monthAfter(month, months))}
        aria-label={text}
        title={text}
        prefetch="intent"
        className="inline-grid size-8 place-items-center rounded-md border border-line-strong bg-paper text-ink-2 hover:bg-hover hover:text-ink max-sm:size-10"
      >
        <Icon aria-hidden="true" size={16} strokeWidth={1.75} />
      </Link>
    );
  };
  return (
    <nav aria-label={label} className="no-print mb-3 flex flex-wrap items-center gap-2">
      {step(-1, ChevronLeft)}
      <h2 className="min-w-36 text-center text-base font-semibold">{monthText(month)}</h2>
      {step(1, ChevronRight)}
      {children}
    </nav>
  );
}
