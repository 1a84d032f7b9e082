import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
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
  /** In percent with two decimals; null with the reason. */
  readonly netIrr: string | null;
  readonly irrReason: string | null;
  /** The day of the exchange rates; null if nothing was converted. */
  readonly ratesDate: string | null;
}

const NO_NAV = 'No net asset value is recorded for every investor';

/** A multiple with two decimals: "1.08x". */
const multiple = (value: DecimalText | null): string | null => (value === null ? null : `${Number(value).toFixed(2)}x`);

/** Called, distributed, NAV and net IRR, each with what it relates to. */
export function capitalKeyFigures(capital: ShownCapital): KeyFigure[] {
  const { currency, ratesDate } = capital;
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
      note: dpi ? `DPI ${dpi}` : null,
    },
    {
      label: 'NAV',
      value: <ShortNumber value={capital.nav} zero="figure" unknown={NO_NAV} />,
      unit: capital.nav === null ? null : currency,
      note: [
        ...(capital.navDate ? [`from ${formatCalendarDate(capital.navDate)}`] : []),
        ...(tvpi ? [`TVPI ${tvpi}`] : []),
      ].join(', '),
    },
    {
      label: 'Net IRR',
      value: capital.netIrr === null ? <Unknown reason={capital.irrReason ?? NO_NAV} /> : capital.netIrr,
      unit: capital.netIrr === null ? null : '%',
      note: ratesDate ? `at rates of ${formatCalendarDate(ratesDate)}` : null,
    },
  ];
}
