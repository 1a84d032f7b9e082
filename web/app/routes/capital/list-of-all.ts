import { printedResponse } from '../../commands/printing.server.ts';
import { readScreen } from '../../http/screen.server.ts';
import { printedList } from './list-of-all.server.ts';

/** A call or distribution with the shares of all its investors as a PDF, for managers. */
export const loader = readScreen(null, async (screen) => {
  const { bytes, name } = await printedList(screen, screen.params.id ?? '');
  return printedResponse(bytes, name);
});
