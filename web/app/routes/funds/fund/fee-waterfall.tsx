import type { SuccessFee } from '@tapeline/domain/capital/investor-fees.ts';
import type { WaterfallStep, WaterfallTiers } from '@tapeline/domain/capital/waterfall.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { add, isZero } from '@tapeline/domain/money/decimal.ts';
import { formatAmount } from '@tapeline/domain/money/format-figure.ts';
import { Waterfall } from '../../../components/charts/waterfall.tsx';
import { writtenAmount } from '../../../components/figures/format.ts';
import { MoreLink, PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { type FeePage, feePath, type ShownFees } from './fee-page.ts';

/** A tier with what it pays to whom, and why. */
interface Tier {
  name: string;
  lp: string;
  gp: string;
  why: string;
}

function tiersOf(
  tiers: WaterfallTiers,
  terms: Pick<SuccessFee, 'ratePercent' | 'hurdlePercent' | 'catchUpPercent'> | null,
  last: WaterfallStep | undefined,
  currency: string,
): Tier[] {
  const money = (sum: string) => formatAmount({ sum, currency });
  return [
    {
      name: 'Return of capital',
      lp: tiers.returnOfCapital,
      gp: '0',
      why: last
        ? `What was paid in is returned first; ${money(last.capital)} is left to return`
        : 'What was paid in is returned first',
    },
    {
      name: 'Preferred return',
      lp: tiers.preferredReturn,
      gp: '0',
      why: terms
        ? `${terms.hurdlePercent}% a year, compounded, on unreturned capital and unpaid return${last ? `; ${money(last.preferred)} is accrued and unpaid` : ''}`
        : 'Each investor’s hurdle, compounded, on unreturned capital and unpaid return',
    },
    {
      name: 'Catch-up',
      lp: tiers.catchUpLp,
      gp: tiers.catchUp,
      why: terms
        ? terms.catchUpPercent === '0'
          ? 'No catch-up is agreed'
          : `${terms.catchUpPercent}% to the manager until it has ${terms.ratePercent}% of the profit paid`
        : 'To the manager, at each investor’s catch-up rate, until it has its part of the profit paid',
    },
    {
      name: 'Split',
      lp: tiers.splitLp,
      gp: tiers.splitGp,
      why: terms ? `${terms.ratePercent}% of the rest to the manager` : 'The rest, at each investor’s rate',
    },
  ];
}

/** The tiers drawn from the bottom up, and as a table with the reason of each. */
function Tiers({
  page,
  tiers,
  terms,
  last,
  outside,
  isNav,
  title,
  control,
}: {
  page: FeePage;
  tiers: WaterfallTiers;
  terms: SuccessFee | null;
  last: WaterfallStep | undefined;
  outside: string;
  isNav: boolean;
  title: string;
  control: React.ReactNode;
}) {
  const { currency } = page;
  const rows = tiersOf(tiers, terms, last, currency);
  return (
    <>
      <Waterfall
        title={title}
        note={`${currency}, ${isNav ? 'distributions and, on the last day, the gross NAV' : 'distributions'} until ${formatCalendarDate(page.date)}`}
        control={control}
        currency={currency}
        steps={[
          { label: 'Return of capital', value: tiers.returnOfCapital, kind: 'change' },
          { label: 'Preferred return', value: tiers.preferredReturn, kind: 'change' },
          // Only a catch-up below 100% leaves them a part.
          ...(isZero(tiers.catchUpLp)
            ? []
            : [{ label: 'Catch-up to investors', value: tiers.catchUpLp, kind: 'change' as const }]),
          { label: 'Split to investors', value: tiers.splitLp, kind: 'change' },
          { label: 'To investors', value: tiers.lp, kind: 'level' },
          { label: 'Catch-up to manager', value: tiers.catchUp, kind: 'change', tone: 'quiet' },
          { label: 'Split to manager', value: tiers.splitGp, kind: 'change', tone: 'quiet' },
          {
            label: isNav ? 'With the NAV' : 'Distributed',
            value: add(tiers.lp, tiers.gp),
            kind: 'level',
            tone: 'result',
          },
        ]}
      />
      <TableSection
        title="Tiers"
        note={`${currency}; ${isNav ? 'they add up to what is distributed and the NAV' : 'they add up to what is distributed'}`}
        narrow="list"
        caption="Tiers of the success fee"
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          { head: 'Tier', cell: (row) => row.name, total: 'Total' },
          { head: 'To investors', money: (row) => row.lp, total: tiers.lp },
          { head: 'To the manager', money: (row) => row.gp, total: tiers.gp },
          { head: 'How', quiet: true, cell: (row) => row.why },
        ]}
      >
        {isZero(outside) ? null : (
          <p className="mt-2 text-xs text-ink-3">
            Interest of {writtenAmount({ sum: outside, currency })} does not enter the success fee. It is the investors’
            alone.
          </p>
        )}
      </TableSection>
    </>
  );
}

