import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { FundTimelineEntry } from '@tapeline/domain/funds/fund.schema.ts';
import { classNames } from '../../../components/class-names.ts';
import { yearMarks } from '../../monitoring/transactions/transaction/timeline-places.ts';
import { type Stage, scaleOf, stageOf } from './stages.ts';

/** Percent of the line: a label needs this much to its right, and a name this much width inside its bar. */
const LAST_LABEL = 94;
const LEAST_NAME = 9;

type Kind = 'done' | 'toCome' | 'notActivated';

const BARS: Readonly<Record<Kind, string>> = {
  done: 'bg-(--chart-1) text-paper',
  toCome: 'border border-(--chart-1) bg-(--chart-1)/15 text-ink',
  notActivated: 'border border-dashed border-ink-3 text-ink-2',
};

const WORDS: Readonly<Record<Kind, string>> = { done: 'Past', toCome: 'To come', notActivated: 'Not activated' };

const endOf = ({ toCome, done, notActivated, planned }: Stage): string =>
  (toCome ?? done ?? notActivated ?? planned).to;
const startOf = ({ done, toCome, notActivated, planned }: Stage): string =>
  (done ?? toCome ?? notActivated ?? planned).from;

/** The stages in as few rows as fit without overlap. */
function rowsOf(stages: readonly Stage[]): Stage[][] {
  const rows: Stage[][] = [];
  for (const stage of [...stages].sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1))) {
    const row = rows.find((one) => endOf(one.at(-1)!) <= startOf(stage));
    if (row) row.push(stage);
    else rows.push([stage]);
  }
  return rows;
}

/** The stages of a fund on one line of years, with today. The tab Terms has them as a table. */
export function TimelineBand({ timeline, today }: { timeline: readonly FundTimelineEntry[]; today: string }) {
  const stages = timeline.map((entry) => stageOf(entry, today));
  const { placeOf, first, last } = scaleOf(stages, today);
  const spoken = stages.map((stage) => `${stage.title} until ${formatCalendarDate(endOf(stage))}`).join(', ');
  const left = (day: string) => ({ left: `${placeOf(day)}%` });
  /** Moves the name of a bar behind the line of today, which would cross it. */
  const afterToday = (from: string, width: number) => {
    const before = placeOf(today) - placeOf(from);
    return before > 0 && before < LEAST_NAME && width - before > LEAST_NAME
      ? { paddingLeft: `calc(${(before / width) * 100}% + 6px)` }
      : {};
  };
  return (
    <>
      <div role="img" aria-label={`Timeline: ${spoken}`} className="relative overflow-hidden pt-6">
        {yearMarks(first, last).map((mark) => (
          <span key={mark} className="absolute inset-y-0 border-l border-line" style={left(mark)}>
            {placeOf(mark) < LAST_LABEL ? (
              <span className="figures pl-1 text-2xs text-ink-3">{mark.slice(0, 4)}</span>
            ) : null}
          </span>
        ))}
        {rowsOf(stages).map((row) => (
          <div key={row[0]!.title} className="relative mb-1.5 h-6">
            {row.flatMap((stage) =>
              (['done', 'toCome', 'notActivated'] as const).flatMap((kind) => {
                const bar = stage[kind];
                if (!bar) return [];
                const width = Math.max(0.6, placeOf(bar.to) - placeOf(bar.from));
                // The name is in the longer part of a stage that is partly over.
                const other = kind === 'done' ? stage.toCome : kind === 'toCome' ? stage.done : null;
                const isNamed = width >= LEAST_NAME && (!other || placeOf(other.to) - placeOf(other.from) <= width);
                return [
                  <span
                    key={`${stage.title}/${kind}`}
                    title={stage.title}
                    className={classNames(
                      'absolute inset-y-0 overflow-hidden rounded-sm px-1.5 text-xs leading-6 whitespace-nowrap',
                      BARS[kind],
                    )}
                    style={{ ...left(bar.from), width: `${width}%`, ...afterToday(bar.from, width) }}
                  >
                    {isNamed ? stage.title : null}
                  </span>,
                ];
              }),
            )}
          </div>
        ))}
        <span className="absolute top-5 bottom-0 border-l border-danger" style={left(today)} />
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
        {(['done', 'toCome', 'notActivated'] as const)
          .filter((kind) => stages.some((stage) => stage[kind]))
          .map((kind) => (
            <li key={kind} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={classNames('h-2 w-3.5 rounded-sm', BARS[kind])} />
              {WORDS[kind]}
            </li>
          ))}
        <li className="flex items-center gap-1.5">
          <span aria-hidden="true" className="h-3 border-l border-danger" />
          {formatCalendarDate(today)}
        </li>
      </ul>
    </>
  );
}
