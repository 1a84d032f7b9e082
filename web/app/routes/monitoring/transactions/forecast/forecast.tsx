import { Form, useLoaderData } from '@remix-run/react';
import { forecastOfNote } from '@tapeline/db/operations/invoices/forecast.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { curveSchema, MAX_SHIFT, shiftSchema } from '@tapeline/domain/forecast/forecast.schema.ts';
import type { ForecastPeriod, ForecastUnknown } from '@tapeline/domain/forecast/note-forecast.ts';
import { unknownText } from '@tapeline/domain/invoices/lines.ts';
import { type DecimalText, subtract, toNumber } from '@tapeline/domain/money/decimal.ts';
import { StackedBarChart } from '../../../../components/charts/bar-chart.tsx';
import { Money, Name } from '../../../../components/figures/figures.tsx';
import { formatRate } from '../../../../components/figures/format.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { INPUT, inputClass, Select } from '../../../../components/forms/inputs.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { KeyFigures } from '../../../../components/page/key-figures.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Panel, PanelSection } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';

const whyUnknown = ({ title, ...why }: ForecastUnknown): string => `${title}: ${unknownText(why)}`;

export const loader = readScreen('repayments/read', ({ db, params: { id = '', note = '' }, url }) =>
  db(async (session) => {
    const asked = { rates: url.searchParams.get('rates') ?? '', shift: url.searchParams.get('shift') ?? '' };
    const [rates, shift] = [curveSchema.safeParse(asked.rates), shiftSchema.safeParse(asked.shift)];
    const { periods, ...forecast } = await forecastOfNote(session, {
      transaction: id,
      note,
      currency: url.searchParams.get('currency'),
      curve: { points: rates.data ?? [], shift: shift.data ?? 0 },
    });
    return {
      id,
      noteId: note,
      asked,
      problems: {
        rates: rates.error?.issues[0]?.message ?? null,
        shift: shift.error?.issues[0]?.message ?? null,
      },
      forecast: { ...forecast, periods: periods.map((one) => ({ ...one, unknown: one.unknown.map(whyUnknown) })) },
    };
  }),
);

export const handle = named<typeof loader>(({ id, noteId, forecast }) => [
  [forecast.transactionTitle, paths.transaction(id, { note: noteId, view: 'draws' })],
  'Forecast',
]);

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

const LABEL = 'text-xs font-medium text-ink-2';

function ProblemText({ id, text }: { id: string; text: string | null }) {
  return text === null ? null : (
    <span id={id} role="alert" className="mt-1 block text-xs font-normal text-danger">
      {text}
    </span>
  );
}

/** The base rates of the days after today. A form that is read as it is, so that its result has an address. */
function ChooseCurve({ page: { asked, problems, forecast } }: { page: Page }) {
  const { currencies, currency, baseRate } = forecast;
  return (
    <PanelSection
      title="Base rates"
      note={baseRate ? `${baseRate} after today` : 'the interest is fixed today'}
      padded
      className="max-w-2xl"
    >
      <Form method="get" preventScrollReset className="grid gap-4 sm:grid-cols-2">
        {currencies.length > 1 ? (
          <label className={LABEL} htmlFor="currency">
            Currency
            <Select
              id="currency"
              name="currency"
              defaultValue={currency}
              className="mt-1 font-normal"
              choices={currencies.map((value) => ({ value, label: value }))}
            />
          </label>
        ) : null}
        <label className={`${LABEL} sm:col-span-2`} htmlFor="rates">
          Rates by day (optional)
          <textarea
            id="rates"
            name="rates"
            rows={4}
            defaultValue={asked.rates}
            placeholder="2027-01-01 4.1"
            spellCheck={false}
            aria-invalid={problems.rates !== null}
            aria-describedby={problems.rates === null ? 'rates-hint' : 'rates-problem'}
            className={`${INPUT} mt-1 px-2.5 py-1.5 font-normal max-sm:text-lg`}
          />
          <span id="rates-hint" className="mt-1 block text-xs font-normal text-ink-2">
            One day and rate in each line, in percent. Until the first one, and without any, the latest fixing applies.
          </span>
          <ProblemText id="rates-problem" text={problems.rates} />
        </label>
        <label className={LABEL} htmlFor="shift">
          Shift in basis points (optional)
          <input
            id="shift"
            name="shift"
            inputMode="numeric"
            defaultValue={asked.shift}
            aria-invalid={problems.shift !== null}
            aria-describedby={problems.shift === null ? 'shift-hint' : 'shift-problem'}
            className={inputClass('mt-1 font-normal')}
          />
          <span id="shift-hint" className="mt-1 block text-xs font-normal text-ink-2">
            From -{MAX_SHIFT} to {MAX_SHIFT}; 100 is one percentage point
          </span>
          <ProblemText id="shift-problem" text={problems.shift} />
        </label>
        <div className="sm:col-span-2">
          <Button type="submit" tone="primary">
            Forecast
          </Button>
        </div>
      </Form>
    </PanelSection>
  );
}

const ratesText = ({ rates }: Pick<ForecastPeriod, 'rates'>): string | null =>
  rates && [...new Set([formatRate(rates.lowest), formatRate(rates.highest)])].join(' to ');

/** Periods in a chart. If there are more, it shows years. */
const MAX_BARS = 16;

