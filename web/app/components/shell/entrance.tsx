import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { BrandMark } from '../brand.tsx';

/** The plain frame of pages before sign-in. */
export function Entrance({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <main className="grid min-h-screen place-items-center px-4 py-10">
      <div className="w-full max-w-[22rem]">
        <p className="mb-8 flex items-center gap-[9px] text-[15px] font-[650] tracking-[-0.01em]">
          <BrandMark />
          Tapeline
        </p>
        <h1 className="text-xl font-[620] tracking-[-0.015em]">{title}</h1>
        <div className="mt-1 mb-6 text-sm text-ink-2">{lead}</div>
        {children}
        <p className="mt-8 flex gap-4 text-xs text-ink-3">
          <Link to={paths.privacy()} className="hover:underline">
            Privacy
          </Link>
          <Link to={paths.terms()} className="hover:underline">
            Terms
          </Link>
        </p>
      </div>
    </main>
  );
}
