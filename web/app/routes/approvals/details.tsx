import { Link } from '@remix-run/react';
import { type WireFact, wireFacts } from '@tapeline/domain/capital/notice-parts.ts';
import { PAYMENT_FORMAT_LABELS } from '@tapeline/domain/cash/payment-files/payment-order.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isExceeded } from '@tapeline/domain/draws/checks.ts';
import { AVAILABILITY_AT_CUT_OFF } from '@tapeline/domain/facilities/position-labels.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { DateText, Money, Mono, Name } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure, writtenAmount } from '../../components/figures/format.ts';
import { paths } from '../../paths.ts';
import { releaseBlock, releaseQuestion } from '../cash/runs/release-words.ts';
import { approvalBlock, pendingOf } from '../monitoring/draws/draw/decision.tsx';
import { CHECK_TITLES, exceptionText } from '../monitoring/draws/draw-words.ts';
import { RequestAmount } from './approval-table.tsx';
import { issueIntent, SET_NOUNS, type SetKind, type TermsKind, termsIntent } from './approval-words.ts';
import type { ApprovalPanel } from './approvals.server.ts';
import { toldOfSet } from './set-words.ts';

type Details = ApprovalPanel['details'];
export type DetailsOf<Kind extends Details['kind']> = Extract<Details, { kind: Kind }>;

/** A table of what is now beside what is asked for. */
const COMPARISON =
  'w-full text-sm [&_td]:px-3 [&_td]:py-1.5 [&_td]:align-top [&_td]:break-words [&_tbody_th]:align-top [&_th]:px-3 [&_th]:py-1.5 [&_th]:text-left [&_tbody_tr]:border-t [&_tbody_tr]:border-line';

