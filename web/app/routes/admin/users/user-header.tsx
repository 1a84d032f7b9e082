import { USER_TYPE_LABELS } from '@tapeline/domain/people/actor.ts';
import type { ComponentProps } from 'react';
import { DateText, Name } from '../../../components/figures/figures.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Tabs } from '../../../components/page/tabs.tsx';
import { paths } from '../../../paths.ts';
import type { UserPage } from './user-page.server.ts';

export type UserHead = Pick<
  UserPage,
  'id' | 'name' | 'email' | 'status' | 'type' | 'organization' | 'role' | 'lastVisited'
>;

/** The header and the tabs of a user's pages. */
export function UserHeader({
  user,
  ...actions
}: { user: UserHead } & Pick<ComponentProps<typeof PageHeader>, 'actions' | 'primary'>) {
  return (
    <>
      <PageHeader
        title={<Name length={60}>{user.name}</Name>}
        chip={<StatusChip dot status={user.status} />}
        facts={[
          user.email,
          user.role ? (
            <>
              <b>{user.role.title}</b>, level {user.role.level}
            </>
          ) : (
            'no role'
          ),
          user.organization ? (
            <>
              {USER_TYPE_LABELS[user.type].toLowerCase()} <b>{user.organization}</b>
            </>
          ) : (
            'all managers'
          ),
          user.lastVisited ? (
            <>
              last visit <DateText time value={user.lastVisited} />
            </>
          ) : (
            'never visited'
          ),
        ]}
        {...actions}
      />
      <Tabs
        label="Parts of the user"
        tabs={[
          { label: 'Profile', to: paths.user(user.id) },
          { label: 'Access', to: paths.userAccess(user.id) },
        ]}
      />
    </>
  );
}
