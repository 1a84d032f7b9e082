import { randomUUID } from 'node:crypto';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type {
  contractTrial,
  draftPreview,
  inspectFilePreview,
  mappingPreview,
} from '@tapeline/workflows/all-workflows.ts';
import type { PreviewMappingInput, SheetInput } from '@tapeline/workflows/preview/activities.ts';
import type {
  ContractDraft,
  DraftedSheet,
  PreviewedRows,
  SheetHead,
  TrialResult,
} from '@tapeline/workflows/preview/preview.ts';
import { TASK_QUEUES } from '@tapeline/workflows/queues.ts';
import { WorkflowFailedError } from '@temporalio/client';
import { asRefusal } from './api/errors.ts';
import type { RequestContext } from './context.ts';

/** A person waits no longer than this for a preview; it ends by itself then. */
const PREVIEW_TIMEOUT = '60 seconds';

/** Asks the workers by a short workflow of this name. @throws Refusal as the workflow refused, or where none answers */
export async function askWorkers<Input, Result>(
  { temporal, log }: Pick<RequestContext, 'temporal' | 'log'>,
  name: string,
  input: Input,
): Promise<Result> {
  try {
    return (await temporal.workflow.execute(name, {
      taskQueue: TASK_QUEUES.workflows,
      workflowId: `preview/${name}/${randomUUID()}`,
      workflowExecutionTimeout: PREVIEW_TIMEOUT,
      args: [input],
    })) as Result;
  } catch (error) {
    const refusal = asRefusal(error);
    if (refusal) throw refusal;
    log.error({ err: error, workflow: name }, 'a preview failed');
    if (error instanceof WorkflowFailedError) {
      throw new Refusal('serverError', 'The preview could not be made. Try again, or contact the support.', {
        cause: error,
      });
    }
    throw new Refusal('serverError', 'No worker answered. Try again in a moment.', { cause: error });
  }
}

type Calls = Pick<RequestContext, 'temporal' | 'log'>;

/** The head of an uploaded file: sheets, header row, columns, first 100 rows, and a survey of the others if asked for. @throws Refusal for what is no tape */
export const inspectFile = (context: Calls, input: SheetInput & { isSurveyed?: boolean }): Promise<SheetHead> =>
  askWorkers<Parameters<typeof inspectFilePreview>[0], SheetHead>(context, 'inspectFilePreview', input);

/** The same rows as a mapping would make them, each cell with its error. @throws Refusal for rules that cannot be used */
export const previewMapping = (context: Calls, input: PreviewMappingInput): Promise<PreviewedRows> =>
  askWorkers<Parameters<typeof mappingPreview>[0], PreviewedRows>(context, 'mappingPreview', input);

/** The head and the mapped rows together, of one reading of the file. @throws Refusal for what is no tape */
export const draftOnFile = (context: Calls, input: PreviewMappingInput): Promise<DraftedSheet> =>
  askWorkers<Parameters<typeof draftPreview>[0], DraftedSheet>(context, 'draftPreview', input);

/** What a contract would give on a published tape, beside the one in force. Nothing is stored. */
export const tryContract = (context: Calls, input: ContractDraft): Promise<TrialResult> =>
  askWorkers<Parameters<typeof contractTrial>[0], TrialResult>(context, 'contractTrial', input);
