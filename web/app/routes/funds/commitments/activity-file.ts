import { activityOf } from '@tapeline/db/operations/capital/activity.ts';
import { activityFileName, printActivityStatement } from '@tapeline/domain/capital/print/activity.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { activityWorkbook } from '@tapeline/lake/exports/activity-workbook.ts';
import { printDocument, printedResponse, workbookResponse } from '../../../commands/printing.server.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { readCommitment } from './commitment-page.server.ts';

/** The activity statement of a commitment as a PDF, or as an Excel workbook. */
export const loader = readScreen('LPs/commitments/read', async (screen) => {
  const { format } = screen.params;
  if (format !== 'pdf' && format !== 'xlsx') throw new Refusal('notFound');
  const { statement } = await screen.db(async (session) => {
    const { commitment } = await readCommitment(session, screen);
    return activityOf(session, { id: commitment.id });
  });
  const name = activityFileName(statement);
  if (format === 'pdf') return printedResponse(await printDocument(screen, printActivityStatement(statement)), name);
  return workbookResponse(await activityWorkbook(statement), name);
});
