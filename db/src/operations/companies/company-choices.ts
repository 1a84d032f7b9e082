import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { type ChoiceQuery, type Choices, findChoices } from '../listing/choices.ts';
import { wholeTenantOf } from '../listing/define-lists.ts';
import { countOf } from '../listing/list-documents.ts';
import { COMPANIES } from './companies.ts';

/** SQL of a company's name (`t` is the table). */
export const COMPANY_NAME = COMPANIES.columns.get('entity.name') ?? 't.name';

export interface CompanyChoice {
  id: string;
  name: string;
}

export type CompanyChoices = Choices<CompanyChoice>;

/** A page of the visible companies for a picker, by name. @param query.withPool only companies with a published pool */
export const companyChoices = (
  session: Session,
  query: ChoiceQuery & { withPool?: boolean } = {},
): Promise<CompanyChoices> =>
  findChoices(session, query, {
    read: 'companies/read',
    columns: `t.id, ${COMPANY_NAME} as name`,
    offered: `companies t where t.status <> 'Removed' and ($1::text is null or t.manager_id = $1) ${
      query.withPool
        ? `and exists (select 1 from loan_tapes where company_id = t.id and status <> 'Removed' and statistics is not null)`
        : ''
    }`,
    values: [wholeTenantOf(session.actor)],
    total: query.withPool || wholeTenantOf(session.actor) === null ? null : countOf('companies'),
    label: COMPANY_NAME,
  });

/** Names of the visible companies among these ids, by id. */
export async function companyNamesOf(
  session: ReadSession,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query<CompanyChoice>(
    `select t.id, ${COMPANY_NAME} as name from companies t where t.id = any ($1)`,
    [[...new Set(ids)]],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Currencies of the visible companies among these ids, by id. A company without one is missing. */
export async function companyCurrenciesOf(
  session: Session,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query<{ id: string; currency: string }>(
    `select c.id, e.business ->> 'currency' as currency from companies c join entities e on e.id = c.entity_id
     where c.id = any ($1) and e.business ->> 'currency' is not null`,
    [[...new Set(ids)]],
  );
  return new Map(rows.map(({ id, currency }) => [id, currency]));
}

/**
 * The currency that a form of a company, or a question about its assets, starts with: that of the company; else of its
 * manager; else US dollars, as figures over several funds have.
 * @param companyId null for the actor's manager as a whole
 */
export async function startingCurrency(
  session: Pick<Session, 'query' | 'actor'>,
  companyId: string | null,
): Promise<string> {
  const { actor } = session;
  const [known] = await session.query<{ company: string | null; manager: string | null }>(
    `select (select e.business ->> 'currency' from companies c join entities e on e.id = c.entity_id where c.id = $1) as company,
       (select e.business ->> 'currency' from managers m join entities e on e.id = m.entity_id where m.id = $2) as manager`,
    [companyId, actor.kind === 'user' ? actor.managerId : null],
  );
  return known?.company ?? known?.manager ?? 'USD';
}
