import { fieldLabel } from '@tapeline/domain/documents/field-labels.ts';
import type { ImportTotal } from '@tapeline/domain/importer/check.ts';
import { subtract } from '@tapeline/domain/money/decimal.ts';
import { Figure, Money } from '../../../components/figures/figures.tsx';
import { formatFigure } from '../../../components/figures/format.ts';
import { Panel, Section } from '../../../components/page/section.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';

interface Line {
  readonly key: string;
  readonly label: string;
  readonly currency: string | null;
  readonly before: string;
  readonly after: string;
  readonly added: string;
}

/** Counts and sums of the manager's records, before and after the import. */
function linesOf(nouns: string, before: readonly ImportTotal[], after: readonly ImportTotal[]): Line[] {
  return after.flatMap(({ currency, count, sums }) => {
    const earlier = before.find((one) => one.currency === currency);
    const line = (name: string, label: string, from: string, to: string, of: string | null): Line => ({
      key: `${currency} ${name}`,
      label,
      currency: of,
      before: from,
      after: to,
      added: subtract(to, from),
    });
    const noun = `${nouns[0]?.toUpperCase()}${nouns.slice(1)}`;
    return [
      line(
        'count',
        currency === null ? noun : `${noun} in ${currency}`,
        String(earlier?.count ?? 0),
        String(count),
        null,
      ),
      ...Object.entries(sums).map(([name, sum]) =>
        line(name, `${fieldLabel(name)} (${currency})`, earlier?.sums[name] ?? '0', sum, currency),
      ),
    ];
  });
}

const cell = (value: string, currency: string | null) =>
  currency === null ? <Figure value={value} /> : <Money value={{ sum: value, currency }} />;

export function Totals({
  nouns,
  readyCount,
  before,
  after,
}: {
  nouns: string;
  readyCount: number;
  before: readonly ImportTotal[];
  after: readonly ImportTotal[];
}) {
  const lines = linesOf(nouns, before, after);
  if (lines.length === 0) return null;
  return (
    <Section
      title="Totals before and after"
      note={
        readyCount === 1
          ? 'as if the row that is OK were imported'
          : `as if the ${formatFigure(readyCount)} rows that are OK were imported`
      }
    >
      <Panel>
        <DataTable
          narrow="list"
          caption="Totals before and after the import"
          rows={lines}
          rowKey={({ key }) => key}
          columns={[
            { key: 'label', head: 'Records', cell: ({ label }) => label },
            {
              key: 'before',
              head: 'Before',
              numeric: true,
              cell: ({ before: value, currency }) => cell(value, currency),
            },
            {
              key: 'new',
              head: 'New',
              numeric: true,
              cell: ({ added, currency }) => <span className="text-good">{cell(added, currency)}</span>,
            },
            {
              key: 'after',
              head: 'After',
              numeric: true,
              cell: ({ after: value, currency }) => <b>{cell(value, currency)}</b>,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}
