import { readPrintedInvoice } from '@tapeline/db/operations/invoices/print-invoice.ts';
import { logoReader } from '@tapeline/lake/storage/logo-reader.ts';
import { printDocument, printedResponse } from '../../../commands/printing.server.ts';
import { readScreen } from '../../../http/screen.server.ts';

/** An invoice as a PDF, for staff and its borrower. */
export const loader = readScreen('repayments/read', async (screen) => {
  const { objects, log } = screen.context;
  const { printed, name } = await screen.db((session) =>
    readPrintedInvoice(session, screen.params.id ?? '', logoReader(session, { objects, log })),
  );
  return printedResponse(await printDocument(screen, printed), name);
});
