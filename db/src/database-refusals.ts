import { OptimisticLockError } from '@mikro-orm/core';
import type { DocumentMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { reason } from '@tapeline/domain/errors/reason.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';

export const openRequestRefusal = (): Refusal =>
  new Refusal('badRequest', 'A request in this currency is already pending. Withdraw it first', {
    flags: { currency: 'already has a pending request' },
  });

const SECOND_PERSON =
  'You prepared this, so somebody else must issue it: your firm requires a second person. Save it as a draft and submit it for approval';
export const SECOND_PERSON_TERMS =
  'You proposed these terms, so somebody else must confirm them: your firm requires a second person for changes of terms';
/** A second proposal would drop the first one, which nobody has decided. */
export const termsProposedRefusal = (): Refusal =>
  new Refusal('badRequest', 'A change of terms is proposed already. Confirm, return or withdraw it first', {
    flags: { terms: 'are proposed already' },
  });
const SECOND_PERSON_CONFIRMS =
  'This asks for a second person less often, so somebody else than who proposed it must confirm it';

/** Constraints that only the database can check, because two people can violate them together. */
const CONSTRAINT_REFUSALS: Readonly<Record<string, () => Refusal>> = {
  users_last_administrator: () =>
    new Refusal(
      'badRequest',
      "The last active administrator can't be removed, disabled or demoted. Appoint another one first.",
    ),
  users_email_idx: () => emailTakenRefusal(),
  companies_external_code: () => externalCodeRefusal(),
  funds_external_code: () => externalCodeRefusal(),
  lps_external_code: () => externalCodeRefusal(),
  unfunded: () => overtaken('More would be called than is committed.'),
  principal_returned: () => overtaken('More principal would be returned than was called and not returned yet.'),
  written_off: () => overtaken('More would be written off than the net capital called.'),
  draws_due_date: () => overtaken('The draw would be due after maturity or termination.'),
  transactions_commitments: () => overtaken('The commitments would be below what is drawn and approved.'),
  second_person: () => new Refusal('badRequest', SECOND_PERSON, { flags: { status: reason('secondPerson') } }),
  second_person_terms: () =>
    new Refusal('badRequest', SECOND_PERSON_TERMS, { flags: { terms: reason('secondPerson') } }),
  terms_proposed: () => termsProposedRefusal(),
  second_person_rules: () =>
    new Refusal('badRequest', SECOND_PERSON_CONFIRMS, { flags: { secondPerson: reason('secondPerson') } }),
  payment_run_lines_kind_document_id_currency_idx: () =>
    new Refusal('badRequest', 'Another payment run pays one of these already. Reload the page and choose again'),
  payment_release: () => new Refusal('forbidden', 'Somebody else releases a payment run than who prepared it'),
  payment_release_two: () => new Refusal('forbidden', 'Two people release a payment run of this amount'),
  payment_account: () => overtaken('The bank details of a payee were changed.'),
  payment_owed: () => overtaken('Another amount is owed.'),
  bank_accounts_number: () =>
    new Refusal('badRequest', 'Another bank account has this number and currency', {
      flags: { accountNumber: 'is already another bank account' },
    }),
  payments_reference: () =>
    new Refusal('badRequest', 'A payment of this account has this bank reference already', {
      flags: { bankReference: 'is already recorded' },
    }),
  payments_allocated: () =>
    new Refusal('badRequest', 'Something is allocated of this payment. Reverse its allocations first'),
  account_requests_company_id_currency_idx: () => openRequestRefusal(),
  account_requests_investor_lp_id_currency_idx: () => openRequestRefusal(),
  account_requests_decided: () => overtaken('The request has already been decided.'),
  account_requests_second: () =>
    new Refusal('badRequest', 'The person who requested the account cannot decide about it'),
  payments_own_party: () => ownItemRefusal(),
  payments_own_allocated: () => ownItemRefusal(),
  payments_closed_month: () =>
    new Refusal('badRequest', 'The month of this payment is closed. Record the correction in a month that is open', {
      flags: { bookedOn: 'is in a month that is closed' },
    }),
  bank_accounts_closed: () =>
    new Refusal('badRequest', 'A month of this account is closed, so its opening balance and its currency stay'),
  account_closings_ready: () => overtaken('The month cannot be closed now.'),
  account_closings_pkey: () => overtaken('The month is closed already.'),
  obligations_known: () =>
    new Refusal('badRequest', 'Nothing is due for this in the currency of the payment', {
      flags: { document: 'is not what this payment can pay' },
    }),
  obligations_open: () => overtaken('More would be paid than is open.'),
  allocations_left: () => overtaken('More would be allocated than is left of the payment.'),
  allocations_payment: () => overtaken('The payment was removed.'),
  // Both parts were reversed that the person sees. Nobody else makes one alone.
  allocations_credit_pair: () =>
    new Refusal('badRequest', 'The other payment of this return is hidden from you. Ask somebody who sees both', {
      flags: { allocation: 'is of a return whose other payment is hidden from you' },
    }),
  allocations_direction: () =>
    new Refusal('badRequest', 'What came in pays what is owed to us, and what went out what we owe'),
  allocations_party: () => new Refusal('badRequest', 'The payment is with somebody else than who owes this'),
  allocations_fund: () =>
    new Refusal('badRequest', 'The account of the payment belongs to another fund than what it would pay'),
  paid_by_run: () =>
    new Refusal(
      'badRequest',
      'A payment run pays this. Withdraw the run, or record the payment as returned if the run is released, and try again',
    ),
  netting: () =>
    new Refusal(
      'badRequest',
      'It is netted: a call and a distribution that settle as one net amount are issued and withdrawn together, and have one date. Issue or withdraw both, or settle them separately while they are drafts',
      { flags: { status: 'is netted' } },
    ),
  netting_issued: () =>
    new Refusal(
      'badRequest',
      'It was issued with one net amount for each investor. Withdraw both, and enter them again',
      {
        flags: { status: 'is netted' },
      },
    ),
  default_interest_once: () =>
    new Refusal('badRequest', 'Another call asks for this default interest already. Reload the page'),
  default_interest_whole: () =>
    new Refusal('badRequest', 'The interest of this call is default interest. Take it out before you change it'),
  invoices_overlap: () =>
    new Refusal('badRequest', 'Another invoice of the note is for a part of this period. Reload the page', {
      flags: { from: 'is in the period of another invoice' },
    }),
  invoices_fixed: () =>
    new Refusal('badRequest', 'An issued invoice does not change. Withdraw it and prepare another one'),
  repayments_allocation: () =>
    new Refusal('badRequest', 'A repayment that follows from the payment of an invoice changes with the payment alone'),
  reversed_once: () => new Refusal('badRequest', 'This is reversed already'),
  roles_rights: () => new Refusal('forbidden', 'You need every permission of a role to change it'),
  roles_given_rights: () => new Refusal('forbidden', 'You can only give permissions that you have'),
};

/** The operation has checked the same with the amounts, and found nothing: another change came in between. */
const overtaken = (problem: string): Refusal =>
  new Refusal(
    'badRequest',
    `${problem} Something else was saved in the meantime: reload the page and check the amounts`,
  );

/** Converts a database error that a caller can understand to a refusal; null for all other errors. */
export function refusalFor(error: unknown): Refusal | null {
  if (error instanceof OptimisticLockError) return staleRefusal();
  const constraint = error instanceof Error && 'constraint' in error ? String(error.constraint) : '';
  return Object.hasOwn(CONSTRAINT_REFUSALS, constraint) ? (CONSTRAINT_REFUSALS[constraint]?.() ?? null) : null;
}

/** What is with no investor or borrower pays nothing, and what pays something is with one. */
export const ownItemRefusal = (): Refusal =>
  new Refusal('badRequest', 'A payment that is not ours has no party and pays nothing. Undo one before the other', {
    flags: { ownItem: 'excludes a party and allocations' },
  });

/** Another user, maybe of another tenant, signs in with this email. */
export const emailTakenRefusal = (): Refusal =>
  new Refusal('badRequest', 'A user with this email already exists', {
    flags: { email: reason('emailTaken') },
  });

/** Another record of the manager has the code. */
export const externalCodeRefusal = (): Refusal =>
  new Refusal('badRequest', 'Another record has this external code', {
    flags: { externalCode: reason('codeTaken') },
  });

interface Versioned {
  readonly id: string;
  readonly version: number;
  readonly metadata: DocumentMetadata;
}

/**
 * Another person changed the document in the meantime.
 * @param stored the document as it is by now, to say who changed it, and when
 * @param sent the version that the change was made for
 */
export function staleRefusal(stored?: Versioned, sent?: number): Refusal {
  const entity = stored?.metadata.changedBy?.entity ?? stored?.metadata.createdBy?.entity;
  const by = entity && ('apiName' in entity ? entity.apiName : `${entity.firstName} ${entity.lastName}`);
  const at = stored?.metadata.changedBy?.timestamp ?? stored?.metadata.iat;
  const isKnown = stored && by && at && sent !== undefined;
  const who = isKnown ? ` (${by}, ${at.slice(0, 16).replace('T', ' ')} UTC)` : '';
  return new Refusal('badRequest', `Someone else has changed this${who}. Reload it and make your change again.`, {
    flags: { version: 'is not the latest' },
    ...(isKnown ? { conflict: { documentId: stored.id, sent, latest: stored.version, by, at } } : {}),
  });
}
