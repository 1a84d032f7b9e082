import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import type { StoredFile } from '@tapeline/db/entities/records.ts';
import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { currencyRates } from '@tapeline/db/operations/currencies/rates.ts';
import { fileMetadata, removeFile } from '@tapeline/db/operations/files/files.ts';
import { mappingForUpload } from '@tapeline/db/operations/mappings/mappings.ts';
import { answerQuestions, questionsOfTape } from '@tapeline/db/operations/tapes/answer-questions.ts';
import { failTape, restartTape } from '@tapeline/db/operations/tapes/generations.ts';
import { differencesOf, findSameTape } from '@tapeline/db/operations/tapes/same-tape.ts';
import { createTape, isAttached } from '@tapeline/db/operations/tapes/tapes.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { askedRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { TapeUpload, TapeUploadResult } from '@tapeline/domain/tapes/tape.schema.ts';
import type { TapeAnswers } from '@tapeline/domain/tapes/tape-questions.schema.ts';
import { questionSentence } from '@tapeline/domain/tapes/tape-questions.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { loanTape } from '@tapeline/workflows/all-workflows.ts';
import { tapeStartOf } from '@tapeline/workflows/loan-tape/start.ts';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { RequestContext } from '../http/context.ts';
import { type InspectedUpload, inspectUpload } from './inspect-upload.server.ts';
import { waitsForWorker } from './tape-control.server.ts';

/**
 * Makes a tape of each uploaded file and starts its workflow. Errors that can be detected early are refused here. A
 * file that is not a tape, or lacks columns that the mapping reads, is deleted again and listed in `errors`. If no file
 * is left, all uploads are refused. A file is listed in `warnings` if the mapping fails on most of its first rows,
 * if it is of a day in the future or its rates are far from the stored ones, or if its currency is in doubt and no
 * question is asked. With `onDoubt: 'ask'`, such a tape waits for answers. A file that made a tape before, for the same company,
 * cut-off date, sheet and mapping, answers that tape while it is processed or published, unless `again` is true. The
 * warning names what else the upload asks for.
 * @param uploads files of one company and cut-off date each; all tapes are made, or none
 * @param options.confirmed the warnings that a person confirmed; if given, others are asked about and no tape is made
 * @param options.alsoAsk questions about the uploads that are asked together with these
 * @throws Refusal badRequest with the reason (flags by attachment), notFound for a company that is not visible
 */
export async function scheduleTapes(
  context: RequestContext,
  actor: UserActor,
  uploads: readonly TapeUpload[],
  origin: CallOrigin = {},
  { confirmed: answered, alsoAsk = [] }: { confirmed?: readonly string[]; alsoAsk?: readonly string[] } = {},
): Promise<TapeUploadResult> {
  const inspected: InspectedUpload[] = [];
  const canLook = !(await waitsForWorker(context, ['workflows', 'previews']));
  for (const upload of uploads) inspected.push(await inspectUpload({ context, actor, origin }, upload, canLook));
  const errors = inspected.flatMap((each) => each.errors);
  const warnings = inspected.flatMap((each) => each.warnings);
  const refused = inspected.flatMap((each) => each.refused);
  if (inspected.every(({ accepted }) => accepted.length === 0)) {
    for (const file of refused) await forget(context, actor, file);
    const [first] = errors;
    throw new Refusal(
      'badRequest',
      errors.length === 1 ? first?.message : 'None of the files can be read as a loan tape',
      {
        flags: Object.fromEntries(errors.map(({ attachment, message }) => [`attachments.${attachment}`, message])),
      },
    );
  }
  const asked = new Set([...alsoAsk, ...warnings.map(({ attachment, message }) => `${attachment}: ${message}`)]);
  const tapes = await context.store.as(
    actor,
    async (session) => {
      const answer: { tape: LoanTape; existed: boolean }[] = [];
      const askedAbout: Record<string, string> = {};
      for (const one of inspected) {
        const { upload, accepted, mainCurrency } = one;
        const exchangeRates = upload.exchangeRates ?? (await currencyRates(session, { on: upload.cutOffDate })).rates;
        const { companyId, cutOffDate } = upload;
        const mapping = await mappingForUpload(session, { companyId, mappingId: upload.assetsETL ?? null });
        const otherAttachments = one.others.map(fileMetadata);
        const instruction = { mainCurrency, exchangeRates, calculateBB: upload.calculateBB, otherAttachments };
        for (const { file, sheetName, reads, currency } of accepted) {
          const identity = { companyId, cutOffDate, checksum: file.checksum ?? null, mapping };
          const sheetRead = { sheetName: reads, namesSheet: upload.sheetName !== undefined };
          const same = upload.again ? null : await findSameTape(session, { ...identity, ...sheetRead });
          if (same && answer.some(({ tape }) => tape.id === same.id)) {
            errors.push({ attachment: file.name, message: 'The same file is in this upload twice' });
            refused.push(file);
            continue;
          }
          if (same) {
            const message = sameTapeSentence(same, {
              differences: differencesOf(same, instruction),
              sheetName: reads === null ? (same.sheetName ?? null) : null,
            });
            const question = `${file.name}: ${message}`;
            if (!answered) {
              answer.push({ tape: same, existed: true });
              warnings.push({
                attachment: file.name,
                message: `${message} No other tape was made. For another one, upload the file again and send again: true`,
              });
              refused.push(file);
              continue;
            }
            asked.add(question);
            askedAbout[question] = same.id;
          }
          const facts = { file: currency, company: one.company, mapping: one.primaryCurrency, tape: mainCurrency };
          const { questions, settled } = await questionsOfTape(session, { companyId, facts });
          const isAsked = upload.onDoubt === 'ask';
          for (const question of isAsked ? [] : questions) {
            warnings.push({ attachment: file.name, message: questionSentence(question), ...question });
          }
          const tape = await createTape(session, {
            companyId,
            cutOffDate,
            ...instruction,
            questions: isAsked ? questions : [],
            settledQuestions: [...settled, ...(isAsked ? [] : questions.map((each) => ({ ...each, answer: null })))],
            attachment: fileMetadata(file),
            sheetName,
            mappingId: mapping.id,
            onDoubt: upload.onDoubt,
          });
          answer.push({ tape, existed: false });
        }
      }
      if (answered && [...asked].some((question) => !answered.includes(question))) {
        throw askedRefusal([...asked], askedAbout);
      }
      return answer;
    },
    origin,
  );
  for (const file of refused) await forget(context, actor, file);
  for (const { tape, existed } of tapes) if (!existed && tape.questions.length === 0) await startTape(context, tape);
  return {
    uploadedCount: tapes.length,
    errors,
    warnings,
    loanTapes: tapes.map(({ tape: { id }, existed }) => ({ id, workflowId: WORKFLOW_IDS.tape(id), existed })),
    waitsForWorker: await waitsForWorker(context),
  };
}

