import { listBankAccounts } from '@tapeline/db/operations/cash/bank-accounts.ts';
import { documentsOfReference } from '@tapeline/db/operations/cash/find-by-reference.ts';
import { listObligations, type Obligation, type ObligationQuery } from '@tapeline/db/operations/cash/obligations.ts';
import { companyChoices } from '@tapeline/db/operations/companies/company-choices.ts';
import { lpChoices } from '@tapeline/db/operations/investors/investors.ts';
import { MAX_CHOICES } from '@tapeline/db/operations/listing/choices.ts';
import { tenantOf } from '@tapeline/db/operations/permission.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import type { Session } from '@tapeline/db/store.ts';
import { OBLIGATION_KIND_LABELS } from '@tapeline/domain/cash/labels.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { LIST_LIMITS } from '@tapeline/domain/filters/list-query.schema.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { countsOf } from '../../components/forms/choice-search.tsx';
import type { Screen } from '../../http/screen.server.ts';

/** What is open of a document, in each currency. */
export const openLabel = ([first, ...others]: readonly [Obligation, ...Obligation[]]): string =>
  [
    first.party?.title ?? 'Not visible to you',
    `${OBLIGATION_KIND_LABELS[first.kind]} ${first.number ?? ''}`.trim(),
    `${[first, ...others].map(({ open, currency }) => writtenAmount({ sum: open, currency })).join(' and ')} open`,
    `due ${formatCalendarDate(first.dueDate)}`,
    first.reference,
  ].join(', ');

/**
 * What a payment can pay: what is open in its direction and currency, of its party if that is known, the earliest due
 * first. The address searches it (`?findOpen=`).
 */
export async function openChoices(
  session: ReadSession,
  { url }: Pick<Screen, 'url'>,
  query: Pick<ObligationQuery, 'direction' | 'currency' | 'party' | 'accountFund'>,
) {
  const search = (url.searchParams.get('findOpen') ?? '').trim().slice(0, 200);
  const { total } = await listObligations(session, { ...query, isOpen: true, limit: 1 });
  const stated = await documentsOfReference(session, search);
  const { obligations, total: found } = await listObligations(session, {
    ...query,
    ...(stated ? { documents: stated } : { search }),
    isOpen: true,
    limit: MAX_CHOICES,
  });
  const choices = [...Map.groupBy(obligations, ({ kind, documentId }) => `${kind}/${documentId}`)].map(
    ([value, [first, ...others]]) => ({ value, label: openLabel([first!, ...others]) }),
  );
  return { choices, counts: { found, total, search, listed: obligations.length } };
}

/** Whom a payment can be with, as the address searches them (`?findInvestor=`, `?findBorrower=`). */
export async function partyChoices(session: Session, { actor, url: { searchParams } }: Screen, chosen: string[] = []) {
  const investors = can(actor, 'LPs/read')
    ? await lpChoices(session, await tenantOf(session), { search: searchParams.get('findInvestor'), chosen })
    : null;
  const borrowers = can(actor, 'companies/read')
    ? await companyChoices(session, { search: searchParams.get('findBorrower'), chosen })
    : null;
  return {
    choices: [
      ...(investors?.choices ?? []).map(({ id, name }) => ({ value: `LP/${id}`, label: name })),
      ...(borrowers?.choices ?? []).map(({ id, name }) => ({ value: `company/${id}`, label: `${name} (borrower)` })),
    ],
    counts: { investors: investors && countsOf(investors), borrowers: borrowers && countsOf(borrowers) },
  };
}

/** The Active bank accounts, the oldest first. */
export const activeAccounts = async (session: ReadSession, of: { fund?: string | undefined } = {}) =>
  (
    await listBankAccounts(session, {
      filter: { status: 'Active', ...(of.fund ? { fund: of.fund } : {}) },
      sort: { code: 1 },
      limit: LIST_LIMITS.limit,
    })
  ).documents;