/** The sums of each period, or of each year where there are many periods. */
function barsOf(periods: Page['forecast']['periods']) {
  const byYear = periods.length > MAX_BARS;
  const groups = Map.groupBy(periods, ({ from, to }) => (byYear ? from.slice(0, 4) : formatCalendarDate(to)));
  type Period = Page['forecast']['periods'][number];
  const figure = (of: (period: Period) => DecimalText | null) =>
    [...groups.values()].map((all) =>
      all.some((period) => of(period) === null)
        ? null
        : all.reduce((total, period) => total + toNumber(of(period) ?? '0'), 0),
    );
  return {
    labels: [...groups.keys()],
    interest: figure(({ interest, inKind }) => interest && subtract(interest, inKind ?? '0')),
    inKind: figure(({ inKind }) => inKind),
    fees: figure(({ fees }) => fees),
    byYear,
  };
}

function Result({ forecast }: { forecast: Page['forecast'] }) {
  const { currency, periods, interest, inKind, fees, total, maturity } = forecast;
  const hasInKind = periods.some((period) => Number(period.inKind) > 0);
  const bars = barsOf(periods);
  const money = (sum: DecimalText | null) => (
    <Money value={sum && { sum, currency }} zero="figure" unknown="A period is unknown" />
  );
  return (
    <>
      <KeyFigures
        figures={[
          { label: 'Interest, forecast', value: money(interest), unit: currency },
          ...(hasInKind ? [{ label: 'Paid in kind, forecast', value: money(inKind), unit: currency }] : []),
          { label: 'Fees, forecast', value: money(fees), unit: currency },
          {
            label: hasInKind ? 'To be paid, forecast' : 'Total, forecast',
            value: money(total),
            unit: currency,
            note: maturity ? `until ${formatCalendarDate(maturity)}` : undefined,
          },
        ]}
      />
      <StackedBarChart
        title="Forecast of interest and fees"
        note={`${currency}, by ${bars.byYear ? 'year' : 'end of the period'}`}
        labels={bars.labels}
        series={[
          { label: hasInKind ? 'Interest to be paid' : 'Interest', values: bars.interest, colour: 1 },
          { label: 'Fees', values: bars.fees, colour: 2 },
          ...(hasInKind ? [{ label: 'Interest paid in kind', values: bars.inKind, colour: 3 as const }] : []),
        ]}
      />
      <TableSection
        title="Forecast by period"
        note="from the first day that is not invoiced; the first day of each period counts, the last does not; without corrections of earlier invoices"
        caption="Forecast of interest and fees by period"
        narrow="cards"
        rows={periods}
        rowKey={({ from }) => from}
        columns={[
          {
            head: 'Period',
            card: 'name',
            total: 'Total',
            oneLine: true,
            cell: ({ from, to }) => `${formatCalendarDate(from)} to ${formatCalendarDate(to)}`,
          },
          {
            head: `Balance\u00a0(${currency})`,
            money: ({ balance }) => balance && { sum: balance, currency },
            zero: 'figure',
            unknown: 'No draw or repayment is recorded for the note',
          },
          { head: 'Rate', quiet: true, cell: (period) => ratesText(period) ?? '' },
          {
            head: `Interest\u00a0(${currency})`,
            money: (period) => period.interest && { sum: period.interest, currency },
            zero: 'figure',
            unknown: ({ unknown }) => unknown.join('. '),
            ...(interest === null ? {} : { total: { sum: interest, currency } }),
          },
          ...(hasInKind
            ? [
                {
                  head: `In\u00a0kind\u00a0(${currency})`,
                  money: (period: Page['forecast']['periods'][number]) =>
                    period.inKind && { sum: period.inKind, currency },
                  zero: 'figure' as const,
                  unknown: ({ unknown }: { unknown: string[] }) => unknown.join('. '),
                  ...(inKind === null ? {} : { total: { sum: inKind, currency } }),
                },
              ]
            : []),
          {
            head: `Fees\u00a0(${currency})`,
            money: (period) => period.fees && { sum: period.fees, currency },
            zero: 'figure',
            unknown: ({ unknown }) => unknown.join('. '),
            ...(fees === null ? {} : { total: { sum: fees, currency } }),
          },
          {
            head: `${hasInKind ? 'To\u00a0be\u00a0paid' : 'Total'}\u00a0(${currency})`,
            card: 'amount',
            money: (period) => period.total && { sum: period.total, currency },
            zero: 'figure',
            unknown: ({ unknown }) => unknown.join('. '),
            ...(total === null ? {} : { total: { sum: total, currency } }),
          },
        ]}
      />
    </>
  );
}

export default function ForecastScreen() {
  const page = useLoaderData<typeof loader>();
  const { problems, forecast } = page;
  // A forecast on other rates than those that are entered would mislead.
  const isRefused = problems.rates !== null || problems.shift !== null;
  const reasons = new Set(forecast.periods.flatMap(({ unknown }) => unknown));
  return (
    <>
      <PageHeader
        title="Forecast"
        facts={[
          <Name key="note" length={80}>{`${forecast.transactionTitle}, ${forecast.noteTitle}`}</Name>,
          `as of ${formatCalendarDate(forecast.asOf)}`,
        ]}
      />
      <p className="mb-6 max-w-[90ch] text-sm text-ink-2">
        Interest and fees that are not invoiced yet, to the end of the term, on the balance of today with approved draws
        that are not due yet, and on the terms of each day. No other draw or repayment is assumed. It is no invoice.
      </p>
      <ChooseCurve page={page} />
      {isRefused ? null : forecast.periods.length === 0 ? (
        <Panel>
          <EmptyState title="Nothing to forecast">
            {forecast.maturity === null
              ? 'The terms have no maturity, so there is no end of the term.'
              : 'Nothing accrues after the last invoice.'}
          </EmptyState>
        </Panel>
      ) : (
        <>
          {reasons.size > 0 ? <Notice tone="warning">Unknown: {[...reasons].join('. ')}.</Notice> : null}
          <Result forecast={forecast} />
        </>
      )}
    </>
  );
}
