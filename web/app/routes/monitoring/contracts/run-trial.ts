import { exportResponse } from '../../../commands/exports.server.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { readContract } from './contract-page.server.ts';
import { changedAssetsTable, tryOnTape } from './trial.server.ts';

/**
 * The contract's results on a tape (`?tape=`, the latest by default). The page requests them once it is rendered. With
 * `?format=`, the assets that change status as a file.
 */
export const loader = readScreen('transactions/read', async (screen) => {
  const { db, params, url, context, actor } = screen;
  const page = await db((session) => readContract(session, params.id ?? '', url.searchParams));
  const format = (['csv', 'xlsx'] as const).find((known) => known === url.searchParams.get('format'));
  if (!format) return tryOnTape({ context, actor }, page);
  const table = await changedAssetsTable({ context, actor }, page);
  const name = `changed-assets-v${page.contract.revision}`;
  return exportResponse(screen, table, { format, name, sheetName: 'Changed assets' });
});
