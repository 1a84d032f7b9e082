import { certifiedLines } from '@tapeline/domain/certifications/certified-lines.ts';
import { compareLines, comparisonSummary } from '@tapeline/domain/certifications/compare-lines.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { formatCount, writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import type { Certification } from '../../entities/certifications.ts';
import type { BorrowingBase } from '../../entities/lending.ts';
import { asProgram, type Session } from '../../store.ts';
import { completeAction } from '../notifications/notifications.ts';
import { tell } from '../outbox/tell.ts';

/** "Northwind, Senior facility, Class A note". Every recipient can see all three. */
async function placeOf(session: Session, { id }: Certification): Promise<string> {
  const [names] = await asProgram(session, () =>
    session.query<{ place: string }>(
      `select concat_ws(', ', c.name, t.title, (select note.value ->> 'title' from jsonb_array_elements(t.notes) as note
         where note.value ->> 'id' = k.note_id)) as place
       from certifications k join companies c on c.id = k.company_id join transactions t on t.id = k.transaction_id where k.id = $1`,
      [id],
    ),
  );
  return names?.place ?? 'a facility';
}

const aboutBase = ({ id }: BorrowingBase) => ({
  resource: 'borrowingBases',
  documentId: id,
  page: `/monitoring/borrowing-bases/${id}/certification`,
  pageTitle: 'Open the certificate',
});

/** What was submitted before about any version of the base needs no review any more. */
async function completeReviews(session: Session, { tapeId, contractId }: Certification): Promise<void> {
  const bases = await asProgram(session, () =>
    session.query<{ id: string }>(
      'select distinct base_id as id from certifications where tape_id = $1 and contract_id = $2',
      [tapeId, contractId],
    ),
  );
  await completeAction(session, {
    resource: 'borrowingBases',
    documentIds: bases.map(({ id }) => id),
    kinds: ['certificateSubmitted'],
  });
}

/** Tells the lender that the borrower submitted its certificate. */
export async function tellOfSubmission(session: Session, certification: Certification, base: BorrowingBase) {
  const place = await placeOf(session, certification);
  const { differing, unexplained } = comparisonSummary(
    compareLines(certifiedLines(base.result), certification.lines ?? null),
  );
  await completeReviews(session, certification);
  return tell(session, {
    ...aboutBase(base),
    kind: 'certificateSubmitted',
    to: { manager: certification.managerId, can: 'transactions/write' },
    key: `certificate-submitted/${certification.id}`,
    subject: `Certificate of ${formatCalendarDate(base.cutOffDate)} submitted: ${place}`,
    lines: [
      `${certification.signedName}, ${certification.signedTitle}, submitted the borrowing base certificate of ${formatCalendarDate(base.cutOffDate)}.`,
      '',
      place,
      `Net borrowing base as calculated: ${writtenAmount({ sum: base.netBB, currency: base.currency })}`,
      !certification.lines
        ? 'The borrower confirms the calculated figures.'
        : `The borrower gives its own figures: ${formatCount(differing, 'line differs', 'lines differ')}, of which ${unexplained} without a remark.`,
    ],
  });
}

/** Tells the borrower that its certificate was accepted or disputed. */
export async function tellOfCertificateDecision(session: Session, certification: Certification, base: BorrowingBase) {
  const place = await placeOf(session, certification);
  const isAccepted = certification.status === 'Accepted';
  const labels = new Map(certifiedLines(base.result).map(({ key, label }) => [key, label]));
  await completeReviews(session, certification);
  return tell(session, {
    ...aboutBase(base),
    kind: 'certificateDecided',
    level: isAccepted ? 'info' : 'warning',
    to: { company: certification.companyId, can: 'borrowingBase/read' },
    key: `certificate-decided/${certification.id}`,
    subject: `Certificate of ${formatCalendarDate(base.cutOffDate)} ${isAccepted ? 'accepted' : 'disputed'}: ${place}`,
    lines: isAccepted
      ? [
          'The lender accepted your borrowing base certificate. The sealed PDF is on its page.',
          '',
          place,
          `SHA-256 of the sealed PDF: ${certification.sha256}`,
        ]
      : [
          'The lender disputes your borrowing base certificate. Correct it and submit it again.',
          '',
          place,
          ...certification.disputed.map(({ line, reason }) => `${labels.get(line) ?? line}: ${reason}`),
        ],
  });
}
