import { useLoaderData } from '@remix-run/react';
import { CAUSE_LABELS, isAssetCause } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { absolute, compare, isNegative, isZero } from '@tapeline/domain/money/decimal.ts';
import { shareOf } from '@tapeline/domain/money/shares.ts';
import { Download } from 'lucide-react';
import { Waterfall, type WaterfallStep } from '../../../../components/charts/waterfall.tsx';
import { DateText, Money, Name } from '../../../../components/figures/figures.tsx';
import { formatCount, formatPercent } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { Select } from '../../../../components/forms/fields.tsx';
import { LinkMenu } from '../../../../components/overlays/menu.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { KeyFigures } from '../../../../components/page/key-figures.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Columns, Panel } from '../../../../components/page/section.tsx';
import { readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { ChoiceBar, ChoiceField, ChoiceForm } from '../../tapes/choice-bar.tsx';
import { AffectedLoans } from './affected-loans.tsx';
import { CauseToFigure } from './cause-to-figure.tsx';
import { readComparisonPage, type ShownComparison } from './comparison-page.server.ts';
import { LinesByCause, loansOf } from './lines-by-cause.tsx';
import { LISTED_LOANS } from './listed-loans.ts';
import { SignedMoney } from './signed-money.tsx';

export const handle = named<typeof loader>(
  ({ choice: { transaction, noteId, noteTitle, id, cutOffDate } }) => [
    { label: transaction.title, to: paths.transaction(transaction.id) },
    [noteTitle, paths.transaction(transaction.id, { note: noteId })],
    [`Borrowing base, ${formatCalendarDate(cutOffDate)}`, paths.borrowingBase(id)],
    'Comparison',
  ],
  ({ choice: { transaction, noteTitle, cutOffDate } }) =>
    `Comparison ${formatCalendarDate(cutOffDate)}, ${transaction.title}, ${noteTitle}`,
);

export const loader = readScreen('borrowingBase/read', readComparisonPage);

interface Pair {
  readonly id: string;
  readonly against: string;
}

/** Both figures, their difference, its largest cause, and what no cause explains. */
function Figures({ opened }: { opened: ShownComparison }) {
  const { difference } = opened;
  const { currency, total, causes } = difference;
  const touched = causes.filter(({ effect }) => !isZero(effect));
  const largest = touched.reduce<(typeof touched)[number] | null>(
    (most, one) => (most && compare(absolute(most.effect), absolute(one.effect)) >= 0 ? most : one),
    null,
  );
  const share = shareOf(total.difference, total.earlier);
  const tone = isZero(total.difference) ? undefined : isNegative(total.difference) ? 'danger' : 'good';
  return (
    <KeyFigures
      figures={[
        {
          label: `${total.label}, ${formatCalendarDate(opened.before)}`,
          value: <Money value={{ sum: total.earlier, currency }} zero="figure" />,
          unit: currency,
        },
        {
          label: `${total.label}, ${formatCalendarDate(opened.after)}`,
          value: <Money value={{ sum: total.later, currency }} zero="figure" />,
          unit: currency,
        },
        {
          label: 'Difference',
          value: <SignedMoney value={total.difference} currency={currency} />,
          unit: currency,
          note: share === null ? 'later less earlier' : `later less earlier, ${formatPercent(share, 1)}`,
          tone,
        },
        ...(largest
          ? [
              {
                label: 'Largest cause',
                value: <SignedMoney value={largest.effect} currency={currency} />,
                unit: currency,
                note: [CAUSE_LABELS[largest.cause], loansOf(opened, largest.cause)].filter(Boolean).join(', '),
              },
            ]
          : []),
        {
          label: 'Not explained',
          value: <Money value={{ sum: total.notExplained, currency }} zero="figure" />,
          unit: currency,
          note: formatCount(touched.length, 'cause'),
          tone: isZero(total.notExplained) ? ('good' as const) : ('danger' as const),
        },
      ]}
    />
  );
}

/** From one figure to the other: a bar for each cause that has an effect. */
function Chart({ opened, pair }: { opened: ShownComparison; pair: Pair }) {
  const { currency, total, causes } = opened.difference;
  const level = (date: string, value: string): WaterfallStep => ({
    label: formatCalendarDate(date),
    value,
    kind: 'level',
  });
  return (
    <Waterfall
      title={`${total.label} by cause`}
      note={
        <>
          {currency}
          <span className="no-print"> · click a bar for its loans</span>
        </>
      }
      currency={currency}
      steps={[
        level(opened.before, total.earlier),
        ...causes
          .filter(({ effect }) => !isZero(effect))
          .map(
            ({ cause, effect }): WaterfallStep => ({
              label: CAUSE_LABELS[cause],
              value: effect,
              kind: 'change',
              to: paths.baseComparison(pair.id, { against: pair.against, cause }),
            }),
          ),
        ...(isZero(total.notExplained)
          ? []
          : [{ label: 'Not explained', value: total.notExplained, kind: 'change', tone: 'quiet' } as const]),
        { ...level(opened.after, total.later), tone: 'result' },
      ]}
    />
  );
}

function Opened({ opened, pair }: { opened: ShownComparison; pair: Pair }) {
  const { cause, loans } = opened;
  return (
    <>
      <Figures opened={opened} />
      <Chart opened={opened} pair={pair} />
      <LinesByCause opened={opened} base={pair} />
      {cause === null ? null : loans && isAssetCause(cause) ? (
        <Columns split="wide">
          <AffectedLoans opened={opened} cause={cause} loans={loans} base={pair} limit={LISTED_LOANS} />
          <CauseToFigure opened={opened} cause={cause} />
        </Columns>
      ) : (
        <CauseToFigure opened={opened} cause={cause} />
      )}
    </>
  );
}

/** The question that is answered. Of a note without draws, another figure is explained. */
function titleOf(opened: ShownComparison | null): string {
  if (!opened || opened.difference.figure === 'availability') return 'Why did availability change?';
  return `Why did the ${opened.difference.total.label.toLowerCase()} change?`;
}

export default function ComparisonScreen() {
  const { choice, opened, problem } = useLoaderData<typeof loader>();
  const { id, against, choices } = choice;
  return (
    <>
      <PageHeader
        title={titleOf(opened)}
        facts={[
          <>
            <Name>{choice.transaction.title}</Name>, <b>{choice.noteTitle}</b>
          </>,
          ...(opened
            ? [
                <>
                  from <DateText value={opened.before} /> to <DateText value={opened.after} />
                </>,
              ]
            : []),
        ]}
        actions={
          <>
            {opened && against ? (
              <LinkMenu
                label="Export"
                icon={Download}
                links={(['xlsx', 'csv'] as const).flatMap((format) => [
                  {
                    to: paths.baseComparisonFile(id, { against, format, part: 'lines' }),
                    label: format === 'xlsx' ? 'Excel' : 'CSV',
                    hint: 'every line by cause',
                  },
                  ...(opened.loans
                    ? [
                        {
                          to: paths.baseComparisonFile(id, { against, format, part: 'assets' }),
                          label: format === 'xlsx' ? 'Loans in Excel' : 'Loans as CSV',
                          hint: 'all loans of all causes',
                        },
                      ]
                    : []),
                ])}
              />
            ) : null}
            <LinkButton to={paths.borrowingBase(id)}>Borrowing base</LinkButton>
          </>
        }
      />
      {choices.length > 0 ? (
        <ChoiceBar>
          <ChoiceForm kept={{}} submit="Compare">
            <ChoiceField label={`${formatCalendarDate(choice.cutOffDate)} compared with`}>
              {(field) => (
                <Select {...field} key={against} name="against" defaultValue={against ?? ''} choices={choices} />
              )}
            </ChoiceField>
          </ChoiceForm>
        </ChoiceBar>
      ) : null}
      {opened && against ? (
        <Opened opened={opened} pair={{ id, against }} />
      ) : (
        <Panel>
          {problem === null ? (
            <EmptyState title="No other certificate">
              The facility has no other borrowing base to compare this one with.
            </EmptyState>
          ) : (
            <EmptyState title="These certificates cannot be compared">{problem}</EmptyState>
          )}
        </Panel>
      )}
    </>
  );
}
