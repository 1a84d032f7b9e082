import { Link } from '@remix-run/react';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import type { Check } from '../../../components/page/check-list.tsx';
import { paths } from '../../../paths.ts';
import type { SetKind, TermsKind } from '../approval-words.ts';
import type { DetailsOf } from '../details.server.ts';
import { toldOfSet, toldText } from '../told-words.ts';
import { COMPARISON, FactLines, Quote, TitledChecks } from './parts.tsx';

/** What a call and a distribution that are issued together come to. */
function Netted({
  netted: { name, to, totals },
  currency,
}: {
  netted: NonNullable<DetailsOf<'call' | 'distribution'>['netted']>;
  currency: string;
}) {
  const money = (key: string, sum: string) => <Money key={key} value={{ sum, currency }} zero="figure" />;
  return (
    <div>
      <h3 className="mb-1.5 text-sm font-semibold">
        Netted with{' '}
        <Link to={to} className="text-accent underline">
          {name}
        </Link>
        , issued together
      </h3>
      <FactLines
        lines={[
          ['Called', money('called', totals.called)],
          ['Distributed', money('distributed', totals.distributed)],
          ['Settled without a payment', money('deemed', totals.deemed)],
          ['Investors pay', money('pays', totals.pays)],
          ['Investors receive', money('receives', totals.receives)],
        ]}
      />
    </div>
  );
}

export function HeaderDetails({ details }: { details: DetailsOf<'call' | 'distribution'> }) {
  const { problem, warnings, isTooLarge, secondPerson, currency } = details;
  const checks: Check[] = [
    ...(problem ? [{ tone: 'danger' as const, text: problem }] : []),
    ...warnings.map((text): Check => ({ tone: 'warning', text })),
    ...(problem === null && !isTooLarge && warnings.length === 0
      ? [{ tone: 'good' as const, text: 'It can be issued without warnings' }]
      : []),
  ];
  return (
    <>
      <FactLines
        lines={[
          ['Fund', details.fundTitle ?? 'n/a'],
          [
            'Amount',
            <Money
              key="amount"
              value={{ sum: details.amount, currency: details.currency }}
              withCurrency
              zero="figure"
            />,
          ],
          ['Investors', formatFigure(details.investors)],
          ['Cut-off', <DateText key="cutOff" value={details.cutOffDate} />],
          ...(details.kind === 'call' ? [['Due', <DateText key="due" value={details.due} />] as const] : []),
          ...(secondPerson?.isNeeded
            ? ([
                ['Prepared by', secondPerson.preparedBy ?? 'n/a'],
                [
                  'Submitted',
                  secondPerson.submittedAt ? <DateText key="submitted" value={secondPerson.submittedAt} /> : 'Not yet',
                ],
              ] as const)
            : []),
        ]}
      />
      {details.netted ? <Netted netted={details.netted} currency={currency} /> : null}
      {details.lines.length > 1 ? (
        <div>
          <h3 className="mb-1.5 text-sm font-semibold">{details.kind === 'call' ? 'Purposes' : 'Components'}</h3>
          <FactLines
            lines={details.lines.map(({ title, amount }) => [
              title,
              <Money key={title} value={{ sum: amount, currency }} zero="figure" />,
            ])}
          />
        </div>
      ) : null}
      {secondPerson?.returned && secondPerson.isOwn ? <Quote>{secondPerson.returned.reason}</Quote> : null}
      <TitledChecks title="Checks" checks={checks} />
      {problem || isTooLarge ? null : <p className="text-sm text-ink-2">{toldText(details)}</p>}
    </>
  );
}

/** How the lines and the amounts of what has no header are called. */
const SET_WORDS = {
  writeOff: { total: 'Amount', line: 'Written off' },
  navs: { total: 'Net NAV', line: 'Net NAV' },
  statements: { total: 'Closing NAV', line: 'Closing NAV' },
} as const;

/** Who prepared a draft that needs a second person, and since when it waits. */
const preparedLines = (secondPerson: DetailsOf<SetKind>['secondPerson']) =>
  secondPerson?.isNeeded
    ? ([
        ['Prepared by', secondPerson.preparedBy ?? 'n/a'],
        [
          'Submitted',
          secondPerson.submittedAt ? <DateText key="submitted" value={secondPerson.submittedAt} /> : 'Not yet',
        ],
      ] as const)
    : [];

