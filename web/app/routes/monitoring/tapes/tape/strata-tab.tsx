import { Link, useSearchParams } from '@remix-run/react';
import { DAYS_PER } from '@tapeline/domain/dates/calendar-date.ts';
import { multiply } from '@tapeline/domain/money/decimal.ts';
import { FIRST_VALUES, MAX_POOL_VALUES } from '@tapeline/domain/pools/pool-values.ts';
import { stratumFilter } from '@tapeline/domain/pools/stratification.ts';
import { StackedBarChart } from '../../../../components/charts/bar-chart.tsx';
import { ShareBar } from '../../../../components/figures/figures.tsx';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { inputClass, Select } from '../../../../components/forms/fields.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { type Column, TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { ChoiceBar, ChoiceField, ChoiceForm } from '../choice-bar.tsx';
import { stratumName, stratumShortName } from '../stratum-name.ts';
import type { StrataView, TapeHead } from '../tape-head.ts';

/** Above this number of bars the chart is hidden, because the table is easier to read. */
const MAX_BARS = 14;

type Strata = NonNullable<StrataView['strata']>;

/** The tape by bands or values of one of its fields. */
export function StrataTab({ head, view }: { head: TapeHead; view: StrataView }) {
  return (
    <>
      <Choices head={head} view={view} />
      {view.chips.length > 0 ? <FilteredBy view={view} /> : null}
      {view.strata ? (
        <StrataTable head={head} view={view} strata={view.strata} />
      ) : (
        <Panel>
          <EmptyState title="Nothing to show">Correct the errors above, or choose another field.</EmptyState>
        </Panel>
      )}
    </>
  );
}

function Choices({ head, view }: { head: TapeHead; view: StrataView }) {
  const { problems, written, strata } = view;
  const field = view.fields.find(({ path }) => path === view.column);
  const isBanded = field && ['number', 'decimal', 'date'].includes(field.type);
  const edges = strata?.edges?.join(', ') ?? '';
  return (
    <ChoiceBar>
      <ChoiceForm kept={{ view: 'strata', filter: view.filter, borrowingBase: view.borrowingBase }} submit="Show">
        <ChoiceField label="Stratify by" problem={problems.field} className="w-56">
          {(props) => (
            <Select
              {...props}
              key={view.column}
              name="column"
              defaultValue={view.column}
              choices={view.fields.map(({ path, label }) => ({ value: path, label }))}
            />
          )}
        </ChoiceField>
        {isBanded ? (
          <ChoiceField label="Band edges" problem={problems.bands} className="w-80 max-w-full">
            {(props) => (
              <input
                {...props}
                className={inputClass()}
                key={`${view.column} ${written.bands}`}
                name="bands"
                defaultValue={written.bands}
                placeholder={edges || 'suggested'}
                autoComplete="off"
              />
            )}
          </ChoiceField>
        ) : (
          <ChoiceField label="Values shown" problem={problems.top} className="w-28">
            {(props) => (
              <input
                {...props}
                className={inputClass()}
                key={`${view.column} ${written.top}`}
                name="top"
                type="number"
                min={1}
                max={MAX_POOL_VALUES}
                defaultValue={written.top}
                placeholder={String(FIRST_VALUES)}
              />
            )}
          </ChoiceField>
        )}
      </ChoiceForm>
      {strata ? (
        <div className="ml-auto sm:mt-5">
          <LinkButton
            external
            to={paths.analyticsFile('stratification', {
              loanTapeId: head.id,
              field: view.column,
              bands: strata.edges?.join(','),
              top: written.top,
              filter: view.filter,
            })}
          >
            CSV
          </LinkButton>
        </div>
      ) : null}
    </ChoiceBar>
  );
}

/** Shown if a filter selects only some of the assets, with a link back to all of them. */
function FilteredBy({ view }: { view: StrataView }) {
  const [search] = useSearchParams();
  const all = new URLSearchParams(search);
  all.delete('filter');
  return (
    <Notice action={<Link to={`?${all}`}>Show all assets</Link>}>
      Only assets where {view.chips.map((chip) => chip.phrases.map((phrase) => phrase.text).join('')).join(' and ')}.
    </Notice>
  );
}

