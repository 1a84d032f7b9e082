import { listOfBundle } from '@tapeline/db/operations/capital/bundles.ts';
import { printDocument } from '../../commands/printing.server.ts';
import type { Screen } from '../../http/screen.server.ts';

/** A call or distribution with the shares of all its investors as a PDF. @throws Refusal as `listOfBundle` */
export async function printedList(screen: Screen, id: string) {
  const { printed, name } = await screen.db((session) => listOfBundle(session, id));
  return { name, bytes: await printDocument(screen, printed) };
}
