import { Link } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { StepChart, type StepSeries } from '../../../components/charts/step-chart.tsx';
import { DateText } from '../../../components/figures/figures.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Columns, Facts, MoreLink, PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths, pathsOf } from '../../../paths.ts';
import { CommitmentTable } from './commitment-table.tsx';
import type { TabPage } from './fund-page.server.ts';
import { TimelineSection, timelineEditOf } from './timeline.tsx';

type Overview = TabPage<'overview'>;

function CommittedChart({ page }: { page: Overview }) {
  const { tab, currency, date, isInvestor, targetSize, hardCap } = page;
  const steps = tab.series.filter((step) => step.date <= date);
  const [first] = steps;
  if (!first) {
    return (
      <PanelSection title="Committed">
        <EmptyState title="No commitments yet">Commitments over time are drawn here.</EmptyState>
      </PanelSection>
    );
  }
  const constant = (label: string, sum: string, colour: StepSeries['colour']): StepSeries => ({
    label,
    colour,
    steps: [{ date: first.date, value: Number(sum) }],
  });
  const committed: StepSeries = {
    label: isInvestor ? 'Your commitment' : 'Committed',
    colour: 1,
    steps: steps.map((step) => ({ date: step.date, value: Number(step.amount) })),
  };
  return (
    <StepChart
      title="Committed"
      note={`${currency}, since the first closing, until ${formatCalendarDate(date)}`}
      series={
        isInvestor ? [committed] : [committed, constant('Target size', targetSize, 2), constant('Hard cap', hardCap, 3)]
      }
      until={date}
    />
  );
}

function Classes({ page }: { page: Overview }) {
  const { classes } = page.tab;
  if (classes.length === 0) return null;
  return (
    <TableSection
      title="Classes"
      note={page.currency}
      rows={classes}
      rowKey={(row) => row.uniqueKey}
      columns={[
        { head: 'Class', name: (row) => row.name },
        // A key that nobody chose means nothing to a reader.
        ...(classes.every(({ uniqueKey }) => isId(uniqueKey))
          ? []
          : [
              {
                head: 'Key',
                wideOnly: true,
                cell: (row: (typeof classes)[number]) =>
                  isId(row.uniqueKey) ? '' : <span className="font-mono text-xs">{row.uniqueKey}</span>,
              },
            ]),
        ...(page.isInvestor
          ? []
          : [{ head: 'Investors', numeric: true, cell: (row: (typeof classes)[number]) => row.investors }]),
        {
          head: page.isInvestor ? 'Your commitment' : 'Committed',
          money: (row) => row.committed,
          unknown: 'You don’t have permission to see commitments',
        },
      ]}
    />
  );
}

function Parties({ page }: { page: Overview }) {
  const { tab, partners, managementCompany, entity, nonRecyclable } = page;
  const named = ({ id, name }: { id: string; name: string }) =>
    tab.mayReadEntities ? (
      <Link key={id} to={paths.entity(id)} className="block hover:text-accent">
        {name}
      </Link>
    ) : (
      <span key={id} className="block">
        {name}
      </span>
    );
  return (
    <PanelSection title="Parties" padded>
      <Facts
        items={[
          ...(partners.length > 0
            ? [{ label: partners.length === 1 ? 'General partner' : 'General partners', value: partners.map(named) }]
            : []),
          ...(managementCompany ? [{ label: 'Management company', value: named(managementCompany) }] : []),
          ...(entity ? [{ label: 'Entity', value: named(entity) }] : []),
          ...tab.providers.map((provider) => ({
            label: provider.type,
            value: (
              <Link to={pathsOf('serviceProviders').document(provider.id)} className="hover:text-accent">
                {provider.title}
              </Link>
            ),
          })),
          {
            label: 'Recalling distributions',
            value: nonRecyclable ? (
              <>
                not from <DateText value={nonRecyclable.declerationDate} /> on
                {nonRecyclable.fromBeginning ? ', nor any before' : ''}
              </>
            ) : (
              'permitted'
            ),
          },
          ...(page.excludeFromIRR ? [{ label: 'Returns over several funds', value: 'leave this fund out' }] : []),
          ...(page.description ? [{ label: 'Description', value: page.description }] : []),
        ]}
      />
    </PanelSection>
  );
}

export function OverviewPanel({ page }: { page: Overview }) {
  const { id, tab, currency, date, today, classes, isInvestor } = page;
  const seesCommitments = page.views.includes('investors');
  return (
    <>
      <Columns split="wide">
        <div>
          {seesCommitments ? <CommittedChart page={page} /> : null}
          <Classes page={page} />
        </div>
        <Parties page={page} />
      </Columns>
      <TimelineSection timeline={tab.timeline} today={today} editTo={timelineEditOf(page)} />
      {seesCommitments ? (
        <PanelSection
          title={isInvestor ? 'Your commitments' : 'Largest investors'}
          note={
            <>
              {currency}, as of <DateText value={date} />
            </>
          }
          more={
            <MoreLink to={paths.fund(id, { view: 'investors' })}>
              {isInvestor ? 'All commitments' : 'All investors'}
            </MoreLink>
          }
        >
          <CommitmentTable
            caption={isInvestor ? 'Your commitments' : 'Largest investors'}
            rows={tab.largest}
            total={null}
            classes={classes}
          />
        </PanelSection>
      ) : null}
    </>
  );
}
