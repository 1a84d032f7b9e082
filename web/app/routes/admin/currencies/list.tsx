import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { enterRate } from '@tapeline/db/operations/currencies/enter-rates.ts';
import { RATE_SOURCE_LABELS } from '@tapeline/domain/money/rates.ts';
import { refreshRatesNow } from '../../../commands/rates.server.ts';
import { DateText, Figure, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Columns, MoreLink } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { Converter } from './converter.tsx';
import { type CurrenciesPage, viewCurrencies } from './currencies-page.server.ts';
import { EnterRate } from './enter-rate.tsx';
import { enterSchema, refreshSchema } from './rate-forms.ts';
import { rateDigits } from './rate-words.ts';
import { RefreshNotice, RefreshPanel } from './refresh-panel.tsx';

export const handle = { title: 'Currencies and rates' };

export const loader = readScreen('managers/read', viewCurrencies);

export const action = act({
  enter: intent({
    permission: 'managers/write',
    schema: enterSchema,
    async run(entry, { db }) {
      await db((session) => enterRate(session, entry));
      return redirect(paths.currency(entry.currency, { saved: entry.date }));
    },
  }),
  refresh: intent({
    permission: 'managers/write',
    schema: refreshSchema,
    async run(_, { context, actor }) {
      await refreshRatesNow(context, actor);
      return redirect(paths.currencies({ refresh: 'now' }));
    },
  }),
});

export default function CurrenciesScreen() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { refresh } = page;
  const problems = answer?.intent === 'refresh' ? (answer.lastResult.error?.[''] ?? []) : [];
  return (
    <>
      <PageHeader
        title="Currencies and rates"
        facts={[
          formatCount(page.total, 'currency', 'currencies'),
          `${page.rated} with a rate`,
          ...(page.lastUpdate
            ? [
                <>
                  latest rates <DateText value={page.lastUpdate} />
                </>,
              ]
            : []),
        ]}
      />
      {problems.length > 0 ? <Notice tone="danger">{problems.join(' ')}</Notice> : null}
      {refresh ? <RefreshNotice refresh={refresh} /> : null}
      <Columns split="wide">
        <Rates page={page} />
        <div className="min-w-0">
          <Converter page={page} />
          {refresh ? <RefreshPanel refresh={refresh} /> : null}
          {page.mayEnter ? <EnterRate today={page.today} answer={answer} /> : null}
          {page.actsFor ? (
            <p className="text-xs text-ink-3">
              You act for {page.actsFor}. Rates are for all managers: stop acting for one to refresh or enter them.
            </p>
          ) : null}
        </div>
      </Columns>
    </>
  );
}

function Rates({ page }: { page: CurrenciesPage }) {
  const { rows, showsAll } = page;
  return (
    <TableSection
      title="Rates"
      note="Units for one US dollar"
      more={
        <MoreLink to={paths.currencies({ view: showsAll ? null : 'all' })}>
          {showsAll ? 'Only with a rate' : 'All currencies'}
        </MoreLink>
      }
      caption="Currencies and their latest rates"
      rows={rows}
      rowKey={({ code }) => code}
      rowTo={({ code }) => paths.currency(code)}
      columns={[
        { head: 'Code', cell: ({ code }) => code },
        { head: 'Name', wideOnly: true, cell: ({ name }) => name },
        { head: 'Symbol', quiet: true, wideOnly: true, cell: ({ nativeSymbol }) => nativeSymbol },
        {
          head: 'Rate',
          numeric: true,
          cell: ({ rate }) =>
            rate === null ? (
              <Unknown reason="No rate is known. Amounts convert at 1, with a warning." />
            ) : (
              <Figure value={rate} digits={rateDigits(rate)} zero="figure" />
            ),
        },
        { head: 'Date', cell: ({ origin }) => (origin ? <DateText value={origin.date} /> : null) },
        {
          head: 'Source',
          quiet: true,
          cell: ({ origin, code }) => (origin ? RATE_SOURCE_LABELS[origin.source] : code === 'USD' ? 'Base' : null),
        },
      ]}
    />
  );
}
