import { type SignedIn, signIn } from '@tapeline/db/operations/identity/sessions.ts';
import { verifySignInCode } from '@tapeline/db/operations/identity/sign-in-codes.ts';
import { Authenticator } from 'remix-auth';
import { Strategy } from 'remix-auth/strategy';
import type { RequestContext } from './context.ts';
import { originOf } from './session.server.ts';

interface CodeEntry {
  email: string;
  code: string;
  request: Request;
}

/** Email and code are the credentials; the form was read (and its token checked) before. */
class EmailCodeStrategy extends Strategy<SignedIn, CodeEntry> {
  override name = 'email-code';
  readonly #entry: { email: string; code: string };

  constructor(entry: { email: string; code: string }, verify: Strategy.VerifyFunction<SignedIn, CodeEntry>) {
    super(verify);
    this.#entry = entry;
  }

  override authenticate(request: Request): Promise<SignedIn> {
    return this.verify({ ...this.#entry, request });
  }
}

/**
 * Code to ownership token to sign-in, in one go.
 * @throws Refusal badRequest for a wrong or ended code, tooMany
 */
export function signInByCode(
  context: RequestContext,
  request: Request,
  entry: { email: string; code: string },
): Promise<SignedIn> {
  const authenticator = new Authenticator<SignedIn>();
  authenticator.use(
    new EmailCodeStrategy(entry, async ({ email, code }) => {
      const now = new Date();
      const { store, clientAddress } = context;
      const { ownershipToken } = await verifySignInCode(store, { email, code, address: clientAddress, now });
      return signIn(store, { ownershipToken, now, ...originOf(request, context) });
    }),
  );
  // The authenticator copies the request, and this one's body was read with the form.
  return authenticator.authenticate('email-code', new Request(request.url, { headers: request.headers }));
}
