import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { ArrowRight } from 'lucide-react';
import { PageHeader } from '../components/page/page-header.tsx';
import { Panel, Section } from '../components/page/section.tsx';
import { groupsOf } from '../components/shell/rail.tsx';
import { paths } from '../paths.ts';
import { readScreen } from '../screen.server.ts';
import { useShell } from '../shell-data.ts';

export const meta: MetaFunction = () => [{ title: 'Dashboard · Tapeline' }];

/** What each kind of user comes here for, in a sentence. */
const PURPOSES = {
  admin: 'You see every manager, company and investor of this installation.',
  manager: 'Your funds, your investors and the facilities you lend through.',
  company: 'Your facilities: what may be drawn, the tapes that are due and what became of them.',
  LP: 'Your commitments, calls and distributions, and the documents of your funds.',
  LPGroup: 'The commitments, calls and distributions of all investors of your group.',
} as const;

function greetingAt(hour: number): string {
  if (hour < 12) return 'Good morning';
  return hour < 18 ? 'Good afternoon' : 'Good evening';
}

export function loader(args: LoaderFunctionArgs) {
  return readScreen(args, null, ({ actor }) => ({
    greeting: `${greetingAt(new Date().getUTCHours())}, ${actor.firstName}`,
    purpose: PURPOSES[actor.type],
    role: actor.roleTitle,
  }));
}

export default function Dashboard() {
  const { greeting, purpose, role } = useLoaderData<typeof loader>();
  const shell = useShell();
  const groups = groupsOf(shell.items)
    .map((group) => ({ ...group, items: group.items.filter((item) => item.to !== paths.home()) }))
    .filter((group) => group.items.length > 0);
  return (
    <>
      <PageHeader title={greeting} facts={[shell.tenant, role, purpose].filter((fact) => fact !== null)} />
      <div className="grid gap-x-6 sm:grid-cols-2 xl:grid-cols-3">
        {groups.map((group) => (
          <Section key={group.label} title={group.label}>
            <Panel>
              <ul>
                {group.items.map(({ to, label, icon: Icon }) => (
                  <li key={to} className="border-b border-line last:border-b-0">
                    <Link
                      to={to}
                      prefetch="intent"
                      className="flex h-10 items-center gap-2.5 px-3 text-sm hover:bg-hover"
                    >
                      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="text-ink-3" />
                      {label}
                      <ArrowRight aria-hidden="true" size={14} className="ml-auto text-ink-3" />
                    </Link>
                  </li>
                ))}
              </ul>
            </Panel>
          </Section>
        ))}
      </div>
    </>
  );
}
