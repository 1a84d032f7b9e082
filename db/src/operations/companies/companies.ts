import type { CompanyCreate, CompanyUpdate } from '@tapeline/domain/companies/company.schema.ts';
import { COMPANY_TRANSITIONS, type CompanyStatus } from '@tapeline/domain/companies/states.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Company } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { tellOfOtherEntity } from '../entities/bank-mails.ts';
import { PARTY_LIST, PARTY_SQL, resolveEntities } from '../entities/entities.ts';
import { partyViews, type WithEntity } from '../entities/parties.ts';
import { externalCodesOf } from '../external-codes.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { createdMetadata, storeChange } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { warnOfEqualNames } from '../warnings.ts';

export const COMPANIES = listOf('companies', PARTY_SQL, PARTY_LIST);

export type CompanyView = WithEntity<Company>;

const VIEWS = partyViews(COMPANIES);
export const listCompanies = VIEWS.list;

/**
 * The currency that a mapping or tape of the company has if none is given.
 * @param field of the body, for the flag
 * @throws Refusal badRequest if the company has no currency
 */
export function currencyOfCompany({ entity }: CompanyView, field: string): string {
  const { currency } = entity.business ?? {};
  if (currency) return currency;
  throw new Refusal('badRequest', `${entity.name} has no currency. Give it, or enter the borrower's currency`, {
    flags: { [field]: 'is required, since the borrower has no currency' },
  });
}

/** @throws Refusal notFound */
export async function getCompany(session: Session, id: string): Promise<CompanyView> {
  return VIEWS.one(session, await getDocument(session, COMPANIES, id));
}

/**
 * Creates a company of the actor's manager.
 * @param body as `companyCreateSchema` returns it
 * @throws Refusal forbidden without `companies/write`; as `resolveEntities` does; badRequest without a manager
 */
export async function createCompany(session: Session, body: CompanyCreate): Promise<CompanyView> {
  requirePermission(session, 'companies/write');
  const managerId = await tenantOf(session, body.manager);
  const { externalCode } = body;
  (await externalCodesOf(session, 'companies', { managerId, codes: [externalCode] }))(externalCode);
  const [entityId] = await resolveEntities(session, managerId, [body.entity], () => 'entity');
  const company = session.em.create(Company, {
    id: newId(session.now),
    managerId,
    entityId: entityId!,
    domains: body.domains,
    externalCode: externalCode || null,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  await warnOfEqualNames(session, 'companies', [company.id]);
  return VIEWS.one(session, company);
}

/** Changes a company. @throws Refusal notFound; as `createCompany` does; badRequest if the version is stale */
export async function updateCompany(
  session: Session,
  command: { id: string; body: CompanyUpdate },
): Promise<CompanyView> {
  requirePermission(session, 'companies/write');
  const { id, body } = command;
  const company = await getDocument(session, COMPANIES, id);
  if (company.version !== body.version) throw staleRefusal(company, body.version);
  const { managerId } = company;
  const { externalCode = company.externalCode } = body;
  (await externalCodesOf(session, 'companies', { managerId, codes: [externalCode], except: id }))(externalCode);
  if (body.status !== undefined && body.status !== company.status) {
    COMPANY_TRANSITIONS.require(company.status as CompanyStatus, body.status);
    company.status = body.status;
  }
  const [entityId] = await resolveEntities(session, company.managerId, [body.entity], () => 'entity');
  const before = company.entityId;
  const formerName = company.name;
  await storeChange(session, company, {
    entityId: entityId!,
    domains: body.domains,
    externalCode: externalCode || null,
  });
  const { name, entityId: after, version } = company;
  await warnOfEqualNames(session, 'companies', [id], formerName);
  await tellOfOtherEntity(session, { resource: 'companies', id, name, version, before, after });
  return VIEWS.one(session, company);
}
