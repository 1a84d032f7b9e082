import { StackedBarChart } from '../../../components/charts/bar-chart.tsx';
import { CompanyPicker } from '../../../components/forms/company-picker.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { gapWords } from '../month-gaps.ts';
import type { MonitoringView } from './monitoring.server.ts';

/** A company's pool by status over its tapes, with a company picker. */
export function PoolChart({ charted, picker }: Pick<MonitoringView, 'charted' | 'picker'>) {
  if (!charted || !picker) {
    return (
      <PanelSection title="Pool by status">
        <EmptyState title="No pool yet">The chart appears after the first tape is published.</EmptyState>
      </PanelSection>
    );
  }
  const { pool, name, id } = charted;
  const isChosen = picker.total > 1;
  const measure = pool.currency ? `current balance, ${pool.currency}` : 'number of assets';
  return (
    <StackedBarChart
      title="Pool by status"
      note={[...(isChosen ? [] : [name]), measure, ...gapWords('tape', pool.missing)].join(', ')}
      control={
        isChosen ? (
          <CompanyPicker id="pool-company" picker={picker} chosen={id} isLabelSeen={false} className="flex-nowrap" />
        ) : undefined
      }
      labels={pool.labels}
      series={pool.series}
    />
  );
}
