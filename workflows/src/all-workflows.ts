/** Every workflow that a worker registers. The entry point of the bundle. */
export { dueAmendments } from './amendments/workflow.ts';
export { borrowingBases } from './borrowing-base/workflow.ts';
export { tapeCheck } from './check/workflow.ts';
export { basesExplained, scenarioCalculated } from './comparison/workflow.ts';
export {
  correctionsOfFile,
  proposalReview,
  remapReview,
  remapTape,
  rerunErrored,
  rerunPreview,
} from './corrections/workflow.ts';
export { covenantTests } from './covenants/workflow.ts';
export { dueDeliverables } from './deliverables/workflow.ts';
export { drawRequest } from './draw/workflow.ts';
export { duplicatesOfManager, everyDuplicate } from './duplicates/workflow.ts';
export { importCheck, importRows, runImportChecks, runImports } from './imports/workflow.ts';
export { latestRows, latestRowsCount } from './latest-rows/workflow.ts';
export { loanTape } from './loan-tape/workflow.ts';
export { dueCalls, lateTapes, sendMail } from './mail/workflow.ts';
export { makeNotices } from './notices/workflow.ts';
export {
  contractTrial,
  draftPreview,
  inspectFilePreview,
  mappingPreview,
  printedDocument,
} from './preview/workflow.ts';
export { refreshRates } from './rates/workflow.ts';
export { retention } from './retention/workflow.ts';
export { deliveredStatements } from './statements/workflow.ts';
export { compareStorage, endStranded, restartDraws, sweepOrphans } from './sweep/workflow.ts';
