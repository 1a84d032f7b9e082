import { Link } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { classNames } from '../../../../components/class-names.ts';
import { DateText, Unknown } from '../../../../components/figures/figures.tsx';
import type { CovenantPage } from './covenant-page.server.ts';

type Test = NonNullable<CovenantPage['test']>;

const CELL = 'border-t border-line px-2.5 py-1.5 max-sm:px-2';

function TotalRows({ test, columns }: { test: Test & { isKnown: true }; columns: number }) {
  const line = (label: string, value: string | null, className?: string) => (
    <tr className={className}>
      <th scope="row" colSpan={columns - 1} className={classNames(CELL, 'text-left [font-weight:inherit]')}>
        {label}
      </th>
      <td className={classNames(CELL, 'figures text-right whitespace-nowrap')}>{value ?? <Unknown />}</td>
    </tr>
  );
  if (test.isSpringing) return null;
  return (
    <>
      {test.count > 1 ? line(`Average of the ${test.count} periods`, test.value, 'bg-canvas font-semibold') : null}
      {test.limit === null
        ? null
        : line(
            `${test.bound}${test.limitFrom ? `, from ${formatCalendarDate(test.limitFrom)}` : ''}`,
            test.limit,
            'text-ink-2',
          )}
      {test.distance === null
        ? null
        : line(test.distanceLabel, test.distance, classNames('font-semibold', test.isBeyond && 'text-danger'))}
    </>
  );
}

/** The periods of a test with the figures of its formula, which lead to where they are from. */
export function ResultTable({
  test,
  enterTo,
}: {
  test: Test;
  /** Where missing figures are entered. Null for those who may not. */
  enterTo: string | null;
}) {
  const columns = test.heads.length + 2;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section aria-label="Figures of the test" tabIndex={0} className="overflow-x-auto rounded-lg border border-line">
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">Test of {formatCalendarDate(test.date)}, by period</caption>
          <thead>
            <tr className="align-bottom text-xs text-ink-3">
              <th scope="col" className="px-2.5 py-1.5 text-left font-medium">
                Period to
              </th>
              {test.heads.map((head) => (
                <th key={head} scope="col" className="px-2.5 py-1.5 text-right font-medium">
                  {head}
                </th>
              ))}
              <th scope="col" className="px-2.5 py-1.5 text-right font-medium">
                Value
              </th>
            </tr>
          </thead>
          <tbody>
            {test.rows.map((row) => (
              <tr key={row.to}>
                <th scope="row" className={classNames(CELL, 'text-left font-normal whitespace-nowrap text-ink-2')}>
                  {row.label}
                </th>
                {row.figures.map(({ name, figure }) => (
                  <td key={name} className={classNames(CELL, 'figures text-right whitespace-nowrap')}>
                    {figure ? (
                      <Link
                        to={figure.to}
                        title={`As of ${figure.on}`}
                        className="tap-text text-accent hover:underline"
                      >
                        {figure.text}
                      </Link>
                    ) : (
                      <Unknown reason={`${name} is not known`} />
                    )}
                  </td>
                ))}
                <td className={classNames(CELL, 'figures text-right whitespace-nowrap')}>
                  {row.value === null ? (
                    <Unknown reason="A figure is missing" />
                  ) : row.source ? (
                    <Link to={row.source} className="tap-text text-accent hover:underline">
                      {row.value}
                    </Link>
                  ) : (
                    row.value
                  )}
                </td>
              </tr>
            ))}
            {test.isKnown ? <TotalRows test={test} columns={columns} /> : null}
          </tbody>
        </table>
      </section>
      <p className="mt-1.5 mb-6 text-xs text-ink-2">
        {test.isKnown ? (
          <>
            From the figures as they were on <DateText value={test.testedAt.slice(0, 10)} />. Later corrections do not
            change this result.
          </>
        ) : (
          <>
            {test.missing}. A test with a missing figure is unknown, never met.{' '}
            {enterTo && test.canEnter ? (
              <Link to={enterTo} className="tap-text text-accent underline">
                Enter figures
              </Link>
            ) : null}
          </>
        )}
      </p>
    </>
  );
}
