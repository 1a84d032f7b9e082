/** Every workflow a worker registers; the bundle's entry. */
export { loanTape } from './loan-tape/workflow.ts';
export { contractTrial, inspectFilePreview, mappingPreview } from './preview/workflow.ts';
