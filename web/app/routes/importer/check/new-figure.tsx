import type { ImportTotal } from '@tapeline/domain/importer/check.ts';
import { type ImportKind, KIND_TITLES } from '@tapeline/domain/importer/kinds.ts';
import { subtract } from '@tapeline/domain/money/decimal.ts';
import { ShortNumber } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import type { KeyFigure } from '../../../components/page/key-figures.tsx';
import { AMOUNT_FIELDS } from './fund-totals.ts';

/** What the rows that are OK would add: their amount if it is in one currency, otherwise their number. */
export function newFigureOf({
  kind,
  before,
  after,
  readyCount,
}: {
  kind: ImportKind;
  before: readonly ImportTotal[];
  after: readonly ImportTotal[];
  readyCount: number;
}): KeyFigure {
  const { nouns } = KIND_TITLES[kind];
  const earlier = new Map(before.map((total) => [total.currency, total]));
  const changed = after.filter((total) => total.count !== (earlier.get(total.currency)?.count ?? 0));
  const [only] = changed;
  const field = AMOUNT_FIELDS[kind]?.field;
  const note = readyCount === 1 ? 'from the row that is OK' : `from the ${formatFigure(readyCount)} rows that are OK`;
  if (!only || field === undefined || changed.length > 1) {
    const count = after.reduce((sum, one) => sum + one.count, 0) - before.reduce((sum, one) => sum + one.count, 0);
    return { label: `New ${nouns}`, value: formatFigure(count), note };
  }
  const was = earlier.get(only.currency);
  const isNav = kind === 'navs';
  return {
    label: `New ${nouns}`,
    value: isNav ? (
      formatFigure(only.count - (was?.count ?? 0))
    ) : (
      <ShortNumber value={subtract(only.sums[field] ?? '0', was?.sums[field] ?? '0')} />
    ),
    unit: isNav ? null : only.currency,
    note: isNav ? note : formatCount(only.count - (was?.count ?? 0), KIND_TITLES[kind].noun, nouns),
  };
}
