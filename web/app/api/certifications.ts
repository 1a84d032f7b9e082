import type { Certification } from '@tapeline/db/entities/certifications.ts';
import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import {
  disputeCertification,
  getCertification,
  listCertifications,
  reviewCertification,
  saveCertificationDraft,
} from '@tapeline/db/operations/certifications/certifications.ts';
import { countVerification, isAcceptedFile } from '@tapeline/db/operations/certifications/verify-file.ts';
import type { Session } from '@tapeline/db/store.ts';
import {
  certificationDisputeSchema,
  certificationDraftSchema,
  certificationSubmitSchema,
  shownCertificationSchema,
} from '@tapeline/domain/certifications/certification.schema.ts';
import { certifiedLines } from '@tapeline/domain/certifications/certified-lines.ts';
import { compareLines } from '@tapeline/domain/certifications/compare-lines.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import {
  acceptAndSeal,
  hashOfFile,
  MAX_VERIFIED_BYTES,
  sendSigningCode,
  submitSigned,
  verificationAddress,
  verificationSchema,
} from '../commands/certifications.server.ts';
import { limitFactorOf } from '../http/sign-in-client.server.ts';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const PATH = '/crud/borrowingBase/{id}/certificates';
const params = z.object({ id: idSchema, certificate: idSchema });
const wantedOf = ({ id, certificate }: z.output<typeof params>) => ({ id: certificate, baseId: id });
const shown = shownCertificationSchema;

async function bodyOf(session: Session, publicUrl: string, certification: Certification) {
  const { result } = await getBorrowingBase(session, certification.baseId);
  const lines = compareLines(certifiedLines(result), certification.lines ?? null, certification.disputed);
  const { verification } = certification;
  return {
    ...pick(certification, 'id', 'version', 'number', 'status'),
    borrowingBase: certification.baseId,
    figures: certification.lines ? ('own' as const) : ('ours' as const),
    lines: lines.map(({ key, label, currency, ours, theirs, difference, remark, dispute }) => ({
      key,
      label,
      currency,
      ours: exactNumber(ours),
      theirs: exactNumber(theirs),
      difference: exactNumber(difference),
      remark,
      dispute,
    })),
    text: certification.text ?? null,
    name: certification.signedName ?? null,
    title: certification.signedTitle ?? null,
    submittedBy: certification.submittedBy?.name ?? null,
    submittedAt: certification.submittedAt?.toISOString() ?? null,
    reviewedBy: certification.reviewedBy?.name ?? null,
    reviewedAt: certification.reviewedAt?.toISOString() ?? null,
    decidedBy: certification.decidedBy?.name ?? null,
    decidedAt: certification.decidedAt?.toISOString() ?? null,
    sha256: certification.sha256 ?? null,
    verification: verification ? verificationAddress(publicUrl, verification) : null,
    file: certification.fileId ?? null,
  };
}

