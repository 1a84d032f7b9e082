import type { ReadSession } from '../../read-session.ts';
import { type ChoiceQuery, type Choices, findChoices } from '../listing/choices.ts';

export interface NamedChoice {
  id: string;
  name: string;
}

/** A page of a manager's legal entities for a picker, by name. */
export const entityChoices = (
  session: ReadSession,
  managerId: string,
  query: ChoiceQuery = {},
): Promise<Choices<NamedChoice>> =>
  findChoices(session, query, {
    read: 'entities/read',
    columns: 't.id, t.name',
    offered: `entities t where t.status <> 'Removed' and t.manager_id = $1`,
    values: [managerId],
    label: 't.name',
  });
