import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { FundTimelineEntry } from '@tapeline/domain/funds/fund.schema.ts';
import { classNames } from '../../../components/class-names.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { MoreLink, PanelSection } from '../../../components/page/section.tsx';
import { paths } from '../../../paths.ts';
import { yearMarks } from '../../monitoring/transactions/transaction/timeline-places.ts';
import { type Stage, scaleOf, stageOf } from './stages.ts';

type PlaceOf = (day: string) => number;
interface Bar {
  from: string;
  to: string;
}

const HEIGHT = 30;
/** Percent of the line. */
const LAST_LABEL = 92;

function Lane({ stage, placeOf, marks, today }: { stage: Stage; placeOf: PlaceOf; marks: string[]; today: string }) {
  const rect = (bar: Bar | null, y: number, props: Record<string, string | number>) =>
    bar ? (
      <rect
        x={placeOf(bar.from)}
        width={Math.max(0.6, placeOf(bar.to) - placeOf(bar.from))}
        y={y}
        height={6}
        vectorEffect="non-scaling-stroke"
        {...props}
      />
    ) : null;
  return (
    <svg aria-hidden="true" viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" className="block h-[30px] w-full">
      {marks.map((mark) => (
        <line
          key={mark}
          x1={placeOf(mark)}
          x2={placeOf(mark)}
          y1={0}
          y2={HEIGHT}
          stroke="var(--line)"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {rect(stage.planned, 6, { fill: 'var(--ink-3)', opacity: 0.4 })}
      {rect(stage.done, 17, { fill: 'var(--chart-1)' })}
      {rect(stage.toCome, 17, { fill: 'var(--chart-1)', fillOpacity: 0.22, stroke: 'var(--chart-1)' })}
      {rect(stage.notActivated, 17, { fill: 'none', stroke: 'var(--ink-3)', strokeDasharray: '3 2' })}
      <line
        x1={placeOf(today)}
        x2={placeOf(today)}
        y1={0}
        y2={HEIGHT}
        stroke="var(--danger)"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

const period = (from: string, to: string | null): string =>
  to && to !== from ? `${formatCalendarDate(from)} – ${formatCalendarDate(to)}` : formatCalendarDate(from);

/** What happened, in words: "30 days late". */
function Standing({ stage }: { stage: Stage }) {
  const { actual, daysLate, daysLeft, activated } = stage;
  const days = (count: number) => formatCount(Math.abs(count), 'day');
  const words: { text: string; tone?: string }[] = [];
  if (actual === null) {
    words.push(activated ? { text: 'activated', tone: 'text-good' } : { text: 'not activated' });
    if (daysLate !== null && daysLate > 0) words.push({ text: `${days(daysLate)} overdue`, tone: 'text-warning' });
  } else {
    if (daysLate !== null && daysLate > 0) words.push({ text: `${days(daysLate)} late`, tone: 'text-warning' });
    else if (daysLate !== null && daysLate < 0) words.push({ text: `${days(daysLate)} early`, tone: 'text-good' });
    else words.push({ text: 'as planned' });
    if (daysLeft !== null) words.push({ text: `${days(daysLeft)} left` });
  }
  return (
    <span className="block text-xs text-ink-3">
      {words.map(({ text, tone }, index) => (
        <span key={text}>
          {index > 0 ? ', ' : ''}
          <span className={tone}>{text}</span>
        </span>
      ))}
    </span>
  );
}

function LegendMark({ className, label }: { className: string; label: string }) {
  return (
    <li className="flex items-center gap-1.5">
      <span aria-hidden="true" className={classNames('h-1.5 w-3.5 rounded-sm', className)} />
      {label}
    </li>
  );
}

/** The stages of a fund, planned against actual, with today. Drawn on the server. */
export function TimelineSection({
  timeline,
  today,
  editTo,
}: {
  timeline: readonly FundTimelineEntry[];
  today: string;
  /** Null for people who cannot change the fund. */
  editTo: string | null;
}) {
  const stages = timeline.map((entry) => stageOf(entry, today));
  const { placeOf, first, last } = scaleOf(stages, today);
  const marks = yearMarks(first, last);
  // A label needs room to the right of its mark.
  const labelled = marks.filter((mark) => placeOf(mark) < LAST_LABEL);
  const cell = 'px-3 py-1 text-left align-middle';
  return (
    <PanelSection
      title="Timeline"
      note={`planned against actual, today ${formatCalendarDate(today)}`}
      more={editTo ? <MoreLink to={editTo}>Edit timeline</MoreLink> : null}
    >
      {stages.length === 0 ? (
        <EmptyState title="No stages yet">
          Fundraising, the investment period, the harvest period and extensions are shown here.
        </EmptyState>
      ) : (
        <>
          <ul className="flex flex-wrap gap-x-4 gap-y-1 border-b border-line px-3 py-2 text-xs text-ink-2">
            <LegendMark className="bg-ink-3 opacity-40" label="Planned" />
            <LegendMark className="bg-(--chart-1)" label="Actual" />
            <LegendMark className="border border-(--chart-1) bg-(--chart-1)/20" label="To come" />
            <LegendMark className="border border-dashed border-ink-3" label="Not activated" />
            <LegendMark className="w-px bg-danger" label="Today" />
          </ul>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section aria-label="Timeline, scrolls sideways" tabIndex={0} className="relative overflow-x-auto">
            <table className="w-full min-w-[62rem] border-collapse text-sm">
              <caption className="sr-only">Stages of the fund, planned and actual</caption>
              <thead>
                <tr className="border-b border-line text-xs font-medium text-ink-3">
                  <th scope="col" className={classNames(cell, 'w-56 font-medium')}>
                    Stage
                  </th>
                  <td aria-hidden="true" className="relative h-8 p-0">
                    {labelled.map((mark) => (
                      <span
                        key={mark}
                        className="figures absolute top-2 pl-1 text-2xs"
                        style={{ left: `${placeOf(mark)}%` }}
                      >
                        {mark.slice(0, 4)}
                      </span>
                    ))}
                  </td>
                  <th scope="col" className={classNames(cell, 'w-48 font-medium')}>
                    Planned
                  </th>
                  <th scope="col" className={classNames(cell, 'w-48 font-medium')}>
                    Actual
                  </th>
                </tr>
              </thead>
              <tbody>
                {stages.map((stage, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: stages have no id, and their order is that of the list
                  <tr key={index} className="border-b border-line last:border-b-0">
                    <th scope="row" className={classNames(cell, 'font-medium')}>
                      {stage.title}
                      {stage.description ? (
                        <span className="block text-xs font-normal text-ink-3">{stage.description}</span>
                      ) : null}
                    </th>
                    <td aria-hidden="true" className="p-0">
                      <Lane stage={stage} placeOf={placeOf} marks={marks} today={today} />
                    </td>
                    <td className={classNames(cell, 'figures whitespace-nowrap text-ink-2')}>
                      {period(stage.planned.from, stage.lasts ? stage.planned.to : null)}
                    </td>
                    <td className={classNames(cell, 'figures whitespace-nowrap')}>
                      {stage.actual ? `${stage.lasts ? 'since ' : ''}${formatCalendarDate(stage.actual)}` : '–'}
                      <Standing stage={stage} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
    </PanelSection>
  );
}

/** Where the timeline of a fund is edited. */
export const timelineEditOf = ({ id, mayWrite }: { id: string; mayWrite: boolean }): string | null =>
  mayWrite ? paths.editFund(id) : null;
