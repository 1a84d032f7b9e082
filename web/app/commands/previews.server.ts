import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { queuesWithoutWorker } from '@tapeline/db/operations/workers/heartbeats.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import type { WorkerQueue } from '@tapeline/db/worker-queues.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { SampleColumn } from '@tapeline/domain/tapes/suggest/suggest-mapping.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import type { PreviewMappingInput, SheetInput } from '@tapeline/workflows/preview/activities.ts';
import type {
  ContractDraft,
  DraftedSheet,
  PreviewedRows,
  SheetHead,
  TrialResult,
} from '@tapeline/workflows/preview/preview.ts';
import { isStored, LONGEST_MESSAGE, type Stored, storedKey } from '@tapeline/workflows/preview/references.ts';
import { awaitedFor } from '@tapeline/workflows/priorities.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  type WorkflowHandle,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { RequestContext } from '../http/context.ts';
import { asRefusal } from '../http/errors.server.ts';

/** The caller of a preview. */
export interface Asker {
  readonly context: Pick<RequestContext, 'environment' | 'store' | 'objects' | 'temporal' | 'log'>;
  readonly actor: Pick<UserActor, 'userId' | 'managerId'>;
}

export interface AskOptions {
  /** How long the person waits at most. The preview is then stopped. */
  readonly withinMs?: number;
  /** Where the preview is shown. A newer preview of the same user in the same place replaces it. */
  readonly place?: string;
  /** Previews unless it says otherwise. */
  readonly kind?: AskedKind;
  /** Aborts when the caller leaves, which stops the work. */
  readonly signal?: AbortSignal | undefined;
  /** What describes the work while it runs. */
  readonly memo?: Record<string, unknown>;
}

/** A kind of work that a person waits for. */
export interface AskedKind {
  /** What it is called: "preview". */
  readonly noun: string;
  /** Maximum number of them that one user can run or wait for at once, across all processes of the web app. */
  readonly slots: number;
  readonly workflowId: (userId: string, slot: number) => string;
}

const PREVIEW: AskedKind = { noun: 'preview', slots: 4, workflowId: WORKFLOW_IDS.preview };
const WITHIN_MS = 60_000;
/** How long a preview takes if nothing delays it. */
const RETRY_AFTER_SECONDS = 5;
/** A user with one slot who asks again has just left the one before, which takes a moment to end. */
const LEFT = { attempts: 5, everyMs: 200 };

const NO_WORKER = 'No worker is running. Try again in a few minutes.';

/** Previews in progress, by user and place. Only the newest is needed. */
const shown = new Map<string, { replace(): void }>();

/**
 * Asks the workers through a short workflow of this name. Long questions and answers go through the object store.
 * @throws Refusal as the workflow refused; tooMany if the user has too many previews, or if a newer preview replaced
 *   this one; serverError if no worker answers in time
 */
