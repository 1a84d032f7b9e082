import { type DecimalText, divide, isZero, multiply, sum } from '@tapeline/domain/money/decimal.ts';
import { Figure, Money, Name } from '../../components/figures/figures.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';

export interface ShownLine {
  readonly title: string;
  readonly kind: string;
  readonly amount: DecimalText;
}

/** What the money is for, with each line's part of the whole. */
export function Purposes({ lines, currency, whole }: { lines: readonly ShownLine[]; currency: string; whole: string }) {
  const total = sum(lines.map(({ amount }) => amount));
  const partOf = (amount: DecimalText) => (isZero(total) ? null : divide(multiply(amount, '100'), total, 2));
  return (
    <Section title="Purposes" note={currency}>
      <Panel>
        <DataTable
          caption="Purposes"
          rows={lines.map((line, place) => ({ ...line, place }))}
          rowKey={({ place }) => String(place)}
          columns={[
            { key: 'title', head: 'Purpose', cell: (row) => <Name length={60}>{row.title}</Name>, total: whole },
            { key: 'kind', head: 'Kind', cell: (row) => row.kind },
            {
              key: 'amount',
              head: 'Amount',
              numeric: true,
              cell: (row) => <Money value={row.amount} />,
              total: <Money value={total} zero="figure" />,
            },
            {
              key: 'part',
              head: '% of the total',
              numeric: true,
              cell: (row) => <Figure value={partOf(row.amount)} digits={2} />,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}
