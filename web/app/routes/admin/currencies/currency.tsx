import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { enterRate, removeRate } from '@tapeline/db/operations/currencies/enter-rates.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { decimalOf, divide, toNumber } from '@tapeline/domain/money/decimal.ts';
import { RATE_SOURCE_LABELS } from '@tapeline/domain/money/rates.ts';
import { StepChart } from '../../../components/charts/step-chart.tsx';
import { DateText, Figure, Unknown } from '../../../components/figures/figures.tsx';
import { formatFigure } from '../../../components/figures/format.ts';
import { IntentForm } from '../../../components/forms/intent-form.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Columns, MoreLink, Panel, PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { type CurrencyPage, viewCurrency } from './currency-page.server.ts';
import { EnterRate } from './enter-rate.tsx';
import { enterSchema, removeSchema } from './rate-forms.ts';
import { rateDigits, SPANS } from './rate-words.ts';

export const handle = named<typeof loader>(({ page }) => [page.currency.code]);

export const loader = readScreen('managers/read', async (screen) => ({ page: await viewCurrency(screen) }));

export const action = act({
  enter: intent({
    permission: 'managers/write',
    schema: enterSchema,
    async run(entry, { db }) {
      await db((session) => enterRate(session, entry));
      return redirect(paths.currency(entry.currency, { saved: entry.date }));
    },
  }),
  remove: intent({
    permission: 'managers/write',
    schema: removeSchema,
    async run(removal, { db }) {
      await db((session) => removeRate(session, removal));
      return redirect(paths.currency(removal.currency, { removed: removal.date }));
    },
  }),
});

export default function CurrencyScreen() {
  const { page } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { currency, latest, course, saved, gone } = page;
  const { code, name } = currency;
  const isBase = code === 'USD';
  return (
    <>
      <PageHeader
        title={`${code}, ${name}`}
        facts={[
          `symbol ${currency.symbol}`,
          ...(currency.nativeSymbol === currency.symbol ? [] : [`native symbol ${currency.nativeSymbol}`]),
          `${currency.decimals} decimals`,
          `${formatFigure(String(currency.minorUnits))} minor units in a major unit`,
        ]}
      />
      {saved ? <Notice tone="good">The rate for {formatCalendarDate(saved)} was saved.</Notice> : null}
      {gone ? <Notice tone="good">The rate entered for {formatCalendarDate(gone)} was removed.</Notice> : null}
      {isBase ? (
        <Panel>
          <EmptyState title="The US dollar is the base of all rates">
            Rates of other currencies are units for one US dollar.
          </EmptyState>
        </Panel>
      ) : (
        <>
          <KeyFigures
            label="Latest rate"
            figures={[
              {
                label: 'For one US dollar',
                value: latest ? (
                  <Figure value={latest.rate} digits={rateDigits(latest.rate)} />
                ) : (
                  <Unknown reason="No rate is known" />
                ),
                unit: code,
                note: latest ? <DateText value={latest.date} /> : 'no rate yet',
              },
              {
                label: `For one ${code}`,
                value: latest ? <Inverse rate={latest.rate} /> : <Unknown reason="No rate is known" />,
                unit: 'USD',
                note: latest ? RATE_SOURCE_LABELS[latest.source] : 'amounts convert at 1, with a warning',
              },
            ]}
          />
          {course.length > 1 ? (
            <StepChart
              title="Rate history"
              note={`${code} for one US dollar`}
              zero={false}
              until={page.today}
              format={(value) => formatFigure(String(value))}
              control={<Spans page={page} />}
              series={[{ label: code, steps: course.map(({ date, rate }) => ({ date, value: toNumber(rate) })) }]}
            />
          ) : null}
          <Columns split="wide">
            <RecordedRates page={page} />
            <div className="min-w-0">
              {page.removes ? <RemoveRate page={page} date={page.removes} /> : null}
              {page.mayEnter ? <EnterRate currency={code} today={page.today} answer={answer} /> : null}
            </div>
          </Columns>
        </>
      )}
    </>
  );
}

function Inverse({ rate }: { rate: string }) {
  const inverse = decimalOf(divide('1', rate, 12));
  return <Figure value={inverse} digits={rateDigits(inverse)} />;
}

function Spans({ page }: { page: CurrencyPage }) {
  return (
    <nav aria-label="Period" className="flex gap-3 text-xs">
      {SPANS.map((years) => (
        <Link
          key={years}
          to={paths.currency(page.currency.code, { years })}
          preventScrollReset
          aria-current={years === page.span ? 'true' : undefined}
          className="tap-text text-accent hover:underline aria-[current]:font-semibold aria-[current]:text-ink"
        >
          {years === 1 ? '1 year' : `${years} years`}
        </Link>
      ))}
    </nav>
  );
}

function RecordedRates({ page }: { page: CurrencyPage }) {
  const { rates, currency, mayEnter } = page;
  return (
    <TableSection
      title="Rates"
      note={`${currency.code} for one US dollar`}
      more={page.hasHistory ? <MoreLink to={paths.history({ collection: 'currencies' })}>History</MoreLink> : null}
      caption={`Rates of ${currency.code}`}
      rows={rates}
      rowKey={({ date, source }) => `${date} ${source}`}
      empty={<EmptyState title="No rates yet">Amounts in this currency convert at 1, with a warning.</EmptyState>}
      columns={[
        { head: 'Date', date: ({ date }) => date },
        { head: 'Rate', figure: ({ rate }) => rate },
        {
          head: 'Source',
          cell: ({ source, isInForce }) => (
            <>
              {RATE_SOURCE_LABELS[source]}
              {isInForce ? null : <span className="text-ink-3">, replaced</span>}
            </>
          ),
        },
        {
          head: 'Reason',
          quiet: true,
          cell: ({ reason }) => <span className="inline-block max-w-72 break-words whitespace-normal">{reason}</span>,
        },
        ...(mayEnter
          ? [
              {
                head: <span className="sr-only">Action</span>,
                cell: ({ source, date }: CurrencyPage['rates'][number]) =>
                  source === 'manual' ? (
                    <Link
                      to={paths.currency(currency.code, { remove: date })}
                      preventScrollReset
                      className="tap-text text-accent hover:underline"
                    >
                      Remove<span className="sr-only"> the rate of {formatCalendarDate(date)}</span>
                    </Link>
                  ) : null,
              },
            ]
          : []),
      ]}
      below={<Pagination total={page.total} limit={page.limit} noun="rates" />}
    />
  );
}

function RemoveRate({ page, date }: { page: CurrencyPage; date: string }) {
  return (
    <PanelSection title={`Remove the rate of ${formatCalendarDate(date)}`} note="The next source applies again" padded>
      <IntentForm
        intent="remove"
        sent={{ currency: page.currency.code, date }}
        lines={[{ name: 'reason', label: 'Reason', autoComplete: 'off', hint: 'Kept in the history' }]}
        submit="Remove rate"
        submitting="Removing"
        tone="danger"
        cancelTo={paths.currency(page.currency.code)}
      />
    </PanelSection>
  );
}
