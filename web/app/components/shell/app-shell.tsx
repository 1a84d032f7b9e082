import { useNavigation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { SkipLink } from '../page/skip-link.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Rail } from './rail.tsx';
import type { ShellData } from './shell-data.ts';
import { TopBar } from './top-bar.tsx';

/** A thin moving line at the top while a page or an answer is loading, so that slow operations are visible. */
function LoadingLine() {
  const { state } = useNavigation();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
      {state === 'idle' ? null : (
        <>
          <span className="sr-only">Loading</span>
          <div className="loading-bar h-full w-1/4 bg-accent" />
        </>
      )}
    </div>
  );
}

/** The frame of every signed-in page: rail, top bar, content up to 1,440 px, bottom bar on a phone. */
export function AppShell({ shell, children }: { shell: ShellData; children: ReactNode }) {
  return (
    <div className="frame flex min-h-screen" data-rail={shell.isRailFolded ? 'folded' : 'open'}>
      <SkipLink to="content">Skip to content</SkipLink>
      <LoadingLine />
      <Rail shell={shell} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar shell={shell} />
        <main
          id="content"
          tabIndex={-1}
          className="w-full max-w-[1440px] flex-1 px-6 pt-[22px] pb-10 outline-none max-sm:px-4 max-sm:pb-24"
        >
          {children}
          {shell.isPartial ? (
            <p className="mt-6 text-xs text-ink-3">
              Some documents are hidden from you. Figures cover the documents that you can see.
            </p>
          ) : null}
        </main>
      </div>
      <BottomBar shell={shell} />
    </div>
  );
}
