import type { ReactNode } from 'react';
import { PanelSection } from './section.tsx';

/** What happens after something was sent: who decides, when the sender hears, and where the result is. */
export function NextSteps({ steps }: { steps: readonly { title: string; text: ReactNode }[] }) {
  return (
    <PanelSection title="What happens next" padded className="max-w-[46rem]">
      <ol className="space-y-3 text-sm">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="flex gap-3">
            <span
              aria-hidden="true"
              className="figures grid size-6 flex-none place-items-center rounded-full bg-selected text-xs font-semibold"
            >
              {index + 1}
            </span>
            <span className="min-w-0">
              <b className="font-medium">{title}</b>
              <span className="block text-ink-2">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </PanelSection>
  );
}
