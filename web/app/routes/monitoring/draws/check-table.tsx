import type { CheckRow } from '@tapeline/domain/draws/check-rules.ts';
import { type DrawCheck, isExceeded } from '@tapeline/domain/draws/checks.ts';
import type { ReactNode } from 'react';
import { classNames } from '../../../components/class-names.ts';
import { Unknown } from '../../../components/figures/figures.tsx';
import { EN_DASH } from '../../../components/figures/format.ts';
import { Chip } from '../../../components/page/chip.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { CHECK_TITLES, rowFigure, rowLabel } from './draw-words.ts';

/** An exception of a check, as its row shows it. */
export interface ShownException {
  message: DrawCheck['message'];
  status: 'Pending' | 'Skipped';
}

type Result = 'Pass' | 'Skipped' | 'Pending' | 'Exceeded';

const TONES = { Pass: 'good', Skipped: 'accent', Pending: 'warning', Exceeded: 'warning' } as const;

/** The result of a check: that of its exceptions, if they are stored; otherwise what its rows say now. */
function resultOf(check: DrawCheck, exceptions: readonly ShownException[] | null): Result {
  if (exceptions === null) return check.rows.some(isExceeded) ? 'Exceeded' : 'Pass';
  const own = exceptions.filter(({ message }) => message === check.message);
  if (own.some(({ status }) => status === 'Pending')) return 'Pending';
  return own.length > 0 ? 'Skipped' : 'Pass';
}

/** Data that is all there is one row; missing data is one row each. */
function shownRows(check: DrawCheck): (CheckRow & { label: string })[] {
  const rows = check.rows.map((row) => ({ ...row, label: rowLabel(row) }));
  const present = rows.filter(({ unit }) => unit === 'present');
  const [first] = present;
  if (!first) return rows;
  const others = rows.filter(({ unit }) => unit !== 'present');
  const missing = present.filter(isExceeded);
  if (missing.length > 0) return [...missing, ...others];
  const count = String(present.length);
  return [{ ...first, label: 'Required', limit: count, measured: count, margin: '0', unit: 'count' }, ...others];
}

/** On a phone, a check is a block: its name, then for each measure a line with the value and one with the limit. */
const PHONE_ROW = 'max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3';
const ON_PHONE = {
  label: 'max-sm:order-1 max-sm:p-0!',
  measured: 'max-sm:order-2 max-sm:p-0!',
  limit: 'max-sm:order-3 max-sm:p-0! max-sm:pb-1! max-sm:text-left max-sm:text-xs max-sm:text-ink-3',
  margin: 'max-sm:order-4 max-sm:p-0! max-sm:pb-1! max-sm:text-xs',
};

const PhoneHead = ({ children }: { children: string }) => <span className="sm:hidden">{children} </span>;

function Cell({ row, value, tone, head }: { row: CheckRow; value: string | null; tone?: string; head?: string }) {
  return (
    <td className={classNames('figures px-3 py-0.5 text-right whitespace-nowrap @max-3xl:px-2', tone)}>
      {head ? <PhoneHead>{head}</PhoneHead> : null}
      {value === null ? <Unknown reason="Needs data that is missing" /> : rowFigure(row, value)}
    </td>
  );
}

