import { sharesRegister } from '@tapeline/db/operations/capital/registers.ts';
import { registerResponse } from '../../commands/registers.server.ts';
import { readScreen } from '../../http/screen.server.ts';

/** The shares of all investors of a call or distribution as an Excel workbook or CSV, for managers. */
export const loader = readScreen(null, (screen) =>
  registerResponse(screen, () => screen.db((session) => sharesRegister(session, screen.params.id ?? ''))),
);
