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
  return (
    <div className="min-w-0">
      {choices.length > 1 ? <CompanyPicker id="pool-company" companies={choices} chosen={id} className="mb-2" /> : null}
      <StackedBarChart
        title="Pool by status"
        note={`${name}, ${pool.currency ? `outstanding in ${pool.currency}` : 'number of assets'} at each cut-off date`}
        labels={pool.labels}
        series={pool.series}
      />
    </div>
  );
}
