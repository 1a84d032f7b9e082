import type { CertificationDispute, CertificationDraft } from '@tapeline/domain/certifications/certification.schema.ts';
import {
  CERTIFICATION_TRANSITIONS,
  certificationText,
  MAX_CERTIFICATIONS,
} from '@tapeline/domain/certifications/certification-labels.ts';
import { type CertifiedLine, certifiedLines, NET_BASE_LINE } from '@tapeline/domain/certifications/certified-lines.ts';
import { assignLines, type OwnLine } from '@tapeline/domain/certifications/own-lines.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { minorUnitProblem } from '@tapeline/domain/money/amount.schema.ts';
import { round } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Certification } from '../../entities/certifications.ts';
import type { BorrowingBase } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import { findDocuments, type ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import type { Certificate } from '../borrowing-bases/approved-adjustments.ts';
import { getBorrowingBase } from '../borrowing-bases/borrowing-bases.ts';
import { actingPerson } from '../investors/payout-accounts.ts';
import { changedMetadata, createdMetadata, storeChange } from '../metadata.ts';
import { isBorrower, refuseBorrower, requirePermission } from '../permission.ts';
import { getContract } from '../transactions/contracts.ts';
import { tellOfCertificateDecision, tellOfSubmission } from './certification-mails.ts';

/** Who prepares and submits: the borrower's people who ask for draws. @throws Refusal forbidden */
function requireBorrower(session: Session): void {
  requirePermission(session, 'borrowingBase/read');
  requirePermission(session, 'transactionDraw/write');
  if (!isBorrower(session)) throw new Refusal('forbidden', 'Only the borrower submits its certificate');
}

/** Who reviews and decides: the lender's people who change facilities. @throws Refusal forbidden */
function requireLender(session: Session): void {
  requirePermission(session, 'borrowingBase/read');
  requirePermission(session, 'transactions/write');
  refuseBorrower(session, 'Only the lender decides about a certificate');
}

/** The certificates of a tape under a contract that the actor can see, the latest first. */
export const certificationsOf = (session: ReadSession, { tapeId, contractId }: Certificate): Promise<Certification[]> =>
  findDocuments(session, Certification, 'where t.tape_id = $1 and t.contract_id = $2 order by t.number desc limit $3', [
    tapeId,
    contractId,
    MAX_CERTIFICATIONS,
  ]);

/** @throws Refusal notFound; forbidden */
export async function listCertifications(session: Session, baseId: string): Promise<Certification[]> {
  requirePermission(session, 'borrowingBase/read');
  return certificationsOf(session, await getBorrowingBase(session, baseId));
}

/** A certificate by its id, below a version of its own borrowing base if the caller names one. */
export interface CertificationOf {
  readonly id: string;
  readonly baseId?: string;
}

/** @throws Refusal notFound; forbidden */
export async function getCertification(session: Session, { id, baseId }: CertificationOf): Promise<Certification> {
  requirePermission(session, 'borrowingBase/read');
  const of = baseId === undefined ? null : await getBorrowingBase(session, baseId);
  const found = await session.em.findOne(
    Certification,
    { id, ...(of && { tapeId: of.tapeId, contractId: of.contractId }) },
    { refresh: true },
  );
  if (!found) throw new Refusal('notFound');
  return found;
}

/** The certificates of one borrowing base change one after the other. */
const lockCertificates = (session: Session, tapeId: string) =>
  session
    .query('select 1 from loan_tapes where id = $1 for key share', [tapeId])
    .then(() => session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`certifications/${tapeId}`]));

async function lockCertification(session: Session, of: CertificationOf): Promise<Certification> {
  const { tapeId } = await getCertification(session, of);
  await lockCertificates(session, tapeId);
  return getCertification(session, of);
}

/** The version that is certified, which must be the latest. @throws Refusal badRequest */
async function latestBase(session: Session, baseId: string, what: string): Promise<BorrowingBase> {
  const base = await getBorrowingBase(session, baseId);
  if (base.status === 'Active') return base;
  throw new Refusal('badRequest', `The borrowing base was calculated again or adjusted. ${what}`);
}

/** The first problem of each line, by its field: what each amount is of, and that its decimals are those of its currency. */
function requireLines(ours: readonly CertifiedLine[], lines: readonly OwnLine[]): void {
  const byKey = new Map(ours.map((line) => [line.key, line]));
  const flags: Record<string, string> = {};
  for (const [index, { line, amount }] of lines.entries()) {
    if (line !== null && !byKey.has(line)) flags[`lines.${index}.line`] = 'is not a line of this certificate';
    const currency = (line === null ? undefined : byKey.get(line)?.currency) ?? ours[0]?.currency ?? '';
    const problem = minorUnitProblem(amount, currency);
    if (problem !== null) flags[`lines.${index}.amount`] ??= problem;
  }
  if (Object.keys(flags).length > 0) throw new Refusal('badRequest', undefined, { flags });
}

