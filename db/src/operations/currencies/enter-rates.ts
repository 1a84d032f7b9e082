import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { PublishedRates, RateEntry, RateRemoval } from '@tapeline/domain/money/rate.schema.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { rateWarnings } from '../warnings.ts';

/** Rates apply to every manager, so only administrators of the platform enter them, and never on a manager's behalf. */
export const canEnterRates = (actor: Actor): boolean =>
  actor.kind === 'user' && actor.type === 'admin' && actor.managerId === null && can(actor, 'managers/write');

function requireAdministrator({ actor }: Session): void {
  if (!canEnterRates(actor)) {
    throw new Refusal('forbidden', 'Only administrators of the platform can change currency rates');
  }
}

/**
 * Enters a rate for today or an earlier day, or corrects the one entered before. It takes precedence over the rates of
 * other sources for that day. Warns of a rate that is far from the latest earlier one. Documents that keep their rates, such as tapes and draws, do not change.
 * @throws Refusal forbidden unless an administrator; badRequest for a day in the future
 */
export async function enterRate(session: Session, { currency, date, rate, reason }: RateEntry): Promise<void> {
  requireAdministrator(session);
  if (date > todayOf(session)) {
    throw new Refusal('badRequest', `${formatCalendarDate(date)} is in the future`, {
      flags: { date: 'cannot be in the future' },
    });
  }
  for (const message of await rateWarnings(session, { date, rates: { [currency]: rate } }))
    session.warn({ documentId: null, message });
  await session.query(
    `insert into currency_rates (id, rates, last_update, source, reasons) values ($1, $2, $3, 'manual', $4)
     on conflict (last_update, source) do update
       set rates = currency_rates.rates || excluded.rates, reasons = currency_rates.reasons || excluded.reasons`,
    [newId(session.now), JSON.stringify({ [currency]: rate }), date, JSON.stringify({ [currency]: reason })],
  );
}

/**
 * Removes a rate that a person entered, so that the next source applies again. The reason is in the history.
 * @throws Refusal forbidden unless an administrator; notFound if no rate was entered for the day
 */
export async function removeRate(session: Session, { currency, date, reason }: RateRemoval): Promise<void> {
  requireAdministrator(session);
  const [entered] = await session.query<{ id: string; count: number }>(
    `update currency_rates set reasons = reasons || $3
     where last_update = $2 and source = 'manual' and rates ? $1
     returning id, (select count(*)::int from jsonb_object_keys(rates)) as count`,
    [currency, date, JSON.stringify({ [currency]: reason })],
  );
  if (!entered) {
    throw new Refusal('notFound', `No rate of ${currency} was entered by hand for ${formatCalendarDate(date)}`);
  }
  if (entered.count === 1) await session.query('delete from currency_rates where id = $1', [entered.id]);
  else {
    await session.query(
      'update currency_rates set rates = rates - $2::text, reasons = reasons - $2::text where id = $1',
      [entered.id, currency],
    );
  }
}

/** Stores the rates of the service for their day. @returns whether anything changed */
export async function storePublishedRates(session: Session, { date, rates }: PublishedRates): Promise<boolean> {
  const stored = await session.query<{ id: string }>(
    `insert into currency_rates (id, rates, last_update, source) values ($1, $2, $3, 'service')
     on conflict (last_update, source) do update set rates = currency_rates.rates || excluded.rates
       where not currency_rates.rates @> excluded.rates
     returning id`,
    [newId(session.now), JSON.stringify(rates), date],
  );
  return stored.length > 0;
}
