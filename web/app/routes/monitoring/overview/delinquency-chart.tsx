import { LineChart } from '../../../components/charts/line-chart.tsx';
import { formatPercent } from '../../../components/figures/format.ts';
import { gapWords } from '../month-gaps.ts';
import { delinquencyOverTapes } from './delinquency.ts';
import type { MonitoringView } from './monitoring.server.ts';

/** How much of the charted company's pool is behind on payments, over its tapes. */
export function DelinquencyChart({ charted }: Pick<MonitoringView, 'charted'>) {
  if (!charted) return null;
  const { labels, series } = delinquencyOverTapes(charted.pool);
  if (series.length === 0) return null;
  return (
    <LineChart
      title="Delinquency"
      note={[
        charted.name,
        `% of ${charted.pool.currency ? 'current balance' : 'assets'}`,
        ...gapWords('tape', charted.pool.missing),
      ].join(', ')}
      points={labels}
      series={series}
      format={(value) => formatPercent(value, 1)}
    />
  );
}