export async function askWorkers<Input, Result>(
  asker: Asker,
  name: string,
  input: Input,
  { withinMs = WITHIN_MS, place, kind = PREVIEW, signal, memo = {} }: AskOptions = {},
): Promise<Result> {
  const { context, actor } = asker;
  const { noun } = kind;
  await refuseWithoutWorkers(context, ['workflows', 'previews']);
  const placeKey = place === undefined ? null : `${actor.userId} ${place}`;
  let replaced = false;
  let handle: WorkflowHandle | null = null;
  const stop = (reason: string) => void handle?.terminate(reason).catch(() => undefined);
  const entry = {
    replace() {
      replaced = true;
      stop(`a newer ${noun} replaced this one`);
    },
  };
  if (placeKey !== null) {
    shown.get(placeKey)?.replace();
    shown.set(placeKey, entry);
  }
  const stored: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const leave = () => stop('the caller left');
  signal?.addEventListener('abort', leave, { once: true });
  try {
    const question = await asMessage(context, input, stored);
    handle = await startInSlot(asker, name, question, { withinMs, kind, memo });
    if (replaced) stop(`a newer ${noun} replaced this one`);
    if (signal?.aborted) leave();
    const late = new Promise<never>((_, reject) => {
      const message = `The ${noun} timed out. Try again in a moment.`;
      timer = setTimeout(() => reject(new Refusal('serverError', message)), withinMs);
    });
    const answer = await Promise.race([handle.result(), late]);
    if (!isStored(answer)) return answer as Result;
    stored.push(answer.storedAs);
    return (await json(await context.objects.getStream(answer.storedAs))) as Result;
  } catch (error) {
    stop('no caller waits for it');
    if (replaced) throw new Refusal('tooMany', `A newer ${noun} replaced this one.`, { cause: error });
    if (signal?.aborted) throw new Refusal('serverError', `The ${noun} was stopped.`, { cause: error });
    const refusal = asRefusal(error);
    if (refusal) throw refusal;
    context.log.error({ err: error, workflow: name }, `a ${noun} failed`);
    if (error instanceof WorkflowFailedError) {
      throw new Refusal('serverError', `The ${noun} failed. Try again, or contact support.`, {
        cause: error,
      });
    }
    throw new Refusal('serverError', 'No worker responded. Try again in a moment.', { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    if (placeKey !== null && shown.get(placeKey) === entry) shown.delete(placeKey);
    for (const key of stored) await context.objects.delete(key).catch(() => undefined);
  }
}

/**
 * Starts the workflow under one of the user's few ids. This limits the previews of a user to the number of ids, across
 * all processes.
 * @throws Refusal tooMany if all ids are taken
 */
async function startInSlot(
  { context, actor }: Asker,
  name: string,
  question: unknown,
  { withinMs, kind, memo }: Required<Pick<AskOptions, 'withinMs' | 'kind' | 'memo'>>,
): Promise<WorkflowHandle> {
  const { instanceName } = context.environment;
  const { noun, slots, workflowId } = kind;
  const first = Math.floor(Math.random() * slots);
  const attempts = slots === 1 ? LEFT.attempts : slots;
  for (let at = 0; at < attempts; at += 1) {
    const slot = (first + at) % slots;
    if (at >= slots) await wait(LEFT.everyMs);
    try {
      return await context.temporal.workflow.start(name, {
        taskQueue: taskQueuesOf(instanceName).awaited,
        workflowId: workflowIdOf(instanceName, workflowId(actor.userId, slot)),
        priority: awaitedFor(actor),
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
        // If this process ends first, the workflow times out by itself.
        workflowExecutionTimeout: withinMs + 1_000,
        memo,
        args: [question],
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }
  throw new Refusal(
    'tooMany',
    `You have ${slots} ${noun}${slots === 1 ? '' : 's'} in progress, the maximum at a time. Try again in ${RETRY_AFTER_SECONDS} seconds.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** Returns the question as it is sent. A long question is stored under its own key. */
async function asMessage(
  { environment, objects }: Asker['context'],
  input: unknown,
  stored: string[],
): Promise<unknown> {
  const written = JSON.stringify(input);
  if (written.length <= LONGEST_MESSAGE) return input;
  const storedAs = storedKey(environment.instanceName, randomUUID(), Date.now());
  stored.push(storedAs);
  await objects.putStream(storedAs, Readable.from([written]), { type: 'application/json' });
  return { storedAs } satisfies Stored;
}

async function refuseWithoutWorkers(context: Asker['context'], queues: readonly WorkerQueue[]): Promise<void> {
  const missing = await context.store.as(SYSTEM, queuesWithoutWorker);
  if (queues.some((queue) => missing.includes(queue))) throw new Refusal('serverError', NO_WORKER);
}

/**
 * Reads the head of an uploaded file: sheets, header row, columns, first 100 rows, and a survey of the others if
 * requested.
 * @throws Refusal if the file is not a tape
 */
export const inspectFile = (
  asker: Asker,
  input: SheetInput & { isSurveyed?: boolean },
  options?: AskOptions,
): Promise<SheetHead> => askWorkers(asker, 'inspectFilePreview', input, options);

/**
 * Returns the same rows as a mapping would convert them, each cell with its error.
 * @throws Refusal for rules that cannot be used
 */
export const previewMapping = (
  asker: Asker,
  input: PreviewMappingInput,
  options?: AskOptions,
): Promise<PreviewedRows> => askWorkers(asker, 'mappingPreview', input, options);

/**
 * Returns the head and the mapped rows together, from a single read of the file.
 * @throws Refusal if the file is not a tape
 */
export const draftOnFile = (asker: Asker, input: PreviewMappingInput, options?: AskOptions): Promise<DraftedSheet> =>
  askWorkers(asker, 'draftPreview', input, options);

/** Calculates what a contract would give on a published tape, next to the one in force. Nothing is stored. */
export const tryContract = (asker: Asker, input: ContractDraft): Promise<TrialResult> =>
  askWorkers(asker, 'contractTrial', input);

/** The sheet's columns as the suggestion code reads them. */
export const samplesOf = (head: SheetHead): SampleColumn[] =>
  head.columns.map(({ header, group, currencyMarks }, index) => ({
    header,
    group,
    currencyMarks,
    words: head.survey?.columns[index]?.words,
    isPadded: head.survey?.columns[index]?.isPadded,
    counted: head.survey?.columns[index]?.counted,
    // Rows sampled from the whole sheet are better evidence for a suggestion than the first rows alone.
    cells: [...head.rows.map(({ cells }) => cells), ...(head.survey?.sample ?? [])].map((cells) => {
      const cell = cells[index];
      return { tag: CellTag[cell?.kind ?? 'blank'], value: cell?.text ?? '' };
    }),
  }));
