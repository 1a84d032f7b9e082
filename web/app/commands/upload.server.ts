import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import type { StoredFile } from '@tapeline/db/entities/records.ts';
import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { currencyOfCompany, getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { currencyRates } from '@tapeline/db/operations/currencies/rates.ts';
import { fileMetadata, removeFile, uploadedFile } from '@tapeline/db/operations/files/files.ts';
import { mappingForUpload } from '@tapeline/db/operations/mappings/mappings.ts';
import { answerQuestions, questionsOfTape } from '@tapeline/db/operations/tapes/answer-questions.ts';
import { failTape, restartTape } from '@tapeline/db/operations/tapes/generations.ts';
import { differencesOf, findSameTape } from '@tapeline/db/operations/tapes/same-tape.ts';
import { createTape, isAttached } from '@tapeline/db/operations/tapes/tapes.ts';
import { futureWarning, rateWarnings } from '@tapeline/db/operations/warnings.ts';
import { type Session, SYSTEM } from '@tapeline/db/store.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { askedRefusal, isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { mayHoldSheet, NO_TAPE } from '@tapeline/domain/files/file-types.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { checkHeaders, describeHeaderProblems } from '@tapeline/domain/tapes/headers.ts';
import { type Mapping, parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { currencyOfTape } from '@tapeline/domain/tapes/suggest/suggest-mapping.ts';
import type { Attachment, TapeUpload, TapeUploadResult, UploadWarning } from '@tapeline/domain/tapes/tape.schema.ts';
import { questionSentence, type TapeAnswers } from '@tapeline/domain/tapes/tape-questions.ts';
import { uploadWarning } from '@tapeline/domain/tapes/upload-warning.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { loanTape } from '@tapeline/workflows/all-workflows.ts';
import { tapeStartOf } from '@tapeline/workflows/loan-tape/start.ts';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { RequestContext } from '../http/context.ts';
import { type Asker, inspectFile, previewMapping, samplesOf } from './previews.server.ts';
import { waitsForWorker } from './tape-control.server.ts';

/** How long an upload waits for workers that live but are busy, before it is taken without a look at the file. */
const INSPECT_WITHIN_MS = 45_000;
/** How long an upload waits for the first rows as mapped. Their warning can be missing. */
const WARN_WITHIN_MS = 8_000;

/**
 * Makes a tape of each uploaded file and starts its workflow. Errors that can be detected early are refused here. A
 * file that is not a tape, or lacks columns that the mapping reads, is deleted again and listed in `errors`. If no file
 * is left, the whole upload is refused. A file is listed in `warnings` if the mapping fails on most of its first rows,
 * if it is of a day in the future or its rates are far from the stored ones, or if its currency is in doubt and nobody
 * is asked. With `onDoubt: 'ask'`, such a tape waits for answers. A file that made a tape before, for the same company,
 * cut-off date, sheet and mapping, answers that tape while it is processed or published, unless `again` is true. The
 * warning names what else the upload asks for.
 * @param confirmed the warnings that a person confirmed; if given, others are asked about and no tape is made
 * @throws Refusal badRequest with the reason (flags by attachment), notFound for a company that is not visible
 */
export async function scheduleTapes(
  context: RequestContext,
  actor: UserActor,
  upload: TapeUpload,
  origin: CallOrigin = {},
  { confirmed: answered }: { confirmed?: readonly string[] } = {},
): Promise<TapeUploadResult> {
  const { company, mainCurrency, rules, sheet, doubts, files, others } = await context.store.as(
    actor,
    async (session) => {
      const owner = await getCompany(session, upload.companyId);
      const mapping = await mappingForUpload(session, {
        companyId: upload.companyId,
        mappingId: upload.assetsETL ?? null,
      });
      return {
        company: owner.entity.business?.currency ?? null,
        mainCurrency: upload.mainCurrency ?? currencyOfCompany(owner, 'mainCurrency'),
        rules: parseMapping({
          rules: mapping.rules,
          loanTapeSheetName: mapping.loanTapeSheetName,
          primaryCurrency: mapping.primaryCurrency,
        }),
        sheet: { sheetName: upload.sheetName ?? mapping.loanTapeSheetName, isMappingsSheet: !upload.sheetName },
        doubts: [
          ...[futureWarning('The tape', upload.cutOffDate, session.now)].flatMap((each) => each ?? []),
          ...(await rateWarnings(session, { date: upload.cutOffDate, rates: upload.exchangeRates ?? {} })),
        ],
        files: await confirmed(session, upload.attachments, 'attachments'),
        others: await confirmed(session, upload.otherAttachments, 'otherAttachments'),
      };
    },
    { ...origin, isPreparation: true },
  );

  const accepted: Accepted[] = [];
  const unseen = (file: StoredFile): Accepted => {
    const sheetName = upload.sheetName ?? null;
    return { file, sheetName, reads: sheetName, currency: null };
  };
  const errors: { attachment: string; message: string }[] = [];
  const warnings: UploadWarning[] = [];
  const refused: StoredFile[] = [];
  // Uploading a tape does not need a worker. A file that cannot be inspected now is checked when a worker starts on it.
  let isLookedAt = !(await waitsForWorker(context, ['workflows', 'previews']));
  for (const file of files) {
    if (!mayHoldSheet(file.type)) {
      errors.push({ attachment: file.name, message: NO_TAPE });
      refused.push(file);
      continue;
    }
    if (!isLookedAt) {
      accepted.push(unseen(file));
      continue;
    }
    try {
      const options = { withinMs: INSPECT_WITHIN_MS };
      const head = await inspectFile({ context, actor }, { fileId: file.id, ...sheet }, options);
      const headers = head.columns.map((column) => column.header);
      const problem = describeHeaderProblems(checkHeaders(planMapping(rules), headers), headers);
      if (problem) throw new Refusal('badRequest', problem);
      if (head.rows.length === 0) throw new Refusal('badRequest', 'The sheet has a header and no rows below it');
      // Store the sheet name with the tape if it is not exactly the one in the mapping.
      const isOther = head.kind === 'xlsx' && head.sheetName !== sheet.sheetName;
      const currency = currencyOfTape(samplesOf(head));
      const reads = head.kind === 'xlsx' ? head.sheetName : null;
      accepted.push({ file, sheetName: isOther ? head.sheetName : (upload.sheetName ?? null), reads, currency });
      const warning = await warningOf({ context, actor }, rules, upload, {
        fileId: file.id,
        sheetName: head.sheetName,
      });
      if (warning) warnings.push({ attachment: file.name, message: warning });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.code === 'serverError' || error.code === 'tooMany') {
        isLookedAt = false;
        accepted.push(unseen(file));
        continue;
      }
      errors.push({ attachment: file.name, message: error.message });
      refused.push(file);
    }
  }
  for (const message of doubts) {
    for (const { file } of accepted) warnings.push({ attachment: file.name, message });
  }
  if (accepted.length === 0) {
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
  const asked = new Set(warnings.map(({ attachment, message }) => `${attachment}: ${message}`));
  const tapes = await context.store.as(
    actor,
    async (session) => {
      const exchangeRates = upload.exchangeRates ?? (await currencyRates(session, { on: upload.cutOffDate })).rates;
      const { companyId, cutOffDate } = upload;
      const mapping = await mappingForUpload(session, { companyId, mappingId: upload.assetsETL ?? null });
      const answer: { tape: LoanTape; existed: boolean }[] = [];
      const askedAbout: Record<string, string> = {};
      const otherAttachments = others.map(fileMetadata);
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
        const facts = { file: currency, company, mapping: rules.primaryCurrency, tape: mainCurrency };
        const { questions, settled } = await questionsOfTape(session, { companyId: upload.companyId, facts });
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
        });
        answer.push({ tape, existed: false });
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

/** A file that becomes a tape. */
interface Accepted {
  readonly file: StoredFile;
  /** The sheet that is stored with the tape; null for that of the mapping. */
  readonly sheetName: string | null;
  /** The sheet that is read; null if the file has none, or none was named and the file could not be looked at. */
  readonly reads: string | null;
  readonly currency: string | null;
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
    `This tape exists. The same file was uploaded for this company, cut-off date, sheet and mapping on ${day}.`,
    ...(sheetName === null ? [] : [`It reads the sheet "${sheetName}".`]),
    ...(differences.length === 0 ? [] : [`Unlike this upload, it has ${differences.join(', ')}.`]),
  ].join(' ');
}

/** Explains why the mapping does not fit the file. Null if it fits, or if no worker answers in time. */
async function warningOf(
  asker: Asker,
  { rules, primaryCurrency }: Pick<Mapping, 'rules' | 'primaryCurrency'>,
  { cutOffDate }: TapeUpload,
  sheet: { fileId: string; sheetName: string },
): Promise<string | null> {
  try {
    const question = { ...sheet, cutOffDate, primaryCurrency, rules };
    const { rows, targets } = await previewMapping(asker, question, { withinMs: WARN_WITHIN_MS });
    return uploadWarning(
      rows,
      targets.map(({ label }) => label),
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
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

/**
 * Returns the registered files of the attachments. They must be visible to the actor, completely uploaded and of an
 * allowed kind.
 */
async function confirmed(
  session: Session,
  attachments: readonly Attachment[],
  field: 'attachments' | 'otherAttachments',
): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const [index, { key }] of attachments.entries()) {
    try {
      files.push(await uploadedFile(session, { bucket: 'loanTapes', keyOrId: key }));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const message = error.code === 'notFound' ? 'The file does not exist. Upload it first.' : error.message;
      throw new Refusal('badRequest', message, { flags: { [`${field}.${index}`]: message } });
    }
  }
  return files;
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
