import { createHash } from 'node:crypto';
import { type ActionFunctionArgs, data, type HeadersFunction, type LoaderFunctionArgs } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { countVerification, isAcceptedFile } from '@tapeline/db/operations/certifications/verify-file.ts';
import { ERROR_CATALOGUE, isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { MAX_VERIFIED_BYTES, verificationSchema } from '../../commands/certifications.server.ts';
import { Button } from '../../components/forms/button.tsx';
import { CsrfField } from '../../components/forms/csrf-field.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { Entrance } from '../../components/shell/entrance.tsx';
import { readForm } from '../../http/csrf.server.ts';
import { errorAnswer, retryAfter, screenMessage } from '../../http/errors.server.ts';
import { limitFactorOf } from '../../http/sign-in-client.server.ts';

export const handle = { title: 'Verify a certificate' };
export const headers: HeadersFunction = () => ({ 'Cache-Control': 'no-store' });

const verificationOf = ({ params, context }: LoaderFunctionArgs | ActionFunctionArgs): string => {
  const { success, data: verification } = verificationSchema.safeParse(params.verification);
  if (!success) throw errorAnswer(context, 'notFound');
  return verification;
};

/** Whether the address exists is not said: every address of its form has the same page. */
export function loader(args: LoaderFunctionArgs) {
  verificationOf(args);
  return null;
}

/** The hash of the one file of the form, which is read as it arrives and not kept. */
async function hashOfUpload({ request, context }: ActionFunctionArgs): Promise<string> {
  const hash = createHash('sha256');
  let size = 0;
  await readForm(request, context, {
    maxBytes: MAX_VERIFIED_BYTES + 64 * 1024,
    async onFile({ data: bytes }) {
      for await (const part of bytes) {
        size += part.length;
        hash.update(part);
      }
    },
  });
  if (size === 0) throw new Refusal('badRequest', 'Choose the PDF file of a certificate');
  if (size > MAX_VERIFIED_BYTES) throw new Refusal('badRequest', 'A file has at most 8 MB');
  return hash.digest('hex');
}

export async function action(args: ActionFunctionArgs) {
  const { context } = args;
  try {
    const verification = verificationOf(args);
    const now = new Date();
    const limitFactor = limitFactorOf(context.environment);
    await countVerification(context.store, { address: context.clientAddress, now, limitFactor });
    const accepted = await isAcceptedFile(context.store, { verification, sha256: await hashOfUpload(args), now });
    return data({ accepted, problem: null }, { status: 200 });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const status = error.code === 'badRequest' ? 422 : ERROR_CATALOGUE[error.code].status;
    return data({ accepted: null, problem: screenMessage(error) }, { status, headers: retryAfter(error) });
  }
}

/** Says whether a file is the accepted certificate of this address, to anyone, and nothing else about it. */
export default function Verify() {
  const answer = useActionData<typeof action>();
  return (
    <Entrance
      title="Verify a certificate"
      lead="Choose the PDF that you received. We compare it with the certificate that was accepted at this address. The file is not kept."
    >
      {answer ? (
        <div role="status">
          {answer.problem !== null ? <Notice tone="warning">{answer.problem}</Notice> : null}
          {answer.accepted === true ? <Notice tone="good">This file is the accepted certificate.</Notice> : null}
          {answer.accepted === false ? (
            <Notice tone="danger">
              This file is not the accepted certificate: it was changed, it is another file, or a later certificate was
              accepted since.
            </Notice>
          ) : null}
        </div>
      ) : null}
      <form method="post" encType="multipart/form-data" className="mt-4 flex flex-col gap-3">
        <CsrfField />
        <label htmlFor="file" className="text-xs font-medium text-ink-2">
          File
        </label>
        <input
          id="file"
          type="file"
          name="file"
          accept="application/pdf,.pdf"
          required
          className="min-w-0 max-w-full text-sm file:mr-2 file:h-8 file:rounded-md file:border file:border-line-strong file:bg-paper file:px-2.5 file:text-ink max-sm:file:h-10"
        />
        <div>
          <Button type="submit" tone="primary">
            Verify
          </Button>
        </div>
      </form>
    </Entrance>
  );
}
