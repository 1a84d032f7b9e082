import { Migration } from '@mikro-orm/migrations';

/**
 * The place of each class that a fund has had, from 0, by its key. Payment references state it, so it never changes,
 * whatever order the classes are put in, and the place of a class that was removed is not given to another one.
 */
const places = `
alter table funds add column class_places jsonb not null default '{}';
create function keep_class_places() returns trigger language plpgsql as $$
declare key text;
begin
  new.class_places := case tg_op when 'UPDATE' then old.class_places else '{}' end;
  for key in select class ->> 'uniqueKey' from jsonb_array_elements(new.classes) with ordinality as own (class, place)
      order by place loop
    if not new.class_places ? key then
      new.class_places := new.class_places
        || jsonb_build_object(key, (select count(*) from jsonb_object_keys(new.class_places)));
    end if;
  end loop;
  return new;
end $$;
create trigger funds_class_places before insert or update of classes, class_places on funds
  for each row execute function keep_class_places();
do $$
declare actor text := coalesce(current_setting('tapeline.actor_type', true), '');
begin
  perform set_config('tapeline.actor_type', 'system', true);
  -- References that are printed have the places of today.
  update funds set class_places = '{}';
  perform set_config('tapeline.actor_type', actor, true);
end $$;`;

/** A class keeps the letter that it has in payment references. */
export class ClassPlaces extends Migration {
  override up(): void {
    this.addSql(places);
  }
}
