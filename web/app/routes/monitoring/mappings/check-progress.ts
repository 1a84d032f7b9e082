import { checkProgress } from '../../../commands/checks.server.ts';
import { readScreen } from '../../../http/screen.server.ts';

/** How much the user's check of a file has read. The editor asks while it waits for the check. */
export const loader = readScreen('assets/ETL/write', async ({ context, actor, params }) => ({
  share: await checkProgress({ context, actor }, params.file ?? ''),
}));
