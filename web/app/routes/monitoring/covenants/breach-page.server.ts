import { getCovenant } from '@tapeline/db/operations/covenants/covenants.ts';
import { COVENANT_BUCKET } from '@tapeline/db/operations/covenants/facility-figures.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { covenantFigure, outcomeInWords } from '@tapeline/domain/covenants/covenant-words.ts';
import { businessDaysBetween } from '@tapeline/domain/dates/calendar-day.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { storeUploads } from '../../../commands/form-files.server.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { mayChange } from './covenant-list.server.ts';

/** The files of a form about a breach. */
export const BREACH_FILES = {
  files: {
    permission: 'transactions/write',
    store: (screen: Screen) => storeUploads(screen, { bucket: COVENANT_BUCKET }),
  },
} as const;

/** An open breach, for the forms that waive and cure it. @throws Refusal notFound if the covenant has none */
export function readBreach(screen: Screen) {
  if (!mayChange(screen)) throw new Refusal('forbidden', 'Only the manager can change covenants');
  return screen.db(async (session) => {
    const covenant = await getCovenant(session, screen.params.id ?? '');
    const [latest] = covenant.results;
    if (latest?.outcome !== 'breached' || latest.curedOn) throw new Refusal('notFound');
    const today = todayOf(session);
    const { cureUntil } = latest;
    return {
      id: covenant.id,
      title: covenant.title,
      company: covenant.companyName,
      note: covenant.noteTitle,
      testDate: latest.testDate,
      found: `${covenantFigure(covenant, latest.value)}, ${outcomeInWords(covenant, latest)}`,
      cure: cureUntil && cureUntil >= today ? { until: cureUntil, left: businessDaysBetween(today, cureUntil) } : null,
      today,
    };
  });
}
export type Breach = Awaited<ReturnType<typeof readBreach>>;
