import { Link } from '@remix-run/react';
import { REQUEST_STATUS_LABELS } from '@tapeline/domain/approvals/request-status.ts';
import { CONSEQUENCE_LABELS, type Consequence } from '@tapeline/domain/covenants/covenant-labels.ts';
import { Ban, Check, Hourglass } from 'lucide-react';
import { DateText } from '../../../../components/figures/figures.tsx';
import { formatCount, formatPercent } from '../../../../components/figures/format.ts';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import type { CovenantPage } from './covenant-page.server.ts';

const FOLLOWS: Readonly<Record<Consequence, string>> = {
  none: 'A breach has no consequence.',
  inform: 'A breach is reported to the people of the manager and the borrower.',
  reason: 'Each draw needs a reason while the test is breached or unknown.',
  drawStop: 'Draws are stopped while the test is breached or unknown. Only people who may waive it can skip the check.',
  defaultRate: 'Another advance rate holds while the test is breached.',
  amortisation: 'The revolving period ends on the day of the breach.',
};

const ROW = 'flex gap-3 border-t border-line px-3.5 py-2.5 first:border-t-0';
const ICON = { 'aria-hidden': true, size: 17, strokeWidth: 1.75 } as const;

function Cure({ cure }: { cure: NonNullable<CovenantPage['cure']> }) {
  const used = cure.days === 0 ? 100 : Math.min(100, ((cure.days - cure.left) / cure.days) * 100);
  return (
    <div className={ROW}>
      <Hourglass {...ICON} className="mt-0.5 flex-none text-warning" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap justify-between gap-x-3">
          <span>
            {cure.hasEnded ? (
              <b className="font-[550]">The days to cure have ended</b>
            ) : (
              <>
                <b className="font-[550]">
                  {cure.left} of {formatCount(cure.days, 'business day')} left
                </b>{' '}
                to cure
              </>
            )}
          </span>
          <span className="text-ink-2">
            <DateText value={cure.until} />
          </span>
        </p>
        <span aria-hidden="true" className="mt-1.5 block h-1.5 overflow-hidden rounded-full bg-line">
          <span className="block h-full" style={{ width: `${used}%`, background: 'var(--chart-2)' }} />
        </span>
      </div>
    </div>
  );
}

/** What follows from a breach, and how many days are left to cure it. */
export function Consequences({ covenant }: { covenant: CovenantPage }) {
  const { consequence, defaultRate, breachedSince, cure, cured, cureDays } = covenant;
  return (
    <Section title="Consequence and cure">
      <div className="rounded-lg border border-line text-sm">
        <div className={ROW}>
          <Ban {...ICON} className={`mt-0.5 flex-none ${breachedSince ? 'text-danger' : 'text-ink-3'}`} />
          <div className="min-w-0">
            <p>
              <b className={`font-[550] ${breachedSince && consequence !== 'none' ? 'text-danger' : ''}`}>
                {CONSEQUENCE_LABELS[consequence]}
                {consequence === 'defaultRate' && defaultRate !== null ? ` of ${formatPercent(defaultRate)}` : ''}
              </b>
              {breachedSince && consequence !== 'none' ? (
                <>
                  {' '}
                  since <DateText value={breachedSince} />
                </>
              ) : null}
            </p>
            <p className="text-xs text-ink-2">{FOLLOWS[consequence]}</p>
          </div>
        </div>
        {cure ? <Cure cure={cure} /> : null}
        {cured ? (
          <div className={ROW}>
            <Check {...ICON} className="mt-0.5 flex-none text-good" />
            <div className="min-w-0">
              <p>
                <b className="font-[550]">Cured</b> on <DateText value={cured.on} />
                {cured.by ? ` by ${cured.by}` : ''}
              </p>
              <p className="text-xs break-words text-ink-2">
                {cured.reason}
                {cured.file ? (
                  <>
                    {' '}
                    <a href={paths.download(cured.file)} className="tap-text text-accent underline">
                      Document
                    </a>
                  </>
                ) : null}
              </p>
            </div>
          </div>
        ) : null}
        {!cure && !cured ? (
          <div className={ROW}>
            <Hourglass {...ICON} className="mt-0.5 flex-none text-ink-3" />
            <p className="text-ink-2">
              {cureDays === 0
                ? 'The agreement gives no days to cure a breach.'
                : `A breach can be cured within ${formatCount(cureDays, 'business day')}.`}
            </p>
          </div>
        ) : null}
      </div>
    </Section>
  );
}

const WAIVER_TONES = { Requested: 'warning', Approved: 'good', Declined: 'danger', Withdrawn: 'neutral' } as const;

/** Who asked to waive a breach, and what was decided. */
export function Waivers({ waivers, mayChange }: { waivers: CovenantPage['waivers']; mayChange: boolean }) {
  if (waivers.length === 0) return null;
  return (
    <Section title="Waivers" note="a second person approves each">
      <ul className="rounded-lg border border-line text-sm">
        {waivers.map((waiver) => (
          <li key={waiver.id} className="border-t border-line px-3.5 py-2.5 first:border-t-0">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Chip tone={WAIVER_TONES[waiver.status]}>{REQUEST_STATUS_LABELS[waiver.status]}</Chip>
              <span>
                until <DateText value={waiver.until} />
              </span>
              {mayChange && waiver.status === 'Requested' ? (
                <span className="ml-auto">
                  {waiver.isOwn ? (
                    <ActionForm intent="withdrawWaiver" values={{ waiver: waiver.id }} tone="quiet">
                      Withdraw
                    </ActionForm>
                  ) : (
                    <Link to={paths.approvals()} className="tap-text text-accent hover:underline">
                      Open Approvals
                    </Link>
                  )}
                </span>
              ) : null}
            </p>
            <p className="mt-1 break-words">
              {waiver.reason}
              {waiver.document ? (
                <>
                  {' '}
                  <a href={paths.download(waiver.document)} className="tap-text text-accent underline">
                    Document
                  </a>
                </>
              ) : null}
            </p>
            <p className="text-xs text-ink-2">
              Asked by {waiver.enteredBy}, <DateText value={waiver.enteredAt.slice(0, 10)} />
              {waiver.decidedBy && waiver.status !== 'Withdrawn' ? (
                <>
                  ; {waiver.status === 'Approved' ? 'approved' : 'declined'} by {waiver.decidedBy},{' '}
                  <DateText value={waiver.decidedAt?.slice(0, 10)} />
                </>
              ) : null}
              {waiver.declineReason ? `: ${waiver.declineReason}` : ''}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
