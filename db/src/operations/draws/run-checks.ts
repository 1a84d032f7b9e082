import type { BaseForDraw, DrawLedger, DrawToCheck, OtherDraw } from '@tapeline/domain/draws/check-rules.ts';
import { type CheckedDraw, checkDraw, type DrawStage } from '@tapeline/domain/draws/checks.ts';
import type { StoredChecks } from '@tapeline/domain/draws/exceptions.ts';
import { notePosition, totalIn } from '@tapeline/domain/facilities/ledger.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { StoredNote } from '../../entities/lending.ts';
import { asProgram, type Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { noteOnDay } from '../amendments/note-amendments.ts';
import { availableTodaySql } from '../borrowing-bases/available-base.ts';
import { DRAW_BASES } from '../certifications/draw-bases.ts';
import { covenantsForDraws } from '../covenants/consequences.ts';
import { currencyRates } from '../currencies/rates.ts';
import { noteLedger } from '../ledger/note-ledger.ts';

/** A calendar period is at most a year, so that the draws that a frequency counts are this close. */
const LONGEST_PERIOD_DAYS = 366;

/** What was drawn and repaid on a note, without one request; the base is the latest one at or before its cut-off date. */
async function drawLedger(
  session: Session,
  command: { noteId: string; cutOffDate: string; drawId: string | null },
): Promise<DrawLedger & { ratesOn: string }> {
  const { noteId, cutOffDate, drawId } = command;
  // The limits of a note count all its draws, also those that are blocked for the actor.
  return asProgram(session, async () => {
    const note = await noteLedger(session, noteId, { withoutDraw: drawId });
    const others = await session.query<OtherDraw>(
      `select status, cut_off_date::text as "cutOffDate", array(
         select draw ->> 'type' from jsonb_array_elements(draws) as draw where jsonb_array_length(draw -> 'amounts') > 0
       ) as types
       from draws where note_id = $1 and id is distinct from $2 and status not in ('Rejected', 'Removed')
         and cut_off_date between $3::date - ${LONGEST_PERIOD_DAYS} and $3::date + ${LONGEST_PERIOD_DAYS}`,
      [noteId, drawId, cutOffDate],
    );
    const [base] = await session.query<BaseForDraw>(
      `select id, cut_off_date::text as "cutOffDate", currency, net_bb::text as "netBB",
         ${availableTodaySql('b')}::text as "availableBase"
       from ${DRAW_BASES} b
       where note_id = $1 and cut_off_date <= $2 order by cut_off_date desc, code desc limit 1`,
      [noteId, cutOffDate],
    );
    const covenants = await covenantsForDraws(session, noteId);
    const { rates, lastUpdate } = await currencyRates(session);
    const today = todayOf(session);
    return { note, others, base: base ?? null, covenants, rates, today, ratesOn: lastUpdate };
  });
}

/** Runs the checks of a request against the note as it is now, with its terms of the due date. @param command.drawId null for a new request */
export async function runChecks(
  session: Session,
  command: { request: DrawToCheck; note: StoredNote; drawId: string | null; stage: DrawStage },
): Promise<CheckedDraw & { stored: StoredChecks }> {
  const { request, note, drawId, stage } = command;
  const ledger = await drawLedger(session, { noteId: note.id, cutOffDate: request.cutOffDate, drawId });
  const checked = checkDraw(request, await noteOnDay(session, note, request.dueDate), ledger, stage);
  const { checks, figures } = checked;
  return {
    ...checked,
    stored: { checks, figures, stage, at: session.now.toISOString(), ratesOn: ledger.ratesOn },
  };
}

/**
 * What the other requests of the note ask for together, of those that the actor can see: no check counts them, so they
 * are never stored with one. Null where a rate or the main currency is missing.
 */
export async function otherRequests(
  session: Session,
  { noteId, drawId, mainCurrency }: { noteId: string; drawId: string | null; mainCurrency: string | null },
): Promise<Amount | null> {
  if (mainCurrency === null) return null;
  const ledger = await noteLedger(session, noteId, { withoutDraw: drawId });
  const { rates } = await currencyRates(session);
  const { requested } = notePosition(ledger, todayOf(session));
  const { amount, missing } = totalIn(mainCurrency, requested, rates);
  return missing.length > 0 ? null : amount;
}
