import type { CheckedFile } from '@tapeline/domain/tapes/tape-check.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { CHECK_SECONDS, type CheckTapeInput } from '@tapeline/workflows/check/activities.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { defaultPayloadConverter, WorkflowNotFoundError } from '@temporalio/client';
import { type AskedKind, type Asker, type AskOptions, askWorkers } from './previews.server.ts';

const CHECK: AskedKind = { noun: 'check', slots: 2, workflowId: WORKFLOW_IDS.check };
/** A check ends earlier, with a refusal that says what to do. */
const WITHIN_MS = (CHECK_SECONDS + 15) * 1000;

/**
 * Maps every row of a file and counts what becomes of them. Nothing is stored.
 * @throws Refusal for a file or rules that cannot be used, and as `askWorkers`
 */
export const checkTape = (
  asker: Asker,
  input: CheckTapeInput,
  options: Pick<AskOptions, 'signal' | 'place'> = {},
): Promise<CheckedFile> => askAboutFile(asker, 'tapeCheck', input.fileId, input, options);

/**
 * Asks the workers through a workflow of this name that reads a whole file, as a check does.
 * @param fileId whose progress `checkProgress` tells
 * @throws Refusal as `askWorkers`
 */
export const askAboutFile = <Input, Result>(
  asker: Asker,
  name: string,
  fileId: string,
  input: Input,
  options: Pick<AskOptions, 'signal' | 'place'> = {},
): Promise<Result> =>
  askWorkers(asker, name, input, { withinMs: WITHIN_MS, kind: CHECK, memo: { fileId }, ...options });

/** How much the user's check of a file has read, 0 to 1. Null if none runs, or if it has not said. */
export async function checkProgress({ context, actor }: Asker, fileId: string): Promise<number | null> {
  const { instanceName } = context.environment;
  const shares = await Promise.all(
    Array.from({ length: CHECK.slots }, async (_, slot) => {
      const id = workflowIdOf(instanceName, CHECK.workflowId(actor.userId, slot));
      try {
        const { memo, raw, status } = await context.temporal.workflow.getHandle(id).describe();
        if (status.name !== 'RUNNING' || memo?.fileId !== fileId) return null;
        const [payload] = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads ?? [];
        return payload ? defaultPayloadConverter.fromPayload<number>(payload) : null;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return null;
        throw error;
      }
    }),
  );
  return shares.find((share) => typeof share === 'number') ?? null;
}
