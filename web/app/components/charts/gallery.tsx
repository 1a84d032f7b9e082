import { Columns } from '../page/section.tsx';
import { BarChart, StackedBarChart } from './bar-chart.tsx';
import { HeatMap } from './heat-map.tsx';
import { LineChart } from './line-chart.tsx';
import { Waterfall } from './waterfall.tsx';

const MONTHS = ['Nov', 'Dec', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct'];
const millions = (values: readonly (number | null)[]) => values.map((value) => (value === null ? null : value * 1e6));

/** Shows each chart once, with sample figures. */
export function ChartGallery() {
  return (
    <>
      <Waterfall
        title="From pool to availability"
        note="USD · click a bar for its assets"
        currency="USD"
        steps={[
          { label: 'Relevant pool', value: '214880412.36', kind: 'level', to: '#pool' },
          { label: 'Ineligible', value: '-15902118.21', kind: 'change', to: '#ineligible' },
          { label: 'Non-performing', value: '-8240660.91', kind: 'change' },
          { label: 'Eligible or performing', value: '190737633.24', kind: 'level' },
          { label: 'Excess concentration', value: '-6214905.44', kind: 'change' },
          { label: 'Advance haircut', value: '-28416500.07', kind: 'change' },
          { label: 'Net borrowing base', value: '156106227.73', kind: 'level' },
          { label: 'Balance', value: '-131250000.00', kind: 'change', tone: 'quiet' },
          { label: 'Availability', value: '24856227.73', kind: 'level', tone: 'result' },
        ]}
      />
      <Columns>
        <LineChart
          title="Called, distributed and NAV"
          note="cumulative, USD, last 12 months"
          points={MONTHS}
          series={[
            { label: 'Called', values: millions([52, 58, 61, 74, 80, 91, 99, 112, 118, 131, 139, 148]) },
            { label: 'NAV', colour: 3, values: millions([47, 53, 52, 65, 66, 76, 78, null, 92, 101, 104, 109]) },
            { label: 'Distributed', colour: 2, values: millions([8, 9, 14, 15, 21, 24, 31, 33, 40, 46, 52, 61]) },
          ]}
        />
        <StackedBarChart
          title="Delinquency over tapes"
          note="outstanding, USD"
          labels={['Jul', 'Aug', 'Sep', 'Oct']}
          series={[
            { label: 'Past due', values: millions([5.1, 6.2, 7.0, 7.4]), colour: 4 },
            { label: 'Delinquent', values: millions([4.0, 4.8, 5.9, 6.1]), colour: 2 },
            { label: 'Default', values: millions([0.9, 1.1, 1.2, 1.4]), colour: 3 },
          ]}
        />
        <BarChart
          title="Pool by state"
          note="USD"
          bars={[
            { label: 'California', value: 26.3e6 },
            { label: 'Texas', value: 23.6e6 },
            { label: 'New York', value: 21.9e6 },
            { label: 'Unknown', value: null },
          ]}
        />
        <HeatMap
          title="Status migration"
          note="per cent of opening balance, 30 Sep to 31 Oct"
          corner="30 Sep \ 31 Oct"
          columns={['Current', '1-29', '30-59', '60-89', '90+', 'Paid']}
          meaning={(row, column) => (column === 5 || column < row ? 'better' : column === row ? 'same' : 'worse')}
          rows={[
            { label: 'Current', cells: [94.1, 2.6, 0.5, 0.1, 0, 2.7].map((points) => ({ points })) },
            { label: '1-29 days', cells: [31.2, 42.8, 18.4, 1.9, 0.2, 5.5].map((points) => ({ points })) },
            { label: '30-59 days', cells: [11, 9.7, 38.1, 32.6, 6.4, 2.2].map((points) => ({ points })) },
            { label: '60-89 days', cells: [6.2, 3.1, 8.8, 35.5, 44.6, 1.8].map((points) => ({ points })) },
            { label: '90 days and over', cells: [1.9, 0.8, 1.2, 4.4, 90.1, 1.6].map((points) => ({ points })) },
          ]}
        />
      </Columns>
    </>
  );
}
