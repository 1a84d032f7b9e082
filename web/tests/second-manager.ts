import { Role, User } from '@tapeline/db/entities/people.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { productStore } from './product-store.ts';
import { inviteUser } from './tenant.ts';

/** Adds a second fund manager to the tenant of this one, who can do the same. @returns the email */
export async function secondManager(managerEmail: string): Promise<string> {
  const ready = { status: 'Active', isReadPrivacyAndTerms: true, isConfirmedUserDetails: true } as const;
  const { id, email } = await inviteUser(managerEmail, { ...ready, firstName: 'Ines', lastName: 'Roca' });
  await (await productStore()).as(SYSTEM, async ({ em }) => {
    const role = await em.findOneOrFail(Role, { title: 'Fund manager', managerId: null });
    const user = await em.findOneOrFail(User, { id });
    user.roleId = role.id;
  });
  return email;
}
