import { DRAW_EXCEPTION_MESSAGES } from '@tapeline/domain/draws/draw.schema.ts';
import { Money, Percent } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { KeyFigures } from '../../../../components/page/key-figures.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { pendingOf } from './approval-block.ts';
import type { DrawPage } from './draw-page.server.ts';

const USD = 'USD';

export function Amounts({ page }: { page: DrawPage }) {
  const main = page.amountInMainCurrency?.currency ?? page.checked?.figures.mainCurrency ?? null;
  return (
    <TableSection
      title="Amounts"
      note={`Valued at the rates of the cut-off date`}
      caption="Amounts by draw type"
      rows={page.draws}
      rowKey={(row) => row.type}
      columns={[
        { head: 'Draw type', cell: (row) => row.type, total: `Draw ${page.code}` },
        {
          head: 'Requested',
          numeric: true,
          cell: (row) =>
            row.amounts.map((amount, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the amounts of a draw have no id
              <span key={at} className="block">
                <Money value={amount} withCurrency />
              </span>
            )),
        },
        // It is the amount in the main currency, unless that is another one.
        ...(main === USD
          ? []
          : [
              {
                head: 'In USD',
                money: (row: DrawPage['draws'][number]) => row.valueInUSD,
                unknown: 'A rate is missing',
                total: page.valueInUsd,
              },
            ]),
        {
          head: main ? `In ${main}, main currency` : 'In the main currency',
          money: (row) => row.amountInMainCurrency,
          unknown: 'A rate is missing',
          total: page.amountInMainCurrency,
        },
      ]}
    />
  );
}

export function Figures({ page }: { page: DrawPage }) {
  const figures = page.checked?.figures;
  const pending = pendingOf(page).length;
  const skipped = page.exceptions.length - pending;
  const unit = figures?.mainCurrency ?? null;
  // What a borrower can still request counts what is requested and not decided, as in the form of the request.
  const isLess = page.isBorrower && page.isOpen;
  const commitments = figures?.commitments;
  const after = figures?.balance.after;
  const share =
    commitments && after && Number(commitments.sum) > 0 ? (Number(after.sum) / Number(commitments.sum)) * 100 : null;
  return (
    <KeyFigures
      figures={[
        {
          label: 'Requested, main currency',
          value: <Money value={page.amountInMainCurrency} unknown="A rate is missing" />,
          unit: page.amountInMainCurrency?.currency ?? null,
          note: formatCount(page.draws.length, 'draw type'),
        },
        ...(page.amountInMainCurrency?.currency === USD
          ? []
          : [
              {
                label: 'In USD',
                value: <Money value={page.valueInUsd} unknown="A rate is missing" />,
                unit: USD,
                note: 'at the rates of the cut-off date',
              },
            ]),
        {
          label: 'Availability after this draw',
          value: (
            <Money
              value={isLess ? page.afterRequests : figures?.availability.after}
              zero="figure"
              unknown="Needs a borrowing base and the rates"
            />
          ),
          unit,
          note: (
            <>
              {isLess ? 'today' : 'before:'}{' '}
              <Money value={figures?.availability.before} zero="figure" unknown="Needs a borrowing base" />
              {isLess ? ', less requests and this draw' : ''}
            </>
          ),
        },
        {
          label: 'Outstanding after this draw',
          value: <Money value={after} zero="figure" unknown="A rate is missing" />,
          unit,
          note:
            share === null ? (
              'commitments are unknown'
            ) : (
              <>
                <Percent value={share.toFixed(1)} digits={1} /> of commitments
              </>
            ),
        },
        {
          label: 'Exceptions',
          value: String(page.exceptions.length),
          unit: `in ${formatCount(page.checked?.checks.length ?? DRAW_EXCEPTION_MESSAGES.length, 'check')}`,
          note: page.exceptions.length === 0 ? 'all checks passed' : `${skipped} skipped, ${pending} pending`,
        },
      ]}
    />
  );
}
