import { Link, useNavigate } from '@remix-run/react';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';

/** The event of the document that asks a list to take the focus again. */
export const FOCUS_RETURNS = 'tapeline:focus-returns';

/**
 * Details of one item next to its list, at their own address. Render it in a nested route's `<Outlet />`. Closing it
 * navigates to `closeTo`. With JavaScript, it takes the focus, closes on Escape, and returns the focus to where it was.
 * A list that was drawn again in the meantime takes it at the same place (`FOCUS_RETURNS`).
 */
export function SidePanel({ title, closeTo, children }: { title: ReactNode; closeTo: string; children: ReactNode }) {
  const navigate = useNavigate();
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const close = useRef<() => void>(() => {});
  close.current = () => navigate(closeTo, { preventScrollReset: true });
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before !== document.body && before.isConnected) {
        before.focus({ preventScroll: true });
      } else document.dispatchEvent(new Event(FOCUS_RETURNS));
    };
  }, []);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      // A dialog over the panel, or an open menu, takes Escape first.
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) close.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <section
      ref={panel}
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      className="fixed inset-y-0 right-0 z-40 w-[min(30rem,100vw)] overflow-y-auto border-l border-line bg-paper shadow-float outline-none"
    >
      <div className="sticky top-0 flex h-12 items-center gap-2 border-b border-line bg-paper px-5">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <Link
          to={closeTo}
          preventScrollReset
          aria-label="Close"
          className="ml-auto inline-grid size-8 place-items-center rounded-md text-ink-2 hover:bg-hover"
        >
          <X aria-hidden="true" size={16} strokeWidth={1.75} />
        </Link>
      </div>
      <div className="p-5">{children}</div>
    </section>
  );
}
