import type { OwedAge } from '@tapeline/db/operations/cash/obligations.ts';
import { AGE_LABELS, AGES } from '@tapeline/domain/cash/labels.ts';
import { add, isZero, max, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { classNames } from '../../components/class-names.ts';
import { Money } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';

const COLOURS = {
  notDue: 'bg-line-strong',
  to30: 'bg-chart-2',
  to60: 'bg-chart-2',
  to90: 'bg-danger',
  over90: 'bg-danger',
  untracked: 'bg-line-strong',
} as const satisfies Record<(typeof AGES)[number], string>;

/**
 * What is open in one currency by how late it is, as a bar and as figures.
 * @param late what is late and has a likely match, of each obligation
 */
export function Ageing({
  ages,
  late,
  currency,
}: {
  ages: readonly OwedAge[];
  late: readonly { currency: string; paid: string }[];
  currency: string;
}) {
  const own = ages.filter((one) => one.currency === currency);
  const openAt = (age: string) => own.find((one) => one.age === age)?.open ?? '0';
  const total = sum(own.map(({ open }) => open));
  const overdue = subtract(total, add(openAt('notDue'), openAt('untracked')));
  const count = own.reduce((all, one) => (['notDue', 'untracked'].includes(one.age) ? all : all + one.count), 0);
  const matches = late.filter((one) => one.currency === currency);
  const after = max('0', subtract(overdue, sum(matches.map(({ paid }) => paid))));
  // Most funds have an account since their first call.
  const shown = AGES.filter((age) => age !== 'untracked' || !isZero(openAt(age)));
  return (
    <div className="border-b border-line p-3.5 last:border-b-0">
      <p className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span>
          {'Overdue '}
          <b className={classNames('ml-1 text-lg', isZero(overdue) ? null : 'text-danger')}>
            <Money value={{ sum: overdue, currency }} zero="figure" />
          </b>{' '}
          <small className="text-ink-2">{currency}</small>
        </span>
        {count > 0 ? (
          <span className="text-xs text-ink-2">
            {formatCount(count, 'amount')}
            {matches.length > 0
              ? `; ${writtenAmount({ sum: after, currency })} once ${formatCount(matches.length, 'likely match is', 'likely matches are')} accepted`
              : null}
          </span>
        ) : null}
      </p>
      <div aria-hidden="true" className="mb-2 flex h-2 gap-px overflow-hidden rounded-full bg-line">
        {shown
          .filter((age) => !isZero(openAt(age)))
          .map((age) => (
            <i
              key={age}
              className={COLOURS[age]}
              style={{ width: `${(Number(openAt(age)) / Number(total)) * 100}%` }}
            />
          ))}
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-xs sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none">
        {shown.map((age) => (
          <div key={age}>
            <dt className="flex items-center gap-1.5 text-ink-2">
              <i
                aria-hidden="true"
                className={classNames(
                  'size-2 flex-none rounded-xs',
                  isZero(openAt(age)) ? 'bg-line-strong' : COLOURS[age],
                )}
              />
              {AGE_LABELS[age]}
            </dt>
            <dd className="ml-3.5 font-medium">
              <Money value={{ sum: openAt(age), currency }} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
