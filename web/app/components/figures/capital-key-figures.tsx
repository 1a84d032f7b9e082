import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { formatFigure } from '@tapeline/domain/money/format-figure.ts';
import { NO_NAV } from '@tapeline/domain/returns/irr.ts';
import type { ShownReturn } from '@tapeline/domain/returns/shown-return.ts';
import type { KeyFigure } from '../page/key-figures.tsx';
import { ShortNumber, Unknown } from './figures.tsx';

/** Capital figures as of a day, as screens show them. Unknown figures are null. */
export interface ShownCapital {
  readonly currency: string;
  readonly called: DecimalText;
  readonly unfunded: DecimalText;
  readonly distributed: DecimalText;
  readonly nav: DecimalText | null;
  readonly navDate: string | null;
  readonly dpi: DecimalText | null;
  readonly tvpi: DecimalText | null;
  readonly netIrr: ShownReturn;
  /** The day of the exchange rates; null if nothing was converted. */
  readonly ratesDate: string | null;
  /** What the NAV, multiples and IRR cover: "3 of 4 funds, without Alpha Fund"; null if that is everything. */
  readonly covers: string | null;
}

/** A multiple with two decimals: "1.08x". */
const multiple = (value: DecimalText | null): string | null => (value === null ? null : `${Number(value).toFixed(2)}x`);

/** Called, distributed, NAV and net IRR, each with what it relates to. */
export function capitalKeyFigures(capital: ShownCapital): KeyFigure[] {
  const { currency, netIrr, ratesDate, covers } = capital;
  const dpi = multiple(capital.dpi);
  const tvpi = multiple(capital.tvpi);
  return [
    {
      label: 'Called',
      value: <ShortNumber value={capital.called} zero="figure" />,
      unit: currency,
      note: (
        <>
          <ShortNumber value={capital.unfunded} zero="figure" /> unfunded
        </>
      ),
    },
    {
      label: 'Distributed',
      value: <ShortNumber value={capital.distributed} zero="figure" />,
      unit: currency,
      note: dpi ? `DPI ${dpi}${covers ? `, ${covers}` : ''}` : null,
    },
    {
      label: 'NAV',
      value: <ShortNumber value={capital.nav} zero="figure" unknown={NO_NAV} />,
      unit: capital.nav === null ? null : currency,
      note: [
        ...(capital.navDate ? [`from ${formatCalendarDate(capital.navDate)}`] : []),
        ...(tvpi ? [`TVPI ${tvpi}`] : []),
        ...(covers ? [covers] : []),
      ].join(', '),
    },
    {
      label: 'Net IRR',
      value: netIrr.percent === null ? <Unknown reason={netIrr.reason} /> : formatFigure(netIrr.percent, 2),
      unit: netIrr.percent === null ? null : '%',
      note:
        [
          ...(ratesDate ? [`at rates of ${formatCalendarDate(ratesDate)}`] : []),
          ...(covers && netIrr.percent !== null ? [covers] : []),
        ].join(', ') || null,
    },
  ];
}
