import { Permission, Role, User } from '../entities/people.ts';
import { CurrencyRate } from '../entities/records.ts';
import { newId } from '../ids.ts';
import type { Session } from '../store.ts';
import { BUNDLED_RATES } from './currency-table.ts';
import { SEEDED_PERMISSIONS, SEEDED_ROLES } from './roles.ts';

// Seeding is serialized: two processes that start at the same time must not both find an empty database.
const SEED_LOCK = 3_305_771;

/**
 * What every installation needs: permissions, roles and a table of rates. Adds what is missing, and gives the permissions
 * of the product the titles that they have today, unless an administrator has changed them.
 */
export async function seedFoundations(session: Session): Promise<void> {
  const { em } = session;
  await session.query('select pg_advisory_xact_lock($1)', [SEED_LOCK]);
  const stored = new Map((await em.find(Permission, {})).map((permission) => [permission.key, permission]));
  for (const permission of SEEDED_PERMISSIONS) {
    const found = stored.get(permission.key);
    if (!found) em.create(Permission, { id: newId(session.now), ...permission });
    // Whoever changes a permission is recorded with it.
    else if (!found.metadata.changedBy) found.title = permission.title;
  }
  const titles = new Set((await em.find(Role, { managerId: null })).map((role) => role.title));
  for (const role of SEEDED_ROLES) {
    if (titles.has(role.title)) continue;
    em.create(Role, { id: newId(session.now), ...role, permissions: [...role.permissions] });
  }
  if ((await em.count(CurrencyRate, {})) === 0) {
    const { rates, lastUpdate } = BUNDLED_RATES;
    em.create(CurrencyRate, { id: newId(session.now), rates: { ...rates }, lastUpdate });
  }
  await em.flush();
}

/** Creates an admin account, or restores the admin role of an existing user. @returns whether the account is new */
export async function createAdmin(session: Session, command: { email: string }): Promise<boolean> {
  await seedFoundations(session);
  const email = command.email.trim().toLowerCase();
  const role = await session.em.findOneOrFail(Role, { title: 'Administrator', managerId: null });
  const known = await session.em.findOne(User, { email });
  if (known) {
    if (known.type !== 'admin') throw new Error(`${email} is already a user of another kind (${known.type})`);
    known.status = 'Active';
    known.roleId = role.id;
    await session.em.flush();
    return false;
  }
  session.em.create(User, {
    id: newId(session.now),
    firstName: 'Admin',
    lastName: 'Account',
    email,
    roleId: role.id,
    type: 'admin',
    assoc: { admin: true },
  });
  await session.em.flush();
  return true;
}
