import type { ReactNode } from 'react';
import { BrandMark } from '../brand.tsx';

/** The plain frame of pages before signing in. */
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
      </div>
    </main>
  );
}
