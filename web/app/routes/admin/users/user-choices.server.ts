import { activePermissions, actsForAll, mayGrant } from '@tapeline/db/operations/permissions/permissions.ts';
import { levelOf, listRoles } from '@tapeline/db/operations/roles/roles.ts';
import { organizationChoices } from '@tapeline/db/operations/users/organizations.ts';
import type { Session } from '@tapeline/db/store.ts';
import { USER_TYPE_LABELS, type UserType } from '@tapeline/domain/people/actor.ts';

/** Roles that a page of choices offers. */
const MAX_ROLES = 500;

/**
 * The roles that the actor can give, the most privileged first.
 * @param command.type only those that users of the type can have
 * @param command.chosen always one of the choices
 */
export async function roleChoices(session: Session, command: { type?: UserType; chosen?: string | null } = {}) {
  const { documents } = await listRoles(session, { sort: { level: 1, title: 1 }, limit: MAX_ROLES });
  const permissions = await activePermissions(session);
  const allowed = new Set(
    permissions
      .filter(({ allowed }) => !command.type || allowed.includes(command.type))
      .map(({ key }) => key as string),
  );
  return documents
    .filter(
      (role) =>
        role.id === command.chosen ||
        (role.level >= levelOf(session.actor) &&
          role.permissions.every((key) => mayGrant(session.actor, key) && allowed.has(key))),
    )
    .map(({ id, title, level }) => ({ value: id, label: `${title} (level ${level})` }));
}

/** The organizations that a new user can act for, by type. */
export async function organizationGroups(session: Session, command: { search: string; chosen: string | null }) {
  const [type = '', id = ''] = (command.chosen ?? '').split('/');
  const { choices, found, search } = await organizationChoices(session, {
    search: command.search,
    chosen: id ? { type, id } : null,
  });
  const groups = (['manager', 'company', 'LP', 'LPGroup'] as const).map((one) => ({
    label: USER_TYPE_LABELS[one],
    choices: choices
      .filter((choice) => choice.type === one)
      .map(({ id: of, name }) => ({ value: `${one}/${of}`, label: name })),
  }));
  return {
    search,
    found,
    listed: choices.length,
    groups: [
      ...(actsForAll(session)
        ? [{ label: USER_TYPE_LABELS.admin, choices: [{ value: 'admin', label: 'All managers' }] }]
        : []),
      ...groups.filter((group) => group.choices.length > 0),
    ],
  };
}
export type OrganizationGroups = Awaited<ReturnType<typeof organizationGroups>>;