function Rows({ check, index, result }: { check: DrawCheck; index: number; result: Result }) {
  const [title, note] = CHECK_TITLES[check.message];
  const rows = shownRows(check);
  const chip = (
    <Chip dot tone={TONES[result]}>
      {result}
    </Chip>
  );
  const span = Math.max(1, rows.length);
  const lead = (
    <>
      <td rowSpan={span} className="py-2.5 pl-3.5 text-xs text-ink-3 align-top @max-3xl:hidden">
        {index}
      </td>
      <th
        scope="rowgroup"
        rowSpan={span}
        className="min-w-28 px-3 py-2 text-left align-top text-sm max-sm:col-span-2 max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:p-0! max-sm:pb-1! @max-3xl:px-2 @3xl:min-w-36"
      >
        <span className="block font-medium">{title}</span>
        <span className="block text-xs font-normal text-ink-3">{note}</span>
        <span className="mt-1 block max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1 max-sm:mt-0 @3xl:hidden">
          {chip}
        </span>
      </th>
    </>
  );
  const resultCell = (
    <td rowSpan={span} className="px-3.5 py-2.5 text-right align-top @max-3xl:hidden">
      {chip}
    </td>
  );
  if (rows.length === 0) {
    return (
      <tr className={PHONE_ROW}>
        {lead}
        <td colSpan={4} className="px-3 py-2.5 align-top text-sm text-ink-3 max-sm:col-span-2 max-sm:p-0!">
          No limit applies
        </td>
        {resultCell}
      </tr>
    );
  }
  return rows.map((row, at) => (
    <tr
      key={`${row.rule} ${row.drawType} ${row.currency}`}
      className={classNames(at === 0 ? '[&>td]:pt-2.5' : 'last:[&>td]:pb-2.5', PHONE_ROW)}
    >
      {at === 0 ? lead : null}
      <td className={classNames('min-w-24 px-3 py-0.5 text-sm @max-3xl:px-2 @3xl:min-w-36', ON_PHONE.label)}>
        {row.label}
      </td>
      <Cell row={row} value={row.limit} tone={ON_PHONE.limit} head="limit" />
      <Cell row={row} value={row.measured} tone={classNames('font-medium', ON_PHONE.measured)} />
      {row.margin !== null && !/[1-9]/.test(row.margin) ? (
        <td className={classNames('px-3 py-0.5 text-right text-ink-3', ON_PHONE.margin)}>{EN_DASH}</td>
      ) : (
        <Cell
          row={row}
          value={row.margin}
          tone={classNames(isExceeded(row) ? 'text-danger' : 'text-ink-3', ON_PHONE.margin)}
          head="headroom"
        />
      )}
      {at === 0 ? resultCell : null}
    </tr>
  ));
}

/**
 * Every check with its limit, what it measured and the margin, also where it passes. In a narrow column, the result is
 * below the name of its check, so that no figure is cut off.
 * @param exceptions as stored; null for a request that is not stored
 * @param below what belongs to a check: its exceptions with their reasons and forms
 */
export function CheckTable({
  checks,
  exceptions,
  below,
}: {
  checks: readonly DrawCheck[];
  exceptions: readonly ShownException[] | null;
  below?: (check: DrawCheck) => ReactNode;
}) {
  return (
    <Panel>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className="@container relative overflow-x-auto" aria-label="Checks, scrolls horizontally" tabIndex={0}>
        <table className="w-full border-collapse text-sm max-sm:block">
          <caption className="sr-only">Checks of the draw request</caption>
          <thead className="max-sm:sr-only">
            <tr className="border-b border-line text-xs text-ink-3 [&>th]:px-3 [&>th]:py-2 [&>th]:font-medium @max-3xl:[&>th]:px-2">
              <th scope="col" className="w-8 @max-3xl:hidden">
                <span className="sr-only">Number</span>
              </th>
              <th scope="col" className="text-left">
                Check
              </th>
              <th scope="col" className="text-left">
                Measure
              </th>
              <th scope="col" className="text-right">
                Limit
              </th>
              <th scope="col" className="text-right">
                With this draw
              </th>
              <th scope="col" className="text-right">
                Headroom
              </th>
              <th scope="col" className="text-right @max-3xl:hidden">
                Result
              </th>
            </tr>
          </thead>
          {checks.map((check, at) => {
            const result = resultOf(check, exceptions);
            const more = below?.(check);
            return (
              <tbody
                key={check.message}
                id={`check-${at + 1}`}
                className={classNames(
                  'border-b border-line last:border-b-0 max-sm:block max-sm:px-3.5 max-sm:py-2.5',
                  (result === 'Pending' || result === 'Exceeded') && 'bg-warning-soft/40',
                )}
              >
                <Rows check={check} index={at + 1} result={result} />
                {more ? (
                  <tr className="max-sm:block">
                    <td className="@max-3xl:hidden" />
                    <td colSpan={6} className="px-3 pb-3 max-sm:block max-sm:p-0">
                      {more}
                    </td>
                  </tr>
                ) : null}
              </tbody>
            );
          })}
        </table>
      </section>
    </Panel>
  );
}
