import { DateText, Figure, Name } from '../../components/figures/figures.tsx';
import { StatusChip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { MoreLink, Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { MonitoringView } from '../../monitoring/monitoring-view.ts';
import { paths } from '../../paths.ts';

const NONE_PUBLISHED = 'No tape of the company is published yet';

/** Where each company's tapes stand. */
export function TapesByCompany({ companies }: Pick<MonitoringView, 'companies'>) {
  return (
    <Section title="Tapes" note="latest of each company" more={<MoreLink to={paths.tapes()}>All tapes</MoreLink>}>
      <Panel>
        <DataTable
          narrow="list"
          caption="Latest tape of each company"
          rows={companies}
          rowKey={(company) => company.id}
          rowTo={(company) => paths.tape(company.latest.id)}
          columns={[
            { key: 'name', head: 'Company', cell: (company) => <Name length={24}>{company.name}</Name> },
            { key: 'at', head: 'Cut-off', cell: (company) => <DateText value={company.latest.cutOffDate} /> },
            { key: 'state', head: 'State', cell: (company) => <StatusChip status={company.latest.state} /> },
            {
              key: 'assets',
              head: 'Assets',
              numeric: true,
              cell: (company) => <Figure value={company.assets} unknown={NONE_PUBLISHED} />,
            },
            {
              key: 'errored',
              head: 'Errored',
              numeric: true,
              cell: (company) => <Figure value={company.errored} unknown={NONE_PUBLISHED} />,
            },
          ]}
          empty={
            <EmptyState title="No tapes yet">
              Upload the first one: it shows the pool and its borrowing base.
            </EmptyState>
          }
        />
      </Panel>
    </Section>
  );
}
