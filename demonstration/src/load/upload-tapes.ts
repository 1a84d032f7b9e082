import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, putFile } from '@tapeline/launch/client/caller.ts';
import type { TapeUpload } from '../tapes.ts';
import { workbookBytes } from './workbook.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const POLL_MS = 300;
const TAPE_TIMEOUT_MS = 300_000;

type Company = { id: string; entity: { name: string } };
type FileMetadata = { bucket: string; key: string; name: string; size: number; type: string; signedUrl?: string };
type Tape = {
  id: string;
  schedulerStatus: 'Processing' | 'Completed';
  processStatus: 'Pending' | 'Processing' | 'Completed';
  counts?: { dataRows: number; assets: number; errored: number } | null;
  failure?: string | null;
};

/**
 * Uploads the tapes one at a time, as a user would. Waits until each one is processed, because a tape is compared with
 * the previous one. If an earlier, interrupted run uploaded a tape, only waits for it.
 * @param say receives a progress line for each tape
 */
export async function uploadTapes(
  api: Caller,
  uploads: readonly TapeUpload[],
  say: (line: string) => void,
): Promise<void> {
  const companies = await api.get<Company[]>('/crud/companies?limit=1000');
  for (const [index, upload] of uploads.entries()) {
    const company = companies.find(({ entity }) => entity.name === upload.company);
    if (!company) throw new Error(`there is no company called ${upload.company}`);
    const label = `demonstration tape ${index + 1} of ${uploads.length}, ${upload.company} at ${upload.cutOffDate}`;
    const tape = await uploadOnce(api, company.id, upload);
    const { assets = 0, errored = 0 } = tape.counts ?? {};
    say(`${label}: ${assets} assets, ${errored} with errors`);
  }
}

/** Uploads a tape, unless an earlier run has already done so, and waits until it is processed. */
export async function uploadOnce(api: Caller, companyId: string, upload: Omit<TapeUpload, 'company'>): Promise<Tape> {
  const earlier = await findTape(api, companyId, upload.cutOffDate);
  if (!earlier) await uploadTape(api, companyId, upload);
  return untilProcessed(api, companyId, upload.cutOffDate);
}

async function uploadTape(
  api: Caller,
  companyId: string,
  { sheet, cutOffDate, calculateBB, mainCurrency }: Omit<TapeUpload, 'company'>,
): Promise<void> {
  const attachment = await sendFile(api, { name: sheet.fileName, type: XLSX, bytes: await workbookBytes(sheet) });
  const otherAttachments = [];
  for (const { fileName: name, bytes } of sheet.documents) {
    otherAttachments.push(await sendFile(api, { name, type: 'text/csv', bytes }));
  }
  const { errors } = await api.post<{ errors: unknown[] }>('/files/loanTapeScheduler', {
    cutOffDate,
    companyId,
    calculateBB,
    mainCurrency,
    attachments: [attachment],
    otherAttachments,
  });
  if (errors.length > 0) throw new Error(`${sheet.fileName} was refused: ${JSON.stringify(errors)}`);
}

async function sendFile(
  api: Caller,
  { name, type, bytes }: { name: string; type: string; bytes: Uint8Array },
): Promise<Omit<FileMetadata, 'signedUrl'>> {
  const [answer] = await api.post<{ error?: string; fileMetadata?: FileMetadata }[]>(
    '/files/signedUrls/loanTapes?operation=upload',
    { filesInfo: [{ name, size: bytes.byteLength, type }] },
  );
  if (!answer?.fileMetadata?.signedUrl) throw new Error(`${name} may not be uploaded: ${JSON.stringify(answer)}`);
  const { signedUrl, ...attachment } = answer.fileMetadata;
  await putFile(signedUrl, api.target.url, type, bytes);
  return attachment;
}

async function findTape(api: Caller, companyId: string, cutOffDate: string): Promise<Tape | undefined> {
  const filter = encodeURIComponent(JSON.stringify({ company: companyId, cutOffDate }));
  const [tape] = await api.get<Tape[]>(`/crud/loanTape?filter=${filter}&limit=1`);
  return tape;
}

async function untilProcessed(api: Caller, companyId: string, cutOffDate: string): Promise<Tape> {
  for (const end = Date.now() + TAPE_TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
    const tape = await findTape(api, companyId, cutOffDate);
    if (!tape) throw new Error(`the tape at ${cutOffDate} was removed while it was processed`);
    if (tape.schedulerStatus === 'Completed' && tape.processStatus === 'Completed') return tape;
    if (tape.failure) throw new Error(`the tape at ${cutOffDate} failed: ${tape.failure}`);
  }
  throw new Error(`the tape at ${cutOffDate} was not processed within ${TAPE_TIMEOUT_MS / 60_000} minutes`);
}