/**
 * @param details.differences what the earlier tape has, and the upload does not ask for
 * @param details.sheetName the sheet of the earlier tape, if that of the upload is not known
 */
function sameTapeSentence(
  { metadata }: LoanTape,
  { differences, sheetName }: { differences: readonly string[]; sheetName: string | null },
): string {
  const day = formatCalendarDate(metadata.iat.slice(0, 10));
  return [
    `This tape exists. The same file was uploaded for this borrower, cut-off date, sheet and mapping on ${day}.`,
    ...(sheetName === null ? [] : [`It reads the sheet "${sheetName}".`]),
    ...(differences.length === 0 ? [] : [`Unlike this upload, it has ${differences.join(', ')}.`]),
  ].join(' ');
}

/**
 * Retries a failed tape.
 * @throws Refusal badRequest if it is in progress or published
 */
export async function retryTape(context: RequestContext, actor: UserActor, tapeId: string, origin: CallOrigin = {}) {
  await startTape(context, await context.store.as(actor, (session) => restartTape(session, { tapeId }), origin));
}

/**
 * Answers the open questions of a tape and starts its processing.
 * @throws Refusal badRequest with flags by the question's code; notFound; forbidden
 */
export async function answerTape(
  context: RequestContext,
  actor: UserActor,
  command: { tapeId: string; answers: TapeAnswers },
  origin: CallOrigin = {},
): Promise<void> {
  await startTape(context, await context.store.as(actor, (session) => answerQuestions(session, command), origin));
}

/** Starts the tape's workflow. If Temporal does not accept it, the tape shows the failure and can be retried. */
async function startTape(context: RequestContext, tape: LoanTape): Promise<void> {
  const { id: tapeId } = tape;
  try {
    await context.temporal.workflow.start<typeof loanTape>('loanTape', {
      ...tapeStartOf(context.environment.instanceName, tape),
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      // After a failed tape becomes retryable, its workflow may take a moment to close.
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.TERMINATE_EXISTING,
    });
  } catch (error) {
    context.log.error({ err: error, tapeId }, 'the tape could not be handed to Temporal');
    const failure = 'Processing could not be started. Try again in a moment.';
    await context.store.as(SYSTEM, (session) => failTape(session, { tapeId, failure }));
  }
}

/** Deletes a refused file, unless an earlier tape was made from it. */
async function forget(context: RequestContext, actor: UserActor, file: StoredFile): Promise<void> {
  await context.store.as(
    actor,
    async (session) => {
      if (!(await isAttached(session, file))) await removeFile(session, { bucket: file.bucket, key: file.key });
    },
    { isPreparation: true },
  );
}
