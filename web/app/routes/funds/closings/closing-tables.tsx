import { COMPOUNDING_LABELS, INTEREST_RECIPIENT_LABELS } from '@tapeline/domain/closings/equalization-terms.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type DecimalText, negate } from '@tapeline/domain/money/decimal.ts';
import { Fragment, type ReactNode } from 'react';
import { classNames } from '../../../components/class-names.ts';
import { DateText, Money, Name } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { Chip } from '../../../components/page/chip.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import type { ShownClosing } from './shown-closing.server.ts';

const CELL = 'h-8 px-3 py-1 max-[1440px]:px-2';
const FIGURE = `${CELL} figures text-right whitespace-nowrap`;
const HEAD = `${CELL} text-xs font-normal text-ink-3`;
const GROUP = 'border-l border-line';

/** A scrolling table with two lines of heads. */
function WideTable({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="relative overflow-x-auto" aria-label={`${caption}, scrolls horizontally`} tabIndex={0}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  );
}

const Sum = ({ value, grouped = false, bold = false }: { value: DecimalText; grouped?: boolean; bold?: boolean }) => (
  <td className={classNames(FIGURE, grouped && GROUP, bold && 'font-medium')}>
    <Money value={value} />
  </td>
);

const GroupHead = ({ children }: { children?: ReactNode }) => (
  <th scope="colgroup" colSpan={2} className={classNames(HEAD, GROUP, 'text-center')}>
    {children}
  </th>
);

/** What each entrant pays, for each purpose of each call. */
export function CalledTable({ closing }: { closing: ShownClosing }) {
  const { columns, lines, columnTotals, currency } = closing;
  const note =
    closing.firstClosing === null
      ? currency
      : `as if they had closed on ${formatCalendarDate(closing.firstClosing)}, ${currency}`;
  if (lines.length === 0) {
    return (
      <PanelSection title="What they would have paid" padded>
        <p className="text-sm text-ink-2">Nothing was called before this closing, so nothing is equalized.</p>
      </PanelSection>
    );
  }
  return (
    <PanelSection title="What they would have paid" note={note}>
      <WideTable caption="What the investors of this closing would have paid">
        <thead>
          <tr>
            <td colSpan={4} />
            {columns.map(({ id, title, added, isNew }) => (
              <GroupHead key={id}>
                {title}, {isNew ? '' : '+'}
                {formatFigure(added, 2)}
              </GroupHead>
            ))}
            <GroupHead>All</GroupHead>
          </tr>
          <tr className="border-b border-line">
            <th className={`${HEAD} text-left`}>Call</th>
            <th className={`${HEAD} text-left`}>Purpose</th>
            <th className={`${HEAD} text-right`}>Called</th>
            <th className={`${HEAD} text-right`}>Days</th>
            {columns.map(({ id }) => (
              <Fragment key={id}>
                <th className={`${HEAD} ${GROUP} text-right`}>Amount</th>
                <th className={`${HEAD} text-right`}>Interest</th>
              </Fragment>
            ))}
            <th className={`${HEAD} ${GROUP} text-right`}>Total</th>
            <th className={`${HEAD} text-left`}>Goes to</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.key} className="border-b border-line">
              <td className={`${CELL} whitespace-nowrap`}>
                {line.isFirst ? (
                  <>
                    <b className="font-medium">Call {line.callNumber}</b>{' '}
                    <span className="text-xs text-ink-3">
                      due <DateText value={line.dueDate} />
                    </span>
                  </>
                ) : null}
              </td>
              <td className={CELL}>{line.title}</td>
              <td className={`${FIGURE} text-ink-3`}>
                <Money value={line.called} />
              </td>
              <td className={`${FIGURE} text-ink-3`}>{line.days}</td>
              {line.parts.map(({ id, amount, interest }) => (
                <Fragment key={id}>
                  <Sum value={amount} grouped />
                  <Sum value={interest} />
                </Fragment>
              ))}
              <Sum value={line.total} grouped />
              <td className={`${CELL} text-ink-2`}>{line.goesTo}</td>
            </tr>
          ))}
          <tr className="font-medium">
            <td className={CELL} colSpan={2}>
              Total
            </td>
            <Sum value={closing.called} />
            <td />
            {columnTotals.map(({ capital, interest }, index) => (
              <Fragment key={columns[index]!.id}>
                <Sum value={capital} grouped />
                <Sum value={interest} />
              </Fragment>
            ))}
            <Sum value={closing.paidIn.whole} grouped />
            <td />
          </tr>
        </tbody>
      </WideTable>
    </PanelSection>
  );
}

const Sides = ({ of }: { of: { capital: DecimalText; interest: DecimalText } }) => (
  <>
    <Sum value={of.capital} grouped />
    <Sum value={of.interest} />
  </>
);

