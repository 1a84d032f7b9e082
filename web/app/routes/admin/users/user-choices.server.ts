import { activePermissions, actsForAll, mayGrant } from '@tapeline/db/operations/permissions/permissions.ts';
import { levelOf, listRoles } from '@tapeline/db/operations/roles/roles.ts';
import { organizationChoices } from '@tapeline/db/operations/users/organizations.ts';
import type { Session } from '@tapeline/db/store.ts';
import { USER_TYPE_LABELS, USER_TYPES, type UserType } from '@tapeline/domain/people/actor.ts';
import type { Choice } from '../../../components/forms/fields.tsx';

/** Roles that a page of choices offers. */
const MAX_ROLES = 500;

async function givableRoles(session: Session) {
  const { documents } = await listRoles(session, { sort: { level: 1, title: 1 }, limit: MAX_ROLES });
  const permissions = await activePermissions(session);
  /** @param type only those that users of the type can have @param chosen always one of the choices */
  return (type?: UserType, chosen?: string | null): Choice[] => {
    const allowed = new Set(
      permissions.filter(({ allowed }) => !type || allowed.includes(type)).map(({ key }) => key as string),
    );
    return documents
      .filter(
        (role) =>
          role.id === chosen ||
          (role.level >= levelOf(session.actor) &&
            role.permissions.every((key) => mayGrant(session.actor, key) && allowed.has(key))),
      )
      .map(({ id, title, level }) => ({ value: id, label: `${title} (level ${level})` }));
  };
}

/**
 * The roles that the actor can give, the most privileged first.
 * @param command.type only those that users of the type can have
 * @param command.chosen always one of the choices
 */
export async function roleChoices(session: Session, command: { type?: UserType; chosen?: string | null } = {}) {
  return (await givableRoles(session))(command.type, command.chosen);
}

/** The roles that the actor can give to users of each type. */
export async function rolesByType(session: Session): Promise<Record<UserType, Choice[]>> {
  const rolesOf = await givableRoles(session);
  return Object.fromEntries(USER_TYPES.map((type) => [type, rolesOf(type)])) as Record<UserType, Choice[]>;
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
