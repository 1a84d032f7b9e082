import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type DepartureBody, MAX_DEPARTURES } from '@tapeline/domain/pools/departure.schema.ts';
import type { Departed } from '@tapeline/domain/pools/roll-forward.ts';
import { Departure } from '../../entities/tapes.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { enteredFacts, enteredNow } from '../approvals/requests.ts';
import { namedDocument } from '../files/files.ts';
import { actingPerson } from '../investors/payout-accounts.ts';
import { storeChange } from '../metadata.ts';
import { refuseBorrower, requirePermission } from '../permission.ts';
import { getTape } from './tapes.ts';

/** Where the files of statements are. */
export const DEPARTURE_BUCKET = 'capitalAccounts';

/** What was said of the loans of a borrower that left, on its tapes between two cut-off dates, the latest statement first. */
export const departuresBetween = (
  session: ReadSession,
  { companyId, after, upTo }: { companyId: string; after: string; upTo: string },
): Promise<Departed[]> =>
  session.query<Departed>(
    `select d.kind, d.asset_ids as "assetIds" from departures d join loan_tapes t on t.id = d.tape_id
     where d.company_id = $1 and d.status = 'Active' and t.status = 'Active'
       and t.cut_off_date > $2 and t.cut_off_date <= $3
     order by d.entered_at desc, d.id`,
    [companyId, after, upTo],
  );

/** The statements of a tape, the latest first. @throws Refusal notFound */
export async function listDepartures(session: Session, tapeId: string): Promise<Departure[]> {
  const { id } = await getTape(session, tapeId);
  return session.em.find(Departure, { tapeId: id, status: 'Active' }, { orderBy: { enteredAt: 'desc', id: 'asc' } });
}

export const shownDeparture = (departure: Departure) => ({
  id: departure.id,
  loanTapeId: departure.tapeId,
  kind: departure.kind,
  assetIds: departure.assetIds,
  ...enteredFacts(departure),
});
export type ShownDeparture = ReturnType<typeof shownDeparture>;

/** @throws Refusal forbidden for borrowers and without `assets/write` */
export function requireDepartures(session: Session): void {
  requirePermission(session, 'assets/write');
  refuseBorrower(session, 'Only the manager can say what happened to loans that left');
}

/**
 * Says what happened to loans that a tape no longer reports. Whether they left is for the caller to check.
 * @throws Refusal notFound; forbidden; badRequest for too many statements, or a document that is no uploaded file
 */
export async function enterDeparture(
  session: Session,
  { tapeId, body }: { tapeId: string; body: DepartureBody },
): Promise<Departure> {
  requireDepartures(session);
  const { companyId, managerId } = await getTape(session, tapeId);
  await session.query('select 1 from loan_tapes where id = $1 for no key update', [tapeId]);
  if ((await session.em.count(Departure, { tapeId, status: 'Active' })) >= MAX_DEPARTURES) {
    throw new Refusal('badRequest', `A tape has at most ${MAX_DEPARTURES} statements. Put more loans into one`);
  }
  const file = await namedDocument(session, { bucket: DEPARTURE_BUCKET, document: body.document, companyId });
  const departure = session.em.create(Departure, {
    ...enteredNow(session, body, file),
    ...{ managerId, companyId, tapeId },
    kind: body.kind,
    assetIds: body.assetIds,
  });
  await session.em.flush();
  return departure;
}

/** Takes a statement back: its loans are unexplained again. @throws Refusal notFound; forbidden */
export async function removeDeparture(session: Session, id: string): Promise<Departure> {
  requireDepartures(session);
  const departure = await session.em.findOne(Departure, { id, status: 'Active' });
  if (!departure) throw new Refusal('notFound');
  await storeChange(session, departure, {
    status: 'Removed',
    removedBy: actingPerson(session),
    removedAt: session.now,
  });
  return departure;
}
