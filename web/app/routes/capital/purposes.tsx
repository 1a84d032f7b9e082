import { type DecimalText, divide, isZero, multiply, sum } from '@tapeline/domain/money/decimal.ts';
import { Money } from '../../components/figures/figures.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';

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
    <TableSection
      title="Purposes"
      note={currency}
      rows={lines.map((line, index) => ({ ...line, index }))}
      rowKey={({ index }) => String(index)}
      columns={[
        { head: 'Purpose', name: (row) => row.title, length: 60, total: whole },
        { head: 'Kind', cell: (row) => row.kind },
        {
          head: 'Amount',
          numeric: true,
          cell: (row) => <Money value={row.amount} />,
          total: <Money value={total} zero="figure" />,
        },
        { head: '% of the total', figure: (row) => partOf(row.amount), digits: 2 },
      ]}
    />
  );
}
