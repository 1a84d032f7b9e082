import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { formatCount, writtenAmount } from '../../../components/figures/format.ts';
import type { Check } from '../../../components/page/check-list.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { Checks } from '../../capital/checks.tsx';
import { CalledTable, EqualizationTermsSection, EveryoneTable } from './closing-tables.tsx';
import type { ShownClosing } from './shown-closing.server.ts';

const MAX_NAMES = 3;

const checksOf = ({ warnings, passed, paidIn, currency, difference }: ShownClosing): Check[] => [
  ...warnings.map((text): Check => ({ tone: 'warning', text })),
  ...passed.map((text): Check => ({ tone: 'good', text })),
  ...(difference === '0'
    ? [
        {
          tone: 'good' as const,
          text: `Lines and investors add up to ${writtenAmount({ sum: paidIn.whole, currency })}`,
        },
      ]
    : []),
];

function Notices({ closing }: { closing: ShownClosing }) {
  const { payers, recipients } = closing;
  const notices = [
    { title: 'Closing notice', what: 'what to pay, by purpose, with interest', to: payers },
    { title: 'Refund notice', what: 'what is returned, and the new unfunded', to: recipients },
  ].filter(({ to }) => to.length > 0 && closing.lines.length > 0);
  if (notices.length === 0) return null;
  return (
    <PanelSection
      title="Notices"
      note={formatCount(
        notices.reduce((count, { to }) => count + to.length, 0),
        'PDF',
      )}
    >
      <ul className="text-sm">
        {notices.map(({ title, what, to }) => (
          <li key={title} className="border-b border-line px-3.5 py-2.5 last:border-b-0">
            <b className="font-medium">
              {title} ({to.length})
            </b>
            <span className="block text-xs text-ink-3">{what}</span>
            <span className="block text-xs text-ink-3">{firstFew([...to], { most: MAX_NAMES, separator: ', ' })}</span>
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

/** A closing as it would be, or as it is. @param isTried whether nothing is stored yet */
export function ClosingFigures({ closing, isTried }: { closing: ShownClosing; isTried: boolean }) {
  return (
    <div className="grid min-w-0 gap-x-5 2xl:grid-cols-[minmax(0,1fr)_254px]">
      <div className="min-w-0">
        <CalledTable closing={closing} />
        <EveryoneTable closing={closing} />
      </div>
      <div className="grid min-w-0 content-start items-start gap-x-5 lg:grid-cols-3 2xl:block">
        {isTried ? <Checks checks={checksOf(closing)} /> : null}
        <EqualizationTermsSection closing={closing} />
        {isTried ? <Notices closing={closing} /> : null}
      </div>
    </div>
  );
}

/** "Close and call 4,254,233.05 USD, due 30 Jun 2027". */
export const issueLabel = ({ paidIn, currency, dueDate, lines }: ShownClosing): string =>
  lines.length === 0
    ? 'Close'
    : `Close and call ${writtenAmount({ sum: paidIn.whole, currency })}, due ${formatCalendarDate(dueDate)}`;
