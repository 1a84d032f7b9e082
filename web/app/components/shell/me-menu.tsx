import { Form, Link } from '@remix-run/react';
import { Building, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { paths } from '../../paths.ts';
import { classNames } from '../class-names.ts';
import { CsrfField } from '../forms/csrf-field.tsx';
import { PostForm } from '../forms/post-form.tsx';
import type { ShellData } from './shell-data.ts';

const THEME_CHOICES = [
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
  { theme: 'system', label: 'System', icon: Monitor },
] as const;

/** Light, dark or the system's setting. Each is a button of a plain form. */
export function ThemeSwitch({ theme }: { theme: ShellData['theme'] }) {
  return (
    <Form
      method="post"
      action={paths.preferences()}
      navigate={false}
      aria-label="Theme"
      className="flex gap-1 rounded-md bg-hover p-1"
    >
      <CsrfField />
      <input type="hidden" name="next" value={paths.account()} />
      {THEME_CHOICES.map(({ theme: choice, label, icon: Icon }) => (
        <button
          key={choice}
          type="submit"
          name="theme"
          value={choice}
          aria-pressed={choice === theme}
          className={classNames(
            'flex h-7 max-sm:h-10 flex-1 items-center justify-center gap-1.5 rounded-sm px-2 text-xs font-medium',
            choice === theme ? 'bg-paper text-ink shadow-[0_0_0_1px_var(--line)]' : 'text-ink-2 hover:text-ink',
          )}
        >
          <Icon aria-hidden="true" size={13} strokeWidth={1.75} />
          {label}
        </button>
      ))}
    </Form>
  );
}

const roleOf = (person: ShellData['person']) => person.roleTitle ?? person.type;

/**
 * Shows who is signed in, with account, theme and signing out. It uses the platform's popover, so it also opens without
 * JavaScript.
 */
export function MeMenu({
  shell,
  id,
  placement,
}: {
  shell: ShellData;
  id: string;
  placement: 'me-popover' | 'top-popover';
}) {
  const { person } = shell;
  const initials = `${person.firstName.charAt(0)}${person.lastName.charAt(0)}`.toUpperCase();
  const row = 'flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-sm hover:bg-hover';
  return (
    <>
      <button
        type="button"
        className="flex w-full max-sm:h-10 items-center gap-[9px] rounded-md px-[5px] py-1 text-left text-sm hover:bg-hover"
        {...{ popovertarget: id }}
      >
        <span
          aria-hidden="true"
          className="grid size-[26px] flex-none place-items-center rounded-full bg-accent-soft text-2xs font-semibold text-accent"
        >
          {initials}
        </span>
        <span className="sr-only">
          {person.firstName} {person.lastName}, {roleOf(person)}: account, theme, sign out
        </span>
        <span aria-hidden="true" className={classNames('min-w-0', placement === 'me-popover' ? 'rail-word' : 'hidden')}>
          <span className="block truncate leading-5">
            {person.firstName} {person.lastName}
          </span>
          <span className="block truncate text-xs text-ink-3">{roleOf(person)}</span>
        </span>
      </button>
      <div
        id={id}
        {...{ popover: 'auto' }}
        className={classNames(placement, 'w-60 rounded-lg border border-line bg-paper p-2 shadow-float')}
      >
        <p className="truncate px-2 pt-1 text-sm font-medium">
          {person.firstName} {person.lastName}
        </p>
        <p className="truncate px-2 pb-2 text-xs text-ink-3">{person.email}</p>
        <ThemeSwitch theme={shell.theme} />
        <hr className="my-2 border-line" />
        <Link to={paths.account()} className={row}>
          <UserRound aria-hidden="true" size={15} strokeWidth={1.75} /> Account
        </Link>
        {shell.canChooseTenant ? (
          <Link to={paths.actingFor()} className={row}>
            <Building aria-hidden="true" size={15} strokeWidth={1.75} /> Acting for
          </Link>
        ) : null}
        <PostForm action={paths.signOut()}>
          <CsrfField />
          <button type="submit" className={row}>
            <LogOut aria-hidden="true" size={15} strokeWidth={1.75} /> Sign out
          </button>
        </PostForm>
      </div>
    </>
  );
}
