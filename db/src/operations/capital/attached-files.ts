import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { isRefusal, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import type { Bucket } from '@tapeline/domain/files/buckets.ts';
import { requireClassOf } from '@tapeline/domain/funds/class-of-fund.ts';
import type { Attachment } from '@tapeline/domain/tapes/tape.schema.ts';
import { TITLE_OF } from '../../collections/stored-collection.ts';
import { Fund, MainFund } from '../../entities/funds.ts';
import type { StoredFile } from '../../entities/records.ts';
import type { Row } from '../../read-batch.ts';
import type { Session } from '../../store.ts';
import { uploadedFiles } from '../files/files.ts';
import { filesById } from './notices.ts';

export const FUND_SQL = {
  'fund.title': TITLE_OF.fund,
};

export const withAttachedFiles = <Document extends { fileId?: string | null | undefined }>(
  documents: readonly Document[],
  rows: readonly Row[] = [],
): (Document & { file: FileMetadata | null })[] => {
  const fileOf = filesById(rows);
  return documents.map((document) => ({ ...document, file: fileOf.get(document.fileId ?? '') ?? null }));
};

/** The uploaded files of attachments, by what names them. @throws Refusal badRequest as `uploadedFiles` */
export async function attachedFiles(
  session: Session,
  bucket: Bucket,
  attachments: readonly (Attachment | null | undefined)[],
): Promise<ReadonlyMap<string, StoredFile>> {
  const keysOrIds = attachments.flatMap((attachment) => attachment?.key ?? []);
  try {
    return await uploadedFiles(session, { bucket, keysOrIds });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refuse(error.message, { 'fileMetadata.key': error.message });
  }
}

/** @throws Refusal badRequest (flag on `fileMetadata.key`) */
export const fileIn = (files: ReadonlyMap<string, StoredFile>, bucket: Bucket, { key }: Attachment): string =>
  files.get(key)?.id ??
  refuse('The file does not exist, or its upload is incomplete. Upload it first', {
    'fileMetadata.key': `is not a file in ${bucket}`,
  });

interface OfFunds {
  fund?: string | null | undefined;
  mainFund?: string | null | undefined;
  Class?: string | null | undefined;
}

/** The funds that documents cover: one, or all members of a main fund. */
interface Covered {
  readonly funds: Fund[];
  readonly fund: Fund | null;
  readonly mainFund: MainFund | null;
}

/** The funds that documents name, read once. @returns finds those of one document, and refuses what does not fit */
export async function readFunds(session: Session, bodies: readonly OfFunds[]): Promise<(body: OfFunds) => Covered> {
  const idsOf = (field: 'fund' | 'mainFund') => [...new Set(bodies.flatMap((body) => body[field] ?? []))];
  const mainIds = idsOf('mainFund');
  const isHere = { status: { $ne: 'Removed' as const } };
  const mainFunds =
    mainIds.length > 0
      ? await session.em.find(MainFund, { id: { $in: mainIds }, ...isHere }, { orderBy: { id: 1 } })
      : [];
  const funds = await session.em.find(
    Fund,
    { $or: [{ id: { $in: idsOf('fund') } }, { mainFundId: { $in: mainIds } }], ...isHere },
    { orderBy: { id: 1 } },
  );
  const find = <Found extends { id: string }>(found: readonly Found[], id: string | null | undefined): Found | null => {
    if (id == null) return null;
    const one = found.find((candidate) => candidate.id === id);
    if (!one) throw new Refusal('notFound');
    return one;
  };
  return (body) => {
    const fund = find(funds, body.fund);
    const mainFund = find(mainFunds, body.mainFund);
    if (fund && mainFund && fund.mainFundId !== mainFund.id) {
      refuse(`${fund.title} is not a member of ${mainFund.title}`, { mainFund: 'is not the main fund of this fund' });
    }
    const covered = fund ? [fund] : funds.filter(({ mainFundId }) => mainFund && mainFundId === mainFund.id);
    requireClassOf(covered, body.Class);
    return { funds: covered, fund, mainFund };
  };
}

export const made = <Document>(created: readonly (Document | null)[]): Document[] =>
  created.filter((one) => one !== null);

const idsOf = (documents: readonly { id: string }[]): string[] => documents.map(({ id }) => id);

/** Those that a change has published: `Active` is entered only from `Draft`. */
export const publishedIn = (changed: readonly { id: string; status: string }[]): string[] =>
  idsOf(changed.filter(({ status }) => status === 'Active'));
