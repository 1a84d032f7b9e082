import type { RequestContext } from '../http/context.ts';
import { errorResponse } from '../http/errors.server.ts';
import { accountRequestEndpoints } from './account-requests.ts';
import { adjustmentEndpoints } from './adjustments.ts';
import { amendmentEndpoints } from './amendments.ts';
import { announcementEndpoints } from './announcements.ts';
import { assetEndpoints } from './assets.ts';
import { authEndpoints } from './auth.ts';
import { bankStatementEndpoints } from './bank-statements.ts';
import { baseComparisonEndpoints } from './base-comparison.ts';
import { borrowingBaseEndpoints } from './borrowing-bases.ts';
import { capitalDocumentEndpoints } from './capital-documents.ts';
import { cashEndpoints } from './cash.ts';
import { certificationEndpoints } from './certifications.ts';
import { chatEndpoints } from './chats.ts';
import { checkEndpoints } from './checks.ts';
import { closingEndpoints } from './closings.ts';
import { companyEndpoints } from './companies.ts';
import { covenantEndpoints } from './covenants.ts';
import { dataDictionaryEndpoints } from './data-dictionary.ts';
import { deliverableEndpoints } from './deliverables.ts';
import { departureEndpoints } from './departures.ts';
import { drawEndpoints } from './draws.ts';
import { duplicateEndpoints } from './duplicates.ts';
import type { Endpoint } from './endpoint.ts';
import { entityEndpoints } from './entities.ts';
import { facilityFigureEndpoints } from './facility-figures.ts';
import { fileEndpoints, serveSignedObject } from './files.ts';
import { forecastEndpoints } from './forecasts.ts';
import { createApi } from './frame.ts';
import { fundEndpoints } from './funds.ts';
import { groupFilterEndpoints } from './group-filters.ts';
import { historyEndpoints } from './history.ts';
import { holdEndpoints } from './holds.ts';
import { importerEndpoints } from './importer.ts';
import { investorEndpoints } from './investors.ts';
import { invoiceEndpoints } from './invoices.ts';
import { latestRowsEndpoints } from './latest-rows.ts';
import { mainFundEndpoints } from './main-funds.ts';
import { managerEndpoints } from './managers.ts';
import { mappingEndpoints } from './mappings.ts';
import { notificationEndpoints } from './notifications.ts';
import { paymentProofEndpoints } from './payment-proof.ts';
import { paymentRunEndpoints } from './payment-runs.ts';
import { poolAnalyticsEndpoints } from './pool-analytics.ts';
import { proposalEndpoints } from './proposals.ts';
import { remapEndpoints } from './remap.ts';
import { repaymentEndpoints } from './repayments.ts';
import { rollForwardEndpoints } from './roll-forward.ts';
import { scenarioEndpoints } from './scenarios.ts';
import { serviceProviderEndpoints } from './service-providers.ts';
import { tableEndpoints } from './tables.ts';
import { tapeProposalEndpoints } from './tape-proposals.ts';
import { tapeEndpoints } from './tapes.ts';
import { termsProposalEndpoints } from './terms-proposals.ts';
import { transactionEndpoints } from './transactions.ts';
import { transferEndpoints } from './transfers.ts';
import { userEndpoints } from './users.ts';

/** Every REST call. To serve, check and document a new noun, add its list here. */
export const endpoints: readonly Endpoint[] = [
  ...authEndpoints,
  ...userEndpoints,
  ...entityEndpoints,
  ...managerEndpoints,
  ...holdEndpoints,
  ...companyEndpoints,
  ...investorEndpoints,
  ...accountRequestEndpoints,
  ...adjustmentEndpoints,
  ...baseComparisonEndpoints,
  ...serviceProviderEndpoints,
  ...historyEndpoints,
  ...fundEndpoints,
  ...termsProposalEndpoints,
  ...closingEndpoints,
  ...transferEndpoints,
  ...paymentRunEndpoints,
  ...cashEndpoints,
  ...bankStatementEndpoints,
  ...mainFundEndpoints,
  ...capitalDocumentEndpoints,
  ...mappingEndpoints,
  ...assetEndpoints,
  ...tapeEndpoints,
  ...tapeProposalEndpoints,
  ...latestRowsEndpoints,
  ...checkEndpoints,
  ...remapEndpoints,
  ...dataDictionaryEndpoints,
  ...proposalEndpoints,
  ...duplicateEndpoints,
  ...poolAnalyticsEndpoints,
  ...departureEndpoints,
  ...rollForwardEndpoints,
  ...paymentProofEndpoints,
  ...transactionEndpoints,
  ...borrowingBaseEndpoints,
  ...certificationEndpoints,
  ...amendmentEndpoints,
  ...covenantEndpoints,
  ...facilityFigureEndpoints,
  ...deliverableEndpoints,
  ...scenarioEndpoints,
  ...drawEndpoints,
  ...repaymentEndpoints,
  ...invoiceEndpoints,
  ...forecastEndpoints,
  ...fileEndpoints,
  ...importerEndpoints,
  ...announcementEndpoints,
  ...chatEndpoints,
  ...groupFilterEndpoints,
  ...notificationEndpoints,
  ...tableEndpoints,
];

const serve = createApi(endpoints);

/** Answers a REST call: Express mounts it under /auth, /crud, /files and /LTP. */
export async function serveApi(request: Request, context: RequestContext): Promise<Response> {
  try {
    return (await serveSignedObject(request, context)) ?? (await serve(request, context));
  } catch (error) {
    return errorResponse(error, context.traceId);
  }
}
