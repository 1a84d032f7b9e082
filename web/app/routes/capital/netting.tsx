import { Link } from '@remix-run/react';
import type { Netting } from '@tapeline/db/operations/capital/netting.ts';
import { type DecimalText, isZero } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { Money } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import { InvestorName } from './shares.tsx';
import { otherValue } from './stepped.ts';

export type NettedTable = 'contributions' | 'distributions';

/** The other one of the two, as the page of one of them names and sends it. */
export const otherOf = (netting: Netting, table: NettedTable) =>
  table === 'contributions'
    ? {
        ...netting.distribution,
        name: `distribution ${netting.distribution.number}`,
        to: paths.distribution(netting.distribution.id),
      }
    : { ...netting.call, name: `call ${netting.call.number}`, to: paths.capitalCall(netting.call.id) };

/** On a phone a card names what its amount is, and leaves out nothing. */
const Outcome = ({ word, sum }: { word: string; sum: DecimalText }) => (
  <span className={isZero(sum) ? 'max-sm:hidden' : undefined}>
    <span className="font-normal text-ink-2 sm:hidden">{word} </span>
    <Money value={sum} />
  </span>
);

/** What is called and distributed is what moves and what does not. */
function ControlTotals({
  totals: { called, distributed, deemed, pays, receives },
  currency,
}: Pick<Netting, 'totals' | 'currency'>) {
  const [all, none, paid, out, received] = [called, deemed, pays, distributed, receives].map((sum) =>
    formatFigure(sum, minorUnitDigits(currency)),
  );
  return (
    <p className="border-t border-line px-3.5 py-2 text-xs text-ink-2">
      {`Called ${all} = deemed ${none} + paid ${paid}. Distributed ${out} = deemed ${none} + received ${received}.`}
    </p>
  );
}

/** What each investor pays or receives of a call and a distribution that are netted. */
export function NettingSection({
  netting,
  table,
  version,
  isInvestor,
  mayWrite,
}: {
  netting: Netting;
  table: NettedTable;
  version: number;
  isInvestor: boolean;
  mayWrite: boolean;
}) {
  const { lines, totals, currency, call } = netting;
  const other = otherOf(netting, table);
  const isDraft = call.status === 'Draft';
  const total = (sum: string) => (lines.length > 1 ? sum : undefined);
  return (
    <TableSection
      title={isInvestor ? 'Your net amount' : 'Net amount of each investor'}
      note={
        <>
          {currency}, with{' '}
          <Link to={other.to} className="tap-text text-accent underline">
            {other.name}
          </Link>
        </>
      }
      more={
        isDraft && mayWrite ? (
          <ActionForm intent="separate" values={{ headerVersion: String(version), other: otherValue(other) }}>
            Settle separately
          </ActionForm>
        ) : null
      }
      narrow="cards"
      rows={lines}
      rowKey={({ commitmentId }) => commitmentId}
      columns={[
        {
          head: 'Investor',
          card: 'name',
          cell: ({ investor, isFund }) => <InvestorName investor={investor} isFund={isFund} />,
          total: lines.length > 1 ? formatCount(lines.length, 'investor') : undefined,
        },
        { head: `Called (call ${call.number})`, money: ({ called }) => called, total: total(totals.called) },
        {
          head: `Distributed (distribution ${netting.distribution.number})`,
          money: ({ distributed }) => distributed,
          total: total(totals.distributed),
        },
        { head: 'Deemed, no payment', quiet: true, money: ({ deemed }) => deemed, total: total(totals.deemed) },
        {
          head: 'Pays',
          card: 'amount',
          numeric: true,
          cell: ({ pays }) => <Outcome word="Pays" sum={pays} />,
          total: lines.length > 1 ? <Outcome word="Pay" sum={totals.pays} /> : undefined,
        },
        {
          head: 'Receives',
          card: 'state',
          numeric: true,
          cell: ({ receives }) => <Outcome word="Receives" sum={receives} />,
          total: lines.length > 1 ? <Outcome word="Receive" sum={totals.receives} /> : undefined,
        },
      ]}
      below={isInvestor ? null : <ControlTotals totals={totals} currency={currency} />}
    />
  );
}
