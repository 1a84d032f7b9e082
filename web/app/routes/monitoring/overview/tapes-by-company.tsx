import { formatFigure } from '../../../components/figures/format.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { MoreLink } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { MonitoringView } from './monitoring.server.ts';

const NONE_PUBLISHED = 'No published tape for this borrower yet';

/** The latest tape of each company, by the company's name. */
export function TapesByCompany({ companies, companiesTotal }: Pick<MonitoringView, 'companies' | 'companiesTotal'>) {
  const note =
    companies.length < companiesTotal
      ? `latest per borrower, first ${companies.length} of ${formatFigure(companiesTotal)}`
      : 'latest per borrower';
  return (
    <TableSection
      title="Tapes"
      note={note}
      more={<MoreLink to={paths.tapes()}>All tapes</MoreLink>}
      narrow="list"
      caption="Latest tape per borrower"
      rows={companies}
      rowTo={(company) => paths.tape(company.latest.id)}
      columns={[
        { head: 'Borrower', name: (company) => company.name, length: 24 },
        { head: 'Cut-off', date: (company) => company.latest.cutOffDate },
        { head: 'Status', status: (company) => company.latest.state },
        { head: 'Assets', figure: (company) => company.assets, unknown: NONE_PUBLISHED },
        { head: 'Errors', figure: (company) => company.errored, unknown: NONE_PUBLISHED },
      ]}
      empty={<EmptyState title="No tapes yet">Upload a tape to see its pool and borrowing base.</EmptyState>}
    />
  );
}
