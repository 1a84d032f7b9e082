import { listOfInvestors } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { printDocument } from '../../commands/printing.server.ts';
import type { Screen } from '../../http/screen.server.ts';

/** A call or distribution with the shares of all its investors as a PDF. @throws Refusal as `listOfInvestors` */
export async function printedList(screen: Screen, id: string) {
  const { printed, name } = await screen.db((session) => listOfInvestors(session, id));
  return { name, bytes: await printDocument(screen, printed) };
}
