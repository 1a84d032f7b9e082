import type { LoaderFunctionArgs } from '@remix-run/node';
import { listCallHeaders } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { readHeaderRows } from '../header-list.server.ts';

export const loader = (args: LoaderFunctionArgs) =>
  readHeaderRows(args, { table: 'contributions', list: listCallHeaders });