/** Every investor before and after, with the proof that everything paid in is paid out. */
export function EveryoneTable({ closing }: { closing: ShownClosing }) {
  const { rows, paidIn, returned, toManager, currency, commitments, unfunded, isRecallable } = closing;
  return (
    <PanelSection
      title="Everyone, before and after"
      note={`${currency}; capital returned ${isRecallable ? 'can' : 'cannot'} be called again, interest is on top of commitments`}
    >
      <WideTable caption="Every investor before and after the closing">
        <thead>
          <tr>
            <td colSpan={2} />
            <GroupHead>Pays in</GroupHead>
            <GroupHead>Receives</GroupHead>
            <td className={GROUP} />
            <GroupHead>Unfunded</GroupHead>
          </tr>
          <tr className="border-b border-line">
            <th className={`${HEAD} text-left`}>Investor</th>
            <th className={`${HEAD} text-right`}>Commitment</th>
            {['Pays in', 'Receives'].map((side) => (
              <Fragment key={side}>
                <th className={`${HEAD} ${GROUP} text-right`}>Capital</th>
                <th className={`${HEAD} text-right`}>Interest</th>
              </Fragment>
            ))}
            <th className={`${HEAD} ${GROUP} text-right`}>Net</th>
            <th className={`${HEAD} ${GROUP} text-right`}>Before</th>
            <th className={`${HEAD} text-right`}>After</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, title, commitment, added, isNew, paysIn, receives, net, unfunded: own }) => (
            <tr key={id} className={classNames('border-b border-line', added !== '0' && 'bg-accent-soft')}>
              <td className={CELL}>
                <Name length={40}>{title}</Name>{' '}
                {added === '0' ? null : <Chip>{isNew ? 'new' : `+${formatFigure(added, 2)}`}</Chip>}
              </td>
              <Sum value={commitment} />
              <Sides of={paysIn} />
              <Sides of={receives} />
              <Sum value={net} grouped bold />
              <Sum value={own.before} grouped />
              <Sum value={own.after} />
            </tr>
          ))}
          <tr className="border-b border-line font-medium">
            <td className={CELL}>{formatCount(rows.length, 'investor')}</td>
            <Sum value={commitments.after} />
            <Sides of={paidIn} />
            <Sides of={returned} />
            <Sum value={negate(toManager.whole)} grouped />
            <Sum value={unfunded.before} grouped />
            <Sum value={unfunded.after} />
          </tr>
          <tr className="border-b border-line">
            <td className={CELL} colSpan={2}>
              Manager <span className="text-xs text-ink-3">management fee</span>
            </td>
            <td className={GROUP} colSpan={2} />
            <Sides of={toManager} />
            <Sum value={toManager.whole} grouped bold />
            <td className={GROUP} colSpan={2} />
          </tr>
          <tr>
            <td className={CELL} colSpan={2}>
              <b className="font-medium">Proof</b>{' '}
              <span className="text-xs text-ink-3">everything paid in is paid out</span>
            </td>
            <td className={`${FIGURE} ${GROUP} font-medium`} colSpan={2}>
              <Money value={paidIn.whole} zero="figure" />
            </td>
            <td className={`${FIGURE} ${GROUP}`} colSpan={2}>
              {formatFigure(returned.whole, 2)} + {formatFigure(toManager.whole, 2)}
            </td>
            <td className={`${FIGURE} ${GROUP} font-medium text-good`}>
              <Money value={closing.difference} zero="figure" />
            </td>
            <td className={GROUP} colSpan={2} />
          </tr>
        </tbody>
      </WideTable>
    </PanelSection>
  );
}

/** The terms that the figures follow from. */
export function EqualizationTermsSection({ closing }: { closing: ShownClosing }) {
  const { terms, closingDate, isRecallable } = closing;
  const facts = [
    [
      'Interest',
      `${formatFigure(String(terms.ratePercent), 2)} % a year, ${COMPOUNDING_LABELS[terms.compounding].toLowerCase()}`,
    ],
    ['Day count', terms.dayCount],
    ['Period', `due date to ${formatCalendarDate(closingDate)}`],
    ['Management fees', terms.feesFromFirstClosing ? 'from the first closing' : 'from this closing'],
    ['Interest on fees', INTEREST_RECIPIENT_LABELS[terms.feeInterestTo].toLowerCase()],
    ['Other interest', 'earlier investors'],
    ['Capital returned', isRecallable ? 'recallable' : 'not recallable'],
  ] as const;
  return (
    <PanelSection title="Equalization terms">
      <dl className="text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-3 border-b border-line px-3.5 py-2 last:border-b-0">
            <dt className="text-ink-2">{label}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
    </PanelSection>
  );
}