/** Label and value pairs, one per line. */
function Lines({ lines }: { lines: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="overflow-hidden rounded-lg border border-line text-sm">
      {lines.map(([label, value]) => (
        <div key={label} className="flex gap-4 border-b border-line px-3 py-1.5 last:border-b-0">
          <dt className="min-w-20 text-ink-2">{label}</dt>
          <dd className="ml-auto max-w-[70%] flex-none text-right break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const LOOKS = {
  good: { icon: CircleCheck, colour: 'text-good' },
  warning: { icon: TriangleAlert, colour: 'text-warning' },
  danger: { icon: CircleAlert, colour: 'text-danger' },
} as const;

interface Check {
  readonly tone: keyof typeof LOOKS;
  readonly text: string;
  readonly note?: string | undefined;
}

function CheckList({ title, checks }: { title: string; checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <div>
      <h3 className="mb-1.5 text-sm font-semibold">{title}</h3>
      <ul className="rounded-lg border border-line">
        {checks.map(({ tone, text, note }) => {
          const { icon: Icon, colour } = LOOKS[tone];
          return (
            <li
              key={`${text} ${note}`}
              className="flex gap-2.5 border-b border-line px-3 py-1.5 text-sm last:border-b-0"
            >
              <Icon aria-hidden="true" size={15} strokeWidth={1.75} className={`mt-0.5 flex-none ${colour}`} />
              <span className="min-w-0 break-words">
                {text}
                {note ? <span className="block text-xs text-ink-2">{note}</span> : null}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

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

function DrawDetails({ panel, details }: { panel: ApprovalPanel; details: DetailsOf<'draw'> }) {
  const { checked, description } = details;
  const figures = checked?.figures;
  return (
    <>
      <Lines
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
      <CheckList title={panel.tab === 'decided' ? 'Checks' : 'Checks, run now'} checks={drawChecks(details)} />
    </>
  );
}

const Quote = ({ children }: { children: string }) => (
  <blockquote className="border-l-2 border-line-strong pl-3 text-sm break-words whitespace-pre-line text-ink-2">
    {children}
  </blockquote>
);

function CorrectionDetails({ details }: { details: DetailsOf<'correction'> }) {
  const { outcome, problem, notes, rows, comment } = details;
  return (
    <>
      <Lines
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
      {problem ? <CheckList title="Result" checks={[{ tone: 'danger', text: problem }]} /> : null}
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

/** Who is told of a call or distribution: "14 people, among them Ada Obi and Jon Field". */
export function toldText({
  people,
  names,
  isPast,
}: Pick<DetailsOf<'call' | 'distribution'>, 'people' | 'names' | 'isPast'>) {
  if (isPast) return 'No one is told by email: its date has passed.';
  if (people === 0) return 'No one is told by email: the investors have no users or contacts.';
  const among = names.length > 0 && names.length < people ? `, among them ${names.slice(0, 2).join(' and ')}` : '';
  const all = names.length === people ? `: ${names.join(', ')}` : '';
  return `${formatCount(people, 'person is', 'people are')} told by email once the notices are made${all || among}.`;
}

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
      <Lines
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

function HeaderDetails({ details }: { details: DetailsOf<'call' | 'distribution'> }) {
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
      <Lines
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
          <Lines
            lines={details.lines.map(({ title, amount }) => [
              title,
              <Money key={title} value={{ sum: amount, currency }} zero="figure" />,
            ])}
          />
        </div>
      ) : null}
      {secondPerson?.returned && secondPerson.isOwn ? <Quote>{secondPerson.returned.reason}</Quote> : null}
      <CheckList title="Checks" checks={checks} />
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

function SetDetails({ details }: { details: DetailsOf<SetKind> }) {
  const { kind, currency, secondPerson, problem, warnings, isChecked, isOpen, lines, count, drafts } = details;
  const words = SET_WORDS[kind];
  const money = (key: string, sum: DecimalText | null) => (
    <Money key={key} value={sum === null ? null : { sum, currency }} withCurrency zero="figure" />
  );
  const rest = count - lines.length;
  return (
    <>
      <Lines
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
        <Lines
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
        <CheckList
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
function TermsDetails({ details }: { details: DetailsOf<TermsKind> }) {
  const { changes, by, at } = details;
  return (
    <>
      {at ? (
        <Lines
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

function ContractDetails({ details }: { details: DetailsOf<'contract'> }) {
  const { rules } = details;
  return (
    <Lines
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

function AdjustmentDetails({ details }: { details: DetailsOf<'adjustment'> }) {
  const { amount, reason, document, enteredBy, cutOffDate, now, after, declineReason } = details;
  const known = (figure: typeof amount | null) => <Money value={figure} withCurrency zero="figure" />;
  return (
    <>
      <Lines
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
    </>
  );
}

const Fact = ({ fact }: { fact: WireFact | undefined }) => {
  if (!fact) return <span className="text-ink-3">None</span>;
  return fact.isCode ? <Mono>{fact.value}</Mono> : fact.value;
};

/** The account that payments go to now beside the one that is asked for: what differs is marked. */
function AccountComparison({ details }: { details: DetailsOf<'payoutAccount'> }) {
  const { bank, onFile, currency } = details;
  const factsOf = (wire: typeof bank) =>
    new Map((wire ? wireFacts(wire, null) : []).map((fact) => [fact.label, fact] as const));
  const [before, after] = [factsOf(onFile?.wire ?? null), factsOf(bank)];
  return (
    <div className="overflow-x-auto rounded-lg border border-line">
      <table className={COMPARISON}>
        <caption className="sr-only">Account for {currency} on file and as requested</caption>
        <thead className="text-xs text-ink-2">
          <tr>
            <th scope="col">
              <span className="sr-only">Detail</span>
            </th>
            <th scope="col" className="font-medium">
              On file
            </th>
            <th scope="col" className="font-medium">
              Requested
            </th>
          </tr>
        </thead>
        <tbody>
          {[...new Set([...after.keys(), ...before.keys()])].map((label) => {
            const [old, asked] = [before.get(label), after.get(label)];
            return (
              <tr key={label}>
                <th scope="row" className="font-normal text-ink-2">
                  {label}
                </th>
                <td>
                  <Fact fact={old} />
                </td>
                <td className={old?.value === asked?.value ? undefined : 'bg-warning-soft font-medium'}>
                  <Fact fact={asked} />
                </td>
              </tr>
            );
          })}
          <tr>
            <th scope="row" className="font-normal text-ink-2">
              In use
            </th>
            <td>{onFile?.since ? <>since {formatCalendarDate(onFile.since)}</> : 'No'}</td>
            <td>{details.isOpen ? 'once you accept it' : 'No'}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function PayoutDetails({ details }: { details: DetailsOf<'payoutAccount'> }) {
  const { bank, currency, check, held, isOpen, pays, request, by, at, onFile } = details;
  const facts = bank ? wireFacts(bank, null) : [];
  const others = held ? held.count - held.first.length : 0;
  return (
    <>
      {request ? (
        <>
          <AccountComparison details={details} />
          <div>
            <h3 className="mb-1.5 text-sm font-semibold">Requested by</h3>
            <p className="text-sm">
              {by}, in the portal, on {formatCalendarDate(at.slice(0, 10))}
            </p>
            {request.comment ? <p className="mt-1 text-sm text-ink-2">“{request.comment}”</p> : null}
            {request.reason ? <p className="mt-1 text-sm text-ink-2">Declined: {request.reason}</p> : null}
          </div>
        </>
      ) : (
        <Lines
          lines={[
            [`${pays} in`, currency],
            ...facts.map((fact) => [fact.label, <Fact key={fact.label} fact={fact} />] as const),
            ...(check ? [['How it was checked', check] as const] : []),
          ]}
        />
      )}
      {isOpen ? (
        <p className="text-sm text-ink-2">
          Call them back to check the account, on a number you had before it was entered or changed.{' '}
          {onFile
            ? `Until you accept it, ${pays.toLowerCase()} keep going to the account on file.`
            : `${pays} are not paid to it until it is confirmed.`}
        </p>
      ) : null}
      {held && isOpen ? (
        <div>
          <h3 className="mb-1.5 text-sm font-semibold">
            {onFile ? 'Next payments' : 'Held until this account is confirmed'}:{' '}
            <Money value={{ sum: held.open, currency }} withCurrency zero="figure" />
          </h3>
          <Lines
            lines={held.first.map(({ id, title, open, dueDate }) => [
              `${title}, due ${formatCalendarDate(dueDate)}`,
              <Money key={id} value={{ sum: open, currency }} zero="figure" />,
            ])}
          />
          {others > 0 ? <p className="mt-1.5 text-sm text-ink-2">and {formatCount(others, 'other')}</p> : null}
        </div>
      ) : null}
    </>
  );
}

/** Payees that the panel names one by one. */
const MAX_PAYEES = 8;

function RunDetails({ details }: { details: DetailsOf<'paymentRun'> }) {
  const { payments, currency, problems, count } = details;
  const rest = count - MAX_PAYEES;
  return (
    <>
      <Lines
        lines={[
          ['From', details.bankAccountTitle],
          ['Total', <Money key="total" value={{ sum: details.total, currency }} withCurrency zero="figure" />],
          ['Payment date', <DateText key="date" value={details.executeOn} />],
          ['File', PAYMENT_FORMAT_LABELS[details.format]],
          ...(details.needsTwo ? [['First release', details.firstReleased ?? 'Not yet'] as const] : []),
        ]}
      />
      <div>
        <h3 className="mb-1.5 text-sm font-semibold">Payees</h3>
        <Lines
          lines={payments
            .slice(0, MAX_PAYEES)
            .map(({ payee, amount }) => [payee, <Money key={payee} value={{ sum: amount, currency }} zero="figure" />])}
        />
        {rest > 0 ? <p className="mt-1.5 text-sm text-ink-2">and {formatCount(rest, 'other')}</p> : null}
      </div>
      <CheckList
        title="Checks, run now"
        checks={
          problems.length > 0
            ? problems.map((text): Check => ({ tone: 'danger', text }))
            : [{ tone: 'good', text: 'Accounts and amounts are as they were when it was prepared' }]
        }
      />
    </>
  );
}

/** What is asked, what was checked and what blocks it. */
export function Details({ panel }: { panel: ApprovalPanel }) {
  const { details } = panel;
  switch (details.kind) {
    case 'draw':
      return <DrawDetails panel={panel} details={details} />;
    case 'correction':
      return <CorrectionDetails details={details} />;
    case 'call':
    case 'distribution':
      return <HeaderDetails details={details} />;
    case 'writeOff':
    case 'navs':
    case 'statements':
      return <SetDetails details={details} />;
    case 'fundTerms':
    case 'investorTerms':
      return <TermsDetails details={details} />;
    case 'contract':
      return <ContractDetails details={details} />;
    case 'adjustment':
      return <AdjustmentDetails details={details} />;
    case 'payoutAccount':
      return <PayoutDetails details={details} />;
    case 'paymentRun':
      return <RunDetails details={details} />;
  }
}

/** Why the request cannot be approved now; null if it can. */
export function blockOf({ details, tab }: Pick<ApprovalPanel, 'details' | 'tab'>): string | null {
  switch (details.kind) {
    case 'draw':
      return approvalBlock(details);
    case 'correction':
      if (details.isInProgress) return 'The tape is being processed. Accept when it is complete.';
      return details.mayDecide || tab !== 'mine' ? null : (details.problem ?? 'It can no longer be decided.');
    case 'call':
    case 'distribution':
      if (details.mustSubmit && details.secondPerson?.submittedAt != null) {
        return 'You prepared it, so somebody else must issue it.';
      }
      if (details.isTooLarge) return 'It has too many investors to be reviewed here. Issue it on its page.';
      return details.problem;
    case 'writeOff':
    case 'navs':
    case 'statements':
      if (details.mustSubmit && details.secondPerson?.submittedAt != null) {
        return `You prepared ${SET_NOUNS[details.kind].isPlural ? 'them' : 'it'}, so somebody else must issue ${SET_NOUNS[details.kind].isPlural ? 'them' : 'it'}.`;
      }
      return details.problem;
    case 'fundTerms':
    case 'investorTerms':
      if (!details.isOpen) return 'This change was decided already, or withdrawn.';
      return details.isOwn ? 'You proposed these terms, so somebody else must confirm them.' : null;
    case 'contract':
      return null;
    case 'adjustment':
      if (!details.isOpen) return 'This adjustment has already been decided.';
      return details.isOwn ? 'You entered it, so somebody else must approve it.' : null;
    case 'payoutAccount':
      if (details.bank === null) return 'The bank account has been changed since. Choose it again on the record.';
      if (!details.isOpen) return 'This request has already been decided.';
      return details.isOwn ? 'A second person confirms the account: you chose it, or changed it last.' : null;
    case 'paymentRun':
      return releaseBlock(details);
  }
}

/** What the confirmation of an approval says: its question, what it does, and who is told. */
export function questionOf(
  { details, approval }: { details: Exclude<Details, { kind: 'payoutAccount' }>; approval: ApprovalPanel['approval'] },
  amount: string | null,
) {
  switch (details.kind) {
    case 'draw': {
      const skipped = details.exceptions.length - pendingOf(details).length;
      const checks =
        skipped > 0 ? `${formatCount(skipped, 'exception is', 'exceptions are')} skipped.` : 'All checks pass.';
      return {
        intent: 'approveDraw',
        label: 'Approve',
        title: `Approve draw ${approval.number}: ${amount ?? ''}?`,
        consequence: `${details.companyName}, ${details.noteTitle}, due ${formatCalendarDate(details.dueDate)}. ${checks} It counts as drawn from its due date and cannot be taken back. The users of ${details.companyName} are told by email.`,
        confirm: `Approve ${amount ?? ''}`,
      };
    }
    case 'correction': {
      const rows = formatCount(approval.count ?? 0, 'row');
      return {
        intent: 'acceptCorrection',
        label: 'Accept',
        title: `Accept ${rows} of ${details.title}?`,
        consequence: `Cut-off ${formatCalendarDate(details.cutOffDate)}. The rows are reprocessed and published, and borrowing bases of the tape are calculated again. The users of ${approval.party ?? 'the borrower'} are told by email.`,
        confirm: `Accept ${rows}`,
      };
    }
    case 'call':
    case 'distribution': {
      const noun = details.kind === 'call' ? 'capital call' : 'distribution';
      const date = details.kind === 'call' ? `due ${formatCalendarDate(details.due)}` : formatCalendarDate(details.due);
      const warnings = details.warnings.length > 0 ? ` ${details.warnings.join(' ')}` : '';
      return {
        intent: details.kind === 'call' ? 'issueCall' : 'issueDistribution',
        label: 'Issue',
        title: details.netted
          ? `Issue ${noun} ${details.callNumber} and ${details.netted.name}?`
          : `Issue ${noun} ${details.callNumber}: ${amount ?? ''}?`,
        consequence: `${details.fundTitle ?? ''}, ${formatCount(details.investors, 'investor')}, ${date}. ${toldText(details)}${warnings} It can then only be closed, or withdrawn with a reason.`,
        confirm: details.netted ? 'Issue both' : `Issue ${amount ?? ''}`,
      };
    }
    case 'writeOff':
    case 'navs':
    case 'statements': {
      const { noun, isPlural } = SET_NOUNS[details.kind];
      const effect = {
        writeOff: 'It lowers the net capital called and the NAV from its date on.',
        navs: 'They enter the figures, fees and statements of the fund from their date on.',
        statements: 'Investors see them from then on.',
      }[details.kind];
      return {
        intent: issueIntent('issue', details.kind),
        label: 'Issue',
        title: `Issue the ${noun} of ${formatCalendarDate(details.cutOffDate)}?`,
        consequence: [
          `${details.fundTitle ?? ''}, ${formatCount(details.drafts, 'investor')}.`,
          effect,
          toldOfSet(details),
          ...details.warnings,
        ].join(' '),
        confirm: isPlural ? `Issue ${noun}` : `Issue ${amount ?? ''}`,
      };
    }
    case 'fundTerms':
    case 'investorTerms':
      return {
        intent: termsIntent('confirm', details.kind),
        label: 'Confirm',
        title: `Confirm the terms of ${approval.detail ?? approval.party ?? ''}?`,
        consequence: `${formatCount(details.changes.length, 'term')} ${details.changes.length === 1 ? 'changes' : 'change'}, from the days that they name on. Issued calls and distributions do not change. ${details.by ?? 'Who proposed it'} is told by email.`,
        confirm: 'Confirm the terms',
      };
    case 'paymentRun':
      return { intent: 'releaseRun', ...releaseQuestion(details) };
    case 'adjustment': {
      const { availableBase = null } = details.after ?? {};
      const effect = availableBase ? `The available base becomes ${writtenAmount(availableBase)}.` : '';
      return {
        intent: 'approveAdjustment',
        label: 'Approve',
        title: `Adjust the borrowing base by ${amount ?? ''}?`,
        consequence: `${approval.party ?? ''}, ${approval.detail ?? ''}, ${formatCalendarDate(details.cutOffDate)}. ${effect} A new version of the certificate replaces the latest one, and draws are checked against it. No one is told by email.`,
        confirm: `Approve ${amount ?? ''}`,
      };
    }
    case 'contract':
      return {
        intent: 'activateContract',
        label: 'Activate',
        title: `Activate contract v${details.revision}?`,
        consequence: `${approval.party ?? ''}, ${approval.detail ?? ''}. It applies to borrowing bases of tapes from ${formatCalendarDate(details.cutOffDate)} on and can no longer be edited. An active contract with the same cut-off date is closed. No one is told by email.`,
        confirm: 'Activate',
      };
  }
}
