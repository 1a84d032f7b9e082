/** Every workflow a worker registers; the bundle's entry. */
export { borrowingBases } from './borrowing-base/workflow.ts';
export { rerunErrored, rerunPreview } from './corrections/workflow.ts';
export { loanTape } from './loan-tape/workflow.ts';
export { contractTrial, draftPreview, inspectFilePreview, mappingPreview } from './preview/workflow.ts';
export { sweepOrphans } from './sweep/workflow.ts';
