import { Form } from '@remix-run/react';
import { StackedBarChart } from '../../components/charts/bar-chart.tsx';
import { Button } from '../../components/forms/button.tsx';
import { inputClass } from '../../components/forms/fields.tsx';
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
      {choices.length > 1 ? (
        <Form
          method="get"
          preventScrollReset
          className="mb-2 flex items-center gap-2"
          onChange={(event) => event.currentTarget.requestSubmit()}
        >
          <label htmlFor="pool-company" className="text-xs text-ink-2">
            Company
          </label>
          <span className="w-60 max-w-full">
            <select id="pool-company" name="company" key={id} defaultValue={id} className={inputClass('h-7')}>
              {choices.map((choice) => (
                <option key={choice.id} value={choice.id}>
                  {choice.name}
                </option>
              ))}
            </select>
          </span>
          <noscript>
            <Button type="submit">Show</Button>
          </noscript>
        </Form>
      ) : null}
      <StackedBarChart
        title="Pool by status"
        note={`${name}, ${pool.currency ? `outstanding in ${pool.currency}` : 'number of assets'} at each cut-off date`}
        labels={pool.labels}
        series={pool.series}
      />
    </div>
  );
}