/**
 * Saves what the borrower will submit: its own figures, or that it confirms the calculated ones. Nobody else sees it.
 * @throws Refusal forbidden; notFound; badRequest for a superseded version, a line that the certificate does not have, too many
 *   decimals or too many certificates
 */
export async function saveCertificationDraft(
  session: Session,
  { baseId, body: { lines } }: { baseId: string; body: CertificationDraft },
): Promise<Certification> {
  requireBorrower(session);
  const base = await latestBase(session, baseId, 'Open the latest version, and certify that one');
  await lockCertificates(session, base.tapeId);
  if (lines) requireLines(certifiedLines(base.result), lines);
  const { tapeId, contractId, companyId, managerId, transactionId, noteId } = base;
  const [draft] = await session.em.find(Certification, { tapeId, contractId, status: 'Draft' }, { refresh: true });
  if (draft) {
    return storeChange(session, draft, { baseId: base.id, lines });
  }
  const [{ number = 0 } = {}] = await session.query<{ number: number }>(
    'select coalesce(max(number), 0)::int as number from certifications where tape_id = $1 and contract_id = $2',
    [tapeId, contractId],
  );
  if (number >= MAX_CERTIFICATIONS) {
    throw new Refusal('badRequest', `A borrowing base has at most ${MAX_CERTIFICATIONS} certificates`);
  }
  const created = session.em.create(Certification, {
    id: newId(session.now),
    ...{ managerId, companyId, tapeId, contractId, transactionId, noteId, lines },
    baseId: base.id,
    number: number + 1,
    disputed: [],
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return created;
}

/** The lines of the borrower's latest certificate of a note with figures of its own: how it names what we have. */
async function linesBefore(session: Session, noteId: string): Promise<OwnLine[]> {
  const [latest] = await session.query<{ lines: OwnLine[] }>(
    `select lines from certifications where note_id = $1 and lines is not null and status <> 'Draft'
     order by submitted_at desc, number desc limit 1`,
    [noteId],
  );
  return latest?.lines ?? [];
}

/** More decimals than any currency has are those of a formula. Fewer may separate thousands, so they are left to the borrower. */
const MAX_WRITTEN_DIGITS = 3;
const roundCalculated = (amount: string, digits: number): string =>
  (amount.split('.')[1]?.length ?? 0) > MAX_WRITTEN_DIGITS ? round(amount, digits) : amount;

/**
 * What the borrower can start from: the lines that it gives, assigned to ours as last time. Without any, those of last time, whose
 * amounts are not known yet.
 */
export async function assignedLines(
  session: Session,
  base: Pick<BorrowingBase, 'noteId' | 'result'>,
  given: readonly Pick<OwnLine, 'label' | 'amount'>[],
): Promise<OwnLine[]> {
  const digits = minorUnitDigits(base.result.currency);
  const read = given.map((line) => ({ ...line, amount: roundCalculated(line.amount, digits) }));
  return assignLines(read, certifiedLines(base.result), await linesBefore(session, base.noteId));
}

/** How the borrower named its lines last time, without amounts. */
export async function namedLines(
  session: Session,
  base: Pick<BorrowingBase, 'noteId' | 'result'>,
): Promise<Pick<OwnLine, 'label' | 'line'>[]> {
  const before = await linesBefore(session, base.noteId);
  const named = before.map(({ label }) => ({ label, amount: '0' }));
  return assignLines(named, certifiedLines(base.result), before).map(({ label, line }) => ({ label, line }));
}

/** What the borrower certifies under the contract of a base. */
export async function textOf(
  session: Session,
  base: Pick<BorrowingBase, 'contractId' | 'cutOffDate'>,
): Promise<string> {
  const { body } = await getContract(session, base.contractId);
  return certificationText(body.certification?.text, formatCalendarDate(base.cutOffDate));
}

export interface Signature {
  readonly name: string;
  readonly title: string;
  readonly version: number;
}

/**
 * Whether a draft can be submitted as it is: asked before its code is tried, because a code works once.
 * @throws Refusal forbidden; notFound; badRequest for one that was submitted or changed in the meantime, a base that was calculated
 *   again, or figures without a net borrowing base
 */
export async function requireSubmittable(
  session: Session,
  of: CertificationOf,
  { version }: Pick<Signature, 'version'>,
): Promise<{ draft: Certification; base: BorrowingBase }> {
  requireBorrower(session);
  const draft = await lockCertification(session, of);
  CERTIFICATION_TRANSITIONS.require(draft.status, 'Submitted');
  if (draft.version !== version) throw staleRefusal(draft, version);
  const base = await latestBase(session, draft.baseId, 'Check the new figures and save the draft again');
  if (draft.lines) {
    requireLines(certifiedLines(base.result), draft.lines);
    if (!draft.lines.some(({ line }) => line === NET_BASE_LINE)) {
      throw new Refusal('badRequest', 'Assign one of your lines to Net borrowing base');
    }
  }
  return { draft, base };
}

/**
 * Submits a draft whose code was right: see `submitCertification`. One that was submitted before and not accepted is superseded.
 * @throws Refusal as `requireSubmittable`
 */
export async function storeSubmission(
  session: Session,
  of: CertificationOf,
  signature: Signature,
): Promise<Certification> {
  const { draft, base } = await requireSubmittable(session, of, signature);
  const { tapeId, contractId } = draft;
  await supersede(
    session,
    await session.em.find(Certification, { tapeId, contractId, status: ['Submitted', 'InReview', 'Disputed'] }),
  );
  await storeChange(session, draft, {
    status: 'Submitted',
    text: await textOf(session, base),
    signedName: signature.name,
    signedTitle: signature.title,
    submittedBy: actingPerson(session),
    submittedAt: session.now,
  });
  await tellOfSubmission(session, draft, base);
  return draft;
}

/** Only one of them counts at a time, so those before are superseded first. */
async function supersede(session: Session, earlier: readonly Certification[]): Promise<void> {
  for (const one of earlier) {
    CERTIFICATION_TRANSITIONS.require(one.status, 'Superseded');
    session.em.assign(one, { status: 'Superseded', metadata: changedMetadata(session, one.metadata) });
  }
  await session.em.flush();
}

/** The lender begins to review a certificate. @throws Refusal forbidden; notFound; badRequest in another state */
export async function reviewCertification(session: Session, of: CertificationOf): Promise<Certification> {
  requireLender(session);
  const certification = await lockCertification(session, of);
  CERTIFICATION_TRANSITIONS.require(certification.status, 'InReview');
  return storeChange(session, certification, {
    status: 'InReview',
    reviewedBy: actingPerson(session),
    reviewedAt: session.now,
  });
}

/** @throws Refusal badRequest for the person who submitted it */
function requireAnother(session: Session, { submittedBy }: Certification): void {
  if (submittedBy?.id === actingPerson(session).id) {
    throw new Refusal('badRequest', 'You submitted this certificate, so someone else must decide');
  }
}

/**
 * Disputes a certificate, with a reason for each line that is wrong. The borrower corrects it and submits it again.
 * @throws Refusal forbidden; notFound; badRequest in another state, for the person who submitted it, or for lines that it does not have
 */
export async function disputeCertification(
  session: Session,
  of: CertificationOf,
  { lines }: CertificationDispute,
): Promise<Certification> {
  requireLender(session);
  const certification = await lockCertification(session, of);
  CERTIFICATION_TRANSITIONS.require(certification.status, 'Disputed');
  requireAnother(session, certification);
  const base = await getBorrowingBase(session, certification.baseId);
  const known = new Set(certifiedLines(base.result).map(({ key }) => key));
  const named = new Set<string>();
  for (const [index, { line }] of lines.entries()) {
    const problem = !known.has(line) ? 'is not a line of this certificate' : named.has(line) ? 'is named twice' : null;
    if (problem) throw new Refusal('badRequest', undefined, { flags: { [`lines.${index}.line`]: problem } });
    named.add(line);
  }
  await storeChange(session, certification, {
    status: 'Disputed',
    disputed: lines,
    decidedBy: actingPerson(session),
    decidedAt: session.now,
  });
  await tellOfCertificateDecision(session, certification, base);
  return certification;
}

/**
 * Whether a certificate can be accepted: asked before its file is printed and sealed.
 * @throws Refusal forbidden; notFound; badRequest in another state, for the person who submitted it, or if the base was calculated again
 */
export async function requireAcceptable(
  session: Session,
  of: CertificationOf,
): Promise<{ certification: Certification; base: BorrowingBase }> {
  requireLender(session);
  const certification = await lockCertification(session, of);
  CERTIFICATION_TRANSITIONS.require(certification.status, 'Accepted');
  requireAnother(session, certification);
  const base = await latestBase(
    session,
    certification.baseId,
    'Dispute this certificate, so that the borrower certifies the new figures',
  );
  return { certification, base };
}

/** The file of an accepted certificate, and what verifies it. */
interface Seal {
  readonly verification: string;
  readonly sha256: string;
  readonly fileId: string;
  /** As it is printed in the file. */
  readonly acceptedAt: Date;
}

/**
 * Accepts a certificate with the file that is sealed. One that was accepted before is superseded.
 * @param version of the certificate that the file was printed of
 * @throws Refusal as `requireAcceptable`; badRequest if it was changed in the meantime
 */
export async function acceptCertification(
  session: Session,
  of: CertificationOf,
  { version, seal: { acceptedAt, ...seal } }: { version: number; seal: Seal },
): Promise<Certification> {
  const { certification, base } = await requireAcceptable(session, of);
  if (certification.version !== version) throw staleRefusal(certification, version);
  const { tapeId, contractId } = certification;
  await supersede(session, await session.em.find(Certification, { tapeId, contractId, status: 'Accepted' }));
  await storeChange(session, certification, {
    ...seal,
    status: 'Accepted',
    decidedBy: actingPerson(session),
    decidedAt: acceptedAt,
  });
  await tellOfCertificateDecision(session, certification, base);
  return certification;
}
