import { CAUSE_LABELS, CAUSES, type Cause } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import { BORROWING_BASE_STEPS } from '@tapeline/domain/borrowing-base/waterfall.ts';
import { isZero, round, subtract } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import type { ShownComparison } from './comparison-page.server.ts';
import { SignedMoney } from './signed-money.tsx';

const NET = BORROWING_BASE_STEPS.indexOf('netBB');

/** How the effects of the loans, and what follows from them for the note, add up to the effect of a cause. */
export function CauseToFigure({ opened, cause }: { opened: ShownComparison; cause: Cause }) {
  const { difference, assets } = opened;
  const { currency, lines, total } = difference;
  const index = CAUSES.indexOf(cause);
  const explained = difference.causes[index];
  const found = assets.find((one) => one.cause === cause);
  // Less than half of the minor unit is not worth a line.
  const rounding = round(subtract(explained?.netEffect ?? '0', found?.effect ?? '0'), minorUnitDigits(currency));
  const after = lines.filter(
    ({ kind, step, effects }) =>
      kind === 'change' && BORROWING_BASE_STEPS.indexOf(step) > NET && !isZero(effects[index] ?? '0'),
  );
  const rows = [
    ...(found
      ? [
          {
            key: 'loans',
            label: `Effect on ${formatCount(found.count, 'loan')}`,
            under:
              found.count > found.ownCount
                ? `${formatFigure(found.ownCount)} themselves, ${formatFigure(found.count - found.ownCount)} through limits`
                : null,
            sum: found.effect,
          },
          ...(isZero(rounding)
            ? []
            : [{ key: 'rounding', label: 'Rounding of the totals', under: null, sum: rounding }]),
        ]
      : []),
    ...after.map(({ key, label, effects }) => ({ key, label, under: null, sum: effects[index] ?? '0' })),
  ];
  return (
    <TableSection
      title={`To ${total.label.toLowerCase()}`}
      note={CAUSE_LABELS[cause]}
      caption={`From the loans to the effect of the cause: ${CAUSE_LABELS[cause]}`}
      rows={rows}
      rowKey={({ key }) => key}
      columns={[
        {
          head: 'Part',
          wraps: true,
          cell: ({ label, under }) => (
            <>
              {label}
              {under ? <span className="block text-xs text-ink-3">{under}</span> : null}
            </>
          ),
          total: total.label,
        },
        {
          head: `Effect (${currency})`,
          numeric: true,
          cell: ({ sum }) => <SignedMoney value={sum} currency={currency} />,
          total: <SignedMoney value={explained?.effect ?? '0'} currency={currency} />,
        },
      ]}
    />
  );
}
