import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { formatCount } from '../../components/figures/format.ts';
import { PanelSection } from '../../components/page/section.tsx';

const LOOKS = {
  good: { icon: CircleCheck, colour: 'text-good' },
  warning: { icon: TriangleAlert, colour: 'text-warning' },
  danger: { icon: CircleAlert, colour: 'text-danger' },
} as const;

export interface Check {
  readonly tone: keyof typeof LOOKS;
  readonly text: string;
  /** What it found. */
  readonly note?: string;
}

/** What was checked before anything is stored. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  const warnings = checks.filter(({ tone }) => tone !== 'good').length;
  return (
    <PanelSection title="Checks" note={warnings === 0 ? 'no warnings' : formatCount(warnings, 'warning')}>
      <ul>
        {checks.map(({ tone, text, note }) => {
          const { icon: Icon, colour } = LOOKS[tone];
          return (
            <li
              key={text}
              className="flex items-start gap-2.5 border-b border-line px-3.5 py-2.5 text-sm last:border-b-0"
            >
              <Icon aria-hidden="true" size={16} strokeWidth={1.75} className={`mt-0.5 flex-none ${colour}`} />
              <span>
                {text}
                {note === undefined ? null : <span className="block text-xs text-ink-3">{note}</span>}
              </span>
            </li>
          );
        })}
      </ul>
    </PanelSection>
  );
}
