import { selectionPerformance } from '@tapeline/db/operations/capital/figures.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { coverageText } from '@tapeline/domain/capital/coverage.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import type { FundFigureQuery } from '@tapeline/domain/funds/fund.schema.ts';
import { shownReturn } from '@tapeline/domain/returns/shown-return.ts';
import type { ShownCapital } from '../components/figures/capital-key-figures.tsx';

/** The capital figures that screens show of a selection of funds and investors. */
export async function readCapital(session: ReadSession, query: FundFigureQuery): Promise<ShownCapital> {
  const { figures, returns } = await selectionPerformance(session, query);
  return {
    ...pick(figures, 'currency', 'called', 'unfunded', 'distributed', 'nav', 'navDate', 'dpi', 'tvpi'),
    netIrr: shownReturn(returns.net, returns.items[0]?.when, returns.cutOffDate),
    ratesDate: figures.ratesDate,
    covers: coverageText(figures.coverage),
  };
}
