import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import type { StoredFile } from '@tapeline/db/entities/records.ts';
import { currencyOfCompany, getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { uploadedFile } from '@tapeline/db/operations/files/files.ts';
import { mappingForUpload } from '@tapeline/db/operations/mappings/mappings.ts';
import { uploadDoubts } from '@tapeline/db/operations/warnings.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { mayHoldSheet, NO_TAPE } from '@tapeline/domain/files/file-types.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { checkHeaders, describeHeaderProblems } from '@tapeline/domain/tapes/headers.ts';
import { type Mapping, parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { currencyOfTape } from '@tapeline/domain/tapes/suggest/suggest-mapping.ts';
import type { Attachment, TapeUpload, UploadWarning } from '@tapeline/domain/tapes/tape.schema.ts';
import { uploadWarning } from '@tapeline/domain/tapes/upload-warning.ts';
import { type Asker, inspectFile, previewMapping, samplesOf } from './previews.server.ts';

/** How long an upload waits for workers that live but are busy, before it is taken without a look at the file. */
const INSPECT_WITHIN_MS = 45_000;
/** How long an upload waits for the first rows as mapped. Their warning can be missing. */
const WARN_WITHIN_MS = 8_000;

interface InspectingAsker extends Asker {
  readonly actor: UserActor;
  readonly origin: CallOrigin;
}

/** The files of an upload, before any tape is made. */
export interface InspectedUpload {
  readonly upload: TapeUpload;
  /** Currency of the company; null if it has none. */
  readonly company: string | null;
  readonly mainCurrency: string;
  readonly primaryCurrency: string;
  readonly others: readonly StoredFile[];
  readonly accepted: readonly AcceptedFile[];
  readonly refused: readonly StoredFile[];
  readonly errors: readonly { readonly attachment: string; readonly message: string }[];
  readonly warnings: readonly UploadWarning[];
}

/** A file that becomes a tape. */
export interface AcceptedFile {
  readonly file: StoredFile;
  /** The sheet that is stored with the tape; null for that of the mapping. */
  readonly sheetName: string | null;
  /** The sheet that is read; null if the file has none, or none was named and the file could not be looked at. */
  readonly reads: string | null;
  readonly currency: string | null;
}

/**
 * Looks at the files of an upload: what is not a tape, or lacks columns that the mapping reads, is refused.
 * @param canLook whether workers can look at files now; the others are checked when a worker starts on them
 * @throws Refusal badRequest with flags, notFound for a company that is not visible
 */
export async function inspectUpload(
  asker: InspectingAsker,
  upload: TapeUpload,
  canLook: boolean,
): Promise<InspectedUpload> {
  const { company, mainCurrency, rules, sheet, doubts, files, others } = await asker.context.store.as(
    asker.actor,
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
        doubts: await uploadDoubts(session, upload),
        files: await confirmed(session, upload.attachments, 'attachments'),
        others: await confirmed(session, upload.otherAttachments, 'otherAttachments'),
      };
    },
    { ...asker.origin, isPreparation: true },
  );

  const accepted: AcceptedFile[] = [];
  const unseen = (file: StoredFile): AcceptedFile => {
    const sheetName = upload.sheetName ?? null;
    return { file, sheetName, reads: sheetName, currency: null };
  };
  const errors: { attachment: string; message: string }[] = [];
  const warnings: UploadWarning[] = [];
  const refused: StoredFile[] = [];
  // Uploading a tape does not need a worker. A file that cannot be inspected now is checked when a worker starts on it.
  let isLookedAt = canLook;
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
      const head = await inspectFile(asker, { fileId: file.id, ...sheet }, options);
      const headers = head.columns.map((column) => column.header);
      const problem = describeHeaderProblems(checkHeaders(planMapping(rules), headers), headers);
      if (problem) throw new Refusal('badRequest', problem);
      if (head.rows.length === 0) throw new Refusal('badRequest', 'The sheet has a header and no rows below it');
      // Store the sheet name with the tape if it is not exactly the one in the mapping.
      const isOther = head.kind === 'xlsx' && head.sheetName !== sheet.sheetName;
      const currency = currencyOfTape(samplesOf(head));
      const reads = head.kind === 'xlsx' ? head.sheetName : null;
      accepted.push({ file, sheetName: isOther ? head.sheetName : (upload.sheetName ?? null), reads, currency });
      const warning = await warningOf(asker, rules, upload, {
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
  const { primaryCurrency } = rules;
  return { upload, company, mainCurrency, primaryCurrency, others, accepted, refused, errors, warnings };
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
