import { CONSEQUENCE_LABELS } from '@tapeline/domain/covenants/covenant-labels.ts';
import { covenantFigure, limitInWords } from '@tapeline/domain/covenants/covenant-words.ts';
import { isExceeded } from '@tapeline/domain/draws/checks.ts';
import { AVAILABILITY_AT_CUT_OFF } from '@tapeline/domain/facilities/position-labels.ts';
import { DateText, Money, Name } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import type { Check } from '../../../components/page/check-list.tsx';
import { paths } from '../../../paths.ts';
import { CHECK_TITLES, exceptionText } from '../../monitoring/draws/draw-words.ts';
import { RequestAmount } from '../approval-table.tsx';
import type { ApprovalPanel } from '../approvals.server.ts';
import type { DetailsOf } from '../details.server.ts';
import { FactLines, Quote, TitledChecks } from './parts.tsx';

/** The checks of a draw: those that do not pass first, each with what it found. */
function drawChecks({ checked, exceptions }: DetailsOf<'draw'>): Check[] {
  const checks = checked?.checks ?? [];
  const found = exceptions.map(({ exception, status, reason }): Check => {
    const [title] = CHECK_TITLES[exception.message];
    const isPending = status === 'Pending';
    const what = exceptionText(exception, checks);
    return {
      tone: isPending ? 'danger' : 'warning',
      text: isPending ? title : `${title}, skipped`,
      note: isPending ? what : `${what}. ${reason ?? ''}`,
    };
  });
  const failed = new Set(exceptions.map(({ exception }) => exception.message));
  const passed = checks.filter((check) => !failed.has(check.message) && !check.rows.some(isExceeded));
  return [
    ...found,
    ...(passed.length > 0
      ? [
          {
            tone: 'good' as const,
            text: `${formatCount(passed.length, 'check passes', 'checks pass')}`,
            note: passed.map(({ message }) => CHECK_TITLES[message][0]).join(', '),
          },
        ]
      : []),
  ];
}

export function DrawDetails({ panel, details }: { panel: ApprovalPanel; details: DetailsOf<'draw'> }) {
  const { checked, description } = details;
  const figures = checked?.figures;
  return (
    <>
      <FactLines
        lines={[
          ['Requested', <RequestAmount key="amount" approval={panel.approval} />],
          ...(details.amountInMainCurrency && panel.approval.amounts.length > 1
            ? [
                [
                  'In the main currency',
                  <Money key="main" value={details.amountInMainCurrency} withCurrency />,
                ] as const,
              ]
            : []),
          ['Cut-off', <DateText key="cutOff" value={details.cutOffDate} />],
          ['Due', <DateText key="due" value={details.dueDate} />],
          [
            'Availability after',
            <Money
              key="after"
              value={figures?.availability.after ?? null}
              withCurrency
              zero="figure"
              unknown="Needs a borrowing base and the rates"
            />,
          ],
          ...(details.attachments > 0 ? [['Documents', formatFigure(details.attachments)] as const] : []),
        ]}
      />
      {description ? <Quote>{description}</Quote> : null}
      <TitledChecks title={panel.tab === 'decided' ? 'Checks' : 'Checks, run now'} checks={drawChecks(details)} />
    </>
  );
}

