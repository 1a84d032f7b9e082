import { formatCount } from '../../components/figures/format.ts';
import { type Check, CheckList } from '../../components/page/check-list.tsx';
import { PanelSection } from '../../components/page/section.tsx';

/** What was checked before anything is stored. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  const warnings = checks.filter(({ tone }) => tone !== 'good').length;
  return (
    <PanelSection title="Checks" note={warnings === 0 ? 'no warnings' : formatCount(warnings, 'warning')}>
      <CheckList checks={checks} />
    </PanelSection>
  );
}
