import type { StoredFile } from '@tapeline/db/entities/records.ts';
import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { objectKey } from '@tapeline/db/files/object-store.ts';
import { confirmUpload } from '@tapeline/db/files/receive-upload.ts';
import { currencyRates } from '@tapeline/db/operations/currencies/rates.ts';
import { fileMetadata, findFile, removeFile } from '@tapeline/db/operations/files/files.ts';
import { mappingForUpload } from '@tapeline/db/operations/mappings/mappings.ts';
import { getCompany } from '@tapeline/db/operations/people/people.ts';
import { failTape, restartTape } from '@tapeline/db/operations/tapes/generations.ts';
import { createTape, isAttached, tapeWorkflowId } from '@tapeline/db/operations/tapes/tapes.ts';
import { type CallOrigin, type Session, SYSTEM } from '@tapeline/db/store.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { checkHeaders, describeHeaderFaults } from '@tapeline/domain/tapes/headers.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import type { Attachment, TapeUpload, TapeUploadResult } from '@tapeline/domain/tapes/tape.schema.ts';
import type { loanTape } from '@tapeline/workflows/all-workflows.ts';
import { TASK_QUEUES } from '@tapeline/workflows/queues.ts';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { RequestContext } from '../context.ts';
import { inspectFile } from '../previews.server.ts';

/**
 * Makes a tape of each uploaded file and starts its workflow. What can be refused is refused here: a file that is no
 * tape, or lacks what the mapping reads, is deleted again and named in `errors`; where none is left, the whole is refused.
 * @throws Refusal badRequest with the reason (flags by attachment), notFound for a company out of sight
 */
export async function scheduleTapes(
  context: RequestContext,
  actor: UserActor,
  upload: TapeUpload,
  origin: CallOrigin = {},
): Promise<TapeUploadResult> {
  const { rules, sheet, files, others } = await context.store.as(
    actor,
    async (session) => {
      await getCompany(session, upload.companyId);
      const mapping = await mappingForUpload(session, {
        companyId: upload.companyId,
        mappingId: upload.assetsETL ?? null,
      });
      return {
        rules: parseMapping({
          rules: mapping.rules,
          loanTapeSheetName: mapping.loanTapeSheetName,
          primaryCurrency: mapping.primaryCurrency,
        }),
        sheet: { sheetName: upload.sheetName ?? mapping.loanTapeSheetName, isMappingsSheet: !upload.sheetName },
        files: await confirmed(context, session, upload.attachments),
        others: await confirmed(context, session, upload.otherAttachments),
      };
    },
    origin,
  );

  const accepted: { file: StoredFile; sheetName: string | null }[] = [];
  const errors: { attachment: string; message: string }[] = [];
  for (const file of files) {
    try {
      const head = await inspectFile(context, { fileId: file.id, ...sheet });
      const headers = head.columns.map((column) => column.header);
      const fault = describeHeaderFaults(checkHeaders(planMapping(rules), headers), headers);
      if (fault) throw new Refusal('badRequest', fault);
      if (head.rows.length === 0) throw new Refusal('badRequest', 'The sheet has a header and no rows below it');
      // The tape keeps which sheet it is on where the mapping does not say it to the letter.
      const isOther = head.kind === 'xlsx' && head.sheetName !== sheet.sheetName;
      accepted.push({ file, sheetName: isOther ? head.sheetName : (upload.sheetName ?? null) });
    } catch (error) {
      if (!isRefusal(error) || error.code === 'serverError') throw error;
      errors.push({ attachment: file.name, message: error.message });
      await forget(context, actor, file);
    }
  }
  if (accepted.length === 0) {
    const [first] = errors;
    throw new Refusal('badRequest', errors.length === 1 ? first?.message : 'None of the files can be read as a tape', {
      flags: Object.fromEntries(errors.map(({ attachment, message }) => [`attachments.${attachment}`, message])),
    });
  }
  const tapes = await context.store.as(
    actor,
    async (session) => {
      const exchangeRates = upload.exchangeRates ?? (await currencyRates(session, { on: upload.cutOffDate })).rates;
      const made: LoanTape[] = [];
      for (const { file, sheetName } of accepted) {
        made.push(
          await createTape(session, {
            companyId: upload.companyId,
            cutOffDate: upload.cutOffDate,
            mainCurrency: upload.mainCurrency,
            exchangeRates,
            calculateBB: upload.calculateBB,
            attachment: fileMetadata(file),
            otherAttachments: others.map(fileMetadata),
            sheetName,
            mappingId: upload.assetsETL ?? null,
          }),
        );
      }
      return made;
    },
    origin,
  );
  for (const tape of tapes) await startTape(context, tape.id);
  return {
    uploadedCount: tapes.length,
    errors,
    loanTapes: tapes.map(({ id }) => ({ id, workflowId: tapeWorkflowId(id) })),
  };
}

/** Sets a failed tape to work again. @throws Refusal badRequest where it is in work or published */
export async function retryTape(context: RequestContext, actor: UserActor, tapeId: string, origin: CallOrigin = {}) {
  await context.store.as(actor, (session) => restartTape(session, { tapeId }), origin);
  await startTape(context, tapeId);
}

/** Starts the tape's workflow; where Temporal does not take it, the tape says so and can be tried again. */
async function startTape(context: RequestContext, tapeId: string): Promise<void> {
  try {
    await context.temporal.workflow.start<typeof loanTape>('loanTape', {
      taskQueue: TASK_QUEUES.workflows,
      workflowId: tapeWorkflowId(tapeId),
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      // A failed tape's workflow may take a moment to close after it said that the tape may be tried again.
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.TERMINATE_EXISTING,
      args: [{ tapeId }],
    });
  } catch (error) {
    context.log.error({ err: error, tapeId }, 'the tape could not be handed to Temporal');
    const failure = 'The tape could not be handed to the workers. Try again in a moment.';
    await context.store.as(SYSTEM, (session) => failTape(session, { tapeId, failure }));
  }
}

/** The registered files of attachments, in sight, uploaded whole and of an allowed kind. */
async function confirmed(
  context: RequestContext,
  session: Session,
  attachments: readonly Attachment[],
): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const [index, { key }] of attachments.entries()) {
    try {
      files.push(await confirmUpload(session, context.objects, await findFile(session, { bucket: 'loanTapes', key })));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const message = error.code === 'notFound' ? 'The file is not there: upload it first' : error.message;
      throw new Refusal('badRequest', message, { flags: { [`attachments.${index}`]: message } });
    }
  }
  return files;
}

/** A file that was refused is not kept, unless an earlier tape was made of it. */
async function forget(context: RequestContext, actor: UserActor, file: StoredFile): Promise<void> {
  const forgotten = await context.store.as(actor, async (session) => {
    if (await isAttached(session, file)) return false;
    await removeFile(session, { bucket: file.bucket, key: file.key });
    return true;
  });
  if (forgotten) await context.objects.delete(objectKey(file.bucket, file.key));
}
