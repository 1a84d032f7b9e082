import { ActionForm } from '../../components/forms/action-form.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';

export interface SessionRow {
  id: string;
  agent: string;
  address: string | null;
  signedInAt: string;
  lastUsedAt: string;
  isThis: boolean;
}

/** Where the user is signed in. Each sign-in can be ended, or all of them at once. */
export function SessionsSection({ sessions }: { sessions: readonly SessionRow[] }) {
  return (
    <TableSection
      title="Active sessions"
      note="times in UTC"
      more={
        <ActionForm intent="endEverySession" tone="quiet">
          Sign out everywhere
        </ActionForm>
      }
      narrow="list"
      rows={[...sessions]}
      columns={[
        { head: 'Device', cell: (session) => session.agent },
        { head: 'IP address', quiet: true, cell: (session) => session.address?.replace(/^::ffff:/, '') ?? 'n/a' },
        { head: 'Signed in', date: (session) => session.signedInAt, wideOnly: true, time: 'bare' },
        { head: 'Last used', date: (session) => session.lastUsedAt, time: 'bare' },
        {
          head: <span className="sr-only">End</span>,
          numeric: true,
          cell: (session) =>
            session.isThis ? (
              <Chip tone="good">This browser</Chip>
            ) : (
              <ActionForm intent="endSession" values={{ id: session.id }} tone="quiet" className="inline-block">
                Sign out
              </ActionForm>
            ),
        },
      ]}
    />
  );
}
