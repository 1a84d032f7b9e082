import { activityBasis, closingLines } from '@tapeline/domain/capital/print/activity.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Download } from 'lucide-react';
import { Money } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { LinkMenu } from '../../components/overlays/menu.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Facts, Panel, PanelSection, Section } from '../../components/page/section.tsx';
import { activityColumns } from '../../components/tables/activity-columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import { LateInterest } from '../cash/default-interest.tsx';
import { PaidSection } from '../cash/paid-section.tsx';
import { ENTRIES_PER_PAGE, entriesPage } from './activity-pages.ts';
import type { InvestorTab } from './investor-page.server.ts';

type Activity = InvestorTab<'activity'>['tab'];

function InCurrency({ currency, entries, count, closing }: Activity['currencies'][number]) {
  const rows = entries.map((entry, index) => ({ ...entry, key: `${index}` }));
  return (
    <Section title={`Activity in ${currency}`} note={`${formatCount(count, 'entry', 'entries')}, latest first`}>
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
        <Pagination total={count} limit={ENTRIES_PER_PAGE} noun="entries" name={entriesPage(currency)} />
      </Panel>
    </Section>
  );
}

/** What was called from the investor and paid to it, by currency. */
export function InvestorActivity({ page: { id, tab } }: { page: InvestorTab<'activity'> }) {
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <p className="mr-auto text-sm text-ink-2">Activity statement as of {formatCalendarDate(tab.cutOffDate)}</p>
        <LinkMenu
          label="Export"
          icon={Download}
          links={[
            { to: paths.investorActivityFile(id, 'pdf'), label: 'Activity statement, PDF' },
            { to: paths.investorActivityFile(id, 'xlsx'), label: 'Activity statement, Excel' },
            { to: paths.cashFlows('xlsx', { investor: id }), label: 'Cash flows, Excel' },
            { to: paths.cashFlows('csv', { investor: id }), label: 'Cash flows, CSV' },
          ]}
        />
      </div>
      {tab.currencies.length === 0 ? (
        <PanelSection title="Activity">
          <EmptyState title="No activity yet">The investor has no commitments in force.</EmptyState>
        </PanelSection>
      ) : null}
      {tab.currencies.map((one) => (
        <InCurrency key={one.currency} {...one} />
      ))}
      <p className="mt-2 max-w-[80ch] text-xs text-ink-3">{activityBasis}</p>
      <PaidSection paid={tab.paid} title="Payments of calls" />
      <LateInterest calls={tab.late} title="Default interest" />
    </>
  );
}
