import { expectedTest } from '@tapeline/domain/covenants/covenant-state.ts';
import type { CovenantForDraw } from '@tapeline/domain/draws/check-rules.ts';
import type { ReadSession } from '../../read-session.ts';
import { todayOf } from '../../today.ts';
import { type CovenantView, covenantStandings } from './covenants.ts';
import { termsOf } from './test-due-covenants.ts';

const ABOUT_DRAWS = ['reason', 'drawStop', 'amortisation'] as const;

const isAboutDraws = (consequence: string): consequence is CovenantForDraw['consequence'] =>
  ABOUT_DRAWS.some((one) => one === consequence);

/** The covenants of a note that have a consequence for draws today: breached and neither waived nor cured, or unknown. */
export async function covenantsForDraws(session: ReadSession, noteId: string): Promise<CovenantForDraw[]> {
  const covenants = await covenantStandings(session, { noteId, consequences: ABOUT_DRAWS });
  return covenants.flatMap((covenant) => forDraws(covenant, todayOf(session)));
}

function forDraws(covenant: CovenantView, today: string): CovenantForDraw[] {
  const { id, title, consequence, state, results, bound, unit } = covenant;
  if (!isAboutDraws(consequence) || (state !== 'breached' && state !== 'unknown')) return [];
  const latest = results[0];
  const shared = { id, title, unit, currency: covenant.currency ?? null, bound, consequence };
  if (state === 'breached' && latest) {
    const { testDate, value, limitValue: limit, testedAt } = latest;
    return [{ ...shared, testDate, value, limit, foundOn: testedAt.slice(0, 10) }];
  }
  const testDate = expectedTest(termsOf(covenant), today) ?? today;
  return [{ ...shared, testDate, value: null, limit: null, foundOn: today }];
}

/** A default advance rate that holds while a covenant is breached. */
export interface BreachedRate {
  readonly ratePercent: number;
  /** Its title, and the date of the test that was breached. */
  readonly covenant: string;
  readonly testDate: string;
}

/** The other default advance rate of a note while a covenant is breached: the lowest. Null if none applies. */
export async function breachedRate(session: ReadSession, noteId: string): Promise<BreachedRate | null> {
  const covenants = await covenantStandings(session, { noteId, consequences: ['defaultRate'] });
  const [lowest] = covenants
    .flatMap(({ state, consequence, defaultRate, title, results: [latest] }) =>
      state === 'breached' && consequence === 'defaultRate' && defaultRate != null && latest
        ? [{ ratePercent: Number(defaultRate), covenant: title, testDate: latest.testDate }]
        : [],
    )
    .sort((one, other) => one.ratePercent - other.ratePercent);
  return lowest ?? null;
}
