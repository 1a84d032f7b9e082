import { type AmendedNote, versionsOf } from '@tapeline/domain/amendments/terms-by-day.ts';
import { type TestedCovenants, type TestedDay, testedDays } from '@tapeline/domain/covenants/tested-days.ts';
import type { Frequency } from '@tapeline/domain/dates/reporting-periods.ts';
import { pricingCovenants } from '@tapeline/domain/facilities/priced-by.ts';
import type { TermNames } from '@tapeline/domain/facilities/terms-in-words.ts';
import { asProgram, type Session } from '../../store.ts';
import { todayOf } from '../../today.ts';

interface PricingCovenant {
  id: string;
  firstTest: string;
  frequency: Frequency;
  isTested: boolean;
  results: TestedDay[];
}

/**
 * What the covenants found that price the interest of a note, by any version of its terms. Interest counts them whether the actor
 * may read covenants or not. A test that did not apply on its date has no result here.
 */
export async function pricingTests(session: Session, amended: AmendedNote): Promise<TestedCovenants> {
  const ids = [...new Set(versionsOf(amended).flatMap(({ note }) => pricingCovenants(note)))];
  if (ids.length === 0) return {};
  const covenants = await asProgram(session, () =>
    session.query<PricingCovenant>(
      `select c.id, c.first_test::text as "firstTest", c.frequency, c.status = 'Active' as "isTested",
         coalesce((select jsonb_agg(jsonb_build_object('date', r.test_date,
             'value', case when r.outcome <> 'notApplicable' then r.value::text end) order by r.test_date)
           from covenant_results r where r.covenant_id = c.id and r.status = 'Active'), '[]') as results
       from covenants c where c.id = any ($1)`,
      [ids],
    ),
  );
  const today = todayOf(session);
  return Object.fromEntries(covenants.map(({ id, results, ...terms }) => [id, testedDays(terms, results, today)]));
}

/** The covenants in force of a facility that can price the interest of their note, by title. */
export const pricingChoices = (session: Session, transactionId: string) =>
  session.query<{ value: string; label: string; note: string }>(
    `select id as value, title as label, note_id as note from covenants
     where transaction_id = $1 and status = 'Active' order by lower(title), id`,
    [transactionId],
  );

/** The titles of covenants that the actor can see, by id, for terms in words. */
export async function covenantTitles(session: Session, ids: readonly string[]): Promise<TermNames> {
  if (ids.length === 0) return {};
  const rows = await session.query<{ id: string; title: string }>(
    'select id, title from covenants where id = any ($1)',
    [[...ids]],
  );
  return Object.fromEntries(rows.map(({ id, title }) => [id, title]));
}