export function SetDetails({ details }: { details: DetailsOf<SetKind> }) {
  const { kind, currency, secondPerson, problem, warnings, isChecked, isOpen, lines, count, drafts } = details;
  const words = SET_WORDS[kind];
  const money = (key: string, sum: DecimalText | null) => (
    <Money key={key} value={sum === null ? null : { sum, currency }} withCurrency zero="figure" />
  );
  const rest = count - lines.length;
  return (
    <>
      <FactLines
        lines={[
          ['Fund', details.fundTitle ?? 'n/a'],
          ['Date', <DateText key="date" value={details.cutOffDate} />],
          ...(details.amount === null ? [] : [[words.total, money('amount', details.amount)] as const]),
          ...(details.gross === null ? [] : [['Gross NAV', money('gross', details.gross)] as const]),
          ...(details.earlier === null ? [] : [['Net NAV before', money('earlier', details.earlier)] as const]),
          ['Investors', formatFigure(count)],
          ...(drafts < count ? [['Issued already', formatFigure(count - drafts)] as const] : []),
          ...preparedLines(secondPerson),
        ]}
      />
      <div>
        <h3 className="mb-1.5 text-sm font-semibold">{words.line} by investor</h3>
        <FactLines
          lines={lines.map(({ id, investor, amount, fileId }) => [
            investor,
            fileId ? (
              <a key={id} href={paths.document(fileId)} className="tap-text text-accent hover:underline">
                {amount === null ? 'Open' : <Money value={{ sum: amount, currency }} zero="figure" />}
                <span className="sr-only">, statement of {investor}</span>
              </a>
            ) : (
              <Money key={id} value={amount === null ? null : { sum: amount, currency }} zero="figure" />
            ),
          ])}
        />
        {rest > 0 ? <p className="mt-1.5 text-sm text-ink-2">and {formatCount(rest, 'other')}</p> : null}
      </div>
      {secondPerson?.returned && secondPerson.isOwn ? <Quote>{secondPerson.returned.reason}</Quote> : null}
      {isChecked ? (
        <TitledChecks
          title="Checks, run now"
          checks={[
            ...(problem ? [{ tone: 'danger' as const, text: problem }] : []),
            ...warnings.map((text): Check => ({ tone: 'warning', text })),
            ...(problem === null && warnings.length === 0
              ? [{ tone: 'good' as const, text: 'It can be issued without warnings' }]
              : []),
          ]}
        />
      ) : null}
      {kind === 'statements' && isOpen && problem === null ? (
        <p className="text-sm text-ink-2">{toldOfSet(details)}</p>
      ) : null}
    </>
  );
}

/** The terms of now beside those that are proposed: only what differs. */
export function TermsDetails({ details }: { details: DetailsOf<TermsKind> }) {
  const { changes, by, at } = details;
  return (
    <>
      {at ? (
        <FactLines
          lines={[
            ['Proposed by', by ?? 'n/a'],
            ['Proposed', <DateText key="at" value={at} />],
          ]}
        />
      ) : null}
      {changes.length > 0 ? (
        <div className="overflow-x-auto rounded-lg border border-line">
          <table className={COMPARISON}>
            <caption className="sr-only">Current and proposed terms</caption>
            <thead className="text-xs text-ink-2">
              <tr>
                <th scope="col" className="font-medium">
                  Term
                </th>
                <th scope="col" className="font-medium">
                  Now
                </th>
                <th scope="col" className="font-medium">
                  Proposed
                </th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ of, part, before, after }) => (
                <tr key={`${of} ${part}`}>
                  <th scope="row" className="font-normal">
                    {part}
                    <span className="block text-xs text-ink-2">{of}</span>
                  </th>
                  <td>{before ?? <span className="text-ink-3">None</span>}</td>
                  <td className="bg-warning-soft font-medium">{after ?? 'None'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {details.isOpen ? (
        <p className="text-sm text-ink-2">
          The current terms apply until the change is confirmed. Issued calls and distributions do not change.
        </p>
      ) : null}
    </>
  );
}
