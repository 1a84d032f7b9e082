import { useLoaderData } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { countryName } from '@tapeline/domain/entities/countries.ts';
import { NO_BALANCE } from '@tapeline/domain/facilities/position-labels.ts';
import { askScores } from '../../../commands/reporting-score.server.ts';
import { DateText, Money, Name } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { totalFigure } from '../../../components/figures/total-figure.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { HistoryPanel } from '../../../components/history/action-list.tsx';
import {
  EntityFacts,
  EntityLists,
  Namesakes,
  PeopleAndFiles,
} from '../../../components/organizations/entity-sections.tsx';
import { PayoutAccounts } from '../../../components/organizations/payout-accounts.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { type KeyFigure, KeyFigures } from '../../../components/page/key-figures.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { ViewTabs } from '../../../components/page/tabs.tsx';
import { useLivePage } from '../../../components/page/use-live-page.ts';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { ItemsTable } from '../deliverables/items-table.tsx';
import { DictionaryMenu } from '../mappings/dictionary-menu.tsx';
import { type CompanyPage, type CompanyView, viewCompany } from './company-page.server.ts';
import { ReportingScores, type Scores } from './reporting-scores.tsx';

export const handle = named<typeof loader>(({ company }) => [company.name]);

export const loader = readScreen('companies/read', async (screen) => {
  const company = await viewCompany(screen);
  const latest = company.tab.view === 'reporting' ? company.tab.latestTape : null;
  return { company, scores: latest === null ? null : await askScores(screen.context, screen.db, latest) };
});

type Facilities = NonNullable<CompanyPage['facilities']>;

const LABELS: Readonly<Record<CompanyView, string>> = {
  overview: 'Overview',
  deliverables: 'Deliverables',
  reporting: 'Reporting',
  details: 'Details',
  history: 'History',
};

/** A total of the active notes. Amounts in several currencies are not added up, and what is missing is said. */
function totalOf(label: string, { totals, known }: Facilities['balance'], notes: number, unknown: string): KeyFigure {
  const covered = known < notes ? `${known} of ${formatCount(notes, 'note')}` : formatCount(notes, 'note');
  return {
    label,
    ...totalFigure(totals, unknown),
    note: covered,
  };
}

function companyFigures({ facilities, tapes, id }: CompanyPage): KeyFigure[] {
  const { notes = 0 } = facilities ?? {};
  return [
    ...(facilities && facilities.total > 0
      ? [
          totalOf('Commitments in force', facilities.commitments, notes, 'No commitment in a main currency'),
          totalOf('Balance', facilities.balance, notes, NO_BALANCE),
          totalOf(facilities.availabilityLabel, facilities.availability, notes, NO_BALANCE),
        ]
      : []),
    ...(tapes
      ? [
          {
            label: 'Loan tapes',
            value: formatFigure(tapes.total),
            note: tapes.latest ? `latest ${formatCalendarDate(tapes.latest)}` : 'none yet',
            to: paths.tapes({ company: id }),
          },
        ]
      : []),
  ];
}

/** The panel of the tab in the address. */
function Panel({ company, scores }: { company: CompanyPage; scores: Scores | null }) {
  const { tab, facilities } = company;
  switch (tab.view) {
    case 'overview':
      return facilities ? <CompanyFacilities facilities={facilities} /> : null;
    case 'deliverables':
      return (
        <ItemsTable
          items={tab.items}
          addTo={company.mayWrite ? paths.newDeliverable({ company: company.id }) : null}
          allTo={paths.deliverables({ company: company.id, state: 'all' })}
        />
      );
    case 'reporting':
      return <ReportingScores scores={scores} name={company.name} />;
    case 'details':
      return (
        <>
          <PayoutAccounts {...tab.payouts} pays="draws" />
          <EntityFacts entity={tab.entity} />
          <EntityLists entity={tab.entity} />
          <PeopleAndFiles connected={tab.connected} domains={tab.domains} />
        </>
      );
    case 'history':
      return tab.history ? <HistoryPanel history={tab.history} /> : null;
  }
}

export default function CompanyScreen() {
  const { company, scores } = useLoaderData<typeof loader>();
  useLivePage(Boolean(scores?.read));
  const figures = companyFigures(company);
  return (
    <>
      <PageHeader
        title={<Name>{company.name}</Name>}
        chip={<StatusChip dot status={company.status} />}
        facts={[
          countryName(company.country),
          ...(company.businessType ? [company.businessType] : []),
          ...(company.externalCode ? [`external code ${company.externalCode}`] : []),
          <>
            created <DateText value={company.createdAt} />
          </>,
        ]}
        actions={
          <>
            {company.mayReadDictionary ? <DictionaryMenu companyId={company.id} /> : null}
            {company.mayInvite ? (
              <LinkButton to={paths.newUser({ organization: `company/${company.id}` })}>Invite a user</LinkButton>
            ) : null}
          </>
        }
        primary={company.mayWrite ? { label: 'Edit', to: paths.editCompany(company.id) } : null}
      />
      <Namesakes
        noun="borrower"
        namesakes={company.namesakes.map(({ id, name }) => ({ id, name, to: paths.company(id) }))}
      />
      {figures.length > 1 ? <KeyFigures figures={figures} /> : null}
      <ViewTabs
        label="Parts of the borrower"
        tabs={company.views.map((view) => ({ view, label: LABELS[view] }))}
        current={company.tab.view}
        to={(view) => paths.company(company.id, { view })}
      />
      <Panel company={company} scores={scores} />
    </>
  );
}

function CompanyFacilities({ facilities: { rows, shown, total, availabilityLabel } }: { facilities: Facilities }) {
  return (
    <TableSection
      title="Facilities"
      note={
        shown < total ? `the latest ${shown} of ${formatFigure(total)}` : formatCount(total, 'facility', 'facilities')
      }
      narrow="list"
      caption="Facilities of the borrower"
      rows={rows}
      rowTo={(row) => paths.transaction(row.transaction, row.note ? { note: row.id } : {})}
      empty={<EmptyState title="No facilities yet" />}
      columns={[
        {
          head: 'Facility',
          cell: (row) => (
            <>
              <Name length={44}>{row.title}</Name>
              {row.note ? <span className="block text-xs text-ink-3">{row.note}</span> : null}
            </>
          ),
        },
        { head: 'Type', cell: (row) => row.type },
        {
          head: 'Commitments in force',
          numeric: true,
          cell: (row) => <Money value={row.commitments} withCurrency unknown="No commitment in the main currency" />,
        },
        {
          head: 'Balance',
          numeric: true,
          cell: (row) => <Money value={row.balance} withCurrency unknown={NO_BALANCE} />,
        },
        {
          head: availabilityLabel,
          numeric: true,
          cell: (row) => <Money value={row.availability} withCurrency zero="figure" unknown={NO_BALANCE} />,
        },
        { head: 'Status', status: (row) => row.status },
      ]}
    />
  );
}
