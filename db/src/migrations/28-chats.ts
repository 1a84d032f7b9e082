import { Migration } from '@mikro-orm/migrations';
import { CHAT_LIMITS, GROUP_FILTER_TITLE, MAX_IDS } from './as-landed.ts';
import { documentTable, list, named, optional, references, SYSTEM_ONLY, text } from './tenant-table.ts';

// A person's own, whatever kind of account it is, in the tenant that the person acts for. Not even an admin reads those of
// others.
const OWN = `${SYSTEM_ONLY} or (user_id = (select actor_user()) and manager_id is not distinct from (select actor_tenant()))`;
const OWNER = {
  manager_id: `object_id ${references('managers')}`,
  user_id: `object_id not null references users (id) on delete cascade deferrable initially deferred`,
};
const ids = `object_id[] not null default '{}' check (cardinality({column}) <= ${MAX_IDS} and array_position({column}, null) is null)`;

const chats = documentTable({
  name: 'chats',
  history: { exempt: 'A chat is private to its user, and the history is read by others.' },
  columns: {
    ...OWNER,
    title: optional(text({ minLength: 1, maxLength: CHAT_LIMITS.title })),
    tasks: `${list(1, 1)} check (jsonb_array_length({column} #> '{0,messages}') <= ${CHAT_LIMITS.messages})`,
  },
  constraints: named('chats', 'title'),
  indexes: ['(user_id, id)'],
  read: OWN,
  write: OWN,
});

const groupFilters = documentTable({
  name: 'group_filters',
  history: { exempt: 'The specification keeps no history of saved filters.' },
  columns: { ...OWNER, title: text(GROUP_FILTER_TITLE), fund_ids: ids, investor_ids: ids },
  constraints: [
    'constraint group_filters_some check (cardinality(fund_ids) + cardinality(investor_ids) > 0)',
    ...named('group_filters', 'title'),
  ],
  indexes: ['(user_id, id)'],
  read: OWN,
  write: OWN,
});

/** Chats and saved filters, both private to a user. */
export class Chats extends Migration {
  override up(): void {
    this.addSql([chats, groupFilters].join('\n'));
  }
}
