import { ChevronDown, Ellipsis, ExternalLink, type LucideIcon } from 'lucide-react';
import { Children, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { buttonClass, ICON_BUTTON } from '../forms/button.tsx';
import { DROP_DOWN, DROP_DOWN_PANEL } from './drop-down.ts';
import { useDropDown } from './use-drop-down.ts';

export interface MenuLink {
  readonly to: string;
  readonly label: string;
  /** What to expect, in a few words. */
  readonly hint?: string;
}

const ITEM =
  'flex min-h-8 max-sm:min-h-10 w-full items-baseline justify-between gap-3 max-sm:py-2.5 rounded-md px-2.5 py-1.5 text-sm hover:bg-hover';

/** What opens a menu. */
export const MenuSummary = ({ label, icon: Icon }: { label: string; icon?: LucideIcon | undefined }) => (
  <summary className={buttonClass('plain', 'cursor-pointer list-none [&::-webkit-details-marker]:hidden')}>
    {Icon ? <Icon aria-hidden="true" size={15} strokeWidth={1.75} /> : null}
    {label}
    <ChevronDown
      aria-hidden="true"
      size={14}
      strokeWidth={1.75}
      className="text-ink-3 transition-transform duration-100 group-open:rotate-180"
    />
  </summary>
);

/**
 * A button that opens a short list of plain links (files, other addresses). It opens without JavaScript. With
 * JavaScript, a click outside, Escape or a choice closes it.
 */
export function LinkMenu({
  label,
  icon: Icon,
  links,
  children,
}: {
  label: string;
  icon?: LucideIcon;
  links: readonly MenuLink[];
  /** A line below the links. */
  children?: ReactNode;
}) {
  const details = useDropDown();
  return (
    <details ref={details} className={classNames('group', DROP_DOWN)}>
      <MenuSummary label={label} icon={Icon} />
      <div className={classNames(DROP_DOWN_PANEL, 'right-0 w-64 p-1')}>
        <ul>
          {links.map(({ to, label: name, hint }) => (
            <li key={to}>
              <a
                href={to}
                rel="noreferrer"
                onClick={() => {
                  if (details.current) details.current.open = false;
                }}
                className={ITEM}
              >
                {name}
                {hint ? <span className="text-xs text-ink-3">{hint}</span> : null}
              </a>
            </li>
          ))}
        </ul>
        {children ? <p className="border-t border-line px-2.5 pt-2 pb-1 text-xs text-ink-3">{children}</p> : null}
      </div>
    </details>
  );
}

/**
 * The last button of a page's header: it opens what people do here less often than the buttons before it. Its items are
 * `MenuLinkItem` and `MenuFormItem`; without any, there is no button. It opens without JavaScript.
 */
export function MoreMenu({ children }: { children: ReactNode }) {
  const details = useDropDown();
  if (Children.toArray(children).length === 0) return null;
  return (
    <details ref={details} className={classNames('group', DROP_DOWN)}>
      <summary
        aria-label="More actions"
        title="More actions"
        className={classNames(
          ICON_BUTTON,
          'cursor-pointer list-none border border-line-strong bg-paper group-open:bg-hover [&::-webkit-details-marker]:hidden',
        )}
      >
        <Ellipsis aria-hidden="true" size={16} strokeWidth={1.75} />
      </summary>
      <ul className={classNames(DROP_DOWN_PANEL, 'right-0 w-56 p-1')}>{children}</ul>
    </details>
  );
}

/** A file or an address outside the app. */
export const MenuLinkItem = ({ to, label, isNewTab = false }: MenuLink & { isNewTab?: boolean }) => (
  <li>
    <a href={to} rel="noreferrer" {...(isNewTab ? { target: '_blank' } : {})} className={ITEM}>
      {label}
      {isNewTab ? (
        <ExternalLink aria-label="opens in a new tab" size={14} strokeWidth={1.75} className="self-center text-ink-3" />
      ) : null}
    </a>
  </li>
);

/** A form that is only a button, such as `ActionForm` and `ConfirmForm`. */
export const MenuFormItem = ({ children }: { children: ReactNode }) => (
  <li className="[&>form>button]:w-full [&>form>button]:justify-start [&>form>button]:border-0 [&>form>button]:bg-transparent [&>form>button]:px-2.5 [&>form>button]:font-normal [&>form>button]:hover:bg-hover">
    {children}
  </li>
);
