import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import type { RequestContext } from '../context.ts';
import { assetEndpoints } from './assets.ts';
import { authEndpoints } from './auth.ts';
import { borrowingBaseEndpoints } from './borrowing-bases.ts';
import { partyEndpoints } from './companies.ts';
import type { Endpoint } from './endpoint.ts';
import { errorResponse } from './errors.ts';
import { fileEndpoints, serveSignedObject } from './files.ts';
import { createApi } from './frame.ts';
import { fundEndpoints } from './funds.ts';
import { mappingEndpoints } from './mappings.ts';
import { poolAnalyticsEndpoints } from './pool-analytics.ts';
import { tapeEndpoints } from './tapes.ts';
import { transactionEndpoints } from './transactions.ts';
import { userEndpoints } from './users.ts';

/** Every REST call there is. A new noun adds its list here, and is served, checked and documented by that. */
export const endpoints: readonly Endpoint[] = [
  ...authEndpoints,
  ...userEndpoints,
  ...partyEndpoints,
  ...fundEndpoints,
  ...mappingEndpoints,
  ...assetEndpoints,
  ...tapeEndpoints,
  ...poolAnalyticsEndpoints,
  ...transactionEndpoints,
  ...borrowingBaseEndpoints,
  ...fileEndpoints,
];

const serve = createApi(endpoints);

/** Answers a REST call; the splat routes under /auth, /crud, /files and /LTP are this and nothing more. */
export async function serveApi({ request, context }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
  const requestContext: RequestContext = context;
  try {
    return (await serveSignedObject(request, requestContext)) ?? (await serve(request, requestContext));
  } catch (error) {
    return errorResponse(error, requestContext.traceId);
  }
}
