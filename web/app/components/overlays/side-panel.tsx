import { Link, useNavigate } from '@remix-run/react';
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useHydrated } from '../use-hydrated.ts';

/**
 * Details of one item next to its list, at their own address. Render it in a nested route's `<Outlet />`. Closing it
 * navigates to `closeTo`. Without JavaScript it is a plain aside with a link back.
 */
export function SidePanel({ title, closeTo, children }: { title: ReactNode; closeTo: string; children: ReactNode }) {
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const frame =
    'fixed inset-y-0 right-0 z-40 w-[min(30rem,100vw)] overflow-y-auto border-l border-line bg-paper shadow-float';
  const head = (heading: ReactNode, close: ReactNode) => (
    <div className="sticky top-0 flex h-12 items-center gap-2 border-b border-line bg-paper px-5">
      {heading}
      <span className="ml-auto">{close}</span>
    </div>
  );
  const closeClass = 'inline-grid size-8 place-items-center rounded-md text-ink-2 hover:bg-hover';
  const icon = <X aria-hidden="true" size={16} strokeWidth={1.75} />;
  if (!hydrated) {
    return (
      <aside className={frame}>
        {head(
          <h2 className="text-base font-semibold">{title}</h2>,
          <Link to={closeTo} aria-label="Close" className={closeClass}>
            {icon}
          </Link>,
        )}
        <div className="p-5">{children}</div>
      </aside>
    );
  }
  return (
    <Dialog.Root open modal={false} onOpenChange={(open) => !open && navigate(closeTo, { preventScrollReset: true })}>
      <Dialog.Portal>
        <Dialog.Content
          className={frame}
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
        >
          {head(
            <Dialog.Title className="text-base font-semibold">{title}</Dialog.Title>,
            <Dialog.Close aria-label="Close" className={closeClass}>
              {icon}
            </Dialog.Close>,
          )}
          <div className="p-5">{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
