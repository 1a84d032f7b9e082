import { Form, Link, useLoaderData } from '@remix-run/react';
import { listSessions } from '@tapeline/db/operations/identity/sessions.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { ChevronRight, CircleAlert, Search, Settings as SettingsIcon } from 'lucide-react';
import { Name } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { inputClass } from '../../components/forms/fields.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel, PanelSection, Section } from '../../components/page/section.tsx';
import { SETTINGS_ITEMS } from '../../components/shell/navigation.ts';
import { useShell } from '../../components/shell/shell-data.ts';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { type Attention, type FoundSettings, readSettings, type SettingCount } from './settings.server.ts';

export const handle = { title: 'Settings' };

export const loader = readScreen(null, async (screen) => {
  const { context, actor } = screen;
  const sessions = await listSessions(context.store, { userId: actor.userId, now: new Date() });
  return {
    ...(await readSettings(screen)),
    sessions: sessions.length,
    title: actor.assocTitle ?? 'All managers',
    mayInvite: can(actor, 'users/write') && context.screenPaths.includes(paths.newUser()),
  };
});

type Card = ReturnType<typeof useLoaderData<typeof loader>>['cards'][number];

/** The cards of a section in two columns, with a hairline between them. */
const CARDS = 'grid gap-px bg-line sm:grid-cols-2 [&>*:last-child:nth-child(odd)]:sm:col-span-2';
const CARD = 'relative flex items-center gap-4 bg-paper px-4 py-3 hover:bg-hover';
const CARD_LINK = 'text-sm font-[550] after:absolute after:inset-0';

function Counts({ counts }: { counts: readonly SettingCount[] }) {
  if (counts.length === 0) return null;
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-3.5 text-xs text-ink-2">
      {counts.map(({ value, noun }) => (
        <span key={noun}>
          <b className="figures font-semibold text-ink">{value}</b> {noun}
        </span>
      ))}
    </p>
  );
}

function Arrow() {
  return <ChevronRight aria-hidden="true" size={16} strokeWidth={1.75} className="ml-auto flex-none text-ink-3" />;
}

function Firm({ cards }: { cards: readonly Card[] }) {
  const { account } = useShell();
  if (cards.length === 0) return null;
  return (
    <PanelSection title={account === 'administrator' ? 'Installation' : 'Firm'}>
      <div className={CARDS}>
        {cards.map(({ label, about, to, counts }) => {
          const Icon = SETTINGS_ITEMS[account].find((item) => item.label === label)?.icon ?? SettingsIcon;
          return (
            <div key={to} className={CARD}>
              <span className="grid size-9 flex-none place-items-center self-start rounded-md bg-accent-soft text-accent">
                <Icon aria-hidden="true" size={17} strokeWidth={1.75} />
              </span>
              <div className="min-w-0">
                <Link to={to} prefetch="intent" className={CARD_LINK}>
                  {label}
                </Link>
                <p className="text-sm text-ink-2">{about}</p>
                <Counts counts={counts} />
              </div>
              <Arrow />
            </div>
          );
        })}
      </div>
    </PanelSection>
  );
}

function NeedsAttention({ attention, total }: { attention: readonly Attention[]; total: number }) {
  if (total === 0) return null;
  return (
    <Section
      title="Needs attention"
      note={attention.length < total ? `the first ${attention.length} of ${formatFigure(total)}` : formatFigure(total)}
    >
      <Panel>
        <ul className="divide-y divide-line">
          {attention.map(({ title, detail, to, action }) => (
            <li key={to} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2">
              <CircleAlert aria-hidden="true" size={16} strokeWidth={1.75} className="flex-none text-warning" />
              <div className="min-w-0 flex-1 basis-52">
                <p className="text-sm font-[550]">
                  <Name length={70}>{title}</Name>
                </p>
                <p className="text-xs text-ink-2">{detail}</p>
              </div>
              <LinkButton to={to}>
                {action}
                <span className="sr-only">: {title}</span>
              </LinkButton>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

function You({ sessions }: { sessions: number }) {
  const cards = [
    {
      label: 'Your account',
      about: `Name, recovery email and theme; signed in ${sessions === 1 ? 'here only' : `in ${formatCount(sessions, 'browser')}`}`,
      to: paths.account(),
    },
    { label: 'Notifications', about: 'By email at once, in a daily digest, or not', to: paths.notificationSettings() },
    { label: 'Privacy notice', about: 'You have accepted it', to: paths.privacy() },
    { label: 'Terms of use', about: 'You have accepted them', to: paths.terms() },
  ];
  return (
    <PanelSection title="You">
      <div className="grid gap-px bg-line sm:grid-cols-2">
        {cards.map(({ label, about, to }) => (
          <div key={to} className={CARD}>
            <div className="min-w-0">
              <Link to={to} prefetch="intent" className={CARD_LINK}>
                {label}
              </Link>
              <p className="text-xs text-ink-2">{about}</p>
            </div>
            <Arrow />
          </div>
        ))}
      </div>
    </PanelSection>
  );
}

function Found({ found }: { found: readonly FoundSettings[] }) {
  return found.map(({ label, results }) => (
    <PanelSection key={label} title={label}>
      <ul className="divide-y divide-line">
        {results.map(({ title, detail, to }) => (
          <li key={to} className="relative flex items-center gap-3 px-4 py-2 hover:bg-hover">
            <Link to={to} prefetch="intent" className="min-w-0 text-sm after:absolute after:inset-0">
              <Name length={60}>{title}</Name>
            </Link>
            {detail ? <span className="min-w-0 truncate text-xs text-ink-3">{detail}</span> : null}
            <Arrow />
          </li>
        ))}
      </ul>
    </PanelSection>
  ));
}

export default function Settings() {
  const { find, attention, attentionTotal, cards, found, sessions, title, mayInvite } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Settings"
        facts={[title]}
        actions={mayInvite ? <LinkButton to={paths.newUser()}>Invite a user</LinkButton> : null}
      />
      <Form method="get" role="search" className="mb-6 flex max-w-[30rem] gap-2">
        <input
          type="search"
          name="find"
          key={find}
          defaultValue={find}
          maxLength={100}
          aria-label="Find a setting, person, role or list"
          placeholder="Find a setting, person, role or list"
          className={inputClass()}
        />
        <Button type="submit" icon={Search}>
          Find
        </Button>
      </Form>
      <NeedsAttention attention={attention} total={attentionTotal} />
      <Firm cards={cards} />
      <Found found={found} />
      {find === '' ? <You sessions={sessions} /> : null}
      {find !== '' && cards.length === 0 && found.length === 0 ? (
        <Panel>
          <EmptyState
            icon={SettingsIcon}
            title={`Nothing found for “${find}”`}
            action={<LinkButton to={paths.settings()}>Show all settings</LinkButton>}
          >
            Type a part of a name.
          </EmptyState>
        </Panel>
      ) : null}
    </>
  );
}
