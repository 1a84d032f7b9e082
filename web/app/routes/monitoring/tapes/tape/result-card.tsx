import { Link } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { compare, divide, multiply } from '@tapeline/domain/money/decimal.ts';
import { ArrowRight, CircleAlert, CircleCheck, FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { ShareBar, ShortNumber, Unknown } from '../../../../components/figures/figures.tsx';
import { formatCount, formatFigure, formatShort } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { paths } from '../../../../paths.ts';
import type { readTapeResult } from '../tape-result.server.ts';

export type TapeResult = NonNullable<Awaited<ReturnType<typeof readTapeResult>>>;
type Base = NonNullable<TapeResult['base']>;

const percent = (part: string, whole: string): string =>
  compare(whole, '0') > 0 ? `${formatFigure(multiply(divide(part, whole, 6), '100'), 1)}%` : '';

function whatHappened({ bases, base }: TapeResult, maySeeBases: boolean): string {
  if (!maySeeBases) return 'The assets are published.';
  if (!base) return 'No borrowing base was calculated for this tape.';
  const limits =
    base.breached > 0
      ? `${formatCount(base.breached, 'limit is', 'limits are')} in breach.`
      : `No limit is in breach${base.near > 0 ? `, ${base.near} ${base.near === 1 ? 'is' : 'are'} at 90% or more` : ''}.`;
  return `${bases === 1 ? 'Borrowing base' : `${bases} borrowing bases`} calculated. ${limits}`;
}

function Part({ label, note, children }: { label: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-[9.5rem] flex-auto bg-paper px-[18px] pt-[13px] pb-3.5 xl:flex-[1_1_0%]">
      <dt className="text-xs text-ink-2">{label}</dt>
      <dd>
        <span className="figures text-2xl font-semibold tracking-[-0.02em] whitespace-nowrap">{children}</span>
        <span className="block min-h-4 text-xs text-ink-3">{note}</span>
      </dd>
    </div>
  );
}

const Unit = ({ children }: { children: string }) => (
  <small className="ml-1 text-xs font-normal text-ink-3">{children}</small>
);

function Change({ base, since }: { base: Base; since: string }) {
  const change = base.availabilityChange;
  if (change === null) return null;
  const sign = compare(change, '0');
  return (
    <span className={sign > 0 ? 'text-good' : sign < 0 ? 'text-danger' : undefined}>
      {sign > 0 ? '+' : ''}
      <ShortNumber value={change} digits={2} /> from {since}
    </span>
  );
}

/** The result of a tape: what became of its rows, its key figures, and the next step. */
export function ResultCard({ id, result, maySeeBases }: { id: string; result: TapeResult; maySeeBases: boolean }) {
  const { counts, pool, previous, leftOut, duplicates, base } = result;
  const { errored } = counts;
  const isClean = errored === 0 && (base?.breached ?? 0) === 0;
  const Icon = isClean ? CircleCheck : CircleAlert;
  const since = previous ? formatCalendarDate(previous.cutOffDate) : '';
  const [only] = pool;
  return (
    <section aria-label="Result" className="mb-6 overflow-hidden rounded-lg border border-line bg-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-paper px-[18px] py-3.5">
        <Icon
          aria-hidden="true"
          size={20}
          strokeWidth={1.75}
          className={isClean ? 'flex-none text-good' : 'flex-none text-warning'}
        />
        <div className="min-w-52 flex-1">
          <h2 className="text-base font-semibold">
            {formatCount(counts.assets, 'asset')}
            {errored > 0 ? `, ${formatCount(errored, 'row needs', 'rows need')} correction` : ''}
          </h2>
          <p className="text-sm text-ink-2">{whatHappened(result, maySeeBases)}</p>
        </div>
        {base ? (
          <LinkButton external to={paths.borrowingBaseFile(base.id, 'pdf')} icon={FileText}>
            Certificate PDF
          </LinkButton>
        ) : null}
        {errored > 0 ? (
          <LinkButton to={paths.erroredRows(id)} tone={base ? undefined : 'primary'}>
            Correct {formatCount(errored, 'row')}
          </LinkButton>
        ) : null}
        {base ? (
          <LinkButton to={paths.borrowingBase(base.id)} tone="primary" icon={ArrowRight}>
            Open borrowing base
          </LinkButton>
        ) : null}
      </div>
      <dl className="mt-px flex flex-wrap gap-px xl:flex-nowrap">
        <Part
          label="Pool"
          note={previous && previous.assets !== null ? `${formatCount(previous.assets, 'asset')} on ${since}` : null}
        >
          {only && pool.length === 1 ? (
            <>
              <ShortNumber value={only.sum} digits={2} />
              <Unit>{only.currency}</Unit>
            </>
          ) : (
            <Unknown reason={pool.length > 1 ? 'Several currencies: see Status migration' : 'No current balances'} />
          )}
        </Part>
        {errored > 0 ? (
          <Part
            label={`Left out, ${formatCount(errored, 'row')}`}
            note={
              leftOut
                ? `as written in the file${leftOut.rows < errored ? `, ${leftOut.rows} of ${errored} rows` : ''}`
                : null
            }
          >
            <span className="text-warning">
              {leftOut ? <ShortNumber value={leftOut.sum} digits={2} /> : <Unknown reason="No balance can be read" />}
            </span>
            {leftOut && only && pool.length === 1 ? <Unit>{only.currency}</Unit> : null}
          </Part>
        ) : null}
        {duplicates > 0 ? (
          <Part
            label="The same loan twice"
            note={
              <Link className="text-accent hover:underline" to={paths.duplicates({ tape: id })}>
                Compare and decide
              </Link>
            }
          >
            <span className="text-warning">{formatFigure(duplicates)}</span>
            <Unit>{duplicates === 1 ? 'pair' : 'pairs'}</Unit>
          </Part>
        ) : null}
        {base ? (
          <>
            <Part
              label="Net borrowing base"
              note={`${percent(base.netBB.sum, base.eligible.sum)} of ${formatShort(base.eligible.sum, 2)} eligible`}
            >
              <ShortNumber value={base.netBB.sum} digits={2} />
              <Unit>{base.netBB.currency}</Unit>
            </Part>
            <Part label="Availability at cut-off" note={<Change base={base} since={since} />}>
              {base.availability ? (
                <>
                  <ShortNumber value={base.availability.sum} digits={2} />
                  <Unit>{base.availability.currency}</Unit>
                </>
              ) : (
                <Unknown reason="No draw or repayment was recorded" />
              )}
            </Part>
            {base.limits.length > 0 ? <Limits limits={base.limits} /> : null}
          </>
        ) : null}
      </dl>
    </section>
  );
}

function Limits({ limits }: { limits: Base['limits'] }) {
  return (
    <div className="min-w-72 flex-auto bg-paper px-[18px] pt-[13px] pb-3.5 xl:flex-[2.3_1_0%]">
      <dt className="mb-1 text-xs text-ink-2">Closest limits</dt>
      {limits.map(({ title, unit, measured, limit, breached, used }) => (
        <dd key={title} className="flex items-center gap-2 text-xs">
          <span className="min-w-0 flex-1 truncate" title={title}>
            {title}
          </span>
          <ShareBar fraction={used} tone={breached ? 'danger' : used >= 0.9 ? 'chart-2' : 'chart-1'} width="w-12" />
          <span className="figures whitespace-nowrap">
            <b className="font-semibold">{formatFigure(measured, 2)}</b> of {formatFigure(limit, 2)}
            {unit === 'percent' ? '%' : ''}
          </span>
        </dd>
      ))}
    </div>
  );
}
