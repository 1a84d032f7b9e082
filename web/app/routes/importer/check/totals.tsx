import { formatCalendarDate, isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { fieldLabel } from '@tapeline/domain/documents/field-labels.ts';
import type { ImportFundTotal, ImportTotal } from '@tapeline/domain/importer/check.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { agrees, type FileTotal } from '@tapeline/domain/importer/total-rows.ts';
import { isNegative, isZero, subtract } from '@tapeline/domain/money/decimal.ts';
import { classNames } from '../../../components/class-names.ts';
import { Figure, Money } from '../../../components/figures/figures.tsx';
import { EN_DASH, formatCount, formatFigure } from '../../../components/figures/format.ts';
import { Panel, PanelSection, Section } from '../../../components/page/section.tsx';
import { DataTable, TableSection } from '../../../components/tables/data-table.tsx';
import type { AmountsOfFile, ControlTotals } from './control-total.ts';
import { AMOUNT_FIELDS, addedBy, type FundLine, fundLinesOf } from './fund-totals.ts';

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

/** A figure of the totals; a dash for zero, so that what changes stands out. */
function Total({ value, isMoney = false, isNew = false }: { value: string; isMoney?: boolean; isNew?: boolean }) {
  if (isZero(value)) return <span className="text-ink-3">{EN_DASH}</span>;
  return (
    <span className={isNew ? 'text-good' : undefined}>
      {isMoney ? <Money value={value} /> : <Figure value={value} />}
    </span>
  );
}

function FundTotals({
  lines,
  nouns,
  label,
  currency,
}: {
  lines: readonly FundLine[];
  nouns: string;
  label: string;
  currency: string;
}) {
  const cellOf =
    (of: 'counts' | 'sums', part: (change: FundLine['sums']) => string, isNew = false) =>
    (line: FundLine) => (
      <span className={line.isAll ? 'font-semibold' : undefined}>
        <Total value={part(line[of])} isMoney={of === 'sums'} isNew={isNew} />
      </span>
    );
  const before = (change: FundLine['sums']) => change[0];
  const after = (change: FundLine['sums']) => change[1];
  return (
    <Panel>
      <DataTable
        narrow="list"
        caption={`${nouns} by fund before and after the import: their number, and ${label.toLowerCase()} in ${currency}`}
        rows={lines}
        rowKey={({ key }) => key}
        columns={[
          {
            head: 'Fund',
            cell: ({ title, isAll }) => <span className={isAll ? 'font-semibold' : undefined}>{title}</span>,
          },
          { head: 'Before', numeric: true, cell: cellOf('counts', before) },
          { head: 'New', numeric: true, cell: cellOf('counts', addedBy, true) },
          { head: 'After', numeric: true, cell: cellOf('counts', after) },
          { head: `Before (${currency})`, numeric: true, cell: cellOf('sums', before) },
          { head: `New (${currency})`, numeric: true, cell: cellOf('sums', addedBy, true) },
          { head: `After (${currency})`, numeric: true, cell: cellOf('sums', after) },
        ]}
      />
    </Panel>
  );
}

function ControlLine({ label, value, strong = false }: { label: string; value: string | null; strong?: boolean }) {
  return (
    <div
      className={classNames(
        'flex items-baseline justify-between gap-4 py-1',
        strong && 'border-t border-line font-semibold',
      )}
    >
      <dt>{label}</dt>
      <dd className="figures text-right">
        {value === null ? <span className="text-ink-3">n/a</span> : <Money value={value} />}
      </dd>
    </div>
  );
}

function Amounts({ amounts }: { amounts: AmountsOfFile }) {
  const { currency, ok, withProblems, unreadableCount, sum } = amounts;
  return (
    <dl>
      <ControlLine label={`${formatCount(ok.count, 'row')} OK, ${currency}`} value={ok.sum} />
      {withProblems.count > 0 ? (
        <ControlLine
          label={`${formatCount(withProblems.count, 'row')} with problems, as written`}
          value={withProblems.sum}
        />
      ) : null}
      {unreadableCount > 0 ? (
        <ControlLine label={`${formatCount(unreadableCount, 'row')} without a readable amount`} value={null} />
      ) : null}
      <ControlLine label="All rows" value={sum} strong />
    </dl>
  );
}

/** A total of the file, and how far it is from the rows that it adds up. */
function TotalLine({ total }: { total: FileTotal }) {
  const { row, source, label, column, stated, sum, difference, currencies, unreadableCount, of, rowCount } = total;
  const isTooHigh = !isNegative(difference);
  const isRight = agrees(total);
  const figure = (value: string) => (column === null ? <Figure value={value} /> : <Money value={value} />);
  return (
    <li className="border-t border-line py-1.5 text-xs">
      <p className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 break-words">
          {source ? `Cell ${source}` : `Row ${row}`}, {label}
          {of === null ? null : `, ${isCalendarDate(of) ? formatCalendarDate(of) : of}`}
          {column === null ? null : <span className="text-ink-3"> {column.label}</span>}
        </span>
        <span className="figures text-right">{figure(stated)}</span>
      </p>
      <p className={isRight && currencies.length < 2 ? 'text-good' : 'text-danger'}>
        {isRight ? (
          `It agrees with ${formatCount(rowCount, 'row')}.`
        ) : isZero(difference) ? null : (
          <>
            It is {figure(isTooHigh ? difference : difference.slice(1))} too {isTooHigh ? 'high' : 'low'}: the rows are{' '}
            {figure(sum)}.
          </>
        )}{' '}
        {unreadableCount > 0 ? `${formatCount(unreadableCount, 'amount')} cannot be read. ` : null}
        {currencies.length > 1 ? `It adds ${listed(currencies)}, so it is not an amount of money.` : null}
      </p>
    </li>
  );
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const MAX_TOTALS = 20;

/** The amounts of the file, and whether they add up to its own totals. */
export function ControlPanel({ control: { amounts, totals } }: { control: ControlTotals }) {
  // Those that differ first.
  const sorted = totals.toSorted((a, b) => Number(agrees(a)) - Number(agrees(b)));
  return (
    <PanelSection title="Control totals" className="px-4 py-2.5 text-sm">
      {amounts.map((one) => (
        <Amounts key={one.currency} amounts={one} />
      ))}
      {totals.length === 0 ? (
        <p className="mt-1 border-t border-line pt-2 text-xs text-ink-3">The file has no total to compare with.</p>
      ) : (
        <ul aria-label="Totals of the file">
          {sorted.slice(0, MAX_TOTALS).map((total) => (
            <TotalLine key={`${total.row} ${total.column?.key}`} total={total} />
          ))}
          {totals.length > MAX_TOTALS ? (
            <li className="border-t border-line py-1.5 text-xs text-ink-3">
              and {formatFigure(totals.length - MAX_TOTALS)} more, of which{' '}
              {formatFigure(sorted.slice(MAX_TOTALS).filter((total) => !agrees(total)).length)} differ
            </li>
          ) : null}
        </ul>
      )}
    </PanelSection>
  );
}

export function Totals({
  kind,
  nouns,
  readyCount,
  before,
  after,
  funds,
}: {
  kind: ImportKind;
  nouns: string;
  readyCount: number;
  before: readonly ImportTotal[];
  after: readonly ImportTotal[];
  funds: readonly ImportFundTotal[];
}) {
  const note =
    readyCount === 1
      ? 'as if the row that is OK were imported'
      : `as if the ${formatFigure(readyCount)} rows that are OK were imported`;
  const amount = AMOUNT_FIELDS[kind];
  const currencies = new Set(funds.map(({ currency }) => currency));
  const changed = after.filter(({ currency }) => currency !== null && currencies.has(currency));
  if (amount && changed.length > 0)
    return (
      <Section title="Totals before and after" note={note}>
        <div className="grid gap-3">
          {changed.map((total) => (
            <FundTotals
              key={total.currency}
              lines={fundLinesOf(amount.field, {
                funds,
                before: before.find(({ currency }) => currency === total.currency),
                after: total,
              })}
              nouns={`${nouns[0]?.toUpperCase()}${nouns.slice(1)}`}
              label={amount.label}
              currency={total.currency ?? ''}
            />
          ))}
        </div>
      </Section>
    );
  const lines = linesOf(nouns, before, after);
  if (lines.length === 0) return null;
  return (
    <TableSection
      title="Totals before and after"
      note={note}
      narrow="list"
      caption="Totals before and after the import"
      rows={lines}
      rowKey={({ key }) => key}
      columns={[
        { head: 'Records', cell: ({ label }) => label },
        { head: 'Before', numeric: true, cell: ({ before: value, currency }) => cell(value, currency) },
        {
          head: 'New',
          numeric: true,
          cell: ({ added, currency }) => <span className="text-good">{cell(added, currency)}</span>,
        },
        { head: 'After', numeric: true, cell: ({ after: value, currency }) => <b>{cell(value, currency)}</b> },
      ]}
    />
  );
}
