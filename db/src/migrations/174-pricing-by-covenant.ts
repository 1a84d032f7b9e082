import { Migration } from '@mikro-orm/migrations';
import { given } from './tenant-table.ts';
import { AS_ACTOR, SYSTEM_ACTS } from './triggers.ts';

/** Of a grid by a covenant, a tier begins with any figure; of one by utilization, with a percentage. */
const grid = `
create or replace function pricing_grid_holds(grid jsonb, lowest numeric) returns boolean immutable parallel safe language plpgsql as $$
declare
  tested boolean := coalesce(grid -> 'test' <> 'null', false);
  days numeric := (grid #>> '{test,daysAfter}')::numeric;
begin
  return ${given(
    'grid',
    `jsonb_array_length(grid -> 'tiers') between 1 and 10
      and (not tested or (grid #>> '{test,covenant}' is not null and (days is null or (days between 0 and 365 and days = trunc(days)))))
      and (select bool_and((before is null or (tier ->> 'from')::numeric > before)
          and case when tested then abs((tier ->> 'from')::numeric) < 1e15
            else (tier ->> 'from')::numeric > 0 and (tier ->> 'from')::numeric <= 100 end
          and (tier ->> 'rate')::numeric between lowest and 1000)
        from (select tier, lag((tier ->> 'from')::numeric) over (order by place) as before
          from jsonb_array_elements(grid -> 'tiers') with ordinality as each (tier, place)) as tiers)`,
  )};
end $$;`;

/** A grid names a covenant of its own note, and a covenant that prices a note stays. */
const covenants = `
create function check_pricing_covenants() returns trigger language plpgsql as $$${SYSTEM_ACTS}
  if exists (select from jsonb_array_elements(new.notes) as note, jsonb_path_query(note, '$.**.pricingGrid.test.covenant') as named
      where not exists (select from covenants c where c.id = named #>> '{}' and c.note_id = note ->> 'id' and c.status <> 'Removed')) then
    raise exception 'a pricing grid names a covenant of its note' using errcode = 'check_violation', constraint = 'transactions_pricing_covenants';
  end if;${AS_ACTOR}
  return null;
end $$;
create trigger transactions_pricing_covenants after insert or update of notes on transactions
  for each row when (new.notes::text like '%"pricingGrid"%') execute function check_pricing_covenants();

create function is_pricing(covenant text, facility text) returns boolean stable language sql as $$
  select exists (select from transactions t where t.id = facility
      and jsonb_path_exists(t.notes, '$.**.pricingGrid.test.covenant ? (@ == $id)', jsonb_build_object('id', covenant)))
    or exists (select from amendments a where a.transaction_id = facility and a.status = 'Active'
      and jsonb_path_exists(jsonb_build_array(a.terms, a.replaced), '$.**.pricingGrid.test.covenant ? (@ == $id)', jsonb_build_object('id', covenant)))
$$;
create function check_pricing_covenant() returns trigger language plpgsql as $$${SYSTEM_ACTS}
  if is_pricing(new.id, new.transaction_id) then
    raise exception 'a covenant that prices a note stays' using errcode = 'check_violation', constraint = 'covenants_pricing';
  end if;${AS_ACTOR}
  return null;
end $$;
create trigger covenants_pricing after update of status on covenants
  for each row when (new.status = 'Removed' and old.status <> 'Removed') execute function check_pricing_covenant();`;

/** A pricing grid whose rates follow the results of a covenant. */
export class PricingByCovenant extends Migration {
  override up(): void {
    this.addSql([grid, covenants].join('\n'));
  }
}