const SCORES: Readonly<Record<string, string>> = {
  'creditScores.origination': 'Origination score',
  'creditScores.current': 'Current score',
};

function StrataTable({ head, view, strata: found }: { head: TapeHead; view: StrataView; strata: Strata }) {
  const { strata, total, currency, measures, field } = found;
  const values = strata.flatMap(({ key }) => (key.kind === 'value' ? [key.value] : []));
  const isNumber = field.type === 'number' || field.type === 'decimal';
  const name = (stratum: (typeof strata)[number]) => stratumName(stratum.key, field);
  const hasBalance = total.balance !== null;
  const filterTo = ({ key, count }: (typeof strata)[number]) => {
    if (count === 0) return null;
    const own = stratumFilter(field.path, key, values, isNumber);
    const both = view.filter ? { $and: [JSON.parse(view.filter) as object, own] } : own;
    return paths.tape(head.id, { filter: JSON.stringify(both), borrowingBase: view.borrowingBase ?? undefined });
  };
  const months = (days: string | null) => (days === null ? null : Number(days) / DAYS_PER.months);
  const isRemaining = measures.term?.startsWith('remaining');
  const average = (
    head: string,
    digits: number,
    read: (averages: typeof total.averages) => string | number | null,
  ): Column<(typeof strata)[number]> => ({
    head,
    figure: (row) => read(row.averages),
    digits,
    zero: 'figure',
    unknown: 'No asset in this band has both this value and a balance',
    total: read(total.averages),
  });
  return (
    <>
      {found.missingRates.length > 0 ? (
        <Notice tone="warning">
          The tape has no exchange rate for {found.missingRates.join(', ')}: a rate of 1 is used.
        </Notice>
      ) : null}
      {strata.length > 1 && strata.length <= MAX_BARS ? (
        <StackedBarChart
          title={`${field.label}${field.unit ? ` (${field.unit})` : ''}`}
          note={hasBalance ? `outstanding, ${currency}` : 'number of assets'}
          labels={strata.map(({ key }) => stratumShortName(key, field))}
          series={[
            {
              label: hasBalance ? 'Current balance' : 'Assets',
              values: strata.map(({ balance, count }) => Math.max(0, hasBalance ? Number(balance ?? 0) : count)),
            },
          ]}
        />
      ) : null}
      <TableSection
        title="Strata"
        note="averages weighted by current balance"
        caption={`Assets by ${field.label}`}
        rows={strata}
        rowKey={({ key }) => String(key.index)}
        rowTo={filterTo}
        empty={<EmptyState title="No assets">No assets match the filter.</EmptyState>}
        columns={[
          {
            head: `${field.label}${field.unit ? ` (${field.unit})` : ''}`,
            cell: (row) => (row.key.kind === 'missing' ? <span className="text-ink-2">Missing</span> : name(row)),
            total: 'All',
          },
          { head: 'Assets', figure: (row) => row.count, quiet: true, total: total.count },
          {
            head: 'Share (%)',
            percent: (row) => multiply(row.countShare, '100'),
            bare: true,
            quiet: true,
            wideOnly: true,
            total: total.count > 0 ? '100' : undefined,
          },
          {
            head: `Current balance (${currency})`,
            money: (row) => row.balance,
            unknown: 'No asset has a current balance',
            total: total.balance,
          },
          {
            head: 'Share (%)',
            percent: (row) => row.balanceShare && multiply(row.balanceShare, '100'),
            bare: true,
            unknown: 'The assets have no balance',
            total: hasBalance ? '100' : undefined,
          },
          {
            head: <span className="sr-only">Share (bar)</span>,
            wideOnly: true,
            cell: (row) => <ShareBar fraction={Number(row.balanceShare ?? row.countShare)} width="w-20" />,
            total: null,
          },
          ...(measures.rate ? [average('Rate (%)', 2, ({ rate }) => rate)] : []),
          ...(measures.term
            ? [average(`${isRemaining ? 'Remaining' : 'Term'} (months)`, 1, ({ term }) => months(term))]
            : []),
          ...(measures.score ? [average(SCORES[measures.score] ?? 'Score', 0, ({ score }) => score)] : []),
        ]}
      />
    </>
  );
}
