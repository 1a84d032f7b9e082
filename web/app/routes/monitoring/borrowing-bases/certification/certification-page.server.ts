import type { Certification } from '@tapeline/db/entities/certifications.ts';
import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { certificationsOf, textOf } from '@tapeline/db/operations/certifications/certifications.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { CertificationStatus } from '@tapeline/domain/certifications/certification-labels.ts';
import { certifiedLines } from '@tapeline/domain/certifications/certified-lines.ts';
import { compareLines, comparisonSummary } from '@tapeline/domain/certifications/compare-lines.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import { verificationAddress } from '../../../../commands/certifications.server.ts';
import { viewCertificate } from '../../../../commands/certified-base.server.ts';
import type { Screen } from '../../../../http/screen.server.ts';

/** On which side of the certificate a person is. A reader changes nothing. */
type Side = 'borrower' | 'lender' | 'reader';

const sideOf = (actor: UserActor): Side => {
  if (actor.type === 'company') return can(actor, 'transactionDraw/write') ? 'borrower' : 'reader';
  return can(actor, 'transactions/write') ? 'lender' : 'reader';
};

const viewOf = (certification: Certification) => ({
  ...pick(certification, 'id', 'version', 'number', 'baseId'),
  status: certification.status as CertificationStatus,
  isOwnFigures: certification.lines != null,
  name: certification.signedName ?? null,
  title: certification.signedTitle ?? null,
  text: certification.text ?? null,
  submittedBy: certification.submittedBy ?? null,
  submittedAt: certification.submittedAt?.toISOString() ?? null,
  reviewedBy: certification.reviewedBy?.name ?? null,
  reviewedAt: certification.reviewedAt?.toISOString() ?? null,
  decidedBy: certification.decidedBy?.name ?? null,
  decidedAt: certification.decidedAt?.toISOString() ?? null,
  sha256: certification.sha256 ?? null,
  fileId: certification.fileId ?? null,
});
export type CertificationView = ReturnType<typeof viewOf>;

/** The one that is shown: the one that the address names, or the latest. */
function shownOf(all: readonly Certification[], asked: string | null): Certification | null {
  const found = asked === null ? all[0] : all.find(({ id }) => id === asked);
  if (asked !== null && !found) throw new Refusal('notFound');
  return found ?? null;
}

export async function readCertification(session: Session, { params: { id = '' }, url, actor, context }: Screen) {
  const stored = await getBorrowingBase(session, id);
  const base = await viewCertificate(session, stored);
  const all = await certificationsOf(session, stored);
  const shown = shownOf(all, url.searchParams.get('certificate'));
  // What was certified, which a later calculation may have replaced.
  const certified = shown && shown.baseId !== stored.id ? await getBorrowingBase(session, shown.baseId) : stored;
  const lines = compareLines(certifiedLines(certified.result), shown?.lines ?? null, shown?.disputed);
  const { verification } = shown ?? {};
  return {
    base: {
      ...pick(base, 'id', 'cutOffDate', 'noteId', 'noteTitle', 'transaction', 'contract'),
      currency: stored.currency,
      isLatest: certified.status === 'Active',
      latest: base.version.latest,
    },
    side: sideOf(actor),
    isOwn: shown?.submittedBy != null && shown.submittedBy.id === actor.userId,
    person: { name: `${actor.firstName} ${actor.lastName}`, email: actor.email },
    shown: shown && viewOf(shown),
    verification: verification ? verificationAddress(context.environment.publicUrl, verification) : null,
    // Before anything is submitted, nobody has stated figures but us.
    lines: shown ? lines : lines.map((line) => ({ ...line, theirs: null, difference: null })),
    summary: comparisonSummary(lines),
    netBase: { sum: certified.netBB, currency: certified.currency },
    text: await textOf(session, certified),
    isCodeSent: url.searchParams.get('code') === 'sent',
    all: all.map(viewOf),
  };
}
export type CertificationPage = Awaited<ReturnType<typeof readCertification>>;
