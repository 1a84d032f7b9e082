import type { BorrowingBase } from '@tapeline/db/entities/lending.ts';
import { shownAdjustment } from '@tapeline/db/operations/borrowing-bases/adjustments.ts';
import { ofCertificate } from '@tapeline/db/operations/borrowing-bases/approved-adjustments.ts';
import { listBorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import {
  type BorrowingBaseVersion,
  borrowingBaseVersions,
  getBorrowingBase,
} from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import type { Session } from '@tapeline/db/store.ts';
import { compareBases } from '@tapeline/domain/borrowing-base/compare-bases.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { nullIfRemoved, viewCertificate } from '../../../commands/certified-base.server.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { viewOf } from '../../../components/page/view-of.ts';

/** Cut-off dates in the trend of a note. */
const TREND_POINTS = 36;

/** The latest borrowing base of each cut-off date up to this one, earliest first. */
async function trendOf(session: Session, { noteId, cutOffDate }: { noteId: string; cutOffDate: string }) {
  const figures = await listBorrowingBaseFigures(session, {
    noteIds: [noteId],
    until: cutOffDate,
    perNote: TREND_POINTS,
  });
  return [...new Map(figures.map((figure) => [figure.cutOffDate, figure])).values()];
}

/** The result that this one is compared with: another of the same tape and contract, by default the one before it. */
async function comparedVersion(
  session: Session,
  base: BorrowingBase,
  versions: readonly BorrowingBaseVersion[],
  against: string | null,
) {
  const index = versions.findIndex(({ id }) => id === base.id);
  const version = versions.find(({ id }) => id === against && id !== base.id) ?? versions[index + 1];
  if (!version) return null;
  const other = await getBorrowingBase(session, version.id);
  return {
    id: version.id,
    calculatedAt: version.calculatedAt,
    hasSameInputs: Boolean(other.result.inputsHash) && other.result.inputsHash === base.result.inputsHash,
    figures: compareBases(other.result, base.result),
  };
}

/** The certificate: the stored result with the names of its sources, and the course of the note up to it. */
export const readBorrowingBase = async (session: Session, id: string) =>
  viewBorrowingBase(session, await getBorrowingBase(session, id));

async function viewBorrowingBase(session: Session, base: BorrowingBase) {
  const trend = await trendOf(session, base);
  const before = trend.filter(({ cutOffDate }) => cutOffDate < base.cutOffDate).at(-1);
  return {
    ...(await viewCertificate(session, base)),
    /** The borrowing base of the cut-off date before. */
    before: before ? pick(before, 'id', 'cutOffDate', 'netBB', 'currency') : null,
    trend,
  };
}

/** How each figure changed from the cut-off date before. Null for the first one of a note. */
async function changesSince(session: Session, { before, result }: BorrowingBasePage) {
  if (!before) return null;
  const earlier = await getBorrowingBase(session, before.id).catch(nullIfRemoved);
  return earlier && { ...before, figures: compareBases(earlier.result, result) };
}

type Load = (session: Session, opened: { base: BorrowingBasePage; stored: BorrowingBase; url: URL }) => Promise<object>;

const LOADERS = {
  certificate: async (session, { stored }) => ({
    adjustments: (await ofCertificate(session, stored)).map((one) => ({
      ...shownAdjustment(one),
      isOwn: session.actor.kind === 'user' && one.enteredBy.id === session.actor.userId,
    })),
  }),
  trend: async (session, { base }) => ({ since: await changesSince(session, base) }),
  audit: async (session, { base, stored, url }) => {
    const { versions, total } = await borrowingBaseVersions(session, stored);
    return {
      /** Results of this tape and contract, latest first, and how many there are. */
      versions,
      total,
      compared: await comparedVersion(session, stored, versions, url.searchParams.get('against')),
      history: await documentHistory(session, [{ resource: 'borrowingBases', ids: [base.id] }], url.searchParams),
    };
  },
} satisfies Record<string, Load>;

export type CertificateView = keyof typeof LOADERS;

type Loaded = {
  [View in CertificateView]: { view: View } & Awaited<ReturnType<(typeof LOADERS)[View]>>;
}[CertificateView];

export const CERTIFICATE_VIEWS = Object.keys(LOADERS) as CertificateView[];

/** The page of a borrowing base with the tab that the address asks for. */
export async function readCertificatePage(session: Session, id: string, url: URL) {
  const view = viewOf(url, CERTIFICATE_VIEWS);
  const stored = await getBorrowingBase(session, id);
  const base = await viewBorrowingBase(session, stored);
  return { base, tab: { view, ...(await LOADERS[view](session, { base, stored, url })) } as Loaded };
}

export type CertificateTab = Extract<Loaded, { view: 'certificate' }>;
export type AuditTab = Extract<Loaded, { view: 'audit' }>;
export type TrendTab = Extract<Loaded, { view: 'trend' }>;

export type BorrowingBasePage = Awaited<ReturnType<typeof readBorrowingBase>>;
