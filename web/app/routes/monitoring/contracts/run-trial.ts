import type { LoaderFunctionArgs } from '@remix-run/node';
import { readScreen } from '../../../http/screen.server.ts';
import { readContract } from './contract-page.server.ts';
import { tryOnTape } from './trial.server.ts';

/** The contract's results on a tape (`?tape=`, the latest by default). The page requests them once it is rendered. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/read', async ({ db, params, url, context, actor }) => {
    const page = await db((session) => readContract(session, params.id ?? '', url.searchParams));
    return tryOnTape({ context, actor }, page);
  });
