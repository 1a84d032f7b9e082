import { basisText, type LineBasis, SPLIT_LABELS } from '@tapeline/domain/capital/line-basis.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { isNegative, isZero, sum, toNumber } from '@tapeline/domain/money/decimal.ts';
import { Money, Name, ShareBar, Unknown } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { Chip } from '../../components/page/chip.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';

export const SHARE_DIGITS = 4;

/** An investor's part of a call, as a review or a page shows it. */
export interface CallShare {
  readonly id: string;
  readonly commitmentId: string;
  readonly investor: string | null;
  readonly isFund: boolean;
  /** In force on the cut-off date. */
  readonly committed: DecimalText;
  readonly percentage: DecimalText | null;
  /** In the order of the purposes. */
  readonly lines: readonly DecimalText[];
  /** Where each line comes from; empty where that is not shown. */
  readonly basis: readonly LineBasis[];
  /** Why the investor is excused from a part of it. */
  readonly excuse: string | null;
  /** The document that says so: the id of a file. */
  readonly excuseDocument: string | null;
  readonly amount: DecimalText;
  readonly before: DecimalText;
  readonly after: DecimalText;
  readonly noticeId: string | null;
}

export function InvestorName({ investor, isFund }: Pick<CallShare, 'investor' | 'isFund'>) {
  return (
    <>
      {investor === null ? <Unknown /> : <Name length={40}>{investor}</Name>}
      {isFund ? (
        <>
          {' '}
          <Chip>fund</Chip>
        </>
      ) : null}
    </>
  );
}

const totalOf = (values: readonly DecimalText[], isWhole: boolean) =>
  isWhole ? <Money value={sum(values)} zero="figure" /> : undefined;

/** What is left of the unfunded commitment after a call, as a bar of what there was before. */
function UnfundedBar({ before, after }: { before: DecimalText; after: DecimalText }) {
  if (isNegative(after)) return <ShareBar fraction={1} tone="danger" />;
  const whole = toNumber(before);
  return <ShareBar fraction={whole > 0 ? toNumber(after) / whole : 0} />;
}

const SEVERAL_LINES = 6;

/**
 * Each investor's share of a call, with the unfunded commitment before and after it.
 * @param purposes titles of the lines; the table shows up to six of them
 * @param isWhole whether the rows are all there are, so that they can be added up
 */
export function CallShares({
  rows,
  purposes,
  currency,
  isWhole,
  showsShare,
  notice,
}: {
  rows: readonly CallShare[];
  purposes: readonly string[];
  currency: string;
  isWhole: boolean;
  showsShare: boolean;
  notice?: (row: CallShare) => React.ReactNode;
}) {
  const lines: Column<CallShare>[] =
    purposes.length > 1 && purposes.length <= SEVERAL_LINES
      ? purposes.map((title, index) => ({
          head: <Name length={22}>{title}</Name>,
          numeric: true,
          cell: (row) => <Money value={row.lines[index] ?? null} />,
          total: totalOf(
            rows.map((row) => row.lines[index] ?? '0'),
            isWhole,
          ),
        }))
      : [];
  const share: Column<CallShare>[] = showsShare
    ? [{ head: 'Share (%)', figure: (row) => row.percentage, digits: SHARE_DIGITS }]
    : [];
  return (
    <DataTable
      caption="Each investor’s share"
      rows={rows}
      columns={[
        {
          head: 'Investor',
          cell: (row) => <InvestorName {...row} />,
          ...(isWhole ? { total: formatCount(rows.length, 'investor') } : {}),
        },
        ...share,
        ...lines,
        {
          head: 'This call',
          numeric: true,
          cell: (row) => (
            <b className="font-semibold">
              <Money value={row.amount} />
            </b>
          ),
          total: totalOf(
            rows.map((row) => row.amount),
            isWhole,
          ),
        },
        {
          head: 'Unfunded before',
          numeric: true,
          cell: (row) => <Money value={row.before} />,
          total: totalOf(
            rows.map((row) => row.before),
            isWhole,
          ),
        },
        {
          head: 'Unfunded after',
          numeric: true,
          cell: (row) => (
            <>
              {lines.length > 1 ? null : <UnfundedBar before={row.before} after={row.after} />}{' '}
              <span className="inline-block min-w-24">
                <Money value={row.after} zero="figure" />
              </span>
            </>
          ),
          total: totalOf(
            rows.map((row) => row.after),
            isWhole,
          ),
        },
        ...(hasRules(rows) ? [basisColumn<CallShare>(purposes, currency)] : []),
        ...(notice ? [{ head: 'Notice', cell: notice }] : []),
      ]}
    />
  );
}

/**
 * Whether a column has to say where amounts come from: not if all were entered, as at a closing, or if tiers of a
 * waterfall are in a table of their own.
 */
export const hasRules = (rows: readonly { readonly basis: readonly LineBasis[] }[]): boolean =>
  rows.some(({ basis }) =>
    basis.some(
      ({ rule, set, waterfall }) =>
        set === 'excused' || (rule !== 'entered' && (set !== undefined || waterfall === undefined)),
    ),
  );

/** Leads to the document of an excuse, if it has one. */
export const ExcuseDocument = ({ id }: { id: string | null }) =>
  id === null ? null : (
    <a href={paths.download(id)} className="tap-text text-accent underline">
      Document
    </a>
  );

/** Where the amounts of an investor come from. @param titles of its lines */
export const basisColumn = <
  Row extends Pick<CallShare, 'lines' | 'basis'> & Partial<Pick<CallShare, 'excuse' | 'excuseDocument'>>,
>(
  titles: readonly string[],
  currency: string,
): Column<Row> => ({
  head: 'Where it comes from',
  wraps: true,
  quiet: true,
  cell: (row) => (
    <span className="block min-w-36 text-xs max-sm:min-w-72">
      {row.basis.map((basis, index) => {
        const amount = row.lines[index];
        if (amount === undefined || (titles.length > 1 && isZero(amount) && basis.set === undefined)) return null;
        // The tiers of a waterfall are in a table of their own.
        const isByWaterfall = basis.waterfall !== undefined && basis.set === undefined;
        if (isByWaterfall && row.basis[index - 1]?.waterfall !== undefined) return null;
        const text = isByWaterfall ? SPLIT_LABELS.waterfall : basisText(basis, amount, currency);
        const key = `${titles[index]} ${index}`;
        return (
          <span key={key} className="block">
            {titles.length > 1 && !isByWaterfall ? `${titles[index]}: ${text}` : text}
          </span>
        );
      })}
      {row.excuse == null ? null : (
        <span className="block">
          Because: {row.excuse} <ExcuseDocument id={row.excuseDocument ?? null} />
        </span>
      )}
    </span>
  ),
});
