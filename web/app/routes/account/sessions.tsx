import { DateText } from '../../components/figures/figures.tsx';
import { ActionForm } from '../../components/forms/screen-form.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';

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
    <Section
      title="Active sessions"
      note="times in UTC"
      more={
        <ActionForm intent="endEverySession" tone="quiet">
          Sign out everywhere
        </ActionForm>
      }
    >
      <Panel>
        <DataTable
          narrow="list"
          caption="Active sessions"
          rows={[...sessions]}
          columns={[
            { key: 'agent', head: 'Device', cell: (session) => session.agent },
            {
              key: 'address',
              head: 'IP address',
              quiet: true,
              cell: (session) => session.address?.replace(/^::ffff:/, '') ?? 'n/a',
            },
            {
              key: 'since',
              head: 'Signed in',
              wideOnly: true,
              cell: (session) => <DateText time="bare" value={session.signedInAt} />,
            },
            {
              key: 'used',
              head: 'Last used',
              cell: (session) => <DateText time="bare" value={session.lastUsedAt} />,
            },
            {
              key: 'end',
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
      </Panel>
    </Section>
  );
}
