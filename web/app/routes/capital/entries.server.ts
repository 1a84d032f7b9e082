import { CALL_ENTRY, type CallReview } from './calls/call-entry.server.ts';
import { DISTRIBUTION_ENTRY, type DistributionReview } from './distributions/distribution-entry.server.ts';

export type CapitalReview = CallReview | DistributionReview;

/** The forms of the kind that an address is about. */
export const entryAt = (request: Request) =>
  new URL(request.url).pathname.startsWith('/capital/calls/') ? CALL_ENTRY : DISTRIBUTION_ENTRY;
