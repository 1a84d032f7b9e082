import { redirect } from '@remix-run/node';
import { getCompany } from '@tapeline/db/operations/companies/companies.ts';
import {
  listAccountRequests,
  type PaidParty,
  requestAccount,
  requireOwnSide,
  shownRequest,
  withdrawAccountRequest,
} from '@tapeline/db/operations/investors/account-requests.ts';
import { getLP } from '@tapeline/db/operations/investors/investors.ts';
import type { shownPayout } from '@tapeline/db/operations/investors/payout-accounts.ts';
import type { Session } from '@tapeline/db/store.ts';
import { kindsDecidedBy } from '@tapeline/domain/approvals/approval-permissions.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { accountRequestSchema } from '@tapeline/domain/investors/account-request.schema.ts';
import { isOutsider, type UserActor } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { act, intent, readScreen, type Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import type { PayoutAccountsShown } from './payout-accounts.tsx';

const pageOf = ({ kind, id }: PaidParty): string =>
  kind === 'LPs' ? paths.investor(id, { view: 'details' }) : paths.company(id, { view: 'details' });

const formOf = ({ kind, id }: PaidParty): string =>
  kind === 'LPs' ? paths.investorAccount(id) : paths.companyAccount(id);

/** Where a party is paid, with what it asked for. @param accounts as calls show them */
export async function payoutAccountsOf(
  session: Session,
  actor: UserActor,
  party: PaidParty & { readonly accounts: readonly ReturnType<typeof shownPayout>[] },
): Promise<PayoutAccountsShown> {
  return {
    accounts: party.accounts,
    requests: (await listAccountRequests(session, party)).map(shownRequest),
    decides: kindsDecidedBy(actor).includes('payoutAccount'),
    askTo: isOutsider(actor.type) ? formOf(party) : null,
  };
}

/** The form by which an investor or a borrower asks for another account, with its requests that wait. */
export const accountRequestLoader = (kind: PaidParty['kind']) =>
  readScreen(`${kind}/read`, ({ db, params: { id = '' } }) =>
    db(async (session) => {
      requireOwnSide(session);
      const name = kind === 'LPs' ? (await getLP(session, id)).title : (await getCompany(session, id)).name;
      const requests = await listAccountRequests(session, { kind, id });
      return {
        name,
        waiting: requests.filter(({ status }) => status === 'Requested').map(shownRequest),
        cancelTo: pageOf({ kind, id }),
      };
    }),
  );

const requestForm = accountRequestSchema.extend({ refused: z.array(z.string()).default([]) });

/** @param storeLetter stores the bank letter, and sends its key as `letter` */
export const accountRequestAction = (kind: PaidParty['kind'], storeLetter: (screen: Screen) => Promise<Request>) =>
  act(
    {
      create: intent({
        permission: `${kind}/read`,
        schema: requestForm,
        async run({ refused, ...body }, { db, params: { id = '' } }) {
          if (refused.length > 0) throw new Refusal('badRequest', refused.join('\n'));
          await db((session) => requestAccount(session, { party: { kind, id }, body }));
          return redirect(pageOf({ kind, id }));
        },
      }),
      withdraw: intent({
        permission: `${kind}/read`,
        schema: z.object({ request: idSchema }),
        async run({ request }, { db, params: { id = '' } }) {
          await db((session) => withdrawAccountRequest(session, { id: request, of: { kind, id } }));
          return redirect(formOf({ kind, id }));
        },
      }),
    },
    { files: { permission: `${kind}/read`, store: storeLetter } },
  );
