import { type WireFact, wireFacts } from '@tapeline/domain/capital/notice-parts.ts';
import { PAYMENT_FORMAT_LABELS } from '@tapeline/domain/cash/payment-files/payment-order.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type LucideIcon, Paperclip, Smartphone, User } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../components/class-names.ts';
import { DateText, Money, Mono } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import type { Check } from '../../../components/page/check-list.tsx';
import { paths } from '../../../paths.ts';
import type { DetailsOf } from '../details.server.ts';
import { COMPARISON, FactLines, TitledChecks } from './parts.tsx';

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

function Asked({
  icon: Icon,
  isWarning = false,
  children,
}: {
  icon: LucideIcon;
  isWarning?: boolean;
  children: ReactNode;
}) {
  return (
    <li className={classNames('flex gap-2.5', isWarning && 'text-warning')}>
      <Icon
        aria-hidden="true"
        size={15}
        strokeWidth={1.75}
        className={classNames('mt-0.5 flex-none', !isWarning && 'text-ink-3')}
      />
      <span className="min-w-0 break-words">{children}</span>
    </li>
  );
}

export function PayoutDetails({ details }: { details: DetailsOf<'payoutAccount'> }) {
  const { bank, currency, check, held, isOpen, pays, request, by, at, onFile } = details;
  const facts = bank ? wireFacts(bank, null) : [];
  const others = held ? held.count - held.first.length : 0;
  return (
    <>
      {request ? (
        <>
          <AccountComparison details={details} />
          <div>
            <h3 className="mb-1.5 text-sm font-semibold">Who asked, and how</h3>
            <ul className="space-y-1 text-sm">
              <Asked icon={User}>
                <b className="font-semibold">{by}</b>, in the portal on {formatCalendarDate(at.slice(0, 10))},{' '}
                {at.slice(11, 16)} UTC
              </Asked>
              {request.device ? (
                <Asked icon={Smartphone} isWarning={request.isNewDevice === true}>
                  {request.isNewDevice
                    ? `From a new device: ${request.device}. None of their earlier sign-ins was from it`
                    : `From ${request.device}`}
                </Asked>
              ) : null}
              {request.letter || request.comment ? (
                <Asked icon={Paperclip}>
                  {request.letter ? (
                    <a
                      href={paths.document(request.letter.id)}
                      className="tap-text font-medium text-accent hover:underline"
                    >
                      {request.letter.name}
                    </a>
                  ) : (
                    <span className="text-ink-2">No bank letter</span>
                  )}
                  {request.comment ? <span className="text-ink-2"> “{request.comment}”</span> : null}
                </Asked>
              ) : null}
            </ul>
            {request.reason ? <p className="mt-1 text-sm text-ink-2">Declined: {request.reason}</p> : null}
          </div>
        </>
      ) : (
        <FactLines
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
          <FactLines
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

export function RunDetails({ details }: { details: DetailsOf<'paymentRun'> }) {
  const { payments, currency, problems, count } = details;
  const rest = count - MAX_PAYEES;
  return (
    <>
      <FactLines
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
        <FactLines
          lines={payments
            .slice(0, MAX_PAYEES)
            .map(({ payee, amount }) => [payee, <Money key={payee} value={{ sum: amount, currency }} zero="figure" />])}
        />
        {rest > 0 ? <p className="mt-1.5 text-sm text-ink-2">and {formatCount(rest, 'other')}</p> : null}
      </div>
      <TitledChecks
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
