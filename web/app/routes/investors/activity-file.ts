import { activityOfInvestor } from '@tapeline/db/operations/capital/activity.ts';
import { investorActivityFileName, printInvestorActivity } from '@tapeline/domain/capital/print/activity.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { investorActivityWorkbook } from '@tapeline/lake/exports/activity-workbook.ts';
import { printDocument, printedResponse, workbookResponse } from '../../commands/printing.server.ts';
import { readScreen } from '../../http/screen.server.ts';

/** The activity statement of an investor over its commitments as a PDF, or as an Excel workbook. */
export const loader = readScreen('LPs/read', async (screen) => {
  const { id = '', format } = screen.params;
  if (format !== 'pdf' && format !== 'xlsx') throw new Refusal('notFound');
  const statement = await screen.db((session) => activityOfInvestor(session, { id }));
  const name = investorActivityFileName(statement);
  return format === 'pdf'
    ? printedResponse(await printDocument(screen, printInvestorActivity(statement)), name)
    : workbookResponse(await investorActivityWorkbook(statement), name);
});
