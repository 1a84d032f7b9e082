import { DateText, Figure, Name } from '../../../components/figures/figures.tsx';
import { formatFigure } from '../../../components/figures/format.ts';
import { StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { MoreLink, Panel, Section } from '../../../components/page/section.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { MonitoringView } from './monitoring-view.ts';

const NONE_PUBLISHED = 'No published tape for this company yet';

/** The latest tape of each company, by the company's name. */
export function TapesByCompany({ companies, companiesTotal }: Pick<MonitoringView, 'companies' | 'companiesTotal'>) {
  const note =
    companies.length < companiesTotal
      ? `latest per company, first ${companies.length} of ${formatFigure(companiesTotal)}`
      : 'latest per company';
  return (
    <Section title="Tapes" note={note} more={<MoreLink to={paths.tapes()}>All tapes</MoreLink>}>
      <Panel>
        <DataTable
          narrow="list"
          caption="Latest tape per company"
          rows={companies}
          rowTo={(company) => paths.tape(company.latest.id)}
          columns={[
            { key: 'name', head: 'Company', cell: (company) => <Name length={24}>{company.name}</Name> },
            { key: 'at', head: 'Cut-off', cell: (company) => <DateText value={company.latest.cutOffDate} /> },
            { key: 'state', head: 'Status', cell: (company) => <StatusChip status={company.latest.state} /> },
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
          empty={<EmptyState title="No tapes yet">Upload a tape to see its pool and borrowing base.</EmptyState>}
        />
      </Panel>
    </Section>
  );
}
