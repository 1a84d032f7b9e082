import { Migration } from '@mikro-orm/migrations';
import { MAX_ENTITIES, SERVICE_PROVIDER_LIMITS } from './as-landed.ts';
import { named, optional, tenantTable, text } from './tenant-table.ts';

const serviceProviders = tenantTable({
  name: 'service_providers',
  tenant: 'manager',
  history: { resource: 'serviceProviders', canBeBlocked: true },
  columns: {
    title: text(SERVICE_PROVIDER_LIMITS.title),
    description: optional(text({ maxLength: 4000 })),
    type: text(SERVICE_PROVIDER_LIMITS.type),
    entity_ids: `object_id[] not null check (cardinality({column}) <= ${MAX_ENTITIES})`,
  },
  constraints: named('service_providers', 'title', 'type'),
});

// A list cannot have foreign keys: a trigger checks the same rule when the transaction commits.
const entities = `
create function check_entities_of_provider() returns trigger language plpgsql as $$ begin
  if exists (select from unnest(new.entity_ids) as entity (id)
      where not exists (select from entities where entities.id = entity.id and manager_id = new.manager_id)) then
    raise exception 'an entity is not one of the manager' using errcode = 'foreign_key_violation', constraint = 'service_providers_entities';
  end if;
  return null;
end $$;
create constraint trigger service_providers_entities after insert or update of entity_ids on service_providers
  deferrable initially deferred for each row execute function check_entities_of_provider();`;

/** Administrators, auditors and other service providers of funds. */
export class ServiceProviders extends Migration {
  override up(): void {
    this.addSql([serviceProviders, entities].join('\n'));
  }
}
