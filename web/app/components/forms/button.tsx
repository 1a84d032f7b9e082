import { Link, type LinkProps } from '@remix-run/react';
import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export type ButtonTone = 'plain' | 'primary' | 'danger' | 'quiet';

const BASE =
  'inline-flex h-8 items-center max-sm:h-10 justify-center gap-1.5 rounded-md border px-3 text-sm font-medium whitespace-nowrap transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55';
const TONES: Record<ButtonTone, string> = {
  plain: 'border-line-strong bg-paper text-ink hover:bg-hover',
  primary: 'border-accent bg-accent text-accent-ink hover:border-accent-strong hover:bg-accent-strong',
  danger: 'border-danger bg-danger text-danger-ink hover:opacity-90',
  quiet: 'border-transparent bg-transparent text-ink-2 hover:bg-hover hover:text-ink',
};

export const buttonClass = (tone: ButtonTone = 'plain', className?: string) => classNames(BASE, TONES[tone], className);

interface Look {
  tone?: ButtonTone;
  /** A Lucide icon before the label. */
  icon?: LucideIcon;
  children: ReactNode;
}

/**
 * A button that performs an action. Use one `primary` button per page, on the right of its header.
 * @example <Button tone="primary" type="submit" name="intent" value="publish">Publish</Button>
 */
export function Button({
  tone,
  icon: Icon,
  className,
  children,
  type = 'button',
  ...rest
}: Look & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type={type} className={buttonClass(tone, className)} {...rest}>
      {Icon ? <Icon aria-hidden="true" size={15} strokeWidth={1.75} /> : null}
      {children}
    </button>
  );
}

/**
 * A link that looks like a button. It navigates, and works without JavaScript. `external` renders a plain anchor
 * (files, Temporal).
 */
export function LinkButton({
  tone,
  icon: Icon,
  className,
  children,
  external = false,
  to,
  ...rest
}: Look & Omit<LinkProps, 'to'> & { to: string; external?: boolean }) {
  const inside = (
    <>
      {Icon ? <Icon aria-hidden="true" size={15} strokeWidth={1.75} /> : null}
      {children}
    </>
  );
  if (external) {
    return (
      <a href={to} className={buttonClass(tone, className)} rel="noreferrer" {...rest}>
        {inside}
      </a>
    );
  }
  return (
    <Link to={to} prefetch="intent" className={buttonClass(tone, className)} {...rest}>
      {inside}
    </Link>
  );
}

/** Of a square button with only an icon. */
export const ICON_BUTTON =
  'inline-grid size-8 place-items-center max-sm:size-10 rounded-md text-ink-2 transition-colors duration-100 hover:bg-hover hover:text-ink disabled:opacity-55';

/** A square button with only an icon. `label` describes the action, for screen readers and on hover. */
export function IconButton({
  icon: Icon,
  label,
  className,
  type = 'button',
  ...rest
}: { icon: LucideIcon; label: string } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type={type} aria-label={label} title={label} className={classNames(ICON_BUTTON, className)} {...rest}>
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} />
    </button>
  );
}