function Steps({ page, steps }: { page: FeePage; steps: readonly WaterfallStep[] }) {
  return (
    <TableSection
      title="Flows of the waterfall"
      note={`${page.currency}; each figure is rounded separately`}
      rows={steps.map((step, index) => ({ ...step, index }))}
      rowKey={({ index }) => `${index}`}
      columns={[
        { head: 'Date', date: (step) => step.when },
        { head: 'Flow', money: ({ amount }) => amount },
        { head: 'Days', figure: (step) => step.days },
        { head: 'Preferred accrued', money: ({ accrued }) => accrued },
        { head: 'Capital returned', money: ({ capitalPaid }) => capitalPaid },
        { head: 'Preferred paid', money: ({ preferredPaid }) => preferredPaid },
        { head: 'To the manager', money: ({ toManager }) => toManager },
        { head: 'Profit to the investor', money: ({ toInvestor }) => toInvestor },
        { head: 'Capital left', money: ({ capital }) => capital },
        { head: 'Preferred left', money: ({ preferred }) => preferred },
      ]}
    />
  );
}

/** The waterfall of the chosen investor, or of all of them together. */
export function SuccessFeeSections({
  page,
  read,
  fees,
}: {
  page: FeePage;
  read: { period: { from: string; until: string } };
  fees: ShownFees;
}) {
  const { chosen, total, isPaidOnly } = fees;
  const success = chosen?.success ?? null;
  if (chosen ? success === null : fees.withSuccess === 0) {
    return (
      <PanelSection title="Success fee" padded>
        <p className="text-sm text-ink-3">No success fee is agreed.</p>
      </PanelSection>
    );
  }
  const accrued = success ? success.accrued?.tiers : total.accrued;
  const isNav = accrued != null && !isPaidOnly;
  const steps = success ? ((isNav ? success.accrued : success.paid)?.steps ?? []) : [];
  const tiers = (isNav ? accrued : null) ?? (success ? success.paid.tiers : total.paid);
  const investor = chosen ? { investor: chosen.commitmentId } : {};
  return (
    <>
      <Tiers
        page={page}
        tiers={tiers}
        terms={success}
        last={steps.at(-1)}
        outside={success ? success.outside : total.outside}
        isNav={isNav}
        title={chosen ? `Success fee of ${chosen.title}` : 'Success fee of all investors'}
        control={
          accrued == null ? (
            <span className="text-xs text-ink-3">
              {success?.reason ?? 'The NAV, or how much of it is interest, is unknown for an investor'}
            </span>
          ) : (
            <span className="text-xs font-medium">
              {isNav ? (
                <MoreLink to={`${feePath(page, read, { ...investor, waterfall: 'paid' })}#explained`}>
                  Without the NAV
                </MoreLink>
              ) : (
                <MoreLink to={`${feePath(page, read, { ...investor, waterfall: 'nav' })}#explained`}>
                  With the NAV
                </MoreLink>
              )}
            </span>
          )
        }
      />
      {steps.length > 0 ? <Steps page={page} steps={steps} /> : null}
    </>
  );
}
