import type { ReactNode } from 'react';

/** A link for the keyboard, seen while it is focused, that leads to a part of the page. @param to the id of the part, which can be focused */
export function SkipLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      href={`#${to}`}
      className="sr-only z-50 rounded-md bg-paper focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:px-3 focus:py-2"
      onClick={(event) => {
        // The address stays, so that nothing is loaded.
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
    >
      {children}
    </a>
  );
}
