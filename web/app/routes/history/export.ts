import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { exportResponse } from '../../commands/exports.server.ts';
import { readScreen } from '../../http/screen.server.ts';
import { isReversed, REVERSED_DATES } from './history-dates.ts';
import { historyTable } from './history-export.server.ts';
import { filtersOf } from './history-list.server.ts';

const FORMATS = ['csv', 'xlsx'] as const;

/** The changes that the address's filters select as a file in its `format` (CSV by default), one row per field. */
export const loader = readScreen('history/read', async (screen) => {
  const { url, db } = screen;
  const asked = url.searchParams.get('format') ?? 'csv';
  const format = FORMATS.find((known) => known === asked);
  if (!format) throw new Refusal('badRequest', `The format is one of ${FORMATS.join(', ')}`);
  const filters = filtersOf(url.searchParams);
  if (isReversed(filters)) throw new Refusal('badRequest', REVERSED_DATES);
  const table = await db((session) => historyTable(session, filters));
  return exportResponse(screen, table, { format, name: 'history', sheetName: 'History' });
});
