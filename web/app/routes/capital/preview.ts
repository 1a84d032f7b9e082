import type { ActionFunctionArgs } from '@remix-run/node';
import { entryAt } from './entries.server.ts';

/** The notice of a call or distribution under review, to one investor. */
export const action = (args: ActionFunctionArgs) => entryAt(args.request).preview(args);
