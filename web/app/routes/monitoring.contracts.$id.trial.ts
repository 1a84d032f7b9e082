import type { LoaderFunctionArgs } from '@remix-run/node';
import { readContract } from '../contracts/contract-page.server.ts';
import { tryOnTape } from '../contracts/trial.server.ts';
import { readScreen } from '../screen.server.ts';

/** What the contract would give on a tape (`?tape=`, the latest where left out): asked for by the page once it stands. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/read', async ({ db, params, url, context }) => {
    const page = await db((session) => readContract(session, params.id ?? ''));
    return tryOnTape(context, page, url.searchParams.get('tape'));
  });
