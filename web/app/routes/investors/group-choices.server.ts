import { getLPGroup, listLPGroups } from '@tapeline/db/operations/investors/groups.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { GroupChoices } from '../../components/organizations/investor-form.tsx';

const MAX_CHOICES = 200;

/** The groups that a form offers, by title, with the chosen one always among them. */
export async function groupChoices(session: Session, chosen: string | null): Promise<GroupChoices> {
  const { documents, total } = await listLPGroups(session, { sort: { title: 1 }, limit: MAX_CHOICES });
  const choices = documents.map(({ id, title }) => ({ id, title }));
  if (chosen && !choices.some(({ id }) => id === chosen)) {
    const { id, title } = await getLPGroup(session, chosen);
    choices.push({ id, title });
  }
  return { choices, total };
}
