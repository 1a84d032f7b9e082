import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { classNames } from '../class-names.ts';
import type { FigureValue } from './format.ts';
import {
  EN_DASH,
  formatFigure,
  formatInstant,
  formatPercent,
  formatShort,
  MINUS,
  rateDigits,
  shortenName,
} from './format.ts';

interface FigureProps {
  /** Null is unknown and is shown as "n/a". It is never zero. */
  value: FigureValue | null | undefined;
  /** Why the figure is unknown. Shown on hover. */
  unknown?: string;
  /** Zero is shown as an en dash, unless the zero itself matters ("0 errored"). */
  zero?: 'dash' | 'figure';
  className?: string;
}

const isZeroText = (text: string) => !/[1-9]/.test(text);

/** An unknown value, with the reason on hover. */
export function Unknown({ reason = 'Not available' }: { reason?: string }) {
  return (
    <abbr title={reason} className="cursor-help text-ink-3 no-underline">
      n/a
    </abbr>
  );
}

function Written({
  text,
  full,
  zero = 'dash',
  className,
}: { text: string; full?: string } & Omit<FigureProps, 'value'>) {
  if (isZeroText(text) && zero === 'dash') {
    return (
      <span className={classNames('figures text-ink-3', className)}>
        <span aria-hidden="true">{EN_DASH}</span>
        <span className="sr-only">0</span>
      </span>
    );
  }
  return (
    <span
      className={classNames('figures whitespace-nowrap', text.startsWith(MINUS) && 'text-danger', className)}
      title={full && full !== text ? full : undefined}
    >
      {text}
    </span>
  );
}

/** A plain figure: counts, scores, days. `digits` is the number of decimals; if omitted, all are shown. */
export function Figure({ value, digits, unknown, ...rest }: FigureProps & { digits?: number }) {
  if (value === null || value === undefined) return <Unknown reason={unknown} />;
  return <Written text={formatFigure(value, digits)} full={formatFigure(value)} {...rest} />;
}

/**
 * An amount in full, with the decimals of its currency, or with two where it is a bare sum. The currency belongs in the table's header, so it is omitted unless `withCurrency`.
 * @example <Money value={{ sum: '144589166.10', currency: 'USD' }} withCurrency />
 */
export function Money({
  value,
  digits,
  withCurrency = false,
  unknown,
  ...rest
}: Omit<FigureProps, 'value'> & {
  value: { sum: DecimalText; currency: string } | DecimalText | null | undefined;
  digits?: number;
  withCurrency?: boolean;
}) {
  if (value === null || value === undefined) return <Unknown reason={unknown} />;
  const sum = typeof value === 'string' ? value : value.sum;
  const currency = typeof value === 'string' ? null : value.currency;
  return (
    <>
      <Written
        text={formatFigure(sum, digits ?? (currency ? minorUnitDigits(currency) : 2))}
        full={currency ? `${formatFigure(sum)} ${currency}` : formatFigure(sum)}
        {...rest}
      />
      {withCurrency && currency ? <small className="ml-1 text-ink-3">{currency}</small> : null}
    </>
  );
}

export interface MeasuredValue {
  unit: 'percent' | 'money' | 'number';
  value: DecimalText | null | undefined;
  /** Of an amount; omitted where the head of the column has it. */
  currency?: string;
  /** Of a share, after the decimal point. Two if omitted. */
  digits?: number;
}

/** The digits of a column of shares beside their limits: those of the limits, which people agreed on. */
export const limitDigits = (limits: readonly { unit: MeasuredValue['unit']; limit: DecimalText | null }[]): number =>
  rateDigits(...limits.flatMap(({ unit, limit }) => (unit === 'percent' ? [limit] : [])));

/**
 * A value in the unit that it is measured in: a share, an amount, or a plain figure.
 */
export function Measured({ unit, value, currency, digits, ...rest }: FigureProps & MeasuredValue) {
  if (unit === 'percent') return <Percent value={value} digits={digits} zero="figure" {...rest} />;
  if (unit === 'number' || value == null) return <Figure value={value} digits={2} zero="figure" {...rest} />;
  const amount = currency === undefined ? value : { sum: value, currency };
  return <Money value={amount} withCurrency={currency !== undefined} zero="figure" {...rest} />;
}

/** K, M, B short form with the full figure on hover. Set `digits` in a column so that the decimal points align. */
export function ShortNumber({ value, digits, unknown, ...rest }: FigureProps & { digits?: number }) {
  if (value === null || value === undefined) return <Unknown reason={unknown} />;
  return <Written text={formatShort(value, digits)} full={formatFigure(value)} {...rest} />;
}

/**
 * Formats percentage points as a percentage ("4.1" is 4.10%). `bare` omits the sign, which the column's header then
 * shows.
 * @param digits after the decimal point; `stored` is for rates that people agreed on, which are never rounded
 */
export function Percent({
  value,
  digits = 2,
  bare = false,
  unknown,
  ...rest
}: FigureProps & { digits?: number | 'stored'; bare?: boolean }) {
  if (value === null || value === undefined) return <Unknown reason={unknown} />;
  const shown = digits === 'stored' ? rateDigits(value) : digits;
  const text = bare ? formatFigure(value, shown) : formatPercent(value, shown);
  return <Written text={text} full={`${formatFigure(value)}%`} {...rest} />;
}

/**
 * A calendar date ("31 Oct 2026") or, with `time`, an instant ("2 Nov 2026, 09:14 UTC"). Use `bare` if the table's
 * header shows the time zone.
 */
export function DateText({
  value,
  time = false,
  unknown,
}: {
  value: CalendarDate | string | Date | null | undefined;
  time?: boolean | 'bare';
  unknown?: string;
}) {
  if (value === null || value === undefined) return <Unknown reason={unknown} />;
  const iso = value instanceof Date ? value.toISOString() : value;
  return (
    <time dateTime={iso} title={time ? `${iso} (UTC)` : undefined} className="figures whitespace-nowrap">
      {time ? formatInstant(iso) : formatCalendarDate(iso.slice(0, 10))}
      {time === true ? ' UTC' : null}
    </time>
  );
}

/** A name truncated to 30 characters, with the full name on hover. */
export function Name({ children, length }: { children: string; length?: number }) {
  const short = shortenName(children, length);
  return short === children ? children : <span title={children}>{short}</span>;
}

/** Ids and other codes that people copy. */
export function Mono({ children }: { children: React.ReactNode }) {
  return <span className="font-mono text-xs">{children}</span>;
}

/** A share as a thin bar. The figure is always shown next to it, so the bar is hidden from screen readers. */
export function ShareBar({
  fraction,
  tone = 'chart-1',
  width = 'w-14',
}: {
  /** 0 to 1. Larger values are drawn as full. */
  fraction: number;
  tone?: 'chart-1' | 'chart-2' | 'chart-3' | 'chart-4' | 'danger' | 'good';
  width?: string;
}) {
  const percent = Math.max(0, Math.min(1, Number.isFinite(fraction) ? fraction : 0)) * 100;
  return (
    <span
      aria-hidden="true"
      className={classNames('inline-flex h-1.5 overflow-hidden rounded-full bg-line align-middle', width)}
    >
      <span className="h-full" style={{ width: `${percent}%`, background: `var(--${tone})` }} />
    </span>
  );
}