/** The borrower's certificates of a borrowing base. One is found only below a version of its own base. */
export const certificationEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    // Both sides read them, with different permissions to change them; the operation requires borrowingBase/read.
    access: 'signed-in',
    summary:
      'List the borrower’s certificates of a borrowing base (its tape and contract, in all versions), the latest first, up to 50. Lenders do not see drafts. Needs borrowingBase/read',
    params: idParamsSchema,
    response: z.array(shown),
    handle: ({ params: { id }, actor, db, context: { environment } }) =>
      db(async (session) => {
        if (!can(actor, 'borrowingBase/read')) throw new Refusal('notFound');
        const body = [];
        for (const one of await listCertifications(session, id)) {
          body.push(await bodyOf(session, environment.publicUrl, one));
        }
        return { body };
      }),
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    access: 'transactionDraw/write',
    summary:
      'Save the draft of the borrower’s certificate of the latest version: its own figures, or lines null to confirm the calculated ones. A line names the key of ours that it is. Amounts that are added up for one line count once; deductions may have a minus or not. Only for the borrower; also needs borrowingBase/read',
    params: idParamsSchema,
    body: certificationDraftSchema,
    response: shown,
    example: {
      body: { lines: [{ label: 'Net borrowing base', amount: 689.53, line: 'netBB', remark: 'Loan 6 left out' }] },
    },
    handle: ({ params: { id }, body, db, context: { environment } }) =>
      db(async (session) => ({
        body: await bodyOf(session, environment.publicUrl, await saveCertificationDraft(session, { baseId: id, body })),
      })),
  }),
  endpoint({
    method: 'POST',
    path: `${PATH}/{certificate}/code`,
    access: 'transactionDraw/write',
    summary:
      'Email the code that signs this certificate to the signed-in user of the borrower. Valid for 10 minutes, once, for this certificate, and only with the cookie set by this call. A 429 response includes Retry-After',
    params,
    response: z.object({}),
    status: 200,
    async handle({ params: wanted, actor, context, request }) {
      await sendSigningCode(request, context, actor, wantedOf(wanted));
      return { body: {} };
    },
  }),
  endpoint({
    method: 'POST',
    path: `${PATH}/{certificate}/submit`,
    access: 'transactionDraw/write',
    summary:
      'Submit a draft with the signer’s name and title and the code. One that was submitted before and is not accepted is superseded',
    params,
    body: certificationSubmitSchema,
    response: shown,
    status: 200,
    async handle({ params: wanted, body, actor, context, request, db }) {
      const submitted = await submitSigned(request, context, actor, wantedOf(wanted), body);
      return db(async (session) => ({ body: await bodyOf(session, context.environment.publicUrl, submitted) }));
    },
  }),
  endpoint({
    method: 'POST',
    path: `${PATH}/{certificate}/review`,
    access: 'transactions/write',
    summary: 'Begin to review a certificate that was submitted. Only for the lender; also needs borrowingBase/read',
    params,
    response: shown,
    status: 200,
    handle: ({ params: wanted, db, context: { environment } }) =>
      db(async (session) => ({
        body: await bodyOf(session, environment.publicUrl, await reviewCertification(session, wantedOf(wanted))),
      })),
  }),
  endpoint({
    method: 'POST',
    path: `${PATH}/{certificate}/dispute`,
    access: 'transactions/write',
    summary:
      'Dispute a certificate in review, with a reason for each line. The borrower corrects it and submits it again',
    params,
    body: certificationDisputeSchema,
    response: shown,
    status: 200,
    example: { body: { lines: [{ line: 'netBB', reason: 'Loan 6 is ineligible since 1 October' }] } },
    handle: ({ params: wanted, body, db, context: { environment } }) =>
      db(async (session) => ({
        body: await bodyOf(session, environment.publicUrl, await disputeCertification(session, wantedOf(wanted), body)),
      })),
  }),
  endpoint({
    method: 'POST',
    path: `${PATH}/{certificate}/accept`,
    access: 'transactions/write',
    summary:
      'Accept a certificate in review: its PDF is sealed, and draws are checked against its base if the contract says so. Whoever submitted it cannot accept it',
    params,
    response: shown,
    status: 200,
    async handle({ params: wanted, actor, context, origin, db }) {
      const accepted = await acceptAndSeal({ actor, context, origin }, wantedOf(wanted));
      return db(async (session) => ({
        body: await bodyOf(
          session,
          context.environment.publicUrl,
          await getCertification(session, { id: accepted.id }),
        ),
      }));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/files/verify/{verification}',
    access: 'public',
    summary:
      'Whether a file is the accepted certificate of a verification address. Says nothing else: an address that does not exist is answered the same. At most 30 files from one network address in 15 minutes',
    params: z.object({ verification: verificationSchema }),
    body: z.object({
      content: z
        .base64()
        .min(1)
        .max(Math.ceil(MAX_VERIFIED_BYTES / 3) * 4)
        .meta({ description: 'The bytes of the file' }),
    }),
    maxBodyBytes: Math.ceil(MAX_VERIFIED_BYTES / 3) * 4 + 1024,
    response: z.object({ accepted: z.boolean() }),
    status: 200,
    async handle({ params: { verification }, body: { content }, context }) {
      const now = new Date();
      const limitFactor = limitFactorOf(context.environment);
      await countVerification(context.store, { address: context.clientAddress, now, limitFactor });
      const bytes = Buffer.from(content, 'base64');
      if (bytes.length === 0) throw new Refusal('badRequest', undefined, { flags: { content: 'is empty' } });
      const accepted = await isAcceptedFile(context.store, { verification, sha256: hashOfFile(bytes), now });
      return { body: { accepted } };
    },
  }),
];
