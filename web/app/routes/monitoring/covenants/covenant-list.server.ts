import { covenantStandings, listCovenants } from '@tapeline/db/operations/covenants/covenants.ts';
import { listFacilityFigures } from '@tapeline/db/operations/covenants/facility-figures.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { covenantCollection } from '@tapeline/domain/covenants/covenant.collection.ts';
import { COVENANT_STATES, type CovenantState } from '@tapeline/domain/covenants/covenant-labels.ts';
import { isId } from '@tapeline/domain/documents/id.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { skipOf } from '../../../components/page/skip.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { COVENANTS_PER_PAGE } from './covenant-tones.ts';
import { byCovenantUrgency, shownCovenant } from './shown-covenant.ts';

/** Whether the reader changes covenants: the manager's people do, a borrower reads. */
export const mayChange = ({ actor }: Pick<Screen, 'actor'>): boolean =>
  can(actor, covenantCollection.write) && actor.type !== 'company';

/** The states that the list is asked for: one of today's, or `ended` for covenants that are no longer tested. */
type Asked = CovenantState | 'ended' | null;

const askedState = (text: string | null): Asked =>
  text === 'ended' ? 'ended' : (COVENANT_STATES.find((state) => state === text) ?? null);

const countBy = <Key>(keys: readonly Key[]): [Key, number][] =>
  [...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]);

/** A page of the covenants that are tested, the most urgent first. */
export async function readCovenants(screen: Screen) {
  const { url, db } = screen;
  const only = askedState(url.searchParams.get('state'));
  const asked = url.searchParams.get('facility');
  const facility = isId(asked) ? asked : null;
  const isManager = mayChange(screen);
  return db(async (session) => {
    const today = todayOf(session);
    const [standings, ended, toReview] = await Promise.all([
      covenantStandings(session),
      listCovenants(session, {
        filter: { status: 'Disabled', ...(facility ? { transaction: facility } : {}) },
        limit: 1000,
      }),
      isManager ? listFacilityFigures(session, { filter: { status: 'Entered' }, limit: 1 }) : null,
    ]);
    const facilities = new Map(
      standings.map(({ transactionId, companyName, transactionTitle }) => [
        transactionId,
        `${companyName}, ${transactionTitle}`,
      ]),
    );
    const active = standings.filter(({ transactionId }) => !facility || transactionId === facility);
    const counts = new Map(countBy(active.map(({ state }) => state)));
    const chosen = only === 'ended' ? ended.documents : active.filter(({ state }) => !only || state === only);
    const covenants = chosen.map((covenant) => shownCovenant(covenant, today)).sort(byCovenantUrgency);
    const skip = skipOf(url.searchParams);
    return {
      today,
      only,
      facility,
      facilities: [...facilities]
        .map(([id, label]) => ({ value: id, label }))
        .sort((one, other) => one.label.localeCompare(other.label)),
      count: active.length,
      notes: new Set(active.map(({ noteId }) => noteId)).size,
      counts: COVENANT_STATES.map((state) => ({ state, count: counts.get(state) ?? 0 })),
      ended: ended.total,
      toReview: toReview?.total ?? 0,
      mayChange: isManager,
      total: covenants.length,
      /** Of all that are listed, in their order. */
      ids: covenants.map(({ id }) => id),
      covenants: covenants.slice(skip, skip + COVENANTS_PER_PAGE),
    };
  });
}
export type CovenantList = Awaited<ReturnType<typeof readCovenants>>;
