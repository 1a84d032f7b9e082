import { entityChoices } from '@tapeline/db/operations/entities/entity-choices.ts';
import type { FundView } from '@tapeline/db/operations/funds/funds.ts';
import { mainFundChoices } from '@tapeline/db/operations/funds/main-funds.ts';
import type { Choices } from '@tapeline/db/operations/listing/choices.ts';
import { tenantOf } from '@tapeline/db/operations/permission.ts';
import { serviceProviderChoices } from '@tapeline/db/operations/service-providers/service-providers.ts';
import type { Session } from '@tapeline/db/store.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { countsOf } from '../../../components/forms/choice-search.tsx';
import type { Screen } from '../../../http/screen.server.ts';

const optionsOf = ({ choices }: Choices<{ id: string; name: string }>) =>
  choices.map(({ id, name }) => ({ value: id, label: name }));

/**
 * What the fields of a fund offer, narrowed by the searches of the address. What the stored fund has is always offered,
 * also where the actor cannot read the register.
 */
export async function fundFormChoices(session: Session, { url, actor }: Screen, fund: FundView | null) {
  const search = url.searchParams;
  const managerId = fund?.managerId ?? (await tenantOf(session));
  const parties = fund ? [...fund.gpIds, fund.managementCompanyId, fund.entityId].flatMap((id) => id ?? []) : [];
  const entities = can(actor, 'entities/read')
    ? await entityChoices(session, managerId, { search: search.get('findEntity'), chosen: parties })
    : null;
  const known = entities ? optionsOf(entities) : [];
  const named = new Set(known.map(({ value }) => value));
  const providers = await serviceProviderChoices(session, managerId, {
    search: search.get('findProvider'),
    chosen: fund?.serviceProviderIds,
  });
  const mainFunds = await mainFundChoices(session, managerId, {
    search: search.get('findMainFund'),
    chosen: fund?.mainFundId ?? search.get('mainFund'),
    ...(fund ? { currency: fund.currency } : {}),
  });
  return {
    entities: [
      ...known,
      ...[...new Set(parties)]
        .filter((id) => !named.has(id))
        .map((id) => ({ value: id, label: fund?.partyNames[id] ?? 'One you don’t have access to' })),
    ],
    providers: optionsOf(providers),
    mainFunds: optionsOf(mainFunds),
    counts: {
      entities: entities && countsOf(entities),
      providers: countsOf(providers),
      mainFunds: countsOf(mainFunds),
    },
  };
}
