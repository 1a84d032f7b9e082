import { returnOf } from '@tapeline/domain/capital/capital-figures.ts';
import { coverageOf, type KnownFigures, knownFigures } from '@tapeline/domain/capital/coverage.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type ShownReturn, shownReturn } from '@tapeline/domain/returns/shown-return.ts';
import type { ReadSession } from '../../read-session.ts';
import { positionsAt } from './figures.ts';
import { ledgersOf } from './ledgers.ts';

/** The capital figures of a class of a fund. As on the page of a fund, they are those of the parts that have a NAV. */
export interface ClassFigures extends Omit<KnownFigures, 'coverage'> {
  /** The key of the class; null for commitments without one. */
  readonly Class: string | null;
  readonly investors: number;
  readonly netIrr: ShownReturn;
}

/** The figures of the visible commitments to a fund by class, as of a day. @throws Refusal notFound */
export async function figuresByClass(
  session: ReadSession,
  { fundId, cutOffDate }: { fundId: string; cutOffDate: CalendarDate },
): Promise<ClassFigures[]> {
  const positions = await positionsAt(session, { fundId, cutOffDate });
  const ledgers = await ledgersOf(
    session,
    positions.map(({ commitmentId }) => commitmentId),
  );
  return [...Map.groupBy(positions, (position) => position.Class)].map(([Class, own]) => {
    const { coverage: _, ...figures } = knownFigures(own);
    const { known } = coverageOf(own);
    const valued = (known.length === 0 ? own : known).flatMap(({ commitmentId }) => ledgers.get(commitmentId) ?? []);
    const first = valued.flatMap(({ calls }) => calls.map(({ dueDate }) => dueDate)).sort()[0];
    return {
      Class,
      investors: new Set(own.map(({ investorId }) => investorId)).size,
      ...figures,
      netIrr: shownReturn(returnOf(valued, cutOffDate, 'net'), first, cutOffDate),
    };
  });
}
