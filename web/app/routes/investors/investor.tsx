import { Link, useLoaderData } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { capitalKeyFigures } from '../../components/figures/capital-key-figures.tsx';
import { DateText, Name } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { totalFigure } from '../../components/figures/total-figure.tsx';
import { HistoryPanel } from '../../components/history/action-list.tsx';
import { EntityFacts, EntityLists, PeopleAndFiles } from '../../components/organizations/entity-sections.tsx';
import { StatusChip } from '../../components/page/chip.tsx';
import { type KeyFigure, KeyFigures } from '../../components/page/key-figures.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { ViewTabs } from '../../components/page/tabs.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { DocumentSection } from '../documents/document-section.tsx';
import { InvestorActivity } from './activity-panel.tsx';
import { type InvestorPage, type InvestorView, readInvestorPage } from './investor-page.server.ts';
import { InvestorOverview } from './overview-panel.tsx';
import { InvestorRecord } from './record-panel.tsx';

export const handle = named<typeof loader>(({ title }) => [title]);

export const loader = readScreen('LPs/read', readInvestorPage);

const LABELS: Readonly<Record<InvestorView, string>> = {
  overview: 'Overview',
  activity: 'Activity',
  documents: 'Documents',
  details: 'Details',
  history: 'History',
};

/** What the investor has committed. Amounts in several currencies are not added up. */
function committedFigure({ committed, commitments, today }: NonNullable<InvestorPage['figures']>): KeyFigure {
  return {
    label: 'Committed',
    ...totalFigure(committed, 'No commitment in force'),
    note: `${formatCount(commitments, 'commitment')}, ${formatCalendarDate(today)}`,
  };
}

/** The panel of the tab in the address. */
function Panel({ page }: { page: InvestorPage }) {
  const { tab, id } = page;
  switch (tab.view) {
    case 'overview':
      return <InvestorOverview page={{ ...page, tab }} />;
    case 'activity':
      return <InvestorActivity page={{ ...page, tab }} />;
    case 'documents':
      return <DocumentSection owner={{ investor: id }} {...tab.documents} withReads={tab.withReads} paged />;
    case 'details':
      return (
        <>
          <InvestorRecord page={{ ...page, tab }} />
          <EntityFacts entity={tab.entity} />
          <EntityLists entity={tab.entity} />
          <PeopleAndFiles connected={tab.connected} domains={tab.domains} />
        </>
      );
    case 'history':
      return tab.history ? <HistoryPanel history={tab.history} /> : null;
  }
}

export default function InvestorScreen() {
  const page = useLoaderData<typeof loader>();
  const { id, title, status, group, figures, views, tab } = page;
  const { loggedInCount, totalUsers } = page.lastVisitedStats;
  return (
    <>
      <PageHeader
        title={<Name length={60}>{title}</Name>}
        chip={<StatusChip dot status={status} />}
        facts={[
          ...(group
            ? [
                <Link
                  key="group"
                  to={paths.investorGroup(group.id)}
                  className="tap-text text-accent underline hover:no-underline"
                >
                  {group.title}
                </Link>,
              ]
            : []),
          ...(page.externalCode ? [`external code ${page.externalCode}`] : []),
          `${formatCount(totalUsers, 'user')}, ${loggedInCount} signed in`,
          <>
            created <DateText value={page.createdAt} />
          </>,
        ]}
        primary={page.mayWrite ? { label: 'Edit', to: paths.editInvestor(id) } : null}
      />
      {figures ? (
        <KeyFigures
          figures={[committedFigure(figures), ...(figures.capital ? capitalKeyFigures(figures.capital) : [])]}
        />
      ) : null}
      <ViewTabs
        label="Parts of the investor"
        tabs={views.map((view) => ({ view, label: LABELS[view] }))}
        current={tab.view}
        to={(view) => paths.investor(id, { view })}
      />
      <Panel page={page} />
    </>
  );
}
