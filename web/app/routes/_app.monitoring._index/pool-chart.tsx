import { StackedBarChart } from '../../components/charts/bar-chart.tsx';
import { CompanyPicker } from '../../components/forms/company-picker.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import type { MonitoringView } from '../../monitoring/monitoring-view.ts';

/** A company's pool by status over its tapes, with the choice of the company. */
export function PoolChart({ charted, choices }: Pick<MonitoringView, 'charted' | 'choices'>) {
  if (!charted) {
    return (
      <Section title="Pool by status">
        <Panel>
          <EmptyState title="No pool yet">It is drawn from the first tape that is published.</EmptyState>
        </Panel>
      </Section>
    );
  }
  const { pool, name, id } = charted;
  const isChosen = choices.length > 1;
  const measure = `${pool.currency ? `outstanding in ${pool.currency}` : 'number of assets'} at each cut-off date`;
  return (
    <StackedBarChart
      title="Pool by status"
      note={isChosen ? measure : `${name}, ${measure}`}
      control={
        isChosen ? (
          <CompanyPicker
            id="pool-company"
            companies={choices}
            chosen={id}
            isLabelSeen={false}
            className="flex-nowrap"
          />
        ) : undefined
      }
      labels={pool.labels}
      series={pool.series}
    />
  );
}
