import { useLoaderData } from '@remix-run/react';
import { activityOfInvestor } from '@tapeline/db/operations/capital/activity.ts';
import { activityBasis, closingLines } from '@tapeline/domain/capital/print/activity.ts';
import { DateText, Money, Name } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Facts, Panel, Section } from '../../components/page/section.tsx';
import { activityColumns } from '../../components/tables/activity-columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const handle = named<typeof loader>(
  ({ investor }) => [[investor.title, paths.investor(investor.id)], 'Activity statement'],
  (data) => `Activity statement, ${data.investor.title}`,
);

/** Entries of a currency that the page lists. The files have all of them. */
const MAX_ENTRIES = 200;

export const loader = readScreen('LPs/read', ({ db, params }) =>
  db(async (session) => {
    const { investor, cutOffDate, currencies } = await activityOfInvestor(session, { id: params.id ?? '' });
    return {
      investor,
      cutOffDate,
      currencies: currencies.map(({ entries, ...one }) => ({
        ...one,
        count: entries.length,
        entries: entries.toReversed().slice(0, MAX_ENTRIES),
      })),
    };
  }),
);

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function Activity({ currency, entries, count, closing }: Page['currencies'][number]) {
  const rows = entries.map((entry, index) => ({ ...entry, key: `${index}` }));
  const shown = entries.length < count ? `the latest ${entries.length} of ${count} entries` : 'latest first';
  return (
    <Section title={`Activity in ${currency}`} note={shown}>
      <Panel padded className="mb-2">
        <Facts
          items={closingLines({ closing }).map(([label, sum]) => ({
            label,
            value: <Money value={{ sum, currency }} withCurrency zero="figure" />,
          }))}
        />
      </Panel>
      <Panel>
        <DataTable
          narrow="list"
          caption={`Activity in ${currency}`}
          rows={rows}
          rowKey={(row) => row.key}
          rowTo={(row) => paths.commitment(row.fund, row.commitment)}
          empty={<EmptyState title="No activity yet">Nothing has happened up to today.</EmptyState>}
          columns={activityColumns<(typeof rows)[number]>([{ head: 'Fund', name: (row) => row.fundTitle, length: 40 }])}
        />
      </Panel>
    </Section>
  );
}

export default function InvestorActivityScreen() {
  const { investor, cutOffDate, currencies } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Activity statement"
        facts={[
          <Name key="investor" length={60}>
            {investor.title}
          </Name>,
          <>
            as of <DateText value={cutOffDate} />
          </>,
          formatCount(currencies.length, 'currency', 'currencies'),
        ]}
        actions={
          <>
            <LinkButton external to={paths.investorActivityFile(investor.id, 'pdf')}>
              PDF
            </LinkButton>
            <LinkButton external to={paths.investorActivityFile(investor.id, 'xlsx')}>
              Excel
            </LinkButton>
          </>
        }
      />
      {currencies.length === 0 ? (
        <EmptyState title="No activity yet">The investor has no commitments in force.</EmptyState>
      ) : null}
      {currencies.map((one) => (
        <Activity key={one.currency} {...one} />
      ))}
      <p className="mt-2 max-w-[80ch] text-xs text-ink-3">{activityBasis}</p>
    </>
  );
}
