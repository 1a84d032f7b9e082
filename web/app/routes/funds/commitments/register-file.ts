import { registerOfCommitments } from '@tapeline/db/operations/capital/registers.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { registerResponse } from '../../../commands/registers.server.ts';
import { readScreen } from '../../../http/screen.server.ts';

/** The commitments to a fund on the day in the address as an Excel workbook or CSV, for managers. */
export const loader = readScreen('LPs/commitments/read', (screen) => {
  const date = screen.url.searchParams.get('date');
  return registerResponse(screen, () =>
    screen.db((session) =>
      registerOfCommitments(session, {
        fundId: screen.params.id ?? '',
        cutOffDate: isCalendarDate(date) ? date : undefined,
      }),
    ),
  );
});