export function CorrectionDetails({ details }: { details: DetailsOf<'correction'> }) {
  const { outcome, problem, notes, rows, comment } = details;
  return (
    <>
      <FactLines
        lines={[
          [
            'Tape',
            <Name key="tape" length={40}>
              {details.title}
            </Name>,
          ],
          ['Cut-off', <DateText key="cutOff" value={details.cutOffDate} />],
          ...(outcome
            ? ([
                ['Rows that become assets', formatFigure(outcome.assets)],
                ['Rows that stay errored', formatFigure(outcome.errored)],
              ] as const)
            : []),
          ...notes.map(
            ({ title, change }) =>
              [
                `${title}, net borrowing base`,
                <Money
                  key={title}
                  value={change}
                  withCurrency
                  zero="figure"
                  unknown="It is not known before and after"
                />,
              ] as const,
          ),
        ]}
      />
      {comment ? <Quote>{comment}</Quote> : null}
      {problem ? <TitledChecks title="Result" checks={[{ tone: 'danger', text: problem }]} /> : null}
      <div>
        <h3 className="mb-1.5 text-sm font-semibold">First rows</h3>
        <ul className="space-y-1.5 text-sm">
          {rows.flatMap(({ row, cells }) =>
            cells.map(({ header, before, after }) => (
              <li key={`${row} ${header}`} className="break-words">
                <span className="text-ink-2">
                  Row {formatFigure(row)}, {header}:{' '}
                </span>
                <del className="text-ink-3">{before === '' ? 'blank' : before}</del>{' '}
                <ins className="font-medium no-underline">{after === '' ? 'blank' : after}</ins>
              </li>
            )),
          )}
        </ul>
      </div>
    </>
  );
}

export function ContractDetails({ details }: { details: DetailsOf<'contract'> }) {
  const { rules } = details;
  return (
    <FactLines
      lines={[
        ['Applies from cut-off', <DateText key="cutOff" value={details.cutOffDate} />],
        ['Eligibility rules', formatFigure(rules.eligibility)],
        ['Performance rules', formatFigure(rules.performance)],
        ['Concentration limits', formatFigure(rules.concentration)],
        ['Reserves', formatFigure(rules.reserves)],
      ]}
    />
  );
}

export function AdjustmentDetails({ details }: { details: DetailsOf<'adjustment'> }) {
  const { amount, cutOffDate, now, after } = details;
  const known = (figure: typeof amount | null) => <Money value={figure} withCurrency zero="figure" />;
  return (
    <>
      <FactLines
        lines={[
          ['Cut-off date', <DateText key="cutOff" value={cutOffDate} />],
          ['Adjustment', <Money key="amount" value={amount} withCurrency />],
          ['Available base', known(now.availableBase)],
          ...(after
            ? ([
                ['Available base after it', known(after.availableBase)],
                [AVAILABILITY_AT_CUT_OFF, known(now.availability)],
                ['Availability after it', known(after.availability)],
              ] as const)
            : []),
        ]}
      />
      <Entered {...details} />
    </>
  );
}

export function WaiverDetails({ details }: { details: DetailsOf<'waiver'> }) {
  const { title, clause, testDate, value, limitValue, until, cureUntil, consequence } = details;
  return (
    <>
      <FactLines
        lines={[
          ['Covenant', clause ? `${title}, clause ${clause}` : title],
          ['Test', <DateText key="test" value={testDate} />],
          ['Figure', covenantFigure(details, value)],
          ['Limit', limitValue === null ? 'none' : limitInWords(details, limitValue)],
          ['Consequence', CONSEQUENCE_LABELS[consequence]],
          ['Cure until', cureUntil === null ? 'no days to cure' : <DateText key="cure" value={cureUntil} />],
          ['Waived until', <DateText key="until" value={until} />],
        ]}
      />
      <Entered {...details} />
    </>
  );
}

/** Who entered what waits for a second person, why, and with which file. */
function Entered({
  enteredBy,
  reason,
  document,
  declineReason,
}: Pick<DetailsOf<'adjustment'>, 'enteredBy' | 'reason' | 'document' | 'declineReason'>) {
  return (
    <div>
      <h3 className="mb-1.5 text-sm font-semibold">Entered by {enteredBy}</h3>
      <p className="text-sm text-ink-2">“{reason}”</p>
      {document ? (
        <a href={paths.download(document)} className="tap-text text-sm text-accent hover:underline">
          Document
        </a>
      ) : null}
      {declineReason ? <p className="mt-1 text-sm text-ink-2">Declined: {declineReason}</p> : null}
    </div>
  );
}
