import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import type { Certification } from '@tapeline/db/entities/certifications.ts';
import { ADJUSTMENT_BUCKET } from '@tapeline/db/operations/borrowing-bases/adjustments.ts';
import {
  acceptCertification,
  type CertificationOf,
  requireAcceptable,
  type Signature,
} from '@tapeline/db/operations/certifications/certifications.ts';
import { requestSigningCode, submitCertification } from '@tapeline/db/operations/certifications/sign-certification.ts';
import { fileStored, registerFile, removeFile } from '@tapeline/db/operations/files/files.ts';
import { newToken } from '@tapeline/db/operations/identity/secrets.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { certificateDocument } from '@tapeline/domain/borrowing-base/print/certificate.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import { z } from 'zod';
import type { RequestContext } from '../http/context.ts';
import { originOf } from '../http/session.server.ts';
import { clientTokenOf, limitFactorOf } from '../http/sign-in-client.server.ts';
import { proofOfCertificate } from './certificate-proof.server.ts';
import { partiesOf, viewCertificate } from './certified-base.server.ts';
import { printDocument } from './printing.server.ts';
import { CODE_MINUTES, sendCode } from './sign-in-code.server.ts';

/** Largest file that is verified: far more than any certificate has. */
export const MAX_VERIFIED_BYTES = 8 * 1024 * 1024;
export const verificationSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
export const verificationAddress = (publicUrl: string, verification: string): string =>
  new URL(`/verify/${verification}`, publicUrl).href;
export const hashOfFile = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The limits of this browser or client, as codes have them. */
const clientOf = (context: RequestContext) => ({
  address: context.clientAddress,
  now: new Date(),
  limitFactor: limitFactorOf(context.environment),
});

/**
 * Sends the code that signs a certificate to the email of the actor. It works only in this browser or client.
 * @throws Refusal as `requestSigningCode`
 */
export function sendSigningCode(
  request: Request,
  context: RequestContext,
  actor: UserActor,
  of: CertificationOf,
): Promise<void> {
  return sendCode(
    request,
    context,
    actor.email,
    ({ email: _, ...code }) => requestSigningCode(context.store, actor, { ...code, of }),
    (firstName, code) => ({
      subject: 'Sign the borrowing base certificate',
      text: [
        `Hello ${firstName},`,
        '',
        'Your code to submit the borrowing base certificate is',
        '',
        code,
        '',
        `It is valid for ${CODE_MINUTES} minutes and works once, in the browser where you asked for it. With it you certify the figures for the borrower.`,
        'If you did not ask for it, do not pass it on, and tell your administrator.',
        '',
      ].join('\n'),
    }),
  );
}

/** Submits a draft with the code of this browser or client. @throws Refusal as `submitCertification` */
export const submitSigned = (
  request: Request,
  context: RequestContext,
  actor: UserActor,
  of: CertificationOf,
  { code, ...signature }: Signature & { readonly code: string },
): Promise<Certification> =>
  submitCertification(context.store, actor, {
    ...clientOf(context),
    clientToken: clientTokenOf(request, context),
    code,
    of,
    signature,
    origin: originOf(request, context),
  });

/** What accepting needs of a call or a screen. */
interface Accepting {
  readonly actor: UserActor;
  readonly context: RequestContext;
  readonly origin: CallOrigin;
}

/**
 * Accepts a certificate: prints it with the signatures and the address that verifies it, stores the file, and keeps its hash.
 * @throws Refusal as `requireAcceptable`
 */
export async function acceptAndSeal(
  { actor, context, origin }: Accepting,
  of: CertificationOf,
): Promise<Certification> {
  const { store, objects, environment } = context;
  const acceptedAt = new Date();
  const verification = newToken();
  const { certification, base } = await store.as(
    actor,
    async (session) => {
      const found = await requireAcceptable(session, of);
      return { certification: found.certification, base: await viewCertificate(session, found.base) };
    },
    origin,
  );
  const parties = await store.as(SYSTEM, (session) => partiesOf(session, base));
  const proof = await proofOfCertificate(context, { actor, asCaller: (work) => store.as(actor, work) }, base);
  const bytes = await printDocument(
    { actor, context },
    certificateDocument({ ...base, proof: proof?.currencies }, parties, {
      lines: certification.lines ?? null,
      text: certification.text ?? '',
      name: certification.signedName ?? '',
      title: certification.signedTitle ?? '',
      submittedBy: certification.submittedBy?.name ?? '',
      submittedAt: certification.submittedAt?.toISOString() ?? '',
      acceptedBy: `${actor.firstName} ${actor.lastName}`,
      acceptedAt: acceptedAt.toISOString(),
      verification: verificationAddress(environment.publicUrl, verification),
    }),
  );
  const bucket = ADJUSTMENT_BUCKET;
  const { id: fileId, key } = await store.as(
    actor,
    (session) =>
      registerFile(session, {
        bucket,
        name: `Accepted certificate ${base.cutOffDate}.pdf`,
        size: bytes.length,
        type: 'application/pdf',
        companyId: base.companyId,
        managerId: base.managerId,
      }),
    origin,
  );
  try {
    const stored = await objects.putStream(objectKey(bucket, key), Readable.from([bytes]), { type: 'application/pdf' });
    return await store.as(
      actor,
      async (session) => {
        await fileStored(session, { bucket, key, ...stored });
        const seal = { verification, sha256: stored.checksum, fileId, acceptedAt };
        return acceptCertification(session, of, { version: certification.version, seal });
      },
      origin,
    );
  } catch (error) {
    await store.as(SYSTEM, (session) => removeFile(session, { bucket, key }));
    throw error;
  }
}
