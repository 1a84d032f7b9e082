import { getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { namesakesOf } from '@tapeline/db/operations/entities/parties.ts';
import { listTransactions } from '@tapeline/db/operations/transactions/transactions.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { connectedTo, shownEntity } from '../../../components/organizations/organization-page.server.ts';
import type { Screen } from '../../../http/screen.server.ts';

/** Transactions shown on a company's page. The rest are in the list of transactions. */
const SHOWN_TRANSACTIONS = 100;

/** A company with its entity, its transactions and, for actors that may read it, its history. */
export const viewCompany = ({ db, params, actor, url }: Screen) =>
  db(async (session) => {
    const company = await getCompany(session, params.id ?? '');
    const { id, code, status, domains, externalCode, metadata, entityId } = company;
    const mayReadTransactions = can(actor, 'transactions/read');
    const query = { filter: { company: id }, limit: SHOWN_TRANSACTIONS };
    const found = mayReadTransactions ? await listTransactions(session, query) : null;
    return {
      id,
      code,
      status,
      domains,
      externalCode,
      createdAt: metadata.iat,
      entity: shownEntity(company.entity),
      connected: await connectedTo(session, { kind: 'company', id }, entityId),
      transactions: found && {
        total: found.total,
        rows: found.documents.map((transaction) => ({
          id: transaction.id,
          title: transaction.title,
          type: transaction.type.kind === 'equity' ? transaction.type.equityType : transaction.type.loanType,
          status: transaction.status,
          notes: transaction.notes.length,
        })),
      },
      history: await documentHistory(
        session,
        [
          { resource: 'companies', ids: [id] },
          { resource: 'entities', ids: [entityId] },
        ],
        url.searchParams,
      ),
      namesakes: can(actor, 'companies/write') ? await namesakesOf(session, 'companies', company) : [],
      mayReadDictionary: can(actor, 'assets/ETL/read') && can(actor, 'assets/read'),
      mayWrite: can(actor, 'companies/write'),
    };
  });

export type CompanyPage = Awaited<ReturnType<typeof viewCompany>>;
