import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { BrandMark } from '../../components/brand.tsx';
import { paths } from '../../paths.ts';

/** A page of text that is open to everyone. */
export function LegalPage({
  title,
  lead,
  sections,
}: {
  title: string;
  lead: string;
  sections: readonly { title: string; text: readonly ReactNode[] }[];
}) {
  return (
    <main className="mx-auto max-w-[44rem] px-6 py-10">
      <p className="mb-8 flex items-center gap-[9px] text-[15px] font-[650] tracking-[-0.01em]">
        <BrandMark />
        Tapeline
      </p>
      <h1 className="text-xl font-[620] tracking-[-0.015em]">{title}</h1>
      <p className="mt-1 mb-8 text-sm text-ink-2">{lead}</p>
      {sections.map((section) => (
        <section key={section.title} className="mb-6">
          <h2 className="mb-1.5 text-base font-semibold">{section.title}</h2>
          {section.text.map((paragraph, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text is constant
            <p key={index} className="mb-2 text-sm leading-6 text-ink-2">
              {paragraph}
            </p>
          ))}
        </section>
      ))}
      <nav aria-label="Legal" className="mt-8 flex gap-4 border-t border-line pt-4 text-sm text-accent">
        <Link to={paths.privacy()} className="hover:underline">
          Privacy notice
        </Link>
        <Link to={paths.terms()} className="hover:underline">
          Terms of use
        </Link>
        <Link to={paths.home()} className="hover:underline">
          Back to Tapeline
        </Link>
      </nav>
    </main>
  );
}
